"""Arguments of a wrong type are refused: the error of every public parameter says what it expected and what came."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterator
from dataclasses import fields, replace
from io import StringIO
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import pytest

import sudoku_cp
from sudoku_cp import (
    Answer,
    Board,
    Cancellation,
    CandidateMemory,
    GenerateRequest,
    Grid,
    InvalidInput,
    InvalidType,
    Limits,
    Position,
    Puzzle,
    SudokuError,
    Symbols,
)
from sudoku_cp.arguments import LONGEST_REPR, checked, shortened, type_spec
from sudoku_cp.rules import RULES, Arrow, KillerCage, LookAndSay

if TYPE_CHECKING:
    from pathlib import Path

PUZZLE = Puzzle.parse("1234341221......")
GRID = Grid.square(4)


class Stranger:
    """A type that no parameter accepts."""

    def __repr__(self) -> str:
        """Return a name that messages are searched for."""
        return "Stranger()"


JUNK: dict[str, tuple[object, str]] = {
    "a stranger": (Stranger(), "Any object"),
    "strangers": ([Stranger()], "Any object"),
    "nothing": (None, "None Any object SpanLike"),
    "a truth value": (True, "bool float|bool Any object"),
    "a fraction": (2.5, "float Any object"),
    "a text": ("4...", "str Any object Engine Source Ruled SpanLike"),
    "texts": (["4..."], "Iterable[str Sequence[str tuple[str Sequence[Any Iterable[Input Any object Ruled"),
    "bytes": (b"4...", "bytes Any object"),
    "a mapping": ({"r1c1": 4}, "Mapping[str Iterable[Input Any object Ruled"),
}
"""Values of many types, each with the words in annotations that accept it."""


def fits(annotation: str, words: str) -> bool:
    """Say, from its text alone, whether an annotation accepts such values."""
    return any(re.search(rf"(?<!\w){re.escape(word)}(?!\w)", annotation) for word in words.split())


MADE_BY_THE_LIBRARY = {
    *("Answer", "Certificate", "Check", "Comparison", "Estimate", "Explanation"),
    *("GeneratedPuzzle", "Hint", "Ratings", "Report", "SolvePath", "TrueCandidates"),
}
"""Results: the library returns them, and callers never construct one."""
NOT_WALKED = {
    "Grid.parse_cell": "it says what a cell looks like, whatever comes",
    "Grid.pairs": "its places are any number of arguments",
    "Symbols.parse": "what is no sign of an alphabet is None",
    "Puzzle.solutions": "its options are those of `solutions`",
    "Origin": "an enumeration",
    "Solution": "a type",
}


def _methods(name: str, owner: Any) -> Iterator[tuple[str, Callable[..., Any]]]:
    sample = SAMPLES.get(name)
    for method in (key for key in vars(owner) if not key.startswith("_") and sample is not None):
        bound = getattr(sample, method)
        if inspect.ismethod(bound) or inspect.isfunction(bound):
            yield f"{name}.{method}", bound


SAMPLES: dict[str, Any] = {
    "Board": Board(4, 4, (2, 2)),
    "Cancellation": Cancellation(),
    "CandidateMemory": CandidateMemory(),
    "Certificate": sudoku_cp.prove(Puzzle.parse("12343412214343.1")),
    "Explanation": sudoku_cp.explain(PUZZLE, 1, 1),
    "Grid": GRID,
    "Hint": sudoku_cp.hint(PUZZLE),
    "Limits": Limits(),
    "Position": Position.of(PUZZLE),
    "Puzzle": PUZZLE,
    "SolvePath": sudoku_cp.steps(PUZZLE),
    "Symbols": Symbols("1234"),
    "TrueCandidates": sudoku_cp.true_candidates(PUZZLE),
}


def _public() -> Iterator[tuple[str, Callable[..., Any]]]:
    """Yield every public function, every constructor, and every method of the public classes."""
    for name in sudoku_cp.__all__:
        found = getattr(sudoku_cp, name)
        found = getattr(found, name, found)  # a package that has the name of its one function
        if name in NOT_WALKED or (inspect.isclass(found) and issubclass(found, SudokuError)):
            continue
        if not inspect.isclass(found) or name not in MADE_BY_THE_LIBRARY:
            yield name, found
        if inspect.isclass(found):
            yield from _methods(name, found)


def _parameters() -> Iterator[tuple[str, str]]:
    for name, function in _public():
        if name not in NOT_WALKED:
            for one in inspect.signature(function).parameters.values():
                if one.kind not in {one.VAR_KEYWORD, one.VAR_POSITIONAL}:
                    yield name, one.name


NEEDED: dict[str, Callable[[Path], Any]] = {
    "puzzle": lambda _: PUZZLE,
    "puzzles": lambda _: [PUZZLE],
    "engines": lambda _: ("native", "fast"),
    "rows": lambda _: 4,
    "columns": lambda _: 4,
    "boards": lambda _: (Board(4, 4),),
    "values": lambda _: range(1, 5),
    "origins": lambda _: None,
    "signs": lambda _: "1234",
    "name": lambda _: "native",
    "shown": lambda _: PUZZLE,
    "start": lambda _: PUZZLE,
    "number": lambda _: 1,
    "out": lambda folder: folder / "out.txt",
    "tree": lambda _: sudoku_cp.trace(PUZZLE),
    "source": lambda _: StringIO(PUZZLE.line()),
    "sources": lambda folder: [folder / "in.txt"],
    "target": lambda _: StringIO(),
    "folder": lambda folder: folder / "proof",
    "text": lambda _: PUZZLE.line(),
    "layout": lambda _: "AABB AABB CCDD CCDD",
    "cell": lambda _: 0,
    "value": lambda _: 1,
    "sign": lambda _: "1",
    "givens": lambda _: {0: 1},
    "listener": lambda _: print,
}
"""Valid values for parameters that have no default, or a slow one."""
INSTEAD: dict[str, dict[str, Callable[[Path], Any]]] = {
    "solve_many": {"puzzles": lambda _: np.zeros((1, 16), np.uint8)},
    "Position": {"values": lambda _: (None,) * 16, "origins": lambda _: (None,) * 16},
    "Position.of": {"values": lambda _: ()},
    "Puzzle.holds": {"values": lambda _: (1,) * 16},
    "Puzzle.line": {"values": lambda _: None},
    "Grid.cell_name": {"cell": lambda _: 0},
    "generate": {"size": lambda _: 4, "givens": lambda _: None},
    "count": {"limit": lambda _: 5},
    "rate": {"scales": lambda _: "words"},
}


def _right(name: str, function: Callable[..., Any], folder: Path) -> dict[str, Any]:
    """Return valid arguments, without most of those that have defaults."""
    (folder / "in.txt").write_text("1234341221......\n", encoding="utf-8")
    chosen = INSTEAD.get(name, {})
    return {
        one.name: (chosen.get(one.name) or NEEDED[one.name])(folder)
        for one in inspect.signature(function).parameters.values()
        if one.name in chosen or (one.default is one.empty and one.kind not in {one.VAR_KEYWORD, one.VAR_POSITIONAL})
    }


TAKEN_ELSEWHERE = {"cross_check", "generate", "generate_files", "rate_files", "solve_files", "solve_many"}
"""Functions that take long with valid arguments, which are tested elsewhere."""
FUNCTIONS = dict(_public())
QUICK = {"Grid.cell_name", "Symbols.sign"}
"""Called for every cell, so they do not check for True, which is 1 to Python."""


@pytest.mark.parametrize(("name", "parameter"), list(_parameters()))
def test_a_parameter_takes_what_it_names_or_refuses_it(
    name: str, parameter: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A value that the annotation does not name raises `InvalidInput` with the parameter, what was expected, and what came.

    One that it does name is accepted, or refused with `InvalidInput` too.
    """
    monkeypatch.chdir(tmp_path)  # a text may be the name of a file to write
    annotation = str(inspect.signature(FUNCTIONS[name]).parameters[parameter].annotation)
    for number, (value, words) in enumerate(JUNK.values()):
        if name in QUICK and value is True:
            continue
        folder = tmp_path / str(number)
        folder.mkdir()
        arguments = _right(name, FUNCTIONS[name], folder) | {parameter: value}
        right = fits(annotation, words)
        if right and name in TAKEN_ELSEWHERE:
            continue
        try:
            found = FUNCTIONS[name](**arguments)
            if isinstance(found, Iterator):
                next(found, None)
        except InvalidInput as error:
            if not right:
                assert_error_names(value, parameter, str(error))
        else:
            assert right, f"{value!r} was taken"


