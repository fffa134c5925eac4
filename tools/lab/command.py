"""The command line: which sub-command is meant, and how lab ends."""

import re
import sys
from pathlib import Path

from . import processes
from .processes import Interrupted
from .terminal import Refusal, say, warn

HELP = """\
Client Lab: measure what network clients cost.

  lab run [NAME...] [OPTION]   set everything up, run a notebook (01-threads unless named) and render it;
                               --write puts its outputs into the committed notebook too;
                               --published leaves out the cells that measure, and shows the published data alone;
                               --server URL measures against a delay server elsewhere, whose control port is at URL
  lab notebook [OPTION]        open JupyterLab on the notebooks; --no-browser prints its address instead;
                               --listen ADDRESS[:PORT] is for a container, where 127.0.0.1 is not reached from outside
  lab prefetch [--versions]    fetch and build everything now, so that what comes later needs no network; --versions fetches the jars
                               of every locked version of the clients' libraries too
  lab bundle [--versions]      one archive, in .lab/, for a room without a network: it needs a Python, and no registry; --versions takes
                               the jars of every locked version along
  lab lock LIBRARY VERSION     add a version of a client's library, as in `lab lock io.ktor 3.4.3`, to what clients(...).versions(...) takes
  lab test [--long [--soak]]   all tests and one total; --long runs the slow ones too, and --soak has the delay server under
                               load for half an hour in one of them, where it is three minutes else
  lab ledger                   every claim with its verdict; fails where an article says another than its data
  lab publish [--to FOLDER]    notebooks, ledger and data as a static site in .lab/site, or in FOLDER
  lab reproduce RUN            the experiment of a run once more, by its id or as in threads-2026-11; fails where claims differ
  lab campaign plan RUN --shards N    the experiment of a run in N parts, and how each is run: a line a shard, for a scheduler
  lab campaign run FILE --shard I/N   one of them, here; it goes on where it was interrupted, and waits while another run is going on
  lab campaign merge FILE             one run of all shards, none of whose trials is missing or there twice
  lab serve [OPTION...]        the delay server alone, in the foreground
  lab bench server [--quick]   the delay server beside nginx and go-httpbin under one load by wrk, about a quarter of an hour; --quick to try it
  lab bench evidence           what counting adds to a request of the delay server
  lab workshop [--no-run]      exercises, solutions with their outputs, and slides of the workshop, from their sources; --no-run runs
                               nothing and keeps the outputs there are; --slides renders the slides alone
  lab doctor                   what is here, what is missing, and what to do about it

The first run fetches what it needs (a few minutes); later ones start at once. All of it is in .lab/, safe to delete."""

COMMANDS = ("run", "notebook", "test", "ledger", "publish", "workshop", "reproduce", "campaign", "serve", "bench", "prefetch", "bundle", "lock", "doctor")


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
    if command == "publish":
        return publish(rest)
    if command == "reproduce":
        return reproduce(rest)
    if command == "campaign":
        return campaign(rest)
    if command == "serve":
        return serve(rest)
    if command == "bench":
        return bench(rest)
    if command == "prefetch":
        return prefetch(rest)
    if command == "bundle":
        return bundle(rest)
    if command == "lock":
        return lock(rest)
    if command == "workshop":
        return workshop(rest)
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


def taken(rest: list[str], option: str) -> tuple[str | None, list[str]]:
    """The value of an option, given as `--option VALUE` or `--option=VALUE`, and what is left; an option without one has an empty value."""
    for i, argument in enumerate(rest):
        if argument == option:
            return "".join(rest[i + 1 : i + 2]), [*rest[:i], *rest[i + 2 :]]
        if argument.startswith(f"{option}="):
            return argument.partition("=")[2], [*rest[:i], *rest[i + 1 :]]
    return None, rest


def run(rest: list[str]) -> int:
    server, rest = taken(rest, "--server")
    if server is not None and not re.fullmatch(r"http://[^/@?\s]+:\d{1,5}/?(\?token=\S+)?", server):
        return wrong("`lab run --server` takes the address of a delay server's control port, as in --server http://192.0.2.7:8081.")
    names = [argument for argument in rest if not argument.startswith("-")]
    options = [argument for argument in rest if argument.startswith("-")]
    complaint = unknown("run", options, ("--write", "--published", "--server"))
    if complaint:
        return wrong(complaint)
    if len(options) > 1:
        return wrong("`lab run` takes --write or --published, not both: outputs without the cells that measure are not an article.")
    if server and "--published" in options:
        return wrong("`lab run` takes --server or --published, not both: published data ask no server.")
    from . import notebooks, run as running

    asked = [notebooks.named(name) for name in names or [notebooks.SPINE]]
    return running.run(asked, write="--write" in options, published="--published" in options, server=server)


