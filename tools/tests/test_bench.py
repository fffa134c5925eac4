"""`lab bench`: what is read, what is made of it, and a whole tiny run of the real parts."""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import textwrap
import unittest
from dataclasses import replace
from pathlib import Path
from unittest import mock

from lab.base import places
from lab.base.terminal import LabError
from lab.prepare import java
from lab.library import serve
from lab.bench import evidence, load, readings, report, server, servers, wire
from tests.test_processes import LAB, left

ON_LINUX = sys.platform == "linux"

NETSTAT = """\
TcpExt: SyncookiesSent ListenOverflows ListenDrops TCPTimeouts TCPSynRetrans
TcpExt: 1 2 3 4 5
IpExt: InNoRoutes ListenOverflows
IpExt: 6 7
"""


def row(number: int, name: str, measured: str = "closed loop", connections: int = 1000, **columns: float) -> dict:
    whole = {"cpuMicrosPerAnswer": 10.0, "p50Ms": 1000.0, "p99Ms": 1100.0, "rssBytes": 1 << 20, "answersPerSecond": 1000.0, "answers": 9000, "errors": 0}
    return {"round": number, "server": name, "measured": measured, "connections": connections, **whole, "listenOverflows": 0, "listenDrops": 0, "tCPSynRetrans": 0, **columns}


class Figures(unittest.TestCase):
    def test_a_ratio_is_the_median_over_rounds_and_not_that_of_the_medians(self) -> None:
        ours, theirs = (10.0, 30.0, 20.0), (10.0, 10.0, 40.0)
        rows = [row(i, "delay-server", cpuMicrosPerAnswer=value) for i, value in enumerate(ours)]
        rows += [row(i, "nginx", cpuMicrosPerAnswer=value) for i, value in enumerate(theirs)]
        # The ratios are 1, 3 and 0.5; the medians 20 and 10.
        self.assertEqual(report.ratio(rows, "delay-server", "nginx", "closed loop", 1000, "cpuMicrosPerAnswer"), 1.0)

    def test_each_bound_holds_and_fails_at_its_own_figure(self) -> None:
        def found(**ours: float) -> dict[tuple[str, str], bool]:
            rows = [row(0, "delay-server", **ours), row(0, "nginx"), row(0, "go-httpbin")]
            rows += [row(0, name, "at once", 100, **(ours if name == "delay-server" else {})) for name in ("delay-server", "nginx")]
            return {(each["bound"].split(",")[0].split(" without")[0], each["beside"]): each["holds"] for each in report.bounds(rows)}

        well = found(cpuMicrosPerAnswer=4.9, p99Ms=1209.0, rssBytes=2 << 20, answersPerSecond=701.0)
        self.assertEqual(len(well), 6)
        self.assertTrue(all(well.values()), well)
        badly = found(cpuMicrosPerAnswer=15.1, p99Ms=1211.0, rssBytes=(2 << 20) + 1, answersPerSecond=699.0, tCPSynRetrans=1)
        self.assertFalse(any(badly.values()), badly)
        between = found(cpuMicrosPerAnswer=5.1)
        self.assertTrue(between[("processor time an answer", "nginx")])
        self.assertFalse(between[("processor time an answer", "go-httpbin")])

    def test_a_peer_that_was_not_measured_is_in_no_bound(self) -> None:
        self.assertEqual({each["beside"] for each in report.bounds([row(0, "delay-server"), row(0, "go-httpbin")])}, {"go-httpbin", ""})

    def test_the_most_in_flight_are_held_only_where_everybody_was_answered(self) -> None:
        for answers, errors, holds in ((18_000, 0, True), (17_999, 0, False), (18_000, 1, False)):
            found = report.bounds([row(0, "delay-server", "most", 18_000, answers=answers, errors=errors)])
            self.assertEqual([each["holds"] for each in found if "on one process" in each["bound"]], [holds])

    def test_the_table_names_servers_with_versions_and_puts_ratios_beside_nginx(self) -> None:
        rows = [row(0, "delay-server", cpuMicrosPerAnswer=15.0), row(0, "nginx")]
        shown = report.shown(
            {
                "summary": report.summary(rows),
                "measurements": rows,
                "bounds": report.bounds(rows),
                "servers": [{"server": "delay-server", "version": "0.1.0"}, {"server": "nginx", "version": "1.22.1"}],
                "quick": False,
                "warnings": ["go-httpbin was left out: it is not on the path."],
            }
        )
        self.assertRegex(shown, r"delay-server 0\.1\.0 +nginx 1\.22\.1\n")
        self.assertRegex(shown, r"processor time an answer, 1,000 in flight +15\.0 µs \(1\.50×\) +10\.0 µs\n")
        self.assertIn("go-httpbin was left out: it is not on the path.", shown)

    def test_what_the_benchmark_said_is_held_to_both_of_its_bounds(self) -> None:
        def said(nanos: float, allocated: float) -> dict:
            primary = {"score": nanos, "scoreError": "NaN", "rawData": [[nanos, nanos]]}
            return {"benchmark": "a.B.counted", "primaryMetric": primary, "secondaryMetrics": {"gc.alloc.rate.norm": {"score": allocated}}, "forks": 1, "jvmArgs": ["-Xmx1m"]}

        held = [each["holds"] for each in evidence.rows([said(299.0, 0.001), said(301.0, 0.001), said(299.0, 24.0)])]
        self.assertEqual(held, [True, False, False])

    def test_what_the_relay_adds_is_the_median_over_forks_of_what_it_adds_within_one(self) -> None:
        def fork(direct: float, relayed: float) -> dict:
            return {"asked": 1000, "directP50Micros": 10.0, "relayedP50Micros": 300.0, "directP99Micros": direct, "relayedP99Micros": relayed}

        # The differences are 90, 99 and 150; of the medians it would be 120.
        half, most = wire.rows([fork(10.0, 100.0), fork(100.0, 199.0), fork(30.0, 180.0)])
        self.assertEqual((most["addedMicros"], most["holds"]), (99.0, True))
        self.assertEqual((half["addedMicros"], half["holds"]), (290.0, True))
        self.assertFalse(wire.rows([fork(10.0, 111.0)])[1]["holds"])