def assert_error_names(value: object, parameter: str, words: str) -> None:
    """Assert that an error names the parameter, what was expected there, and what came, or what is wrong inside it."""
    came = (value, *(value if isinstance(value, list | dict) else ()))
    assert parameter in words
    assert "expected" in words
    assert any(repr(one)[:20] in words for one in came)


@pytest.mark.parametrize("kind", [kind for kind, rule in RULES.items() if rule.__module__.startswith("sudoku_cp.rules.")])
def test_a_field_of_a_rule_takes_what_it_names_or_refuses_it(kind: str) -> None:
    """So does every field of every rule, whether it is written by hand or comes from a reader of our own."""
    example = RULES[kind].example(GRID)
    for field in fields(example):
        for value, words in JUNK.values():
            if fits(str(field.type), words):
                continue
            with pytest.raises(InvalidType) as caught:
                replace(example, **{field.name: value})
            assert_error_names(value, field.name, str(caught.value))
            assert str(caught.value).startswith(f"{type(example).__name__}, {field.name}")


@pytest.mark.parametrize(
    ("ask", "words"),
    [
        (lambda: sudoku_cp.solve("4..."), "solve, puzzle: expected a Puzzle, such as Puzzle.parse(text), got '4...'"),
        (lambda: sudoku_cp.check("4..."), "check, puzzle: expected a Puzzle, such as Puzzle.parse(text), got '4...'"),
        (lambda: sudoku_cp.count("4..."), "count, puzzle: expected a Puzzle, such as Puzzle.parse(text), got '4...'"),
        (lambda: sudoku_cp.is_unique("4..."), "is_unique, puzzle: expected a Puzzle, such as Puzzle.parse(text), got '4...'"),
        (lambda: Puzzle.parse(None), "Puzzle.parse, text: expected a text, got None"),
        (lambda: sudoku_cp.solve(PUZZLE, limits=5), "solve, limits: expected Limits, such as Limits(seconds=5), got 5"),
        (lambda: sudoku_cp.solve(PUZZLE, backend=None), "solve, backend: expected a text or a Backend, got None"),
        (lambda: sudoku_cp.solve(PUZZLE, solution_limit=2.5), "solve, solution_limit: expected a whole number or None, got 2.5"),
        (lambda: Limits(nodes=1.5), "Limits, nodes: expected a whole number or None, got 1.5"),
        (
            lambda: Puzzle(GRID, givens=[1, 2]),
            "Puzzle, givens: expected a mapping of whole numbers to whole numbers, got [1, 2]",
        ),
        (lambda: Puzzle(GRID, givens={0: True}), "Puzzle, givens[0]: expected a whole number, got True"),
        (lambda: Puzzle(GRID, givens={"r1c1": 1}), "Puzzle, givens, keys: expected a whole number, got 'r1c1'"),
        (lambda: KillerCage((0, 1), total=3.5), "KillerCage, total: expected a whole number or None, got 3.5"),
        (lambda: KillerCage(("r1c1",)), "KillerCage, cells[0]: expected a whole number, got 'r1c1'"),
        (lambda: Arrow(0, ((1, "2"),)), "Arrow, shafts[0][1]: expected a whole number, got '2'"),
        (lambda: GenerateRequest(families="killer"), "GenerateRequest, families: expected a tuple of texts, got 'killer'"),
        (lambda: sudoku_cp.read_puzzles([1]), "read_puzzles, source: expected a text, a Path or an open file, got [1]"),
        (lambda: Grid.square(9.0), "Grid.square, size: expected a whole number, got 9.0"),
        (lambda: Grid.square(4, (2,)), "Grid.square, boxes: expected (a whole number, a whole number) or None, got (2,)"),
    ],
)
def test_what_is_not_asked_for_is_refused_in_words(ask: Callable[[], object], words: str) -> None:
    """The message says where, what was expected and what came; plain Python can catch it as the `TypeError` that it is."""
    with pytest.raises(TypeError) as caught:
        ask()
    assert isinstance(caught.value, InvalidInput)
    assert str(caught.value) == words


