"""Every error the package raises on purpose.

Rules of this file: each class inherits from a builtin, so that plain Python code can catch it, and has the
exit code of the command line and the HTTP status that stand for it. Messages read
``expected a cell such as 'r4c7', got 'r44'``: what was expected, what was given, and where.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Literal, Self, TypeAlias, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

_T = TypeVar("_T")

Reason: TypeAlias = Literal["deadline", "nodes", "cancelled"]
"""Why a question ended without an answer."""


MAX_LISTED_NAMES = 40
"""The most names that an error lists in full."""


MAX_MESSAGE = 1900
"""The most characters of a message: a bad file may have a fault in each of a million lines."""
LONGEST_WORD = 30
"""Characters of the last word at most that a cut text loses whole."""
PLACE_RESERVE = 200
"""Characters reserved for the place before the problems, and for the number of those left out."""


class SudokuError(Exception):
    """Base of every error of this package."""

    exit_code: ClassVar[int] = 1
    http_status: ClassVar[int] = 500

    def __str__(self) -> str:
        """Return the message, shortened to `MAX_MESSAGE`."""
        return shorten(self._message())

    def _message(self) -> str:
        return super().__str__()

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle the state itself, since ``__init__`` takes arguments other than the message."""
        return _unpickle, (type(self), self.args, vars(self))


def shorten(text: str, most: int = MAX_MESSAGE) -> str:
    """Cut a text that is too long for a message, behind a word where it has words, and add how many characters are missing."""
    if len(text) <= most:
        return text
    kept = text[: most - 40]
    kept = kept[:end] if (end := kept.rfind(" ", max(0, len(kept) - LONGEST_WORD))) > 0 else kept
    return f"{kept}... ({len(text) - len(kept):,} more characters)"


def _unpickle(kind: type[SudokuError], args: tuple[object, ...], state: dict[str, object]) -> SudokuError:
    error = kind.__new__(kind)
    error.args = args
    vars(error).update(state)
    return error


class Problem(str):
    """What is wrong with data, in words, and where: a path of keys and indices from the outside inwards; perhaps a cell.

    It is a text like any other problem, so that only those who place it and those who ask for its place know the difference.
    """

    __slots__ = ("cell", "path")

    path: tuple[str | int, ...]
    cell: str

    def __new__(cls, words: str, path: Iterable[str | int] = (), cell: str = "") -> Self:
        """Return the words with their place."""
        problem = super().__new__(cls, words)
        problem.path, problem.cell = tuple(path), cell
        return problem

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle the words and the place."""
        return Problem, (str(self), self.path, self.cell)

    @property
    def pointer(self) -> str:
        """The path as a JSON pointer (RFC 6901): ``/rules/3/cells/2``."""
        return "".join(f"/{str(step).replace('~', '~0').replace('/', '~1')}" for step in self.path)


class OptionProblem(Problem):
    """What is wrong with an option, or which option helps: words name options in backquotes, and each reader spells them.

    ``option`` is the one that is wrong, which the words do not repeat; none where another thing is.
    """

    __slots__ = ("option",)

    option: str

    def __new__(cls, words: str, option: str = "", path: Iterable[str | int] = (), cell: str = "") -> Self:
        """Return the words with the option that they are about, and their place."""
        problem = super().__new__(cls, words, path, cell)
        problem.option = option
        return problem

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle the words, the option and the place."""
        return OptionProblem, (str(self), self.option, self.path, self.cell)

    def spelled(self, spell: Callable[[str], str]) -> str:
        """Return the words after the option that they are about; ``spell`` replaces the names in backquotes."""
        return spell(f"`{self.option}`: {self}" if self.option else str(self))


def placed(problem: str, *steps: str | int, words: str | None = None, cell: str = "") -> Problem:
    """Return a problem inside of ``steps``, further out than where it is already; perhaps in other ``words``, or of a cell."""
    path, known = (problem.path, problem.cell) if isinstance(problem, Problem) else ((), "")
    found, place = problem if words is None else words, (*steps, *path)
    if isinstance(problem, OptionProblem):
        return OptionProblem(found, problem.option, place, known or cell)
    return Problem(found, place, known or cell)


