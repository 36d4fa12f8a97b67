"""Findings in words: each function makes the findings of one kind about one puzzle."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

from sudoku_cp.audit.findings import Finding
from sudoku_cp.errors import ParseError
from sudoku_cp.logic.difficulty_level import Level
from sudoku_cp.model import AllDifferent, DigitSet, Values, cells_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from sudoku_cp.audit.seen_puzzles import GridRelation
    from sudoku_cp.grid import Cell
    from sudoku_cp.puzzle import Puzzle
    from sudoku_cp.queries import Answer

SHOWN = 12
"""Cells named in words, at most; the details have them all."""


def error_finding(error: ParseError) -> Finding:
    """Return the finding of a record that cannot be read; an error that names no line is about the source as a whole."""
    details = str(ParseError(error.problems, column=error.column))
    text = details.encode("utf-8", "backslashreplace").decode()  # undecodable bytes stay visible
    return Finding("malformed" if error.line else "unreadable", text, {"column": error.column} if error.column else {})


def warning_findings(warnings: Iterable[str]) -> Iterator[Finding]:
    """Yield a finding for each warning of the reader."""
    for warning in warnings:
        yield Finding("warning", warning)


def answer_findings(puzzle: Puzzle, answer: Answer) -> Iterator[Finding]:
    """Yield a finding if there is not exactly one solution."""
    if answer.status == "none":
        clash = _find_clash(puzzle)
        details = {"clash": _cell_names(puzzle, clash[0]), "part": clash[1]} if clash else {}
        yield Finding("contradictory", f"no solution{_describe_clash(puzzle, *clash) if clash else ''}", details)
    elif answer.status == "multiple":
        number = f"{answer.count:,} solutions" if answer.exact else f"{answer.count:,} solutions or more"
        stated = ", the stated one among them" if answer.stated == "right" else ""
        yield Finding("not-unique", number + stated, {"solutions": answer.count, "exact": answer.exact})


def stated_finding(puzzle: Puzzle, solution: Values | None) -> Finding | None:
    """Return what is wrong with the solution that the source states, if anything; ``solution`` is the only one, if known."""
    stated = puzzle.solution
    if stated is None or stated == solution or puzzle.holds(stated):
        return None
    details = {}
    others = [cell for cell, value in puzzle.givens.items() if stated[cell] != value]
    if others:
        cell = others[0]
        sign, given = (puzzle.symbols.sign(value) for value in (stated[cell], puzzle.givens[cell]))
        text = f"the stated solution has {sign} in {puzzle.grid.cell_name(cell)}, where {given} is given"
        details["givens"] = _cell_names(puzzle, others)
    elif part := _broken(puzzle, stated):
        text = f"the stated solution breaks {part}"
        details["part"] = [part]
    else:
        text = "the stated solution is not a solution"
    if solution:
        wrong = [cell for cell in puzzle.grid.cells if stated[cell] != solution[cell]]
        details["wrong"] = _cell_names(puzzle, wrong)
        text += f"; it is wrong in {_format_names(details['wrong'])}"
    return Finding("wrong-solution", text, details)


_LEVELS = {
    Level.EASY: "hidden singles alone solve it",
    Level.MEDIUM: "naked singles are needed too, and no more",
    Level.HARD: "singles alone do not solve it",
}


def label_finding(stated: Level, level: Level) -> Finding | None:
    """Return the finding that a puzzle of a level is labelled otherwise, None if it is not."""
    if stated == level:
        return None
    return Finding(
        "wrong-label", f"labelled {stated}, but {level}: {_LEVELS[level]}", {"stated": str(stated), "difficulty": str(level)}
    )


def unnecessary_findings(puzzle: Puzzle, unnecessary: Sequence[Cell]) -> Iterator[Finding]:
    """Yield a finding if there are givens that could each be left out."""
    if unnecessary:
        names = _cell_names(puzzle, unnecessary)
        text = f"{len(names)} of {len(puzzle.givens)} givens could be left out, each by itself: {_format_names(names)}"
        yield Finding("not-minimal", text, {"unnecessary": names})


def repetition_finding(first: int, *, exactly: bool) -> Finding:
    """Return the finding of a puzzle that repeats puzzle ``first``."""
    if exactly:
        return Finding("duplicate", f"the same as puzzle {first}", {"first": first})
    return Finding("isomorphic", f"puzzle {first} in another guise", {"first": first})


def relation_finding(relation: GridRelation) -> Finding:
    """Return the finding that a puzzle has the solution of an earlier one, or that one contains the other."""
    first = relation.first
    if relation.kind == "same":
        return Finding("same-solution", f"the solution of puzzle {first}", {"first": first})
    text = f"all givens of puzzle {first} and more" if relation.kind == "more" else f"some of the givens of puzzle {first}"
    return Finding("contains", text, {"first": first, "givens": relation.kind})


# --- parts of them ----------------------------------------------------------------------------------------------


def _find_clash(puzzle: Puzzle) -> tuple[list[Cell], str] | None:
    """Return a given that is not a candidate of its cell, or two equal ones that must differ, and the part of the rule broken."""
    for cell, domain in puzzle.assume().items():
        if not domain:
            return [cell], "candidates"
    for statement in puzzle.model().statements:
        if isinstance(statement.constraint, AllDifferent | DigitSet):
            given = [cell for cell in statement.constraint.cells if cell in puzzle.givens]
            for pair in combinations(given, 2):
                if puzzle.givens[pair[0]] == puzzle.givens[pair[1]]:
                    return [*pair], str(statement)
    return None


def _describe_clash(puzzle: Puzzle, cells: Sequence[Cell], part: str) -> str:
    sign = puzzle.symbols.sign(puzzle.givens[cells[0]])
    if len(cells) == 1:
        return f": {sign} is given in {puzzle.grid.cell_name(cells[0])} but is not one of its candidates"
    return f": {sign} is given in {' and '.join(_cell_names(puzzle, cells))}, {part}"


def _broken(puzzle: Puzzle, values: Values) -> str | None:
    """Return the first part of a rule that a filled grid visibly breaks, by the cells of the board alone."""
    for statement in puzzle.model().statements:
        on_board = all(cell < len(values) for cell in cells_of(statement.constraint))
        if on_board and not statement.constraint.holds(values):
            return str(statement)
    return next((rule.kind for rule in puzzle.rules if not rule.holds(puzzle.grid, values)), None)


def _cell_names(puzzle: Puzzle, cells: Iterable[Cell]) -> list[str]:
    return [puzzle.grid.cell_name(cell) for cell in cells]


def _format_names(names: Sequence[str]) -> str:
    more = len(names) - SHOWN
    return " ".join(names[:SHOWN]) + (f" and {more} more" if more > 0 else "")
