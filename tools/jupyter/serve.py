"""JupyterLab on a leash: it shuts its kernels down and ends when standard input does. `python serve.py OPTION...`."""

import sys
import threading

from jupyterlab.labapp import LabApp


def main() -> None:
    app = LabApp.initialize_server(argv=sys.argv[1:])

    def leash() -> None:
        sys.stdin.buffer.read()
        app.io_loop.add_callback(app.stop)

    threading.Thread(target=leash, daemon=True).start()
    app.start()


if __name__ == "__main__":
    main()
