"""What the machine offers a measurement: cores, load, memory, open files, ports, fonts. Each is None where it cannot be told."""

import os
import re
import shutil
import socket
import sys
from pathlib import Path

from .processes import output_of

RESERVED_FILES = 300
"""Open files that a trial needs beside its connections: jars, logs, the control connection."""

SPINE_IN_FLIGHT = 500
"""The most requests in flight that `lab run` asks for, in 01-threads."""


def cores() -> int:
    """Processors that this process may use; in a container these can be fewer than the machine has."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def load() -> float | None:
    """The average number of processes that ran or waited in the last minute."""
    try:
        return os.getloadavg()[0]
    except (AttributeError, OSError):
        return None


def memory_bytes() -> int | None:
    """The machine's memory."""
    if sys.platform == "win32":
        import ctypes

        class Status(ctypes.Structure):
            _fields_ = [("length", ctypes.c_ulong), ("load", ctypes.c_ulong), *((f"field{i}", ctypes.c_ulonglong) for i in range(7))]

        status = Status()
        status.length = ctypes.sizeof(Status)
        return status.field0 if ctypes.windll.kernel32.GlobalMemoryStatusEx(ctypes.byref(status)) else None
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (ValueError, OSError):
        return None


def open_files() -> tuple[int, int] | None:
    """The limit of open files for a process: the one in force and the one it may be raised to; -1 for none."""
    try:
        import resource
    except ImportError:
        return None
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    return tuple(-1 if limit == resource.RLIM_INFINITY else limit for limit in (soft, hard))  # type: ignore[return-value]


def most_in_flight(limit: int) -> int:
    """How many requests in flight an open-file limit allows, each on a connection of its own."""
    return max(0, limit - RESERVED_FILES)


def ephemeral_ports(platform: str = sys.platform) -> tuple[int, int] | None:
    """The first and the last port that outgoing connections are given."""
    if platform.startswith("linux"):
        try:
            text = Path("/proc/sys/net/ipv4/ip_local_port_range").read_text(encoding="ascii")
        except OSError:
            return None
    elif platform == "darwin":
        text = output_of(["sysctl", "-n", "net.inet.ip.portrange.first", "net.inet.ip.portrange.last"]) or ""
    elif platform == "win32":
        text = output_of(["netsh", "int", "ipv4", "show", "dynamicport", "tcp"]) or ""
    else:
        return None
    return port_range(text, platform)


def port_range(text: str, platform: str) -> tuple[int, int] | None:
    """What the system prints about its range: first and last, but on Windows first and how many."""
    numbers = [int(number) for number in re.findall(r"\b\d+\b", text)]
    if len(numbers) < 2:
        return None
    first, second = numbers[-2:]
    return (first, first + second - 1) if platform == "win32" else (first, second)


def can_listen() -> bool:
    """Whether a free port on the loopback interface can be had."""
    try:
        with socket.socket() as listener:
            listener.bind(("127.0.0.1", 0))
            return True
    except OSError:
        return False


def fonts(platform: str = sys.platform) -> int | None:
    """How many fonts there are for text in PNG figures; None where the system always has some or cannot be asked."""
    if platform in ("win32", "darwin") or not shutil.which("fc-list"):
        return None
    listed = output_of(["fc-list"])
    return None if listed is None else len(listed.splitlines())
