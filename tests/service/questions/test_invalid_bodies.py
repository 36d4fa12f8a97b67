"""Whatever is wrong with a body is told with its place, everything at once, and without a traceback."""

from __future__ import annotations

import pickle
from typing import Any

import pytest

from sudoku_cp.errors import InvalidInput, Problem
from sudoku_cp.questions.question import EASY, KILLER
from sudoku_cp.service.body_judging import InvalidBody, parse_fields
from sudoku_cp.service.questions import QUESTIONS

Body = dict[str, Any]
Told = list[tuple[str, str]]
CAGE = {"kind": "killer-cage", "cells": ["r1c1", "r1c2"], "total": 3}


def problems_of(verb: str, body: Body, control: Any) -> Told:
    """Return pointer and cell of each problem of a body, as the service finds them: first its model, then its readers."""
    question = QUESTIONS[verb]
    try:
        plain = parse_fields(question.request, body).model_dump(mode="json", exclude_unset=True)
    except InvalidBody as error:
        return [(one.pointer, "") for one in error.problems if isinstance(one, Problem)]
    with pytest.raises(InvalidInput) as caught:
        question.run(plain, control)
    found = pickle.loads(pickle.dumps(caught.value)).problems  # noqa: S301  # as it comes from a worker
    assert all(isinstance(one, Problem) for one in found), found
    assert all(str(one).strip() and "Traceback" not in one for one in found)
    return [(one.pointer, one.cell) for one in found]


def killer(**changes: Any) -> Body:
    """Return a puzzle in our JSON with other fields."""
    return KILLER | changes


def with_rule(**changes: Any) -> Body:
    """Return a puzzle whose second rule is a cage with other fields."""
    return killer(rules=[{"kind": "houses"}, CAGE | changes])


