"""Errors as a reader needs them: what went wrong and where in the cell, without the frames of the kernel's insides."""

import json
import re
from typing import Any

from jupyter_server.services.kernels.connection.channels import ZMQChannelsWebsocketConnection

FRAME = re.compile(r"\s+at (?P<name>\S+)|\s+\.\.\. \d+ more")
CELL = re.compile(r"at Cell In\[.*")
MOST_FRAMES = 3
"""A helper of the reader's own may stand between the line that failed and the one that called it."""


def brief(traceback: list[str]) -> list[str]:
    """A traceback without what is in it twice, and of its frames the first ones that lie in cells."""
    lines = [line for text in traceback for line in text.splitlines() if line.strip()]
    kept: list[str] = []
    frames = 0
    for line in lines:
        if not FRAME.match(line):
            if line not in kept:
                kept.append(line)
        elif (cell := CELL.search(line)) and frames < MOST_FRAMES and cell.group() not in kept:
            frames += 1
            kept.append(cell.group())
    return kept


class BriefErrors(ZMQChannelsWebsocketConnection):
    """The line between a kernel and a page; errors are made brief on it, and everything else passes as it is."""

    def handle_outgoing_message(self, stream: str, outgoing_msg: list[Any]) -> None:
        identities, parts = self.session.feed_identities(outgoing_msg)
        # A signature, then header, parent, metadata and content.
        if b'"error"' in bytes(parts[1]) and json.loads(bytes(parts[1]))["msg_type"] == "error":
            content = json.loads(bytes(parts[4]))
            content["traceback"] = brief(content.get("traceback", []))
            parts = [parts[0], *(bytes(part) for part in parts[1:4]), json.dumps(content).encode(), *parts[5:]]
            parts[0] = self.session.sign(parts[1:5])
            outgoing_msg = [*identities, b"<IDS|MSG>", *parts]
        super().handle_outgoing_message(stream, outgoing_msg)
