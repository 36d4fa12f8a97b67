"""Every error has a builtin base class, an exit code and an HTTP status, and survives the way between processes."""

from __future__ import annotations

import copy
import pickle

import pytest

from sudoku_cp import errors
from sudoku_cp.errors import (
    BackendFailed,
    BackendMissing,
    InvalidInput,
    InvalidType,
    LimitReached,
    NotProved,
    OptionProblem,
    ParseError,
    SudokuError,
    UnknownName,
    Unsupported,
    WrongAnswer,
    distinct,
    placed,
    require_type,
)

KINDS = {
    InvalidInput: (ValueError, 2, 422),
    InvalidType: (TypeError, 2, 422),
    ParseError: (ValueError, 2, 400),
    UnknownName: (LookupError, 2, 404),
    Unsupported: (ValueError, 2, 501),
    BackendMissing: (ImportError, 2, 501),
    LimitReached: (TimeoutError, 3, 504),
    NotProved: (ValueError, 1, 409),
    WrongAnswer: (RuntimeError, 4, 500),
    BackendFailed: (RuntimeError, 4, 500),
}
SAMPLES = [
    InvalidInput("expected this, got that"),
    InvalidInput(["expected this", "expected that"]),
    InvalidType("solve, puzzle: expected a Puzzle, got '4...'"),
    ParseError(["expected a digit", "expected a blank"], source="a.txt", line=4, column=7),
    UnknownName("backend", "gurobi", ["sat", "cpsat"]),
    Unsupported("expected a grid of one board, got several"),
    BackendMissing("backend 'x' needs 'y', which is not installed"),
    LimitReached("nodes", "1 s, 5 nodes"),
    LimitReached("cancelled"),
    NotProved("expected one solution, got two", solutions=[(1, 2), (2, 1)]),
    WrongAnswer("expected each solution once"),
    BackendFailed("expected cadical to say yes or no, got exit code 1"),
]


def test_the_table_names_every_error() -> None:
    """No error escapes the table of this test."""
    defined = {kind for kind in vars(errors).values() if isinstance(kind, type) and issubclass(kind, SudokuError)}
    assert defined == {SudokuError, *KINDS}


@pytest.mark.parametrize(("kind", "meaning"), KINDS.items(), ids=[kind.__name__ for kind in KINDS])
def test_an_error_means_the_same_everywhere(kind: type[SudokuError], meaning: tuple[type[Exception], int, int]) -> None:
    """Each error is one of ours, is the builtin it says, and has its exit code and HTTP status."""
    builtin, exit_code, http_status = meaning
    assert issubclass(kind, SudokuError)
    assert issubclass(kind, builtin)
    assert (kind.exit_code, kind.http_status) == (exit_code, http_status)


@pytest.mark.parametrize("travel", [lambda error: pickle.loads(pickle.dumps(error)), copy.copy, copy.deepcopy])  # noqa: S301
@pytest.mark.parametrize("error", SAMPLES, ids=repr)
def test_an_error_travels_whole(error: SudokuError, travel) -> None:
    """An error that comes from another process has the same message and fields as there."""
    arrived = travel(error)
    assert type(arrived) is type(error)
    assert (str(arrived), arrived.args, vars(arrived)) == (str(error), error.args, vars(error))


def test_problems_are_kept_one_by_one() -> None:
    """Several problems make one message and stay apart in ``problems``; one text is one problem."""
    assert InvalidInput(iter(["a", "b"])).problems == ("a", "b")
    assert str(InvalidInput(["a", "b"])) == "a; b"
    assert InvalidInput("ab").problems == ("ab",)


@pytest.mark.parametrize(
    ("place", "message"),
    [
        ({}, "wrong"),
        ({"line": 4}, "line 4: wrong"),
        ({"column": 7}, "column 7: wrong"),
        ({"source": "a.txt"}, "a.txt: wrong"),
        ({"source": "a.txt", "line": 4, "column": 7}, "a.txt, line 4, column 7: wrong"),
    ],
)
def test_a_parse_error_says_where(place: dict[str, object], message: str) -> None:
    """A message gives the place as far as it is known."""
    assert str(ParseError("wrong", **place)) == message