def test_everything_wrong_is_reported_at_once() -> None:
    """A call with three wrong arguments has three problems; of many wrong parts of one, ten are named."""
    with pytest.raises(InvalidType) as caught:
        sudoku_cp.solve("4...", solution_limit=2.5, limits=5)
    assert len(caught.value.problems) == 3
    with pytest.raises(InvalidType) as caught:
        Puzzle(GRID, givens=dict.fromkeys(range(16), 2.5))
    assert len(caught.value.problems) == 11
    assert caught.value.problems[-1] == "Puzzle, givens: and 6 more"


def test_lists_and_numbers_of_numpy_are_what_they_say() -> None:
    """Equivalent values are accepted: lists where tuples are kept, ranges, arrays, and whole numbers of NumPy's."""
    board = np.arange(16, dtype=np.int64) % 4 + 1
    puzzle = Puzzle(GRID, [RULES["houses"]()], {np.int64(0): board[0]}, solution=board)
    assert puzzle == Puzzle(GRID, givens={0: 1}, solution=tuple(board.tolist()))
    assert {*map(type, puzzle.givens), *map(type, puzzle.givens.values()), *map(type, puzzle.solution or ())} == {int}
    assert KillerCage(range(3), np.int32(6)) == KillerCage([0, 1, 2], 6) == KillerCage(iter([0, 1, 2]), 6)
    assert hash(LookAndSay([0, 1], [[2, 1]])) == hash(LookAndSay((0, 1), ((2, 1),)))
    assert sudoku_cp.solve(puzzle, solution_limit=np.int64(1)).count == 1
    assert Board(2, 2, regions=[0, 0, 1, 1]) == Board(2, 2, regions=(0, 0, 1, 1))


