"""A contestant in a process of its own, so that a crash or an endless loop ends that process alone.

The protocol: the parent starts the child, which imports the contestant and sends an empty string, or the error's mark. Then
the parent sends ``(puzzles, boxes)`` and the child sends `Answers` or a mark, until the pipe is closed. The child measures; the
parent waits for the seconds that it was given and then kills the child with its process group.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, suppress
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from time import sleep

import numpy as np

from sudoku_cp.bench.contestants import Contestant
from sudoku_cp.bench.machine import environment_without_wider
from sudoku_cp.bench.runners import Answers, Boxes, GivensArray
from sudoku_cp.errors import InvalidInput, SudokuError

START_SECONDS = 180.0
"""Seconds to import a contestant, and for its first answer about boards of a shape, which may compile."""
LONGEST_MARK = 120
GRACE = 0.1
"""Seconds between SIGTERM and SIGKILL."""


class ContestantFailed(SudokuError):
    """A contestant crashed, raised, or did not answer in time; the message is its mark in the table."""


class ContestantProcess(AbstractContextManager["ContestantProcess"]):
    """A contestant in its own process, which starts with the first question, and again after it has ended."""

    def __init__(self, contestant: Contestant) -> None:
        """Take the contestant; nothing is started yet."""
        self.contestant = contestant
        self._running: tuple[SpawnProcess, Connection] | None = None
        self._warm: set[Boxes] = set()

    def __exit__(self, *_: object) -> None:
        """End its process."""
        self.close()

    def ask(self, puzzles: GivensArray, boxes: Boxes, seconds: float) -> Answers:
        """Return the answers, or raise `ContestantFailed` once ``seconds`` have passed or the process has ended.

        Boards of a new shape begin with a filled board, so that nothing is imported or compiled on the clock.
        """
        if boxes not in self._warm:
            self._exchange(filled_board(boxes), boxes, START_SECONDS)
            self._warm.add(boxes)
        return self._exchange(puzzles, boxes, seconds)

    def _exchange(self, puzzles: GivensArray, boxes: Boxes, seconds: float) -> Answers:
        self.start()
        reply = self._receive(seconds, (puzzles, boxes))
        if not isinstance(reply, Answers):
            raise ContestantFailed(str(reply))
        return reply

    def start(self) -> None:
        """Start its process, unless it runs, and import the contestant there; raise `ContestantFailed` if that fails."""
        if self._running is None:
            self._running = _start_process(self.contestant)
            if mark := self._receive(START_SECONDS):
                self.close()
                raise ContestantFailed(str(mark))

    def _receive(self, seconds: float, question: tuple[GivensArray, Boxes] | None = None) -> object:
        """Send the question, if any, and return the reply: answers or a mark; raise `ContestantFailed` where none comes."""
        assert self._running  # noqa: S101
        process, pipe = self._running
        try:
            if question is not None:
                pipe.send(question)
            reply = pipe.recv() if pipe.poll(seconds) else None
        except (EOFError, BrokenPipeError, ConnectionResetError) as error:
            process.join()
            code = process.exitcode or 0
            self.close()
            raise ContestantFailed(f"crashed ({signal.Signals(-code).name if code < 0 else f'exit code {code}'})") from error
        except BaseException:
            self.close()
            raise
        if reply is None:
            self.close()
            raise ContestantFailed(f"no answer in {seconds:.3g} s")
        return reply

    def close(self) -> None:
        """End the process, and those that it has started."""
        if self._running is None:
            return
        process, pipe = self._running
        self._running = None
        self._warm.clear()
        group = process.pid
        assert group  # noqa: S101  # it was started
        for number in (signal.SIGTERM, signal.SIGKILL):  # SIGTERM lets minizinc end its solver, which leads a group of its own
            with suppress(ProcessLookupError, PermissionError):  # it may have ended, or not yet lead a group
                os.killpg(group, number)
                sleep(GRACE)
        process.kill()
        process.join()
        process.close()
        pipe.close()


def check_callables(contestants: Iterable[Contestant]) -> None:
    """Raise `InvalidInput` with every outside callable that cannot be imported; each is tried in a process of its own."""
    if problems := list(_import_problems(contestants)):
        raise InvalidInput(problems)


def _import_problems(contestants: Iterable[Contestant]) -> Iterator[str]:
    for contestant in contestants:
        if contestant.kind == "callable":
            try:
                with ContestantProcess(contestant) as child:
                    child.start()
            except ContestantFailed as failure:
                yield f"expected a callable such as module:function, got {contestant.name!r:.80}: {failure}"


def filled_board(boxes: Boxes) -> GivensArray:
    """Return one board that is already full."""
    height, width = boxes
    side = height * width
    rows, columns = np.divmod(np.arange(side * side), side)
    values: GivensArray = ((width * (rows % height) + rows // height + columns) % side + 1).astype(np.uint8)
    return values[None]


def _start_process(contestant: Contestant) -> tuple[SpawnProcess, Connection]:
    context = get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=_serve, args=(theirs, contestant), daemon=True)
    process.start()
    theirs.close()
    return process, ours


def _serve(pipe: Connection, contestant: Contestant) -> None:
    """Answer questions until the pipe is closed; the contestant's output is discarded."""
    os.setpgid(0, 0)
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 2)
    try:
        if contestant.width:  # Numba reads it once
            os.environ.update(environment_without_wider(contestant.width))
        runner = contestant.runner()
    except Exception as error:  # noqa: BLE001  # whatever it raises is its mark
        pipe.send(_error_mark(error))
        return
    pipe.send("")
    while True:
        try:
            puzzles, boxes = pipe.recv()
        except EOFError:
            return
        try:
            pipe.send(runner(puzzles, boxes))
        except Exception as error:  # noqa: BLE001  # whatever it raises is its mark
            pipe.send(_error_mark(error))


def _error_mark(error: Exception) -> str:
    return f"{type(error).__name__}: {error}".strip(": ").partition("\n")[0][:LONGEST_MARK]
