"""Convert an f-puzzles document (plain JSON data) to a puzzle and back: its grid, what its cells hold, and its rules."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any

from sudoku_cp.errors import InvalidInput, Unsupported
from sudoku_cp.formats.base import SolvingState, make_rule
from sudoku_cp.formats.document_fields import ProblemCollector, is_empty, iter_elements, parse_whole_number, short_repr
from sudoku_cp.formats.fpuzzles.clues import CLUES, FLAGS, NEGATIVES, ClueConverter, ClueEntry, meanings, place_name
from sudoku_cp.formats.fpuzzles.drawings import COLOUR_KEYS, DRAWING_KEYS, add_drawings, is_note, is_root, read_drawings
from sudoku_cp.formats.grid_text import board_of_regions
from sudoku_cp.grid import MAX_SIDE, Board, Cell, Grid
from sudoku_cp.model import Domain, members, to_mask
from sudoku_cp.puzzle import Puzzle
from sudoku_cp.symbols import BLANKS

if TYPE_CHECKING:
    from sudoku_cp.rules import Rule


# --- the grid, what is given in its cells, and its stated solution --------------------------------------------------


_CELL_KEYS = {"value", "given", "givenPencilMarks", "region", "parity"}
_UNREAD = {
    "pencil marks": ("centerPencilMarks", "cornerPencilMarks", "candidates"),
    "colours": ("highlight", "colors"),
    "fog": ("fog",),
}
"""Notes of a player, and fog."""
_UNREAD_KEYS = {key for keys in _UNREAD.values() for key in keys} | {*COLOUR_KEYS}


@dataclass
class FpuzzlesCells:
    """The contents of the cells: givens, given pencil marks, cells marked odd or even, and how much is a player's."""

    givens: dict[Cell, int] = field(default_factory=dict)
    candidates: dict[Cell, Domain] = field(default_factory=dict)
    parity: dict[str, list[Cell]] = field(default_factory=dict)
    entered: int = 0
    unread: Counter[str] = field(default_factory=Counter)


