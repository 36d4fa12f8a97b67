"""What survives every format and back: the tables in docs/formats.md, which `make docs-pages` writes and a test checks.

A puzzle is written, read back and compared. What is lost must be an error or reported as left out: otherwise it is a defect, and
the tests fail. The tables show only what is reported.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from sudoku_cp.cosmetics import DrawnLine, DrawnText
from sudoku_cp.formats import FORMATS, format_puzzles, read_puzzles, records_of_text
from sudoku_cp.formats.base import TEXTS
from sudoku_cp.formats.fpuzzles.clues import meanings
from sudoku_cp.grid import Board, Grid
from sudoku_cp.puzzle import Puzzle, to_json
from sudoku_cp.rules import RULES
from sudoku_cp.symbols import letters

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "formats.md"
BOTH = tuple(name for name, found in FORMATS.items() if found.read and found.write)
_LINE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
_SOLVED = tuple(map(int, "534678912672195348198342567859761423426853791713924856961537284287419635345286179"))


# --- puzzles ----------------------------------------------------------------------------------------------------


@cache
def examples() -> tuple[Puzzle, ...]:
    """Return every puzzle of examples/variants."""
    return tuple(puzzle for path in sorted((ROOT / "examples/variants").glob("*.jsonl")) for puzzle in read_puzzles(path))


@cache
def boards() -> dict[str, Puzzle]:
    """Return a puzzle for each kind of board, and one with candidates, by its column in the table."""
    plain = Puzzle.parse(_LINE)
    thin = Grid.square(9, values=range(1, 13))
    two = Grid((Board(4, 4, (2, 2)), Board(4, 4, (2, 2), at=(2, 2))), range(1, 5))
    return {
        "9x9": plain,
        "candidates": replace(plain, givens={0: 5, 1: 3}, candidates={2: 0b10110, 40: 0b1100000}),
        "16x16": Puzzle(Grid.square(16), givens={0: 16, 17: 3, 100: 11, 255: 9}),
        "own boxes": Puzzle(Grid.square(6, (3, 2)), givens={0: 6, 20: 1}),
        "jigsaw": Puzzle(Grid.jigsaw("AAAB ABBB CCCD CDDD"), givens={0: 4}),
        "6x8": Puzzle(Grid.rectangle(6, 8, (2, 4)), givens={0: 8, 47: 1}),
        "from 0": Puzzle(Grid.square(9, values=range(9)), givens={0: 0, 80: 8}),
        "12 values": Puzzle(thin, givens={0: 12, 80: 1}),
        "two boards": Puzzle(two, givens={0: 4, 27: 1}),
        "no houses": Puzzle(Grid.square(4), (RULES["diagonals"](),), {0: 1}),
    }


@cache
def told() -> Puzzle:
    """Return a plain puzzle with every text that a puzzle can have."""
    texts = {"title": "A # title,\nof: two · lines", "author": "Some  Body", "source": "a  book", "ruleset": "Be\ngood."}
    plain = Puzzle.parse(_LINE)
    drawings = (DrawnLine(((0.5, 0.5), (1.5, 1.5))), DrawnText((4.5, 5), "?"))
    return replace(plain, **texts, solution=_SOLVED, symbols=letters(plain.grid.values), drawings=drawings)


# --- there and back ---------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Passage:
    """The outcome of a puzzle in a format: the error, or the puzzle that a reader finds and what was left out."""

    error: str
    back: Puzzle | None = None
    left_out: frozenset[str] = frozenset()


_passages: dict[tuple[str, str], Passage] = {}
_texts: dict[int, tuple[Puzzle, str]] = {}
"""The JSON of puzzles by their `id`; a puzzle is held so that no other gets its `id`."""


def through(puzzle: Puzzle, name: str) -> Passage:
    """Return the outcome of a puzzle in a format."""
    if id(puzzle) not in _texts:
        _texts[id(puzzle)] = puzzle, json.dumps(to_json(puzzle))
    key = (_texts[id(puzzle)][1], name)
    if key not in _passages:
        _passages[key] = _through(puzzle, name)
    return _passages[key]


def _through(puzzle: Puzzle, name: str) -> Passage:
    one, *end = format_puzzles([puzzle], name)
    if one.error:
        return Passage(str(one.error))
    (record,) = records_of_text(one.text + "".join(piece.text for piece in end), format=name)
    assert record.error is None, f"{name} cannot read what it wrote: {record.error}"
    no_loss = ("may be the name of a rule", "which the drawing does not show")  # the titles and drawings of puzzles here
    warnings = [words for words in record.warnings if not any(one in words for one in no_loss)]
    assert not warnings, f"{name} writes what it does not read: {warnings}"
    return Passage("", record.puzzle, frozenset(text.removesuffix(" as it is") for text in one.left_out))


def lost(puzzle: Puzzle, back: Puzzle) -> set[str]:
    """Return what a puzzle has that the one read back does not, by the names that people know."""
    found = {noun for field, noun in TEXTS.items() if getattr(puzzle, field) not in ("", None, (), getattr(back, field))}
    found |= {"values"} if puzzle.grid.values != back.grid.values else set()
    found |= {"grid"} if puzzle.grid.places != back.grid.places else set()
    found |= {"regions"} if _regions(puzzle) != _regions(back) else set()
    found |= {"givens"} if _allowed(puzzle) != _allowed(back) else set()
    found |= {"rules"} if _meanings(puzzle) != _meanings(back) else set()
    return found


def _meanings(puzzle: Puzzle) -> set[object]:
    """Return a normal form of the rules; the order of the cells in a cage or a region does not matter."""
    return {
        _sorted(one) if _is_area(one) else one for one in meanings(rule for rule in puzzle.rules if not _is_given(rule, puzzle))
    }


def _is_area(rule: Any) -> bool:
    kinds = {"killer-cage", "sum-cage", "extra-region"}
    return getattr(rule, "kind", "") in kinds and not getattr(rule, "factors", ())


def _sorted(rule: Any) -> Any:
    return replace(rule, cells=tuple(sorted(rule.cells)))


def _is_given(rule: Any, puzzle: Puzzle) -> bool:
    """Return whether a rule is a given in another form: a cage of one cell."""
    return _is_area(rule) and len(rule.cells) == 1 and getattr(rule, "total", None) in puzzle.grid.values


def _regions(puzzle: Puzzle) -> set[frozenset[int]]:
    return {frozenset(house) for house in puzzle.grid.houses.values()}


def _allowed(puzzle: Puzzle) -> dict[int, int]:
    """Return the domain of each cell with a given (or one candidate, which is the same) or candidates, if it excludes a value."""
    everything = sum(1 << value for value in puzzle.grid.values)
    cages: list[Any] = [rule for rule in puzzle.rules if _is_given(rule, puzzle)]
    found = replace(puzzle, givens=puzzle.givens | {rule.cells[0]: rule.total for rule in cages}).assume()
    for cell, domain in list(found.items()):
        # candidates that the givens leave anyway need not be stated
        if cell not in puzzle.givens and domain == everything:
            del found[cell]
    return found


# --- tables -----------------------------------------------------------------------------------------------------


def cell_of(puzzle: Puzzle, name: str) -> str:
    """Return the table entry of a puzzle in a format."""
    passage = through(puzzle, name)
    if passage.back is None:
        return "error"
    changed = lost(puzzle, passage.back) - set(TEXTS.values())
    if changed:
        return "otherwise"
    return "yes" if passage.back.givens == puzzle.givens else "as candidates"


def text_cell(field: str, name: str) -> str:
    """Return the table entry of a text about the puzzle."""
    puzzle = replace(Puzzle.parse(_LINE), **{field: getattr(told(), field)})
    passage = through(puzzle, name)
    assert passage.back is not None
    here, there = getattr(puzzle, field), getattr(passage.back, field)
    if here == there:
        return "yes"
    return "remark" if not there or field == "symbols" else "one line"


def row_of(name: str) -> list[str]:
    """Return the row of a format: how many examples it can express, which boards, and which texts it keeps."""
    said = sum(through(puzzle, name).back is not None for puzzle in examples())
    cells = [cell_of(puzzle, name) for puzzle in boards().values()]
    return [f"`{name}`", f"{said} of {len(examples())}", *cells, *(text_cell(field, name) for field in TEXTS)]


def table_of_formats() -> str:
    """Return the table of what each format keeps."""
    return _markdown([["format", "examples", *boards(), *TEXTS.values()], *map(row_of, BOTH)])


@cache
def corpus() -> tuple[Puzzle, ...]:
    """Return all puzzles."""
    return (*examples(), *boards().values(), told())


@dataclass(frozen=True)
class Journey:
    """A puzzle as one format expresses it, what came back from another (None: an error), and what was reported."""

    start: Puzzle
    end: Puzzle | None
    told: frozenset[str] = frozenset()


def journeys(name: str, other: str) -> list[Journey]:
    """Return the journeys of all puzzles that a format can express to another format and back."""
    found = []
    for start in filter(None, (through(puzzle, name).back for puzzle in corpus())):
        there = through(start, other)
        again = through(there.back, name) if there.back else there
        found.append(Journey(start, again.back, there.left_out | again.left_out))
    return found


_SHORT = dict(zip(TEXTS.values(), "tasrogd", strict=True))
"""The letter for each text in the table of pairs."""


def pair_cell(name: str, other: str) -> str:
    """Return how many puzzles come back from another format, and the letters of the texts that do not."""
    made = journeys(name, other)
    back = [one for one in made if one.end]
    gone = {noun for one in back for noun in lost(one.start, one.end or one.start)}
    return f"{len(back)} {''.join(_SHORT[noun] for noun in TEXTS.values() if noun in gone)}".strip()


def table_of_pairs() -> str:
    """Return the table of what goes from each format to each other and back; formats with equal entries share a row."""
    cells = {name: [pair_cell(name, other) for other in BOTH] for name in BOTH}
    columns = {other: [cells[name][index] for name in BOTH] for index, other in enumerate(BOTH)}
    alike: dict[str, list[str]] = {}
    for name in BOTH:
        first = next((one for one in alike if cells[one] == cells[name] and columns[one] == columns[name]), name)
        alike.setdefault(first, []).append(f"`{name}`")
    rows = [[", ".join(group), *(cells[name][BOTH.index(other)] for other in alike)] for name, group in alike.items()]
    return _markdown([["from \\ to", *(f"`{name}`" for name in alike)], *rows])


def _markdown(rows: list[list[str]]) -> str:
    head, *rest = rows
    return "".join(f"{markdown_row(row)}\n" for row in (head, ["---"] * len(head), *rest))


def markdown_row(cells: list[str]) -> str:
    """Return a row of a table."""
    return f"| {' | '.join(cells)} |"


# --- the page ---------------------------------------------------------------------------------------------------

TABLES = {"formats": table_of_formats, "pairs": table_of_pairs}
"""The function that makes each table of the page, by its mark there."""


def _marks(name: str) -> tuple[str, str]:
    return f"<!-- {name}: made by tests/formats/format_matrix.py (make docs-pages) -->\n", f"<!-- end of {name} -->\n"


def table_on_page(name: str) -> str:
    """Return a table as it stands on the page."""
    begin, end = _marks(name)
    return PAGE.read_text(encoding="utf-8").split(begin)[1].split(end)[0]


def write_page() -> None:
    """Write the current tables to the page."""
    for name, make in TABLES.items():
        begin, end = _marks(name)
        before, rest = PAGE.read_text(encoding="utf-8").split(begin)
        PAGE.write_text(f"{before}{begin}{make()}{end}{rest.split(end)[1]}", encoding="utf-8")


if __name__ == "__main__":
    write_page()