class Readings(unittest.TestCase):
    def test_the_accept_queues_are_read_by_their_names(self) -> None:
        self.assertEqual(readings.queues(NETSTAT), {"ListenOverflows": 2, "ListenDrops": 3, "TCPTimeouts": 4, "TCPSynRetrans": 5})

    def test_what_the_script_wrote_is_read_and_an_empty_end_is_refused_with_what_wrk_said(self) -> None:
        line = '{"answers":10,"seconds":1.5,"connect":0,"read":2,"write":0,"status":0,"timeout":0,"p50Ms":1.000,"p99Ms":2.000,"maxMs":3.000}'
        self.assertEqual(load.parse(f"Running 1s test\n{line}\n"), load.Answers(10, 1.5, 1.0, 2.0, 3.0, {"read": 2}))
        with self.assertRaisesRegex(LabError, "unable to connect"):
            load.parse("unable to connect to 127.0.0.1:1")

    @unittest.skipUnless(ON_LINUX, "the clock of another process is Linux's")
    def test_the_clock_of_a_process_lies_between_two_readings_in_ticks(self) -> None:
        code = "import time\nlimit = time.process_time() + 0.3\nwhile time.process_time() < limit: pass\nprint(flush=True)\ninput()"
        child = subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        try:
            child.stdout.readline()
            before, nanos, after = readings.cpu_ticks_nanos(child.pid), readings.cpu_nanos(child.pid), readings.cpu_ticks_nanos(child.pid)
            self.assertGreaterEqual(nanos, 300_000_000)
            self.assertLessEqual(before, nanos)
            self.assertLessEqual(nanos, after + 2 * 1_000_000_000 // readings.TICKS)
            self.assertGreater(readings.memory_bytes([child.pid])[0], 0)
        finally:
            child.communicate("\n")

    @unittest.skipUnless(ON_LINUX, "process groups are read from /proc")
    def test_a_group_has_the_children_of_a_server_too(self) -> None:
        code = "import subprocess, sys; subprocess.Popen([sys.executable, '-c', 'print(flush=True); input()']).wait()"
        child = subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, start_new_session=True)
        try:
            child.stdout.readline()
            self.assertEqual(len(readings.of_group(child.pid)), 2)
            self.assertIn(child.pid, readings.of_group(child.pid))
        finally:
            child.communicate("\n")


def runtime() -> java.Java | None:
    return java.find()[0] if places.SERVER_JAR.is_file() else None


