"""The command qqwing: all puzzles through one process."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sudoku_cp.bench.asking import LIMIT, Call, values_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sudoku_cp.bench.asking import Boxes, Found

WORDS = ("qqwing", "--solve", "--count-solutions", "--csv")


class Qqwing:
    """Puzzles in, a line each out: ``solution,count,``, or a sentence where there is no solution."""

    def empty(self) -> Call:
        """Return the call without a puzzle."""
        return Call(WORDS, "")

    def calls(self, lines: Sequence[str]) -> list[Call]:
        """Return the one call."""
        return [Call(WORDS, "".join(f"{line}\n" for line in lines))]

    def read(self, outputs: Sequence[str]) -> Iterator[Found]:
        """Read the lines behind the heading."""
        for line in outputs[0].splitlines()[1:]:
            solution, _, count = line.rstrip(",").partition(",")
            yield (values_of(solution), min(int(count), LIMIT)) if solution.isdigit() else ((), 0)


def opened(boxes: Boxes) -> Qqwing:
    """Return the tool; it knows boards of 9x9 only."""
    del boxes
    return Qqwing()