def notebook(rest: list[str]) -> int:
    listen, rest = taken(rest, "--listen")
    if listen is not None and not re.fullmatch(r"\w[\w.-]*(:\d{1,5})?", listen):
        return wrong("`lab notebook --listen` takes an address and perhaps a port, as in --listen 0.0.0.0:8888.")
    complaint = unknown("notebook", rest, ("--no-browser", "--listen"))
    if complaint:
        return wrong(complaint)
    from . import notebooks, setup

    return notebooks.run_jupyter_lab(setup.ready("notebook"), browser="--no-browser" not in rest, listen=listen or notebooks.LOOPBACK)


def test(rest: list[str]) -> int:
    complaint = unknown("test", rest, ("--long", "--soak"))
    if complaint:
        return wrong(complaint)
    if "--soak" in rest and "--long" not in rest:
        return wrong("`lab test --soak` is half an hour in one of the slow tests: ask for `lab test --long --soak`.")
    from . import testing

    return testing.run(long="--long" in rest, soak="--soak" in rest)


def ledger(rest: list[str]) -> int:
    complaint = unknown("ledger", rest, ())
    if complaint:
        return wrong(complaint)
    from . import ledger as showing

    return showing.run()


def publish(rest: list[str]) -> int:
    to, rest = taken(rest, "--to")
    complaint = unknown("publish", rest, ("--to",) if to is None else ())
    if complaint or to == "":
        return wrong(complaint or "`lab publish --to` wants the folder that the site goes to.")
    from . import publish as publishing

    return publishing.run(Path(to) if to else None)


def reproduce(rest: list[str]) -> int:
    if len(rest) != 1 or rest[0].startswith("-"):
        return wrong("`lab reproduce` takes one run: its id, or the name of published data as in threads-2026-11.")
    from . import reproduce as again

    return again.run(rest[0])


def campaign(rest: list[str]) -> int:
    what, left = (rest[0], rest[1:]) if rest else ("", [])
    if what not in ("plan", "run", "merge"):
        return wrong("`lab campaign` does one of three: plan RUN --shards N, run FILE --shard I/N, or merge FILE.")
    option = {"plan": "--shards", "run": "--shard"}.get(what)
    value, left = taken(left, option) if option else (None, left)
    if len(left) != 1 or left[0].startswith("-"):
        about = "a run, by its id or as in threads-2026-11" if what == "plan" else "the file of a campaign, as in data/campaigns/threads.json"
        return wrong(f"`lab campaign {what}` takes {about}.")
    if what == "plan" and not re.fullmatch(r"[1-9]\d{0,2}", value or ""):
        return wrong("`lab campaign plan` wants to know in how many parts, as in --shards 8.")
    if what == "run" and not re.fullmatch(r"[1-9]\d{0,2}/[1-9]\d{0,2}", value or ""):
        return wrong("`lab campaign run` wants to know which part, as in --shard 3/8.")
    from . import campaign as sharing

    return sharing.run(what, left[0], *([value] if value else []))


def serve(rest: list[str]) -> int:
    from . import serve as serving

    return serving.run(rest)


def bench(rest: list[str]) -> int:
    what, options = (rest[0], rest[1:]) if rest else ("", [])
    if what not in ("server", "evidence"):
        return wrong("`lab bench` measures one of two: `lab bench server`, or `lab bench evidence`.")
    complaint = unknown(f"bench {what}", options, ("--quick",))
    if complaint:
        return wrong(complaint)
    from .bench import evidence, server

    return (server if what == "server" else evidence).run(quick="--quick" in options)


def prefetch(rest: list[str]) -> int:
    complaint = unknown("prefetch", rest, ("--versions",))
    if complaint:
        return wrong(complaint)
    from . import prefetch as fetching

    return fetching.run(versions="--versions" in rest)


def bundle(rest: list[str]) -> int:
    complaint = unknown("bundle", rest, ("--versions",))
    if complaint:
        return wrong(complaint)
    from . import bundle as packing

    return packing.run(versions="--versions" in rest)


def lock(rest: list[str]) -> int:
    if len(rest) != 2 or any(argument.startswith("-") for argument in rest):
        return wrong("`lab lock` takes a library and a version, as in `lab lock io.ktor 3.4.3` or `lab lock com.squareup.okhttp3:okhttp-jvm 4.12.0`.")
    from . import versions

    return versions.lock(*rest)


def workshop(rest: list[str]) -> int:
    complaint = unknown("workshop", rest, ("--no-run", "--slides"))
    if complaint:
        return wrong(complaint)
    if len(rest) > 1:
        return wrong("`lab workshop` takes --no-run or --slides, not both: slides are rendered by what a run sets up.")
    from . import workshop as teaching

    return teaching.run(measure="--no-run" not in rest, only_slides="--slides" in rest)


def doctor(rest: list[str]) -> int:
    complaint = unknown("doctor", rest, ())
    if complaint:
        return wrong(complaint)
    from . import doctor as examining

    return examining.run()
