"""What workers learnt from the questions of a series, so that whichever of them answers the next one begins with it.

A series is somebody's questions about a puzzle in the making, such as those with one name in ``known``. What was learnt is bytes
to this process: workers alone know what is in them.
"""

from __future__ import annotations

from collections import OrderedDict, deque
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from sudoku_cp.service.pool.tasks import Task
from sudoku_cp.service.questions.encoded_answers import EncodedRun

if TYPE_CHECKING:
    from collections.abc import Hashable

    from sudoku_cp.service.questions import ServedQuestion

MOST_ANSWERS = 16
"""Answers of a series that are remembered: enough to undo a few steps."""
MOST_SERIES_BYTES = 1 << 20
"""Bytes of a series; all of them go to the worker with each question."""
MOST_BYTES = 64 << 20
"""Bytes of all series together; those not asked for longest are forgotten first."""


class SeriesMemory:
    """The last answers of each series, the newest first."""

    def __init__(self, most_bytes: int = MOST_BYTES) -> None:
        """Begin with nothing, and keep ``most_bytes`` at most."""
        self._answers: OrderedDict[Hashable, deque[bytes]] = OrderedDict()
        self._most_bytes = most_bytes
        self.bytes = 0
        """Bytes kept now."""

    def task(self, question: ServedQuestion, content: bytes, known: str | None, client: str) -> Task:
        """Return the task of a client's question, a body as JSON, whose value is an `EncodedAnswer`.

        It belongs to a series if the client has a name for what is ``known``.
        """
        task = Task(EncodedRun(question.run), (content,), is_quick=question.is_quick)
        return task if known is None else self.join(task, (client, known))

    def join(self, task: Task, series: Hashable) -> Task:
        """Return a task that begins with what its series has learnt, and adds to that."""
        known = self._answers.get(series)
        if known is not None:
            self._answers.move_to_end(series)
        return replace(task, known=tuple(known or ()), keep=partial(self._keep, series))

    def _keep(self, series: Hashable, learnt: bytes) -> None:
        """Remember what a task has learnt, and forget the oldest where that is too much."""
        if len(learnt) > MOST_SERIES_BYTES:
            return
        answers = self._answers.setdefault(series, deque())
        self._answers.move_to_end(series)
        answers.appendleft(learnt)
        self.bytes += len(learnt)
        while len(answers) > MOST_ANSWERS or sum(map(len, answers)) > MOST_SERIES_BYTES:
            self.bytes -= len(answers.pop())
        while self.bytes > self._most_bytes:
            _, forgotten = self._answers.popitem(last=False)
            self.bytes -= sum(map(len, forgotten))
