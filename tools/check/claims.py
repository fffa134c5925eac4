"""Every claim of the ledger, decided again: from its words and its bounds, in another language than the library's.

A rule gives the parts of a claim. It reads the trials of the runs that the ledger names, or the figures of a source.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable
from dataclasses import replace

import numpy

import estimates
from parts import Floor, Part, difference_floor, exactly, part, ratio_floor, reach
from trials import Group, Trial, Trials, figures, per_round

RULES: dict[str, Callable[[Trials], list[Part]]] = {}


def claim(name: str) -> Callable[[Callable[[Trials], list[Part]]], Callable[[Trials], list[Part]]]:
    def add(rule: Callable[[Trials], list[Part]]) -> Callable[[Trials], list[Part]]:
        RULES[name] = rule
        return rule

    return add


# 01 and 06: the threads of clients. Source 000.

BLOCKING = ("retrofit", "ktor-okhttp", "fuel")
ASYNC = ("ktor-apache", "ktor-apache5", "ktor-java", "ktor-cio")
UNPARKED = "activeUnparkedNew"


def held(group: Group) -> list[float]:
    return [threads / group.number("inFlight") for threads in group.values("threadsBlocked")]


def burst_time(t: Trials) -> Floor | None:
    return ratio_floor(t, "burst", "durationMs")


@claim("threads.blocking")
def _(t: Trials) -> list[Part]:
    return [part(held(t.warm(client, level)), 0.98, 1.02) for client in BLOCKING for level in (100, 500)]


@claim("threads.async")
def _(t: Trials) -> list[Part]:
    few = [part(t.warm(client, level).values(UNPARKED), high=10) for client in ASYNC for level in (100, 500)]
    floor = difference_floor(t, "burst", UNPARKED)
    return few + [part(per_round(t.warm(client, 500), t.warm(client, 100), UNPARKED, lambda a, b: a - b), high=3, floor=floor) for client in ASYNC]


@claim("threads.time100")
def _(t: Trials) -> list[Part]:
    return [part(t.warm(client, 100).in_delays(), 1.0, 1.25) for client in BLOCKING + ASYNC]


@claim("threads.cio500")
def _(t: Trials) -> list[Part]:
    return [part(per_round(t.warm("ktor-cio@article", 500), t.warm("ktor-cio@article", 100), "durationMs"), low=2, floor=burst_time(t))]


@claim("threads.route-cap")
def _(t: Trials) -> list[Part]:
    article, opened = t.warm("ktor-cio@article", 500), t.warm("ktor-cio", 500)
    return [
        exactly(article.values("inFlightPeak"), 100),
        part(article.in_delays(), 4.9, 6.0),
        exactly(opened.values("inFlightPeak"), 500),
        part(opened.in_delays(), 1.0, 1.6),
    ]


@claim("threads.apache")
def _(t: Trials) -> list[Part]:
    times = t.warm("ktor-apache", 500).in_delays()
    return [Part(estimates.share(sum(time > 1.5 for time in times), len(times)), low=0.05)]


@claim("threads.rest")
def _(t: Trials) -> list[Part]:
    groups = [t.warm(client, 500) for client in ("retrofit", "ktor-okhttp", "fuel", "ktor-apache5", "ktor-java")]
    typical = float(numpy.median([time for group in groups for time in group.in_delays()]))
    return [part([time / typical for time in group.in_delays()], 0.9, 1.1, burst_time(t)) for group in groups]


@claim("threads.parkrule")
def _(t: Trials) -> list[Part]:
    mine, parts = t.warm("retrofit", 500).values("activeNew"), []
    for client in ASYNC:
        group = t.warm(client, 500)
        parts.append(Part(estimates.ratio(mine, group.values("activeNew")), low=2, floor=ratio_floor(t, "burst", "activeNew")))
        parts.append(part([active - unparked for active, unparked in zip(group.values("activeNew"), group.values(UNPARKED))], low=10))
    return parts


def left(t: Trials, client: str) -> list[float]:
    return t.warm(client, 500).values("threadsLeft")


RULES["threads.leak"] = lambda t: [part(left(t, "ktor-java"), low=1)]
RULES["threads.leak-others"] = lambda t: [exactly(left(t, client), 0) for client in ASYNC if client != "ktor-java"]
RULES["threads.leak-okhttp"] = lambda t: [part(left(t, client), low=1) for client in ("retrofit", "ktor-okhttp")]


@claim("threads.loom")
def _(t: Trials) -> list[Part]:
    group = t.warm("retrofit-virtual", 500)
    return [part(group.values("threadsBlocked"), high=10), part(group.in_delays(), 1.0, 1.6)]


@claim("threads.plus-one")
def _(t: Trials) -> list[Part]:
    parts = []
    for start, one in (("cold", 1), ("warm", 0)):
        for group in t.where(lambda g: g.client == "retrofit" and g["inFlight"] == "100" and g.start == start):
            runners = [
                float(sum(thread["count"] for thread in trial.raw["threads"] if thread["owner"] == "OkHttp task runner" and thread["doing"] != "parkedIdle"))
                for trial in group.counted
            ]
            parts += [exactly([threads - 100 for threads in group.values(UNPARKED)], one), exactly(runners, one)]
    return parts


@claim("threads.parked-blocked")
def _(t: Trials) -> list[Part]:
    group = t.warm("jdk-blocking", 500)
    return [part(group.values(UNPARKED), high=10), part(held(group), 0.98, 1.02)]


@claim("threads.fuel")
def _(t: Trials) -> list[Part]:
    return [exactly(t.warm("fuel@default", 100).values("inFlightPeak"), 64)]


@claim("threads.idle-io")
def _(t: Trials) -> list[Part]:
    def beside(client: str, background: str) -> Group:
        return t.of(client, beside=background)

    return [
        part(per_round(beside(client, "idle-io"), beside(client, "none"), metric), high=1.2, floor=ratio_floor(t, "burst", metric))
        for client in ("retrofit", "ktor-java")
        for metric in ("activeNew", "durationMs")
    ]


def at_500(t: Trials) -> list[Group]:
    return t.where(lambda group: group["rate"] == "500")


@claim("threads.little")
def _(t: Trials) -> list[Part]:
    ratios = []
    for group in at_500(t):
        if group.client == "retrofit":
            law = 500 * group.number("delayMs") / 1_000
            for trial in group.counted:
                before, most = trial.metric("osThreadsBaseline"), trial.metric("osThreads")
                if before is not None and most is not None:
                    ratios.append((most - before) / law)
    return [part(ratios, 0.9, 1.2)]


@claim("threads.megabyte")
def _(t: Trials) -> list[Part]:
    def each(client: str) -> list[float]:
        many, few = t.warm(client, 500), {trial.round: trial for trial in t.warm(client, 100).counted}
        pairs = [(trial, few[trial.round]) for trial in many.counted if trial.round in few]
        return [(a.metric("rssBytes") - b.metric("rssBytes")) / 1e6 / (a.metric("osThreads") - b.metric("osThreads")) for a, b in pairs]

    return [part(each(client), 0.5, 2.0) for client in ("retrofit", "ktor-okhttp", "jdk-blocking")]


@claim("threads.choice")
def _(t: Trials) -> list[Part]:
    others = {"retrofit", "ktor-okhttp", "ktor-apache", "ktor-cio", "fuel"}
    groups = {group.client: group for group in at_500(t)}
    parts = []
    for mine in ("ktor-java", "ktor-apache5"):
        able = [group for name, group in groups.items() if name in others and group.values("answeredShare") and numpy.median(group.values("answeredShare")) >= 0.999]
        parts.append(part(groups[mine].values("answeredShare"), low=0.999))
        for metric in ("requestCpuMs", "anonPeakBytes", "osThreadsPeak"):
            best = min((group for group in able if group.values(metric)), key=lambda group: numpy.median(group.values(metric)))
            parts.append(Part(estimates.ratio(groups[mine].values(metric), best.values(metric)), high=1.1, floor=ratio_floor(t, "rate", metric)))
    return parts


@claim("threads.fast")
def _(t: Trials) -> list[Part]:
    def rates(client: str) -> list[float]:
        return [rate for group in t.where(lambda g: g["tasks"] is not None and g.client == client) for rate in group.values("requestsPerSecond")]

    floor = ratio_floor(t, "closed-loop", "requestsPerSecond")
    return [Part(estimates.ratio(rates("retrofit"), rates(other)), low=1, floor=floor) for other in ("ktor-java", "ktor-apache5")]


@claim("threads.arrived")
def _(t: Trials) -> list[Part]:
    return [part(t.warm(client, 500).values("snapshotAtMs"), high=1_000) for client in BLOCKING + ASYNC]


HOLD_THERE = ("retrofit@article:2.9.0", "ktor-okhttp:2.3.7")
HOLD_NONE_THERE = ("ktor-apache@article:2.3.7", "ktor-java@article:2.3.12", "ktor-cio@article:2.3.7")


def on_each_java(t: Trials, clients: tuple[str, ...]) -> list[Group]:
    """The groups of these clients, by client and then by Java, the oldest first."""
    return [group for client in clients for group in sorted(t.where(lambda it, client=client: it.client == client), key=lambda it: it["java"] or "")]


RULES["threads.source-held"] = lambda t: [part(held(group), 0.98, 1.02) for group in on_each_java(t, HOLD_THERE)]
RULES["threads.source-async"] = lambda t: [part(group.values(UNPARKED), high=10) for group in on_each_java(t, HOLD_NONE_THERE)]
RULES["threads.source-cio"] = lambda t: [part(group.in_delays(), low=4.9) for group in on_each_java(t, HOLD_NONE_THERE[-1:])]
RULES["threads.source-arrived"] = lambda t: [part(group.values("snapshotAtMs"), high=1_000) for group in on_each_java(t, HOLD_THERE + HOLD_NONE_THERE[:-1])]


@claim("threads.uneven-caps")
def _(t: Trials) -> list[Part]:
    return [exactly(t.warm(client, 1_200).values("inFlightPeak"), most) for client, most in (("ktor-apache5@article", 1_000), ("ktor-apache5", 1_200))]


@claim("gateway.minute")
def _(t: Trials) -> list[Part]:
    return [part(t.of(client).values("survived"), low=1) for client in ("ktor-cio", "retrofit-virtual")] + [part(t.of("ktor-java").values("survived"), high=0)]


@claim("gateway.steady")
def _(t: Trials) -> list[Part]:
    return [part(per_round(young, t.of(young.client, start="steady"), "requestCpuMs"), low=1.5) for young in t.where(lambda group: group.start == "warm")]


def logs() -> list[dict[str, str]]:
    return figures("gateway/source-000-logs.csv")


@claim("threads.average")
def _(_: Trials) -> list[Part]:
    off = [abs(int(row["timeMs1"]) - int(row["averageMs"])) for row in logs() if row["averageMs"].isdigit()]
    return [Part(estimates.share(sum(each > 300 for each in off), len(off)), low=0.05)]


@claim("threads.table")
def _(_: Trials) -> list[Part]:
    blocking = [row for row in logs() if row["blocking"] == "true"]
    return [exactly([int(row[column]) - 1.0 for row in blocking for column in ("unparkedNew1", "tableThreads")], 500)]


@claim("threads.idle-log")
def _(_: Trials) -> list[Part]:
    return [part([float(int(row["unparkedNew2"]) - int(row["unparkedNew1"])) for row in logs()], 0, 5)]


# 05: moving bytes. Sources 001 and 000.

TIME = "iterationMedianMs"


def moving(t: Trials, operation: str, mover: str) -> Group:
    """Its trials at the size that most trials of these runs have."""
    sizes = Counter(group["bytes"] for group in t.groups for _ in group.trials)
    groups = t.where(lambda g: g["operation"] == operation and (g["means"] or g.client) == mover)
    usual = [group for group in groups if group["bytes"] == sizes.most_common(1)[0][0]]
    return (usual or groups or [Group({})])[0]


def times_of(t: Trials, operation: str, mover: str, than: str, metric: str = TIME) -> list[float]:
    return per_round(moving(t, operation, mover), moving(t, operation, than), metric, lambda a, b: a / b if b > 0 else None)


def slower(t: Trials, operation: str, mover: str, than: str, low: float) -> Part:
    return part(times_of(t, operation, mover, than), low=low, floor=ratio_floor(t, "transfer", TIME))


THEN, NOW = "ktor:1.5.4", "ktor:3.5.2"


def then_and_now(rule: Callable[[str], Part]) -> list[Part]:
    """The same of Ktor as the source measured it, and of today's."""
    return [replace(rule(THEN), then=True), rule(NOW)]


