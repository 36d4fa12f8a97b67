"""Variants as Sukaku Explainer 1.18.1 rates them: which boards it knows, and the ratings that it gives."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, Any

import pytest

from sudoku_cp import Puzzle
from sudoku_cp.errors import Unsupported
from sudoku_cp.grid import Board, Grid
from sudoku_cp.logic.rating import explainer
from sudoku_cp.logic.rating.board_kinds import BoardKind, board_kind, make_kind_grid
from sudoku_cp.logic.rating.explainer import SUKAKU_EXPLAINER, explainer_rating
from sudoku_cp.logic.rating.kernel.grid import ASTERISK, CENTRE_DOTS, FALLING, GIRANDOLA, GROUP, RISING, WINDOW
from sudoku_cp.rules.cages import KillerCage
from sudoku_cp.rules.chess import AntiKing, AntiKnight, AntiLeaper, DiagonallyNonconsecutive, Nonconsecutive
from sudoku_cp.rules.houses import Houses
from sudoku_cp.rules.regions import Diagonals, DisjointGroups, ExtraRegion, Windoku

if TYPE_CHECKING:
    from sudoku_cp.rules.base import Rule

RULES: dict[str, Rule] = {
    "X": Diagonals(),
    "W": Windoku(),
    "D": DisjointGroups(),
    "N": AntiKnight(),
    "K": AntiKing(),
    "C": Nonconsecutive(),
    "F": DiagonallyNonconsecutive(),
    "A": ExtraRegion((13, 20, 24, 37, 40, 43, 56, 60, 67)),
    "E": ExtraRegion((10, 13, 16, 37, 40, 43, 64, 67, 70)),
    "G": ExtraRegion((0, 8, 13, 37, 40, 43, 67, 72, 80)),
}
"""By letter; L is no rule, but no boxes."""
PLAIN, NO_BOXES = Grid.square(), Grid.rectangle(9, 9)

RATED = """
G 2............4.38...9621.....1.7..........4...6......5.7...8.9..14.........769... 2.5 1.2 1.2 Direct Hidden Triplet
A .......1....2.39...7...6..2.618..4...4.............5.....5.23....8..42.1.3..9.... 2.9 1.2 1.2 Generalized Intersections
L ....1..2.89.27.........2..563....89.1.5.4.9.834.6...574.6.....178.1....3..9..734. 2.3 1.5 1.5 Naked Single
K ...3.....3.....2.7.......6..48.......9...2..1...4..3.6....5..4...6...7.8....9...2 6.4 1.2 1.2 VWXYZ-Wing
F ..4.81..2.71....895.....4....5........6.2...5...........8......2..1..8....32..95. 2.4 1.2 1.2 Non-Consecutive Forcing Cell
K 18............8..62...1....47........3.......51....9...9572.6.87............942.. 4.3 1.2 1.2 Grouped Turbot Fish
D 51...7..8...4....6.............93.....2...9....78...41...1..........9.....4..25.. 5.5 1.2 1.2 WXYZ-Wing
W ..6..............758.12..........1....3..4.....8....32...4..9.1.9...........75... 2.9 1.2 1.2 Generalized Intersections
D 6.7..4.....4....3....6..........84.9..9.......5.29...7......7....5.879....8.1.... 2.0 1.2 1.2 Direct Hidden Pair
W ...3....8.52..7...7....9....67.3...4...8...6..31....57.2.7..8..........6..6.1.... 4.5 1.2 1.2 Unique Rectangle or Loop
L .9..8.41....5..3....4.382.95.9..68..9134.7...6..3.......8..4.73..725..6..7..25..4 7.2 1.5 1.5 Forcing Chain
X ..3.27....2..5....7...1......248......8..92.3........4..4165..9...7...5.6........ 4.5 1.2 1.2 Unique Rectangle or Loop
F .........4......6..6.8.....1..78...9.....2......6..2..6....7.9.......34...1...... 2.5 1.2 1.2 Locked Non-Consecutive
E 8..6.4..96....12.....3...8.7...4...........24..45..9.....45...7.....8.3.2.7...1.. 7.2 1.2 1.2 Forcing Chain
E 6942......3.8.....2.....3.7..275..6..6.12....74.98...........74........6..1649.3. 4.0 1.2 1.2 Skyscraper
K ..3....2..4..61.3...9.7........5............1.1....8...5.2......7........3.6.4... 5.4 1.2 1.2 Three Strong Links
N 1...3.298.....1...8....4......6..8....2.7.34.......9...........3..8...........4.2 2.9 1.2 1.2 Generalized Intersections
E ..5...4.....5..1......6.3..9....6...45.8......732..5....1....4.....72..6....9...3 4.2 1.2 1.2 XY-Wing
G 2..............38...9621.....1.7..........4..........5.7...8.93.14.........769... 3.4 1.2 1.2 Hidden Pair
L ...9..6.5...1.5..7....13.2..51...9.6.7..4.1.9.....8.7.74.3.981..82...5.1.93.51.8. 7.2 1.5 1.5 Bidirectional Cycle
F ........2......6...2..7.....9.7.2......1....6.........5..821...2...6.4..9.7.54... 4.3 1.2 1.2 Grouped Skyscraper
A ...3..2...98..51.........7......7.....3......85.......1....38......4...9...57..2. 3.6 1.2 1.2 Generalized Naked Triplet
N ............9.........6.......6.47....3..7...2...5..1..861.....95.......3.2...... 6.6 1.2 1.2 UVWXYZ-Wing
D ...49..6...........47.16.5..8...29..........3............1...29.5.2.4......7..... 4.3 1.2 1.2 Turbot Fish
WD 3.....4...................9..5..1....6.............9....7..6....1....2...4.....9. 7.2 1.5 1.5 Forcing Chain
XD 2..8.....8.34...........4....8.1..3....5.6....1....5.........2...9.......5..7.... 2.9 1.2 1.2 Generalized Intersections
CN .3........6...7..1...9......731.8......3..........95..............7........2..... 2.9 1.2 1.2 Generalized Intersections
XW ........8........9.....24....6..1....78..9.1........2..69.......3.8..........4... 4.0 1.2 1.2 Skyscraper
XD 2..8.....8.34...........4......1..3....5.6....1..2.5.........2...9..8.......7.... 5.7 1.2 1.2 Grouped Three Strong Links
CX .......3.....6......3.9......8..9.4.....7..........9....1.......3.....1..5.1..3.. 2.3 1.2 1.2 Naked Single
KW ...5..7.17..2.6.5.......4....6.........82.............2.4...6.......2.....1..352. 3.4 1.2 1.2 Hidden Pair
NK ...75..8...9......7..........3.....8..8......4..................12......3.7.1...6 2.9 1.2 1.2 Generalized Intersections
KW ..6...9.3..3....4..9....8.6.........2..5.4......63........8.....3...5........7.25 3.0 1.2 1.2 Generalized Naked Pair
CD ......6.................295...4..........81.........3........6................... 2.5 1.2 1.2 Locked Non-Consecutive
LX ......7..53.28.4......1.......7.9..16....31.7....4.6...........8..5....37164.58.. 2.3 1.5 1.5 Naked Single
XW .6...2.7...7........9.7..6.42..........56................1....7.3.7..8...9....... 1.9 1.2 1.2 Direct Claiming
LX ...9..13..58....6.5..4.6.282..3...74.2..87..146....5..8....3.........7....1..86.2 3.2 1.5 1.5 X-Wing
AEG ...92.3....9................2...7...7.32.....1.849....5....986...7..25...3....... 3.6 1.5 1.5 Generalized Naked Triplet
AEG .....4.2.............51..6.....4..3....1...769..3..............2...8.7.......6.5. 4.4 1.2 1.2 XYZ-Wing
"""
"""Puzzles by the letters of their rules, rated by the program."""


CHAINED = """
X 56...........2.7..........1....3......31.....98..........7...9.4..96......6..2.78 9.4 1.2 1.2
W ..3.....5.....7.....8.....69...5.........2..............2..19....9....53.4....... 9.1 1.2 1.2
K .81...6..3........9....12...2.....63.4......2...73..582..5..............6........ 8.4 1.2 1.2
N 1...78..5.....6..................47.......2...1.....8.............8...29......7.. 9.0 1.2 1.2
A ...6...2...6..49...9............84.7......2..2.1.........3.5..1.3..6...8...8..... 9.0 1.2 1.2
G ..7..6......5....93...2..1..9.7..2..6...82........18........7....4.........14..2. 9.1 1.2 1.2
L .5.8..3..5.87.6...36..9.7827..6....5....7589...4...23.9261......4...9.1..1..82... 8.3 1.5 1.5
XD 7.....9...9........1..5....3..........56.....4.6.8.................43..8.6....... 8.3 1.2 1.2
XW 8..6..9....7.9............1.6..........1......3..........436.8..............7..2. 8.3 1.2 1.2
F ................6..65.....31.67..4.......2......6..2.......7....8....34........5. 8.4 1.2 1.2
KW ....9..3.51.7...2.........7......7..6..2..1................1.4..8..........5..... 7.7 1.5 1.5
LX ..1...8.....1..6.8.8.3..7..7.......23.6.9...4.37..1.9.96.....2...9.5.......97..13 7.7 1.5 1.5
E .2..7..36..495......74...1.7.......4.........6.....7.1.....89..1......8...57..... 7.7 1.2 1.2
"""
"""The same, where it takes nets: without the hardest technique."""


def puzzle_of(letters: str, line: str = "." * 81) -> Puzzle:
    """Return a puzzle with the rules of these letters."""
    rules = [RULES[letter] for letter in letters if letter != "L"]
    givens = {cell: int(sign) for cell, sign in enumerate(line) if sign != "."}
    return Puzzle(NO_BOXES if "L" in letters else PLAIN, (Houses(), *rules), givens)


@pytest.mark.parametrize("line", RATED.split("\n")[1:-1])
def test_known_puzzles_have_their_ratings(line: str) -> None:
    """ER, EP, ED and the hardest technique are those of the program."""
    letters, cells, er, ep, ed, hardest = line.split(maxsplit=5)
    rating = explainer_rating(puzzle_of(letters, cells), SUKAKU_EXPLAINER)
    assert (rating.er, rating.ep, rating.ed, rating.hardest) == (float(er), float(ep), float(ed), hardest)


@pytest.mark.slow
@pytest.mark.parametrize("line", CHAINED.split("\n")[1:-1])
def test_known_puzzles_that_take_nets_have_their_ratings(line: str) -> None:
    """The same with multiple and dynamic chains, which may use moves, windows and consecutive digits."""
    letters, cells, er, ep, ed = line.split()
    rating = explainer_rating(puzzle_of(letters, cells), SUKAKU_EXPLAINER)
    assert (rating.er, rating.ep, rating.ed) == (float(er), float(ep), float(ed))


@pytest.mark.parametrize(
    ("rules", "kinds", "moves", "near"),
    [
        ((Diagonals(),), {FALLING, RISING}, (), ""),
        ((ExtraRegion(tuple(range(0, 81, 10))), ExtraRegion(tuple(range(8, 80, 8)))), {FALLING, RISING}, (), ""),
        ((Windoku(),), {WINDOW}, (), ""),
        ((DisjointGroups(), AntiKnight()), {GROUP}, ("knight",), ""),
        ((AntiLeaper(((1, 2), (1, 1))),), set(), ("king", "knight"), ""),
        ((Nonconsecutive(), AntiKing()), set(), ("king",), "side"),
        ((DiagonallyNonconsecutive(),), set(), (), "corner"),
        (tuple(RULES[letter] for letter in "AEG"), {ASTERISK, CENTRE_DOTS, GIRANDOLA}, (), ""),
    ],
    ids=["diagonals", "drawn", "windoku", "groups, knight", "leaper", "neighbours, king", "corners", "patterns"],
)
def test_a_rule_counts_by_what_it_says(rules: tuple[Rule, ...], kinds: set[int], moves: tuple[str, ...], near: str) -> None:
    """Diagonals may be drawn as extra regions, a knight may be a leaper; the order of rules does not matter."""
    expected = BoardKind(True, frozenset(kinds), moves, near)
    assert board_kind(PLAIN, (Houses(), *rules)) == expected
    assert board_kind(PLAIN, (*reversed(rules), Houses())) == expected


def test_all_rules_go_together() -> None:
    """Every two of them make a kind of board of their own."""
    pairs = [one + other for one, other in combinations(RULES, 2) if {one, other} != {"C", "F"}]
    found = [board_kind(PLAIN, puzzle_of(letters).rules) for letters in pairs]
    assert None not in found
    # the centre dots are one of the disjoint groups
    assert len({*found, *(board_kind(PLAIN, puzzle_of(letter).rules) for letter in RULES)}) == len(pairs) + len(RULES) - 1


@pytest.mark.parametrize(
    ("grid", "rules"),
    [
        (PLAIN, (Diagonals(up=False),)),
        (PLAIN, (Nonconsecutive(((0, 1),)),)),
        (PLAIN, (Nonconsecutive(), DiagonallyNonconsecutive())),
        (PLAIN, (AntiLeaper(((1, 3),)),)),
        (PLAIN, (ExtraRegion((0, 1, 9, 80)),)),
        (PLAIN, (KillerCage((0, 1), 3),)),
        (Grid.square(6), (Diagonals(),)),
        (Grid.of((Board(9, 9, (3, 3)), Board(9, 9, (3, 3), at=(6, 6))), range(1, 10)), ()),
    ],
    ids=["one diagonal", "exempt", "both", "camel", "region", "cage", "6x6", "two boards"],
)
def test_other_rules_are_refused(grid: Grid, rules: tuple[Rule, ...]) -> None:
    """The message lists what is rated."""
    with pytest.raises(Unsupported, match=r"9x9, or one with diagonals, windoku, .* no boxes, and mixtures of these, for"):
        explainer_rating(Puzzle(grid, (Houses(), *rules)), SUKAKU_EXPLAINER)


@pytest.mark.parametrize(
    "line",
    [
        "......41.9..3.....3...2.....48..7..........52.1.......5..2....6.7....8......9....",
        "2.4...8.......8.36...9..4.5..7...6.....3.7...16........7...1...4...8..9..82..93..",
        pytest.param("......7..8..3....19.5.8....2...7..4.3...4...6..9..3.5......48..6.89...1...2.5....", marks=pytest.mark.slow),
    ],
)
def test_tables_of_variants_serve_plain_boards(line: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """With boxes, rows and columns alone the code for variants takes the same way, step by step."""
    puzzle = Puzzle.parse(line)
    rating = explainer_rating(puzzle, SUKAKU_EXPLAINER)
    kind = BoardKind(True, frozenset(), (), "")
    monkeypatch.setattr(explainer, "rated_board", lambda *_: explainer.RatedBoard(3, 3, kind))
    assert explainer_rating(puzzle, SUKAKU_EXPLAINER) == rating


def test_candidates_of_a_variant_change_nothing() -> None:
    """Stated for every cell, those that are left are what the program starts from."""
    letters, cells, *_ = RATED.split("\n")[1].split()
    puzzle = puzzle_of(letters, cells)
    every = Puzzle(puzzle.grid, puzzle.rules, puzzle.givens, candidates=dict.fromkeys(range(81), 2**10 - 2))
    assert explainer_rating(every, SUKAKU_EXPLAINER) == explainer_rating(puzzle, SUKAKU_EXPLAINER)


def test_windows_imply_five_more() -> None:
    """With every window, each cell of a windoku is in one."""
    grid: Any = make_kind_grid(BoardKind(True, frozenset({WINDOW}), (), ""))
    assert grid["counts"][WINDOW] == 9
    assert sorted(grid["houses"][WINDOW, :9].ravel().tolist()) == list(range(81))
