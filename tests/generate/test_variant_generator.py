"""Puzzles with clues of their own."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from sudoku_cp import Puzzle, solve
from sudoku_cp.backends import Cancellation, Limits
from sudoku_cp.errors import LimitReached, UnknownName
from sudoku_cp.generate.base import GeneratedPuzzle, GenerateRequest, Span, random_stream
from sudoku_cp.generate.difficulty_mix import DIFFICULTIES
from sudoku_cp.generate.variants import named_path, variant_generator
from sudoku_cp.generate.variants.families import FAMILIES
from sudoku_cp.generate.variants.named_path import add_way_in, named_rungs
from sudoku_cp.generate.variants.proposals import STYLES, style_named
from sudoku_cp.generate.variants.select_clues import GIVEN, CandidateClue, SelectionSpec
from sudoku_cp.generate.variants.variant_generator import VariantGenerator
from sudoku_cp.grid import Cell, Grid
from sudoku_cp.logic import make_board
from sudoku_cp.logic.ladder import apply_steps
from sudoku_cp.logic.rating.puzzle_levels import band_of
from sudoku_cp.logic.step import Technique
from sudoku_cp.puzzle.pattern_symmetry import is_symmetric
from sudoku_cp.puzzle.puzzle import CLASSIC
from sudoku_cp.queries import is_unique
from sudoku_cp.queries.puzzle_check import necessary_givens, redundant_parts
from sudoku_cp.rules.cages import KillerCage
from sudoku_cp.rules.chess import AntiKnight

if TYPE_CHECKING:
    from collections.abc import Sequence

OTHER = "native"
"""An engine that takes no part in the selection of clues."""
LARGER = {"dutch-whisper": 9, "lockout-line": 6, "nabner": 6}
"""Families that have no clues on a 4x4 board, and the size that they need."""
MIXTURES = (
    "killer-cage,thermometer",
    pytest.param("arrow,kropki,renban", marks=pytest.mark.slow),
    pytest.param("whisper,little-killer,quadruple", marks=pytest.mark.slow),
)


def made(names: str, size: int = 6, number: int = 0, seed: int = 1, seconds: float = 60, **options: object) -> GeneratedPuzzle:
    """Return one puzzle."""
    wanted = GenerateRequest(Grid.square(size), families=tuple(names.split(",")), **options)  # type: ignore[arg-type]
    return next(VariantGenerator(wanted, seed).make([number], Limits(seconds)))


def clues_of(puzzle: Puzzle) -> set[str]:
    """Return the kinds of its rules beyond the houses."""
    return {rule.kind for rule in puzzle.rules} - {"houses"}


def expect_minimal(puzzle: Puzzle) -> None:
    """Fail if another engine finds a clue or a given unnecessary."""
    assert puzzle.solution is not None
    assert redundant_parts(puzzle, puzzle.solution, backend=OTHER).rules == ()
    assert necessary_givens(puzzle, puzzle.solution, backend=OTHER).unnecessary == ()


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.slow) if LARGER.get(name) == 9 else name for name in sorted(FAMILIES)]
)
def test_every_family_makes_puzzles(name: str) -> None:
    """Each family has puzzles with one solution, in which everything is needed."""
    found = made(name, LARGER.get(name, 4), minimal=True)
    assert (found.reason, found.missed) == (None, "")
    assert clues_of(found.puzzle)
    assert found.puzzle.holds(found.puzzle.solution or ())
    assert is_unique(found.puzzle, backend=OTHER)
    if "all-" not in name:  # its marks cannot be separated from its rule of the whole board
        expect_minimal(found.puzzle)


@pytest.mark.parametrize("name", ["killer-cage", "thermometer", "kropki", "sandwich", "counting-circles"])
def test_the_same_seed_makes_the_same_again(name: str) -> None:
    """One family from each file makes the same puzzle twice."""
    assert made(name, LARGER.get(name, 4), minimal=True) == made(name, LARGER.get(name, 4), minimal=True)


def test_puzzles_do_not_hang_on_what_was_made_before() -> None:
    """A generator makes the same puzzle for a number whether or not it made others before."""
    generator = VariantGenerator(GenerateRequest(Grid.square(6), families=("thermometer", "kropki")), 7)
    one = {found.number: found for found in generator.make([4, 0, 2], Limits(60)) if isinstance(found, GeneratedPuzzle)}
    assert one[2] == made("thermometer,kropki", number=2, seed=7)
    assert len({found.puzzle for found in one.values()}) == 3


@pytest.mark.parametrize("names", MIXTURES)
def test_mixtures_have_clues_of_each_family(names: str) -> None:
    """A puzzle has clues of each family, and one solution."""
    found = made(names, givens=Span(0, 2))
    puzzle, chance = found.puzzle, random_stream(1, 0)
    for name in names.split(","):
        proposed = FAMILIES[name].propose(chance, puzzle.grid, puzzle.solution or (), STYLES["any"])
        assert {rule.kind for proposal in proposed for rule in proposal.rules} & clues_of(puzzle)
    assert len(puzzle.givens) <= 2
    assert is_unique(puzzle, backend=OTHER)


def test_killer_cages_cover_the_board() -> None:
    """Cages alone cover nearly every cell, none twice, and need no given."""
    puzzle = made("killer-cage", number=1, givens=Span(0, 0)).puzzle
    cells = [cell for rule in puzzle.rules if isinstance(rule, KillerCage) for cell in rule.cells]
    assert len(cells) == len(set(cells)) >= len(puzzle.grid.cells) - 2
    assert not puzzle.givens
    assert is_unique(puzzle, backend=OTHER)


def test_styles_differ() -> None:
    """Each style has puzzles with one solution; sparse ones have fewer and rich ones more cages than beautiful ones."""
    numbers = {}
    for style in STYLES:
        puzzle = made("killer-cage", number=1, style=style).puzzle
        assert is_unique(puzzle, backend=OTHER)
        numbers[style] = len([rule for rule in puzzle.rules if isinstance(rule, KillerCage)])
    assert numbers["sparse"] < numbers["beautiful"] <= numbers["rich"]


def test_styles_are_known_by_their_earlier_names() -> None:
    """What was called usual is any now, and symmetric is part of what is beautiful, the default."""
    names = ("usual", "symmetric", "", *STYLES)
    assert [style_named(name).name for name in names] == ["any", "beautiful", "beautiful", *STYLES]


def clue_spots(puzzle: Puzzle) -> set[tuple[str, frozenset[Cell]]]:
    """Return what is drawn of each clue: its kind and its cells; a dot of either colour is the same."""
    dots = {"ratio": "dot", "difference": "dot"}
    return {
        (dots.get(rule.kind, rule.kind), frozenset(cell for thing in rule.cosmetics(puzzle.grid) for cell in thing.cells))
        for rule in puzzle.rules
        if rule.kind != "houses"
    }


FEW = ("thermometer", "arrow", "kropki", "pair-sum", "whisper", "renban", "sandwich", "little-killer", "thermometer,kropki")


@pytest.mark.parametrize("names", ["killer-cage", *FEW])
def test_clues_and_givens_are_symmetric_together(names: str) -> None:
    """With a symmetry and few givens every usual family succeeds; half a turn maps clues onto clues and givens onto givens."""
    puzzle = made(names, symmetry="rot180", givens=Span(0, 6)).puzzle
    assert len(puzzle.givens) <= 6
    assert is_symmetric(puzzle.grid, "rot180", tuple(puzzle.givens))
    turned = dict(zip(puzzle.grid.cells, reversed(puzzle.grid.cells), strict=True))
    found = clue_spots(puzzle)
    assert {(kind, frozenset(turned[cell] for cell in cells)) for kind, cells in found} == found


def test_givens_are_as_many_and_where_they_are_requested() -> None:
    """Their number, their symmetry and their pattern are kept."""
    assert len(made("thermometer", givens=Span(7, 7)).puzzle.givens) == 7
    turned = made("thermometer", symmetry="rot180").puzzle
    assert is_symmetric(turned.grid, "rot180", tuple(turned.givens))
    pattern = tuple(range(0, 36, 4))
    assert tuple(made("thermometer,arrow", pattern=pattern).puzzle.givens) == pattern


def test_other_rules_and_regions_go_with_clues() -> None:
    """Rules of the whole board hold beside the clues, and regions can be irregular."""
    puzzle = made("thermometer", rules=(*CLASSIC, AntiKnight()), jigsaw=True).puzzle
    assert AntiKnight() in puzzle.rules
    assert puzzle.grid.boards[0].regions is not None
    assert is_unique(puzzle, backend=OTHER)


def test_requests_that_mean_nothing_are_refused() -> None:
    """Unknown names are refused at once."""
    with pytest.raises(UnknownName):
        made("nothing-like-this")
    with pytest.raises(UnknownName):
        made("thermometer", style="baroque")
    with pytest.raises(UnknownName):
        made("thermometer", symmetry="round")


@pytest.mark.parametrize("word", DIFFICULTIES[:3])
def test_difficulties_in_words(word: str) -> None:
    """Clues are added until the hardest step of the puzzle is of that level; small boards have none of the higher ones."""
    found = made("killer-cage", difficulty=word)
    assert not found.missed
    assert str(band_of(found.puzzle)) == word


def test_what_cannot_be_made_ends_at_the_limit() -> None:
    """A limit is reported together with what stood in the way; a cancellation ends the search."""
    wanted = GenerateRequest(Grid.square(6), families=("even",), givens=Span(0, 0))
    with pytest.raises(LimitReached, match=r"by nodes: .* several solutions"):
        next(VariantGenerator(wanted, 1).make([0], Limits(nodes=100)))
    with pytest.raises(LimitReached, match="nabner"):
        made("nabner", size=4)
    cancel = Cancellation()
    cancel.cancel()
    with pytest.raises(LimitReached) as stopped:
        next(VariantGenerator(GenerateRequest(families=("thermometer",)), 1).make([0], Limits(cancel=cancel)))
    assert stopped.value.reason == "cancelled"


def test_what_is_less_than_requested_says_so(monkeypatch) -> None:
    """Where a difficulty is out of reach, the best puzzle comes with a reason."""
    monkeypatch.setattr(variant_generator, "TRIES", 2)
    found = made("killer-cage", size=4, guesses=Span(5000))
    assert found.reason == "nodes"
    assert found.missed == "not as asked for: guesses 5000.."
    assert is_unique(found.puzzle, backend=OTHER)


@pytest.mark.parametrize("seed", range(1, 5))
def test_givens_of_a_symmetry_are_needed_one_by_one(seed: int) -> None:
    """In a minimal symmetric puzzle each given is needed by itself, or the puzzle says otherwise."""
    found = made("thermometer", size=6, seed=seed, minimal=True, symmetry="mirror")
    assert found.missed or not found.reason
    if not found.missed:
        expect_minimal(found.puzzle)


@pytest.mark.slow
@pytest.mark.parametrize("names", [*MIXTURES, "killer-cage", "thermometer", "kropki", "sandwich,x-sum", "skyscraper"])
def test_the_usual_board(names: str) -> None:
    """On 9x9 too every puzzle is unique and minimal by another engine."""
    found = made(names, size=9, minimal=True, seconds=300)
    assert clues_of(found.puzzle)
    assert is_unique(found.puzzle, backend=OTHER)
    if not found.missed:
        expect_minimal(found.puzzle)


LARGE = ("kropki,thermometer", "renban", "arrow", "sandwich", "x-sum", "skyscraper", "little-killer")


@pytest.mark.slow
@pytest.mark.parametrize("names", LARGE)
def test_larger_boards(names: str) -> None:
    """Families work up to 16x16, with as many givens as it takes."""
    found = made(names, size=16, seconds=300)
    assert is_unique(found.puzzle)


# --- a way in -----------------------------------------------------------------------------------------------------------


def open_cells(puzzle: Puzzle) -> int:
    """Return how many cells named steps leave open."""
    board = make_board(puzzle)
    for step in apply_steps(board, named_rungs()):
        assert step.technique is not Technique.REFUTATION
    return board.open.bit_count()


@pytest.mark.parametrize(("name", "number"), [("thermometer", 3), ("kropki", 2)])
def test_named_steps_solve_puzzles_unless_any_path_will_do(name: str, number: int) -> None:
    """As they come, these two have no way in; by default they get one, and still have one solution."""
    assert open_cells(made(name, number=number, any_path=True).puzzle)
    found = made(name, number=number)
    assert not found.missed
    assert not open_cells(found.puzzle)
    assert is_unique(found.puzzle, backend=OTHER)


@pytest.mark.parametrize("name", ["killer-cage", "thermometer", "whisper", "renban", "sandwich", "little-killer", "pair-sum"])
def test_puzzles_have_a_way_in(name: str) -> None:
    """Whatever the family."""
    found = made(name)
    assert not found.missed
    assert not open_cells(found.puzzle)


HARDEST = "98.7.....6.....97.....9.6..8.4..5.....9.6..4....3....2..8....6.....1...9.....2.1."


def test_where_steps_stop_clues_are_added_within_the_bounds() -> None:
    """A puzzle beyond named steps gets givens of the pool until these solve it; without a pool it says what is open."""
    puzzle = Puzzle.parse(HARDEST)
    solution = solve(puzzle).solution
    assert solution is not None
    chosen = [CandidateClue(GIVEN, cells=(cell,)) for cell in puzzle.givens]
    pool = [CandidateClue(GIVEN, cells=(cell,)) for cell in puzzle.grid.cells if cell not in puzzle.givens]

    def puzzle_of(clues: Sequence[CandidateClue]) -> Puzzle:
        return Puzzle(puzzle.grid, puzzle.rules, {cell: solution[cell] for clue in clues for cell in clue.cells})

    for spare, most in ((pool, None), ([], None), (pool, len(chosen))):
        spec = SelectionSpec((), {}, {}, Span(0, most))
        path = add_way_in(random_stream(1, 0), chosen, spare, spec, puzzle_of, Limits().started())
        assert path.clues[: len(chosen)] == chosen
        assert path.open_cells == open_cells(puzzle_of(path.clues))
        assert (path.open_cells == 0) == (len(path.clues) > len(chosen)) == (spare is pool and most is None)


def test_a_puzzle_without_a_way_in_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    """If nothing can be added, and no other try is left, a reason names the open cells."""
    monkeypatch.setattr(variant_generator, "TRIES", 1)
    monkeypatch.setattr(named_path, "MOST_ADDED", 0)
    found = made("kropki", number=2)
    assert found.reason == "nodes"
    assert found.missed == f"named steps leave {open_cells(found.puzzle)} cells open (`any_path` does not ask for them)"