RULES["io.pipeline"] = lambda t: then_and_now(lambda ktor: slower(t, "pipeline", ktor, "stream", 3))
RULES["io.file"] = lambda t: [each for than in ("stream", "random-access") for each in then_and_now(lambda ktor: slower(t, "file-read", ktor, than, 10))]
RULES["io.socket"] = lambda t: then_and_now(lambda ktor: slower(t, "socket-write", ktor, "stream", 3))
RULES["io.nio"] = lambda t: [slower(t, "socket-write", mover, "stream", 1) for mover in ("coroutine", "async-channel")]
RULES["io.async-file"] = lambda t: [part(moving(t, "file-read", mover).values("fileThreadsBehind"), low=1) for mover in ("async-channel", "ktor", "coroutine")]


@claim("io.custom")
def _(t: Trials) -> list[Part]:
    parts = []
    for operation in ("file-read", "socket-write"):
        ktor, own, stream = (moving(t, operation, mover).by_round(TIME) for mover in (THEN, "coroutine", "stream"))
        parts.append(part([(ktor[r] - own[r]) / (ktor[r] - stream[r]) for r in ktor if r in own and r in stream and ktor[r] > stream[r]], low=0.5))
    return parts


@claim("io.alloc")
def _(t: Trials) -> list[Part]:
    metric = "allocatedBytesPerMiB"

    def more(operation: str, ktor: str) -> Part:
        return part(times_of(t, operation, ktor, "stream", metric), low=10, floor=ratio_floor(t, "transfer", metric))

    return [each for operation in ("file-read", "socket-write") for each in then_and_now(lambda ktor: more(operation, ktor))]


@claim("io.close")
def _(t: Trials) -> list[Part]:
    return [part(per_round(moving(t, "close", "ktor"), moving(t, "peer-close", "ktor"), "socketsLeft", lambda a, b: a + b), low=1)]


@claim("io.mean")
def _(_: Trials) -> list[Part]:
    rows = {row["mover"]: [int(raw) for raw in row["rawMs"].split()] for row in figures("transfer/source-001.csv") if (row["set"], row["operation"]) == ("second", "file-read")}
    ktor, own = rows["ktor"], rows["coroutine"]
    stated = ((float(numpy.mean(ktor) / numpy.mean(own)), 21, 22), (float(numpy.median(own)), 39, 39), (float(numpy.median(ktor) / numpy.median(own)), 36, 37))
    return [Part(estimates.exact(value, value, value, len(own)), low, high) for value, low, high in stated]


@claim("threads.bulk")
def _(t: Trials) -> list[Part]:
    return [part(times_of(t, "download", "retrofit", other), high=1, floor=ratio_floor(t, "transfer", TIME)) for other in ("ktor-java", "ktor-apache5")]


# 03: virtual threads and pools. Source 002.

VIRTUAL, POOL = "virtual", "pool-processors"


def undisturbed(t: Trials) -> list[Group]:
    return t.where(lambda g: g["executor"] and g["instrument"] != "jfr" and (g["jvmArgs"] or "none") == "none")


def tasks_at(t: Trials, executor: str, calls: int, delay: int) -> Group:
    found = [g for g in undisturbed(t) if g["executor"] == executor and g.number("calls") == calls and g.number("delayMs") == delay]
    return max(found, key=lambda g: g.number("tasks")) if found else Group({})


def tasks_time(t: Trials) -> Floor | None:
    return ratio_floor(t, "tasks", "durationMs")


def over_delay(t: Trials, calls: int, delay: int) -> list[float]:
    return per_round(tasks_at(t, VIRTUAL, calls, delay), tasks_at(t, VIRTUAL, calls, 0), "durationMs")