def of_option(problem: str, option: str) -> OptionProblem:
    """Return a problem of an option; one that names its option already stays."""
    if isinstance(problem, OptionProblem) and problem.option:
        return problem
    path, cell = (problem.path, problem.cell) if isinstance(problem, Problem) else ((), "")
    return OptionProblem(problem, option, path, cell)


def distinct(problems: Iterable[str]) -> list[str]:
    """Return problems, each once: those with the same words about different places or options stay."""
    return list({(str(one), getattr(one, "path", ()), getattr(one, "option", "")): one for one in problems}.values())


class InvalidInput(SudokuError, ValueError):
    """Input is not as expected; ``problems`` lists everything that is wrong with it."""

    exit_code = 2
    http_status = 422

    def __init__(self, problems: str | Iterable[str]) -> None:
        """Keep one or many problems; the message lists them."""
        self.problems: tuple[str, ...] = (problems,) if isinstance(problems, str) else tuple(problems)
        super().__init__("; ".join(_listed_problems(map(in_full, self.problems))))

    def listed(self) -> list[str]:
        """Return the problems one by one, as many as fit in a message, and how many more there are."""
        return [shorten(problem) for problem in _listed_problems(map(in_full, self.problems))]

    def spelled(self, spell: Callable[[str], str]) -> Self:
        """Return the same error with options as ``spell`` makes them of names in backquotes; the problems become plain texts."""
        if not any(isinstance(problem, OptionProblem) for problem in self.problems):
            return self
        problems = tuple(one.spelled(spell) if isinstance(one, OptionProblem) else one for one in self.problems)
        found = type(self).__new__(type(self))
        vars(found).update(vars(self), problems=problems)
        found.args = ("; ".join(_listed_problems(problems)),)
        return found

    def renamed(self, names: Mapping[str, str]) -> Self:
        """Return the same error about options that have other ``names`` for whoever asks."""
        problems = tuple(
            OptionProblem(one, names.get(one.option, one.option), one.path, one.cell) if isinstance(one, OptionProblem) else one
            for one in self.problems
        )
        found = type(self).__new__(type(self))
        vars(found).update(vars(self), problems=problems)
        found.args = ("; ".join(_listed_problems(map(in_full, problems))),)
        return found


def in_full(problem: str) -> str:
    """Return the words of a problem after the option that they are about."""
    return f"{problem.option}: {problem}" if isinstance(problem, OptionProblem) and problem.option else problem


def _listed_problems(found: Iterable[str]) -> Iterator[str]:
    """Yield as many problems as fit in one message, and how many more there are."""
    problems = tuple(found)
    room = MAX_MESSAGE - PLACE_RESERVE
    for number, problem in enumerate(problems):
        if room < len(problem) and number:
            left = len(problems) - number
            yield f"and {left:,} more problem{'s' * (left > 1)}"
            return
        room -= len(problem) + 2
        yield problem


class InvalidType(InvalidInput, TypeError):
    """An argument of a wrong type, such as a text where a `Puzzle` is expected."""


class ParseError(InvalidInput):
    """A text that cannot be parsed, with the place where parsing stopped (lines and columns from 1)."""

    http_status = 400

    def __init__(
        self,
        problems: str | Iterable[str],
        *,
        source: str = "",
        line: int | None = None,
        column: int | None = None,
        nearest: str = "",
    ) -> None:
        """Keep the problems and their place: ``source`` (a file), ``line``, ``column``, where these are known.

        ``nearest``: what a text in no format lacks to be in the formats that are the nearest to it.
        """
        super().__init__(problems)
        self.source, self.line, self.column, self.nearest = source, line, column, nearest

    def at(self, *, source: str = "", line: int | None = None) -> ParseError:
        """Return the same error with the source and the line that its reader knows."""
        source, line = source or self.source, line or self.line
        return ParseError(self.problems, source=source, line=line, column=self.column, nearest=self.nearest)

    def _message(self) -> str:
        """Return the place, where known, then the problems."""
        parts = [self.source, f"line {self.line}" if self.line else "", f"column {self.column}" if self.column else ""]
        place = ", ".join(part for part in parts if part)
        return f"{place}: {super()._message()}" if place else super()._message()


