"""The verb ``check``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from sudoku_cp import queries
from sudoku_cp.backends import Limits
from sudoku_cp.cli import output
from sudoku_cp.cli.answering import Told, answered, code_of
from sudoku_cp.cli.inputs import Wish, entries, refuse_to_overwrite
from sudoku_cp.output_files import all_numbered, numbered, write_text
from sudoku_cp.render import draw

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    import typer

    from sudoku_cp.cli.options import (
        Alphabet,
        Ascii,
        Backend,
        Boxes,
        From,
        Json,
        Nodes,
        Puzzles,
        Quiet,
        Rules,
        Size,
        Strict,
        Timeout,
    )
    from sudoku_cp.grid import Cell
    from sudoku_cp.puzzle import Puzzle
    from sudoku_cp.queries import Check, Conflict


def check(
    puzzles: Puzzles,
    *,
    svg: Annotated[
        str | None,
        typer.Option("--svg", metavar="FILE", help="Write a picture to FILE, with the cells that clash or are open pointed at."),
    ] = None,
    backend: Backend = "auto",
    timeout: Timeout = None,
    nodes: Nodes = None,
    from_: From = None,
    size: Size = None,
    boxes: Boxes = None,
    alphabet: Alphabet = None,
    rules: Rules = None,
    strict: Strict = False,
    as_json: Json = False,
    ascii_only: Ascii = False,
    quiet: Quiet = False,
) -> int:
    """Say whether a puzzle is well-formed, consistent, unique and minimal, and if not, why.

    No solution: the fewest givens and rules that clash. Several: where two differ, what is the same in all, and the fewest
    further givens that would leave one. One: what could be left out. Without --timeout these questions end after 10 seconds.
    """
    limits = Limits(timeout, nodes)
    if svg is not None:
        refuse_to_overwrite(all_numbered(Path(svg)), puzzles)
    look = output.look_of(ascii_only=ascii_only)

    def answer(index: int, puzzle: Puzzle, told: Told, *, alone: bool) -> int:
        checked = queries.check(puzzle, backend=backend, limits=limits)
        if svg is not None:
            _picture(puzzle, checked, svg, index)
        if as_json:
            output.say_json(output.answer_told(index, puzzle, checked.answer) | _told(puzzle, checked) | told)
        elif alone:
            if pointed := _pointed(checked):
                output.say(draw(puzzle, look, pointed=pointed))
            output.say("\n".join([f"well-formed; {output.sentence(checked.answer)}", *_said(puzzle, checked)]))
        else:
            output.say("\t".join([str(index), f"well-formed; {output.sentence(checked.answer)}", *_said(puzzle, checked)]))
        return code_of(checked.answer)

    records = entries(puzzles, Wish(from_, size, boxes, alphabet, rules, strict))
    return answered(records, answer, as_json=as_json, quiet=quiet)


def _picture(puzzle: Puzzle, checked: Check, name: str, index: int) -> None:
    """Write the picture; that of the second and later puzzles has its number in the name."""
    from sudoku_cp.render import svg  # noqa: PLC0415  # only pictures need it

    write_text(numbered(Path(name), index), svg(puzzle, pointed=_pointed(checked)) + "\n")


def _pointed(checked: Check) -> tuple[Cell, ...]:
    return checked.conflict.cells if checked.conflict else checked.differ


def _values(puzzle: Puzzle, values: Mapping[Cell, int], cells: Iterable[Cell] | None = None) -> list[str]:
    """Return ``r1c1=5`` for each cell."""
    chosen = values if cells is None else cells
    return [f"{puzzle.grid.cell_name(cell)}={puzzle.symbols.sign(values[cell])}" for cell in chosen]


# --- for programs -----------------------------------------------------------------------------------------------


def _told(puzzle: Puzzle, checked: Check) -> dict[str, Any]:
    """Return the fields of a check beside its answer's; what has nothing to say is left out."""
    told: dict[str, Any] = {}
    if checked.conflict:
        told["conflict"] = _conflict_told(puzzle, checked.conflict)
    if checked.answer.status == "multiple":
        told["differ"] = output.cells_told(puzzle, checked.differ)
        told["frozen"] = _values(puzzle, checked.frozen)
        told["additions"] = None if checked.additions is None else _values(puzzle, checked.additions)
        told["fewest"] = checked.fewest
    if checked.answer.status == "unique":
        told["minimal"] = checked.minimal
        told["unnecessary"] = _values(puzzle, puzzle.givens, checked.unnecessary)
        told["unnecessary_rules"] = [queries.rule_name(puzzle, index) for index in checked.unnecessary_rules]
        told["unnecessary_candidates"] = output.cells_told(puzzle, checked.unnecessary_candidates)
    if checked.undecided:
        told["undecided"] = list(checked.undecided)
        told["reason"] = checked.answer.reason or checked.reason
    return told


