"""Formats, the records that readers yield, and helpers that readers and writers share.

Rules of this package: a reader takes lines (without line ends) one by one and never needs all of them; what it cannot read
becomes a record with an error, and reading continues. A writer writes the puzzle or refuses it; it never writes a different one.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache, partial
from itertools import chain, combinations
from operator import attrgetter
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeAlias

from sudoku_cp.errors import InvalidInput, OptionProblem, ParseError, Unsupported, placed
from sudoku_cp.formats.stated_rules import unread_rule_warnings
from sudoku_cp.puzzle import Position
from sudoku_cp.rules import RULES, Houses
from sudoku_cp.symbols import numerals

if TYPE_CHECKING:
    from sudoku_cp.grid import Cell, Grid
    from sudoku_cp.model import Domain
    from sudoku_cp.puzzle import Puzzle
    from sudoku_cp.rules import Rule


HEAD = 1 << 16
"""How many characters of a text are examined to detect its format and its alphabet."""
LONGEST_LINE = 1 << 16
"""The longest line that can hold a puzzle, its title and a comment, except in JSON."""

LONGEST_MESSAGE = 2000
"""Most characters of all problems reported for one puzzle."""

_SHOWN_LINES = 3
_LONGEST_PROBLEM = 500
_PLACE = 200
"""Characters reserved for the name of the file, the line and the count of further problems."""
_UNDECODED = re.compile("[\udc80-\udcff]")
"""Bytes that are not UTF-8, as text streams hold them."""
_SURROGATE = re.compile("[\ud800-\udfff]")
_UNDECODED_NAME = re.compile(r"'\\udc([0-9a-f]{2})'")


@dataclass(frozen=True)
class Options:
    """What the text itself does not state about how to read it.

    ``grid`` is the shape of plain texts (None: square, by their length); ``alphabet`` is a name of `symbols.ALPHABETS`
    or the symbols themselves (None: detected). ``strict`` turns warnings into errors.
    """

    grid: Grid | None = None
    alphabet: str | None = None
    strict: bool = False


@dataclass(frozen=True)
class SolvingState:
    """What a text says of somebody's way through a puzzle.

    ``placed`` maps cells to values that are not given; ``left`` maps the cells from which candidates were eliminated to the set
    (bits) of those that remain; ``values`` (bits, 0 if the text does not say) are those of the step that the text is about.
    ``remarks`` are the warnings that only readers of the puzzle alone need.
    """

    placed: Mapping[Cell, int]
    left: Mapping[Cell, Domain]
    values: Domain = 0
    remarks: tuple[str, ...] = field(default=(), compare=False)


@dataclass(frozen=True)
class Record:
    """One puzzle of a text, or the error in its place; ``line`` (from 1) is where the record begins.

    ``warnings`` name what was not read because, as far as we know, it is not a rule: ornaments, a player's notes. A clue that
    is a rule and cannot be read is an error. ``difficulty`` is what the text says of it, in its own words or numbers.
    """

    puzzle: Puzzle | None
    error: ParseError | None
    line: int
    warnings: tuple[str, ...] = ()
    state: SolvingState | None = None
    difficulty: str = ""

    @property
    def position_warnings(self) -> tuple[str, ...]:
        """The warnings of those who read the position: what was placed and eliminated is read."""
        return tuple(one for one in self.warnings if self.state is None or one not in self.state.remarks)

    def position(self) -> Position:
        """Return the puzzle with what the text says was placed and eliminated; eliminations are no part of the puzzle then."""
        assert self.puzzle is not None  # noqa: S101  # records with an error have no position
        if self.state is None:
            return Position.of(self.puzzle)
        puzzle = replace(self.puzzle, candidates={})
        values = [self.state.placed.get(cell, puzzle.givens.get(cell)) for cell in puzzle.grid.cells]
        return replace(Position.of(puzzle, values), marks=tuple(self.state.left.get(cell, 0) for cell in puzzle.grid.cells))


Reader: TypeAlias = "Callable[[Iterator[str], Options], Iterator[Record]]"
Writer: TypeAlias = "Callable[[], Encoder]"


@dataclass(frozen=True)
class Format:
    """A file format of puzzles.

    ``sniff`` says whether a text that begins with the given head is in this format; ``read`` and ``write`` (which begins a file)
    are None if the format is only written or only read. ``keeps`` says which texts about the puzzle have a place in it.
    """

    name: str
    summary: str
    extensions: tuple[str, ...]
    sniff: Callable[[str], bool]
    read: Reader | None
    write: Writer | None
    keeps: KeptTexts = field(default_factory=dict)
    keeps_front: bool = False
    """Whether the numbers at the beginnings of lines are read, and no labels to be taken off."""


def record_or_error(line: int, make: Callable[[], Puzzle], warnings: Sequence[str] = ()) -> Record:
    """Return the record of the puzzle that ``make`` returns, with the ``warnings`` it added, or of the error it raised."""
    try:
        puzzle = make()
    except InvalidInput as error:
        return error_record(line, error)
    texts = puzzle.title + puzzle.author + puzzle.source + puzzle.ruleset
    broken = None if texts.isascii() else _SURROGATE.search(texts)
    if broken and not _UNDECODED.sub("", texts).isascii():
        return error_record(line, ParseError(_name_raw_bytes(f"expected UTF-8 text, got {broken.group()!r}")))
    if broken:
        decoded: dict[str, Any] = {
            name: decode_single_bytes(getattr(puzzle, name)) for name in ("title", "author", "source", "ruleset")
        }
        puzzle = replace(puzzle, **decoded)
        warnings = [*warnings, f"not UTF-8, read as Windows-1252: {', '.join(filter(None, decoded.values())):.80}"]
    if puzzle.title and puzzle.is_plain:
        warnings = [*warnings, *unread_rule_warnings(puzzle.title)]
    return Record(puzzle, None, line, tuple(dict.fromkeys(map(decode_single_bytes, warnings))))


def decode_single_bytes(text: str) -> str:
    """Return a text with its bytes that are not UTF-8 read as Windows-1252, or as Latin-1 where that has no sign for one."""
    return text if text.isascii() else _UNDECODED.sub(lambda found: _single_byte(ord(found[0]) - 0xDC00), text)


def _single_byte(byte: int) -> str:
    encoded = bytes([byte])
    try:
        return encoded.decode("cp1252")
    except UnicodeDecodeError:
        return encoded.decode("latin-1")


def attempt_with_warnings(line: int, make: Callable[[list[str]], Puzzle]) -> Record:
    """Return the record of the puzzle that ``make`` returns, or of its error; ``make`` gets a list to add warnings to."""
    warnings: list[str] = []
    return record_or_error(line, partial(make, warnings), warnings)


def error_record(line: int, error: InvalidInput | str) -> Record:
    """Return the record of an error; a line that the error itself names takes precedence."""
    found = error if isinstance(error, ParseError) else ParseError(error.problems if isinstance(error, InvalidInput) else error)
    named = ParseError(
        limit_problems(map(_name_raw_bytes, found.problems)), source=found.source, line=found.line or line, column=found.column
    )
    return Record(None, named, line)


def line_too_long(number: int, line: str, longest: int = LONGEST_LINE, noun: str = "a line") -> Record:
    """Return the record of a line that is longer than any puzzle."""
    return error_record(number, f"expected {noun} of at most {longest} characters, got {len(line)}")


def read_each_line(
    parse: Callable[[str, list[str]], Puzzle], parse_state: Callable[[str], SolvingState | None] = lambda _line: None
) -> Reader:
    """Return the reader of a puzzle on each line that is neither empty nor a comment.

    ``parse`` gets a list for warnings too; ``parse_state`` is called for lines that ``parse`` can read.
    """

    def read(lines: Iterator[str], _options: Options) -> Iterator[Record]:
        for number, line in enumerate(lines, 1):
            if len(line) > LONGEST_LINE:
                yield line_too_long(number, line)
            elif line.strip() and not line.startswith("#"):
                record = attempt_with_warnings(number, partial(parse, line))
                yield replace(record, state=parse_state(line)) if record.puzzle else record

    return read


def first_problems(problems: Sequence[str], most: int = 10, noun: str = "problems") -> list[str]:
    """Return the first problems, and how many more there are."""
    return [*problems[:most], *[f"and {len(problems) - most} more {noun}"] * (len(problems) > most)]


def non_ascii_problem(text: str) -> str:
    """Describe the first non-ASCII character of a text (a letter, or a byte that is not UTF-8); empty if there is none."""
    if text.isascii():
        return ""
    column, sign = next((column, sign) for column, sign in enumerate(text, 1) if not sign.isascii())
    return f"expected only ASCII signs, got {sign!r} at column {column}"


def limit_problems(problems: Iterable[str]) -> list[str]:
    """Return as many of the first problems as `LONGEST_MESSAGE` allows, shortened, and the number of the others."""
    shortened = [
        placed(problem, words=f"{problem[: _LONGEST_PROBLEM - 3]}...") if len(problem) > _LONGEST_PROBLEM else problem
        for problem in problems
    ]
    size = 0
    for count, problem in enumerate(shortened):
        size += len(problem) + 2
        if size > LONGEST_MESSAGE - _PLACE:
            return [*shortened[:count], f"and {len(shortened) - count} more problems"]
    return shortened


def _name_raw_bytes(problem: str) -> str:
    """Return the problem with bytes that are not UTF-8 named as bytes, and what to do about them."""
    return placed(problem, words=_UNDECODED_NAME.sub(r"the byte 0x\1 (not UTF-8: save the text as UTF-8)", problem))


def peek_head(lines: Iterator[str]) -> tuple[list[str], Iterator[str]]:
    """Return the first lines (`HEAD` characters), and all lines; a read error is raised after the last whole line."""
    head: list[str] = []
    size = 0
    try:
        for line in lines:
            head.append(line)
            size += len(line)
            if size >= HEAD:
                break
    except ParseError as error:
        return head, chain(head, _raise_late(error))
    return head, chain(head, lines)


def _raise_late(error: ParseError) -> Iterator[str]:
    yield from ()
    raise error


def not_read_lines(lines: Sequence[str], where: str) -> list[str]:
    """Return the warning about lines of words ``where`` (above the board, ...), if there are any."""
    shown = ", ".join(f"{line!r:.60}" for line in map(decode_single_bytes, lines[:_SHOWN_LINES]))
    more = f" and {len(lines) - _SHOWN_LINES} more lines" if len(lines) > _SHOWN_LINES else ""
    return [f"not read, {where}: {shown}{more}"] if lines else []


def make_rule(kind: str, *parts: Any, **named: Any) -> Rule:
    """Return the rule of a kind with these fields."""
    rule_class: Any = RULES[kind]
    rule: Rule = rule_class(*parts, **named)
    return rule


# Format puzzles one by one, and report the outcome of each.
#
# A puzzle is refused if the format cannot express something that matters for its solutions (grid, rules, givens). What the
# format just has no place for (titles and the like) is left out and reported.


_SHOWN = 5
"""How many puzzles are named for each text that was left out."""


@dataclass(frozen=True)
class FormattedPuzzle:
    """The text of one puzzle, or the error in its place; ``left_out`` names what the format has no place for.

    ``index`` counts the puzzles from 0; it is None for the end of the file.
    """

    index: int | None
    text: str
    error: InvalidInput | None = None
    left_out: tuple[str, ...] = ()


class LeftOutTexts:
    """Counts what was left out of the puzzles of a file, and remembers the first puzzles."""

    def __init__(self) -> None:
        """Begin with nothing."""
        self._counts: Counter[str] = Counter()
        self._first: dict[str, list[str]] = {}

    def __bool__(self) -> bool:
        """Return whether anything was left out."""
        return bool(self._counts)

    def add(self, index: int | None, texts: Iterable[str]) -> None:
        """Remember what was left out of a puzzle."""
        for text in texts:
            self._counts[text] += 1
            if len(numbers := self._first.setdefault(text, [])) < _SHOWN:
                numbers.append(str(index))

    def describe(self, name: str) -> str:
        """Return a sentence: ``left out, because the format 'sdm' has no place for it: the title (puzzles 0 and 2)``."""
        words = []
        for text, numbers in self._first.items():
            more = self._counts[text] - len(numbers)
            listed = ", ".join(numbers) + (f" and {more:,} more" if more else "")
            words.append(f"the {text} (puzzle{'s' * (self._counts[text] > 1)} {listed})")
        return f"left out, as the format {name!r} has no place for it: {', '.join(words)}"


def iter_formatted(puzzles: Iterable[Puzzle], found: Format, *, strict: bool = False) -> Iterator[FormattedPuzzle]:
    """Yield each puzzle formatted; the first text includes the opening of the file, and the closing follows the last.

    A refused puzzle does not end the file. With ``strict``, a puzzle is also refused if anything would be left out.
    """
    if found.write is None:
        raise Unsupported(f"expected a format that can be written, got {found.name!r}, which is only read")
    encoder = found.write()
    opening: str | None = encoder.opening
    refused = False
    for index, puzzle in enumerate(puzzles):
        one = _format_one(index, puzzle, encoder, found, strict=strict)
        refused |= one.error is not None
        if one.error is None and opening is not None:
            one, opening = replace(one, text=opening + one.text), None
        yield one
    if opening is None or not refused:
        yield FormattedPuzzle(None, (opening or "") + encoder.closing())


def _format_one(index: int, puzzle: Puzzle, encoder: Encoder, found: Format, *, strict: bool) -> FormattedPuzzle:
    lost = tuple(texts_left_out(puzzle, found.keeps))
    try:
        if lost and strict:
            raise Unsupported(f"expected a format with a place for its {', '.join(lost)}, got {found.name!r}")
        return FormattedPuzzle(index, encoder.encode(puzzle), None, lost)
    except InvalidInput as error:
        return FormattedPuzzle(index, "", Unsupported(limit_problems(error.problems)))


# How a format writes a file, which texts about a puzzle (title, author, ...) it has a place for, and what it refuses.


KeptTexts: TypeAlias = "Mapping[str, Callable[[Puzzle], object]]"
"""For each field of `Puzzle` that a format has a place for, a function that returns what a reader will find there."""

TEXTS = MappingProxyType(
    {
        "title": "title",
        "author": "author",
        "source": "source",
        "ruleset": "rules in words",
        "solution": "stated solution",
        "symbols": "signs",
        "drawings": "drawings",
    }
)
"""The fields of `Puzzle` that do not affect its solutions, and what people call them."""
_NOTHING: Mapping[str, object] = MappingProxyType({"solution": None, "drawings": ()})
"""The value of a field that is not there, unless that is an empty text."""

_usual_symbols = lru_cache(maxsize=64)(numerals)


@dataclass
class Encoder:
    """Writes one file: ``encode`` returns the text of a puzzle (or raises `InvalidInput`), between an opening and a closing."""

    encode: Callable[[Puzzle], str]
    opening: str = ""
    closing: Callable[[], str] = str


def write_each(encode: Callable[[Puzzle], str], opening: str = "", closing: Callable[[], str] = str) -> Callable[[], Encoder]:
    """Return the writer of a format that writes each puzzle independently of the others."""
    return partial(Encoder, encode, opening, closing)


def texts_left_out(puzzle: Puzzle, keeps: KeptTexts) -> Iterator[str]:
    """Yield the names of the texts that the format drops or changes."""
    for name, noun in TEXTS.items():
        value = getattr(puzzle, name)
        nothing = _usual_symbols(puzzle.grid.values) if name == "symbols" else _NOTHING.get(name, "")
        if value == nothing:
            continue
        kept_value = keeps[name](puzzle) if name in keeps else nothing
        if kept_value != value:
            yield noun if kept_value == nothing else f"{noun} as it is"


# --- what formats keep ------------------------------------------------------------------------------------------


def keep_unchanged(*fields: str) -> KeptTexts:
    """Return the entries of fields that are kept as they are."""
    return {field: attrgetter(field) for field in fields}


def keep_changed(change: Callable[[str], str], *fields: str) -> KeptTexts:
    """Return the entries of texts that are kept as ``change`` leaves them."""
    return {field: lambda puzzle, field=field: change(getattr(puzzle, field)) for field in fields}  # type: ignore[misc]


def collapse_space(text: str) -> str:
    """Return a text on one line, with single spaces between its words."""
    return " ".join(text.split())


def one_line(text: str) -> str:
    """Return a title that can stand in a line of text: without line breaks and ``#``."""
    return collapse_space(text.replace("#", " "))


