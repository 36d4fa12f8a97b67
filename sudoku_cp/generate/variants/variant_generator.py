"""Generates puzzles with clues of given families: solutions are drawn until the clues selected for one fulfil the request."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from sudoku_cp.errors import InvalidInput, LimitReached, WrongAnswer
from sudoku_cp.generate.base import GeneratedPuzzle, GenerateRequest, Span, Target, random_stream
from sudoku_cp.generate.general.random_solution import random_solution
from sudoku_cp.generate.random_regions import random_regions
from sudoku_cp.generate.variants.beauty import ugliness
from sudoku_cp.generate.variants.families import family_named
from sudoku_cp.generate.variants.families.finder_family import FinderContext, FinderFamily, Tile, join_images
from sudoku_cp.generate.variants.layouts import LayoutContext, choose_symmetry, compose_layout, draft_clues
from sudoku_cp.generate.variants.named_path import add_way_in, wants_way_in
from sudoku_cp.generate.variants.proposals import Style, style_named
from sudoku_cp.generate.variants.select_clues import (
    ANY_GIVENS,
    GIVEN,
    NODES,
    CandidateClue,
    ClueSolver,
    Occupancy,
    SelectedClues,
    SelectionSpec,
    check_singly,
    clues_from_proposals,
    estimate_bits,
    keep_apart,
    minimize_clues,
    pack_clues,
    rename_values,
    select_clues,
)
from sudoku_cp.grid import Cell, Grid
from sudoku_cp.puzzle import Puzzle
from sudoku_cp.puzzle.pattern_symmetry import orbits
from sudoku_cp.rules.composite import AnyOf

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
    from random import Random

    from sudoku_cp.backends import Clock, Limits, Solution
    from sudoku_cp.grid import Place
    from sudoku_cp.rules.base import Rule


TRIES = 100
"""Solutions drawn for a puzzle before it is given up."""
BETTER = 4
"""Further tries for a puzzle whose clues are all known to be needed, after one for which that is not known."""
GOOD = 0.25
"""A puzzle with no more flaws than this, as `ugliness` weighs them, is kept at once."""
COMPARED_PUZZLES, EFFORT = 6, 30_000
"""The most puzzles of which the most beautiful is kept, and the conflicts after which no other is made."""
EASING, COMPARED = 40, 3
"""The most clues added to make a puzzle easier, and how many are compared for each."""
UNSURE = "some clues may not be needed: a question ran out of conflicts"
SPARE = "some clues or givens are not needed, but stay for the symmetry or the number requested"
EARLY = "clues that are not needed may be left: the limit came first"
UNNAMED = "named steps leave {} cells open (`any_path` does not ask for them)"
CUT = "more beautiful ones may exist: the limit came first"


@dataclass(frozen=True)
class _Attempted:
    """A puzzle with one solution, how far it is from the request, and how many cells named steps leave open."""

    puzzle: Puzzle
    selection: SelectedClues
    miss: float
    open_cells: int = 0


class _Composed(NamedTuple):
    """An attempt that found clues for one solution, which may not be enough for the difficulty or for named steps yet."""

    attempt: Attempt
    chosen: AttemptResult
    ugliness: float


class VariantGenerator:
    """Generates puzzles with clues of ``request.families``, one at a time."""

    engine = "sat"
    chunk_size = 1

    def __init__(self, request: GenerateRequest, seed: int) -> None:
        """Look up the families, style and symmetry that the request names; raises `InvalidInput`."""
        self._request, self._seed = request, seed
        found = [family_named(name) for name in request.families]
        self._families = {family.name: family for family in found}
        self._style = style_named(request.style)
        self._target = _difficulty_target(request)
        orbits(request.grid, request.symmetry)

    def make(self, numbers: Sequence[int], limits: Limits) -> Iterator[GeneratedPuzzle]:
        """Yield the puzzle of each number, in order."""
        for number in numbers:
            yield self._generate(number, limits.started())

    def _generate(self, number: int, clock: Clock) -> GeneratedPuzzle:
        best: _Attempted | None = None
        waiting: list[_Composed] = []
        last, tries = TRIES, 0
        reason, why = None, "nothing was chosen yet"
        try:
            while tries < last:
                tries += 1
                composed = self._compose(tries, random_stream(self._seed, number, "clues", tries), clock)
                if isinstance(composed, str):
                    why = composed
                else:
                    waiting.append(composed)
                if not waiting or (best is None and tries < last and not self._is_enough(waiting, clock)):
                    continue
                tried = self._finish(_take_most_beautiful(waiting))
                best = tried if best is None or self._badness(tried) < self._badness(best) else best
                if not self._badness(best) or best.selection.reason:
                    break
                if not best.miss:
                    last = min(last, tries + BETTER)
        except LimitReached as reached:
            best = best or self._finish_late(waiting)
            if best is None or reached.reason == "cancelled":
                raise LimitReached(reached.reason, f"{clock.elapsed:.3g} s, {tries} tries; {why}") from reached
            reason = reached.reason
        if best is None:
            raise LimitReached("nodes", f"no puzzle in {tries} tries; {why}")
        missed = self._describe_missing(best) or (CUT if reason else "")
        return GeneratedPuzzle(number, best.puzzle, tries, best.selection.reason or reason or "nodes" if missed else None, missed)

    def _is_enough(self, waiting: Sequence[_Composed], clock: Clock) -> bool:
        """Return whether the most beautiful of those found is to be kept."""
        good = min(one.ugliness for one in waiting) <= GOOD or any(one.chosen.selection.reason for one in waiting)
        return good or len(waiting) >= COMPARED_PUZZLES or clock.nodes > EFFORT

    def _finish_late(self, waiting: list[_Composed]) -> _Attempted | None:
        """Return the most beautiful of those found before a limit, None where nothing can be done about it any more."""
        try:
            return self._finish(_take_most_beautiful(waiting)) if waiting else None
        except LimitReached:
            return None

    def _badness(self, tried: _Attempted) -> tuple[float, int, int] | tuple[()]:
        """Return how far it is from the request, in order of weight, and () where it fulfils the request."""
        unneeded = self._request.minimal and (tried.selection.unsure + tried.selection.spare)
        badness = (tried.miss, tried.open_cells, int(unneeded))
        return badness if any(badness) or tried.selection.reason else ()

    def _describe_missing(self, tried: _Attempted) -> str:
        selection, minimal = tried.selection, self._request.minimal
        flaws = {
            self._request.unmet_words(): tried.miss,
            UNNAMED.format(tried.open_cells): tried.open_cells,
            EARLY: selection.reason,
            UNSURE: minimal and selection.unsure,
            SPARE: minimal and selection.spare,
        }
        return "; ".join(words for words, so in flaws.items() if so)

    # --- one try ------------------------------------------------------------------------------------------------

    def _compose(self, tries: int, random: Random, clock: Clock) -> _Composed | str:
        """Draw a solution and select clues for it; return the result, or in words why none were found."""
        request = self._request
        board = Puzzle(_with_random_regions(random, request.grid) if request.jigsaw else request.grid, request.rules)
        try:
            solution = random_solution(board, random, clock.left())
        except InvalidInput:
            if not request.jigsaw:
                raise
            return "the regions drawn allow no solution under the rules"
        symmetry = request.symmetry
        if self._style.composed:
            symmetry = choose_symmetry(random, request, tries)
        attempt = Attempt(request, self._families, self._style, board, solution, random, clock, tries, symmetry)
        attempt = attempt.with_layout() if self._style.composed else attempt
        chosen = attempt.run()
        if isinstance(chosen, str):
            return chosen
        flaws = ugliness(attempt.puzzle(chosen.selection.clues)) if self._style.composed else 0.0
        return _Composed(attempt, chosen, flaws)

    def _finish(self, composed: _Composed) -> _Attempted:
        """Return the puzzle, with the further clues that its difficulty takes, and those that named steps need."""
        attempt, chosen = composed.attempt, composed.chosen
        clues, selection, missed, open_cells = list(chosen.selection.clues), chosen.selection, 0.0, 0
        pool = () if self._request.minimal else chosen.pool

        def miss(clues: Sequence[CandidateClue]) -> float:
            return 0.0 if self._target is None else _miss(self._target, attempt.puzzle(clues), attempt.clock)

        if self._target is not None:
            clues, missed = _ease_puzzle(attempt.random, clues, pool, chosen.spec, miss)
        if wants_way_in(self._request):
            path = add_way_in(attempt.random, clues, pool, chosen.spec, attempt.puzzle, attempt.clock)
            selection, open_cells = replace(selection, reason=selection.reason or path.reason), path.open_cells
            if len(path.clues) > len(clues):
                clues, missed = path.clues, miss(path.clues)
        puzzle = attempt.puzzle(clues)
        if not puzzle.holds(attempt.solution):
            raise WrongAnswer(f"expected clues that hold for the solution {attempt.solution!r}, got {puzzle!r}")
        return _Attempted(puzzle, selection, missed, open_cells)


def _take_most_beautiful(waiting: list[_Composed]) -> _Composed:
    """Remove the one with the fewest flaws, the earliest of several, and return it."""
    return waiting.pop(min(range(len(waiting)), key=lambda index: waiting[index].ugliness))


def _ease_puzzle(
    random: Random,
    chosen: Sequence[CandidateClue],
    pool: Sequence[CandidateClue],
    spec: SelectionSpec,
    miss: Callable[[Sequence[CandidateClue]], float],
) -> tuple[list[CandidateClue], float]:
    """Return the ``chosen`` clues with some of the ``pool``, added one by one, that bring the puzzle closest to its target.

    Also return how far it is from the target.
    """
    held = list(chosen)
    missed = miss(held)
    for _ in range(EASING):
        occupancy, among = Occupancy(held, spec), set(held)
        able = [clue for clue in pool if clue not in among and occupancy.takes(clue)]
        if not missed or not able:
            break
        tried = [(miss([*held, clue]), clue) for clue in random.sample(able, min(COMPARED, len(able)))]
        least, clue = min(tried, key=lambda pair: pair[0])
        if least > missed:
            break
        held, missed = [*held, clue], least
    return held, missed


def _difficulty_target(request: GenerateRequest) -> Target | None:
    if not request.has_difficulty:
        return None
    from sudoku_cp.generate.targets import make_target  # noqa: PLC0415  # it loads compiled code, which few requests need

    return make_target(replace(request, givens=None))


def _with_random_regions(random: Random, grid: Grid) -> Grid:
    """Return the grid with irregular regions in place of its boxes."""
    boards = [
        replace(board, boxes=None, regions=random_regions(random, board.rows, board.columns, len(grid.values)))
        for board in grid.boards
    ]
    return Grid.of(tuple(boards), grid.values)


def _miss(target: Target, puzzle: Puzzle, clock: Clock) -> float:
    """Return how far a puzzle is from the difficulty requested."""
    import numpy as np  # noqa: PLC0415  # as above

    from sudoku_cp.generate.targets import with_limits  # noqa: PLC0415  # as above

    givens = np.array([[puzzle.givens.get(cell, 0) for cell in puzzle.grid.cells]], dtype=np.uint8)
    return float(with_limits(target, clock.left()).miss(replace(puzzle, givens={}), givens)[0])


# One attempt at a puzzle: a solution, the clues that families propose for it, and the selection among them.


LOOKS, MOST_LOOKS = 3, 6
"""How often a family proposes where the givens are bounded, at first and at most; where they are not it proposes once."""
SEVERAL = "the clues found allow several solutions, or a question ran out of conflicts"
REVERSIBLE = "the clues found also hold with the values reversed, so that no puzzle can do without givens"
TIRED = 5
"""Each time after this many attempts, families propose once more."""
DEAR = 10.0
"""The cost of a given."""
ON_CLUES = 4
"""How many times that of another a given on a clue costs."""


class AttemptResult(NamedTuple):
    """The selected clues, the pool of further clues, and the constraints on the selection."""

    selection: SelectedClues
    pool: Sequence[CandidateClue]
    spec: SelectionSpec


@dataclass(frozen=True)
class Attempt:
    """A ``board`` (grid and rules, no givens) with a ``solution``, and the request.

    ``number`` counts the attempts; later ones propose more clues. The givens have the ``symmetry``, in a composed style together
    with all clues; its ``layout`` holds for the solution.
    """

    request: GenerateRequest
    families: Mapping[str, FinderFamily]
    style: Style
    board: Puzzle
    solution: Solution
    random: Random
    clock: Clock
    number: int = 0
    symmetry: str = "none"
    layout: tuple[CandidateClue, ...] = ()

    def with_layout(self) -> Attempt:
        """Return the same with a layout of clues, and a solution that has them."""
        grid = self.board.grid
        drafts = keep_apart(grid, draft_clues(self.random, grid, self.families, self.style, self.symmetry))
        if not drafts:
            return self
        samples = rename_values(self.random, grid, self.solution)
        layout = compose_layout(LayoutContext(self.random, self.board, samples, self._make_spec((), {}), self.clock), drafts)
        rules = tuple(rule for clue in layout for rule in clue.rules)
        solution = random_solution(replace(self.board, rules=(*self.board.rules, *rules)), self.random, self.clock.left())
        return replace(self, solution=solution, layout=tuple(layout))

    def run(self) -> AttemptResult | str:
        """Return clues that allow no other solution, or in words why none were found."""
        found = self._select()
        if isinstance(found, str) or not self.request.minimal:
            return found
        return found._replace(selection=check_singly(self.board, self.solution, found.selection, self.clock))

    def _select(self) -> AttemptResult | str:
        only = next(iter(self.families.values())) if len(self.families) == 1 else None
        if only is not None and self.style.tiled and only.tile is not None:
            tiler = Tiler(only.tile, only.name, self.random, self.solution, self.style, self._clue_symmetry)
            return self._tile(tiler, *self._split_givens(frozenset()))
        pool, layout = self._propose()
        if lacking := self.families.keys() - {clue.family for clue in pool}:
            return f"found no {' or '.join(sorted(lacking))} clues"
        fixed, spare = self._split_givens(frozenset(place for clue in layout for place in clue.places))
        if not (fixed or spare) and self._hold_reversed(pool):
            return REVERSIBLE
        solver = ClueSolver(self.board, self.solution, [*pool, *fixed, *spare], self.clock)
        samples = rename_values(self.random, self.board.grid, self.solution)
        spec = self._make_spec(fixed, estimate_bits(self.board.grid, samples, [*pool, *fixed, *spare]))
        initial = [*pack_clues(self.random, pool, spec, layout), *fixed]
        found = select_clues(self.random, solver, initial, [*pool, *spare], spec)
        if found is None:
            return SEVERAL
        selection = minimize_clues(self.random, solver, found, spec)
        if lacking := self.families.keys() - {clue.family for clue in selection.clues}:
            return f"found no need for {' or '.join(sorted(lacking))} clues"
        return AttemptResult(replace(selection, clues=self._enrich(found, selection.clues)), [*pool, *spare], spec)

    @property
    def _clue_symmetry(self) -> str:
        return self.symmetry if self.style.composed else "none"

    def _tile(self, tiler: Tiler, fixed: Sequence[CandidateClue], spare: Sequence[CandidateClue]) -> AttemptResult | str:
        found = tile_board(tiler, self.board, fixed, self.clock)
        if found is None:
            return SEVERAL
        solver, tiles = found
        spec = self._make_spec(fixed, {})
        clues = [*tiles, *fixed]
        selection = minimize_clues(self.random, solver, clues, spec) if self.request.minimal else SelectedClues(tuple(clues))
        return AttemptResult(selection, spare, spec)

    def _propose(self) -> tuple[list[CandidateClue], list[CandidateClue]]:
        """Return all clues that may be selected, and those of the layout among them.

        Families propose several times over where many clues may be needed. Drafts that are clues already are all that is
        proposed; those that only say that a place has a clue are replaced by it.
        """
        bounded = self.request.pattern is not None or (self.request.givens is not None and self.request.givens.most is not None)
        looks = min(MOST_LOOKS, (LOOKS if bounded else 1) + self.number // TIRED)
        drafted = {clue.family for clue in self.layout if not any(isinstance(rule, AnyOf) for rule in clue.rules)}
        pool = [clue for clue in self.layout if clue.family in drafted]
        for name, family in self.families.items():
            context = (self.random, self.board.grid, self.solution, self.style, self._clue_symmetry)
            if name not in drafted:
                pool += self._apart(
                    clues_from_proposals(name, chain.from_iterable(family.propose(*context) for _ in range(looks)))
                )
        placed = {(clue.family, clue.spots) for clue in self.layout}
        return pool, [clue for clue in pool if (clue.family, clue.spots) in placed]

    def _apart(self, clues: list[CandidateClue]) -> list[CandidateClue]:
        return keep_apart(self.board.grid, clues) if self.style.composed else clues

    def _hold_reversed(self, pool: Sequence[CandidateClue]) -> bool:
        """Return whether the board and all clues also hold with the values reversed."""
        values = self.board.grid.values
        turned = tuple(values[0] + values[-1] - value for value in self.solution)
        return self.board.holds(turned) and not any(clue.excludes(self.board.grid, self.solution, turned) for clue in pool)

    def _make_spec(self, fixed: Sequence[CandidateClue], bits: Mapping[CandidateClue, float]) -> SelectionSpec:
        request = self.request
        most = {name: family.most(self.board.grid) for name, family in self.families.items()}
        givens = ANY_GIVENS if request.givens is None else request.givens
        if request.pattern is not None:
            givens = Span(0, len(request.pattern))
        return SelectionSpec(
            tuple(most), most, bits, givens, frozenset(fixed if request.pattern is not None else ()), request.minimal
        )

    def _split_givens(self, covered: Collection[Place]) -> tuple[list[CandidateClue], list[CandidateClue]]:
        """Return the givens to begin with, and those that may be added; those not on places ``covered`` by clues come first."""
        request = self.request
        if request.pattern is not None:
            return [_given_clue((cell,)) for cell in request.pattern], []
        places = self.board.grid.places
        units = [
            _given_clue(cells, DEAR * (1 + (ON_CLUES - 1) * any(places[cell] in covered for cell in cells)))
            for cells in orbits(self.board.grid, self.symmetry)
        ]
        self.random.shuffle(units)
        units.sort(key=lambda unit: unit.cost)
        least, most = ANY_GIVENS if request.givens is None else request.givens
        initial: list[CandidateClue] = []
        for unit in units:
            cells = sum(len(one.cells) for one in initial)
            if cells < least and (most is None or cells + len(unit.cells) <= most):
                initial.append(unit)
        among = set(initial)
        return initial, [unit for unit in units if unit not in among and most != 0]

    def _enrich(self, chosen: Sequence[CandidateClue], kept: Sequence[CandidateClue]) -> tuple[CandidateClue, ...]:
        """Return the clues kept, and in a rich style some that are not needed, unless the puzzle must be minimal."""
        if self.request.minimal or not self.style.spare:
            return tuple(kept)
        among = set(kept)
        spare = [clue for clue in chosen if clue not in among and clue.family != GIVEN]
        return (*kept, *self.random.sample(spare, round(self.style.spare * len(spare))))

    def puzzle(self, clues: Sequence[CandidateClue]) -> Puzzle:
        """Return the puzzle with these clues, in the order of their families and cells."""
        rules: list[Rule] = []
        for name in self.families:
            rules += sorted((rule for clue in clues if clue.family == name for rule in clue.rules), key=repr)
        givens = {cell: self.solution[cell] for clue in clues for cell in clue.cells}
        return Puzzle(self.board.grid, (*self.board.rules, *rules), givens, solution=self.solution)


def _given_clue(cells: tuple[Cell, ...], cost: float = DEAR) -> CandidateClue:
    return CandidateClue(GIVEN, cells=cells, cost=cost)


# Boards covered by clues (tiles) of one family; where they allow another solution, a few neighbours are cut differently.


ROUNDS = 60
"""Counter-solutions before a cover is given up."""
CUTS = 30
"""Random cuts of a group of tiles before another group is tried."""
PLACES = 24
"""Groups of tiles tried against a counter-solution."""
MOST = 3
"""The most further tiles in a group."""


class Tiler(NamedTuple):
    """How a family covers a board, with the solution and the style that it needs."""

    tile: Tile
    name: str
    random: Random
    solution: Solution
    style: Style
    symmetry: str = "none"

    def cover(self, grid: Grid, cells: Sequence[Cell]) -> list[CandidateClue]:
        """Return random tiles that cover these cells."""
        context = FinderContext(self.random, grid, self.solution, self.style, self.symmetry)
        return clues_from_proposals(self.name, join_images(context, self.tile(context, cells)))


def tile_board(
    tiler: Tiler, board: Puzzle, others: Sequence[CandidateClue], clock: Clock
) -> tuple[ClueSolver, list[CandidateClue]] | None:
    """Return tiles that leave one solution together with ``others``, and the solver; None where none were found."""
    grid = board.grid
    tiles = tiler.cover(grid, grid.cells)
    seen: list[Solution] = []
    for _ in range(ROUNDS):
        solver = ClueSolver(board, tiler.solution, [*tiles, *others], clock)
        found = solver.other([*tiles, *others], NODES)
        if isinstance(found, list):
            return solver, tiles
        if found is None:
            return None
        seen.append(found)
        better = _recut(tiler, grid, tiles, seen, clock)
        if better is None:
            return None
        tiles = better
    return None


def _recut(
    tiler: Tiler, grid: Grid, tiles: list[CandidateClue], seen: Sequence[Solution], clock: Clock
) -> list[CandidateClue] | None:
    """Return tiles that exclude all counter-solutions ``seen``, by cutting a few neighbours differently."""
    cells = {tile: _cells(grid, tile) for tile in tiles}
    changed = {cell for cell in grid.cells if seen[-1][cell] != tiler.solution[cell]}
    near = [tile for tile in tiles if changed.intersection(cells[tile])]
    alone = [[tile for tile in tiles if tile.excludes(grid, tiler.solution, other)] for other in seen]
    for number in range(PLACES):
        clock.check()
        group = _grow_group(tiler.random, grid, tiler.random.choice(near), tiles, cells, 1 + min(MOST, number // 6 + 1))
        rest = [tile for tile in tiles if tile not in group]
        left = [other for other, able in zip(seen, alone, strict=True) if all(tile in group for tile in able)]
        area = sorted(cell for tile in group for cell in cells[tile])
        ways = (tiler.cover(grid, area) for _ in range(CUTS))
        fitting = (way for way in ways if all(any(tile.excludes(grid, tiler.solution, other) for tile in way) for other in left))
        way = min(fitting, key=lambda way: sum(tile.cost for tile in way), default=None)
        if way is not None:
            return rest + way
    return None


def _cells(grid: Grid, tile: CandidateClue) -> tuple[Cell, ...]:
    """Return the cells that a tile covers."""
    return tuple(sorted(grid.cell_at[row, column] for layer, row, column in tile.spots if (row, column) in grid.cell_at))


def _grow_group(
    random: Random,
    grid: Grid,
    first: CandidateClue,
    tiles: Sequence[CandidateClue],
    cells: dict[CandidateClue, tuple[Cell, ...]],
    size: int,
) -> list[CandidateClue]:
    """Return a connected group of tiles that starts with ``first``."""
    group = [first]
    while len(group) < size:
        area = {cell for tile in group for cell in cells[tile]}
        beside = {two[0] if two[1] in area else two[1] for two in grid.pairs((0, 1), (1, 0)) if len(area.intersection(two)) == 1}
        touching = [tile for tile in tiles if beside.intersection(cells[tile])]
        if not touching:
            break
        group.append(random.choice(touching))
    return group
