"""An error names the option that is at fault, as whoever asks calls it, and not the puzzle to which the option does not fit."""

from __future__ import annotations

import io
from itertools import islice
from typing import Any

import pytest

from sudoku_cp import Puzzle
from sudoku_cp.errors import InvalidInput, OptionProblem
from sudoku_cp.formats import read_records, records_of_text
from sudoku_cp.grid import Grid
from sudoku_cp.questions import ask

PLAIN = "530070000600195000098000060800060003400803001700020006060000280000419005000080079"
DRAWN = "\n".join(PLAIN[row : row + 9] for row in range(0, 81, 9))
NINE = "ABCDEFGHI"


@pytest.mark.parametrize("text", [PLAIN, DRAWN, f"puzzle\n{PLAIN}", str([[0] * 9] * 9)], ids=["line", "rows", "csv", "matrix"])
@pytest.mark.parametrize(
    ("options", "pointers"),
    [
        ({"size": "6"}, ["/size"]),
        ({"size": 6, "boxes": "2x3"}, ["/size"]),
        ({"boxes": "2x3"}, ["/boxes"]),
        ({"alphabet": "ABC"}, ["/alphabet"]),
        ({"alphabet": "AABCDEFGH"}, ["/alphabet"]),
        ({"from": "sdm", "size": "6"}, ["/size"]),
        ({"rules": "nonsense"}, ["/rules"]),
        ({"rules": '{"kind": "king"'}, ["/rules"]),
        ({"rules": '{"kind": "thermometer", "cells": ["r1c1", "r99c1"]}'}, ["/rules/0/cells/1"]),
        ({"rules": ["diagonals", {"kind": "thermometer", "cells": ["r1c1", "r99c1"]}]}, ["/rules/1/cells/1"]),
        ({"rules": "nonsense", "alphabet": "ABC", "size": "6"}, ["/rules", "/alphabet", "/size"]),
    ],
    ids=str,
)
def test_an_option_that_does_not_fit_is_named(text: str, options: dict[str, Any], pointers: list[str]) -> None:
    """The pointer of a problem leads to the option, and its words begin with the option's name."""
    if "from" in options and text != PLAIN:
        pytest.skip("that format is not this text's")
    if "alphabet" in options and text[0] == "[":
        pytest.skip("numbers in brackets need no alphabet")
    with pytest.raises(InvalidInput) as told:
        ask("solve", {"puzzle": text, **options})
    found = told.value.problems
    assert all(isinstance(one, OptionProblem) for one in found)
    assert list(dict.fromkeys(one.pointer for one in found if isinstance(one, OptionProblem))) == pointers
    assert str(told.value).startswith(pointers[0].split("/")[1] + ": ")


def test_a_broken_puzzle_is_not_blamed_on_options() -> None:
    """Where the text cannot be read without the option either, the text is at fault."""
    with pytest.raises(InvalidInput) as told:
        ask("solve", {"puzzle": PLAIN[:-1], "size": "9"})
    assert [getattr(one, "pointer", "") for one in told.value.problems] == ["/puzzle"]


def test_only_the_records_that_do_not_fit_are_blamed_on_an_option() -> None:
    """Every record of a text is judged by itself, in the order of the text."""
    text = f"{PLAIN}\n{'.' * 36}\n{PLAIN[:-1]}\n{PLAIN}\n"
    options = [one.error and [getattr(each, "option", "") for each in one.error.problems] for one in _records(text)]
    assert options == [["grid"], None, [""], ["grid"]]


def _records(text: str) -> list[Any]:
    return list(records_of_text(text, grid=Grid.square(6)))


def test_a_stream_is_read_once() -> None:
    """Without a second look the error stays as it was."""
    record = next(islice(read_records(io.StringIO(PLAIN + "\n"), grid=Grid.square(6)), 1))
    assert record.error is not None
    assert str(record.error) == "line 1: expected 36 cells, got 81"


def test_python_names_its_own_parameters() -> None:
    """The method's parameters are not called as the options of questions are."""
    with pytest.raises(InvalidInput, match=r"^grid: expected 36 cells, got 81$"):
        Puzzle.parse(PLAIN, Grid.square(6))


@pytest.mark.parametrize("name", ["killer", "jigsaw", "kropki"])
def test_answers_in_json_speak_of_the_option_rules(name: str) -> None:
    """The hint to generate such puzzles is no line of a terminal."""
    with pytest.raises(InvalidInput, match=f"generate with 'rules' {name} makes") as told:
        ask("solve", {"puzzle": PLAIN, "rules": name})
    assert "sudoku-cp generate" not in str(told.value)