def rounds(t: Trials, pool: str, calls: int, most: bool = True) -> list[tuple[dict[float, float], dict[float, float], Group]]:
    """For each round with a pool and virtual threads at the same delays: both their times by delay, in the largest number of tasks."""
    groups = [g for g in undisturbed(t) if g.number("calls") == calls]
    counts = sorted({g.number("tasks") for g in groups if g["executor"] == pool})
    found = []
    for count in counts[-1:] if most else counts:
        pools = {g.number("delayMs"): g for g in groups if g["executor"] == pool and g.number("tasks") == count}
        virtual = {g.number("delayMs"): g for g in groups if g["executor"] == VIRTUAL and g.number("tasks") == count}
        both = [(delay, pools[delay].by_round("durationMs"), virtual[delay].by_round("durationMs")) for delay in sorted(pools) if delay in virtual]
        for number in sorted({r for _, times, _ in both for r in times}):
            there = [(delay, p[number], v[number]) for delay, p, v in both if number in p and number in v]
            if there:
                found.append(({d: p for d, p, _ in there}, {d: v for d, _, v in there}, next(iter(pools.values()))))
    return found


def crossing_ratio(t: Trials, calls: int, delay: int, low: float = -math.inf, high: float = math.inf) -> Part:
    return part([p[delay] / v[delay] for p, v, _ in rounds(t, POOL, calls) if delay in p], low, high, tasks_time(t))


RULES["loom.delay"] = lambda t: [part(over_delay(t, calls, 4), high=1, floor=tasks_time(t)) for calls in (1, 2)]
RULES["loom.flat"] = lambda t: [part(over_delay(t, calls, delay), 0.9, 1.1, tasks_time(t)) for calls in (1, 2) for delay in (4, 5)]
RULES["loom.one"] = lambda t: [crossing_ratio(t, 1, delay, high=1) for delay in range(6)]
RULES["loom.two"] = lambda t: [crossing_ratio(t, 2, delay, high=1) if delay < 2 else crossing_ratio(t, 2, delay, low=1) for delay in range(6)]


@claim("loom.many")
def _(t: Trials) -> list[Part]:
    def ratios(pool: str) -> list[float]:
        return [p[100] / v[100] for p, v, group in rounds(t, pool, 1, most=False) if group.number("tasks") >= 10_000 and 100 in p]

    return [part(ratios(pool), low=1, floor=tasks_time(t)) for pool in ("pool-64", "pool-512")]


@claim("loom.linear")
def _(t: Trials) -> list[Part]:
    def straight(times: dict[float, float]) -> float:
        x, y = (numpy.array(each) for each in zip(*sorted(times.items())))
        return float(numpy.corrcoef(x, y)[0, 1] ** 2)

    parts = []
    for calls in (1, 2):
        whole = [p for p, _, _ in rounds(t, POOL, calls) if 0 in p and 5 in p]
        parts += [part([p[5] / p[0] for p in whole], low=2, floor=tasks_time(t)), part([straight(p) for p in whole], low=0.95)]
    return parts


@claim("loom.calls")
def _(t: Trials) -> list[Part]:
    return [part(per_round(tasks_at(t, VIRTUAL, 2, delay), tasks_at(t, VIRTUAL, 1, delay), "durationMs"), 0.9, 1.1, tasks_time(t)) for delay in (0, 5)]


def said(executor: str, calls: int, delay: int) -> tuple[float, float, float]:
    """A time that source 002 gives, with the ends of its interval."""
    key = (executor, str(calls), str(delay))
    row = next(row for row in figures("loom/source-002.csv") if (row["executor"], row["calls"], row["delayMs"]) == key)
    seconds, error = float(row["seconds"]), float(row["error"])
    return seconds, seconds - error, seconds + error


def crossing(pool: dict[float, float], virtual: dict[float, float], asked: list[float]) -> float | None:
    """The delay from which virtual threads win, between the two delays where the curves cross; else an end of the range.

    None where one of these delays was asked for and has no trial that counts.
    """
    delays = sorted(pool)
    behind = [pool[delay] - virtual[delay] for delay in delays]
    after = next((i for i, lead in enumerate(behind) if lead > 0), None)
    if after is None:
        return delays[-1] if delays[-1] == asked[-1] else None
    if after == 0:
        return delays[0] if delays[0] == asked[0] else None
    if asked.index(delays[after]) - asked.index(delays[after - 1]) != 1:
        return None
    return delays[after - 1] + (delays[after] - delays[after - 1]) * -behind[after - 1] / (behind[after] - behind[after - 1])


@claim("loom.age")
def _(t: Trials) -> list[Part]:
    def crossings(start: str) -> dict[int, float]:
        times = {name: {g.number("delayMs"): g.by_round("durationMs") for g in undisturbed(t) if g["executor"] == name and g.start == start} for name in (POOL, VIRTUAL)}
        found = {}
        for number in sorted({number for of in times[POOL].values() for number in of}):
            there = [delay for delay in times[POOL] if number in times[POOL][delay] and number in times[VIRTUAL].get(delay, {})]
            pool, virtual = ({delay: times[name][delay][number] for delay in there} for name in (POOL, VIRTUAL))
            at = crossing(pool, virtual, sorted(times[POOL])) if there else None
            if at is not None:
                found[number] = at
        return found

    steady, young = crossings("steady"), crossings("warm")
    ratios = [steady[number] / young[number] if young[number] else math.inf for number in steady if number in young]
    return [part([ratio for ratio in ratios if math.isfinite(ratio)], high=1)]


@claim("loom.cost")
def _(t: Trials) -> list[Part]:
    def at_once(executor: str, start: str) -> Group:
        there = [g for g in undisturbed(t) if g["executor"] == executor and g.number("delayMs") == 0 and g.start == start]
        return there[0] if there else Group({})

    return [part(per_round(at_once(name, "steady"), at_once(name, "warm"), "clientCpuSeconds"), high=0.8) for name in (POOL, VIRTUAL)]


@claim("loom.base")
def _(_: Trials) -> list[Part]:
    def threads(calls: int, seconds: float) -> float:
        return 10_000 * calls * 4 / 1e3 / seconds

    parts = []
    for calls in (1, 2):
        value, low, high = said(POOL, calls, 0)
        parts.append(Part(estimates.exact(threads(calls, value), threads(calls, high), threads(calls, low), 10), 45, 55))
    return parts


@claim("loom.overlap")
def _(_: Trials) -> list[Part]:
    (_, low, high), (_, other_low, other_high) = said(POOL, 2, 2), said(VIRTUAL, 2, 2)
    both = (min(high, other_high) - max(low, other_low)) * 1e3
    return [Part(estimates.exact(both, both, both, 10), low=0)]


@claim("loom.cap")
def _(t: Trials) -> list[Part]:
    parts = []
    for size in ("processors", "8"):
        pool, limited = (tasks_at(t, f"{kind}-{size}", 1, 5) for kind in ("pool", "virtual-limited"))
        parts.append(part(per_round(limited, pool, "durationMs"), 0.9, 1.1, tasks_time(t)))
        parts += [part(group.ratios("inFlightPeak", "executorLimit"), high=1) for group in (limited, pool)]
    return parts


@claim("loom.saturated")
def _(_: Trials) -> list[Part]:
    parts = []
    for delay in range(6):
        (one, one_low, one_high), (two, two_low, two_high) = said(VIRTUAL, 1, delay), said(VIRTUAL, 2, delay)
        parts.append(Part(estimates.exact(two / one, two_low / one_high, two_high / one_low, 10), 0.8, 1.25))
    return parts


@claim("loom.busy")
def _(t: Trials) -> list[Part]:
    parts = []
    for calls in (1, 2):
        group = tasks_at(t, VIRTUAL, calls, 0)
        shares = group.values("machineShare") or [a + b for a, b in zip(group.values("cpuShare"), group.values("serverCpuShare"))]
        parts.append(part(shares, low=0.85))
    return parts


# 04: the memory of waiting tasks. Source 003.

TENS, HUNDREDS, THOUSANDS = (10, 50, 100), (100, 500), (1_000, 5_000, 10_000)
RANGE = (10, 50, 100, 500)
MEASURED = ("threads", "pool", "coroutines")
FARTHEST = 10_000.0