PUZZLES: dict[str, tuple[Any, Told]] = {
    "short text": ("123", [("/puzzle", "")]),
    "empty text": ("", [("/puzzle", "")]),
    "blank text": ("  \n", [("/puzzle", "")]),
    "strange sign": (EASY.replace("5", "%", 1), [("/puzzle", "")]),
    "several puzzles": (f"{EASY}\n{EASY}", [("/puzzle", "")]),
    "no format": ("no puzzle at all, but words", [("/puzzle", "")]),
    "broken link": ("https://f-puzzles.com/?load=AAAA", [("/puzzle", "")]),
    "broken JSON text": ('{"grid": ', [("/puzzle", "")]),
    "name of a file": ("/etc/passwd", [("/puzzle", "")]),
    "NUL": ("\0" * 81, [("/puzzle", "")]),
    "lone surrogate": ("\ud800" * 81, [("/puzzle", "")]),
    "unknown field": (killer(colour=1), [("/puzzle/colour", "")]),
    "field with a slash": (killer(**{"a/b~c": 1}), [("/puzzle/a~1b~0c", "")]),
    "wrong format": (killer(format="other"), [("/puzzle/format", "")]),
    "wrong version": (killer(version=9), [("/puzzle/version", "")]),
    "title is a number": (killer(title=1), [("/puzzle/title", "")]),
    "grid is a text": (killer(grid="4x4"), [("/puzzle/grid", "")]),
    "no columns": (killer(grid={"rows": 4}), [("/puzzle/grid", "")]),
    "rows is a text": (killer(grid={"rows": "4", "columns": 4}), [("/puzzle/grid/rows", "")]),
    "boxes of three": (killer(grid={"rows": 4, "columns": 4, "boxes": [2, 2, 2]}), [("/puzzle/grid/boxes", "")]),
    "too large": (killer(grid={"rows": 400, "columns": 400}), [("/puzzle/grid", "")]),
    "second board": (
        {"grid": {"boards": [{"rows": 4, "columns": 4}, {"rows": True, "columns": 4}]}},
        [("/puzzle/grid/boards/1/rows", "")],
    ),
    "rules is a text": (killer(rules="houses"), [("/puzzle/rules", "")]),
    "rule is a number": (killer(rules=[1]), [("/puzzle/rules/0", "")]),
    "unknown rule": (killer(rules=[{"kind": "houses"}, {"kind": "kage"}]), [("/puzzle/rules/1", "")]),
    "cell beyond": (with_rule(cells=["r1c1", "r1c2", "r10c1"]), [("/puzzle/rules/1/cells/2", "r10c1")]),
    "cell is no cell": (with_rule(cells=["r1c1", "A2"]), [("/puzzle/rules/1/cells/1", "A2")]),
    "cell is a number": (with_rule(cells=["r1c1", 2]), [("/puzzle/rules/1/cells/1", "")]),
    "cells is a text": (with_rule(cells="r1c1"), [("/puzzle/rules/1/cells", "")]),
    "no cells": (killer(rules=[{"kind": "houses"}, {"kind": "thermometer", "cells": []}]), [("/puzzle/rules/1", "")]),
    "total is a text": (with_rule(total="3"), [("/puzzle/rules/1/total", "")]),
    "field of another rule": (with_rule(colour="red"), [("/puzzle/rules/1/colour", "")]),
    "two wrong cells": (
        with_rule(cells=["r9c9", "r1c1", "r8c8"]),
        [("/puzzle/rules/1/cells/0", "r9c9"), ("/puzzle/rules/1/cells/2", "r8c8")],
    ),
    "given beyond": (killer(givens={"r9c1": 1}), [("/puzzle/givens/r9c1", "r9c1")]),
    "given too large": (killer(givens={"r1c1": 7}), [("/puzzle/givens/r1c1", "r1c1")]),
    "given is a text": (killer(givens={"r1c1": "1"}), [("/puzzle/givens/r1c1", "r1c1")]),
    "given is true": (killer(givens={"r1c1": True}), [("/puzzle/givens/r1c1", "r1c1")]),
    "candidates too large": (killer(candidates={"r1c2": [1, 9]}), [("/puzzle/candidates/r1c2", "r1c2")]),
    "no candidates": (killer(candidates={"r1c2": []}), [("/puzzle/candidates/r1c2", "r1c2")]),
    "solution too short": (killer(solution=[1, 2]), [("/puzzle/solution", "")]),
    "solution with a text": (killer(solution=[1, "2"]), [("/puzzle/solution/1", "")]),
    "symbols": (killer(symbols=5), [("/puzzle/symbols", "")]),
    "huge number": (with_rule(total=10**30), [("/puzzle/rules/1/total", "")]),
    "several things": (
        killer(givens={"r1c1": 1, "zz": 2}, title=3, rules=[{"kind": "houses"}, CAGE | {"cells": ["r7c7"]}]),
        [("/puzzle/title", ""), ("/puzzle/rules/1/cells/0", "r7c7"), ("/puzzle/givens/zz", "zz")],
    ),
}
OPTIONS: dict[str, tuple[Body, Told]] = {
    "unknown format": ({"from": "nonsense"}, [("/from", "")]),
    "size": ({"size": "large"}, [("/size", "")]),
    "size too large": ({"size": 99}, [("/size", "")]),
    "boxes": ({"boxes": "3y3"}, [("/boxes", "")]),
    "boxes that do not fit": ({"size": 9, "boxes": "2x5"}, [("/boxes", "")]),
    "unknown rule name": ({"rules": "anti-night"}, [("/rules", "")]),
    "unknown rule in a list": ({"rules": ["diagonals", "anti-night"]}, [("/rules/1", "")]),
    "rule that needs cells": ({"rules": ["killer-cage"]}, [("/rules/0", "")]),
    "jigsaw": ({"rules": "jigsaw"}, [("/rules", "")]),
    "added rule with a wrong cell": (
        {"rules": ["diagonals", {"kind": "killer-cage", "cells": ["r99c1"], "total": 3}]},
        [("/rules/1/cells/0", "r99c1")],
    ),
    "added rule with a huge number": ({"rules": ["diagonals", CAGE | {"total": 10**9}]}, [("/rules/1/total", "")]),
    "unknown option": ({"colour": "red"}, [("/colour", "")]),
    "puzzle twice": ({"puzzles": []}, [("/puzzles", "")]),
    "timeout below 0": ({"timeout": -1}, [("/timeout", "")]),
    "timeout as text": ({"timeout": "5"}, [("/timeout", "")]),
    "timeout not a number": ({"timeout": float("nan")}, [("/timeout", "")]),
    "endless timeout": ({"timeout": float("inf")}, [("/timeout", "")]),
    "job": ({"job": 1}, [("/job", "")]),
}
APART = {"solve", "compare", "audit"}
OTHERS = [name for name, one in QUESTIONS.items() if "puzzle" in one.request.model_fields and name not in APART]
"""The other questions about one puzzle, which take turns; for an audit, what is wrong with puzzles is the answer."""
OF_VERBS: dict[str, tuple[str, Body, Told]] = {
    "solve engine": ("solve", {"backend": "magic"}, [("/backend", "")]),
    "solve program": ("solve", {"backend": "dimacs:/bin/sh"}, [("/backend", "")]),
    "solve kind": ("solve", {"backend": "sat:nonsense"}, [("/backend", "")]),
    "solve limit": ("solve", {"limit": 0}, [("/limit", "")]),
    "solve seed below 0": ("solve", {"random": True, "seed": -1}, [("/seed", "")]),
    "count seed below 0": ("count", {"estimate": True, "limit": None, "seed": -1}, [("/seed", "")]),
    "count seed too large": ("count", {"estimate": True, "limit": None, "seed": 1 << 64}, [("/seed", "")]),
    "count usual error alone": ("count", {"error": 0.05}, [("/error", "")]),
    "solve limit as text": ("solve", {"limit": "2"}, [("/limit", "")]),
    "solve nodes": ("solve", {"nodes": -1}, [("/nodes", "")]),
    "solve seed": ("solve", {"seed": 1}, [("/seed", "")]),
    "solve all and first": ("solve", {"all": True, "first": True}, [("/all", "")]),
    "solve everything": (
        "solve",
        {"backend": "magic", "seed": 1, "size": "x", "rules": "y"},
        [("/size", ""), ("/rules", ""), ("/backend", ""), ("/seed", "")],
    ),
    "count error": ("count", {"estimate": True, "error": 0}, [("/error", "")]),
    "count error alone": ("count", {"error": 0.1}, [("/error", "")]),
    "count estimate and limit": ("count", {"estimate": True, "limit": 5}, [("/limit", "")]),
    "check option of another": ("check", {"limit": 5}, [("/limit", "")]),
    "candidates cap": ("candidates", {"cap": 0}, [("/cap", "")]),
    "candidates known": ("candidates", {"known": 5}, [("/known", "")]),
    "prove claim": ("prove", {"claim": "true"}, [("/claim", "")]),
    "prove prover": ("prove", {"backend": "magic"}, [("/backend", "")]),
    "prove folder": ("prove", {"out": "folder"}, [("/out", "")]),
    "compare engines": ("compare", {"backends": "native,magic"}, [("/backends", "")]),
    "compare one engine": ("compare", {"backends": "native"}, [("/backends", "")]),
    "compare list": ("compare", {"puzzle": [EASY, "12"]}, [("/puzzle/1", "")]),
    "audit kind": ("audit", {"ignore": ["duplicate", "ugly"]}, [("/ignore", "")]),
    "audit limit": ("audit", {"limit": 1}, [("/limit", "")]),
    "audit program": ("audit", {"backend": "dimacs:/bin/sh"}, [("/backend", "")]),
    "audit format": ("audit", {"from": "magic"}, [("/from", "")]),
    "fewest two questions": ("fewest", {"no_givens": True}, [("/no_givens", "")]),
    "fewest pattern": ("fewest", {"pattern": "/etc/passwd"}, [("/pattern", "")]),
    "fewest seed": ("fewest", {"seed": -1}, [("/seed", "")]),
    "fewest board": ("fewest", {"puzzle": None, "pattern": "#", "size": "x"}, [("/size", "")]),
    "rate scale": ("rate", {"scale": "feeling"}, [("/scale", "")]),
    "hint level": ("hint", {"level": 6}, [("/level", "")]),
    "hint level as text": ("hint", {"level": "1"}, [("/level", "")]),
    "hint value beyond": ("hint", {"position": {"values": {"r10c1": 1}}}, [("/position/values/r10c1", "r10c1")]),
    "hint value too large": ("hint", {"position": {"values": {"r1c3": 10}}}, [("/position/values/r1c3", "r1c3")]),
    "hint value over a given": ("hint", {"position": {"values": {"r1c1": 4}}}, [("/position/values/r1c1", "r1c1")]),
    "hint marks": ("hint", {"position": {"marks": {"r1c3": [0, 1]}}}, [("/position/marks/r1c3", "r1c3")]),
    "hint unknown in position": ("hint", {"position": {"colours": {}}}, [("/position/colours", "")]),
    "hint cell is no cell": ("hint", {"position": {"values": {"A1": 1}}}, [("/position/values/A1", "")]),
    "steps technique": ("steps", {"technique": ["naked single", "magic"]}, [("/technique/1", "")]),
    "steps technique as text": ("steps", {"technique": "magic"}, [("/technique", "")]),
    "explain cell": ("explain", {"cell": "r10c1", "value": 1}, [("/cell", "r10c1")]),
    "explain no cell": ("explain", {"cell": "here", "value": 1}, [("/cell", "here")]),
    "explain value": ("explain", {"cell": "r1c3", "value": 10}, [("/value", "")]),
    "explain sign": ("explain", {"cell": "r1c3", "value": "x"}, [("/value", "")]),
    "explain both": ("explain", {"cell": "z", "value": "x"}, [("/cell", "z"), ("/value", "")]),
    "trace nodes": ("trace", {"nodes": 10**9}, [("/nodes", "")]),
    "trace engine": ("trace", {"backend": "magic"}, [("/backend", "")]),
    "generate count": ("generate", {"count": 1001}, [("/count", "")]),
    "generate size": ("generate", {"size": "x"}, [("/size", "")]),
    "generate rules": ("generate", {"rules": "magic"}, [("/rules", "")]),
    "generate rule in a list": ("generate", {"rules": ["killer", "magic"]}, [("/rules/1", "")]),
    "generate rule with a wrong cell": (
        "generate",
        {"rules": [CAGE | {"cells": ["r1c1", "r9c9"]}]},
        [("/rules/0/cells/1", "r9c9")],
    ),
    "generate difficulty": ("generate", {"difficulty": "awful"}, [("/difficulty", "")]),
    "generate givens": ("generate", {"givens": "many"}, [("/givens", "")]),
    "generate guesses": ("generate", {"guesses": "5..2"}, [("/guesses", "")]),
    "generate symmetry": ("generate", {"symmetry": "none at all"}, [("/symmetry", "")]),
    "generate pattern": ("generate", {"pattern": "/etc/passwd"}, [("/pattern", "")]),
    "generate rating": ("generate", {"rating": "se"}, [("/rating", "")]),
    "generate needs": ("generate", {"needs": ["magic"]}, [("/needs", "")]),
    "generate seed": ("generate", {"seed": -1}, [("/seed", "")]),
    "generate share": ("generate", {"cross_check": 2}, [("/cross_check", "")]),
    "generate file": ("generate", {"out": "x.txt"}, [("/out", "")]),
    "generate several": (
        "generate",
        {"givens": "many", "symmetry": "odd", "difficulty": "awful"},
        [("/difficulty", ""), ("/givens", ""), ("/symmetry", "")],
    ),
    "convert format": ("convert", {"to": "magic"}, [("/to", "")]),
    "convert to what is read": ("convert", {"to": "penpa"}, [("/to", "")]),
    "picture cell": ("picture", {"cell": 1}, [("/cell", "")]),
    "picture kind": ("picture", {"to": "gif"}, [("/to", "")]),
    "picture ascii": ("picture", {"ascii": True}, [("/ascii", "")]),
    "picture layers as PNG": ("picture", {"layers": True, "to": "png"}, [("/to", "")]),
    "picture link as text": ("picture", {"link": "https://example.org", "to": "text"}, [("/to", "")]),
    "print nothing": ("print", {"puzzles": []}, [("/puzzles", "")]),
    "print paper": ("print", {"paper": "stone"}, [("/paper", "")]),
    "print symbols": ("print", {"symbols": "runes"}, [("/symbols", "")]),
    "verify no archive": ("verify", {"certificate": "nonsense"}, [("/certificate", "")]),
    "verify empty": ("verify", {"certificate": ""}, [("/certificate", "")]),
    "generate twice the same": ("generate", {"givens": "x", "guesses": "x"}, [("/givens", ""), ("/guesses", "")]),
    "verify number": ("verify", {"certificate": 5}, [("/certificate", "")]),
}


