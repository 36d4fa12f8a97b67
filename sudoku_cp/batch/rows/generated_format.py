"""Generated puzzles as lines of text, rows of a table, objects of JSON or columns of Arrow."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from sudoku_cp.batch.rows import array_rows
from sudoku_cp.batch.rows.array_rows import Column, format_decimals, format_values, join_columns
from sudoku_cp.batch.rows.row_format import to_text
from sudoku_cp.formats.table_rows import format_row
from sudoku_cp.generate import GeneratedPuzzle
from sudoku_cp.generate.base import PuzzleArray
from sudoku_cp.logic.array_singles import groups_of, is_worthwhile, levels
from sudoku_cp.logic.difficulty_level import Level, level_of
from sudoku_cp.logic.rating.levels import LEVELS, Levels
from sudoku_cp.logic.rating.puzzle_levels import band_of
from sudoku_cp.logic.rating.ratings import rate
from sudoku_cp.logic.rating.ratings_json import ratings_to_json
from sudoku_cp.puzzle import Puzzle, puzzle_to_short_json, solution_to_short_json, to_json

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from sudoku_cp.generate import GenerateRequest
    from sudoku_cp.generate.chunks import ProvedPuzzles


# The difficulty of generated puzzles in words.


def difficulty_words(part: ProvedPuzzles, request: GenerateRequest) -> list[str]:
    """Return the name of the level of each puzzle, "" where it is not known or the puzzle has none.

    To find out what singles solve takes 2 microseconds on a plain board, a twentieth of the time it takes to make one. Others are
    rated, which takes longer than all the rest: so where only a sample is proved, no more than this sample is rated.
    """
    if request.difficulty is not None and not _is_unfinished(part):
        return [request.difficulty] * len(part)
    if request.mix is not None and not _is_unfinished(part):
        return [request.mix.word(number) for number in part.numbers.tolist()]
    words = singles_words(part.part) if request.levels == LEVELS else [""] * len(part)
    puzzles = (made.puzzle for made, _ in part.each())
    rows = zip(words, puzzles, part.by, strict=True)
    return [word or (_word(puzzle, request.levels) if by else "") for word, puzzle, by in rows]


def _is_unfinished(part: ProvedPuzzles) -> bool:
    return isinstance(part.part, GeneratedPuzzle) and part.part.reason is not None


def singles_words(part: PuzzleArray | GeneratedPuzzle) -> list[str]:
    """Return easy or medium for each puzzle that singles solve, "" for others."""
    if isinstance(part, GeneratedPuzzle):
        return [_WORDS.get(level_of(part.puzzle), "")]
    groups = groups_of(part.base)
    if is_worthwhile(groups, len(part.numbers)):
        return [_WORDS.get(level, "") for level in levels(groups, part.givens).tolist()]
    return [_WORDS.get(level_of(made.puzzle), "") for made in part.each()]


def _word(puzzle: Puzzle, levels_asked: Levels) -> str:
    band = band_of(puzzle, levels_asked)
    return "" if band is None else band.name


_WORDS = {int(level): str(level) for level in Level if level is not Level.HARD}


COLUMNS = ("puzzle", "solution", "number", "givens", "difficulty", "tries", "proved_by", "reason")
"""The columns of a table of puzzles."""
_DIGITS = 9


class GeneratedRow(NamedTuple):
    """What a table says about a puzzle."""

    puzzle: str
    solution: str | None
    number: int
    givens: int
    difficulty: str | None
    tries: int
    proved_by: str | None
    reason: str | None


@dataclass(frozen=True)
class GeneratedFormat:
    """How puzzles are written: as ``text``, ``csv``, ``jsonl``, ``parquet``, or ``json`` (our documents, a line each).

    ``seed`` and ``request`` are those of the run.
    """

    kind: str
    seed: int
    request: GenerateRequest

    def header(self) -> bytes:
        """Return what comes before the first puzzle."""
        return f"{','.join(COLUMNS)}\n".encode() if self.kind == "csv" else b""

    def format(self, part: ProvedPuzzles, index: int) -> bytes | bytearray:
        """Return the bytes for puzzles, the first of which has this index."""
        if self.kind == "parquet":
            rows = (make_generated_row(made, by, word) for made, by, word in with_difficulty(part, self.request))
            return array_rows.generated_to_arrow(rows)
        if _is_digit_array(part) and self.kind in _ARRAY_KINDS and not (self.kind == "jsonl" and self.request.rating):
            return join_columns(len(part), self._array_columns(part, index))
        return "".join(self._format_lines(part, index)).encode()

    def _format_lines(self, part: ProvedPuzzles, index: int) -> Iterator[str]:
        if self.kind in {"json", "text"}:
            for made, _ in part.each():
                yield to_text(to_json(made.puzzle) if self.kind == "json" else puzzle_to_short_json(made.puzzle)) + "\n"
            return
        for place, (made, by, word) in enumerate(with_difficulty(part, self.request), index):
            if self.kind == "jsonl":
                yield to_text(generated_to_json(place, made, by, word, self.seed, self.request)) + "\n"
            else:
                yield format_row(make_generated_row(made, by, word))

    def _array_columns(self, part: ProvedPuzzles, index: int) -> list[Column]:
        """Return the lines of an array, column by column."""
        sheet = part.part
        assert isinstance(sheet, PuzzleArray)  # noqa: S101  # it is an array
        puzzle = format_values(sheet.base.grid, sheet.givens, ".")
        if self.kind == "text":
            return [puzzle, b"\n"]
        solution = format_values(sheet.base.grid, sheet.solutions, ".")
        numbers, tries = format_decimals(sheet.numbers), format_decimals(sheet.tries)
        givens = format_decimals((sheet.givens > 0).sum(axis=1))
        words = difficulty_words(part, self.request)
        if self.kind == "csv":
            fields = [puzzle, solution, numbers, givens, _text_column(words), tries, _text_column(part.by)]
            return [*chain.from_iterable((field, b",") for field in fields), b"\n"]
        known = "".join(f', "{name}": {json.dumps(value)}' for name, value in _known_fields(self.request).items())
        rated = _text_column([f', "difficulty": {json.dumps(word)}' if word else "" for word in words])
        return [
            *(b'{"index": ', format_decimals(np.arange(index, index + len(part))), b', "puzzle": "', puzzle),
            *(b'", "solution": "', solution, f'", "seed": {self.seed}, "number": '.encode(), numbers),
            *(b', "givens": ', givens, known.encode(), rated, b', "tries": ', tries),
            *(_text_column([f', "proved_by": "{name}"' if name else "" for name in part.by]), b"}\n"),
        ]


_ARRAY_KINDS = frozenset({"text", "csv", "jsonl"})


def _is_digit_array(part: ProvedPuzzles) -> bool:
    """Return whether a line of digits says all about each puzzle of a part."""
    sheet = part.part
    return isinstance(sheet, PuzzleArray) and sheet.base.is_plain and len(sheet.base.grid.values) <= _DIGITS


def with_difficulty(part: ProvedPuzzles, request: GenerateRequest) -> Iterator[tuple[GeneratedPuzzle, str, str]]:
    """Yield each puzzle, the engine that proved it, and its difficulty."""
    return ((made, by, word) for (made, by), word in zip(part.each(), difficulty_words(part, request), strict=True))


def _text_column(names: Iterable[str]) -> Column:
    texts = [name.encode() for name in names]
    return texts[0] if len(set(texts)) == 1 else np.array(texts).view(np.uint8).reshape(len(texts), -1)


def _known_fields(request: GenerateRequest) -> dict[str, str]:
    """Return the fields that are the same for every puzzle."""
    return {} if request.symmetry == "none" else {"symmetry": request.symmetry}


def generated_to_json(
    index: int, made: GeneratedPuzzle, by: str, word: str, seed: int, request: GenerateRequest
) -> dict[str, Any]:
    """Return the object of JSON for a puzzle."""
    puzzle = made.puzzle
    fields: dict[str, Any] = {"index": index, "puzzle": puzzle_to_short_json(_without_solution(puzzle))}
    if puzzle.solution is not None:
        fields["solution"] = solution_to_short_json(puzzle, puzzle.solution)
    fields |= {"seed": seed, "number": made.number, "givens": len(puzzle.givens)} | _known_fields(request)
    fields |= ({"difficulty": word} if word else {}) | _rating_fields(made, request)
    fields["tries"] = made.tries
    rest = {"proved_by": by, "reason": made.reason, "missed": made.missed}
    return fields | {name: value for name, value in rest.items() if value}


def _rating_fields(made: GeneratedPuzzle, request: GenerateRequest) -> dict[str, Any]:
    """Return the rating on the scale that was asked for, as `rate` has it; none if a limit came before it."""
    if request.rating is None or made.reason:
        return {}
    found = ratings_to_json(rate(made.puzzle, request.rating.scale))
    return {name: value for name, value in found.items() if name != "status"}


def make_generated_row(made: GeneratedPuzzle, by: str, word: str) -> GeneratedRow:
    """Return the row of a puzzle."""
    puzzle = made.puzzle
    solution = None if puzzle.solution is None else to_text(solution_to_short_json(puzzle, puzzle.solution))
    text = to_text(puzzle_to_short_json(_without_solution(puzzle)))
    return GeneratedRow(text, solution, made.number, len(puzzle.givens), word or None, made.tries, by or None, made.reason)


def _without_solution(puzzle: Puzzle) -> Puzzle:
    """Return a puzzle without its solution, which has a column of its own."""
    return puzzle if puzzle.solution is None else replace(puzzle, solution=None)
