"""Parts of answers that several questions share: clashes, rules of a puzzle, steps, and names of cells and values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from sudoku_cp.questions.answer import ABSENT, QuestionAnswer, Status, answer_field, with_values
from sudoku_cp.rules.descriptions import describe_part

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from sudoku_cp.grid import Cell
    from sudoku_cp.logic.hints import PositionCheck
    from sudoku_cp.logic.layout import Layout
    from sudoku_cp.logic.step import Step
    from sudoku_cp.puzzle import Position, Puzzle
    from sudoku_cp.queries import Conflict


def cell_names(puzzle: Puzzle, cells: Iterable[Cell]) -> list[str]:
    """Return the names of cells."""
    return [puzzle.grid.cell_name(cell) for cell in cells]


def format_values(puzzle: Puzzle, values: Mapping[Cell, int], cells: Iterable[Cell] | None = None) -> list[str]:
    """Return ``r1c1=5`` for each cell, or for some ``cells``."""
    chosen = values if cells is None else cells
    return [f"{puzzle.grid.cell_name(cell)}={puzzle.symbols.sign(values[cell])}" for cell in chosen]


@dataclass(frozen=True, eq=False, kw_only=True)
class RuleJson:
    """A rule of the puzzle."""

    kind: str = answer_field()
    part: str = answer_field()
    index: int = answer_field(ge=0)

    @classmethod
    def of(cls, puzzle: Puzzle, index: int) -> RuleJson:
        """Return a rule of the puzzle; ``index`` counts its ``rules`` from 0."""
        rule = puzzle.rules[index]
        return cls(kind=rule.kind, part=describe_part(rule, puzzle.grid), index=index)


@dataclass(frozen=True, eq=False, kw_only=True)
class ConflictJson:
    """Givens and rules that cannot all hold."""

    givens: list[str] = answer_field(examples=[["r1c1=5", "r1c2=5"]])
    rules: list[str] = answer_field()
    candidates: list[str] = answer_field("", ABSENT)
    minimal: bool = answer_field("None of them can be left out.")
    smallest: bool = answer_field("No fewer clash.")

    @classmethod
    def of(cls, puzzle: Puzzle, conflict: Conflict) -> ConflictJson:
        """Return a clash of the puzzle's givens."""
        return cls(
            givens=format_values(puzzle, puzzle.givens, conflict.givens),
            rules=list(conflict.rules),
            **with_values(candidates=cell_names(puzzle, conflict.candidates)),
            minimal=conflict.minimal,
            smallest=conflict.smallest,
        )


@dataclass(frozen=True, eq=False, kw_only=True)
class NodeJson:
    """The claim that one of some cells holds a value."""

    cells: list[str] = answer_field()
    value: int = answer_field()


@dataclass(frozen=True, eq=False, kw_only=True)
class LinkJson:
    """A link of a chain: at least one of its ends is true (strong), or at most one (weak)."""

    start: NodeJson = answer_field()
    end: NodeJson = answer_field()
    kind: Literal["strong", "weak"] = answer_field()
    clue: str = answer_field("The clue by which it holds, if it takes one.", ABSENT)

    @classmethod
    def of(cls, link: dict[str, Any]) -> LinkJson:
        """Return a link as the library writes it."""
        return cls(**link | {"start": NodeJson(**link["start"]), "end": NodeJson(**link["end"])})


@dataclass(frozen=True, eq=False, kw_only=True)
class CaseJson:
    """A value that is supposed, and what follows, line by line, until something cannot be."""

    cell: str = answer_field()
    value: int = answer_field()
    lines: list[str] = answer_field()


@dataclass(frozen=True, eq=False, kw_only=True)
class SuppositionJson(CaseJson):
    """A value that is supposed, and what follows until something cannot be, or until each of a few cases fails."""

    depth: int = answer_field("How many values are supposed one upon the other.", ge=1)
    cases: list[CaseJson] = answer_field("All values left of a cell, or all places left of a value.", ABSENT)

    @classmethod
    def of(cls, supposition: dict[str, Any]) -> SuppositionJson:
        """Return a supposition as the library writes it."""
        return cls(**supposition | with_values(cases=[CaseJson(**case) for case in supposition.get("cases", ())]))


@dataclass(frozen=True, eq=False, kw_only=True)
class StepJson:
    """A step that a person could take, with what proves it."""

    technique: str = answer_field()
    code: str = answer_field()
    eliminations: list[tuple[str, int]] = answer_field()
    placements: list[tuple[str, int]] = answer_field()
    values: list[int] = answer_field()
    cells: list[str] = answer_field()
    needs_uniqueness: bool = answer_field()
    proof: list[str] = answer_field()
    text: str = answer_field()
    blockers: list[tuple[str, int]] = answer_field(
        "Of a single, placed values that rule out the other places, or the other values.", ABSENT
    )
    links: list[LinkJson] = answer_field("The links of chains, in order.", ABSENT)
    supposition: SuppositionJson = answer_field("How a refutation is read.", ABSENT)

    @classmethod
    def of(cls, layout: Layout, puzzle: Puzzle, step: Step) -> StepJson:
        """Return a step; ``layout`` is that of the puzzle."""
        from sudoku_cp.logic.step_json import step_to_json  # noqa: PLC0415  # techniques, for answers alone

        fields = step_to_json(layout, puzzle.symbols, step)
        if links := fields.get("links"):
            fields["links"] = [LinkJson.of(link) for link in links]
        if supposition := fields.get("supposition"):
            fields["supposition"] = SuppositionJson.of(supposition)
        return cls(**fields)


@dataclass(frozen=True, eq=False, kw_only=True)
class PositionAnswer(QuestionAnswer):
    """What is known of a position."""

    solutions: Status = answer_field("How many solutions the puzzle has.")
    wrong_values: list[tuple[str, int]] = answer_field("", ABSENT)
    wrong_eliminations: list[tuple[str, int]] = answer_field("", ABSENT)
    clash: ConflictJson = answer_field("", ABSENT)


def position_fields(start: Position, check: PositionCheck, clash: Conflict | None) -> dict[str, Any]:
    """Return the fields of a `PositionAnswer`: what is wrong with the position that a person begins with."""
    from sudoku_cp.logic.hints import clashing_puzzle  # noqa: PLC0415  # techniques, for answers alone

    name = start.puzzle.grid.cell_name
    wrong = {"wrong_values": check.wrong_values, "wrong_eliminations": check.wrong_marks}
    fields = with_values(**{field: [(name(cell), value) for cell, value in found] for field, found in wrong.items()})
    if clash:
        fields["clash"] = ConflictJson.of(clashing_puzzle(start, check), clash)
    return {"solutions": check.status, **fields}
