"""JupyterLab on a leash: it shuts its kernels down and ends when standard input does. Errors are shown in brief. `python serve.py OPTION...`."""

import sys
import threading

from brief import BriefErrors
from jupyterlab.labapp import LabApp
from traitlets.config import Config


def main() -> None:
    settings = Config({"ServerApp": {"kernel_websocket_connection_class": BriefErrors}})
    app = LabApp.initialize_server(argv=sys.argv[1:], config=settings)

    def leash() -> None:
        sys.stdin.buffer.read()
        app.io_loop.add_callback(app.stop)

    threading.Thread(target=leash, daemon=True).start()
    app.start()


if __name__ == "__main__":
    main()
