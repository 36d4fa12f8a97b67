"""A body for each question that can be sent as it is; a test runs all of them."""

from __future__ import annotations

from base64 import b64encode
from functools import cache
from typing import Any

from sudoku_cp.questions.examples import EASY, KILLER, SMALL
from sudoku_cp.questions.registry import NAMES, question_named

_OPTIONS: dict[str, dict[str, Any]] = {
    "solve": {"puzzle": EASY},
    "check": {"puzzle": EASY},
    "validate": {"puzzle": KILLER, "position": {"values": {"r2c2": 1}}},
    "candidates": {"puzzle": KILLER, "cap": 8},
    "prove": {"puzzle": SMALL},
    "compare": {"puzzle": EASY, "backends": "native,sat"},
    "rate": {"puzzle": EASY, "scale": "words"},
    "hint": {"puzzle": EASY, "level": 4, "position": {"values": {"r1c3": 4}, "marks": {"r1c4": [2, 6]}}},
    "steps": {"puzzle": EASY},
    "explain": {"puzzle": EASY, "cell": "r1c3", "value": 1},
    "trace": {"puzzle": EASY},
    "generate": {"count": 2, "size": 4, "seed": 1},
    "convert": {"puzzle": KILLER, "to": "fpuzzles"},
    "picture": {"puzzle": KILLER, "words": True},
    "print": {"puzzles": [EASY], "per_page": 6},
}


def example_of(name: str) -> dict[str, Any]:
    """Return the example of a question."""
    if name in NAMES:
        return dict(question_named(name).example)
    return {"certificate": _certificate()} if name == "verify" else dict(_OPTIONS.get(name, {}))


@cache
def _certificate() -> str:
    """Return a certificate of a puzzle as a body has it."""
    from sudoku_cp.proof import prove  # noqa: PLC0415  # only the example of one question needs it
    from sudoku_cp.puzzle import Puzzle  # noqa: PLC0415  # as above
    from sudoku_cp.service.questions.archives import pack  # noqa: PLC0415  # as above

    return b64encode(pack(prove(Puzzle.parse(SMALL)).files())).decode()