def points(t: Trials, mechanism: str, tasks: tuple[int, ...] = RANGE, keep: Callable[[Group], bool] | None = None) -> estimates.Points:
    def waiting(group: Group) -> bool:
        as_it_comes = (group["jvmArgs"] or "as it comes") == "as it comes"
        return group["state"] == "waiting" and group.number("stackDepth") == 0 and group["instrument"] == "collected" and group["start"] == "cold" and as_it_comes

    groups = t.where(lambda g: g["mechanism"] == mechanism and (keep or waiting)(g))
    measured = {int(group.number("tasks")): group.values("memoryGrowthBytes") for group in groups}
    return {n: measured.get(n, []) for n in tasks}


def apart(ratios: numpy.ndarray) -> numpy.ndarray:
    """How far from 1, in either direction; what seems to take nothing is farthest."""
    with numpy.errstate(divide="ignore"):
        return numpy.where(ratios <= 1 / FARTHEST, FARTHEST, numpy.minimum(FARTHEST, numpy.maximum(ratios, 1 / ratios)))


@claim("memory.linear")
def _(t: Trials) -> list[Part]:
    def bend(sets: list[estimates.Resamples]) -> numpy.ndarray:
        return estimates.slopes(sets[0], lambda n: n in HUNDREDS) / estimates.slopes(sets[0], lambda n: n in TENS)

    return [Part(estimates.over([points(t, name)], bend), 0.8, 1.25) for name in MEASURED]


@claim("memory.beyond")
def _(t: Trials) -> list[Part]:
    def beyond(sets: list[estimates.Resamples]) -> numpy.ndarray:
        return estimates.slopes(sets[0], lambda n: n in THOUSANDS) / estimates.slopes(sets[0], lambda n: n in RANGE)

    return [Part(estimates.over([points(t, name, RANGE + THOUSANDS)], beyond), high=0.5) for name in ("threads", "pool")]


def slopes(t: Trials, a: str, b: str, low: float, high: float) -> Part:
    """A ratio of slopes; its noise is that of each mechanism in even rounds against itself in odd ones."""

    def ratio(one: estimates.Points, other: estimates.Points) -> estimates.Estimate:
        return estimates.over([one, other], lambda sets: estimates.slopes(sets[0]) / estimates.slopes(sets[1]))

    halves = [ratio(*(points(t.only(lambda trial, odd=odd: trial.round % 2 == odd), name) for odd in (0, 1))) for name in (a, b)]
    reaches = [reach(half, 1.0) for half in halves if half.n > 1]
    floor = Floor(1.0, (max(r[0] for r in reaches), max(r[1] for r in reaches))) if reaches else None
    return Part(ratio(points(t, a), points(t, b)), low, high, floor)


RULES["memory.pool"] = lambda t: [slopes(t, "pool", "threads", 0.9, 1.1)]
RULES["memory.ratio"] = lambda t: [slopes(t, "threads", "coroutines", 5, 7)]
RULES["memory.tens"] = lambda t: [Part(estimates.over([points(t, name)], lambda sets: estimates.slopes(sets[0]) / 1e3), 10, 100) for name in ("threads", "pool")]


@claim("memory.hundreds")
def _(t: Trials) -> list[Part]:
    def more(n: int) -> estimates.Estimate:
        return estimates.over([points(t, "threads"), points(t, "coroutines")], lambda sets: (estimates.middles(sets[0], n) - estimates.middles(sets[1], n)) / 1e6)

    return [Part(more(n), high=10) for n in (100, 500)]


@claim("memory.first")
def _(t: Trials) -> list[Part]:
    def odd(sets: list[estimates.Resamples]) -> numpy.ndarray:
        first = estimates.middles(sets[0], 1) - estimates.middles(sets[0], 0)
        return apart(first / estimates.slopes(sets[0], lambda n: n >= 50))

    tasks = (0, 1, *(n for n in RANGE if n >= 50))
    return [Part(estimates.over([points(t, name, tasks)], odd), low=2) for name in MEASURED]


@claim("memory.cpu")
def _(t: Trials) -> list[Part]:
    def computing(name: str, n: int) -> list[float]:
        return points(t, name, (n,), lambda group: group["state"] == "computing")[n]

    return [Part(estimates.ratio(computing("coroutines", n), computing("pool", n)), low=0.9) for n in (10, 100)]


@claim("memory.fit")
def _(t: Trials) -> list[Part]:
    def tilted(sets: list[estimates.Resamples]) -> numpy.ndarray:
        return apart(estimates.slopes(sets[0]) / estimates.slopes(sets[0], lambda n: n >= 50))

    tasks = (1, 2, 5, *RANGE)
    return [Part(estimates.over([points(t, name, tasks)], tilted), low=1.05) for name in MEASURED]


# 02: limits. Source 004.

CIO, AS_IT_COMES, REPAIRED = "ktor-cio@default", "ktor-okhttp@default", "ktor-okhttp@requests"


@claim("limits.default")
def _(t: Trials) -> list[Part]:
    group = t.of(AS_IT_COMES)
    return [
        exactly(group.values("inFlightPeak"), 5),
        exactly(group.values("batches"), 20),
        part(group.in_delays(), 20, 22),
        part(group.in_delays("queuedMaxMs"), low=18),
    ]


@claim("limits.pool")
def _(t: Trials) -> list[Part]:
    pool = t.of("okhttp@pool")
    ratio = estimates.ratio(pool.values("durationMs"), t.of("okhttp@default").values("durationMs"))
    return [Part(ratio, 0.97, 1.03, burst_time(t)), exactly(pool.values("inFlightPeak"), 5)]


@claim("limits.fix")
def _(t: Trials) -> list[Part]:
    return [part(t.of(REPAIRED).in_delays(), 1.0, 1.3), exactly(t.of(REPAIRED).values("batches"), 1)]


@claim("limits.cio")
def _(t: Trials) -> list[Part]:
    return [exactly(t.of(CIO).values("inFlightPeak"), 100), part(t.of(CIO).in_delays(), 1.0, 1.7)]


def there(t: Trials, client: str) -> list[Group]:
    """A client in the source's own release of Ktor, without TLS and with it."""
    return [t.of(f"{client}:3.3.3", protocol=protocol) for protocol in ("http/1.1", "https/1.1")]


@claim("limits.source-default")
def _(t: Trials) -> list[Part]:
    return [each for group in there(t, AS_IT_COMES) for each in (exactly(group.values("inFlightPeak"), 5), part(group.in_delays(), 20, 22))]


@claim("limits.source-fix")
def _(t: Trials) -> list[Part]:
    return [each for group in there(t, REPAIRED) for each in (exactly(group.values("inFlightPeak"), 100), part(group.in_delays(), 1.0, 2.0))]


def cio_by_okhttp(t: Trials, place: int, low: float, high: float = math.inf) -> list[Part]:
    cio, okhttp = (there(t, client)[place].values("durationMs") for client in (CIO, REPAIRED))
    return [Part(estimates.ratio(cio, okhttp), low=low, high=high, floor=burst_time(t))]


RULES["limits.source-tls"] = lambda t: cio_by_okhttp(t, 1, 1.1)
RULES["limits.source-cleartext"] = lambda t: cio_by_okhttp(t, 0, 0.9, 1.1)


@claim("limits.dispatcher")
def _(t: Trials) -> list[Part]:
    return [
        part(per_round(t.of(client, dispatcher=level), t.of(client, dispatcher="io"), "durationMs"), 0.9, 1.1, burst_time(t))
        for client in (CIO, REPAIRED)
        for level in ("one-thread", "cached-pool", "default")
    ]


@claim("limits.http2")
def _(t: Trials) -> list[Part]:
    cio, okhttp = (t.of(client, payload="json") for client in (CIO, REPAIRED))
    ratio = estimates.ratio(cio.values("durationMs"), okhttp.values("durationMs"))
    return [Part(ratio, low=1.1, floor=burst_time(t)), part([1 - share for share in okhttp.ratios("requestsHttp1", "requests")], low=0.5)]


