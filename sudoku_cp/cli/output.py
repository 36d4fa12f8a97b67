"""Answers on standard output: a JSON object for each puzzle for programs, grids and sentences for people."""

from __future__ import annotations

import codecs
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from io import TextIOWrapper
from time import perf_counter
from typing import TYPE_CHECKING, Any, TextIO, TypeVar

from sudoku_cp.errors import shorten

if TYPE_CHECKING:
    from rich.progress import Progress, ProgressColumn
    from rich.table import Table

    from sudoku_cp.render import Look


def print_text(text: str, end: str = "\n") -> None:
    """Print an answer for people to standard output."""
    sys.stdout.write(with_borders(f"{text}{end}", sys.stdout))


def remark(text: str) -> None:
    """Print anything else to standard error; if that cannot be written, give up silently."""
    try:
        sys.stderr.write(with_borders(f"{text}\n", sys.stderr))
    except OSError:
        discard(sys.stderr)


def print_json(fields: dict[str, Any]) -> None:
    """Print a JSON object on a line of its own and flush it, so that an interrupt loses none."""
    import json  # noqa: PLC0415  # 1 ms that answers for people do not need

    sys.stdout.write(f"{json.dumps(fields, ensure_ascii=not is_unicode(sys.stdout))}\n")
    sys.stdout.flush()


def look_of(*, ascii_only: bool, marks: bool = False) -> Look:
    """Return how to draw: in colour on a terminal, unless NO_COLOR is set."""
    from sudoku_cp.render import Look  # noqa: PLC0415  # not every verb draws

    colour = sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    return Look(colour=colour, marks=marks, ascii_only=ascii_only or not is_unicode(sys.stdout))


# Standard output and standard error, set up so that no encoding, full disk or closed pipe ends in a traceback.
#
# Rules of this part: text for people is written as well as the stream's encoding can, with ASCII borders and escapes for
# characters that it lacks; text for programs stays exact, with JSON's own escapes in ASCII.


ESCAPES, BORDERS = "sudoku-cp-escapes", "sudoku-cp-borders"
"""Names of error handlers (see `codecs.register_error`): the one escapes all, the other draws borders with + - | first."""
_BOX = range(0x2500, 0x2580)
_ASCII_OF = {chr(sign): "+" for sign in _BOX} | dict.fromkeys("─━═╌╍┄┅┈┉╴╶╸╺╼╾", "-") | dict.fromkeys("│┃║╎╏┆┇┊┋╵╷╹╻╽╿", "|")


def prepare_streams() -> None:
    """Make both streams escape what their encodings lack."""
    codecs.register_error(ESCAPES, _escape)
    codecs.register_error(BORDERS, _draw_border)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors=ESCAPES)


