"""The command qqwing: all puzzles in one process."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sudoku_cp.bench.runners import LIMIT, Boxes, CommandCall, LineAnswer, parse_line

WORDS = ("qqwing", "--solve", "--count-solutions", "--csv")


class QqwingCommand:
    """Puzzles in, a line each out: ``solution,count,``, or a sentence where there is no solution."""

    def __init__(self, boxes: Boxes) -> None:
        """Take the boxes, which are always 3x3."""

    def empty(self) -> CommandCall:
        """Return the call without a puzzle."""
        return CommandCall(WORDS, "")

    def calls(self, lines: Sequence[str]) -> list[CommandCall]:
        """Return the one call."""
        return [CommandCall(WORDS, "".join(f"{line}\n" for line in lines))]

    def read(self, outputs: Sequence[str]) -> Iterator[LineAnswer]:
        """Read the lines after the heading."""
        for line in outputs[0].splitlines()[1:]:
            solution, _, count = line.rstrip(",").partition(",")
            yield (parse_line(solution), min(int(count), LIMIT)) if solution.isdigit() else ((), 0)
