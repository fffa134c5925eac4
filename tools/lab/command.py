"""The command line: which sub-command is meant, and how lab ends."""

import sys

from . import processes
from .processes import Interrupted
from .terminal import Refusal, say, warn

HELP = """\
Client Lab: measure what network clients cost.

  lab run [NAME...] [OPTION]   set everything up, run a notebook (01-threads unless named) and render it;
                               --write puts its outputs into the committed notebook too;
                               --published leaves out the cells that measure, and shows the published data alone
  lab notebook [--no-browser]  open JupyterLab on the notebooks
  lab test [--long]            all tests and one total; --long runs the slow ones too
  lab ledger                   every claim with its verdict; fails where an article says another than its data
  lab reproduce RUN            the experiment of a run once more, by its id or as in threads-2026-11; fails where claims differ
  lab serve [OPTION...]        the delay server alone, in the foreground
  lab doctor                   what is here, what is missing, and what to do about it

The first run fetches what it needs (a few minutes); later ones start at once. All of it is in .lab/, safe to delete."""

COMMANDS = ("run", "notebook", "test", "ledger", "reproduce", "serve", "doctor")


def main(arguments: list[str]) -> int:
    """Run a sub-command; the exit code is 0 when all went well, 1 when not, 2 when lab was called wrongly."""
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="replace")
    processes.signals.install()
    code = 1
    try:
        code = dispatch(arguments)
    except Refusal as refusal:
        warn(str(refusal))
    except Interrupted as interrupted:
        code = interrupted.code
        processes.end_all()
        warn("interrupted; everything it had started has ended.")
    finally:
        processes.end_all()
    return code


def dispatch(arguments: list[str]) -> int:
    command, rest = (arguments[0], arguments[1:]) if arguments else ("help", [])
    if command in ("help", "-h", "--help") or set(rest) & {"-h", "--help"} and command != "serve":
        say(HELP)
        return 0
    if command == "run":
        return run(rest)
    if command == "notebook":
        return notebook(rest)
    if command == "test":
        return test(rest)
    if command == "ledger":
        return ledger(rest)
    if command == "reproduce":
        return reproduce(rest)
    if command == "serve":
        return serve(rest)
    if command == "doctor":
        return doctor(rest)
    return wrong(f"there is no command {command}; there are {', '.join(COMMANDS)}.")


def wrong(sentence: str) -> int:
    warn(sentence)
    return 2


def unknown(command: str, rest: list[str], known: tuple[str, ...]) -> str | None:
    """What is wrong with a sub-command's options, or None."""
    other = [option for option in rest if option not in known]
    if not other:
        return None
    takes = f"it takes {', '.join(known)}" if known else "it takes none"
    return f"`lab {command}` does not know {other[0]}; {takes}."


def run(rest: list[str]) -> int:
    names = [argument for argument in rest if not argument.startswith("-")]
    options = [argument for argument in rest if argument.startswith("-")]
    complaint = unknown("run", options, ("--write", "--published"))
    if complaint:
        return wrong(complaint)
    if len(options) > 1:
        return wrong("`lab run` takes --write or --published, not both: outputs without the cells that measure are not an article.")
    from . import notebooks, run as running

    return running.run([notebooks.named(name) for name in names or [notebooks.SPINE]], write="--write" in options, published="--published" in options)


def notebook(rest: list[str]) -> int:
    complaint = unknown("notebook", rest, ("--no-browser",))
    if complaint:
        return wrong(complaint)
    from . import notebooks, setup

    return notebooks.run_jupyter_lab(setup.ready("notebook"), browser="--no-browser" not in rest)


def test(rest: list[str]) -> int:
    complaint = unknown("test", rest, ("--long",))
    if complaint:
        return wrong(complaint)
    from . import testing

    return testing.run(long="--long" in rest)


def ledger(rest: list[str]) -> int:
    complaint = unknown("ledger", rest, ())
    if complaint:
        return wrong(complaint)
    from . import ledger as showing

    return showing.run()


def reproduce(rest: list[str]) -> int:
    if len(rest) != 1 or rest[0].startswith("-"):
        return wrong("`lab reproduce` takes one run: its id, or the name of published data as in threads-2026-11.")
    from . import reproduce as again

    return again.run(rest[0])


def serve(rest: list[str]) -> int:
    from . import serve as serving

    return serving.run(rest)


def doctor(rest: list[str]) -> int:
    complaint = unknown("doctor", rest, ())
    if complaint:
        return wrong(complaint)
    from . import doctor as examining

    return examining.run()
