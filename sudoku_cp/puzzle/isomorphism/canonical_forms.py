"""Isomorphism: keys, canonical forms, numbers of symmetries, and random isomorphic copies.

Two puzzles are **isomorphic** if permuting the cells and renaming the values turns one into the other, and the rules of
one into those of the other. `docs/canonical-form.md` says which permutations and renamings these are for which rules.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from itertools import pairwise, permutations
from math import factorial, prod
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple

from sudoku_cp.compile_cache import CachedModule, can_compile
from sudoku_cp.grid import Board, Cell, Grid, Place
from sudoku_cp.model import members, to_mask
from sudoku_cp.puzzle.isomorphism import canonical_labelling, minlex
from sudoku_cp.puzzle.isomorphism.canonical_labelling import (
    CellContents,
    ColouredGraph,
    Labelling,
    RuleStructure,
    cell_contents,
    equal_lines_size,
    find_equal_lines,
    label_graph,
    puzzle_graph,
    rename_cells,
    rule_structure,
)
from sudoku_cp.puzzle.puzzle import CLASSIC, Puzzle
from sudoku_cp.rules.base import Rule, move_rule

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence

    from sudoku_cp.puzzle.isomorphism.canonical_labelling import Shape


# Key, canonical form and symmetries of any puzzle, by the canonical labelling of its graph.
#
# The symmetries of the rules are the permutations of cells that keep every constraint, with every relabelling of the values if
# all constraints only say that cells differ, else with the values as they are or all mirrored.


class LabelledPuzzle(NamedTuple):
    """A puzzle as it is, or with all values mirrored: its rules, the contents of the cells, and the labelling of both."""

    rules: RuleStructure
    inside: CellContents
    labelling: Labelling


def general_key(puzzle: Puzzle, tick: Callable[[], object] = int) -> Hashable:
    """Return a key that is equal exactly for puzzles that become each other by permuting cells and renaming values."""
    lowered, values = rule_structure(puzzle.grid, puzzle.rules, tick), puzzle.grid.values
    least = min(way.labelling.certificate for way in _labelled_versions(puzzle, tick))
    return lowered.board, len(values) if lowered.values_are_interchangeable else (values[0], values[-1]), least


def general_automorphism_count(puzzle: Puzzle, tick: Callable[[], object] = int) -> int:
    """Return the number of symmetries of the rules that keep the puzzle as it is."""
    lowered = rule_structure(puzzle.grid, puzzle.rules, tick)
    own, *mirrored = _labelled_versions(puzzle, tick)
    number = own.labelling.order()
    if lowered.cells > lowered.board:  # automorphisms that only move auxiliaries do not count
        number //= label_graph(_graph_with_fixed_cells(lowered), tick).order()
    if lowered.values_are_interchangeable:
        return number * factorial(len(puzzle.grid.values) - len(own.inside.used()))
    return number * (1 + any(way.labelling.certificate == own.labelling.certificate for way in mirrored))


def canonical_transformation(puzzle: Puzzle, tick: Callable[[], object] = int) -> Transformation:
    """Return the symmetry of the rules that makes a puzzle canonical."""
    lowered = rule_structure(puzzle.grid, puzzle.rules, tick)
    own, *mirrored = _labelled_versions(puzzle, tick)
    if mirrored and _is_mirror(puzzle.grid, puzzle.rules):
        own = min(own, *mirrored, key=lambda way: way.labelling.certificate)
    places = own.labelling.places
    # From the rules as this labelling orders them back to the rules as they are, by way of their own labelling.
    ranks = _ranks(places[: lowered.board]), _ranks(places[lowered.board : lowered.cells])
    names = [*ranks[0], *(lowered.board + rank for rank in ranks[1])]
    again = label_graph(puzzle_graph(lowered._replace(constraints=rename_cells(own.rules.constraints, names))), tick)
    at = _invert(label_rules(puzzle.grid, puzzle.rules).places)
    cells = tuple(at[again.places[names[cell]]] for cell in range(lowered.board))
    return Transformation(cells, _canonical_values(puzzle, lowered, own))


def random_general_symmetry(puzzle: Puzzle, random: Random) -> Transformation:
    """Return a symmetry of the rules, each as likely as any other."""
    lowered, values = rule_structure(puzzle.grid, puzzle.rules), puzzle.grid.values
    labelling = label_rules(puzzle.grid, puzzle.rules)
    cells = list(range(len(labelling.places)))
    for level in range(len(labelling.base)):
        _, taken = random.choice(sorted(labelling.orbit(level).items()))
        cells = [cells[vertex] for vertex in taken]
    renamed = list(values)
    if lowered.values_are_interchangeable:
        random.shuffle(renamed)
    elif _is_mirror(puzzle.grid, puzzle.rules) and random.randrange(2):
        at = _invert(labelling.places)
        turned = _label_mirrored_rules(puzzle.grid, puzzle.rules).places
        cells = [cells[at[place]] for place in turned]
        renamed.reverse()
    return Transformation(tuple(cells[: lowered.board]), dict(zip(values, renamed, strict=True)))


def _labelled_versions(puzzle: Puzzle, tick: Callable[[], object]) -> list[LabelledPuzzle]:
    """Return the puzzle as it is and, if values cannot be renamed at will, with its values mirrored."""
    lowered, inside = rule_structure(puzzle.grid, puzzle.rules, tick), cell_contents(puzzle)
    pairs = [(lowered, inside)]
    if not lowered.values_are_interchangeable and lowered.mirror is not None and len(puzzle.grid.values) > 1:
        ends = puzzle.grid.values[0] + puzzle.grid.values[-1]
        pairs.append((lowered._replace(constraints=lowered.mirror), inside.mirrored(ends)))
    return [LabelledPuzzle(rules, own, label_graph(puzzle_graph(rules, own), tick)) for rules, own in pairs]


def _canonical_values(puzzle: Puzzle, lowered: RuleStructure, way: LabelledPuzzle) -> dict[int, int]:
    """Return the new name of each value in the canonical form: used values in the order of their vertices, then the others."""
    values = puzzle.grid.values
    if not lowered.values_are_interchangeable:
        mirrored = way.inside != cell_contents(puzzle) or way.rules != lowered
        return dict(zip(values, reversed(values) if mirrored else values, strict=True))
    used = way.inside.used()
    places = way.labelling.places[lowered.cells : lowered.cells + len(used)]
    ordered = [value for _, value in sorted(zip(places, used, strict=True))]
    return dict(zip([*ordered, *sorted(set(values) - set(used))], values, strict=True))


# --- the rules alone ----------------------------------------------------------------------------------------------


@lru_cache(maxsize=64)
def label_rules(grid: Grid, rules: tuple[Rule, ...]) -> Labelling:
    """Return the canonical labelling of the rules, with all cells empty."""
    return label_graph(puzzle_graph(rule_structure(grid, rules)))


@lru_cache(maxsize=64)
def _label_mirrored_rules(grid: Grid, rules: tuple[Rule, ...]) -> Labelling:
    lowered = rule_structure(grid, rules)
    return label_graph(puzzle_graph(lowered._replace(constraints=lowered.mirror or frozenset())))


def _is_mirror(grid: Grid, rules: tuple[Rule, ...]) -> bool:
    """Return whether mirroring the values and permuting the cells somehow keeps rules that do not allow every relabelling."""
    lowered = rule_structure(grid, rules)
    if lowered.values_are_interchangeable or lowered.mirror is None:
        return False
    return _label_mirrored_rules(grid, rules).certificate == label_rules(grid, rules).certificate


def _graph_with_fixed_cells(lowered: RuleStructure) -> ColouredGraph:
    """Return the graph of the rules in which each cell of the board has a colour of its own, so that none can move."""
    colours, edges = puzzle_graph(lowered)
    return ColouredGraph((*(f"cell {cell}" for cell in range(lowered.board)), *colours[lowered.board :]), edges)


def _ranks(places: Sequence[int]) -> list[int]:
    rank = {place: number for number, place in enumerate(sorted(places))}
    return [rank[place] for place in places]


def _invert(places: Sequence[int]) -> list[int]:
    found = [0] * len(places)
    for vertex, place in enumerate(places):
        found[place] = vertex
    return found


# Transformations: of the contents of cells, and of a whole puzzle, grid and rules included, by turns and reflections.


class Transformation(NamedTuple):
    """A permutation of the cells and a renaming of the values: where each cell goes, and what each value becomes."""

    cells: tuple[Cell, ...]
    values: Mapping[int, int]

    def of(self, puzzle: Puzzle) -> Puzzle:
        """Return the puzzle with its givens, candidates and stated solution moved; grid and rules stay."""
        to, value = self.cells, self.values
        marks = {to[cell]: to_mask(value[one] for one in members(some)) for cell, some in puzzle.candidates.items()}
        solution = None
        if puzzle.solution is not None:
            held = {to[cell]: value[one] for cell, one in enumerate(puzzle.solution)}
            solution = tuple(held[cell] for cell in puzzle.grid.cells)
        givens = {to[cell]: value[one] for cell, one in puzzle.givens.items()}
        return replace(puzzle, givens=givens, candidates=marks, solution=solution, drawings=())


# --- turns and reflections ---------------------------------------------------------------------------------------


def random_reorientation(puzzle: Puzzle, random: Random) -> Puzzle:
    """Return the puzzle after one of the eight turns and reflections of the plane, any of those that keep its meaning.

    Rules and irregular regions move along. Turns that would change the shape of boards or boxes are skipped, and so are those
    after which a rule would not mean the same for the moved cells.
    """
    ways = [(transpose, down, right) for transpose in (False, True) for down in (False, True) for right in (False, True)]
    random.shuffle(ways)
    return next((found for way in ways if (found := _reorient(puzzle, *way)) is not None), puzzle)


def _reorient(puzzle: Puzzle, transpose: bool, down: bool, right: bool) -> Puzzle | None:  # noqa: FBT001
    """Return the puzzle transposed, flipped upside down and left-right, each if requested; None if that changes its meaning."""
    last_row, last_column = (max(place[axis] for place in puzzle.grid.places) for axis in (0, 1))
    if transpose:
        last_row, last_column = last_column, last_row

    def to(place: Place) -> Place:
        row, column = reversed(place) if transpose else place
        return last_row - row if down else row, last_column - column if right else column

    boards = sorted((_move_board(board, to) for board in puzzle.grid.boards), key=lambda board: board.at)
    grid = Grid.of(tuple(boards), puzzle.grid.values)
    if list(map(_shape, grid.boards)) != list(map(_shape, puzzle.grid.boards)):
        return None
    if {*grid.houses.values()} == {*puzzle.grid.houses.values()}:
        grid = puzzle.grid
    cells = tuple(grid.cell_at[to(place)] for place in puzzle.grid.places)
    rules = tuple(move_rule(rule, cells.__getitem__) for rule in puzzle.rules)
    if not _rules_mean_the_same(puzzle, grid, rules, cells):
        return None
    bare = replace(puzzle, grid=grid, rules=CLASSIC, givens={}, candidates={}, solution=None, drawings=())
    inside = Transformation(cells, {value: value for value in grid.values}).of(replace(puzzle, rules=()))
    return replace(bare, rules=rules, givens=inside.givens, candidates=inside.candidates, solution=inside.solution)


def _rules_mean_the_same(puzzle: Puzzle, grid: Grid, rules: tuple[Rule, ...], cells: tuple[Cell, ...]) -> bool:
    before, after = rule_structure(puzzle.grid, puzzle.rules), rule_structure(grid, rules)
    if before.cells > before.board:
        return False
    return rename_cells(before.constraints, cells) == after.constraints


def _move_board(board: Board, to: Callable[[Place], Place]) -> Board:
    """Return the board as it lies after its places have moved."""
    places = {to(place): label for place, label in zip(board.places(), board.labels(), strict=True)}
    ordered = sorted(places)
    (top, left), (bottom, end) = ordered[0], ordered[-1]
    rows, columns = bottom - top + 1, end - left + 1
    swapped = to((0, 1))[0] != to((0, 0))[0]
    boxes = board.boxes and (board.boxes[::-1] if swapped else board.boxes)
    regions = None if board.regions is None else tuple(places[place] for place in ordered)
    return Board(rows, columns, boxes, regions, (top, left))


def _shape(board: Board) -> tuple[object, ...]:
    return board.rows, board.columns, board.boxes, board.regions is None, board.at


# Boards with equal boxes (or none) under the plain rule: the arrangements of rows and columns that keep the rule.
#
# These are the orders of the bands, of the rows in each band, of the stacks, of the columns in each stack, and transposition
# where board and boxes are square: 3,359,232 on the usual board. Each goes together with every relabelling of the values.


MAX_STACKS = 6
"""Boards of more stacks are left to the general method, as all orders of stacks are tried."""
INITIAL_STATES = 512
"""The number of states allocated at first."""


class MinlexForm(NamedTuple):
    """The smallest form, cell by cell (0 where blank), and the states that have it."""

    cells: tuple[int, ...]
    after: list[int]
    states: list[list[int]]


def shape_of(puzzle: Puzzle) -> Shape | None:
    """Return the shape of a puzzle that this file handles, None for any other."""
    return None if puzzle.rules != CLASSIC or puzzle.candidates else shape_of_grid(puzzle.grid)


def shape_of_grid(grid: Grid) -> Shape | None:
    """Return the shape of a board with equal boxes or none; None for jigsaws and several boards."""
    board, *others = grid.boards
    if others or board.regions is not None:
        return None
    height, width = board.boxes or (board.rows, board.columns)
    return None if board.columns // width > MAX_STACKS else (board.rows, board.columns, height, width, len(grid.values))


def turns_of(shape: Shape) -> int:
    """Return 2 where transposition keeps the shape, else 1."""
    rows, columns, height, width, _ = shape
    return 2 if (rows, height) == (columns, width) else 1


@lru_cache(maxsize=64)
def orders_of(shape: Shape) -> tuple[int, ...]:
    """Return all orders of the stacks, concatenated."""
    stacks = shape[1] // shape[3]
    return tuple(stack for order in permutations(range(stacks)) for stack in order)


def transpose(cells: Sequence[int], shape: Shape) -> list[int]:
    """Return the cells of a board in the order of the transposed one."""
    columns = shape[1]
    return [cell for column in range(columns) for cell in cells[column::columns]]


def givens_of(puzzle: Puzzle) -> list[int]:
    """Return the values of the cells counted from 1, and 0 for blanks."""
    below = puzzle.grid.values[0] - 1
    return [puzzle.givens[cell] - below if cell in puzzle.givens else 0 for cell in puzzle.grid.cells]


def smallest(cells: Sequence[int], shape: Shape, tick: Callable[[], object] = int) -> MinlexForm:
    """Return the smallest form of a board; ``tick`` is called now and then and may raise to give up."""
    turns, size, orders = turns_of(shape), minlex.size_of(shape), orders_of(shape)
    given = [*cells, *(transpose(cells, shape) if turns > 1 else ())]
    after, best, scratch = [0] * equal_lines_size(turns, shape), [0] * (len(cells) + 1), [0] * minlex.scratch_of(shape)
    find_equal_lines(given, turns, after, shape)
    states, kept = [0] * (size * turns * len(orders)), [0] * (size * INITIAL_STATES)
    count = minlex.start_states(states, turns, orders, after, shape)
    level = state = 0
    while level < shape[0]:
        if state == 0:
            minlex.clear_row(best, level, shape)
        tick()
        if not minlex.extend(states, state * size, level, given, after, scratch, best, shape, kept):
            kept, state = [0] * (4 * len(kept)), 0  # the row is started again
            continue
        state += 1
        if state == count:
            states, kept, count, state, level = kept, states, best[-1], 0, level + 1
    return MinlexForm(tuple(best[:-1]), after, [states[start : start + size] for start in range(0, count * size, size)])


# --- symmetries ---------------------------------------------------------------------------------------------------


def board_automorphism_count(cells: Sequence[int], shape: Shape, tick: Callable[[], object] = int) -> int:
    """Return how many arrangements, each with a relabelling, keep a board as it is: as many as produce the smallest form."""
    found = smallest(cells, shape, tick)
    total = sum(_arrangement_count(state, found.after, shape) for state in found.states)
    return total * factorial(shape[4] - len(set(cells) - {0}))


def _arrangement_count(state: Sequence[int], after: Sequence[int], shape: Shape) -> int:
    """Return the number of arrangements of a state: any order of the columns in a part, and of equal rows, bands and stacks."""
    rows, columns, height, width, _ = shape
    bands, stacks = rows // height, columns // width
    turn, turns = state[minlex.TURNED], turns_of(shape)
    starts = [place for place in range(columns + 1) if state[minlex.STARTS] >> place & 1]
    product = prod(factorial(end - start) for start, end in pairwise(starts))
    own = turn * (rows + bands)
    product *= _order_count(after[own : own + rows]) * _order_count(after[own + rows : own + rows + bands])
    return product * _order_count(after[turns * (rows + bands) + turn * stacks :][:stacks])


def _order_count(before: Sequence[int]) -> int:
    """Return the number of orders of some lines, given for each the last equal one before it, or -1."""
    numbers: list[int] = []
    for like in before:
        numbers.append(1 if like < 0 else numbers[like] + 1)
    return prod(numbers)


def random_symmetry(puzzle: Puzzle, shape: Shape, random: Random) -> Transformation:
    """Return an arrangement and a relabelling, each as likely as any other."""
    rows, columns, height, width, _ = shape
    down, right = _shuffle_lines(rows, height, random), _shuffle_lines(columns, width, random)
    cells = [row * columns + column for row in down for column in right]
    if turns_of(shape) > 1 and random.randrange(2):
        cells = transpose(cells, shape)
    values = list(puzzle.grid.values)
    random.shuffle(values)
    return Transformation(tuple(cells), dict(zip(puzzle.grid.values, values, strict=True)))


def _shuffle_lines(lines: int, size: int, random: Random) -> list[int]:
    groups = [random.sample(range(start, start + size), size) for start in range(0, lines, size)]
    random.shuffle(groups)
    return [line for group in groups for line in group]


def canonical(puzzle: Puzzle, tick: Callable[[], object] = int) -> Puzzle:
    """Return the one puzzle that stands for all that are isomorphic to it on the same grid under the same rules.

    On a board with equal boxes under the plain rule, it is the one whose line is smallest, blanks before values. Texts, alphabet
    and stated solution are dropped. ``tick`` is called now and then and may raise to give up.
    """
    bare = Puzzle(puzzle.grid, puzzle.rules, puzzle.givens, puzzle.candidates)
    shape = shape_of(puzzle)
    if shape is None:
        return canonical_transformation(bare, tick).of(bare)
    below = puzzle.grid.values[0] - 1
    cells = smallest(givens_of(puzzle), shape, tick).cells
    return bare.with_givens({cell: value + below for cell, value in enumerate(cells) if value})


def canonical_key(puzzle: Puzzle, tick: Callable[[], object] = int) -> Hashable:
    """Return a key that is equal for isomorphic puzzles and never for others; the same in every process."""
    shape = shape_of(puzzle)
    if shape is not None:
        return shape, bytes(smallest(givens_of(puzzle), shape, tick).cells)

    return general_key(puzzle, tick)


def canonical_keys(puzzles: Iterable[Puzzle], tick: Callable[[], object] = int) -> list[Hashable]:
    """Return the key of each puzzle; many boards of the same shape use compiled code, ten thousand a second."""
    listed = list(puzzles)
    places: dict[Shape | None, list[int]] = {}
    for place, puzzle in enumerate(listed):
        places.setdefault(shape_of(puzzle), []).append(place)
    found: dict[int, Hashable] = {}
    for shape, alike in places.items():
        if shape is not None and is_worthwhile(len(alike)):
            forms = smallest_of([givens_of(listed[place]) for place in alike], shape, tick)
            found.update((place, (shape, form)) for place, form in zip(alike, forms, strict=True))
        else:
            found.update((place, canonical_key(listed[place], tick)) for place in alike)
    return [found[place] for place in range(len(listed))]


def automorphism_count(puzzle: Puzzle, tick: Callable[[], object] = int) -> int:
    """Return how many symmetries of the rules, each a permutation of cells with a renaming of values, keep a puzzle as it is.

    Renamings that differ only in values that do not occur are counted separately: an empty 9x9 board has 3,359,232 x 9! of them.
    """
    shape = shape_of(puzzle)
    if shape is not None:
        return board_automorphism_count(givens_of(puzzle), shape, tick)

    return general_automorphism_count(puzzle, tick)


def scramble(puzzle: Puzzle, seed: int | None = None) -> Puzzle:
    """Return the puzzle under a random symmetry, the same for the same ``seed``; a stated solution is transformed too.

    Under rules other than the plain one, or with irregular regions, the whole plane may be turned as well.
    """
    random = Random(seed)  # noqa: S311  # not used for secrets
    shape = shape_of_grid(puzzle.grid) if puzzle.rules == Puzzle(puzzle.grid).rules else None
    if shape is not None:
        return random_symmetry(puzzle, shape, random).of(puzzle)

    return random_reorientation(random_general_symmetry(puzzle, random).of(puzzle), random)


# The smallest forms of many boards at a time: `minlex`, compiled by Numba.


ENOUGH, MANY = 500, 10_000
"""The least numbers of boards for which it pays to load the compiled code, and to compile it."""
STATES = 4096
"""States that there is room for; a board that needs more is left to plain Python."""
PIECE = 1000
"""Boards between two ticks."""

_kernel = CachedModule.of_functions("minlex", (canonical_labelling, minlex), ("many",), "the kernel of smallest forms")


def is_worthwhile(number: int) -> bool:
    """Return whether the compiled code saves more time on so many boards than loading or compiling it takes."""
    if number < ENOUGH or not can_compile():
        return False
    return number >= MANY or _kernel.is_loaded or _kernel.is_cached()


def smallest_of(boards: Sequence[Sequence[int]], shape: Shape, tick: Any = int) -> list[bytes]:
    """Return the smallest form of each board, one byte per cell."""
    import numpy as np  # noqa: PLC0415  # only the compiled code needs it

    turns, size = turns_of(shape), minlex.size_of(shape)
    cells = np.array(boards, np.int64).reshape(len(boards), shape[0], shape[1])
    given = np.stack([cells, cells.swapaxes(1, 2)], 1) if turns > 1 else cells
    given = np.ascontiguousarray(given).reshape(len(boards), -1)
    best = np.zeros((len(boards), shape[0] * shape[1] + 1), np.int64)
    orders = np.array(orders_of(shape))
    rooms = [equal_lines_size(turns, shape), minlex.scratch_of(shape), *[size * max(STATES, turns * len(orders))] * 2]
    after, scratch, states, kept = (np.zeros(room, np.int64) for room in rooms)
    for start in range(0, len(boards), PIECE):
        tick()
        piece = slice(start, start + PIECE)
        _kernel.call("many", given[piece], turns, orders, after, scratch, states, kept, best[piece], shape)
    found = [row.tobytes() for row in best[:, :-1].astype(np.uint8)]
    for board in np.flatnonzero(best[:, -1] < 0).tolist():
        found[board] = bytes(smallest(boards[board], shape, tick).cells)
    return found
