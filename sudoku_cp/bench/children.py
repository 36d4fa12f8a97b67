"""A contestant in a process of its own, so that a crash or an endless loop ends that process alone.

Child and parent talk through a pipe; the child measures, the parent waits no longer than it was told to.
"""

from __future__ import annotations

import os
import signal
from contextlib import suppress
from multiprocessing import get_context
from time import sleep
from typing import TYPE_CHECKING, Self

import numpy as np

from sudoku_cp.bench.asking import Answers
from sudoku_cp.errors import InvalidInput, SudokuError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from multiprocessing.connection import Connection
    from multiprocessing.context import SpawnProcess
    from types import TracebackType

    from sudoku_cp.bench.asking import Boxes, Puzzles
    from sudoku_cp.bench.contestants import Contestant

STARTING = 180.0
"""Seconds that a contestant may take to be imported, and to be compiled and asked first about boards of a shape."""
LONGEST_MARK = 120
GRACE = 0.1
"""Seconds between asking a process to end and ending it."""


class Failed(SudokuError):
    """A contestant crashed, raised, or did not answer in time; the message is its mark in the table."""


class Child:
    """A contestant that can be asked, in its own process, which starts with the first question and after any end."""

    def __init__(self, contestant: Contestant) -> None:
        """Start nothing yet."""
        self.contestant = contestant
        self._running: tuple[SpawnProcess, Connection] | None = None
        self._warm: set[Boxes] = set()

    def __enter__(self) -> Self:
        """Return the child."""
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        """End its process."""
        self.close()

    def ask(self, puzzles: Puzzles, boxes: Boxes, seconds: float) -> Answers:
        """Return the answers, or raise `Failed` once ``seconds`` have passed or the process has ended.

        The first question of a shape is a filled board, so that nothing is imported or compiled on the clock.
        """
        if boxes not in self._warm:
            self._asked(filled(boxes), boxes, STARTING)
            self._warm.add(boxes)
        return self._asked(puzzles, boxes, seconds)

    def _asked(self, puzzles: Puzzles, boxes: Boxes, seconds: float) -> Answers:
        self.start()
        told = self._told(seconds, (puzzles, boxes))
        if not isinstance(told, Answers):
            raise Failed(str(told))
        return told

    def start(self) -> None:
        """Start its process, unless it runs, and import the contestant there; raise `Failed` where it cannot be imported."""
        if self._running is None:
            self._running = _started(self.contestant)
            if mark := self._told(STARTING):
                self.close()
                raise Failed(str(mark))

    def _told(self, seconds: float, question: tuple[Puzzles, Boxes] | None = None) -> object:
        """Return what the process, which runs, says next: answers or a mark; raise `Failed` where it says nothing."""
        assert self._running  # noqa: S101
        process, pipe = self._running
        try:
            if question is not None:
                pipe.send(question)
            told = pipe.recv() if pipe.poll(seconds) else None
        except (EOFError, BrokenPipeError, ConnectionResetError) as error:
            process.join()
            code = process.exitcode or 0
            self.close()
            raise Failed(f"crashed ({signal.Signals(-code).name if code < 0 else f'exit code {code}'})") from error
        except BaseException:
            self.close()
            raise
        if told is None:
            self.close()
            raise Failed(f"no answer in {seconds:.3g} s")
        return told

    def close(self) -> None:
        """End the process, and those that it has started."""
        if self._running is None:
            return
        process, pipe = self._running
        self._running = None
        self._warm.clear()
        group = process.pid
        assert group  # noqa: S101  # it was started
        for blow in (signal.SIGTERM, signal.SIGKILL):  # minizinc ends its solver, which leads a group of its own, if asked
            with suppress(ProcessLookupError, PermissionError):  # it may have ended, or not yet lead a group
                os.killpg(group, blow)
                sleep(GRACE)
        process.kill()
        process.join()
        process.close()
        pipe.close()


def expect_callables(contestants: Iterable[Contestant]) -> None:
    """Raise `InvalidInput` that names every outside callable which cannot be imported; each is, in a process of its own."""
    if problems := list(_not_callable(contestants)):
        raise InvalidInput(problems)


def _not_callable(contestants: Iterable[Contestant]) -> Iterator[str]:
    for contestant in contestants:
        if contestant.kind == "callable":
            try:
                with Child(contestant) as child:
                    child.start()
            except Failed as failure:
                yield f"expected a callable such as module:function, got {contestant.name!r:.80}: {failure}"


def filled(boxes: Boxes) -> Puzzles:
    """Return one board that is full already."""
    height, width = boxes
    side = height * width
    rows, columns = np.divmod(np.arange(side * side), side)
    values: Puzzles = ((width * (rows % height) + rows // height + columns) % side + 1).astype(np.uint8)
    return values[None]


def _started(contestant: Contestant) -> tuple[SpawnProcess, Connection]:
    context = get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=_serve, args=(theirs, contestant), daemon=True)
    process.start()
    theirs.close()
    return process, ours


def _serve(pipe: Connection, contestant: Contestant) -> None:
    """Answer questions until nobody asks any more; what the contestant prints is lost."""
    os.setpgid(0, 0)
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 2)
    try:
        runner = contestant.runner()
    except Exception as error:  # noqa: BLE001  # whatever it is, it is the contestant's mark
        pipe.send(_mark(error))
        return
    pipe.send("")
    while True:
        try:
            puzzles, boxes = pipe.recv()
        except EOFError:
            return
        try:
            pipe.send(runner(puzzles, boxes))
        except Exception as error:  # noqa: BLE001  # whatever it is, it is the contestant's mark
            pipe.send(_mark(error))


def _mark(error: Exception) -> str:
    return f"{type(error).__name__}: {error}".strip(": ").partition("\n")[0][:LONGEST_MARK]
