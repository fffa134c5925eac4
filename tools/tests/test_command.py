"""The command line as a reader meets it."""

import contextlib
import io
import subprocess
import sys
import unittest

from lab.base import places
from lab import command


def lab(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, str(places.ROOT / "lab"), *arguments], capture_output=True, text=True, encoding="utf-8", check=False)


class CommandLine(unittest.TestCase):
    def test_nothing_gives_the_help(self) -> None:
        done = lab()
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        for name in command.COMMANDS:
            self.assertRegex(done.stdout, rf"(?m)^ +{name} +[a-z]")

    def test_every_command_has_a_help_of_its_own_wherever_it_is_asked_for(self) -> None:
        for name in command.COMMANDS:
            if name != "serve":
                with self.subTest(name), contextlib.redirect_stdout(io.StringIO()) as said:
                    self.assertEqual(command.dispatch([name, "--help"]), 0)
                self.assertRegex(said.getvalue(), rf"^usage: lab {name}\b")
        done = lab("run", "01-threads", "--help", "--server")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        for option in ("--write", "--published", "--server URL"):
            self.assertIn(f"  {option} ", done.stdout)
        self.assertRegex(lab("campaign", "plan", "-h").stdout, r"^usage: lab campaign plan RUN --shards N\n")

    def test_an_unknown_command_gives_one_sentence_that_lists_the_known_ones(self) -> None:
        done = lab("frobnicate")
        self.assertEqual(done.returncode, 2)
        self.assertEqual(done.stdout, "")
        there = "run, notebook, test, ledger, publish, workshop, reproduce, campaign, attach, bisect, compare, serve, bench, prefetch, bundle, install, new, lock, doctor"
        self.assertEqual(done.stderr, f"lab: there is no command frobnicate; there are {there}.\n")

    def test_a_slip_of_the_finger_is_answered_with_what_was_meant(self) -> None:
        for arguments, code, sentence in (
            (["runn"], 2, "there is no command runn; did you mean run?"),
            (["run", "--writ"], 2, "`lab run` does not know --writ; did you mean --write?"),
            (["bench", "server", "--quik"], 2, "`lab bench server` does not know --quik; did you mean --quick?"),
            (["run", "threads"], 1, "No notebook is called threads; did you mean 01-threads?"),
            (["run", "01-thraeds"], 1, "No notebook is called 01-thraeds; did you mean 01-threads?"),
        ):
            done = lab(*arguments)
            self.assertEqual((done.returncode, done.stdout, done.stderr), (code, "", f"lab: {sentence}\n"))

    def test_an_option_may_be_anywhere_and_its_value_behind_a_sign_of_equality(self) -> None:
        parser = command.LAB.commands["run"]
        for arguments in (["a", "--server", "http://h:1", "b"], ["--server=http://h:1", "a", "b"], ["a", "b", "--server=http://h:1"]):
            given = parser.parsed(arguments)
            self.assertEqual((given.values, given.server, given.write), (["a", "b"], "http://h:1", False))
        self.assertIsNone(parser.parsed(["b"]).server)

    def test_a_command_that_takes_nothing_says_so(self) -> None:
        self.assertEqual(lab("doctor", "--deep").stderr, "lab: `lab doctor` does not know --deep; it takes none.\n")

    def test_an_unknown_option_gives_one_sentence(self) -> None:
        done = lab("test", "--quick")
        self.assertEqual((done.returncode, done.stderr), (2, "lab: `lab test` does not know --quick; it takes --long, --soak, --client.\n"))

    def test_one_client_is_named_by_its_id(self) -> None:
        done = lab("test", "--client")
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertEqual(done.stderr, "lab: `lab test --client` takes a client of the catalogue by its id, as in --client okhttp.\n")

    def test_bench_wants_one_of_the_two_that_there_are(self) -> None:
        for arguments in ([], ["client"]):
            done = lab("bench", *arguments)
            self.assertEqual((done.returncode, done.stdout), (2, ""))
            self.assertEqual(done.stderr, "lab: `lab bench` measures one of three: `lab bench server`, `lab bench evidence` or `lab bench wire`.\n")

    def test_campaign_says_which_of_its_four_ways_takes_what(self) -> None:
        for arguments, sentence in (
            ([], r"does one of four: plan RUN --shards N, run FILE --shard I/N, merge FILE, or ledger LABEL"),
            (["plan", "threads-2026-11"], r"in how many parts, as in --shards 8"),
            (["plan", "--shards", "8"], r"takes a run, by its id or as in threads-2026-11"),
            (["run", "campaign.json", "--shard", "3-8"], r"which part, as in --shard 3/8"),
            (["merge"], r"takes the file of a campaign"),
            (["ledger"], r"takes the label of the new runs: year and month, as in 2026-12"),
            (["ledger", "2026-12", "--minutes", "soon"], r"how many minutes it may measure, as in --minutes 90"),
        ):
            done = lab("campaign", *arguments)
            self.assertEqual(done.returncode, 2, arguments)
            self.assertRegex(done.stderr, rf"^lab: `lab campaign.*{sentence}.*\.\n$")

    def test_lock_wants_a_library_and_a_version(self) -> None:
        for arguments in ([], ["io.ktor"], ["io.ktor", "--all"], ["io.ktor", "3.4.3", "3.5.2"]):
            done = lab("lock", *arguments)
            self.assertEqual((done.returncode, done.stdout), (2, ""))
            said = "`lab lock io.ktor 3.4.3` or `lab lock com.squareup.okhttp3:okhttp-jvm 4.12.0`"
            self.assertEqual(done.stderr, f"lab: `lab lock` takes a library and a version, as in {said}.\n")

    def test_bisect_and_compare_say_what_they_take(self) -> None:
        for arguments, sentence in (
            (["bisect", "okhttp"], "takes a client, and a situation or a metric, as in `lab bisect ktor-okhttp@preconfigured connections.at-once`"),
            (["bisect", "okhttp", "durationMs", "--below", "soon"], "takes a number, as in --below 1.5"),
            (["bisect", "okhttp", "durationMs", "--below", "1", "--above", "2"], "takes --below or --above, not both: an answer is yes or no"),
            (["bisect", "okhttp", "durationMs", "--java", "--from", "5.0.0"], "looks at Javas: leave out --coroutines, --from and --to"),
            (["compare", "okhttp:5.4.0"], "takes two clients, or a client and a jar, as in `lab compare okhttp:5.4.0 okhttp:5.5.1`"),
            (["compare", "a", "b", "--margin", "0"], "takes percent, as in --margin 5"),
        ):
            done = lab(*arguments)
            self.assertEqual((done.returncode, done.stdout), (2, ""), arguments)
            self.assertIn(sentence, done.stderr)

    def test_reproduce_wants_one_run_or_all(self) -> None:
        for arguments in ([], ["one", "two"], ["one", "--all"]):
            done = lab("reproduce", *arguments)
            self.assertEqual((done.returncode, done.stdout), (2, ""))
            self.assertRegex(done.stderr, r"^lab: `lab reproduce` takes one run, its id .*\.\n$")

    def test_the_slides_of_the_workshop_need_what_a_run_sets_up(self) -> None:
        done = lab("workshop", "--no-run", "--slides")
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertRegex(done.stderr, r"^lab: `lab workshop` takes --no-run or --slides, not both: .*\.\n$")

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

    def test_jupyterlab_listens_where_it_is_told(self) -> None:
        for arguments in (["--listen"], ["--listen", "--no-browser"], ["--listen=0.0.0.0:http"], ["--listen", "http://h:1"]):
            done = lab("notebook", *arguments)
            self.assertEqual((done.returncode, done.stdout), (2, ""), arguments)
            self.assertRegex(done.stderr, r"^lab: `lab notebook --listen` takes an address and perhaps a port, .*\.\n$")

    def test_prefetch_and_bundle_take_the_locked_versions_along_and_no_other_option(self) -> None:
        for name in ("prefetch", "bundle"):
            self.assertEqual(lab(name, "--all").stderr, f"lab: `lab {name}` does not know --all; it takes --versions.\n")

    def test_an_unknown_notebook_gives_one_sentence_before_any_set_up(self) -> None:
        done = lab("run", "no-such-notebook")
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertRegex(done.stderr, r"^lab: No notebook is called no-such-notebook; there are: .*\.\n$")