def body_of(verb: str, changes: Body) -> Body:
    """Return the example of a verb with changes."""
    return QUESTIONS[verb].example | changes


CASES: list[Any] = [
    *(
        pytest.param(verb, body_of(verb, {"puzzle": puzzle}), told, id=f"{verb}: {name}")
        for number, (name, (puzzle, told)) in enumerate(PUZZLES.items())
        for verb in ("solve", OTHERS[number % len(OTHERS)])
    ),
    *(
        pytest.param(verb, body_of(verb, {"puzzle": EASY} | changes), told, id=f"{verb}: {name}")
        for number, (name, (changes, told)) in enumerate(OPTIONS.items())
        for verb in ("solve", OTHERS[-1 - number % len(OTHERS)])
    ),
    *(pytest.param(verb, body_of(verb, changes), told, id=name) for name, (verb, changes, told) in OF_VERBS.items()),
    *(pytest.param(verb, {}, None, id=f"{verb}: nothing") for verb in QUESTIONS if verb != "generate"),
]


@pytest.mark.parametrize(("verb", "body", "told"), CASES)
def test_every_problem_has_its_place(verb, body, told, control):
    """An invalid body gives its problems, each with a pointer, and with the cell if it is about one."""
    found = problems_of(verb, body, control)
    assert found
    if told is None:
        assert all(pointer for pointer, _ in found)
    else:
        assert sorted(set(found)) == sorted(told)