def here() -> list[str]:
    return [each.name for each in servers.found(runtime())[0]]


@unittest.skipUnless(ON_LINUX, "the bench reads Linux's /proc")
class Running(unittest.TestCase):
    def test_without_wrk_it_refuses_in_one_sentence(self) -> None:
        with tempfile.TemporaryDirectory() as empty, mock.patch.dict(os.environ, {"PATH": empty}):
            with self.assertRaisesRegex(LabError, r"^The load comes from wrk, which is not on the path: install it \(.*\)\.$"):
                load.required()

    def test_servers_that_are_not_here_are_named_with_what_would_bring_them(self) -> None:
        with tempfile.TemporaryDirectory() as empty, mock.patch.dict(os.environ, {"PATH": empty}), mock.patch.object(shutil, "which", return_value=None):
            present, missing = servers.found(None)
        self.assertEqual(present, [])
        self.assertEqual(list(missing), ["delay-server", "nginx", "go-httpbin"])
        self.assertIn("apt install", missing["nginx"])
        self.assertIn("go install", missing["go-httpbin"])

    def test_a_server_that_stays_has_both_compilers_and_the_heap_of_every_delay_server(self) -> None:
        if (found := java.find()[0]) is None:
            self.skipTest("there is no Java here, so no options were read")
        files = [f"@{file}" for file in serve.option_files(found)]
        told = subprocess.run([found.executable, *files, "-XX:+PrintFlagsFinal", "-version"], capture_output=True, text=True, check=True).stdout
        for name, value in {"TieredStopAtLevel": 4, "MaxHeapSize": 128 << 20}.items():
            self.assertRegex(told, rf"\b{name}\s+= {value}\b")

    def test_a_tiny_run_measures_the_servers_that_are_here(self) -> None:
        if load.version() is None:
            self.skipTest("wrk is not here, so no bench was run")
        if not here():
            self.skipTest("neither the delay server's jar nor nginx nor go-httpbin is here, so no bench was run")
        tiny = replace(server.QUICK, connections=(20,), loop_seconds=(1,))
        result = server.measure(tiny, runtime(), quick=True, only=here()[:2])
        self.assertEqual([each["server"] for each in result["servers"]], here()[:2])
        self.assertEqual(len(result["measurements"]), len(here()[:2]) * 3)
        for each in result["measurements"]:
            with self.subTest(each["server"] + " " + each["measured"]):
                self.assertEqual(each["errors"], 0, each["errorKinds"])
                self.assertGreater(each["answers"], 0)
                self.assertGreater(each["cpuSeconds"], 0)
                self.assertGreater(each["rssBytes"], 1 << 20)
                if each["measured"] == "closed loop":
                    self.assertGreaterEqual(each["p50Ms"], server.QUICK.delay * 1000)
        self.assertIn("This was a quick run", report.shown(result))

    def test_an_interrupt_ends_server_and_load_and_clears_the_folder(self) -> None:
        if load.version() is None or not here():
            self.skipTest("wrk or a server is not here, so nothing could be interrupted")
        with tempfile.TemporaryDirectory() as folder:
            code = f"""
                import tempfile
                tempfile.tempdir = {folder!r}
                from pathlib import Path
                from lab.bench import load, server
                from lab.base import places, processes
                from lab.prepare import java
                real = load.run
                def run(*arguments):
                    def tick():
                        print(*(child.popen.pid for child in processes._children), flush=True)
                    return real(*arguments[:-1], tick)
                load.run = run
                def measure(rest):
                    runtime = java.find()[0] if places.SERVER_JAR.is_file() else None
                    server.measure(server.Size(warm_up_seconds=60), runtime, only={here()[:1]!r})
                from lab.library import serve
                serve.run = measure
                sys.exit(command.main(["serve"]))
            """
            lab = subprocess.Popen([sys.executable, "-c", LAB + textwrap.dedent(code)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            line = ""
            while len(line.split()) != 2 or not line[0].isdigit():
                line = lab.stdout.readline()
                self.assertTrue(line, "lab ended before there was any load")
            lab.send_signal(signal.SIGINT)
            _, error = lab.communicate()
            self.assertEqual(lab.returncode, 130, error)
            self.assertEqual(left(*map(int, line.split())), [])
            self.assertEqual(list(Path(folder).iterdir()), [])