@claim("limits.json")
def _(t: Trials) -> list[Part]:
    def adds(client: str) -> dict[int, float]:
        json, text = (t.of(client, payload=payload).by_round("durationMs") for payload in ("json", "text"))
        return {r: json[r] - text[r] for r in json if r in text}

    cio, okhttp = adds(CIO), adds(REPAIRED)
    return [part([cio[r] - okhttp[r] for r in cio if r in okhttp], low=50, floor=difference_floor(t, "burst", "durationMs"))]


@claim("limits.reuse")
def _(t: Trials) -> list[Part]:
    cio = t.of(CIO)
    return [part(per_round(cio, t.of(REPAIRED), "connectionsOpenedAgain", lambda a, b: (a - b) / max(cio.number("inFlight"), 1)), low=0.5)]


@claim("limits.cleartext")
def _(t: Trials) -> list[Part]:
    return [exactly(t.of(REPAIRED, payload=payload).ratios("requestsHttp1", "requests"), 1) for payload in ("text", "json")]


# 10 and 11: versions, and documented limits.


def versions_of(t: Trials, *clients: str) -> list[Group]:
    return [group for client in clients for group in t.where(lambda g: ":" in g.client and g.client.split(":")[0] == client)]


@claim("versions.cio-route")
def _(t: Trials) -> list[Part]:
    parts = []
    for version in ("2.3.12", "3.5.2"):
        article, opened = t.of(f"ktor-cio@article:{version}"), t.of(f"ktor-cio:{version}")
        parts += [exactly(article.values("inFlightPeak"), 100), exactly(article.values("batches"), 5), exactly(opened.values("batches"), 1)]
    return parts


RULES["versions.threads-okhttp"] = lambda t: [part(held(t.of(client)), 0.95, 1.05) for client in ("okhttp:4.12.0", "okhttp:5.5.1", "retrofit:2.9.0", "retrofit:3.0.0")]
RULES["versions.threads-cio"] = lambda t: [part(held(group), 0, 0.01) for group in versions_of(t, "ktor-cio")]
RULES["versions.leak"] = lambda t: [part(group.values("threadsLeft"), low=1) for group in versions_of(t, "ktor-java")]


@claim("versions.threads-engines")
def _(t: Trials) -> list[Part]:
    holding = [part(held(group), 0.95, 1.05) for group in versions_of(t, "ktor-okhttp", "retrofit")]
    return holding + [part(held(group), 0, 0.02) for group in versions_of(t, "ktor-java", "ktor-apache", "ktor-apache5")]


def new_against_old(t: Trials, metric: str) -> list[Part]:
    new, old = (t.of(f"ktor-cio:{version}").values(metric) for version in ("3.5.2", "2.3.12"))
    return [Part(estimates.ratio(new, old), high=1.1, floor=ratio_floor(t, "burst", metric))]


RULES["versions.idle-workers"] = lambda t: new_against_old(t, "threadsLive")
RULES["versions.time"] = lambda t: new_against_old(t, "durationMs")


def found(t: Trials, client: str, hosts: int, documented: float, metric: str = "heldInFlight", scale: float = 1.0) -> Part:
    """A limit is found if it is within a twentieth of the documented one."""
    return part([value * scale for value in t.of(client, hosts=str(hosts)).values(metric)], documented * 0.95, documented * 1.05)


RULES["audit.okhttp"] = lambda t: [found(t, f"{client}@default", hosts, most) for client in ("okhttp", "retrofit", "ktor-okhttp") for hosts, most in ((1, 5), (20, 64))]
RULES["audit.cio"] = lambda t: [found(t, CIO, hosts, most) for hosts, most in ((1, 100), (20, 1_000))]
RULES["audit.io"] = lambda t: [found(t, "fuel@default", hosts, 64) for hosts in (1, 20)]
RULES["audit.quiet"] = lambda t: [found(t, f"{client}@default", 1, most) for client, most in (("vertx", 5), ("apache5-async", 5), ("jetty", 64))]
RULES["audit.timeouts"] = lambda t: [
    found(t, client, 1, seconds, metric, 1e-3)
    for client, metric, seconds in (("okhttp@default", "answerTimeoutMs", 10), (CIO, "answerTimeoutMs", 15), (CIO, "waitTimeoutMs", 5))
]


@claim("audit.opened")
def _(t: Trials) -> list[Part]:
    return [exactly(group.values("heldInFlight"), group.number("inFlight")) for group in t.where(lambda g: "@" not in g.client and g["hosts"] == "1")]


# 12: latency and capacity.

P99 = "latencyP99Ms"


@claim("latency.theory")
def _(t: Trials) -> list[Part]:
    groups = [t.of(client, loop="open") for client in ("okhttp", "jdk")]
    return [part([(p99 - group.number("delayMs")) / 1_000 for p99 in group.values(P99)], 0.88, 0.95) for group in groups]


@claim("latency.omission")
def _(t: Trials) -> list[Part]:
    def ratios(client: str) -> list[float]:
        opened = t.of(client, loop="open").by_round(P99)
        closed = t.of(client, loop="closed").by_round("sentLatencyP99Ms")
        return [closed[r] / opened[r] for r in closed if r in opened]

    return [part(ratios(client), high=0.1) for client in ("okhttp", "jdk")]


@claim("latency.random")
def _(t: Trials) -> list[Part]:
    clients = dict.fromkeys(group.client for group in t.groups)
    return [part(per_round(t.of(client, arrivals="poisson"), t.of(client, arrivals="constant"), P99), low=1) for client in clients]


@claim("latency.generator")
def _(t: Trials) -> list[Part]:
    half = t.only(lambda trial: trial.experiment == "latency-half")
    rates = t.only(lambda trial: trial.experiment != "latency-half")
    most: dict[str, float] = {}
    for group in rates.groups:
        if group.counted:
            most[group.client] = max(most.get(group.client, 0.0), float(numpy.median(group.values("requestsPerSecond"))))
    parts = []
    for group in half.groups:
        is_half = abs(group.number("rate") * 2 / most.get(group.client, math.nan) - 1) <= 0.02
        parts.append(part(group.values("generatorLagP99Ms") if is_half else [], high=1))
    return parts


def in_time(groups: list[Group]) -> list[Part]:
    return [each for group in groups for each in (part(group.values("answeredShare"), low=1), part(group.values(P99), high=50))]


RULES["latency.all"] = lambda t: in_time(t.where(lambda group: group["rate"] == "500"))
RULES["latency.half"] = lambda t: in_time(t.groups)
RULES["capacity.half"] = lambda t: [part(group.values("halfLatencyP99Ms"), high=10) for group in t.groups]
RULES["capacity.knee"] = lambda t: [part(group.ratios("nineTenthsLatencyP99Ms", "halfLatencyP99Ms"), low=2) for group in t.groups]
RULES["capacity.generator"] = lambda t: [part(group.values("halfGeneratorLagP99Ms"), high=1) for group in t.groups]


@claim("latency.steady")
def _(t: Trials) -> list[Part]:
    values = t.of("ktor-java", start="steady").values(P99)
    return [Part(estimates.exact(max(values), max(values), max(values), len(values)) if values else estimates.NONE, high=25)]


@claim("latency.young")
def _(t: Trials) -> list[Part]:
    young = t.where(lambda group: group.client == "ktor-java" and group.start == "warm")
    return [part(per_round(young[0] if young else Group({}), t.of("ktor-java", start="steady"), P99), low=2)]


# 13: HTTP/2.


def in_protocols(t: Trials, *protocols: str) -> list[Group]:
    return t.where(lambda group: group["protocol"] in protocols)


def carrying(group: Group) -> list[float]:
    """How many connections carried the requests of a burst."""
    return [share * group.number("inFlight") for share in group.values("connectionsPerRequest")]


NEW_CIO, PIPELINING = "ktor-cio:3.6.1", "ktor-cio@pipelining:3.6.1"


def per_request(t: Trials, client: str, low: float = -math.inf, high: float = math.inf, combine: Callable[[float, float], float] = lambda a, b: a / b) -> Part:
    """Processor time of the client's threads for each request, over TLS and without it."""
    return part(per_round(t.of(client, protocol="https/1.1"), t.of(client, protocol="http/1.1"), "requestCpuMs", combine), low, high)


