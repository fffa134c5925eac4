"""JupyterLab on a leash: it shuts its kernels down and ends when standard input does. Errors are shown in brief. `python serve.py OPTION...`."""

import sys

import leash
from brief import BriefErrors
from jupyterlab.labapp import LabApp
from traitlets.config import Config


def main() -> None:
    settings = Config({"ServerApp": {"kernel_websocket_connection_class": BriefErrors}})
    app = LabApp.initialize_server(argv=sys.argv[1:], config=settings)

    def end() -> None:
        app.log.info("Whoever started JupyterLab has let go of it.")
        app.io_loop.add_callback(app.stop)

    leash.when_let_go(end)
    app.start()


if __name__ == "__main__":
    main()
