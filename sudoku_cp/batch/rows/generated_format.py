"""New puzzles as lines of text, rows of a table, objects of JSON or columns of Arrow."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import dataclass, replace
from importlib import import_module
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from sudoku_cp.batch.rows.array_rows import assembled, decimals, signs
from sudoku_cp.generate.base import Sheet
from sudoku_cp.generate.difficulty import difficulty_words
from sudoku_cp.puzzle import puzzle_told, solution_told, to_json

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from sudoku_cp.batch.rows.array_rows import Column
    from sudoku_cp.generate import Made, Wishes
    from sudoku_cp.generate.portions import Proved
    from sudoku_cp.puzzle import Puzzle

COLUMNS = ("puzzle", "solution", "number", "givens", "difficulty", "tries", "proved_by", "reason")
"""What a table says of a puzzle."""
_DIGITS = 9


class Row(NamedTuple):
    """What a table says of a puzzle."""

    puzzle: str
    solution: str | None
    number: int
    givens: int
    difficulty: str | None
    tries: int
    proved_by: str | None
    reason: str | None


@dataclass(frozen=True)
class Telling:
    """How puzzles are told: as ``text``, ``csv``, ``jsonl``, ``parquet``, or ``json`` (our documents, a line each).

    ``seed`` and ``wishes`` are those of the run: what was asked for, its puzzles are.
    """

    kind: str
    seed: int
    wishes: Wishes

    def head(self) -> bytes:
        """Return what stands before the first puzzle."""
        return f"{','.join(COLUMNS)}\n".encode() if self.kind == "csv" else b""

    def body(self, part: Proved, index: int) -> bytes | bytearray:
        """Return the bytes for puzzles of which the first has this index."""
        if self.kind == "parquet":
            rows = (row_of(made, by, word) for made, by, word in _rated(part))
            found: bytes = import_module("sudoku_cp.batch.rows.arrow_rows").of_made(rows)
            return found
        if _is_array(part) and self.kind in _ARRAYS:
            return assembled(len(part), self._columns(part, index))
        return "".join(self._lines(part, index)).encode()

    def _lines(self, part: Proved, index: int) -> Iterator[str]:
        if self.kind in {"json", "text"}:
            for made, _ in part.each():
                told = to_json(made.puzzle) if self.kind == "json" else puzzle_told(made.puzzle)
                yield _flat(told) + "\n"
            return
        for place, (made, by, word) in enumerate(_rated(part), index):
            if self.kind == "jsonl":
                yield _flat(object_of(place, made, by, word, self.seed, self.wishes)) + "\n"
            else:
                yield _csv_line(row_of(made, by, word))

    def _columns(self, part: Proved, index: int) -> list[Column]:
        """Return the lines of an array, column by column."""
        sheet = part.part
        assert isinstance(sheet, Sheet)  # noqa: S101  # it is an array
        puzzle = signs(sheet.base.grid, sheet.givens, ".")
        if self.kind == "text":
            return [puzzle, b"\n"]
        solution = signs(sheet.base.grid, sheet.solutions, ".")
        numbers, tries = decimals(sheet.numbers), decimals(sheet.tries)
        givens = decimals((sheet.givens > 0).sum(axis=1))
        words = difficulty_words(sheet) or [""] * len(part)
        if self.kind == "csv":
            fields = [puzzle, solution, numbers, givens, _names(words), tries, _names(part.by)]
            return [*chain.from_iterable((field, b",") for field in fields), b"\n"]
        asked = "".join(f', "{name}": {json.dumps(value)}' for name, value in _asked(self.wishes).items())
        rated = _names([f', "difficulty": "{word}"' if word else "" for word in words])
        return [
            *(b'{"index": ', decimals(np.arange(index, index + len(part))), b', "puzzle": "', puzzle),
            *(b'", "solution": "', solution, f'", "seed": {self.seed}, "number": '.encode(), numbers),
            *(b', "givens": ', givens, asked.encode(), rated, b', "tries": ', tries),
            *(_names([f', "proved_by": "{name}"' if name else "" for name in part.by]), b"}\n"),
        ]


_ARRAYS = frozenset({"text", "csv", "jsonl"})


def _is_array(part: Proved) -> bool:
    """Say whether lines of digits tell all puzzles of a part."""
    sheet = part.part
    return isinstance(sheet, Sheet) and sheet.base.is_plain and len(sheet.base.grid.values) <= _DIGITS


def _rated(part: Proved) -> Iterator[tuple[Made, str, str | None]]:
    """Yield each puzzle, who proved it, and the word for its difficulty."""
    words: Sequence[str | None] = difficulty_words(part.part) or [None] * len(part)
    return ((made, by, word) for (made, by), word in zip(part.each(), words, strict=True))


def _names(names: Iterable[str]) -> Column:
    told = [name.encode() for name in names]
    return told[0] if len(set(told)) == 1 else np.array(told).view(np.uint8).reshape(len(told), -1)


def _asked(wishes: Wishes) -> dict[str, str]:
    """Return what was asked for and so is known of every puzzle."""
    return {} if wishes.symmetry == "none" else {"symmetry": wishes.symmetry}


def object_of(index: int, made: Made, by: str, word: str | None, seed: int, wishes: Wishes) -> dict[str, Any]:
    """Return the object of JSON for a puzzle."""
    puzzle = made.puzzle
    told: dict[str, Any] = {"index": index, "puzzle": puzzle_told(_bare(puzzle))}
    if puzzle.solution is not None:
        told["solution"] = solution_told(puzzle, puzzle.solution)
    told |= {"seed": seed, "number": made.number, "givens": len(puzzle.givens)} | _asked(wishes)
    told |= {"difficulty": word} if word else {}
    told["tries"] = made.tries
    rest = {"proved_by": by, "reason": made.reason, "missed": made.missed}
    return told | {name: value for name, value in rest.items() if value}


def row_of(made: Made, by: str, word: str | None) -> Row:
    """Return what a table says of a puzzle."""
    puzzle = made.puzzle
    solution = None if puzzle.solution is None else _flat(solution_told(puzzle, puzzle.solution))
    told = _flat(puzzle_told(_bare(puzzle)))
    return Row(told, solution, made.number, len(puzzle.givens), word, made.tries, by or None, made.reason)


def _bare(puzzle: Puzzle) -> Puzzle:
    """Return a puzzle without its solution, which is told beside it."""
    return puzzle if puzzle.solution is None else replace(puzzle, solution=None)


def _flat(told: str | dict[str, Any]) -> str:
    return told if isinstance(told, str) else json.dumps(told, ensure_ascii=False)


def _csv_line(row: Row) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerow(["" if value is None else value for value in row])
    return text.getvalue()
