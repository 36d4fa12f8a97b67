"""Messages of the f-puzzles socket: what a page sends."""

from __future__ import annotations

import json
from dataclasses import dataclass

from sudoku_cp.errors import InvalidInput
from sudoku_cp.formats.project_json import unique_fields

CANCEL = "cancel"
COMMANDS = ("truecandidates", "solve", "check", "count", "estimate", "solvepath", "step")
"""Those that a worker answers."""
DATA_TYPE = "fpuzzles"
"""The only kind of data that the protocol knows."""
MOST_PARTS = 100
"""Commas and brackets in a message: the event loop parses it, and would be silent for long over a million of them."""
_MOST_NONCE = 1 << 53
"""Beyond this a page's own numbers are not exact."""


class InvalidMessage(InvalidInput):
    """A frame holds no message; ``nonce`` is that of the page, if it has one."""

    def __init__(self, problem: str, nonce: int | None = None) -> None:
        """Keep the nonce, with which the problem is sent back."""
        super().__init__(problem)
        self.nonce = nonce


@dataclass(frozen=True)
class Message:
    """A question of a page; ``data`` is the board, compressed."""

    nonce: int
    command: str
    data_type: str = ""
    data: str = ""


def parse_message(frame: str | bytes) -> Message:
    """Return the message in a frame, a text or the bytes of one; raise `InvalidMessage` if there is none in it."""
    content = frame.encode("utf-8", "surrogatepass") if isinstance(frame, str) else frame
    if sum(map(content.count, (b",", b"[", b"{"))) > MOST_PARTS:
        raise InvalidMessage(f"expected a JSON object of four fields, got one of more than {MOST_PARTS} parts")
    try:
        found = json.loads(frame, object_pairs_hook=unique_fields)
    except InvalidInput as error:
        raise InvalidMessage(str(error)) from error
    except (ValueError, RecursionError) as error:
        raise InvalidMessage("expected a JSON object, got something else") from error
    if not isinstance(found, dict):
        raise InvalidMessage(f"expected a JSON object, got {type(found).__name__}")
    nonce, command = found.get("nonce"), found.get("command")
    texts = [found.get(name) or "" for name in ("dataType", "data")]
    if not isinstance(nonce, int) or isinstance(nonce, bool) or abs(nonce) > _MOST_NONCE:
        raise InvalidMessage(f"expected a whole number as nonce, got {nonce!r:.40}")
    if not isinstance(command, str) or not all(isinstance(text, str) for text in texts):
        kinds = ", ".join(type(one).__name__ for one in (command, *texts))
        raise InvalidMessage(f"expected texts as command, dataType and data, got {kinds}", nonce)
    if texts[0] != DATA_TYPE and command.lower() != CANCEL:
        raise InvalidMessage(f"expected the dataType {DATA_TYPE!r}, got {texts[0]!r:.40}", nonce)
    return Message(nonce, command.lower(), *texts)
