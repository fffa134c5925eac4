"""Execute a notebook from top to bottom in a clean kernel, and say on standard output what happens, one JSON line each.

Run by lab with the environment's Python: `python execute.py FROM TO FOLDER SECONDS_A_CELL [SKIPPED_TAG]`. The notebook so far
is in TO after every cell; cells with the tag SKIPPED_TAG are left out of it. Standard input is a leash: at its end, the kernel is interrupted and shut down, and nothing is left.
"""

import asyncio
import json
import os
import re
import sys

import leash
import nbformat
from jupyter_client.manager import AsyncKernelManager
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError


def tell(event: str, **fields: object) -> None:
    print(json.dumps({"event": event, **fields}), flush=True)


LIVE = "application/vnd.jupyter.widget-view+json"


def without_live_views(notebook: nbformat.NotebookNode) -> None:
    """Sliders end with their kernel: where an output holds something else as well, a reader is to see that."""
    for cell in notebook.cells:
        for output in cell.get("outputs", []):
            if len(output.get("data", {})) > 1:
                output.data.pop(LIVE, None)


def save(notebook: nbformat.NotebookNode, path: str) -> None:
    without_live_views(notebook)
    part = f"{path}.part"
    nbformat.write(notebook, part)
    os.replace(part, path)


async def shut_down(manager: AsyncKernelManager, client: NotebookClient, in_a_cell: bool) -> None:
    """End the kernel: first what its cell is doing, so that the cell's `finally` runs; then the kernel itself."""
    if manager.has_kernel:
        alive = await manager.is_alive()
        if alive and in_a_cell:
            try:
                await manager.interrupt_kernel()
                await asyncio.sleep(0.5)
            except Exception:  # A kernel that dies meanwhile cannot be interrupted, and is cleared away all the same.
                pass
        # A kernel that died answers no request to shut down.
        await manager.shutdown_kernel(now=not alive)
    if client.kc is not None:
        client.kc.stop_channels()


def why(error: Exception) -> tuple[str, str]:
    """The name and the one sentence of what went wrong in a cell."""
    if isinstance(error, CellExecutionError):
        return re.split(r"[.$]", str(error.ename))[-1], str(error.evalue)
    if isinstance(error, CellTimeoutError):
        return "Timeout", "the cell took longer than it may, and was given up"
    if isinstance(error, DeadKernelError):
        return "KernelDied", "the kernel ended in the middle of the cell"
    return type(error).__name__, str(error)


async def run(source: str, target: str, folder: str, seconds: int, skipped: str | None = None) -> int:
    notebook = nbformat.read(source, as_version=4)
    notebook.cells = [cell for cell in notebook.cells if skipped not in cell.metadata.get("tags", [])]
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
            cell.metadata.pop("execution", None)
    code = [i for i, cell in enumerate(notebook.cells) if cell.cell_type == "code" and cell.source.strip()]
    at = -1

    def starts(cell: nbformat.NotebookNode, cell_index: int) -> None:
        nonlocal at
        if cell_index in code:
            at = code.index(cell_index)
            tell("cell", number=at + 1, total=len(code))

    def ends(cell: nbformat.NotebookNode, cell_index: int, execute_reply: object) -> None:
        save(notebook, target)

    manager = AsyncKernelManager(kernel_name="kotlin")
    client = NotebookClient(
        notebook,
        km=manager,
        timeout=seconds,
        startup_timeout=120,
        record_timing=False,
        on_cell_start=starts,
        on_cell_executed=ends,
    )
    finished = False
    loop = asyncio.get_running_loop()
    task = asyncio.current_task()

    try:
        # A JVM that cannot start says so on standard output, which belongs to the events here.
        await manager.start_kernel(cwd=folder, env=os.environ.copy(), stdout=sys.stderr)
        tell("kernel", group=getattr(manager.provisioner, "pgid", None))
        leash.when_let_go(lambda: loop.call_soon_threadsafe(task.cancel))
        await client.async_execute(cleanup_kc=False)
        finished = True
        save(notebook, target)
        tell("done")
        return 0
    except asyncio.CancelledError:
        save(notebook, target)
        tell("stopped")
        return 130
    except Exception as error:
        save(notebook, target)
        name, sentence = why(error)
        tell("error", number=at + 1, total=len(code), name=name, sentence=sentence)
        return 1
    finally:
        await shut_down(manager, client, not finished)


if __name__ == "__main__":
    code = asyncio.run(run(sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4]), *sys.argv[5:6]))
    sys.stdout.flush()
    # The thread on the leash still reads, and Python would wait for its lock on standard input.
    os._exit(code)
