"""Make the puzzles of examples/variants: random solutions, random clues of a rule, digits added until there is one solution.

Every clue is drawn at random until the rule holds for the solution; a puzzle then gets givens, where two solutions still differ,
until it has only one. Run it as ``python examples/makers/variants.py examples/variants`` (minutes). Clues come from fixed
seeds; the givens depend on which of two solutions an engine finds first, so other runs make other puzzles.

The first puzzles of arrow, kropki, renban, thermometer, whisper and xv, and both jigsaws, were made by ``sudoku-cp generate``.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random

from sudoku_cp import Board, Grid, Limits, Puzzle, random_solution, solve, write_puzzles
from sudoku_cp import rules as r
from sudoku_cp.rules import RULES, Houses, Rule

SECONDS = 1.0
"""Seconds that an engine may take for an unfinished puzzle."""
TRIES = 4000
"""Draws of clues before the maker gives up."""

Maker = Callable[["Draw"], Rule]


@dataclass
class Draw:
    """Draws random clues for a grid, from the solution that they must hold for."""

    random: Random
    grid: Grid
    solution: tuple[int, ...]

    def path(self, least: int, most: int, *, straight: bool = False) -> tuple[int, ...]:
        """Return a random walk over touching cells that never crosses itself."""
        steps = [(0, 1), (1, 0), (0, -1), (-1, 0)] if straight else [(a, b) for a in (-1, 0, 1) for b in (-1, 0, 1) if a or b]
        cells = [self.random.choice(self.grid.cells)]
        length = self.random.randint(least, most)
        while len(cells) < length:
            row, column = self.grid.places[cells[-1]]
            near = [self.grid.cell_at.get((row + down, column + right)) for down, right in steps]
            free = [cell for cell in near if cell is not None and cell not in cells]
            if not free:
                break
            cells.append(self.random.choice(free))
        return tuple(cells) if len(cells) >= least else self.path(least, most, straight=straight)

    def blob(self, least: int, most: int) -> tuple[int, ...]:
        """Return random connected cells."""
        cells = [self.random.choice(self.grid.cells)]
        for _ in range(self.random.randint(least, most) - 1):
            near = [
                cell
                for one in cells
                for down, right in ((0, 1), (1, 0), (0, -1), (-1, 0))
                if (cell := self.grid.cell_at.get((self.grid.places[one][0] + down, self.grid.places[one][1] + right)))
                is not None
                and cell not in cells
            ]
            if near:
                cells.append(self.random.choice(near))
        return tuple(sorted(cells))

    def pair(self) -> tuple[int, ...]:
        """Return two cells that share an edge."""
        return self.random.choice(list(self.grid.pairs((0, 1), (1, 0))))

    def line(self) -> tuple[int, ...]:
        """Return a row or a column, from either end."""
        cells = self.random.choice(self.grid.lines)
        return cells if self.random.random() < 0.5 else cells[::-1]

    def slant(self) -> tuple[int, ...]:
        """Return the cells that a diagonal clue looks along."""
        size = self.grid.boards[0].rows
        start, (down, right) = self.random.randrange(1, size - 1), self.random.choice([(1, 1), (1, -1)])
        row, column = (start, 0 if right > 0 else size - 1) if self.random.random() < 0.5 else (0, start)
        cells = []
        while (row, column) in self.grid.cell_at:
            cells.append(self.grid.cell_at[row, column])
            row, column = row + down, column + right
        return tuple(cells)

    def some(self, number: int) -> tuple[int, ...]:
        """Return any cells."""
        return tuple(sorted(self.random.sample(self.grid.cells, number)))

    def values(self, cells: tuple[int, ...]) -> list[int]:
        """Return the solution's values in the cells."""
        return [self.solution[cell] for cell in cells]

    def total(self, cells: tuple[int, ...]) -> int:
        """Return the sum of the solution's values in the cells."""
        return sum(self.values(cells))


def _cage(draw: Draw) -> Rule:
    cells = draw.blob(2, 5)
    return r.KillerCage(cells, draw.total(cells))


def _arrow(draw: Draw) -> Rule:
    bulb, *shaft = draw.path(3, 5)
    return r.Arrow(bulb, (tuple(shaft),))


def _pill(draw: Draw) -> Rule:
    first, second, *shaft = draw.path(5, 9)
    return r.PillArrow((first, second), (tuple(shaft),))


def _sandwich(draw: Draw) -> Rule:
    cells = draw.line()
    row = draw.values(cells)
    low, high = sorted((row.index(min(row)), row.index(max(row))))
    return r.Sandwich(cells, sum(row[low + 1 : high]))


def _x_sum(draw: Draw) -> Rule:
    cells = draw.line()
    row = draw.values(cells)
    return r.XSum(cells, sum(row[: row[0]]))


def _skyscraper(draw: Draw) -> Rule:
    cells = draw.line()
    row = draw.values(cells)
    return r.Skyscraper(cells, sum(value > max((0, *row[:place])) for place, value in enumerate(row)))


