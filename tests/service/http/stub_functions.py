"""What the questions of `stub_questions` do in a worker, which needs no pydantic for it."""

from __future__ import annotations

import os
import time
from base64 import b64encode
from typing import Any

from sudoku_cp.backends import engine_errors
from sudoku_cp.errors import InvalidInput, Problem


def sleep(body: dict[str, Any], control: Any) -> dict[str, Any]:
    """Sleep so long, emit so many items, and say who answered; before that, wait while there is a file ``path``.hold."""
    if body.get("path"):
        with open(body["path"], "a", encoding="utf-8") as file:  # noqa: PTH123
            file.write(f"{os.getpid()}\n")
        while os.path.exists(f"{body['path']}.hold"):  # noqa: PTH110
            time.sleep(0.01)
    for number in range(body.get("items", 0)):
        control.emit({"puzzle": "", "number": number})
        time.sleep(body.get("seconds", 0) / body["items"])
    if not body.get("items"):
        time.sleep(body.get("seconds", 0))
    return {"status": "solved", "puzzle": body.get("puzzle"), "pid": os.getpid(), "backend": "stub"}


def accept(body: dict[str, Any], control: Any) -> dict[str, Any]:
    """Judge that a body can be answered."""
    return {}


def refuse(body: dict[str, Any], control: Any) -> dict[str, Any]:
    """Refuse any puzzle."""
    place = ("puzzle", "rules", 3, "cells", 2)
    raise InvalidInput([Problem("expected a cell such as 'r4c7', got 'r10c1'", place, "r10c1"), "expected a title"])


def fail(body: dict[str, Any], control: Any) -> dict[str, Any]:
    """Fail, which is a defect."""
    raise RuntimeError("a secret of /home/somebody")


def fail_in_engine(body: dict[str, Any], control: Any) -> dict[str, Any]:
    """Ask an engine of another package that fails."""
    with engine_errors("foreign"):
        raise RuntimeError("a secret of /home/somebody")


def archive(body: dict[str, Any], control: Any) -> dict[str, Any]:
    """Answer with a file that takes long to decode."""
    return {"status": "solved", "certificate": b64encode(bytes(body["items"] * 1000)).decode()}


def crash(body: dict[str, Any], control: Any) -> dict[str, Any]:
    """End the worker."""
    os._exit(3)
