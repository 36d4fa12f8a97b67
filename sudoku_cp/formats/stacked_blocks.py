"""A puzzle as blocks of rows below each other: its cells, and the region or the cage of each cell, or the sums of cages.

Boards in a file of such puzzles may be plain, too. Which block is what follows from what stands in it (`_letter`), and which
blocks make a puzzle from their order (`_PUZZLES`). What can be read in two ways is refused with both readings.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import accumulate, islice, product
from typing import TYPE_CHECKING, NamedTuple

from sudoku_cp.errors import ParseError
from sudoku_cp.formats.base import Format, Options, Record, peek_head, record_or_error
from sudoku_cp.formats.board_text.rows import BoardShape, TextRow, Token, puzzle_from_rows
from sudoku_cp.formats.board_text.square_blocks import (
    LEAST,
    LONGEST_FIELD,
    Heading,
    Item,
    LabelSums,
    SquareBlock,
    are_candidates,
    blocks_at,
    blocks_with_spaces,
    has_patches,
    is_latin,
    is_partition,
    largest_number,
    may_have_patches,
    parse_block_items,
)
from sudoku_cp.formats.grid_text import jigsaw_grid
from sudoku_cp.formats.killers.cages import CellSum, puzzle_from_cages
from sudoku_cp.grid import MAX_SIDE, Grid
from sudoku_cp.puzzle import Puzzle
from sudoku_cp.symbols import BLANKS

if TYPE_CHECKING:
    from sudoku_cp.formats.board_text import alphabets

_LAYERS = ("cr", "rc", "r", "np", "pn", "npr", "rnp", "cp", "pc", "cpr", "rcp", "pr", "rp", "p")
_PUZZLES = frozenset({"cs", *map("".join, product(_LAYERS, ("", "s"))), *(word.replace("c", "cs") for word in _LAYERS)})
"""The blocks of a puzzle with others than cells, by their letters; any other block is a puzzle by itself."""
_BEGINNINGS = frozenset(word[:size] for word in _PUZZLES for size in range(1, len(word) + 1))
_LABELS = frozenset("rps")
"""Letters of blocks whose cells with spaces, if any, have equal neighbours."""
_AHEAD = max(map(len, _PUZZLES)) * (MAX_SIDE + 3)
"""Items after which the first puzzle is certain."""
_SHOWN = 5


class LocatedSum(NamedTuple):
    """The sum of a cage, and the line that states it."""

    line: int
    total: int


@dataclass
class _Group:
    """The blocks of one puzzle, by their letters, with the words and the sums around them; ``size``: how many items."""

    blocks: dict[str, SquareBlock] = field(default_factory=dict)
    title: str = ""
    sums: tuple[LabelSums, ...] = ()
    size: int = 0

    @property
    def line(self) -> int:
        """Where the first block begins."""
        return next(iter(self.blocks.values())).rows[0].line

    @property
    def is_layered(self) -> bool:
        """Whether regions or cages are among the blocks."""
        return "r" in self.blocks or ("p" in self.blocks and not _is_coincidence(self))


def _letter(block: SquareBlock) -> str:
    """Return what a block is: ``r`` regions, ``s`` a solution, ``p`` patches (cages), ``n`` sums, ``c`` cells."""
    if is_partition(block):
        return "r"
    if is_latin(block):
        return "s"
    if has_patches(block) and not are_candidates(block):
        return "p"
    return "n" if largest_number(block) > block.side else "c"


# --- which blocks make a puzzle ---------------------------------------------------------------------------------


def _first_group(items: Sequence[Item], start: int) -> _Group | None:
    """Return the puzzle whose first row is at ``start``: with regions or cages, if its rows can be cut so."""
    groups = [_grow_group(items, start, first) for first in blocks_at(items, start)]
    whole = next((group for group in groups if group.is_layered), None) or _group_with_spaces(items, start)
    return whole or (groups[0] if groups else None)


def _group_with_spaces(items: Sequence[Item], start: int) -> _Group | None:
    """Return the puzzle whose first block has spaces for empty cells, as many rows as the regions or cages below it have."""
    for side in _visible_sides(items, start):
        following = _next_block(items, start + side, side, _LABELS)
        if following and following[0] in "rp":
            for first in _unique(items, start, side):
                group = _grow_group(items, start, first)
                if group.is_layered:
                    return group
    return None


def _visible_sides(items: Sequence[Item], start: int) -> Iterator[int]:
    """Yield how many rows a first block may have: up to an empty line or words, or such that blocks of as many fill all rows.

    Each is a reading of two blocks in columns, which is slow: a text of words has none.
    """
    last = next((at for at in range(start, len(items)) if not isinstance(items[at], TextRow)), len(items))
    rows = [item for item in items[start:last] if isinstance(item, TextRow)]
    sides = range(LEAST, min(MAX_SIDE, len(rows)) + 1)
    ends = [side for side in sides if len(rows) % side == 0 or rows[side].gap]
    texts = [row.text.rstrip() for row in rows[: max(ends, default=0)]]
    lengths = [*map(len, texts)]
    shortest, longest = [*accumulate(lengths, min)], [*accumulate(lengths, max)]
    spaced = next((side for side, text in enumerate(texts, 1) if " " in text or "\t" in text), MAX_SIDE + 1)
    for side in ends:
        has_spaces = side >= spaced or shortest[side - 1] < longest[side - 1]  # some are there, or cut off
        if has_spaces and longest[side - 1] + 1 >= side:  # and some row reaches the last columns
            yield side


def _unique(items: Sequence[Item], start: int, side: int) -> Iterator[SquareBlock]:
    """Yield the block of values with spaces for empty cells at ``start``, and that of sums, where each is the only one."""
    sums = [*islice(blocks_with_spaces(items, start, side, sums=True), 2)]
    values = [*islice(blocks_with_spaces(items, start, side, sums=False), 2)] if sums else []  # all are among those of sums
    for blocks in (values, sums):
        yield from blocks if len(blocks) == 1 else ()


def _grow_group(items: Sequence[Item], start: int, first: SquareBlock) -> _Group:
    """Return the longest puzzle that begins with a block; a full board that begins one is its cells."""
    letter = _letter(first)
    found = [("c" if letter == "s" else letter, first, start + first.side)]
    word, whole = found[0][0], 1
    while word in _BEGINNINGS:
        whole = len(word) if word in _PUZZLES else whole
        wanted = frozenset(other[len(word)] for other in _BEGINNINGS if other.startswith(word) and len(other) > len(word))
        following = _next_block(items, found[-1][2], first.side, wanted)
        if following is None or (word + following[0] == "cs" and not _is_solved(found[0][1], following[1])):
            break
        found.append(following)
        word += following[0]
    group = _make_group(items, start, found[:whole])
    return group if group.is_layered or "s" in group.blocks else _make_group(items, start, found[:1])


def _is_solved(cells: SquareBlock, solution: SquareBlock) -> bool:
    """Return whether a full board agrees with a block of cells, some of which are empty."""
    texts = ["." if text in BLANKS else text for text in cells.texts]
    return "." in texts and all(one in {".", other} for one, other in zip(texts, solution.texts, strict=True))


def _make_group(items: Sequence[Item], start: int, found: Sequence[tuple[str, SquareBlock, int]]) -> _Group:
    """Return the puzzle of these blocks with the lines of sums between and behind them."""
    end = found[-1][2]
    while end < len(items) and isinstance(items[end], LabelSums):
        end += 1
    sums = tuple(item for item in items[start:end] if isinstance(item, LabelSums))
    return _Group({letter: block for letter, block, _ in found}, sums=sums, size=end)


def _is_coincidence(group: _Group) -> bool:
    """Return whether equal neighbours are those of a board without a solution: partly empty, and without sums."""
    cages, cells = group.blocks.get("p"), group.blocks.get("c")
    if cages is None or group.sums or "n" in group.blocks or cages.filled == cages.side**2:
        return False
    numbers = (cells.numbers or {}) if cells else {}
    large = [patch for patch in cages.patches if len(patch) > 1 and cages.texts[patch[0]] not in BLANKS]
    each = all(sum(cell in numbers for cell in patch) == 1 for patch in large)
    return not (each and len(numbers) == len(large))


def _next_block(items: Sequence[Item], start: int, side: int, wanted: frozenset[str]) -> tuple[str, SquareBlock, int] | None:
    """Return the letter, the block and the end of the next block of a side; only headings and sums may stand before it.

    Spaces are tried as its empty cells if one of the ``wanted`` letters may have such.
    """
    while start < len(items) and not isinstance(items[start], TextRow):
        start += 1
    if start == len(items):
        return None
    blocks = [*blocks_at(items, start, side)]
    if not blocks and (not wanted <= _LABELS or may_have_patches(items[start : start + side])):
        blocks = [*islice(_unique(items, start, side), 1)]
    return max(((_letter(block), block, start + side) for block in blocks), key=lambda one: one[0] in "rp", default=None)


def _split_groups(items: Iterator[Item]) -> Iterator[_Group | list[TextRow] | Record]:
    """Yield the blocks of each puzzle; rows up to the next empty line, words or block, and errors, are yielded as they are."""
    held: list[Item] = []
    title, sums = "", tuple[LabelSums, ...]()
    lost: list[TextRow] = []
    while held := [*held, *islice(items, _AHEAD - len(held))]:
        first, size = held[0], 1
        group = _first_group(held, 0) if isinstance(first, TextRow) else None
        if lost and (group or not isinstance(first, TextRow) or first.gap):
            yield lost
            lost = []
        if group:
            yield replace(group, title=title, sums=sums + group.sums)
            title, sums, size = "", (), group.size
        elif isinstance(first, Heading):
            title = first.text if any(map(str.isalnum, first.text)) else title
        elif isinstance(first, LabelSums):
            sums = (*sums, first)
        elif isinstance(first, Record):
            yield first
        else:
            lost.append(first)
        held = held[size:]
    if lost:
        yield lost


# --- reading ----------------------------------------------------------------------------------------------------


def read(lines: Iterator[str], options: Options) -> Iterator[Record]:
    """Yield the puzzle of each run of blocks."""
    head, lines = peek_head(lines)
    known: alphabets.KnownAlphabets = {}
    title = ""
    lost: list[TextRow] = []
    for group in _split_groups(parse_block_items(head, lines)):
        if isinstance(group, Record):
            yield group
            continue
        if isinstance(group, _Group):
            if lost:  # they are the cells of these regions or cages, which mean nothing without them
                yield record_or_error(lost[0].line, partial(_refuse_rows, lost, group))
            if not lost or not group.is_layered or len(group.blocks) > 1:
                named = replace(group, title=group.title or title)
                yield record_or_error(group.line, partial(_make_puzzle, named, options, known))
            lost, title = [], ""
        elif _is_heading(group):
            title = group[0].text.strip()
        else:
            lost += group
    if lost:
        yield record_or_error(lost[0].line, partial(_refuse_rows, lost))


def _is_heading(rows: Sequence[TextRow]) -> bool:
    """Return whether rows that make no block are a line of words, or a size such as ``9 9``."""
    return len(rows) == 1 and (len(rows[0].tokens) <= LONGEST_FIELD or any(map(str.isalpha, rows[0].text)))


def _refuse_rows(rows: Sequence[TextRow], following: _Group | None = None) -> Puzzle:
    widths = ", ".join(str(len(row.signs)) for row in rows[:_SHOWN])
    if following and following.is_layered:
        side = next(iter(following.blocks.values())).side
        expected = f"a block of {side} rows of {side} cells before regions or cages, with a dot for each empty cell"
    else:
        expected = "as many rows as each row has cells"
    raise ParseError(f"expected {expected}; got {len(rows)} rows, the first of {widths} cells", line=rows[0].line)


def _make_puzzle(group: _Group, options: Options, known: alphabets.KnownAlphabets) -> Puzzle:
    blocks, side = group.blocks, next(iter(group.blocks.values())).side
    usual = Grid.square(side)
    labels = blocks["r"].texts if "r" in blocks else None
    grid = jigsaw_grid(labels, usual) if labels else usual
    givens = blocks.get("c") or (next(iter(blocks.values())) if not group.is_layered else None)
    plain = _plain_puzzle(givens, options, known) if givens else Puzzle(usual)
    puzzle = replace(plain, grid=grid, title=group.title)
    if "p" in blocks:
        cages = _cages(group, blocks["p"])
        killer = puzzle_from_cages(cages, grid=grid)
        puzzle = replace(puzzle, rules=killer.rules, givens={**killer.givens, **puzzle.givens})
    if "s" in blocks:
        solved = _plain_puzzle(blocks["s"], options, known)
        puzzle = replace(puzzle, solution=tuple(solved.givens[cell] for cell in grid.cells))
    return puzzle


def _plain_puzzle(block: SquareBlock, options: Options, known: alphabets.KnownAlphabets) -> Puzzle:
    """Return the plain board of a block."""
    numbers = block.reading == "fields" and any(len(text) > 1 for text in block.texts)
    texts = iter(block.texts)
    rows = [replace(row, tokens=tuple(Token(one.column, next(texts)) for one in row.cells(block.reading))) for row in block.rows]
    shape = BoardShape(block.side, block.side, "numbers" if numbers else "fields")
    return puzzle_from_rows(rows, shape, "", replace(options, grid=Grid.square(block.side)), known)


# --- cages ------------------------------------------------------------------------------------------------------


def _cages(group: _Group, block: SquareBlock) -> list[CellSum]:
    """Return the cages with their sums: from the lines of sums, or from the block of sums, or from the block of cells."""
    if group.sums:
        return list(_cages_of_labels(block, _stated_sums(group.sums)))
    if "n" in group.blocks:
        return list(_cages_of_sums(block, group.blocks["n"].numbers or {}))
    raise _ambiguous(block)


def _stated_sums(lines: Sequence[LabelSums]) -> dict[str, LocatedSum]:
    """Return the sum of each label, or refuse two different ones."""
    found: dict[str, LocatedSum] = {}
    for one in lines:
        for label, total in one.sums:
            stated = found.setdefault(label, LocatedSum(one.line, total))
            if stated.total != total:
                words = f"expected one sum for the cage {label!r}, got {total} here and {stated.total} in line {stated.line}"
                raise ParseError(words, line=one.line)
    return found


def _cages_of_labels(block: SquareBlock, sums: Mapping[str, LocatedSum]) -> Iterator[CellSum]:
    """Yield the cage of each label."""
    lost = next((label for label in sums if label not in block.texts), None)
    if lost is not None:
        words = f"expected the sums of labels in the block of cages, got one for {lost!r}"
        raise ParseError(words, line=sums[lost].line)
    for label in dict.fromkeys(block.texts):
        patches = [patch for patch in block.patches if block.texts[patch[0]] == label]
        if label in sums and len(patches) > 1:
            raise ParseError(_two_patches(block, label, len(patches)))
        if label not in sums and label not in BLANKS:
            raise _no_sum(block, patches[0], f"a sum for each cage, such as {label}=15")
        if label in sums:
            yield CellSum(patches[0], sums[label].total)


def _cages_of_sums(block: SquareBlock, numbers: Mapping[int, int]) -> Iterator[CellSum]:
    """Yield each connected group of cells with the same label as a cage, with the one sum that stands in it."""
    for label in dict.fromkeys(block.texts):
        patches = [patch for patch in block.patches if block.texts[patch[0]] == label]
        totals = [[cell for cell in patch if cell in numbers] for patch in patches]
        if label in BLANKS and not any(totals):
            continue
        if len(patches) > 1 and sum(map(len, totals)) == 1:
            raise ParseError(_two_patches(block, label, len(patches)))
        for patch, cells in zip(patches, totals, strict=True):
            if len(cells) > 1:
                grid = Grid.square(block.side)
                where = ", ".join(f"{numbers[cell]} in {grid.cell_name(cell)}" for cell in cells[:_SHOWN])
                raise ParseError(f"expected one sum in each cage, got {where} in the cage {label!r}", line=block.rows[0].line)
            if not cells and label not in BLANKS:
                raise _no_sum(block, patch, "one sum in each cage")
            yield CellSum(patch, numbers[cells[0]] if cells else None)


def _no_sum(block: SquareBlock, patch: Sequence[int], expected: str) -> ParseError:
    """Return the error for a cage without a sum."""
    row, label = patch[0] // block.side, block.texts[patch[0]]
    where = f"(in row {row + 1} of the cages; a cell in no cage is a dot)"
    return ParseError(f"expected {expected}, got none for {label!r} {where}", line=block.rows[row].line)


def _two_patches(block: SquareBlock, label: str, number: int) -> str:
    grid = Grid.square(block.side)
    first = [grid.cell_name(patch[0]) for patch in block.patches if block.texts[patch[0]] == label]
    places = f"{number} places ({', '.join(first[:_SHOWN])})"
    return f"expected one sum for each cage, got one for the label {label!r} in {places}, which can be one cage or several"


def _ambiguous(block: SquareBlock) -> ParseError:
    """Return the error of a block that can be regions or cages and is neither."""
    side, grid = block.side, Grid.square(block.side)
    counts = {label: block.texts.count(label) for label in dict.fromkeys(block.texts)}
    if len(counts) != side:
        problem = f"has {len(counts)} labels"
    else:
        uneven = next((f"has {label!r} {number} times" for label, number in counts.items() if number != side), "")
        apart = next((label for label in counts if sum(block.texts[patch[0]] == label for patch in block.patches) > 1), "")
        problem = uneven or f"has {apart!r} in several places"
    twice = next(cell for patch in block.patches for cell in patch[:1] if len(patch) > 1)
    return ParseError(
        f"expected {side} connected regions of {side} cells, or cages with their sums (a block of sums, or lines such as a=15), "
        f"or a board of its own; got a block that {problem} and equal neighbours at {grid.cell_name(twice)}",
        line=block.rows[0].line,
    )


def sniff(head: str) -> bool:
    """Return whether regions or cages stand among the first boards."""
    lines = head.split("\n")
    groups = _split_groups(parse_block_items(lines, iter(lines)))
    return any(isinstance(group, _Group) and group.is_layered for group in groups)


FORMAT = Format(
    "blocks",
    "blocks of rows: the cells, and below them the region or the cage of each cell, sums in a block or as a=15",
    (),
    sniff,
    read,
    None,
)
