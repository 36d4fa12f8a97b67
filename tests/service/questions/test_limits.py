"""A limit that comes first is told by its name, whichever way the engine has heard of it."""

from __future__ import annotations

from time import monotonic
from types import SimpleNamespace

import pytest

from sudoku_cp.service.pool.worker_process import WorkerControl
from sudoku_cp.service.questions import QUESTIONS

EMPTY16 = "." * 256


@pytest.mark.parametrize("verb", ["solve", "count", "check", "candidates", "prove", "generate", "rate", "hint", "steps"])
def test_who_is_told_to_stop_tells_of_the_deadline(verb):
    """The caller of a cancelled question hears no more of it, so an answer that is heard was stopped by its deadline."""
    worker = SimpleNamespace(send_item=lambda *_: None)
    control = WorkerControl(worker, monotonic() + 60, ())
    control.cancel.cancel()
    body = {"count": 3} if verb == "generate" else {"puzzle": EMPTY16}
    assert QUESTIONS[verb].run(body, control)["reason"] == "deadline"
