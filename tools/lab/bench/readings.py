"""What Linux says of other processes: processor time, resident memory, the accept queues, and who else was busy."""

import os
import resource
import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

PROC = Path("/proc")
TICKS = os.sysconf("SC_CLK_TCK") if hasattr(os, "sysconf") else 100
QUEUES = ("ListenOverflows", "ListenDrops", "TCPTimeouts", "TCPSynRetrans")


def of_group(group: int) -> list[int]:
    """The processes of a process group: those of a server that has workers."""
    found = []
    for folder in PROC.iterdir():
        if folder.name.isdigit() and (fields := _stat(int(folder.name))) and int(fields[2]) == group:
            found.append(int(folder.name))
    return found


def _stat(pid: int) -> list[str] | None:
    """The fields of `/proc/<pid>/stat` behind the name, which may hold blanks and brackets: state, parent, group and so on."""
    try:
        return (PROC / str(pid) / "stat").read_text(encoding="ascii", errors="replace").rpartition(")")[2].split()
    except OSError:
        return None


def cpu_ticks_nanos(pid: int) -> int:
    """utime and stime of all threads, those that have ended included, in steps of 10 ms; 0 for a process that has gone."""
    fields = _stat(pid)
    return (int(fields[11]) + int(fields[12])) * 1_000_000_000 // TICKS if fields else 0


def cpu_nanos(pid: int) -> int:
    """The same from the clock that Linux keeps for each process, to the nanosecond: 10 ms are too coarse for some thousand answers."""
    try:
        # The kernel's own coding of a process's clock, which clock_getcpuclockid(3) gives: the number inverted, and 2 for time on a processor.
        return time.clock_gettime_ns((~pid << 3) | 2)
    except OSError:
        return cpu_ticks_nanos(pid)


def memory_bytes(pids: Iterable[int]) -> tuple[int, int]:
    """Resident memory now, and the most there was, each summed over the processes: pages that they share count for each."""
    sums = {"VmRSS": 0, "VmHWM": 0}
    for pid in pids:
        try:
            lines = (PROC / str(pid) / "status").read_text(encoding="ascii", errors="replace").splitlines()
        except OSError:
            continue
        for line in lines:
            name, _, value = line.partition(":")
            if name in sums:
                sums[name] += int(value.split()[0]) * 1024
    return sums["VmRSS"], sums["VmHWM"]


def queues(text: str | None = None) -> dict[str, int]:
    """How often an accept queue was full, a connection dropped, and a SYN sent again, over the whole machine since it started."""
    if text is None:
        text = (PROC / "net" / "netstat").read_text(encoding="ascii", errors="replace")
    names, numbers = [line.split()[1:] for line in text.splitlines() if line.startswith("TcpExt:")][:2]
    known = dict(zip(names, numbers))
    return {name: int(known[name]) for name in QUEUES if name in known}


@dataclass(frozen=True)
class Busy:
    """Processor time in nanoseconds: of all processes and of lab with the children it has waited for, at a moment."""

    at: int
    everybody: int
    ours: int

    @staticmethod
    def now() -> "Busy":
        # User, nice and system time: the time of interrupts belongs to no process.
        fields = (PROC / "stat").read_text(encoding="ascii").split()
        mine, theirs = resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN)
        ours = mine.ru_utime + mine.ru_stime + theirs.ru_utime + theirs.ru_stime
        return Busy(time.monotonic_ns(), sum(map(int, fields[1:4])) * 1_000_000_000 // TICKS, int(ours * 1e9))

    def others_since(self, before: "Busy", server_nanos: int) -> float:
        """How many processors others kept busy since then."""
        others = self.everybody - before.everybody - (self.ours - before.ours) - server_nanos
        return max(0.0, others / max(1, self.at - before.at))
