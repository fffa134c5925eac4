"""The command line: which command is meant, and how lab ends."""

import sys
from argparse import Namespace
from importlib import import_module
from pathlib import Path
from typing import Any

from .base import processes
from .base.processes import Interrupted
from .base.terminal import LabError, did_you_mean, say, warn
from .arguments import Parser, wrong

ABOUT = "Client Lab: measure what network clients cost."
END = """
`lab COMMAND --help` says what a command takes.
The first run fetches what it needs (a few minutes); later ones start at once. All of it is in .lab/, safe to delete."""


def main(arguments: list[str]) -> int:
    """Run a command; the exit code is 0 when all went well, 1 when not, 2 when lab was called wrongly."""
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="replace")
    processes.signals.install()
    code = 1
    try:
        code = dispatch(arguments)
    except LabError as error:
        code = error.code
        warn(str(error))
    except Interrupted as interrupted:
        code = interrupted.code
        processes.end_all()
        warn("interrupted; everything it had started has ended.")
    finally:
        processes.end_all()
    return code


def dispatch(arguments: list[str]) -> int:
    parser, rest = LAB, arguments
    while parser.commands:
        word, rest = (rest[0], rest[1:]) if rest else ("", [])
        if word in ("help", "-h", "--help") or not word and parser is LAB:
            say(parser.format_help() + (END if parser is LAB else ""))
            return 0
        if word not in parser.commands:
            raise wrong(parser.asks or no_command(word))
        parser = parser.commands[word]
    if parser.passes_on:
        return parser.act(Namespace(options=rest))
    if {"-h", "--help"} & set(rest):
        say(parser.format_help().rstrip())
        return 0
    return parser.act(parser.parsed(rest))


def no_command(word: str) -> str:
    meant = did_you_mean(word, COMMANDS)
    return f"there is no command {word}; " + (f"did you mean {meant}?" if meant else f"there are {', '.join(COMMANDS)}.")


def run(given: Namespace) -> int:
    if given.write and given.published:
        raise wrong("`lab run` takes --write or --published, not both: outputs without the cells that measure are not an article.")
    if given.server and given.published:
        raise wrong("`lab run` takes --server or --published, not both: published data ask no server.")
    from .notebook import notebooks, run

    asked = [notebooks.named(name) for name in given.values or [notebooks.SPINE]]
    return run.run(asked, write=given.write, published=given.published, server=given.server)


def notebook(given: Namespace) -> int:
    from .notebook import jupyter
    from .prepare import setup

    return jupyter.run_jupyter_lab(setup.ready("notebook"), browser=not given.no_browser, listen=given.listen or jupyter.LOOPBACK)


def test(given: Namespace) -> int:
    if given.soak and not given.long:
        raise wrong("`lab test --soak` is half an hour in one of the slow tests: ask for `lab test --long --soak`.")
    if given.client:
        return module("check.one_client").test(given.client, given.long)
    return module("check.testing").run(long=given.long, soak=given.soak)


def workshop(given: Namespace) -> int:
    if given.no_run and given.slides:
        raise wrong("`lab workshop` takes --no-run or --slides, not both: slides are rendered by what a run sets up.")
    return module("notebook.workshop").run(measure=not given.no_run, only_slides=given.slides)


def plan(given: Namespace) -> int:
    if not given.shards:
        raise wrong(SHARDS)
    return module("library.mains").campaign("plan", given.values[0], given.shards)


def shard(given: Namespace) -> int:
    if not given.shard:
        raise wrong(SHARD)
    return module("library.mains").campaign("run", given.values[0], given.shard)


def ledger_campaign(given: Namespace) -> int:
    return module("library.mains").campaign("ledger", given.values[0], given.minutes or "0", given.because or "", given.only or "")


def bisect(given: Namespace) -> int:
    if given.below and given.above:
        raise wrong("`lab bisect` takes --below or --above, not both: an answer is yes or no.")
    if given.java and (given.coroutines or given.since or given.until):
        raise wrong("`lab bisect --java` looks at Javas: leave out --coroutines, --from and --to.")
    options = {"below": given.below, "above": given.above, "from": given.since, "to": given.until, "coroutines": given.coroutines}
    return module("library.mains").bisect(*given.values, options | {"java": "all" if given.java else None})