def _escape(error: UnicodeError) -> tuple[str, int]:
    r"""Return the character that cannot be encoded as JSON escapes it: ``\u2500``, or two of those beyond 16 bits."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    units = error.object[error.start].encode("utf-16-be", "surrogatepass")
    pairs = (units[place : place + 2].hex() for place in range(0, len(units), 2))
    return "".join(f"\\u{pair}" for pair in pairs), error.start + 1


def _draw_border(error: UnicodeError) -> tuple[str, int]:
    """Return the ASCII sign of a border, or the escape of any other character."""
    if not isinstance(error, UnicodeEncodeError) or error.object[error.start] not in _ASCII_OF:
        return _escape(error)
    return _ASCII_OF[error.object[error.start]], error.start + 1


def is_unicode(stream: TextIO) -> bool:
    """Return whether the stream can encode every character."""
    return _encoding_of(stream).lower().startswith("utf")


def _encoding_of(stream: TextIO) -> str:
    """Return the encoding of a stream, or of the one behind it while a bar is shown."""
    return getattr(stream, "rich_proxied_file", stream).encoding or "ascii"


def with_borders(text: str, stream: TextIO) -> str:
    """Return a text for people with borders that the stream can encode."""
    if text.isascii() or is_unicode(stream):
        return text
    encoding = _encoding_of(stream)
    return text.encode(encoding, BORDERS).decode(encoding)


@contextmanager
def stream_for_programs() -> Iterator[TextIO]:
    """Yield standard output for text that programs read: in ASCII with escapes where it cannot encode every character."""
    stream = sys.stdout
    if is_unicode(stream) or not isinstance(stream, TextIOWrapper):
        yield stream
        return
    encoding = stream.encoding
    stream.reconfigure(encoding="ascii", errors=ESCAPES)
    try:
        yield stream
    finally:
        stream.reconfigure(encoding=encoding, errors=ESCAPES)


def discard(stream: TextIO) -> None:
    """Send what the stream still holds, and all that comes, to the null device, as it cannot be written."""
    with suppress(OSError, ValueError):  # a stream without a file, or a closed one
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())
        os.close(nowhere)
    with suppress(OSError, ValueError):
        stream.flush()


def utf8_text(argument: str) -> str:
    """Return an argument that is a puzzle, decoded as UTF-8 even where the locale is ASCII."""
    return argument if argument.isascii() else argument.encode("utf-8", "surrogateescape").decode("utf-8", "surrogateescape")


# Tables for people, as wide as the terminal: columns that do not fit are left out, and words are never broken.
#
# Listings of registries are such tables too, or a JSON object for each entry.


READABLE = 16
"""Least width of a column of sentences."""
_PADDING = 3
"""Characters of a column besides its words: a space on either side and a line."""


def print_table(
    rows: Sequence[Mapping[str, str]],
    *,
    least: Sequence[str] = (),
    numbers: Sequence[str] = (),
    title: str = "",
    lines: bool = False,
    width: int | None = None,
) -> None:
    """Print a table of rows, which have the same columns; nothing without rows.

    Where the terminal (or ``width``) is too narrow, the columns of ``least`` are left out first, in that order, then others from
    the right; a line below names them. Columns of ``numbers`` are aligned right; ``lines`` draws lines between rows.
    """
    if not rows:
        return
    from rich.console import Console  # noqa: PLC0415  # rich costs 40 ms; programs that want JSON need not wait

    console = Console(width=width, markup=False, highlight=False)
    names, widths = _fitting(rows, least, console.width)
    console.print(_table([{name: row[name] for name in names} for row in rows], widths, numbers, title, lines=lines))
    if missing := [name for name in rows[0] if name not in names]:
        print_text(f"(left out, as {console.width} columns are too few: {', '.join(missing)})")


def _table(rows: Sequence[Mapping[str, str]], widths: Sequence[int], numbers: Sequence[str], title: str, *, lines: bool) -> Table:
    from rich.table import Table  # noqa: PLC0415  # as above

    table = Table(title=title or None, title_justify="left", show_lines=lines)
    for name, width in zip(rows[0], widths, strict=True):
        table.add_column(name, width=width, justify="right" if name in numbers else "left", overflow="fold")
    for row in rows:
        table.add_row(*row.values())
    return table


def _fitting(rows: Sequence[Mapping[str, str]], least: Sequence[str], room: int) -> tuple[list[str], list[int]]:
    """Return the columns that fit, and the width of each."""
    sizes = {name: _widths([name, *(row[name] for row in rows)]) for name in rows[0]}
    names = [*rows[0]]
    order = [*(name for name in least if name in sizes), *reversed([name for name in names[1:] if name not in least])]
    for dropped in order:
        if _total_width([sizes[name][0] for name in names]) <= room:
            break
        names.remove(dropped)
    return names, _shared_widths([sizes[name] for name in names], room)


def _widths(texts: Sequence[str]) -> tuple[int, int]:
    """Return the least width of a column, where no word is broken, and the greatest, where no line is."""
    from rich.cells import cell_len  # noqa: PLC0415  # as above

    longest = max(cell_len(word) for text in texts for word in [*text.split(), ""])
    whole = max(cell_len(line) for text in texts for line in [*text.splitlines(), ""])
    return max(longest, min(whole, READABLE)), whole


def _total_width(widths: Sequence[int]) -> int:
    return sum(widths) + _PADDING * len(widths) + 1


def _shared_widths(sizes: Sequence[tuple[int, int]], room: int) -> list[int]:
    """Return the widths of columns: each its least, and the rest in equal parts for those that need more."""
    widths = [least for least, _ in sizes]
    rest = room - _total_width(widths)
    while rest > 0 and (hungry := [number for number, (_, most) in enumerate(sizes) if widths[number] < most]):
        for number in hungry[:rest]:
            more = min(max(1, rest // len(hungry)), sizes[number][1] - widths[number])
            widths[number] += more
            rest -= more
    only = room - _total_width([0] * len(widths))
    return [min(width, max(1, only)) for width in widths]


# --- listings ---------------------------------------------------------------------------------------------------


def print_listing(rows: Sequence[dict[str, Any]], *, least: Sequence[str] = (), as_json: bool = False) -> None:
    """Print an object or a row for each; from too wide a table the columns of ``least`` are left out first."""
    if as_json:
        for row in rows:
            print_json(row)
    else:
        print_table([{name: _format_cell(value) for name, value in row.items()} for row in rows], least=least, lines=True)


def _format_cell(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return ", ".join(value)
    if isinstance(value, dict) and all(isinstance(one, str) for one in value.values()) and "kind" not in value:
        return "\n".join(f"{name}: {one}" for name, one in value.items())
    import json  # noqa: PLC0415  # as above

    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


# Remarks about single puzzles on standard error: the first are printed, the others counted.


SHOWN = 20
"""The most remarks of one sort that are printed; fewer if they are long."""


class Remarks:
    """Remarks of one sort: `add` prints them while there is room, `end` says how many more there were."""

    def __init__(self, noun: str, rest: str, room: int, *, quiet: bool = False) -> None:
        """Print nothing yet; ``noun`` and ``rest`` name what is counted; ``room`` is the characters of all remarks printed."""
        self._noun, self._rest = noun, rest
        self._room, self._left = room, SHOWN
        self._quiet = quiet
        self._any_printed = False
        self._more = 0

    def add(self, text: str) -> None:
        """Print one more, or count it."""
        if self._quiet:
            return
        line = text if self._any_printed else shorten(text, self._room)  # the first is always printed
        if self._more or not self._left or len(line) > self._room:
            self._more += 1
            return
        self._any_printed = True
        self._left -= 1
        self._room -= len(line)
        remark(line)

    def end(self) -> None:
        """Print how many more there were than those printed."""
        if self._more:
            remark(f"and {self._more:,} more {self._noun}{'s' * (self._more > 1)}{self._rest}")
        self._left = self._more = 0


class Warnings(Remarks):
    """Warnings of the readers: what of a source was not read."""

    def __init__(self, *, quiet: bool) -> None:
        """Print nothing yet."""
        super().__init__("warning", "", 450, quiet=quiet)

    def add_all(self, index: int, warnings: Iterable[str]) -> None:
        """Print the warnings of a puzzle."""
        for warning in warnings:
            self.add(f"puzzle {index}: {warning}")


def trouble_remarks(*, quiet: bool = False) -> Remarks:
    """Return the remarks about records that could not be read, answered or written."""
    return Remarks("record", " that failed", 1200, quiet=quiet)


def shortfall_remarks(*, quiet: bool) -> Remarks:
    """Return the remarks about new puzzles that miss a part of the request."""
    return Remarks("puzzle", " missing a part of the request", 1200, quiet=quiet)


# A progress bar on standard error, for people, once work has lasted over a second.


_T = TypeVar("_T")

PATIENCE = 1.0
"""Seconds before a bar is worth its line."""


def with_progress(items: Iterable[_T], *, quiet: bool) -> Iterator[_T]:
    """Yield ``items``, showing how many and how fast on a terminal."""
    with ProgressBar(None, quiet=quiet) as bar:
        for number, item in enumerate(items, 1):
            yield item
            bar.show(number, number)


class ProgressBar(AbstractContextManager["ProgressBar"]):
    """How many puzzles are done, how fast, and the time that remains where the end is known; for people only."""

    def __init__(self, total: int | None, *, quiet: bool, unit: str = "puzzles") -> None:
        """Show nothing yet; ``total`` is the position of the end (in bytes, say), None if unknown."""
        self._unit = unit
        self._total = total
        self._wanted = not quiet and sys.stderr.isatty()
        self._start = perf_counter()
        self._bar: Progress | None = None
        self._task: Any = None

    def show(self, puzzles: int, position: int, words: str = "") -> None:
        """Show the number of puzzles, the position on the way to ``total``, and ``words``, once work has lasted long enough."""
        if not self._wanted or (self._bar is None and perf_counter() - self._start < PATIENCE):
            return
        if self._bar is None:
            self._bar = _make_bar(self._unit, known=bool(self._total))
            self._bar.start()
            self._task = self._bar.add_task("", total=self._total or None, puzzles=0, rate=0.0, words="")
        rate = puzzles / (perf_counter() - self._start)
        self._bar.update(self._task, completed=position, puzzles=puzzles, rate=rate, words=words)

    def __exit__(self, *_: object) -> None:
        """Remove the bar."""
        if self._bar is not None:
            with suppress(OSError):
                self._bar.stop()


def _make_bar(unit: str, *, known: bool) -> Progress:
    from rich.progress import BarColumn, SpinnerColumn, TextColumn, TimeElapsedColumn, TimeRemainingColumn  # noqa: PLC0415  # as below

    time_columns = (BarColumn(), TimeRemainingColumn()) if known else (TimeElapsedColumn(),)
    figures = TextColumn(f"{{task.fields[puzzles]:,}} {unit}"), TextColumn("{task.fields[rate]:,.3g}/s{task.fields[words]}")
    spinner = SpinnerColumn("dots" if is_unicode(sys.stderr) else "line")  # the only part for which rich has no ASCII form
    return _show_on_stderr(spinner, *figures, *time_columns)


def _show_on_stderr(*columns: str | ProgressColumn) -> Progress:
    """Return a bar on standard error, above which goes what is printed meanwhile if standard output is that terminal too.

    A file or a pipe gets what is printed directly: rich would send it to the bar's terminal.
    """
    from rich.console import Console  # noqa: PLC0415  # rich costs 40 ms, and most calls end before a bar is due
    from rich.progress import Progress  # noqa: PLC0415

    console = Console(stderr=True, soft_wrap=True)
    return Progress(*columns, console=console, transient=True, redirect_stdout=sys.stdout.isatty())


COMPILING_POLL = 0.2
"""Seconds between two calls of ``is_done``."""


@contextmanager
def compiling_bar(words: str, is_done: Callable[[], bool]) -> Iterator[None]:
    """Show the words and the time until the block ends or ``is_done``: on a terminal, where remarks are wanted.

    So the program does not seem to hang while kernels are compiled.
    """
    import logging  # noqa: PLC0415  # few calls compile
    from threading import Event, Thread  # noqa: PLC0415

    from sudoku_cp.interrupts import start_thread  # noqa: PLC0415

    if not (sys.stderr.isatty() and logging.getLogger("sudoku_cp").isEnabledFor(logging.WARNING)):
        yield
        return
    from rich.progress import BarColumn, TextColumn, TimeElapsedColumn  # noqa: PLC0415  # rich costs 40 ms

    over = Event()
    bar = _show_on_stderr(TextColumn(words), BarColumn(), TimeElapsedColumn())
    bar.add_task("", total=None)

    def watch() -> None:
        # The bar ends with the compilation; the block goes on to answer its question.
        while not over.wait(COMPILING_POLL) and not is_done():
            pass
        bar.stop()

    bar.start()
    watcher = Thread(target=watch, daemon=True)
    start_thread(watcher)
    try:
        yield
    finally:
        over.set()
        watcher.join()