@claim("http2.handshake")
def _(t: Trials) -> list[Part]:
    connections = t.of(NEW_CIO, protocol="https/1.1").values("connectionsPerRequest")
    return [part(connections, low=0.95), per_request(t, NEW_CIO, low=0.5, combine=lambda a, b: a - b)]


RULES["http2.kept"] = lambda t: [per_request(t, client, high=1.5) for client in ("okhttp", "jdk")]


@claim("http2.pipelining")
def _(t: Trials) -> list[Part]:
    usual, piped = (t.of(client, protocol="http/1.1") for client in (NEW_CIO, PIPELINING))
    return [part(piped.values("connectionsPerRequest"), high=0.05), part(per_round(piped, usual, "requestCpuMs"), high=0.7)]


def by_protocol(t: Trials, protocol: str, other: str, low: float = -math.inf, high: float = math.inf) -> list[Part]:
    return [part(per_round(group, t.of(group.client, protocol=other), "cpuSeconds"), low, high) for group in in_protocols(t, protocol)]


RULES["http2.connections"] = lambda t: [part(carrying(group), high=10) for group in in_protocols(t, "h2c", "h2")]
RULES["http2.threads"] = lambda t: [part(held(group), 0.95, 1.5) for group in in_protocols(t, "h2c", "h2") if group.client == "okhttp"]
RULES["http2.tls"] = lambda t: by_protocol(t, "https/1.1", "http/1.1", low=2)
RULES["http2.cheaper"] = lambda t: by_protocol(t, "h2", "https/1.1", high=1)


@claim("http2.streams")
def _(t: Trials) -> list[Part]:
    groups = [t.of(client, protocol="h2") for client in ("okhttp", "ktor-okhttp", "jetty")]
    return [each for group in groups for each in (part(carrying(group), 2, 3), part(group.values("inFlightPeak"), low=200))]


# 14: cost.


def within(t: Trials, client: str, few: bool) -> Group:
    found_here = t.where(lambda group: group.client == client and (group["threadsMost"] == "512") == few)
    return found_here[0] if found_here else Group({"client": client})


HOLDING = ("retrofit", "okhttp", "ktor-okhttp", "urlconnection")
CALLED_BACK = ("ktor-cio", "ktor-java", "ktor-apache5", "jdk", "apache5-async")

RULES["cost.threads"] = lambda t: [part(within(t, client, True).values("heldInFlight"), high=511) for client in HOLDING]
RULES["cost.waiting"] = lambda t: [part(within(t, client, True).values("heldInFlight"), low=2_000) for client in CALLED_BACK]
RULES["cost.memory"] = lambda t: [part(per_round(within(t, client, False), within(t, "jdk", False), "heldInFlight"), high=0.5) for client in HOLDING]

CPU = "requestCpuMs"
KINDS = ("client", "harness", "compilers", "collector", "other")


def aged(t: Trials, start: str) -> list[Group]:
    return t.where(lambda group: group.start == start and group["tasks"] is not None)


RULES["cost.steady"] = lambda t: [
    part(per_round(group, t.of("jdk", start="steady"), CPU), low=1) for group in aged(t, "steady") if group.client.startswith("ktor-")
]
RULES["cost.young"] = lambda t: [part(per_round(young, t.of(young.client, start="steady"), CPU), low=1.5) for young in aged(t, "warm")]
RULES["cost.compilers"] = lambda t: [part(young.ratios("compilersCpuSeconds", "clientCpuSeconds"), low=0.5) for young in aged(t, "warm")]


@claim("cost.spin")
@claim("cost.known")
def _(t: Trials) -> list[Part]:
    return [part(per_round(t.of("spun"), t.of("plain"), CPU, lambda a, b: a - b), 0.09, 0.11)]


def fallen(t: Trials, kinds: tuple[str, ...]) -> list[Part]:
    """By how much the capacity falls, beside what it should fall by, where a request takes the processor for the time of all kinds."""
    plain = t.of("plain")
    whole = [sum(trial.metric(f"{kind}CpuSeconds") or 0 for kind in kinds) * 1e3 / requests for trial in plain.counted if (requests := trial.metric("requests"))]
    if not whole:
        return [part([], 0.9, 1.1)]
    cost = float(numpy.median(whole))
    return [part([ratio / (cost / (cost + 0.1)) for ratio in per_round(t.of("spun"), plain, "capacityPerSecond")], 0.9, 1.1)]


RULES["cost.spin-capacity"] = lambda t: fallen(t, KINDS)
RULES["cost.known-capacity"] = lambda t: fallen(t, tuple(kind for kind in KINDS if kind != "harness"))


# 15: the warm-up of fresh forks.

LATE, WINDOW, LATER = 0.25, 10, 30
"""Seconds: an interval of half a second ends some milliseconds late; a window; and what is compared with, at the end of the load."""


class WarmUp:
    """The warm-up of one fork, from its series: its first seconds beside its last thirty."""

    def __init__(self, series: dict) -> None:
        lengths, self.answers, client, compilers = (numpy.array(of, dtype=float) for of in (series["seconds"], series["answers"], series["cpuMs"]["client"], series["cpuMs"]["compilers"]))
        p99 = numpy.array([math.nan if value is None else value for value in series["p99Ms"]])
        self.ends = numpy.cumsum(lengths).round(3)
        begin = self.ends[-1] - LATER
        later = self.ends > begin + LATE
        cost = self.cost(client, later)
        early = self.cost(client, self.window(0))
        over = [i for i in range(int((begin + LATE) / WINDOW)) if self.cost(client, self.window(i)) > 1.25 * cost]
        self.settled = float((over[-1] + 1) * WINDOW if over else 0)
        self.ratio = early / cost
        self.burn = self.cost(compilers, self.window(0)) / early
        self.first = float(p99[~numpy.isnan(p99)][:2].max() / numpy.median(p99[later & ~numpy.isnan(p99)]))

    def window(self, number: int) -> numpy.ndarray:
        return (self.ends > number * WINDOW + LATE) & (self.ends <= (number + 1) * WINDOW + LATE)

    def cost(self, cpu: numpy.ndarray, where: numpy.ndarray) -> float:
        return float(cpu[where].sum() / self.answers[where].sum())


FRESH = ("retrofit", "ktor-okhttp", "ktor-apache5", "ktor-java", "ktor-cio", "fuel")


def warm_ups(t: Trials, value: Callable[[WarmUp], float], low: float = -math.inf, high: float = math.inf, clients: tuple[str, ...] = FRESH) -> list[Part]:
    forks = {client: [value(WarmUp(trial.raw["series"])) for trial in t.of(client, start="cold").counted if trial.raw.get("series")] for client in clients}
    return [part(values, low, high) for values in forks.values()]


RULES["warmup.time"] = lambda t: warm_ups(t, lambda warm_up: warm_up.settled, low=10)
RULES["warmup.end"] = lambda t: warm_ups(t, lambda warm_up: warm_up.settled, high=60)
RULES["warmup.burn"] = lambda t: warm_ups(t, lambda warm_up: warm_up.burn, low=0.5)
RULES["warmup.first"] = lambda t: warm_ups(t, lambda warm_up: warm_up.first, low=10)
RULES["warmup.cost"] = lambda t: warm_ups(t, lambda warm_up: warm_up.ratio, low=2, clients=tuple(client for client in FRESH if client != "ktor-cio"))


@claim("warmup.client")
def _(t: Trials) -> list[Part]:
    firsts = [t.of(client, protocol="https/1.1") for client in ("ktor-okhttp", "ktor-apache5", "ktor-java", "ktor-cio")]
    return [part([(made + answered) / 1e3 for made, answered in zip(first.values("openMs"), first.values("latencyMaxMs"))], low=0.5) for first in firsts]


# 16: conduct.

MOSTLY = 0.6
SOON_MS = 600


