"""Where everything is. What `lab` makes goes into `.lab`, which can be deleted at any time."""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]

REQUIREMENTS = ROOT / "requirements.txt"
NOTEBOOKS = ROOT / "notebooks"
TOOLS = ROOT / "tools"
PAGES = ROOT / "site" / "docs"
ARTICLES = ROOT / "site" / "articles.txt"
"""The notebooks that are articles, one name a line: they are tested and published, and a reader's own are not."""
README_FIGURE = ROOT / "site" / "finding.svg"
SERVER_OPTIONS = ROOT / "server" / "delay" / "jvm.options"
SERVER_OPTIONS_24 = ROOT / "server" / "delay" / "jvm-24.options"
SERVER_OPTIONS_STAYS = ROOT / "server" / "delay" / "jvm-stays.options"
SERVER_JAR = ROOT / "server" / "delay" / "target" / "delay-server.jar"
NOTEBOOK_JAR = ROOT / "lib" / "articles" / "target" / "client-lab.jar"
BENCH = ROOT / "data" / "bench"
KANDY = ROOT / "lib" / "kandy"

BUNDLE = ROOT / "bundle.json"
WHEELS = ROOT / "wheels"

LAB = ROOT / ".lab"
VENV = LAB / "venv"
LOGS = LAB / "log"
OUT = LAB / "out"
STAMPS = LAB / "stamps"
JARS = LAB / "jars"
LOCK = LAB / "lock"
JUPYTER = LAB / "jupyter"


def shown(path: Path) -> str:
    """The path as a reader in the project's folder would type it."""
    try:
        return path.relative_to(ROOT).as_posix()
    except ValueError:
        return str(path)
