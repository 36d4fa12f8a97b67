"""The command minizinc with Gecode: a process a puzzle."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sudoku_cp.bench.runners import LIMIT, Boxes, CommandCall, LineAnswer, parse_line

WORDS = ("minizinc", "--solver", "gecode", "-n", str(LIMIT), "--time-limit", "60000", "--input-from-stdin")
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
        return CommandCall(WORDS, "var 1..1: x; solve satisfy;")

    def calls(self, lines: Sequence[str]) -> list[CommandCall]:
        """Return a call for each puzzle."""
        side = self.height * self.width
        shape = {"side": side, "last": side - 1, "height": self.height, "width": self.width}
        return [CommandCall(WORDS, MODEL.format(values=parse_line(line), **shape)) for line in lines]

    def read(self, outputs: Sequence[str]) -> Iterator[LineAnswer]:
        """Read the solutions, each with a rule below it."""
        for output in outputs:
            *found, _ = output.split(SEPARATOR)
            yield ([int(word) for word in found[0].split()] if found else ()), len(found)