def read_grid(data: Mapping[str, Any], collector: ProblemCollector) -> Grid | None:
    """Return the grid with the stated size and regions, None if these are invalid."""
    rows = collector.read("", lambda: _parse_rows(data))
    if rows is None:
        return None
    side, board = len(rows), Grid.square(len(rows)).boards[0]
    usual = board.labels() if board.boxes else [cell // side for cell in range(side * side)]
    labels: list[int | None] = []
    for cell, entry in enumerate(entry for row in rows for entry in row):
        row, column = divmod(cell, side)
        if "region" not in entry:
            labels.append(usual[cell])
            continue
        raw = entry["region"]
        number = None if raw is None else collector.read(f"{place_name((row, column))}, region", partial(parse_whole_number, raw))
        labels.append(number)
    return make_grid(side, side, labels, range(1, side + 1))


def _parse_rows(data: Mapping[str, Any]) -> list[list[dict[str, Any]]]:
    """Return the cells' entries, as many rows and columns as the size says."""
    raw = data.get("grid")
    size = data.get("size")
    if is_empty(size) and not isinstance(raw, list):
        raise InvalidInput("expected the fields size and grid of an f-puzzles document, got neither")
    side = len(raw) if is_empty(size) and isinstance(raw, list) else parse_whole_number(size, "a size")
    if not 2 <= side <= MAX_SIDE:  # noqa: PLR2004
        raise InvalidInput(f"size: expected 2 to {MAX_SIDE}, got {short_repr(side)}")
    if raw is None:
        return [[{} for _ in range(side)] for _ in range(side)]
    rows = [row for _, row in iter_elements(raw, "grid", "grid: an array of rows")]
    problems = [] if len(rows) == side else [f"grid: expected {side} rows, got {len(rows)}"]
    for number, row in enumerate(rows[:side], 1):
        if not isinstance(row, list) or len(row) != side:
            got = f"{len(row)}" if isinstance(row, list) else short_repr(row)
            problems.append(f"grid, row {number}: expected an array of {side} cells, got {got}")
            continue
        strange = [(column, one) for column, one in enumerate(row) if not isinstance(one, dict | None)]
        for column, one in strange:
            problems.append(f"{place_name((number - 1, column))}: expected an object, got {short_repr(one)}")
    if problems:
        raise InvalidInput(problems)
    return [[one or {} for one in row] for row in rows]


def make_grid(rows: int, columns: int, labels: Sequence[int | None], values: range) -> Grid:
    """Return the grid with these regions: as boxes if they are boxes; without regions if no cell has a label."""
    numbers = {label: number for number, label in enumerate(dict.fromkeys(label for label in labels if label is not None))}
    regions = tuple(None if label is None else numbers[label] for label in labels)
    if not numbers or (len(numbers) == rows and all(label == cell // columns for cell, label in enumerate(regions))):
        return Grid.of((Board(rows, columns),), values)  # regions that are the rows say nothing more
    return Grid.of((board_of_regions(rows, columns, regions),), values)


def read_contents(data: Mapping[str, Any], grid: Grid, collector: ProblemCollector) -> FpuzzlesCells:
    """Return the contents of the cells; the shape of the grid has been checked."""
    found = FpuzzlesCells()
    rows = data.get("grid") or []
    for cell, entry in enumerate(entry or {} for row in rows for entry in row):
        name = place_name(grid.places[cell])
        collector.read(name, partial(_read_cell, entry, cell, grid, found))
        for key in sorted(entry.keys() - _CELL_KEYS - _UNREAD_KEYS):
            if not is_empty(entry[key]):
                collector.problems.append(f"{name}: expected only what is known of a cell, got {key!r:.40}")
        found.unread.update(noun for noun, keys in _UNREAD.items() if not all(is_empty(entry.get(key)) for key in keys))
    if found.entered:
        collector.warnings.append(f"values that a player has filled in are not read: {found.entered}")
    for noun, count in sorted(found.unread.items()):
        collector.warnings.append(f"not read: {noun} in {count} cell{'s' * (count > 1)}")
    return found


def _read_cell(entry: Mapping[str, Any], cell: Cell, grid: Grid, found: FpuzzlesCells) -> None:
    value = entry.get("value")
    if not is_empty(value) and value != 0:
        number = parse_whole_number(value, "a value")
        if entry.get("given") is True:
            found.givens[cell] = number
        else:
            found.entered += 1
    marks = entry.get("givenPencilMarks")
    if not is_empty(marks):
        values = {parse_whole_number(one, "a value") for _, one in iter_elements(marks, "givenPencilMarks")}
        if strange := sorted(values - set(grid.values)):
            raise InvalidInput(f"givenPencilMarks: expected values from 1 to {grid.values[-1]}, got {short_repr(strange)}")
        if values != set(grid.values):
            found.candidates[cell] = to_mask(values)
    parity = entry.get("parity")
    if not is_empty(parity):
        kind = str(parity).lower()
        if kind not in {"odd", "even"}:
            raise InvalidInput(f"parity: expected 'Odd' or 'Even', got {short_repr(parity)}")
        found.parity.setdefault(kind, []).append(cell)


def read_solution(raw: Any, grid: Grid, warnings: list[str]) -> tuple[int, ...] | None:
    """Return the solution stated as an array or text of values; None, with a warning, if it is incomplete."""
    if is_empty(raw):
        return None
    found = _parse_solution(raw, grid)
    if found is None and any(not is_empty(one) and str(one) not in BLANKS for one in raw):
        warnings.append("the stated solution is not read: it is not complete")
    return found


def _parse_solution(raw: Any, grid: Grid) -> tuple[int, ...] | None:
    if not isinstance(raw, list | str):
        raise InvalidInput(f"expected a solution as an array or a text, got {short_repr(raw)}")
    cells = len(grid.cells)
    if isinstance(raw, str) and "," in raw:
        raw = raw.split(",")
    elif isinstance(raw, str):
        width = max(1, len(raw) // cells)  # above nine, each value takes two digits
        raw = [raw[at : at + width] for at in range(0, len(raw), width)]
    if len(raw) != cells or not all(isinstance(one, int) or (isinstance(one, str) and one.strip().isdecimal()) for one in raw):
        return None
    values = tuple(parse_whole_number(one, "a value") for one in raw)
    return values if set(values) <= set(grid.values) else None


# --- writing ----------------------------------------------------------------------------------------------------


def write_cells(puzzle: Puzzle) -> list[list[dict[str, Any]]]:
    """Return the rows of cells: givens, given pencil marks, and regions that are not the usual boxes."""
    grid, side = puzzle.grid, puzzle.grid.boards[0].rows
    labels = grid.boards[0].labels()
    usual = Grid.square(side).boards[0].labels()
    own_regions = list(labels) != list(usual)
    rows: list[list[dict[str, Any]]] = [[] for _ in range(side)]
    for cell in grid.cells:
        entry: dict[str, Any] = {}
        if cell in puzzle.givens:
            entry |= {"value": puzzle.givens[cell], "given": True}
        if cell in puzzle.candidates:
            entry["givenPencilMarks"] = members(puzzle.candidates[cell])
        if own_regions:
            entry["region"] = labels[cell]
        rows[cell // side].append(entry)
    return rows


# What a player has entered in an f-puzzles document: values that are not given, and centre marks.


def player_state(data: Mapping[str, Any], puzzle: Puzzle) -> SolvingState:
    """Return the values and the centre marks entered in a document; ``puzzle`` is the one that it states.

    Marks that are no values of the puzzle are passed over, as the site itself does; so are those of filled cells.
    """
    placed: dict[Cell, int] = {}
    left: dict[Cell, Domain] = {}
    values = set(puzzle.grid.values)
    entries = [entry or {} for row in data.get("grid") or [] for entry in row]
    for cell, entry in enumerate(entries):
        value, marks = entry.get("value"), entry.get("centerPencilMarks")
        if cell in puzzle.givens:
            continue
        if not is_empty(value) and value != 0:
            placed[cell] = parse_whole_number(value, "a value")
        elif not is_empty(marks):
            marked = {parse_whole_number(one, "a value") for _, one in iter_elements(marks, "centerPencilMarks")} & values
            if marked:
                left[cell] = to_mask(marked)
    return SolvingState(placed, left)


# --- the document -----------------------------------------------------------------------------------------------


_TEXTS = ("title", "author", "ruleset")
_DIAGONALS = ("diagonal-", "diagonal+")
_KNOWN = {"size", "grid", "solution", "negative", "nonconsecutive", *_DIAGONALS, *_TEXTS, *FLAGS, *CLUES}
_IGNORED = {"highlightConflicts", "disabledlogic", "truecandidatesoptions", "id", "customcolors"}
"""How the site shows the puzzle."""
_WORDS = ("successMessage", "metadata")
"""Messages to people."""
_PLAY = ("fogofwar", "foglight", "foglink", "triggereffect")
"""Keys that only matter while a person plays."""


# --- reading ----------------------------------------------------------------------------------------------------


def puzzle_from_fpuzzles(data: Any, warnings: list[str]) -> Puzzle:
    """Return the puzzle of a document, or raise `InvalidInput` with everything that is wrong with it."""
    if not isinstance(data, dict):
        raise InvalidInput(f"expected an f-puzzles document as a JSON object, got {short_repr(data)}")
    collector = ProblemCollector(warnings)
    texts: dict[str, Any] = {key: collector.read(key, partial(_parse_text, data.get(key))) or "" for key in _TEXTS}
    _report_unknown(data, collector)
    grid = read_grid(data, collector)
    if grid is None:
        collector.raise_problems()
        raise AssertionError  # a document without a grid has a problem
    contents = read_contents(data, grid, collector)
    drawings = read_drawings(data, grid, warnings)
    clues = _split_cages(data, collector)
    rules: list[Rule] = [make_rule("houses"), *_flags(data, collector)]
    rules += [make_rule(kind, tuple(cells)) for kind, cells in sorted(contents.parity.items())]
    for key, clue in CLUES.items():
        for path, entry in collector.read(key, partial(_entries, key, clues.get(key))) or ():
            rules += collector.read(path, partial(_read_clue, clue, grid, entry)) or ()
    rules = _merge_marks(rules)
    rules += [NEGATIVES[name].rule(rules) for name in _negatives(data, collector)]
    solution = collector.read("solution", lambda: read_solution(data.get("solution"), grid, warnings))
    given = (contents.givens, contents.candidates)
    return collector.require("", lambda: Puzzle(grid, tuple(rules), *given, **texts, solution=solution, drawings=drawings))


def _read_clue(clue: ClueConverter, grid: Grid, entry: Any) -> list[Rule]:
    return clue.read(ClueEntry(grid, entry))


def _parse_text(raw: Any) -> str:
    if is_empty(raw):
        return ""
    if not isinstance(raw, str):
        raise InvalidInput(f"expected a text, got {short_repr(raw)}")
    return raw


def _entries(key: str, raw: Any) -> list[tuple[str, Any]]:
    """Return the entries of a key that are not empty, each with its path."""
    return [] if is_empty(raw) else [(path, one) for path, one in iter_elements(raw, key) if not is_empty(one)]


def _merge_marks(rules: list[Rule]) -> list[Rule]:
    """Return the rules with all marked cells of a kind in one rule: neighbours with the same mark are not compared."""
    cells: dict[str, list[int]] = {}
    for rule in rules:
        if rule.kind in {"odd", "even", "minimum", "maximum"}:
            cells.setdefault(rule.kind, []).extend(rule.cells)  # type: ignore[attr-defined]
    merged = [make_rule(kind, tuple(dict.fromkeys(found))) for kind, found in cells.items()]
    return [rule for rule in rules if rule.kind not in cells] + merged


def _flags(data: Mapping[str, Any], collector: ProblemCollector) -> Iterator[Rule]:
    """Yield the rules of keys that are on."""
    on = {key: collector.read(key, partial(_parse_flag, data.get(key))) for key in (*_DIAGONALS, *FLAGS)}
    down, up = (bool(on[key]) for key in _DIAGONALS)
    if down or up:
        yield make_rule("diagonals", down, up)
    yield from (make_rule(kind) for key, kind in FLAGS.items() if on[key])


def _parse_flag(raw: Any) -> bool:
    if not isinstance(raw, bool | None):
        raise InvalidInput(f"expected true or false, got {short_repr(raw)}")
    return bool(raw)


def _negatives(data: Mapping[str, Any], collector: ProblemCollector) -> Iterator[str]:
    """Yield the names of the negative rules."""
    if collector.read("nonconsecutive", partial(_parse_flag, data.get("nonconsecutive"))):
        yield "nonconsecutive"
    raw = data.get("negative")
    for path, name in collector.read("negative", lambda: list(iter_elements(raw or [], "negative"))) or ():
        if name in ("difference", "ratio", "xv"):
            yield name
        else:
            collector.problems.append(f"{path}: expected 'ratio', 'xv' or 'difference', got {short_repr(name)}")


def _split_cages(data: Mapping[str, Any], collector: ProblemCollector) -> dict[str, Any]:
    """Return the document with only those drawn cages that are clues, and warn of notes and of what matters in play."""
    clues, cages = dict(data), data.get("cage")
    if isinstance(cages, list):
        notes = [str(one["value"]).split(":")[0][:40] for one in cages if is_note(one)]
        collector.warnings += [f"not read: {note!r}" for note in dict.fromkeys(notes)]
        clues["cage"] = [one for one in cages if is_root(one)]
    play = [key for key in _PLAY if not is_empty(data.get(key))]
    if play:
        collector.warnings.append(f"what only matters in play is not read: {', '.join(play)}")
    return clues


def _report_unknown(data: Mapping[str, Any], collector: ProblemCollector) -> None:
    for key, raw in data.items():
        if key in _KNOWN or key in _IGNORED or key in DRAWING_KEYS or key in _PLAY or is_empty(raw):
            continue
        if key in _WORDS or (isinstance(raw, str | int | float) and not isinstance(raw, bool)):
            collector.warnings.append(f"not read: {key!r:.40}")
        else:
            collector.problems.append(f"expected clues that are known, got {key!r:.40}, which may be a rule")


# --- writing ----------------------------------------------------------------------------------------------------


def puzzle_to_fpuzzles(puzzle: Puzzle) -> dict[str, Any]:
    """Return the document of the puzzle; raise `Unsupported` with everything that it cannot express."""
    grid = puzzle.grid
    _require_square(puzzle)
    data: dict[str, Any] = {"size": grid.boards[0].rows}
    data |= {key: getattr(puzzle, key) for key in _TEXTS if getattr(puzzle, key)}
    data["grid"] = write_cells(puzzle)
    refused: list[str] = []
    for rule in puzzle.rules:
        keys = list(_keys_of_rule(rule, grid))
        refused += [rule.kind] * (not keys)
        for key, stated in keys:
            data[key] = [*data.get(key, []), *stated] if isinstance(stated, list) else stated
    if puzzle.solution is not None:
        data["solution"] = list(puzzle.solution)
    if puzzle.drawings:
        add_drawings(puzzle, data)
    # Entries can interact (a dot exempts its cells from a negative): only reading back shows what the document means.
    if not refused:
        refused = _changed_kinds(puzzle, data)
    if refused:
        counts = ", ".join(f"{kind} ({count})" if count > 1 else kind for kind, count in Counter(refused).items())
        raise Unsupported(f"expected rules that the format 'fpuzzles' can express (json can express everything), got {counts}")
    return data


def _require_square(puzzle: Puzzle) -> None:
    board, values = puzzle.grid.boards[0], puzzle.grid.values
    problems = []
    if len(puzzle.grid.boards) > 1 or board.rows != board.columns or board.at != (0, 0):
        problems.append(f"a grid of one square board, got {puzzle.grid}")
    if values != range(1, board.rows + 1):
        problems.append(f"the values 1 to {board.rows}, got {values[0]} to {values[-1]}")
    if not any(rule.kind == "houses" for rule in puzzle.rules):
        problems.append("the rule houses, got a puzzle without it")
    if problems:
        raise Unsupported([f"expected for the format 'fpuzzles' {one} (json can express everything)" for one in problems])


def _keys_of_rule(rule: Any, grid: Grid) -> Iterator[tuple[str, Any]]:
    """Yield the keys that express a rule, each with true or with entries."""
    if rule.kind == "houses":
        yield "size", grid.boards[0].rows
    elif rule.kind == "diagonals":
        yield from ((key, True) for key, on in zip(_DIAGONALS, (rule.down, rule.up), strict=True) if on)
    yield from ((key, True) for key, kind in FLAGS.items() if kind == rule.kind)
    for name, negative in NEGATIVES.items():
        if negative.kind == rule.kind:
            yield (name, True) if name == "nonconsecutive" else ("negative", [name])
    for key, clue in CLUES.items():
        if clue.kind == rule.kind or (clue.kind, rule.kind) == ("arrow", "pill-arrow"):
            entries = clue.write(rule, grid)
            if entries:
                yield key, entries


def _changed_kinds(puzzle: Puzzle, data: dict[str, Any]) -> list[str]:
    """Return the kinds of rules that change when the document is read back."""
    try:
        back = puzzle_from_fpuzzles(data, [])
    except InvalidInput as error:
        raise Unsupported([f"expected a puzzle for the format 'fpuzzles'; {problem}" for problem in error.problems]) from error
    if back.grid.regions != puzzle.grid.regions:
        return ["its regions"]
    there = set(meanings(back.rules))
    lost = [rule.kind for rule in puzzle.rules if not there.issuperset(meanings([rule]))]
    here = set(meanings(puzzle.rules))
    return lost or [rule.kind for rule in back.rules if not here.issuperset(meanings([rule]))]
