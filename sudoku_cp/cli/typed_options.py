"""Options that several verbs share, declared once: each group is one parameter of a verb, and one value in the code.

The parser makes an option of every field, in the order of the fields (see `flat_options`). The annotations stand in
`options`, which imports typer; they are strings here, as verbs that are called with a puzzle alone do without it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, TypeVar

from sudoku_cp.errors import InvalidInput, OptionProblem, Problem
from sudoku_cp.formats.text_files import is_file
from sudoku_cp.grid import Cell, Grid
from sudoku_cp.questions.question import Levelled, Question, Reading, spell

if TYPE_CHECKING:
    from sudoku_cp.cli.options import ClusterAddress, Force, Out, Resume, Workers


def refuse_contradictions(contradictions: Mapping[str, bool]) -> None:
    """Raise `InvalidInput` with each contradiction of options that is true."""
    if wrong := [words for words, is_wrong in contradictions.items() if is_wrong]:
        raise InvalidInput(wrong)


def no_folder(option: str, name: str | None) -> dict[str, bool]:
    """Return the contradiction that an option names standard output where many files are written, and whether it is true."""
    return {f"{option}: expected a folder, got '-', which stands for standard output (./- is a folder)": name == "-"}


@dataclass(frozen=True, eq=False)
class BatchOptions:
    """Work from file to file: the output, and who does the work."""

    out: Out = None
    resume: Resume = False
    force: Force = False
    workers: Workers = None
    cluster: ClusterAddress = None

    def contradictions(self, without_out: dict[str, bool]) -> dict[str, bool]:
        """Return each possible contradiction, and whether it is true; the options of ``without_out`` exclude --out."""
        with_out = {
            "--resume": self.resume,
            "--force": self.force,
            "--workers": self.workers is not None,
            "--cluster": self.cluster is not None,
        }
        return {
            **{f"{name} needs --out FILE": given and self.out is None for name, given in with_out.items()},
            **{
                f"--out FILE cannot be combined with {name}": given and self.out is not None
                for name, given in without_out.items()
            },
            "--out: expected a file, got '-': without --out, answers go to standard output": self.out == "-",
            "--resume cannot be combined with --force": self.resume and self.force,
            "--workers cannot be combined with --cluster": self.workers is not None and self.cluster is not None,
        }


# Options and questions as they are typed: in words, in problems, and in errors of the library, which name them in backquotes.


_E = TypeVar("_E", bound=BaseException)


def spell_typed(words: str) -> str:
    """Return words with the options and questions that they name as they are typed."""
    return spell(words, _option, lambda name: f"'sudoku-cp {name}'")


def spell_error(error: _E) -> _E:
    """Return an error with the options that it names as they are typed."""
    return error.spelled(spell_options) if isinstance(error, InvalidInput) else error


def spell_options(words: str, names: Mapping[str, str] = MappingProxyType({})) -> str:
    """Return words with the options that they name as they are typed; what stands in angle brackets may be a user's.

    ``names`` are those of options that the library calls otherwise.
    """
    return spell(words, lambda name: _option(names.get(name, name)), lambda name: f"<{name}>")


def _option(name: str) -> str:
    return f"--{name.replace('_', '-')}"


def option_problems(question: Question) -> Iterator[Problem]:
    """Yield what is wrong with the options of a question before any puzzle is read."""
    if isinstance(question, Reading):
        yield from question.reading_problems()
    yield from question.contradictions()


def refuse_typed(problems: Iterator[Problem], contradictions: Mapping[str, bool] = MappingProxyType({})) -> None:
    """Raise `InvalidInput` with problems of a question's options, named as typed, and with contradictions that are true."""
    found = list(dict.fromkeys(_spell_problem(problem) for problem in problems))
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


# Patterns of givens as they are typed: a text, or a file of it.


_LOOKS_LIKE_PATH = re.compile(r"[/\\]|\.[A-Za-z]\w*$")


def read_typed_pattern(text: str, grid: Grid) -> tuple[Cell, ...]:
    """Return the cells of givens of a pattern, or of the file of that name; the error names a missing file."""
    from sudoku_cp.generate.request_parsing import parse_pattern  # noqa: PLC0415  # names alone are for every verb

    if is_file(text):
        return _parse_pattern_file(text, grid)
    try:
        return parse_pattern(text, grid)
    except InvalidInput as error:
        if "\n" in text:
            raise
        no_file = f"expected a pattern or a file, got {text!r:.60}: there is no such file"
        raise InvalidInput([no_file, *(() if _LOOKS_LIKE_PATH.search(text) else error.problems)]) from error


_Levelled = TypeVar("_Levelled", bound=Levelled)


def with_levels_read(question: _Levelled) -> _Levelled:
    """Return a question with its levels as TOML, read from the file of that name; the error names the file."""
    text = question.levels
    if not text.strip() or "\n" in text:
        return question
    if not is_file(text):
        raise InvalidInput(f"--levels: expected a TOML file, got {text!r:.60}: there is no such file")
    from sudoku_cp.logic.rating.levels import LONGEST, parse_levels  # noqa: PLC0415  # as above

    try:
        with Path(text).open(encoding="utf-8") as file:
            read = file.read(LONGEST + 1)
        parse_levels(read)
    except UnicodeDecodeError as error:
        raise InvalidInput(f"--levels: {text}: expected text in UTF-8, got other bytes") from error
    except OSError as error:
        raise InvalidInput(f"--levels: {text}: expected a file that can be read, got {str(error.strerror).lower()!r}") from error
    except InvalidInput as error:
        raise InvalidInput(f"--levels: {text}: {problem}" for problem in error.problems) from error
    return replace(question, levels=read)


def _parse_pattern_file(name: str, grid: Grid) -> tuple[Cell, ...]:
    from sudoku_cp.generate.request_parsing import MAX_LENGTH, parse_pattern  # noqa: PLC0415  # as above

    try:
        with Path(name).open(encoding="utf-8") as file:
            return parse_pattern(file.read(MAX_LENGTH + 1), grid)
    except InvalidInput as error:
        raise InvalidInput(f"{name}: {problem}" for problem in error.problems) from error
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidInput(f"expected a file that can be read, got {name}: {error}") from error