def test_literals_of_numbers_are_numbers() -> None:
    """A parameter that names numbers takes these, NumPy's too; neither others, nor True, texts or fractions."""

    @checked
    def per_page(number: Literal[1, 2, 4], word: Literal["one"] | None = None) -> tuple[object, object]:
        return number, word

    assert per_page(2) == (2, None)
    assert per_page(np.int64(4), "one") == (4, "one")
    for wrong in (3, True, "1", 1.0, None, [1]):
        with pytest.raises(InvalidType, match="number: expected one of 1, 2, 4, got"):
            per_page(wrong)  # type: ignore[arg-type]
    with pytest.raises(InvalidType, match="word: expected one of 'one' or None, got 1"):
        per_page(1, 1)  # type: ignore[arg-type]


def test_what_python_refuses_is_left_to_python() -> None:
    """An argument too many, one that is missing and one of no such name are a plain `TypeError`, as everywhere."""
    for wrong in (sudoku_cp.solve, lambda: sudoku_cp.solve(PUZZLE, 2), lambda: sudoku_cp.solve(PUZZLE, most=2)):
        with pytest.raises(TypeError) as caught:
            wrong()
        assert not isinstance(caught.value, InvalidInput)


def test_a_checked_function_is_still_itself() -> None:
    """Name, signature and words are those of the function; its arguments are passed on unchanged."""
    assert sudoku_cp.solve.__name__ == "solve"
    assert list(inspect.signature(sudoku_cp.solve).parameters) == [
        "puzzle",
        "backend",
        "limits",
        "solution_limit",
        "expected_count",
    ]
    assert "Return the first solution" in (sudoku_cp.solve.__doc__ or "")
    kept: list[object] = []
    given = [1, 2]
    checked(_keeps)(given, kept)
    assert kept[0] is given


