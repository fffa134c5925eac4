"""The servers that are compared: ours, and servers that others use for the same purpose. Each has its default settings, but for its limits."""

import json
import os
import re
import shutil
import socket
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from ..base import places
from ..base.processes import Child, environment, output_of, start
from ..base.terminal import LabError, tail
from ..prepare.java import Java
from ..library import serve

OURS, NGINX, HTTPBIN = "delay-server", "nginx", "go-httpbin"
PATIENCE = 20.0

WARMING = 0.05
"""The delay while a server warms up, in seconds: so short that a thousand connections bring as many requests as a compiler wants to see."""


@dataclass(frozen=True)
class Running:
    """A server that answers: what lab has started, and where to ask for a delayed answer, for one after `WARMING`, and for one at once."""

    child: Child
    delayed: str
    warming: str
    at_once: str


@dataclass(frozen=True)
class Server:
    """A server that can be started: its name, its version, and how it is set, in words that another could repeat."""

    name: str
    version: str
    settings: str
    starting: Callable[[Path, float], Running]

    def start(self, folder: Path, delay: float) -> Running:
        """Start it with its files in `folder`, and wait until it answers; `delay` is what its delayed answers take, in seconds."""
        folder.mkdir(parents=True, exist_ok=True)
        running = self.starting(folder, delay)
        limit = time.monotonic() + PATIENCE
        port = int(re.search(r":(\d+)/", running.at_once).group(1))
        while not _listens(port):
            if running.child.exited() or time.monotonic() > limit:
                raise LabError(f"{self.name} did not start: {tail(folder / 'server.txt', 3) or 'it said nothing'}")
            time.sleep(0.02)
        return running


def _listens(port: int) -> bool:
    try:
        with socket.create_connection(("127.0.0.1", port), timeout=1):
            return True
    except OSError:
        return False


def _free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def found(java: Java | None) -> tuple[list[Server], dict[str, str]]:
    """The servers that are here, ours first, and why the others are not."""
    servers, missing = [], {}
    for name, look in ((OURS, lambda: ours(java)), (NGINX, nginx), (HTTPBIN, httpbin)):
        server = look()
        if isinstance(server, str):
            missing[name] = server
        else:
            servers.append(server)
    return servers, missing


def jvm_options(java: Java) -> list[str]:
    """The options of the delay server's JVM, from the files that it is started with, for the record."""
    lines = [line for file in serve.option_files(java) for line in file.read_text(encoding="utf-8").splitlines()]
    return [line.strip() for line in lines if line.strip() and not line.startswith("#")]


def ours(java: Java | None) -> Server | str:
    if java is None:
        return "there is no Java here"
    if not places.SERVER_JAR.is_file():
        return f"the build has made no {places.shown(places.SERVER_JAR)}"

    def starting(folder: Path, delay: float) -> Running:
        said = folder / "server.txt"
        with said.open("w", encoding="utf-8") as output:
            child = start(serve.command(java), environment=environment(), output=output, errors=output, leash=True)
        limit = time.monotonic() + PATIENCE
        while not said.read_text(encoding="utf-8").endswith("\n"):
            if child.exited() or time.monotonic() > limit:
                raise LabError(f"The delay server did not start: {tail(said, 3) or 'it said nothing'}")
            time.sleep(0.02)
        ready = json.loads(said.read_text(encoding="utf-8").splitlines()[0])
        base = f"http://127.0.0.1:{ready['port']}/delay?delay="
        return Running(child, f"{base}{delay:g}", f"{base}{WARMING:g}", f"{base}0")

    return Server(OURS, _project_version(), f"Java {java.version} {' '.join(jvm_options(java))}", starting)


def _project_version() -> str:
    found = re.search(r"<artifactId>client-lab</artifactId>\s*<version>([^<]+)<", (places.ROOT / "pom.xml").read_text(encoding="utf-8"))
    return found.group(1) if found else "unknown"