def _room(draw: Draw) -> Rule:
    cells = draw.line()
    row = draw.values(cells)
    return r.NumberedRoom(cells, row[row[0] - 1])


def _hidden(draw: Draw) -> Rule:
    cells = draw.line()
    row = draw.values(cells)
    hidden = [value for place, value in enumerate(row) if value < max((0, *row[:place]))]
    return r.HiddenSkyscraper(cells, hidden[0] if hidden else 0)


def _killer_line(draw: Draw) -> Rule:
    cells = draw.slant()
    return r.LittleKiller(cells, draw.total(cells))


def _quadruple(draw: Draw) -> Rule:
    row, column = (draw.random.randrange(1, draw.grid.boards[0].rows) for _ in range(2))
    cells = tuple(draw.grid.cell_at[row + down, column + right] for down in (-1, 0) for right in (-1, 0))
    return r.Quadruple(cells, tuple(sorted(draw.random.sample(draw.values(cells), draw.random.randint(2, 4)))))


def _lunchbox(draw: Draw) -> Rule:
    cells = draw.path(4, 7)
    row = draw.values(cells)
    low, high = sorted((row.index(min(row)), row.index(max(row))))
    return r.Lunchbox(cells, sum(row[low + 1 : high]))


def _sum_line(draw: Draw) -> Rule:
    return r.SumLine(draw.path(3, 8), 10)


def _rellik(draw: Draw) -> Rule:
    return r.RellikCage(draw.blob(2, 4), draw.random.randint(5, 20))


def _clone(draw: Draw) -> Rule:
    cells = draw.some(1)
    same = [cell for cell in draw.grid.cells if draw.solution[cell] == draw.solution[cells[0]] and cell not in cells]
    return r.Clone(cells, (tuple(draw.random.sample(same, 1)),))


MAKERS: dict[str, tuple[Maker, ...]] = {
    "killer": (_cage,),
    "arrow": (_arrow,),
    "arrow-pill": (_pill, _arrow),
    "arrow-double": (lambda draw: r.DoubleArrow(draw.path(4, 6)),),
    "thermometer": (lambda draw: r.Thermometer(draw.path(3, 6)),),
    "thermometer-slow": (lambda draw: r.SlowThermometer(draw.path(4, 7)),),
    "whisper": (lambda draw: r.Whisper(draw.path(3, 6)),),
    "renban": (lambda draw: r.Renban(draw.path(3, 6)),),
    "nabner": (lambda draw: r.Nabner(draw.path(3, 5)),),
    "palindrome": (lambda draw: r.Palindrome(draw.path(3, 6)),),
    "between": (lambda draw: r.BetweenLine(draw.path(4, 6)),),
    "lockout": (lambda draw: r.LockoutLine(draw.path(3, 5)),),
    "region-sum": (lambda draw: r.RegionSumLine(draw.path(3, 7)),),
    "entropic": (lambda draw: r.EntropicLine(draw.path(3, 7)),),
    "modular": (lambda draw: r.ModularLine(draw.path(3, 7)),),
    "parity": (lambda draw: r.ParityLine(draw.path(3, 7)),),
    "zipper": (lambda draw: r.ZipperLine(draw.path(3, 6)),),
    "sum-line": (_sum_line,),
    "lunchbox": (_lunchbox,),
    "kropki": (lambda draw: r.Difference(draw.pair()), lambda draw: r.Ratio(draw.pair())),
    "xv": (lambda draw: r.PairSum(draw.pair(), 10), lambda draw: r.PairSum(draw.pair(), 5)),
    "inequality": (lambda draw: r.Inequality(draw.random.choice([one := draw.pair(), one[::-1]])),),
    "quadruple": (_quadruple,),
    "little-killer": (_killer_line,),
    "sandwich": (_sandwich,),
    "x-sum": (_x_sum,),
    "skyscraper": (_skyscraper,),
    "skyscraper-hidden": (_hidden,),
    "numbered-room": (_room,),
    "odd-even": (lambda draw: r.Odd(draw.some(1)), lambda draw: r.Even(draw.some(1))),
    "fortress": (lambda draw: r.Minimum(draw.some(1)), lambda draw: r.Maximum(draw.some(1))),
    "clone": (_clone,),
    "rellik": (_rellik,),
    "counting-circles": (lambda draw: r.CountingCircles(draw.some(draw.random.randint(3, 10))),),
    "equality": (lambda draw: r.EqualityCage(draw.blob(2, 4)),),
    "equal-sums": (lambda draw: r.EqualSums((draw.path(2, 4), draw.path(2, 4))),),
    "mixed": (_cage, _arrow, lambda draw: r.Thermometer(draw.path(3, 5)), lambda draw: r.Renban(draw.path(3, 5)), _killer_line),
}
"""How the clues of a kind of puzzle are drawn."""