def _conflict_told(puzzle: Puzzle, conflict: Conflict) -> dict[str, Any]:
    told: dict[str, Any] = {"givens": _values(puzzle, puzzle.givens, conflict.givens), "rules": list(conflict.rules)}
    if conflict.candidates:
        told["candidates"] = output.cells_told(puzzle, conflict.candidates)
    return told | {"minimal": conflict.minimal, "smallest": conflict.smallest}


# --- for people -------------------------------------------------------------------------------------------------


def _said(puzzle: Puzzle, checked: Check) -> Iterator[str]:
    """Yield what a check found, a sentence a line."""
    if checked.conflict:
        yield _clash_said(puzzle, checked.conflict)
    if checked.answer.status == "multiple":
        yield from _ambiguity_said(puzzle, checked)
    if checked.answer.status == "unique":
        yield from _necessity_said(puzzle, checked)
    if checked.undecided:
        yield f"undecided, as the limit ({checked.reason}) came first: {', '.join(checked.undecided)}"


def _clash_said(puzzle: Puzzle, conflict: Conflict) -> str:
    """Return ``clash: r1c1=1 and r1c2=1 cannot both stand in row 1``, and whether less would do."""
    givens = _values(puzzle, puzzle.givens, conflict.givens)
    givens += [f"the candidates of {name}" for name in output.cells_told(puzzle, conflict.candidates)]
    rules = [rule.removesuffix(" (houses)") for rule in conflict.rules]
    if givens:
        in_house = len(rules) == 1 and rules[0] != conflict.rules[0]
        within = f" {'in' if in_house else 'with'} {_listed(rules)}" if rules else ""
        words = f"{_listed(givens)} cannot{_TOGETHER.get(len(givens), ' all')} stand{within}"
    else:
        words = f"the rules by themselves: {_listed(rules)}"
    least = "; no fewer clash" if conflict.smallest else "; none of these can be left out" if conflict.minimal else ""
    return f"clash: {words}{least}"


_TOGETHER = {1: "", 2: " both"}


SHOWN = 12
"""So many names people are told; programs are told all."""


def _listed(names: Sequence[str]) -> str:
    """Return ``a, b and c``."""
    if len(names) > SHOWN:
        names = [*names[: SHOWN - 1], f"{len(names) - SHOWN + 1} more"]
    return " and ".join(part for part in (", ".join(names[:-1]), names[-1]) if part)


def _ambiguity_said(puzzle: Puzzle, checked: Check) -> Iterator[str]:
    yield f"two solutions differ in {len(checked.differ)} cells: {' '.join(output.cells_told(puzzle, checked.differ))}"
    if "frozen" not in checked.undecided:
        yield f"the same in every solution, beside the givens: {' '.join(_values(puzzle, checked.frozen)) or 'nothing'}"
    if checked.additions is not None:
        number = len(checked.additions)
        words = "further given" if number == 1 else "further givens"
        least = ", and no fewer," if checked.fewest else " (fewer may do)"
        yield f"{number} {words}{least} would leave one solution: {' '.join(_values(puzzle, checked.additions))}"


def _necessity_said(puzzle: Puzzle, checked: Check) -> Iterator[str]:
    if checked.minimal:
        yield "minimal: every given is needed"
    if checked.unnecessary:
        names = " ".join(_values(puzzle, puzzle.givens, checked.unnecessary))
        yield f"not minimal: each of these givens can be left out alone: {names}"
    spare = [queries.rule_name(puzzle, index) for index in checked.unnecessary_rules]
    spare += [f"the candidates of {name}" for name in output.cells_told(puzzle, checked.unnecessary_candidates)]
    if spare:
        yield f"each of these can be left out alone: {', '.join(spare)}"