def compare(given: Namespace) -> int:
    options = {"only": given.only, "forks": given.forks, "margin": given.margin, "to": given.into}
    return module("library.mains").compare(*given.values, options)


def reproduce(given: Namespace) -> int:
    if given.all == bool(given.values) or len(given.values) > 1:
        raise wrong(REPRODUCE)
    return module("library.mains").reproduce("--all" if given.all else given.values[0])


def module(name: str) -> Any:
    """A module of lab, which is loaded only when its command is given."""
    return import_module(f".{name}", __package__)


ANY = 0
SHARDS = "`lab campaign plan` wants to know in how many parts, as in --shards 8."
SHARD = "`lab campaign run` wants to know which part, as in --shard 3/8."
MINUTES = "`lab campaign ledger` wants to know how many minutes it may measure, as in --minutes 90."
ONLY = "`lab campaign ledger --only` takes names of runs, as in --only streams,streams-fed."
BECAUSE = "`lab campaign ledger` wants to know why claims are registered again, as in --because \"eight forks instead of five\"."
REPRODUCE = "`lab reproduce` takes one run, its id or the name of published data as in threads-2026-11, or --all."
FILE = "takes the file of a campaign, as in data/campaigns/threads.json."
QUICK = "a short one, to try it"


def lab() -> Parser:
    """The parser of lab, with that of each command, in the order in which they are listed."""
    top = Parser(prog="lab", usage="lab COMMAND [OPTION...]", description=ABOUT)

    each = top.command(
        "run", "set everything up, run notebooks (01-threads by default) and render them", usage="[NAME...] [OPTION...]", act=run, takes=ANY,
    )
    each.switch("--write", "put the outputs into the committed notebook too")
    each.switch("--published", "leave out the cells that measure, and show the published data alone")
    address = "`lab run --server` takes the address of a delay server's control port, as in --server http://192.0.2.7:8081."
    each.option(
        "--server", "URL", "measure against a delay server elsewhere, whose control port is at URL", r"http://[^/@?\s]+:\d{1,5}/?(\?token=\S+)?", address,
    )

    each = top.command("notebook", "open JupyterLab on the notebooks", usage="[OPTION...]", act=notebook)
    each.switch("--no-browser", "print its address instead of opening a browser")
    address = "`lab notebook --listen` takes an address and perhaps a port, as in --listen 0.0.0.0:8888."
    each.option(
        "--listen", "ADDRESS[:PORT]", "listen there: for a container, where 127.0.0.1 is not reached from outside", r"\w[\w.-]*(:\d{1,5})?", address,
    )

    each = top.command("test", "run all tests, and give one total", usage="[--client NAME] [--long [--soak]]", act=test)
    each.switch("--long", "run the slow ones too")
    each.switch("--soak", "have the delay server under load for half an hour in one of them, where it is three minutes by default")
    sentence = "`lab test --client` takes a client of the catalogue by its id, as in --client okhttp."
    each.option("--client", "NAME", "test one client of the catalogue alone: its contract, and what catalogue and figures need of it", r"[\w.@:-]+", sentence)

    top.command(
        "ledger", "show every claim with its verdict; fail where an article states another verdict than its data",
        act=lambda _: module("library.mains").ledger(),
    )

    each = top.command(
        "publish", "make a static site of notebooks, ledger and data, in .lab/site",
        usage="[--to FOLDER] [--address URL]",
        act=lambda given: module("share.publish").run(Path(given.to) if given.to else None, given.address),
    )
    each.option(
        "--to", "FOLDER", "put it there: a folder that is empty, is not there yet, or holds an older site", ".+",
        "`lab publish --to` wants the folder that the site goes to.",
    )
    each.option(
        "--address", "URL", "where the site will stand, so that a shared link shows its figure", r"https?://\S+",
        "`lab publish --address` wants the address at which the site will stand, as in https://example.org/lab/.",
    )

    each = top.command(
        "workshop", "write exercises, solutions with their outputs, and slides of the workshop, from their sources", usage="[OPTION]", act=workshop,
    )
    each.switch("--no-run", "run nothing, and keep the outputs there are")
    each.switch("--slides", "render the slides alone")

    each = top.command(
        "reproduce", "run the experiment of a run once more, by its id or as in threads-2026-11; fail where claims differ",
        usage="RUN | --all",
        act=reproduce, takes=1,
    )
    each.switch("--all", "every published run on which the ledger rests, which takes hours")

    asks = "`lab campaign` does one of four: plan RUN --shards N, run FILE --shard I/N, merge FILE, or ledger LABEL."
    group = top.command(
        "campaign", "divide an experiment into shards of rounds, run each where there is room, and make one run of them", usage="COMMAND", asks=asks,
    )
    sentence = "`lab campaign plan` takes a run, by its id or as in threads-2026-11."
    each = group.command(
        "plan", "divide the experiment of a run, and print how each shard is run, a line a shard",
        usage="RUN --shards N",
        act=plan, takes=1, wants=sentence,
    )
    each.option("--shards", "N", "how many shards", r"[1-9]\d{0,2}", SHARDS)
    each = group.command(
        "run", "run one shard here; it goes on where it was interrupted, and waits while another run is going on",
        usage="FILE --shard I/N",
        act=shard, takes=1, wants=f"`lab campaign run` {FILE}",
    )
    each.option("--shard", "I/N", "which of them", r"[1-9]\d{0,2}/[1-9]\d{0,2}", SHARD)
    group.command(
        "merge", "make one run of all shards, none of whose trials is missing or there twice",
        usage="FILE",
        act=lambda given: module("library.mains").campaign("merge", given.values[0]), takes=1, wants=f"`lab campaign merge` {FILE}",
    )
    each = group.command(
        "ledger", "measure what the evidence of the ledger lacks and publish it under a label, as far as the time goes; it goes on where it stopped",
        usage="LABEL [--minutes N] [--only NAME,NAME] [--because WHY]",
        act=ledger_campaign, takes=1, wants="`lab campaign ledger` takes the label of the new runs: year and month, as in 2026-12.",
    )
    each.option("--minutes", "N", "how long it may measure; without it, it only plans and says what each run costs", r"[1-9]\d{0,3}", MINUTES)
    each.option("--only", "NAME,NAME", "these runs alone, as in streams,streams-fed", r"[a-z0-9,-]+", ONLY)
    each.option("--because", "WHY", "why claims that are registered are registered again", r".+", BECAUSE)

    sentence = "`lab attach` takes the process id of a JVM of yours that is running, as in `lab attach 4711`; `jps` lists them."
    each = top.command(
        "attach", "look at a running service: its client libraries, the limits that are reached and who owns them, its threads and connections",
        usage="PID [--watch]",
        act=lambda given: module("library.mains").attach(given.values[0], watch=given.watch), takes=1, wants=sentence,
    )
    each.switch("--watch", "look every two seconds, and print a line each time, until Ctrl-C")

    each = top.command(
        "bisect", "find the release of a client's library with which an answer changes; it goes on where it stopped",
        usage="CLIENT ASKED [OPTION...]",
        act=bisect, takes=2,
        wants="`lab bisect` takes a client, and a situation or a metric, as in `lab bisect ktor-okhttp@preconfigured connections.at-once`.",
    )
    number = r"-?\d+(\.\d+)?"
    each.option("--below", "N", "whether the metric, or the situation's ms, is below it", number, "`lab bisect --below` takes a number, as in --below 1.5.")
    each.option("--above", "N", "whether it is above it", number, "`lab bisect --above` takes a number, as in --above 1.5.")
    each.option("--from", "RELEASE", "the first release of interest", r"\d[\w.-]*", "`lab bisect --from` takes a release, as in --from 5.0.0.", dest="since")
    each.option("--to", "RELEASE", "the last one", r"\d[\w.-]*", "`lab bisect --to` takes a release, as in --to 5.3.2.", dest="until")
    each.option(
        "--coroutines", "V,V", "these versions of Kotlin's coroutines instead of releases", r"\d[\w.]*(,\d[\w.]*)+",
        "`lab bisect --coroutines` takes two versions or more, as in --coroutines 1.10.2,1.11.0.",
    )
    each.switch("--java", "every Java of 21 or newer that is here instead of releases")

    each = top.command(
        "compare", "say whether a release, or a jar of your own, is as good as another one; 1 where it is worse, 3 where that is not decided",
        usage="BASE CANDIDATE [OPTION...]",
        act=compare, takes=2,
        wants="`lab compare` takes two clients, or a client and a jar, as in `lab compare okhttp:5.4.0 okhttp:5.5.1`.",
    )
    each.option("--only", "PART,PART", "these parts alone: threads, memory, cost, capacity, conduct", r"[a-z,]+", "`lab compare --only` takes parts, as in --only threads,cost.")
    each.option("--forks", "N", "how many fresh JVMs each client has, 12 by default; twice as many where they leave a measure open", r"[1-9]\d{0,2}", "`lab compare --forks` takes a number, as in --forks 12.")
    each.option("--margin", "PERCENT", "how much equals may differ, 10 by default", r"[1-9]\d{0,2}", "`lab compare --margin` takes percent, as in --margin 5.")
    each.option("--to", "FOLDER", "write the page there, as Markdown and HTML", ".+", "`lab compare --to` wants the folder that the page goes to.", dest="into")

    top.command(
        "serve", "run the delay server alone, in the foreground; its own options, and its own --help, go with it",
        act=lambda given: module("library.serve").run(given.options), passes_on=True,
    )

    group = top.command(
        "bench", "measure what the delay server and the wire cost",
        usage="COMMAND",
        asks="`lab bench` measures one of three: `lab bench server`, `lab bench evidence` or `lab bench wire`.",
    )
    each = group.command(
        "server", "the delay server beside nginx and go-httpbin under one load by wrk, for about a quarter of an hour",
        usage="[--quick]",
        act=lambda given: module("bench.server").run(quick=given.quick),
    )
    each.switch("--quick", QUICK)
    each = group.command(
        "evidence", "what counting adds to a request of the delay server",
        usage="[--quick]",
        act=lambda given: module("bench.evidence").run(quick=given.quick),
    )
    each.switch("--quick", QUICK)
    each = group.command(
        "wire", "what the relay adds to an answer at 1,000 requests a second, in about ten minutes",
        usage="[--quick]",
        act=lambda given: module("bench.wire").run(quick=given.quick),
    )
    each.switch("--quick", QUICK)

    each = top.command(
        "prefetch", "fetch and build everything now, so that what comes later needs no network",
        usage="[--versions]",
        act=lambda given: module("share.prefetch").run(versions=given.versions),
    )
    each.switch("--versions", "fetch the jars of every locked version of the clients' libraries too")

    each = top.command(
        "bundle", "pack one archive, in .lab/, for a room without a network: it needs a Python, and no registry",
        usage="[--versions]",
        act=lambda given: module("share.bundle").run(versions=given.versions),
    )
    each.switch("--versions", "take the jars of every locked version along")

    top.command(
        "install", "put the lab where notebooks, tests and editors in other folders find it: `%use client-lab`, and artifacts for Maven",
        act=lambda _: module("share.install").run(),
    )
    top.command(
        "new", "make a folder with a notebook of your own: a client, an experiment and a claim",
        usage="FOLDER",
        act=lambda given: module("share.install").new(Path(given.values[0])), takes=1, wants="`lab new` takes the folder to make, as in `lab new ~/my-client`.",
    )

    sentence = "`lab lock` takes a library and a version, as in `lab lock io.ktor 3.4.3` or `lab lock com.squareup.okhttp3:okhttp-jvm 4.12.0`."
    top.command(
        "lock", "add a version of a client's library to what clients(...).versions(...) takes",
        usage="LIBRARY VERSION",
        act=lambda given: module("library.mains").lock(*given.values), takes=2, wants=sentence,
    )

    top.command("doctor", "say what is here, what is missing, and what to do about it", act=lambda _: module("doctor").run())
    return top


LAB = lab()
COMMANDS = tuple(LAB.commands)
