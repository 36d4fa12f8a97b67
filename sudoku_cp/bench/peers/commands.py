"""The commands qqwing, with all puzzles in one process, and minizinc with Gecode, a process a puzzle."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sudoku_cp.bench.runners import LIMIT, Boxes, CommandCall, LineAnswer, parse_line

QQWING = ("qqwing", "--solve", "--count-solutions", "--csv")


class QqwingCommand:
    """Puzzles in, a line each out: ``solution,count,``, or a sentence where there is no solution."""

    def __init__(self, boxes: Boxes) -> None:
        """Take the boxes, which are always 3x3."""

    def empty(self) -> CommandCall:
        """Return the call without a puzzle."""
        return CommandCall(QQWING, "")

    def calls(self, lines: Sequence[str]) -> list[CommandCall]:
        """Return the one call."""
        return [CommandCall(QQWING, "".join(f"{line}\n" for line in lines))]

    def read(self, outputs: Sequence[str]) -> Iterator[LineAnswer]:
        """Read the lines after the heading."""
        for line in outputs[0].splitlines()[1:]:
            solution, _, count = line.rstrip(",").partition(",")
            yield (parse_line(solution), min(int(count), LIMIT)) if solution.isdigit() else ((), 0)


# The command minizinc with Gecode: a process a puzzle.


MINIZINC = ("minizinc", "--solver", "gecode", "-n", str(LIMIT), "--time-limit", "60000", "--input-from-stdin")
"""Nobody waits a minute: the limit ends what would be forgotten."""
MODEL = """include "alldifferent.mzn";
array[0..{last}, 0..{last}] of int: given = array2d(0..{last}, 0..{last}, {values});
array[0..{last}, 0..{last}] of var 1..{side}: x;
constraint forall(i, j in 0..{last} where given[i, j] > 0)(x[i, j] = given[i, j]);
constraint forall(i in 0..{last})(alldifferent(row(x, i)) /\\ alldifferent(col(x, i)));
constraint forall(i in 0..{width} - 1, j in 0..{height} - 1)
  (alldifferent([x[{height} * i + r, {width} * j + c] | r in 0..{height} - 1, c in 0..{width} - 1]));
solve :: int_search([x[i, j] | i, j in 0..{last}], first_fail, indomain_min) satisfy;
output [join(" ", [show(x[i, j]) | i, j in 0..{last}])];
"""
SEPARATOR = "----------\n"


class MiniZincCommand:
    """A model a puzzle on standard input, up to two solutions out, a line each."""

    def __init__(self, boxes: Boxes) -> None:
        """Take the boxes of all puzzles."""
        self.height, self.width = boxes

    def empty(self) -> CommandCall:
        """Return the call with nothing to find."""
        return CommandCall(MINIZINC, "var 1..1: x; solve satisfy;")

    def calls(self, lines: Sequence[str]) -> list[CommandCall]:
        """Return a call for each puzzle."""
        side = self.height * self.width
        shape = {"side": side, "last": side - 1, "height": self.height, "width": self.width}
        return [CommandCall(MINIZINC, MODEL.format(values=parse_line(line), **shape)) for line in lines]

    def read(self, outputs: Sequence[str]) -> Iterator[LineAnswer]:
        """Read the solutions, each with a rule below it."""
        for output in outputs:
            *found, _ = output.split(SEPARATOR)
            yield ([int(word) for word in found[0].split()] if found else ()), len(found)