def mostly(t: Trials, situation: str, right: Callable[[str, float | None], bool]) -> list[Part]:
    """The share of forks in which each client does what is right, of those with which the situation can be tried."""
    parts = []
    for group in t.where(lambda group: bool(group.client)):
        seen = [saw for trial in group.counted for saw in trial.raw.get("observations", []) if saw["situation"] == situation]
        tried = [saw for saw in seen if not saw["fact"].startswith(("not testable", "not supported"))]
        if tried:
            parts.append(Part(estimates.share(sum(right(saw["fact"], saw.get("ms")) for saw in tried), len(tried)), low=MOSTLY))
        elif not seen:
            parts.append(part([], low=MOSTLY))
    return parts


def free_soon(fact: str, ms: float | None) -> bool:
    return fact.startswith("fails") and ms is not None and ms <= SOON_MS


RULES["conduct.in-time"] = lambda t: mostly(t, "timeouts.no-answer", free_soon)
RULES["conduct.whole-call"] = lambda t: mostly(t, "timeouts.trickle", free_soon)
RULES["conduct.cancelled"] = lambda t: mostly(t, "cancellation.waiting", lambda fact, _: "the connection is closed" in fact)
RULES["conduct.stale"] = lambda t: mostly(t, "idle.closed-get", lambda fact, _: fact == "opens another connection")
RULES["conduct.once"] = lambda t: mostly(t, "idle.closed-on-post", lambda fact, _: fact.startswith("sends it once"))
RULES["conduct.unasked"] = lambda t: mostly(t, "idle.unasked", lambda fact, _: not fact.startswith("takes it"))
RULES["conduct.cut"] = lambda t: mostly(t, "answers.short", lambda fact, _: not fact.startswith("takes it"))
RULES["conduct.closing"] = lambda t: mostly(t, "closing.churn", lambda fact, _: fact == "leaves nothing behind")
RULES["conduct.many"] = lambda t: mostly(t, "closing.many-cycles", lambda fact, _: fact == "leaves nothing behind")
RULES["conduct.main"] = lambda t: mostly(t, "closing.main-closed", lambda fact, _: fact == "the program ends at once")
RULES["conduct.nested"] = lambda t: mostly(t, "threads.nested", lambda fact, _: fact == "all are answered")
RULES["conduct.memory"] = lambda t: mostly(t, "memory.download", lambda fact, _: fact == "needs little memory")
RULES["conduct.told"] = lambda t: mostly(t, "memory.whole", lambda fact, _: fact != "the caller waits on")
RULES["conduct.lookup"] = lambda t: mostly(t, "names.slow", free_soon)
RULES["conduct.addresses"] = lambda t: mostly(t, "names.refusing", lambda fact, _: fact == "tries the next address")
RULES["conduct.certificate"] = lambda t: mostly(t, "tls.other-host", lambda fact, _: fact != "talks to it")
RULES["conduct.credentials"] = lambda t: mostly(t, "redirects.other-host", lambda fact, _: not fact.startswith("follows with the credentials"))
RULES["conduct.unread"] = lambda t: mostly(t, "connections.after-unread", lambda fact, _: fact in ("uses the connection again", "closes the connection"))
RULES["conduct.one-reader"] = lambda t: mostly(t, "http2.unread-stream", lambda fact, _: "wait for it" not in fact)
RULES["conduct.dead-http2"] = lambda t: mostly(t, "http2.half-open", lambda fact, _: "so do the next ones" not in fact)
RULES["conduct.streams"] = lambda t: mostly(t, "http2.max-streams", lambda fact, _: fact in ("lets the others wait", "opens more connections"))
RULES["conduct.cancelled-http2"] = lambda t: mostly(t, "http2.cancelled", lambda fact, _: "the server is not told" not in fact)
RULES["conduct.cut-http2"] = lambda t: mostly(t, "http2.short", lambda fact, _: not fact.startswith("takes it"))


def left_behind(t: Trials, metric: str, most: float) -> list[Part]:
    """What each client's sessions leave behind."""
    return [part(group.values(metric), high=most) for group in t.where(lambda group: bool(group.client))]


RULES["conduct.cycle-descriptors"] = lambda t: left_behind(t, "descriptorsPerCycle", 0.01)
RULES["conduct.cycle-threads"] = lambda t: left_behind(t, "threadsLeftPerCycle", 0.01)
RULES["conduct.cycle-heap"] = lambda t: left_behind(t, "cycleHeapBytes", 1_024)


def does(t: Trials, client: str, situation: str, right: Callable[[str], bool]) -> Part:
    facts = [saw["fact"] for trial in t.of(client).counted for saw in trial.raw.get("observations", []) if saw["situation"] == situation]
    tried = [fact for fact in facts if not fact.startswith(("not testable", "not supported"))]
    return Part(estimates.share(sum(map(right, tried)), len(tried)), low=MOSTLY)


RULES["conduct.aborted-from"] = lambda t: [
    does(t, "ktor-apache5:3.5.0", "cancellation.waiting", lambda fact: "stays open" in fact),
    does(t, "ktor-apache5:3.5.1", "cancellation.waiting", lambda fact: "is closed" in fact),
]
RULES["conduct.late-until"] = lambda t: [
    does(t, "okhttp:5.3.0", "timeouts.no-answer", lambda fact: " late" in fact),
    does(t, "okhttp:5.3.2", "timeouts.no-answer", lambda fact: "in time" in fact),
]
RULES["conduct.aborted-reading-from"] = lambda t: [
    does(t, "ktor-apache5:3.5.0", "cancellation.reading", lambda fact: "stays open" in fact),
    does(t, "ktor-apache5:3.5.1", "cancellation.reading", lambda fact: "is closed" in fact),
]
RULES["conduct.late-beside-until"] = lambda t: [
    does(t, "okhttp:5.3.0", "timeouts.beside", lambda fact: " late" in fact),
    does(t, "okhttp:5.3.2", "timeouts.beside", lambda fact: "in time" in fact),
]
RULES["conduct.upgrade-from"] = lambda t: [
    does(t, "ktor-java@default:3.3.3", "connections.upgrade", lambda fact: fact == "asks for no upgrade"),
    does(t, "ktor-java@default:3.5.2", "connections.upgrade", lambda fact: fact.startswith("asks for an upgrade")),
]
RULES["conduct.preconfigured-until"] = lambda t: [
    does(t, "ktor-okhttp@preconfigured:3.4.3", "connections.at-once", lambda fact: fact != "sends all ten at once"),
    does(t, "ktor-okhttp@preconfigured:3.5.2", "connections.at-once", lambda fact: fact == "sends all ten at once"),
]


def took(t: Trials, client: str, situation: str) -> list[float]:
    """Only a situation that was tried has a time."""
    seen = [saw for trial in t.of(client).counted for saw in trial.raw.get("observations", []) if saw["situation"] == situation]
    return [saw["ms"] for saw in seen if saw.get("ms") is not None]


RULES["conduct.text-until"] = lambda t: [
    Part(estimates.ratio(took(t, "ktor-okhttp:3.4.3", "requests.text"), took(t, "ktor-okhttp:3.5.2", "requests.text")), low=1.1),
]
RULES["conduct.dispatcher-until"] = lambda t: [
    does(t, "ktor-okhttp:3.4.3", "connections.at-once", lambda fact: fact != "sends all ten at once"),
    does(t, "ktor-okhttp:3.5.2", "connections.at-once", lambda fact: fact == "sends all ten at once"),
]
UNREAD = "threads.unread-upload"
RULES["conduct.busy-upload"] = lambda t: [
    does(t, "ktor-cio:2.3.13", UNREAD, lambda fact: fact == "waits almost without processor time"),
    does(t, "ktor-cio:3.0.0", UNREAD, lambda fact: fact.startswith("keeps a processor busy")),
    does(t, "ktor-cio:3.6.0", UNREAD, lambda fact: fact.startswith("keeps a processor busy")),
    does(t, "ktor-cio:3.6.1", UNREAD, lambda fact: fact == "waits almost without processor time"),
]


# 17: round trips.

FAR = "150 ms"


def trips(t: Trials, protocol: str, metric: str, expected: int) -> list[Part]:
    """How many round trips the network adds with each client, against the same round without a network: within a twentieth."""

    def added(far: float, near: float) -> float:
        return (far - near) / float(FAR.split()[0])

    far = t.where(lambda group: group["wire"] == FAR and group["protocol"] == protocol)
    near = [t.of(group.client, wire="direct", protocol=protocol) for group in far]
    return [part(per_round(one, other, metric, added), 0.95 * expected, 1.05 * expected) for one, other in zip(far, near)]