def one_line_title(puzzle: Puzzle) -> str:
    """Return the title as it can stand in a line of text."""
    return one_line(puzzle.title)


# --- what formats refuse ----------------------------------------------------------------------------------------


def require_plain(name: str, puzzle: Puzzle, *, candidates: bool = False) -> None:
    """Refuse a puzzle if a plain text cannot express everything that matters for its solutions."""
    problems = [] if puzzle.grid.is_plain else ["a grid that is not one square board with the usual boxes and values"]
    refuse_any([*problems, *unplain_problems(puzzle, candidates=candidates)], f"a plain puzzle for the format {name!r}")


def unplain_problems(puzzle: Puzzle, *, candidates: bool = False) -> Iterator[str]:
    """Yield what a puzzle has besides its grid, the rule ``houses``, its givens and perhaps its candidates."""
    if puzzle.rules != (Houses(),):
        yield f"the rules {', '.join(dict.fromkeys(rule.kind for rule in puzzle.rules)) or '(none)'}"
    if puzzle.candidates and not candidates:
        yield "candidates"


def refuse_any(problems: Iterable[str], expected: str) -> None:
    """Raise `Unsupported` if there are any problems; ``expected`` is what the format can express."""
    found = [f"expected {expected} (json can express everything), got {problem}" for problem in problems]
    if found:
        raise Unsupported(found)


