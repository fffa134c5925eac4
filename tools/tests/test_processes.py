"""What lab has started ends with it."""

import os
import signal
import subprocess
import sys
import tempfile
import textwrap
import time
import unittest
from pathlib import Path

from lab.base import places, processes

LAB = f"""
import sys
sys.path.insert(0, {str(places.TOOLS)!r})
from lab.base import processes
from lab import command
"""

# A child with a child of its own; both say who they are, and neither would end by itself.
FAMILY = "import os, subprocess, sys, time; p = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)']); " \
         "print(os.getpid(), p.pid, flush=True); time.sleep(600)"

STUBBORN = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); print('deaf', flush=True); time.sleep(600)"


def is_there(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    # A process that has ended and that nobody waits for still has its number.
    state = subprocess.run(["ps", "-o", "stat=", "-p", str(pid)], capture_output=True, text=True, check=False).stdout.strip()
    return bool(state) and not state.startswith("Z")


def left(*pids: int) -> list[int]:
    """Those that are still there after as long as a killed process takes to go on a busy machine."""
    limit = time.monotonic() + 30
    while any(is_there(pid) for pid in pids) and time.monotonic() < limit:
        time.sleep(0.01)
    return [pid for pid in pids if is_there(pid)]


@unittest.skipIf(os.name == "nt", "signals as here are those of POSIX")
class Ending(unittest.TestCase):
    def lab(self, code: str) -> subprocess.Popen[str]:
        process = subprocess.Popen(
            [sys.executable, "-c", LAB + textwrap.dedent(code)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.stderr.close)
        return process

    def interrupted(self, number: int) -> tuple[int, str, list[int]]:
        """Let lab wait for a family of processes, send it a signal, and see how it and they end."""
        lab = self.lab(f"""
            def wait(arguments):
                processes.start([sys.executable, "-c", {FAMILY!r}], environment=processes.environment()).wait()
            command.dispatch = wait
            sys.exit(command.main(["serve"]))
        """)
        family = [int(pid) for pid in lab.stdout.readline().split()]
        self.assertEqual([is_there(pid) for pid in family], [True, True])
        lab.send_signal(number)
        error = lab.stderr.read()
        return lab.wait(), error, left(*family)

    def test_ctrl_c_ends_children_and_grandchildren_and_says_so_in_one_sentence(self) -> None:
        code, error, left = self.interrupted(signal.SIGINT)
        self.assertEqual((code, error, left), (130, "lab: interrupted; everything it had started has ended.\n", []))

    def test_jobs_that_would_go_on_to_their_next_process_end_too(self) -> None:
        lab = self.lab("""
            from concurrent.futures import ThreadPoolExecutor
            def job():
                while True:
                    # One write for each line, so that those of several children do not mix.
                    code = "import os, time; os.write(1, b'on' + bytes([10])); time.sleep(600)"
                    processes.start([sys.executable, "-c", code], environment=processes.environment()).wait()
            def jobs(arguments):
                pool = ThreadPoolExecutor()
                try:
                    for each in [pool.submit(job) for _ in range(4)]:
                        each.result()
                finally:
                    pool.shutdown(wait=False, cancel_futures=True)
            command.dispatch = jobs
            sys.exit(command.main(["serve"]))
        """)
        self.assertEqual([lab.stdout.readline() for _ in range(4)], ["on\n"] * 4)
        lab.send_signal(signal.SIGINT)
        said, error = lab.communicate(timeout=60)
        self.assertEqual((lab.returncode, said, error), (130, "", "lab: interrupted; everything it had started has ended.\n"))

    def test_a_termination_signal_does_the_same(self) -> None:
        code, _, left = self.interrupted(signal.SIGTERM)
        self.assertEqual((code, left), (143, []))

    def test_a_child_that_is_deaf_to_the_signal_is_killed(self) -> None:
        reading, writing = os.pipe()
        with os.fdopen(reading) as out:
            child = processes.start([sys.executable, "-c", STUBBORN], environment=processes.environment(), output=writing, grace=0.1)
            os.close(writing)
            self.assertEqual(out.readline(), "deaf\n")
            child.end()
        self.assertEqual(child.popen.returncode, -signal.SIGKILL)

    def test_what_a_child_leaves_in_its_group_ends_with_it(self) -> None:
        code = FAMILY.rsplit(";", 1)[0]
        reading, writing = os.pipe()
        with os.fdopen(reading) as out:
            child = processes.start([sys.executable, "-c", code], environment=processes.environment(), output=writing)
            os.close(writing)
            grandchild = int(out.readline().split()[1])
            self.assertEqual(child.wait(), 0)
        self.assertEqual(left(grandchild), [])

    def test_a_child_on_a_leash_ends_when_lab_is_killed_outright(self) -> None:
        leashed = "import os, sys; print(os.getpid(), flush=True); sys.stdin.read()"
        lab = self.lab(f"""
            processes.start([sys.executable, "-c", {leashed!r}], environment=processes.environment(), leash=True).wait()
        """)
        pid = int(lab.stdout.readline())
        lab.kill()
        lab.wait()
        # The child holds the other end of lab's standard output: its end is that of the child.
        self.assertEqual(lab.stdout.read(), "")
        self.assertEqual(left(pid), [])

    def test_a_leash_with_nothing_to_read_holds_until_it_is_let_go(self) -> None:
        code = """
            import os, sys, threading
            os.set_blocking(0, False)
            import leash
            gone = threading.Event()
            leash.when_let_go(gone.set)
            print("held" if not gone.wait(1) else "gone", flush=True)
            sys.exit(0 if gone.wait(60) else 1)
        """
        with tempfile.TemporaryFile("w+", encoding="utf-8") as said:
            environment = processes.environment() | {"PYTHONPATH": str(places.TOOLS / "jupyter")}
            child = processes.start([sys.executable, "-c", textwrap.dedent(code)], environment=environment, output=said, leash=True, grace=60)
            while not said.seek(0) and not said.read() and not child.exited():
                time.sleep(0.05)
            said.seek(0)
            self.assertEqual(said.read(), "held\n")
            child.end()
        self.assertEqual(child.popen.returncode, 0)

    def test_a_signal_while_a_child_is_being_started_waits_until_it_is_known(self) -> None:
        lab = self.lab(f"""
            import os, signal, subprocess
            real = subprocess.Popen
            def popen(*arguments, **options):
                child = real(*arguments, **options)
                print(child.pid, flush=True)
                os.kill(os.getpid(), signal.SIGINT)
                return child
            processes.subprocess.Popen = popen
            def wait(arguments):
                processes.start([sys.executable, "-c", "import time; time.sleep(600)"], environment=processes.environment()).wait()
            command.dispatch = wait
            sys.exit(command.main(["serve"]))
        """)
        pid = int(lab.stdout.readline())
        self.assertEqual(lab.wait(), 130)
        self.assertEqual(left(pid), [])


class Output(unittest.TestCase):
    def test_a_command_that_fails_or_is_not_there_has_no_output(self) -> None:
        self.assertIsNone(processes.output_of([sys.executable, "-c", "print(1); raise SystemExit(3)"]))
        self.assertIsNone(processes.output_of([Path(tempfile.gettempdir()) / "no-such-program"]))

    def test_both_streams_are_read(self) -> None:
        code = "import sys; print('out', flush=True); print('err', file=sys.stderr)"
        self.assertEqual(processes.output_of([sys.executable, "-c", code]).split(), ["out", "err"])

    def test_what_would_bend_a_childs_python_is_taken_out_of_its_environment(self) -> None:
        changed = processes.environment(ADDED="1", PATH=None)
        self.assertEqual(changed["ADDED"], "1")
        self.assertFalse({"PATH", "PYTHONPATH", "PYTHONHOME"} & set(changed))
