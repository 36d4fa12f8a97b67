"""The plain call: a question and its body as JSON in, its answer as JSON out, without a terminal and without HTTP."""

from __future__ import annotations

from dataclasses import MISSING, replace
from typing import TYPE_CHECKING, Any

from sudoku_cp.arguments import type_spec
from sudoku_cp.errors import InvalidInput, Problem, placed
from sudoku_cp.questions.body_reader import FREE, BodyReader, Restrictions
from sudoku_cp.questions.question import (
    SUBJECTS,
    Option,
    Question,
    Run,
    named_options,
    options_of,
    question_named,
    spell_for_json,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping


_UNREADABLE = "?"
"""A text that is no value of an option that takes texts."""
_OF_TEXTS = frozenset({"from", "size", "boxes", "alphabet"})
"""Options without which nobody knows what a text of a puzzle means."""


def ask(name: str, body: Mapping[str, Any], run: Run | None = None) -> dict[str, Any]:
    """Answer the question of a name, such as ``count``; ``body`` is what HTTP sends: the puzzle and the options.

    Without a ``run``, the limits are those of the options, and nobody hears of what is known on the way. Raises `InvalidInput`
    with everything that is wrong, and where in the body.
    """
    kind = question_named(name)
    if problems := list(_field_problems(kind, body)):
        raise InvalidInput([*problems, *further_problems(kind, body, {str(one.path[0]) for one in problems})])
    return answer_body(kind, body, lambda question: run or Run(question.limits()))


def answer_body(
    kind: type[Question],
    body: Mapping[str, Any],
    make_run: Callable[[Any], Run],
    restrictions: Restrictions = FREE,
) -> dict[str, Any]:
    """Answer a body whose fields have the right types; ``make_run`` lends the question its limits once all has been read."""
    question, subject, reader = read_body(kind, body, restrictions)
    answer = question.answer(subject, make_run(question))
    return replace(answer, warnings=reader.warnings).to_json()


def read_body(
    kind: type[Question], body: Mapping[str, Any], restrictions: Restrictions = FREE
) -> tuple[Question, Any, BodyReader]:
    """Return the question, what it is about, and what has read both; raise `InvalidInput` with everything that is wrong."""
    reader = BodyReader(body, restrictions)
    options = {one.field: body[one.name] for one in options_of(kind) if body.get(one.name) is not None}
    for engines in ("backend", "backends"):
        if engines in options and not reader.require_listed_programs(engines):
            del options[engines]  # nobody looks for a program of such a name
    question = kind(**options)
    subject = _SUBJECT_READERS[kind.subject](reader, kind)
    reader.add(map(_spell_problem, question.contradictions()))
    if reader.is_readable:
        reader.add(map(_spell_problem, question.misfits(subject)))
    reader.require_few(question.puzzle_count)
    reader.end()
    return question, subject, reader


def further_problems(
    kind: type[Question], body: Mapping[str, Any], wrong: Collection[str], restrictions: Restrictions = FREE
) -> list[Problem]:
    """Return what else is wrong with a body some of whose fields are ``wrong``, as far as it can be judged without them.

    In their place stand values that nobody can read, or the defaults; what is said of them, or refers to them, is left out.
    """
    options = options_of(kind)
    rest = {name: value for name, value in body.items() if name not in wrong}
    subject = {one.name for one in SUBJECTS[kind.subject]}
    unreadable = {one.name: _UNREADABLE for one in options if one.name in wrong and type_spec(one.hint).fits(_UNREADABLE)}
    reader = BodyReader(rest, restrictions)
    given = {one.field: value for one in options if (value := (rest | unreadable).get(one.name)) is not None}
    if any(one.default is MISSING and one.field not in given for one in options):
        return []
    for engines in ("backend", "backends"):
        if engines in given and not reader.require_listed_programs(engines):
            del given[engines]
    question = kind(**given)
    if not {*wrong} & {*subject, *_OF_TEXTS}:
        found = _SUBJECT_READERS[kind.subject](reader, kind)
        if reader.is_readable:
            reader.add(map(_spell_problem, _without(question.misfits(found), wrong)))
    reader.add(map(_spell_problem, _without(question.contradictions(), wrong)))
    try:
        reader.end()
    except InvalidInput as error:
        return [one for one in error.problems if isinstance(one, Problem) and not {*one.path[:1]} & {*wrong}]
    return []


def _without(problems: Iterable[Problem], wrong: Collection[str]) -> Iterator[Problem]:
    """Yield the problems that refer to none of the options that are wrong."""
    for problem in problems:
        named = {str(problem.path[0]) if problem.path else "", getattr(problem, "option", ""), *named_options(problem)}
        if not named & {*wrong}:
            yield problem


def _spell_problem(problem: Problem) -> Problem:
    """Return a problem with the options that it names as fields of JSON."""
    return placed(problem, words=spell_for_json(problem))


_SUBJECT_READERS: dict[str, Callable[[BodyReader, type[Question]], Any]] = {
    "puzzle": lambda reader, _: reader.puzzle(),
    "puzzle or board": lambda reader, _: reader.puzzle_if_any(),
    "position": lambda reader, _: reader.start(),
    "puzzles": lambda reader, kind: reader.several(kind.most),
    "nothing": lambda *_: None,
    "certificate": lambda reader, _: reader.certificate(),
    "sheets": lambda reader, kind: reader.sheets(kind.most),
    "collection": lambda reader, kind: reader.collection(kind.most),
    "text": lambda reader, kind: reader.several(kind.most),
}


def _field_problems(kind: type[Question], body: Mapping[str, Any]) -> Iterator[Problem]:
    """Yield which fields are missing, unknown, or of a wrong type or size."""
    known = {one.name: one for one in (*SUBJECTS[kind.subject], *options_of(kind))}
    for name in body.keys() - known.keys():
        yield Problem(f"expected a field of {kind.name}, one of {', '.join(known)}; got {name!r:.80}", [name])
    for name, one in known.items():
        if name in body:
            yield from _value_problems(one, body[name])
        elif one.default is MISSING:
            yield Problem(f"expected a field {name}, got none", [name])


def _value_problems(one: Option, value: Any) -> Iterator[Problem]:
    spec = type_spec(one.hint)
    if not spec.fits(value):
        yield Problem(f"{one.name}: expected {spec.words}, got {value!r:.80}", [one.name])
    elif isinstance(value, int | float):
        yield from _size_problems(one, value)


def _size_problems(one: Option, value: float) -> Iterable[Problem]:
    if one.ge is not None and not value >= one.ge:
        yield Problem(f"{one.name}: expected at least {one.ge:g}, got {value:g}", [one.name])
    if one.le is not None and not value <= one.le:
        yield Problem(f"{one.name}: expected at most {one.le:g}, got {value:g}", [one.name])
    if one.lt is not None and not value < one.lt:
        yield Problem(f"{one.name}: expected less than {one.lt:g}, got {value:g}", [one.name])