def _keeps(numbers: list[int], kept: list[object]) -> None:
    kept.append(numbers)


def test_an_iterator_is_not_walked_through_by_the_check() -> None:
    """Puzzles from an iterator are checked one by one, as they are consumed."""
    answers = sudoku_cp.cross_check(iter([PUZZLE]), ["native", "fast"])
    assert answers.puzzles == 1
    target = StringIO()
    with pytest.raises(InvalidType, match="expected a Puzzle, such as"):
        sudoku_cp.write_puzzles(iter([PUZZLE, "4..."]), target)  # type: ignore[list-item]
    with pytest.raises(InvalidType, match="expected a Puzzle, such as"):
        sudoku_cp.cross_check(iter(["4..."]), ["native", "fast"])  # type: ignore[list-item]


def test_an_annotation_that_is_no_type_is_found_out() -> None:
    """A new annotation that nobody reads would be a check that cannot fail."""
    with pytest.raises(TypeError, match="made of types"):
        type_spec("Puzzle")


def test_answers_are_what_nobody_makes() -> None:
    """The list of results that nobody constructs is no longer than it must be."""
    assert set(sudoku_cp.__all__) >= MADE_BY_THE_LIBRARY
    assert isinstance(sudoku_cp.solve(PUZZLE), Answer)
    assert isinstance(SAMPLES["CandidateMemory"], CandidateMemory)


RESULTS: dict[str, Callable[[], object]] = {
    "solve": lambda: sudoku_cp.solve(PUZZLE, solution_limit=2),
    "check": lambda: sudoku_cp.check(PUZZLE),
    "true_candidates": lambda: sudoku_cp.true_candidates(PUZZLE),
    "hint": lambda: sudoku_cp.hint(PUZZLE),
    "steps": lambda: sudoku_cp.steps(PUZZLE),
    "rate": lambda: sudoku_cp.rate(PUZZLE, "words,proof"),
    "generate": lambda: next(iter(sudoku_cp.generate(1, seed=1, size=4))),
    "trace": lambda: sudoku_cp.trace(PUZZLE),
    "prove": lambda: sudoku_cp.prove(PUZZLE),
    "estimate": lambda: sudoku_cp.estimate(PUZZLE),
}


@pytest.mark.parametrize("name", RESULTS)
def test_a_result_prints_in_one_line(name: str) -> None:
    """What an interactive session prints of an answer is a line with its class, however much the answer holds."""
    result = RESULTS[name]()
    assert len(repr(result)) <= LONGEST_REPR
    assert "\n" not in repr(result)
    assert type(result).__name__ in repr(result)
    assert not re.search(r"\w\.\.\.\)$", repr(result))  # nothing is cut within a word


def test_a_hint_prints_its_sentence() -> None:
    """What an interactive session prints of a hint is what it says; long sentences end behind a word."""
    hint = sudoku_cp.hint(PUZZLE)
    assert repr(hint) == f"<Hint: {hint.text()}>"
    assert shortened("one two three", 13) == "one two three"
    assert shortened("one two three", 12) == "one two..."
    assert shortened("o" * 13, 12) == "ooooooooo..."


def test_a_short_representation_shows_what_is_plain() -> None:
    """Names and numbers are shown, what holds a lot is counted."""
    shown = repr(replace(sudoku_cp.solve(PUZZLE), seconds=0.25))
    assert shown.startswith("Answer(status='unique', count=1, exact=True, backend='")
    assert "seconds=0.25, solutions=<1 item>" in shown