def test_a_reader_can_add_the_place_it_knows() -> None:
    """A wider place keeps what is known already, and the problems."""
    near = ParseError(["wrong", "bad"], column=7)
    far = near.at(line=4).at(source="a.txt")
    assert str(far) == "a.txt, line 4, column 7: wrong; bad"
    assert far.problems == near.problems
    assert (near.source, near.line) == ("", None)


def test_an_unknown_name_tells_the_known_ones() -> None:
    """The message lists the known names, in order; of many, those that are most alike."""
    many = [f"thing-{number:02}" for number in range(99)]
    assert str(UnknownName("thing", "x", many)).endswith("thing-04 (and 94 more); got 'x'")
    assert str(UnknownName("thing", "thing-7", many)).endswith("got 'thing-7'; did you mean thing-97, thing-87 or thing-79?")
    assert str(UnknownName("rule", "killer", [*many, "killer-cage"])).endswith("did you mean killer-cage?")
    assert str(UnknownName("backend", "x", {"sat", "cpsat"})) == "expected a backend, one of cpsat, sat; got 'x'"


@pytest.mark.parametrize(
    ("limit", "message"),
    [
        (LimitReached("deadline", "3 s"), "stopped by deadline: 3 s"),
        (LimitReached("cancelled"), "stopped by cancelled"),
    ],
)
def test_a_limit_says_its_reason(limit: LimitReached, message: str) -> None:
    """The reason is in the message, the detail behind it."""
    assert str(limit) == message
    assert limit.reason in message


@pytest.mark.parametrize(("kind", "data"), [(int, 5), (str, "a"), (list, [1]), (dict, {}), (bool, True)])
def test_what_is_expected_comes_back(kind: type, data: object) -> None:
    """Data of the right kind passes as it is."""
    assert require_type("a thing", kind, data) is data


@pytest.mark.parametrize(("kind", "data"), [(int, True), (int, 5.0), (int, "5"), (str, None), (list, ()), (dict, [])])
def test_what_is_not_expected_is_refused(kind: type, data: object) -> None:
    """Data of another kind is refused; true is no whole number."""
    with pytest.raises(InvalidInput, match=r"^expected a thing, got "):
        require_type("a thing", kind, data)


def test_long_data_is_shown_in_short() -> None:
    """A message stays readable whatever came in."""
    with pytest.raises(InvalidInput) as caught:
        require_type("a text", str, list(range(10_000)))
    assert len(str(caught.value)) < 120


def test_a_problem_of_an_option_is_spelled_by_its_reader():
    """Python reads the name of the option; another reader spells it, and the options in the words, in its own way."""
    error = ParseError([OptionProblem("expected `size` or none, got 5", "per_page"), "got '`size`'"], line=3)
    assert str(error) == "line 3: per_page: expected `size` or none, got 5; got '`size`'"
    typed = error.spelled(lambda words: words.replace("`per_page`", "--per-page").replace("`size`", "--size"))
    assert str(typed) == "line 3: --per-page: expected --size or none, got 5; got '`size`'"
    assert (type(typed), typed.line, error.problems[0].option) == (ParseError, 3, "per_page")
    copied = pickle.loads(pickle.dumps(error)).problems[0]  # noqa: S301  # made here
    assert (copied, copied.option) == ("expected `size` or none, got 5", "per_page")


def test_problems_with_the_same_words_are_two_where_they_are_about_two_things():
    """A wrong value in two options is named twice; the same problem found twice is named once."""
    found = [OptionProblem("expected a number", name) for name in ("givens", "guesses", "givens")]
    assert str(InvalidInput(distinct(found))) == "givens: expected a number; guesses: expected a number"
    assert [one.pointer for one in distinct([placed("expected a number", name) for name in "aba"])] == ["/a", "/b"]
