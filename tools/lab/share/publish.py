"""`lab publish`: the notebooks, the ledger and the data as a static site, which asks no other machine for anything."""

import os
import shutil
from pathlib import Path

from ..base import places, stamps
from ..base.processes import environment as variables, run_logged
from ..base.terminal import LabError, Step, say
from ..prepare import environment, setup
from ..prepare.setup import Ready
from ..notebook import notebooks
from ..library import mains

SITE = places.LAB / "site"
WORK = places.LAB / "site-work"
MARK = ".buildinfo"
"""Sphinx puts it into every site that it makes."""


def run(to: Path | None = None, address: str | None = None) -> int:
    """Make the site in `.lab/site`, or in a folder that is empty, or holds an older site; `address` is where it will stand."""
    target = (to or SITE).resolve()
    if target.exists() and (not target.is_dir() or any(target.iterdir()) and not (target / MARK).is_file()):
        raise LabError(f"{target} holds something other than a site: name a folder that is empty, or is not there yet.")
    ready = setup.ready("publish")
    made = make(ready, address)
    if target != made:
        _put(made, target)
    if own := [name for name in notebooks.all_names(places.NOTEBOOKS) if name not in notebooks.articles()]:
        say(f"Left out, because {places.shown(places.ARTICLES)} does not list {'it' if len(own) == 1 else 'them'}: {', '.join(own)}.")
    say(f"The site: {target / 'index.html'}")
    return 0


def make(ready: Ready, address: str | None = None) -> Path:
    """The site, made afresh in `.lab/site`."""
    environment.add(ready.python, "site")
    verdicts = _verdicts(ready)
    step = Step("Writing figures, tables and pages")
    run_logged(
        [ready.python.python, places.TOOLS / "site" / "prepare.py", places.ROOT, verdicts, WORK],
        step=step,
        log_name="site-pages",
        environment=variables(PYTHONDONTWRITEBYTECODE="1"),
        reading=str.strip,
        sorry="The pages could not be written.",
    )
    step.done()
    step = Step("Making the site")
    fresh = WORK / "html"
    shutil.rmtree(fresh, ignore_errors=True)
    run_logged(
        # Sphinx warns of links that lead nowhere and of pages that cannot be read: here these are errors.
        [ready.python.python, "-m", "sphinx", "-b", "html", "-E", "-W", "--keep-going", "-d", WORK / "doctrees", WORK / "pages", fresh],
        step=step,
        log_name="site-sphinx",
        environment=variables(CLIENT_LAB_SITE_FILES=str(WORK / "files"), CLIENT_LAB_SITE_ADDRESS=address or "", PYTHONDONTWRITEBYTECODE="1"),
        reading=lambda line: line.strip()[:60],
        sorry="Sphinx could not make the site.",
    )
    step.done()
    shutil.rmtree(SITE, ignore_errors=True)
    os.replace(fresh, SITE)
    return SITE


def _verdicts(ready: Ready) -> Path:
    """The ledger as JSON, computed again where the library, the data or an article has changed."""
    file = WORK / "ledger.json"
    data = [path for path in (places.ROOT / "data" / "published").rglob("*") if path.is_file()]
    made_from = stamps.digest_of_files([places.NOTEBOOK_JAR, *(places.NOTEBOOKS / f"{name}.ipynb" for name in notebooks.articles()), *data], places.ROOT)
    if file.is_file() and stamps.holds("site-ledger", made_from):
        return file
    stamps.drop("site-ledger")
    WORK.mkdir(parents=True, exist_ok=True)
    step = Step("Computing the verdicts")
    run_logged(
        [*mains.command(ready.java), file],
        step=step,
        log_name="site-ledger",
        environment=variables(CLIENT_LAB_HOME=str(places.ROOT)),
        sorry="An article states another verdict than its data give, or a verdict could not be computed.",
    )
    step.done()
    stamps.put("site-ledger", made_from)
    return file


def _put(made: Path, target: Path) -> None:
    """A copy in place of an older site."""
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(made, target)