NGINX_CONF = """\
{load}daemon off;
master_process on;
worker_processes 1;
worker_rlimit_nofile {files};
error_log stderr error;
pid {folder}/nginx.pid;
events {{ worker_connections {connections}; use epoll; }}
http {{
  access_log off;
  keepalive_timeout 3600s;
  keepalive_requests 1000000000;
  client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy; fastcgi_temp_path {folder}/fastcgi;
  uwsgi_temp_path {folder}/uwsgi; scgi_temp_path {folder}/scgi;
  server {{
    listen 127.0.0.1:{port} backlog=4096;
    location /delayed {{ echo_sleep {delay:g}; echo "delayed {delay:g} s"; }}
    location /warming {{ echo_sleep {warming:g}; echo "delayed {warming:g} s"; }}
    location /at-once {{ echo "delayed 0 s"; }}
  }}
}}
"""


def nginx() -> Server | str:
    binary = shutil.which("nginx", path=os.pathsep.join([os.environ.get("PATH", ""), "/usr/sbin", "/usr/local/sbin"]))
    if binary is None:
        return "nginx is not here (`apt install nginx-light libnginx-mod-http-echo`)"
    told = output_of([binary, "-V"]) or ""
    modules = re.search(r"--modules-path=(\S+)", told)
    echo = Path(modules.group(1)) / "ngx_http_echo_module.so" if modules else None
    built_in = "echo-nginx-module" in told
    if not built_in and not (echo and echo.is_file()):
        return "nginx is here without its echo module (`apt install libnginx-mod-http-echo`)"
    load = "" if built_in else f"load_module {echo};\n"

    def starting(folder: Path, delay: float) -> Running:
        port, files = _free_port(), _open_files()
        conf = folder / "nginx.conf"
        conf.write_text(
            NGINX_CONF.format(load=load, folder=folder, files=files, connections=files - 50, port=port, delay=delay, warming=WARMING), encoding="utf-8"
        )
        with (folder / "server.txt").open("w", encoding="utf-8") as output:
            child = start([binary, "-p", folder, "-c", conf], environment=environment(), folder=folder, output=output, errors=output)
        base = f"http://127.0.0.1:{port}"
        return Running(child, f"{base}/delayed", f"{base}/warming", f"{base}/at-once")

    version = re.search(r"nginx/(\S+)", told)
    return Server(NGINX, version.group(1) if version else "unknown", "echo_sleep, one worker, backlog 4096, no access log", starting)


def httpbin() -> Server | str:
    binary = shutil.which("go-httpbin")
    if binary is None:
        return "go-httpbin is not on the path (`go install github.com/mccutchen/go-httpbin/v2/cmd/go-httpbin@latest`)"

    # Some versions write a line per request and have no option against it: the lines are thrown away, and their cost is measured with the rest.
    is_quiet = "-log-level" in (output_of([binary, "-help"], even_failed=True) or "")

    def starting(folder: Path, delay: float) -> Running:
        port = _free_port()
        with open(folder / "server.txt" if is_quiet else os.devnull, "w", encoding="utf-8") as output:
            command = [binary, "-host", "127.0.0.1", "-port", str(port), "-max-duration", "60s", *(["-log-level", "ERROR"] if is_quiet else [])]
            child = start(command, environment=environment(), folder=folder, output=output, errors=output)
        base = f"http://127.0.0.1:{port}/delay"
        return Running(child, f"{base}/{delay:g}", f"{base}/{WARMING:g}", f"{base}/0")

    told = re.search(r"mod\s+github\.com/mccutchen/go-httpbin/v2\s+v(\S+)", output_of(["go", "version", "-m", binary]) or "")
    return Server(HTTPBIN, told.group(1) if told else "unknown", f"as it comes, {'log level ERROR' if is_quiet else 'a line of log for each request, to nowhere'}", starting)


def _open_files() -> int:
    import resource

    limit = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    return 1_000_000 if limit == resource.RLIM_INFINITY else limit