RULES["wire.http"] = lambda t: trips(t, "http/1.1", "durationMs", 2)
RULES["wire.https"] = lambda t: trips(t, "https/1.1", "durationMs", 3)
RULES["wire.http2"] = lambda t: trips(t, "h2", "durationMs", 3)
RULES["wire.kept"] = lambda t: trips(t, "https/1.1", "durationAgainMs", 1)
RULES["wire.kept-http2"] = lambda t: trips(t, "h2", "durationAgainMs", 1)
RULES["wire.http3"] = lambda t: trips(t, "h3", "durationMs", 2)
RULES["wire.kept-http3"] = lambda t: trips(t, "h3", "durationAgainMs", 1)

LOSSY_RTT_MS = 40


@claim("wire.loss")
def _(t: Trials) -> list[Part]:
    parts = []
    for lossy in t.where(lambda group: "loss" in (group["wire"] or "")):
        without = t.of(lossy.client, wire=f"{LOSSY_RTT_MS} ms")
        parts.append(part(per_round(lossy, without, "latencyP50Ms"), 0.95, 1.05))
        parts.append(part(per_round(lossy, without, "latencyP99Ms", lambda a, b: (a - b) / LOSSY_RTT_MS), low=1))
    return parts


@claim("wire.http3-cost")
def _(t: Trials) -> list[Part]:
    newer = t.where(lambda group: group["protocol"] == "h3")
    return [part(per_round(group, t.of(group.client, protocol="h2"), CPU), low=1.5) for group in newer]


# 19: storms.

STORMY = ("retrofit@default", "retrofit", "ktor-cio")
ONCE, AT_ONCE, AFTER_PAUSES = "none", "3 at once", "3 after 100 ms, times 2, jitter"
FROM_A_BUDGET = f"{AFTER_PAUSES}, budget 0.1"
AFTER_THE_SURGE = 15.0


def recovers(t: Trials, retries: str, low: float, high: float) -> list[Part]:
    """Seconds until the server had recovered; where it did not, as long as the load went on."""

    def seconds(trial: Trial) -> float:
        took = trial.metric("recoveryMs")
        return AFTER_THE_SURGE if took is None else took / 1e3

    return [part([seconds(trial) for trial in t.of(client, retries=retries).counted], low, high) for client in STORMY]


def after_surge(t: Trials, retries: str) -> list[Part]:
    return [part(t.of(client, retries=retries).ratios("goodputAfter", "goodputBefore"), high=0.05) for client in STORMY]


@claim("storm.gain")
def _(t: Trials) -> list[Part]:
    return [
        part(per_round(t.of(client, retries=retries), t.of(client, retries=ONCE), "goodputDuring"), high=1.1)
        for retries in (AT_ONCE, AFTER_PAUSES, FROM_A_BUDGET)
        for client in STORMY
    ]


RULES["storm.alone"] = lambda t: recovers(t, ONCE, 8, 11)
RULES["storm.immediate"] = lambda t: after_surge(t, AT_ONCE)
RULES["storm.jitter"] = lambda t: after_surge(t, AFTER_PAUSES)
RULES["storm.budget"] = lambda t: recovers(t, FROM_A_BUDGET, 8, 14)
RULES["storm.once"] = lambda t: [part(t.of(client, retries=ONCE).values("attemptsPerRequest"), high=1.01) for client in STORMY]


# 18: streams.

STREAM_THREADS = ("okhttp", "fuel", "jdk-blocking", "urlconnection", "spring-restclient", "helidon")
STREAM_CALLS = (
    *("ktor-apache5", "ktor-java", "ktor-cio", "jdk", "apache5-async"),
    *("spring-webclient", "vertx", "jetty", "async-http-client", "armeria"),
)
READ_STREAMS = ("okhttp", "ktor-apache5", "ktor-java", "ktor-cio", "jdk")
WITH_READ_TIMEOUT = ("okhttp", "retrofit", "ktor-cio", "ktor-okhttp", "ktor-apache5")
LOOKED_FOR = 5.0
LOOKED_AFTER = 10.0


def idle(t: Trials, client: str) -> Group:
    return t.of(client, feed="idle")


def fed(t: Trials, client: str) -> Group:
    return t.of(client, feed="an event a second")


def socket(t: Trials, client: str) -> Group:
    return t.of(client, feed="a WebSocket, idle")


@claim("streams.cancelled")
def _(t: Trials) -> list[Part]:
    """Seconds until the server saw that it is gone; one that stays, as long as the trial looked."""

    def seconds(trial: Trial) -> float:
        took = trial.metric("cancelMs")
        return LOOKED_FOR if took is None else took / 1e3

    def looked(group: Group) -> list[Trial]:
        return [trial for trial in group.counted if trial.metric("besideSlowShare") is not None]

    return [part([seconds(trial) for trial in looked(fed(t, client))], high=1) for client in READ_STREAMS]


@claim("streams.back")
def _(t: Trials) -> list[Part]:
    """Seconds until the last caller read again; where one did not, as long as the trial looked."""

    def seconds(trial: Trial) -> float:
        last = trial.metric("backMaxMs")
        return LOOKED_AFTER if last is None else last / 1e3

    return [part([seconds(trial) for trial in t.of(client).counted], high=2.5) for client in WITH_READ_TIMEOUT]


@claim("streams.memory")
def _(t: Trials) -> list[Part]:
    groups = t.where(lambda g: g["feed"] == "idle" and "@" not in g.client)
    return [part([taken / 1e3 for taken in group.values("streamBytes")], high=256) for group in groups]


RULES["streams.default"] = lambda t: [exactly(idle(t, "okhttp@default").values("heldInFlight"), 5)]
RULES["streams.threads"] = lambda t: [part(idle(t, client).ratios("threadsNew", "heldInFlight"), 0.95, 1.1) for client in STREAM_THREADS]
RULES["streams.called-back"] = lambda t: [part(idle(t, client).ratios("threadsNew", "heldInFlight"), high=0.1) for client in STREAM_CALLS]
RULES["streams.half"] = lambda t: [part(per_round(idle(t, client), idle(t, "okhttp"), "streamBytes"), high=0.5) for client in ("ktor-cio", "jdk")]
RULES["streams.read"] = lambda t: [part(fed(t, client).values("dueShare"), low=0.95) for client in READ_STREAMS]
RULES["streams.io"] = lambda t: [part(fed(t, client).values("dueShare"), high=0.08) for client in ("retrofit", "ktor-okhttp")]
RULES["streams.beside"] = lambda t: [part(fed(t, client).values("besideSlowShare"), low=0.95) for client in READ_STREAMS]
RULES["streams.download"] = lambda t: [part(t.of(client, feed="a slow download").values("dueShare"), low=0.95) for client in READ_STREAMS]
RULES["streams.unnoticed"] = lambda t: [exactly(t.of(client).values("noticedShare"), 0) for client in ("jdk", "ktor-java")]
RULES["streams.sockets"] = lambda t: [exactly(socket(t, "okhttp@default").values("heldInFlight"), 5)]
RULES["streams.socket-memory"] = lambda t: [
    part(per_round(socket(t, client), idle(t, client), "streamBytes"), 0.75, 1.25)
    for client in ("okhttp", "ktor-okhttp", "ktor-java", "ktor-cio", "jdk")
]
RULES["streams.unread"] = lambda t: [
    part([taken / 1e3 for taken in t.of(client, feed="faster than read").values("streamHeapBytes")], high=256)
    for client in (*READ_STREAMS, "retrofit", "ktor-okhttp")
]


@claim("streams.many")
def _(t: Trials) -> list[Part]:
    groups = [idle(t, client) for client in ("ktor-apache5", "ktor-java", "ktor-cio", "jdk", "spring-webclient", "vertx")]
    held = [exactly(group.values("heldInFlight"), 10_000) for group in groups]
    threads = [part(group.ratios("threadsNew", "heldInFlight"), high=0.01) for group in groups]
    return [part for both in zip(held, threads) for part in both]