@pytest.mark.parametrize(
    ("options", "named"),
    [
        ({"size": 50}, {"size"}),
        ({"size": 8, "boxes": "3x3"}, {"boxes", "size"}),
        ({"boxes": "none"}, {"boxes", "size"}),
        ({"givens": 100}, {"givens"}),
        ({"givens": 5}, {"givens"}),
        ({"givens": "30..20"}, {"givens"}),
        ({"guesses": "x"}, {"guesses"}),
        ({"pattern": "####"}, {"pattern"}),
        ({"size": 4, "pattern": "#" * 16, "givens": 5}, {"pattern", "givens"}),
        ({"size": 4, "pattern": "#####" + "." * 11, "symmetry": "rot180"}, {"pattern", "symmetry"}),
        ({"size": 4, "pattern": "#" * 16, "minimal": True}, {"pattern", "minimal"}),
        ({"size": 4, "givens": 16, "minimal": True}, {"givens", "minimal"}),
        ({"symmetry": "nonsense"}, {"symmetry"}),
        ({"style": "nonsense"}, {"style", "rules"}),
        ({"style": "rich"}, {"style", "rules"}),
        ({"rules": "nonsense"}, {"rules"}),
        ({"rules": "{"}, {"rules"}),
        ({"rules": "renban", "givens": 0}, {"givens", "rules"}),
        ({"difficulty": "nonsense"}, {"difficulty"}),
        ({"difficulty": "easy:5", "count": 3}, {"difficulty", "count"}),
        ({"difficulty": "easy", "guesses": 3}, {"difficulty", "guesses"}),
        ({"singles_only": True, "guesses": 3}, {"singles_only", "guesses"}),
        ({"singles_only": True, "difficulty": "hard"}, {"singles_only", "difficulty"}),
        ({"rating": "nonsense"}, {"rating"}),
        ({"rating": "se:7", "rules": "killer"}, {"rating", "rules"}),
        ({"needs": ["nonsense"]}, {"needs"}),
        ({"seed": -4}, {"seed"}),
    ],
    ids=lambda given: str(sorted(given) if isinstance(given, set) else given),
)
def test_generate_names_the_options_that_it_refuses(options: dict[str, Any], named: set[str]) -> None:
    """Each refused value or combination names its options, and the pointer leads to one of them."""
    with pytest.raises(InvalidInput) as told:
        ask("generate", options)
    words = str(told.value)
    assert {name for name in named if f"{name}: " in words or f"'{name}'" in words} == named
    assert all(isinstance(one, OptionProblem) and one.pointer.split("/")[1] in named for one in told.value.problems)


@pytest.mark.parametrize(
    ("name", "body", "pointers"),
    [
        ("solve", {"puzzle": PLAIN, "timeout": "x", "backend": "nonsense"}, ["/timeout", "/backend"]),
        ("solve", {"puzzle": PLAIN[:-1], "strict": 5, "rules": "nonsense"}, ["/strict", "/rules", "/puzzle"]),
        ("solve", {"puzzle": PLAIN, "size": [], "backend": "nonsense"}, ["/size", "/backend"]),
        ("solve", {"puzzle": 5, "backend": "nonsense"}, ["/puzzle", "/backend"]),
        ("solve", {"backend": "nonsense"}, ["/puzzle", "/backend"]),
        ("solve", {"puzzle": PLAIN, "nonsense": 1, "backend": "x"}, ["/nonsense", "/backend"]),
        ("count", {"puzzle": PLAIN, "limit": "x", "estimate": True}, ["/limit"]),
        ("generate", {"count": "x", "singles_only": True, "guesses": 3}, ["/count", "/guesses"]),
        ("generate", {"minimal": "x", "difficulty": "nonsense", "seed": -4}, ["/minimal", "/seed", "/difficulty"]),
        ("generate", {"rules": 5, "givens": 5}, ["/rules"]),
        ("generate", {"size": [5], "givens": 100, "rating": "nonsense"}, ["/size", "/rating"]),
        ("convert", {"puzzle": PLAIN, "from": "nonsense"}, ["/to", "/from"]),
    ],
    ids=str,
)
def test_a_wrong_type_hides_nothing(name: str, body: dict[str, Any], pointers: list[str]) -> None:
    """Everything wrong is reported at once, and nothing that depends on the field of a wrong type."""
    with pytest.raises(InvalidInput) as told:
        ask(name, body)
    found = [getattr(one, "pointer", "") for one in told.value.problems]
    assert [*dict.fromkeys(found)] == pointers, str(told.value)