class UnknownName(InvalidInput, LookupError):
    """An unknown name of a rule, a backend, a format, a cell."""

    http_status = 404

    def __init__(self, noun: str, name: object, known: Iterable[str], alike: Sequence[str] | None = None) -> None:
        """Build the message for a ``name`` of a ``noun`` that is not among the ``known`` ones.

        Of many, only those that are ``alike`` are named, by default those with a similar spelling.
        """
        names, many = sorted({*known}), ""
        if len(names) > MAX_LISTED_NAMES:
            from difflib import get_close_matches  # noqa: PLC0415  # 1 ms that only this error needs

            similar = get_close_matches(str(name)[:80], names, n=3) if alike is None else alike
            if similar:
                super().__init__(f"expected a {noun}, got {name!r:.80}; did you mean {_join_with_or(similar)}?")
                return
            names, many = names[:5], f" (and {len(names) - 5} more)"
        super().__init__(f"expected a {noun}, one of {', '.join(names)}{many}; got {name!r:.80}")


def _join_with_or(names: Sequence[str]) -> str:
    return " or ".join([", ".join(names[:-1])] * (len(names) > 1) + [names[-1]])


class Unsupported(InvalidInput):
    """A valid request that is not supported here, such as a jigsaw in a format for plain grids."""

    http_status = 501


class BackendMissing(SudokuError, ImportError):
    """A backend whose library is not installed."""

    exit_code = 2
    http_status = 501


class LimitReached(SudokuError, TimeoutError):
    """A deadline, a node limit or a cancellation came before the answer. It never means "no"."""

    exit_code = 3
    http_status = 504

    def __init__(self, reason: Reason, detail: str = "") -> None:
        """Keep the reason, one of ``deadline``, ``nodes``, ``cancelled``."""
        self.reason: Reason = reason
        super().__init__(f"stopped by {reason}" + (f": {detail}" if detail else ""))


class WrongAnswer(SudokuError, RuntimeError):
    """A backend returned a grid that breaks a rule, or the same grid twice. Always a defect, never bad input and never "no"."""

    exit_code = 4


class BackendFailed(WrongAnswer):
    """An engine crashed, or what it returned cannot be understood. It never means "no"."""

    def __init__(self, problem: str, *, engine: str = "") -> None:
        """Keep the message, and the name of the ``engine`` if it is known."""
        self.engine = engine
        super().__init__(problem)


class NotProved(SudokuError, ValueError):
    """A claim that is false, with what refutes it: ``solutions``, or the cells of ``unnecessary`` givens.

    Reaching a limit never raises this.
    """

    http_status = 409

    def __init__(self, problem: str, *, solutions: Iterable[tuple[int, ...]] = (), unnecessary: Iterable[int] = ()) -> None:
        """Keep the message and what refutes the claim."""
        self.solutions, self.unnecessary = tuple(solutions), tuple(unnecessary)
        super().__init__(problem)


SEEDS = 1 << 64
"""Seeds are below this."""


def require_seed(seed: object) -> int:
    """Return a seed, or raise `InvalidInput` unless it is a whole number from 0 to 2**64 - 1; the same wherever one is taken."""
    if not 0 <= require_type("a seed as a whole number", int, seed) < SEEDS:
        raise InvalidInput(f"expected a seed from 0 to {SEEDS - 1}, got {seed!r:.80}")
    return int(seed)  # type: ignore[call-overload,no-any-return]  # it is one


def require_type(noun: str, kind: type[_T], data: Any) -> _T:
    """Return ``data`` if it is of ``kind`` (bool is not int), or raise `InvalidInput` with "expected ``noun``"."""
    if not isinstance(data, kind) or (kind is int and isinstance(data, bool)):
        raise InvalidInput(f"expected {noun}, got {data!r:.80}")
    return data
