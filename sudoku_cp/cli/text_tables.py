"""Tables for people, as wide as the terminal: columns that do not fit are left out, and words are never broken.

Listings of registries are such tables too, or a JSON object for each entry.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from sudoku_cp.cli import output

if TYPE_CHECKING:
    from rich.table import Table

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
        output.print_text(f"(left out, as {console.width} columns are too few: {', '.join(missing)})")


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
            output.print_json(row)
    else:
        print_table([{name: _format_cell(value) for name, value in row.items()} for row in rows], least=least, lines=True)


def _format_cell(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return ", ".join(value)
    if isinstance(value, dict) and all(isinstance(one, str) for one in value.values()) and "kind" not in value:
        return "\n".join(f"{name}: {one}" for name, one in value.items())
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
