"""Options and questions as they are typed: in words, in problems, and in errors of the library, which name them in backquotes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import TypeVar

from sudoku_cp.errors import InvalidInput, OptionProblem, Problem
from sudoku_cp.questions.question import spell

_E = TypeVar("_E", bound=BaseException)


def spell_typed(words: str) -> str:
    """Return words with the options and questions that they name as they are typed."""
    return spell(words, _option, lambda name: f"'sudoku-cp {name}'")


def typed(error: _E) -> _E:
    """Return an error with the options that it names as they are typed."""
    return error.spelled(spell_options) if isinstance(error, InvalidInput) else error


def spell_options(words: str, names: Mapping[str, str] = MappingProxyType({})) -> str:
    """Return words with the options that they name as they are typed; what stands in angle brackets may be a user's.

    ``names`` are those of options that the library calls otherwise.
    """
    return spell(words, lambda name: _option(names.get(name, name)), lambda name: f"<{name}>")


def _option(name: str) -> str:
    return f"--{name.replace('_', '-')}"


def refuse_typed(problems: Iterator[Problem], contradictions: Mapping[str, bool] = MappingProxyType({})) -> None:
    """Raise `InvalidInput` with problems of a question's options, named as typed, and with contradictions that are true."""
    found = [_spell_problem(problem) for problem in problems]
    found += [words for words, is_wrong in contradictions.items() if is_wrong]
    if found:
        raise InvalidInput(found)


def _spell_problem(problem: Problem) -> str:
    """Return a problem with the option that it is about in front, unless it names one itself."""
    if isinstance(problem, OptionProblem):
        return problem.spelled(spell_options)
    words = spell_typed(problem)
    if "--" in words or not problem.path or not isinstance(problem.path[0], str):
        return words
    return f"{_option(problem.path[0])}: {words}"