def test_there_are_two_hundred():
    """As many invalid bodies are tried as the service promises."""
    assert len(CASES) >= 200


@pytest.mark.parametrize(
    ("verb", "body", "told"),
    [
        ("solve", {"puzzle": 3}, [("/puzzle", "expected text, an object or an array, got 3")]),
        ("solve", {"puzzle": None}, [("/puzzle", "expected text, an object or an array, got null")]),
        ("solve", {"puzzle": EASY, "size": []}, [("/size", "expected a whole number or text, got an array")]),
        ("solve", {"puzzle": EASY, "rules": 4}, [("/rules", "expected text or an array, got 4")]),
        ("solve", {"puzzle": EASY, "rules": ["x", 3]}, [("/rules/1", "expected text or an object, got 3")]),
        ("solve", {"puzzle": EASY, "all": "yes"}, [("/all", 'expected true or false, got "yes"')]),
        ("compare", {"puzzle": [EASY, 3]}, [("/puzzle/1", "expected text, an object or an array, got 3")]),
        ("compare", {"puzzle": True}, [("/puzzle", "expected text, an object or an array, got true")]),
        ("explain", {"puzzle": EASY, "cell": "r1c3", "value": 1.5}, [("/value", "expected a whole number or text, got 1.5")]),
        ("hint", {"puzzle": EASY, "position": [1]}, [("/position", "expected an object, got an array")]),
    ],
)
def test_a_value_of_another_kind_is_one_problem_at_its_place_in_the_body(verb, body, told):
    """The pointer leads to the value, through the body alone, and one sentence has all kinds that it may be of."""
    with pytest.raises(InvalidBody) as caught:
        parse_fields(QUESTIONS[verb].request, body)
    assert [(one.pointer, str(one)) for one in caught.value.problems] == told


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ({}, "expected a field puzzle, got none"),
        ({"puzzle": "." * 81, "nonsense": 1}, "expected one of timeout, job, puzzle, "),
        ({"puzzle": "." * 81, "timeout": -1}, "expected at least 0, got -1"),
        ({"puzzle": "." * 81, "limit": 0}, "expected at least 1, got 0"),
    ],
)
def test_fields_that_are_missing_unknown_or_out_of_bounds_are_told_in_our_words(body, words):
    """What pydantic finds is said as the plain call says it."""
    with pytest.raises(InvalidBody) as told:
        parse_fields(QUESTIONS["count"].request, body)
    assert told.value.problems[0].startswith(words)