# Which stated option is at fault where a puzzle cannot be read: the one without which it can.


Read: TypeAlias = "Callable[[Options], Iterator[Record]]"
"""Reads the text from its beginning."""


class FaultyOptions:
    """Names the options at fault in the errors of records, which come in their order.

    The text is read once more without an option, as far as the last record with an error; none of this happens before
    the first error.
    """

    def __init__(self, options: Options, read: Read) -> None:
        """Take what is stated: the grid and the alphabet of plain texts."""
        stated = {"grid": options.grid, "alphabet": options.alphabet}
        self._stated = [name for name, value in stated.items() if value is not None]
        self._options, self._read = options, read
        self._others: dict[frozenset[str], Iterator[Record]] = {}
        self._last: dict[frozenset[str], Record | None] = {}

    def name_in(self, record: Record) -> Record:
        """Return a record; an error that comes from options alone is theirs."""
        error = record.error
        if error is None or not self._stated:
            return record
        numbers = range(1, len(self._stated) + 1)
        for omitted in map(frozenset, chain.from_iterable(combinations(self._stated, number) for number in numbers)):
            if (other := self._without(omitted, record.line)) and other.error is None:
                problems = [
                    OptionProblem(words, name) for name in sorted(omitted) for words in self._problems(name, omitted, record)
                ]
                return replace(record, error=ParseError(problems, source=error.source, line=error.line))
        return record

    def _problems(self, name: str, omitted: frozenset[str], record: Record) -> tuple[str, ...]:
        """Return what is wrong with an option alone, of several without which the text can be read."""
        alone = record if len(omitted) == 1 else self._without(omitted - {name}, record.line)
        return alone.error.problems if alone and alone.error else ()

    def _without(self, omitted: frozenset[str], line: int) -> Record | None:
        """Return what is read at a line without some options, or the last thing above; None if nothing is."""
        if omitted not in self._others:
            grid = None if "grid" in omitted else self._options.grid
            alphabet = None if "alphabet" in omitted else self._options.alphabet
            self._others[omitted] = self._read(replace(self._options, grid=grid, alphabet=alphabet))
            self._last[omitted] = None
        last = self._last[omitted]
        while last is None or last.line < line:
            following = next(self._others[omitted], None)
            if following is None:
                break
            last = following
        self._last[omitted] = last
        return last
