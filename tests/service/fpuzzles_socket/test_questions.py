"""The commands of the f-puzzles socket themselves: options, positions, and steps that are switched off."""

from __future__ import annotations

import pytest

from sudoku_cp.backends import Limits
from sudoku_cp.errors import InvalidInput
from sudoku_cp.formats.fpuzzles.document import player_state, puzzle_from_fpuzzles
from sudoku_cp.puzzle import Position, Puzzle
from sudoku_cp.queries import true_candidates
from sudoku_cp.service.fpuzzles_socket.questions import (
    CandidateOptions,
    candidate_counts,
    deduce,
    mark_what_logic_allows,
    parse_candidate_options,
)

# A published board (Project Euler 96, grid 7) that needs more than singles.
AMBIGUOUS = "4...3.......6..8..........1....5..9..8........7.2........1.27..5.3....4.9........"
HARD = "043080250600000000000001094900004070000608000010200003820500000000000005034090710"


@pytest.mark.parametrize(
    ("raw", "options"),
    [
        (None, (1, False)),
        ([], (1, False)),
        (["colored"], (8, False)),
        (["logical", "TrueCandidatesNumSolutions=5"], (5, True)),
        (["colored", "truecandidatesnumsolutions=3"], (3, False)),
        (["truecandidatesnumsolutions=0"], (1, False)),
        (["truecandidatesnumsolutions=999999999"], (1000, False)),
        ("colored", (1, False)),
        ([7, None, "truecandidatesnumsolutions=x"], (1, False)),
    ],
)
def test_options_of_candidates(raw, options):
    """The number of solutions, its older name, and logic are read; what is unknown is passed over."""
    assert parse_candidate_options({"truecandidatesoptions": raw}) == CandidateOptions(*options)


def test_candidates_that_only_logic_allows_are_marked():
    """Where no solution has a candidate that techniques leave, its count is -1; all others have their counts."""
    found = true_candidates(Puzzle.parse(AMBIGUOUS), cap=2)
    plain = candidate_counts(found)
    logical = mark_what_logic_allows(plain, found, Limits())
    assert set(plain) == {0, 1, 2}
    assert logical.count(-1) == 3
    assert [max(count, 0) for count in logical] == plain


def document(entries):
    """Return a 4x4 document with these cells."""
    return {"size": 4, "grid": [[entries.get((row, column), {}) for column in range(4)] for row in range(4)]}


def test_values_and_centre_marks_of_a_player_are_read():
    """Values that are not given and centre marks of open cells count; those of filled cells do not."""
    data = document(
        {
            (0, 0): {"value": 1, "given": True, "centerPencilMarks": [2]},
            (0, 1): {"value": 2},
            (0, 2): {"centerPencilMarks": [3, 4, 9]},
            (0, 3): {"centerPencilMarks": []},
        }
    )
    state = player_state(data, puzzle_from_fpuzzles(data, []))
    assert (state.placed, state.left) == ({1: 2}, {2: 0b11000})


def test_marks_that_are_no_numbers_are_refused():
    """A mark that is a word is an error that names the field."""
    data = document({(0, 2): {"centerPencilMarks": ["x"]}})
    with pytest.raises(InvalidInput, match="expected a value"):
        player_state(data, puzzle_from_fpuzzles(data, []))


def marked(puzzle, values=()):
    """Return the position with the candidates of a first step as marks."""
    first = deduce(Position.of(puzzle, values), {}, Limits(), steps=1)
    assert first["message"] == "Initial candidates."
    marks = [sum(1 << value for value in cell.get("candidates", ())) for cell in first["cells"]]
    position = Position.of(puzzle, values)
    return Position(puzzle, position.values, position.origins, tuple(marks))


def test_one_step_comes_after_the_candidates():
    """The first step writes the candidates, the next is one technique."""
    reply = deduce(marked(Puzzle.parse(HARD)), {}, Limits(), steps=1)
    assert reply["message"].count("\n") == 1
    assert reply["isValid"]


def test_a_path_ends_with_a_full_board():
    """A path has a line a step, and its board is the solution."""
    reply = deduce(Position.of(Puzzle.parse(HARD)), {}, Limits())
    assert reply["isValid"]
    assert all(cell["value"] for cell in reply["cells"])
    assert reply["message"].endswith(".\n")


def test_what_a_player_switches_off_is_not_used():
    """Without any of the switches' techniques the path stops where singles do."""
    switches = ["tuples", "pointing", "fishes", "wings", "aic", "contradictions"]
    everything = deduce(Position.of(Puzzle.parse(HARD)), {}, Limits())["message"]
    less = deduce(Position.of(Puzzle.parse(HARD)), {"disabledlogic": switches}, Limits())["message"]
    named = {"pair", "triple", "locked", "wing", "fish", "chain", "loop"}
    assert any(word in everything for word in named)
    assert not any(word in less for word in named)


def test_a_contradiction_is_told():
    """A wrong entry leads to a board that is invalid."""
    puzzle = Puzzle.parse(HARD)
    values = [puzzle.givens.get(cell) for cell in puzzle.grid.cells]
    values[0] = 4
    reply = deduce(Position.of(puzzle, values), {}, Limits())
    assert reply["message"].endswith("Board is invalid!")
    assert not reply["isValid"]


def test_nothing_found_is_told():
    """Where techniques find nothing, the message says so and the board is valid."""
    reply = deduce(Position.of(Puzzle.parse("." * 16)), {}, Limits(), steps=None)
    assert (reply["message"], reply["isValid"]) == ("No logical steps found.", True)
