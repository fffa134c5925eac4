"""The command line as a reader meets it."""

import subprocess
import sys
import unittest

from lab import command, places


def lab(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, str(places.ROOT / "lab"), *arguments], capture_output=True, text=True, encoding="utf-8", check=False)


class CommandLine(unittest.TestCase):
    def test_nothing_gives_the_help(self) -> None:
        done = lab()
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        for name in command.COMMANDS:
            self.assertIn(f"lab {name}", done.stdout)

    def test_an_unknown_command_gives_one_sentence_that_lists_the_known_ones(self) -> None:
        done = lab("frobnicate")
        self.assertEqual(done.returncode, 2)
        self.assertEqual(done.stdout, "")
        self.assertEqual(done.stderr, "lab: there is no command frobnicate; there are run, notebook, test, ledger, publish, reproduce, serve, bench, doctor.\n")

    def test_an_unknown_option_gives_one_sentence(self) -> None:
        done = lab("test", "--quick")
        self.assertEqual((done.returncode, done.stderr), (2, "lab: `lab test` does not know --quick; it takes --long, --soak.\n"))

    def test_bench_wants_one_of_the_two_that_there_are(self) -> None:
        for arguments in ([], ["client"]):
            done = lab("bench", *arguments)
            self.assertEqual((done.returncode, done.stdout), (2, ""))
            self.assertEqual(done.stderr, "lab: `lab bench` measures one of two: `lab bench server`, or `lab bench evidence`.\n")

    def test_reproduce_wants_one_run(self) -> None:
        for arguments in ([], ["one", "two"], ["--all"]):
            done = lab("reproduce", *arguments)
            self.assertEqual((done.returncode, done.stdout), (2, ""))
            self.assertRegex(done.stderr, r"^lab: `lab reproduce` takes one run: .*\.\n$")

    def test_outputs_without_measuring_are_not_written(self) -> None:
        done = lab("run", "--write", "--published")
        self.assertEqual(done.returncode, 2)
        self.assertRegex(done.stderr, r"^lab: `lab run` takes --write or --published, not both: .*\.\n$")

    def test_a_server_elsewhere_is_given_by_the_address_of_its_control_port(self) -> None:
        for arguments in (["--server"], ["--server", "192.0.2.7:8081"], ["--server=http://192.0.2.7"], ["--server", "--write"]):
            done = lab("run", *arguments)
            self.assertEqual((done.returncode, done.stdout), (2, ""), arguments)
            self.assertRegex(done.stderr, r"^lab: `lab run --server` takes the address of a delay server's control port, .*\.\n$")
        done = lab("run", "--published", "--server", "http://192.0.2.7:8081")
        self.assertEqual(done.stderr, "lab: `lab run` takes --server or --published, not both: published data ask no server.\n")

    def test_what_an_option_takes_is_no_notebook(self) -> None:
        self.assertEqual(command.taken(["a", "--server", "http://h:1", "b"], "--server"), ("http://h:1", ["a", "b"]))
        self.assertEqual(command.taken(["--server=http://h:1", "b"], "--server"), ("http://h:1", ["b"]))
        self.assertEqual(command.taken(["b"], "--server"), (None, ["b"]))

    def test_an_unknown_notebook_gives_one_sentence_before_any_set_up(self) -> None:
        done = lab("run", "no-such-notebook")
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertRegex(done.stderr, r"^lab: No notebook is called no-such-notebook; there are: .*\.\n$")
