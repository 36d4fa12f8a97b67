"""Make the puzzles of examples/harder_variants: those of `variants` with more clues, of which only the needed ones stay.

Clues are drawn for a random solution; then givens, and after them clues, are left out in random order while there is one solution
and the search proves it within a number of nodes. Where it does not, SAT may show it instead, twice for a puzzle: so some puzzles
are harder than our search can do. Run it as ``python examples/makers/harder_variants.py examples/harder_variants`` (half
an hour). Seeds are fixed; how long SAT may take is a time, so other machines may make other puzzles.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from random import Random

from variants import JIGSAW, MAKERS, TRIES, WHOLE, Draw, Maker, clues

from sudoku_cp import Grid, Limits, Puzzle, random_solution, solve, write_puzzles
from sudoku_cp import rules as r
from sudoku_cp.rules import Houses, Rule

NODES = (15_000, 60_000)
"""The most nodes for the proof, in the puzzles of a family."""
CLUES = (16, 40)
"""How many clues the puzzles of a family get at most."""
CLUES_OF = {"full-rank": (3, 6), "connected": (5, 10), "connected-cages": (20, 30)}
SECONDS, DARES = 4.0, 2
"""Seconds of SAT where the search gives up, and how often."""


def full_rank(draw: Draw) -> Rule:
    """Return the rank of a random line, read from either end."""
    cells = draw.line()
    found = (r.FullRank(cells, rank) for rank in range(1, 4 * len(cells) + 1))
    return next(rule for rule in found if rule.holds(draw.grid, draw.solution))


def any_cage(draw: Draw) -> Rule:
    """Return a choice of three things to do with the cells of a line, one of which holds."""
    cells = draw.path(3, 5)
    return r.AnyOf((r.Thermometer(cells), r.Whisper(cells), r.Renban(cells)))


def any_sum(draw: Draw) -> Rule:
    """Return a choice between two arrows with the same cells."""
    first, *shaft = draw.path(3, 4)
    return r.AnyOf((r.Arrow(first, (tuple(shaft),)), r.Arrow(shaft[-1], ((first, *shaft[:-1]),))))


def connected(draw: Draw) -> Rule:
    """Return six values whose cells are connected: a few of the 84 choices are, on most grids."""
    values = tuple(draw.grid.values)
    drawn = (r.ConnectedValues(tuple(sorted(draw.random.sample(values, 6)))) for _ in range(TRIES))
    return next(rule for rule in drawn if rule.holds(draw.grid, draw.solution))


def wide_sum(draw: Draw) -> Rule:
    """Return the sum of touching cells of several houses, which may repeat values."""
    cells = draw.blob(4, 9)
    return r.LittleKiller(cells, draw.total(cells))


def cover(draw: Draw, rule: Callable[[tuple[int, ...], int], Rule], least: int, most: int) -> Iterator[Rule]:
    """Yield sums that cover the grid: touching cells without overlaps, and no fewer than ``least`` except where none are left."""
    free = set(draw.grid.cells)
    while free:
        cells = [draw.random.choice(sorted(free))]
        size = draw.random.randint(least, most)
        while len(cells) < size and (near := sorted(touching(draw.grid, cells) & free - set(cells))):
            cells.append(draw.random.choice(near))
        if rule is not r.KillerCage or len(set(draw.values(tuple(cells)))) == len(cells):
            free -= set(cells)
            yield rule(tuple(sorted(cells)), draw.total(tuple(cells)))


def touching(grid: Grid, cells: list[int]) -> set[int]:
    """Return the cells that share an edge with one of these."""
    places = [grid.places[cell] for cell in cells]
    beside = {(row + down, column + right) for row, column in places for down, right in ((0, 1), (1, 0), (0, -1), (-1, 0))}
    return {grid.cell_at[place] for place in beside if place in grid.cell_at}


COVERS: dict[str, tuple[Callable[[tuple[int, ...], int], Rule], tuple[tuple[int, int], ...]]] = {
    "killer-cover": (r.KillerCage, ((3, 5), (3, 7))),
    "sum-cover": (r.LittleKiller, ((3, 5), (3, 6))),
}
"""Sums that cover the grid, and the sizes of those in each puzzle."""
OTHERS: dict[str, tuple[Maker, ...]] = {
    "full-rank": (full_rank,),
    "any-of": (any_cage,),
    "any-of-arrows": (any_sum,),
    "wide-sums": (wide_sum,),
    "connected": (connected,),
    "connected-cages": (connected, *MAKERS["killer"]),
}


def few_pieces(puzzle: Puzzle, number: int, random: Random) -> Puzzle:
    """Return the puzzle without givens and clues that can be left out, as far as the limits show: first givens, then clues."""
    dares = DARES
    clues = [rule for rule in puzzle.rules if not isinstance(rule, Houses)]
    for piece in (*random.sample(list(puzzle.givens), len(puzzle.givens)), *random.sample(clues, len(clues))):
        fewer = without(puzzle, piece)
        answer = solve(fewer, backend="native:compiled", limits=Limits(nodes=NODES[number]), solution_limit=2)
        if answer.status == "unknown" and dares:
            dares -= 1
            answer = solve(fewer, backend="sat", limits=Limits(seconds=SECONDS), solution_limit=2)
        if answer.status == "unique":
            puzzle = fewer
    return puzzle


def without(puzzle: Puzzle, piece: int | Rule) -> Puzzle:
    """Return the puzzle without a given, named by its cell, or without a rule."""
    if isinstance(piece, Rule):
        return replace(puzzle, rules=tuple(rule for rule in puzzle.rules if rule != piece))
    return puzzle.with_givens({cell: value for cell, value in puzzle.givens.items() if cell != piece})


def made(title: str, grid: Grid, whole: tuple[Rule, ...], makers: tuple[Maker, ...], number: int) -> Puzzle:
    """Return the puzzle of that number with its solution."""
    random = Random(f"harder {title} {number}")
    empty = Puzzle(grid, (Houses(), *whole))
    answer = random_solution(empty, seed=random.randrange(2**31), limits=Limits(seconds=60))
    assert answer.solution, title
    draw = Draw(random, grid, answer.solution)
    if title in COVERS:
        rule, sizes = COVERS[title]
        rules = (*empty.rules, *cover(draw, rule, *sizes[number]))
    else:
        rules = (*empty.rules, *(clues(draw, makers, CLUES_OF.get(title, CLUES)[number]) if makers else ()))
    puzzle = Puzzle(grid, tuple(dict.fromkeys(rules)), title=f"harder {title} {number + 1}", solution=answer.solution)
    return few_pieces(puzzle.with_givens(dict(enumerate(answer.solution))), number, random)


def main(folder: str, wanted: list[str]) -> None:
    """Write a file for each kind."""
    square = Grid.square(9)
    jobs: dict[str, tuple[Grid, tuple[Rule, ...], tuple[Maker, ...]]] = {}
    jobs |= {name: (square, (), makers) for name, makers in (MAKERS | OTHERS).items()}
    jobs |= {name: (square, whole, ()) for name, whole in WHOLE.items()}
    jobs |= dict.fromkeys(COVERS, (square, (), ()))
    jobs["jigsaw"] = (Grid.jigsaw(JIGSAW), (), MAKERS["killer"])
    jobs["16x16"] = (Grid.square(16), (r.Windoku(),), ())
    for name, job in jobs.items():
        if wanted and name not in wanted:
            continue
        puzzles = [made(name, *job, number) for number in range(len(NODES))]
        write_puzzles(puzzles, Path(folder) / f"{name}.jsonl", "json")
        print(name, [len(puzzle.givens) for puzzle in puzzles], flush=True)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
