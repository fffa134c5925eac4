"""JupyterLab over the notebooks."""

import json
from collections.abc import Mapping
from contextlib import nullcontext
from pathlib import Path

from ..base import places
from ..base.processes import Child, start
from ..prepare import kernel
from ..prepare.setup import Ready

LOOPBACK = "127.0.0.1"


def run_jupyter_lab(ready: Ready, browser: bool, listen: str = LOOPBACK) -> int:
    """JupyterLab over the notebooks, until it is closed; nothing it does leaves this machine."""
    address, _, port = listen.partition(":")
    where = [f"--ServerApp.ip={address}", *([f"--ServerApp.port={port}"] if port else [])]
    return start_jupyter_lab(ready.python.python, f"--ServerApp.open_browser={browser}", *where).wait()


def start_jupyter_lab(
    python: Path,
    *options: str,
    folder: Path = places.NOTEBOOKS,
    extra: Mapping[str, str] | None = None,
    log: Path | None = None,
) -> Child:
    """JupyterLab over the notebooks in `folder`, with further `options` of its own; it ends with the process that started it.

    What it says goes into `log`, or to the terminal where there is none."""
    settings = places.JUPYTER / "settings" / "@jupyterlab"
    for name, content in {
        "apputils-extension/notification.jupyterlab-settings": {"fetchNews": "false", "checkForUpdates": False},
        "extensionmanager-extension/plugin.jupyterlab-settings": {"enabled": False, "disclaimed": False},
    }.items():
        file = settings / name
        if not file.is_file():
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(json.dumps(content), encoding="utf-8")
    with log.open("w", encoding="utf-8") if log else nullcontext() as said:
        return start(
            [
                python,
                places.TOOLS / "jupyter" / "serve.py",
                f"--ServerApp.root_dir={folder}",
                "--ServerApp.allow_root=True",
                f"--ServerApp.log_level={'INFO' if log else 'WARN'}",
                "--ServerApp.terminals_enabled=False",
                "--LabApp.extension_manager=readonly",
                "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate",
                "--LabApp.news_url=None",
                "--KernelSpecManager.allowed_kernelspecs=kotlin",
                "--KernelSpecManager.ensure_native_kernel=False",
                "--MultiKernelManager.default_kernel_name=kotlin",
                *options,
            ],
            environment=kernel.variables(extra),
            folder=folder,
            output=said,
            errors=said,
            leash=True,
            grace=15,
        )