WHOLE: dict[str, tuple[Rule, ...]] = {
    "diagonals": (r.Diagonals(),),
    "anti-knight": (r.AntiKnight(),),
    "anti-king": (r.AntiKing(), r.AntiKnight()),
    "nonconsecutive": (r.Nonconsecutive(), r.AntiKing()),
    "disjoint-groups": (r.DisjointGroups(),),
    "windoku": (r.Windoku(),),
    "global-entropy": (r.GlobalEntropy(),),
    "global-mod": (r.GlobalMod(),),
    "self-taxicab": (r.SelfTaxicab(),),
    "dutch-flatmates": (r.DutchFlatmates(),),
}
"""Puzzles whose rules are about the whole grid."""

SAMURAI = tuple(Board(9, 9, (3, 3), at=at) for at in ((0, 0), (0, 12), (6, 6), (12, 0), (12, 12)))
JIGSAW = "AABBBCCCC AABBBDCCC AAABBDDCC AAEEBDDDD EEEEFDDGH IEEEFGGGH IIIIFGGGH IIFFFHGGH IIFFFHHHH"


def clues(draw: Draw, makers: tuple[Maker, ...], number: int) -> Iterator[Rule]:
    """Yield clues that hold for the solution; those inside the board share no cells."""
    used: set[int] = set()
    found = 0
    for _ in range(TRIES):
        rule = draw.random.choice(makers)(draw)
        cells = {cell for name in ("cells", "bulb") for cell in _cells(getattr(rule, name, ()))}
        if used & cells and not rule.__module__.endswith("outside_clues"):
            continue
        if not [*rule.problems(draw.grid)] and rule.holds(draw.grid, draw.solution):
            used |= cells
            yield rule
            found += 1
            if found == number:
                return


def _cells(value: int | tuple[int, ...]) -> tuple[int, ...]:
    return value if isinstance(value, tuple) else (value,)


def unique(puzzle: Puzzle, solution: tuple[int, ...], random: Random) -> Puzzle:
    """Return the puzzle with givens added until it has one solution."""
    while True:
        answer = solve(puzzle, limits=Limits(seconds=SECONDS), solution_limit=2)
        if answer.status == "unique":
            return puzzle
        others = [one for one in answer.solutions if one != solution]
        differ = [
            cell for cell in puzzle.grid.cells if cell not in puzzle.givens and (not others or others[0][cell] != solution[cell])
        ]
        cell = random.choice(differ)
        puzzle = puzzle.with_givens({**puzzle.givens, cell: solution[cell]})


def made(title: str, grid: Grid, whole: tuple[Rule, ...], makers: tuple[Maker, ...], number: int, seed: int) -> Puzzle:
    """Return one puzzle with its solution."""
    random = Random(f"{title} {seed}")
    empty = Puzzle(grid, (Houses(), *whole))
    answer = random_solution(empty, seed=random.randrange(2**31), limits=Limits(seconds=60))
    assert answer.solution, title
    draw = Draw(random, grid, answer.solution)
    rules = (*empty.rules, *clues(draw, makers, number)) if makers else empty.rules
    puzzle = Puzzle(grid, rules, title=f"{title} {seed}", solution=answer.solution)
    return unique(puzzle, answer.solution, random)


def main(folder: str, wanted: list[str]) -> None:
    """Write a file for each kind."""
    square = Grid.square(9)
    jobs: dict[str, list[tuple[Grid, tuple[Rule, ...], tuple[Maker, ...], int]]] = {}
    for name, makers in MAKERS.items():
        jobs[name] = [(square, (), makers, number) for number in (6, 14, 30)]
    for name, whole in WHOLE.items():
        jobs[name] = [(square, whole, (), 0)]
    jobs["samurai"] = [(Grid.of(SAMURAI, range(1, 10)), (), (), 0)]
    jobs["jigsaw"] = [(Grid.jigsaw(JIGSAW), (), (), 0), (Grid.jigsaw(JIGSAW), (), (_cage,), 10)]
    jobs["6x6"] = [(Grid.square(6), (), (_cage,), 8), (Grid.square(6), (), MAKERS["kropki"], 12)]
    jobs["6x8"] = [(Grid.rectangle(6, 8, (2, 4)), (), (_arrow,), 6)]
    jobs["from-0"] = [(Grid.square(9, values=range(9)), (), (_cage,), 14)]
    jobs["wide"] = [(Grid.square(9, values=range(10)), (), (_arrow,), 10)]
    jobs["16x16"] = [(Grid.square(16), (), (_cage,), 30), (Grid.square(16), (r.Windoku(),), (), 0)]
    for name, all_of in jobs.items():
        if wanted and name not in wanted:
            continue
        puzzles = [made(name, *one, seed) for seed, one in enumerate(all_of, 1)]
        write_puzzles(puzzles, Path(folder) / f"{name}.jsonl", "json")
        print(name, [len(puzzle.givens) for puzzle in puzzles], flush=True)


if __name__ == "__main__":
    assert RULES
    main(sys.argv[1], sys.argv[2:])
