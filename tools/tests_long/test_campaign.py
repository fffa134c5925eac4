"""A campaign of eight shards under GNU parallel, one of them killed and run again, beside the same experiment in one run."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

from lab.base import places

SHARDS = 8


class CampaignTest(unittest.TestCase):
    """Runs of a project's folder of their own, on the jars that are built."""

    def setUp(self) -> None:
        self.home = Path(tempfile.mkdtemp(prefix="client-lab-campaign-"))
        self.addCleanup(shutil.rmtree, self.home)
        for name in ("lab", "tools", "lib", "server", "notebooks", ".lab", "pom.xml", "requirements.txt", "environment.yml"):
            (self.home / name).symlink_to(places.ROOT / name)
        (self.home / "data").mkdir()
        self.environment = {**os.environ, "TMPDIR": str(self.home), "_JAVA_OPTIONS": f"-Djava.io.tmpdir={self.home} -Dlab.root={self.home}"}

    def lab(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "lab", "campaign", *arguments], cwd=self.home, env=self.environment, capture_output=True, text=True, timeout=600
        )

    def plan(self) -> Path:
        """From a run that there is: the published one with the fewest clients, made small."""
        published = json.loads((places.ROOT / "data/published/aa-2026-11/manifest.json").read_text(encoding="utf-8"))["experiment"]
        small = {**published, "name": "campaign-test", "forks": SHARDS, "seed": 7}
        small["workload"] = {**published["workload"], "clients": published["workload"]["clients"][:2], "inFlight": [5], "delay": "PT0.1S"}
        small.pop("aliases", None)
        listing = json.loads((places.ROOT / "lib/clients/target/generated/clientlab/clients.json").read_text(encoding="utf-8"))
        file = self.home / "campaign.json"
        file.write_text(json.dumps({"experiment": small, "shards": SHARDS, "versions": listing["versions"]}), encoding="utf-8")
        return file

    def trials(self, run: Path) -> list[tuple[int, str]]:
        lines = [json.loads(line) for line in (run / "trials.jsonl").read_text(encoding="utf-8").splitlines()]
        return [(line["round"], json.dumps(line["treatment"], sort_keys=True)) for line in lines if not line["warmup"]]

    @unittest.skipUnless(shutil.which("parallel"), "GNU parallel is not installed here: apt-get install parallel")
    def test_shards_under_parallel_one_of_them_killed_merge_to_the_trials_of_one_run(self) -> None:
        file = self.plan()
        killed = subprocess.Popen([sys.executable, "lab", "campaign", "run", str(file), "--shard", "3/8"], cwd=self.home, env=self.environment)
        runs = self.home / "data/raw/campaign-test"
        limit = time.monotonic() + 120
        while not list(runs.glob("*/trials.jsonl")) or not list(runs.glob("*/trials.jsonl"))[0].stat().st_size:
            self.assertLess(time.monotonic(), limit, "The shard began no trial.")
            time.sleep(0.02)
        self.kill(killed)
        lines = "\n".join(f"{sys.executable} lab campaign run {file} --shard {shard}/{SHARDS}" for shard in range(1, SHARDS + 1))
        done = subprocess.run(
            ["parallel", "--will-cite", "--jobs", "2"], input=lines, cwd=self.home, env=self.environment, capture_output=True, text=True, timeout=900
        )
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        merged = self.lab("merge", str(file))
        self.assertEqual(merged.returncode, 0, merged.stderr)
        folder = self.home / re.search(r"Merged into (\S+)\.", merged.stdout)[1]

        one = self.home / "one.json"
        one.write_text(json.dumps({**json.loads(file.read_text(encoding="utf-8")), "shards": 1}), encoding="utf-8")
        alone = self.lab("run", str(one), "--shard", "1/1")
        self.assertEqual(alone.returncode, 0, alone.stderr)
        whole = self.home / re.search(r"is in (\S+):", alone.stdout)[1]
        self.assertEqual(self.trials(folder), self.trials(whole))
        self.assertEqual(len(self.trials(folder)), 2 * SHARDS)

    def kill(self, process: subprocess.Popen[bytes]) -> None:
        """The shard's own JVM, as a node that goes down would; what it had started ends by itself."""
        children = subprocess.run(["pgrep", "-P", str(process.pid)], capture_output=True, text=True).stdout.split()
        for child in children:
            os.kill(int(child), signal.SIGKILL)
        process.wait(timeout=60)


if __name__ == "__main__":
    unittest.main()
