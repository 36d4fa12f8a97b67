"""The verb ``check``: sentences, a table of what is needed, and pictures."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from sudoku_cp.cli import output
from sudoku_cp.cli.answer_loop import JsonFields, answer_records, input_records, refuse_to_overwrite
from sudoku_cp.cli.typed_options import option_problems, refuse_typed
from sudoku_cp.errors import InvalidInput
from sudoku_cp.grid import Cell
from sudoku_cp.model import members
from sudoku_cp.output_files import existing_numbered_paths
from sudoku_cp.puzzle import Puzzle
from sudoku_cp.puzzle.rules_in_words import ruleset_text
from sudoku_cp.queries.puzzle_check import clash_words
from sudoku_cp.questions.answer import answer_sentence
from sudoku_cp.questions.answer_parts import format_values
from sudoku_cp.questions.check import CheckQuestion, differing_values
from sudoku_cp.questions.question import Run
from sudoku_cp.render import draw
from sudoku_cp.render.png_picture import picture_name_problems, write_picture
from sudoku_cp.rules.descriptions import describe_rule
from sudoku_cp.rules.houses import Houses

if TYPE_CHECKING:
    import typer

    from sudoku_cp.cli.options import Ascii, Json, Puzzles, Quiet, Words
    from sudoku_cp.queries import Check


def check(
    puzzles: Puzzles,
    *,
    svg: Annotated[
        str | None,
        typer.Option("--svg", metavar="FILE", help="Write a picture to FILE, with the cells highlighted that clash or differ."),
    ] = None,
    words: Words = False,
    question: CheckQuestion = CheckQuestion(),
    as_json: Json = False,
    ascii_only: Ascii = False,
    quiet: Quiet = False,
) -> int:
    """Check puzzles, and show why they are not as they should be."""
    if wrong := picture_name_problems(svg):
        raise InvalidInput(wrong)
    if words and svg is None:
        raise InvalidInput("--words needs --svg FILE")
    refuse_typed(option_problems(question))
    if svg is not None:
        refuse_to_overwrite(existing_numbered_paths(Path(svg)), puzzles)
    look = output.look_of(ascii_only=ascii_only)

    def answer(index: int, puzzle: Puzzle, extra_fields: JsonFields, *, alone: bool) -> int:
        found = question.answer(puzzle, Run(question.limits()))
        checked = found.checked
        if svg is not None:
            below = ruleset_text(puzzle) if words else None
            write_picture(puzzle, Path(svg), index, pointed=checked.cells_to_show, words=below)
        if as_json:
            output.print_json({"index": index} | found.to_json() | extra_fields)
        elif alone:
            if cells := checked.cells_to_show:
                output.print_text(draw(puzzle, look, pointed=cells))
            _print_in_full(puzzle, checked)
        else:
            sentences = [f"well-formed; {answer_sentence(checked.answer)}", *check_sentences(puzzle, checked)]
            output.print_text("\t".join([str(index), *sentences]))
        return found.exit_code

    return answer_records(input_records(puzzles, question), answer, as_json=as_json, quiet=quiet)


def _print_in_full(puzzle: Puzzle, checked: Check) -> None:
    """Print a sentence a line, and for a puzzle with one solution a table of what it needs."""
    output.print_text(f"well-formed; {answer_sentence(checked.answer)}")
    rows = needs_table(puzzle, checked) if checked.answer.status == "unique" else []
    if rows:
        from sudoku_cp.cli.output import print_table  # noqa: PLC0415  # the library that draws it costs 40 ms

        output.print_text(minimality_sentence(checked))
        print_table(rows, least=["needed"])
        return
    for sentence in check_sentences(puzzle, checked):
        output.print_text(sentence)


# The report of ``check`` for people: sentences and a table.


def check_sentences(puzzle: Puzzle, checked: Check) -> Iterator[str]:
    """Yield the findings, a sentence each; a limit is named in the sentence about what it left undecided."""
    match checked.answer.status:
        case "none":
            yield _clash_sentence(puzzle, checked)
        case "multiple":
            yield from _ambiguity_sentences(puzzle, checked)
        case "unique":
            yield minimality_sentence(checked)
            yield from (sentence for need in needs(puzzle, checked) for sentence in need.sentences())


def _undecided_clause(checked: Check) -> str:
    return f"undecided, as the limit ({checked.reason}) came first"


def _clash_sentence(puzzle: Puzzle, checked: Check) -> str:
    """Return ``clash: r1c1=1 and r1c2=1 cannot both stand in row 1``, and whether fewer clash."""
    conflict = checked.conflict
    if conflict is None:
        return f"clash: what clashes is {_undecided_clause(checked)}"
    words = clash_words(puzzle, conflict)
    if conflict.smallest:
        return f"clash: {words}; no fewer clash"
    if conflict.minimal:
        return f"clash: {words}; none of these can be left out, and whether fewer others clash is {_undecided_clause(checked)}"
    return f"clash: {words}; which of these could be left out is {_undecided_clause(checked)}"


def _ambiguity_sentences(puzzle: Puzzle, checked: Check) -> Iterator[str]:
    sign, name = puzzle.symbols.sign, puzzle.grid.cell_name
    both = [f"{name(cell)}={sign(one)}|{sign(other)}" for cell, one, other in differing_values(checked)]
    yield f"two solutions differ in {len(both)} cells (the one's value | the other's): {' '.join(both)}"
    same = "the same in every solution, besides the givens"
    if "frozen" in checked.undecided:
        yield f"{same}: {_undecided_clause(checked)}"
    else:
        yield f"{same}: {' '.join(format_values(puzzle, checked.frozen)) or 'nothing'}"
    if checked.additions is None:
        yield f"the further givens that would leave one solution: {_undecided_clause(checked)}"
        return
    number = len(checked.additions)
    words = "further given" if number == 1 else "further givens"
    least = ", and no fewer," if checked.fewest else f" (whether fewer do is {_undecided_clause(checked)})"
    yield f"{number} {words}{least} would leave one solution: {' '.join(format_values(puzzle, checked.additions))}"


# --- what is needed ---------------------------------------------------------------------------------------------


def minimality_sentence(checked: Check) -> str:
    """Return a sentence on whether every given of a puzzle with one solution is needed."""
    if checked.minimal:
        return "minimal: every given is needed"
    if checked.minimal is None:
        return f"minimal: {_undecided_clause(checked)}"
    return "not minimal: some givens can be left out, each alone"


@dataclass(frozen=True)
class Need:
    """The givens, rules or candidates of a puzzle: their number, the names of those not needed, and of those undecided."""

    kind: str
    number: int
    spare: list[str]
    undecided: list[str]
    limit: str

    def sentences(self) -> Iterator[str]:
        """Yield which can be left out, and for which that is undecided."""
        if self.spare:
            yield f"each of these {self.kind} can be left out alone: {', '.join(self.spare)}"
        if self.undecided:
            yield f"whether these {self.kind} can be left out is {self.limit}: {', '.join(self.undecided)}"

    def row(self) -> dict[str, str]:
        """Return the row of a table."""
        needed = self.number - len(self.spare) - len(self.undecided)
        separator = "\n" if self.kind == "rules" else " "
        row = {"": self.kind, "needed": f"{needed} of {self.number}", "can be left out, each alone": separator.join(self.spare)}
        return row | {self.limit: separator.join(self.undecided)}


def needs(puzzle: Puzzle, checked: Check) -> list[Need]:
    """Return what a puzzle with one solution needs: of its givens, its rules other than houses, and its candidates."""
    limit = _undecided_clause(checked)
    rules = sum(not isinstance(rule, Houses) for rule in puzzle.rules)
    givens, cells = partial(format_values, puzzle, puzzle.givens), partial(_format_candidates, puzzle)
    return [
        Need("givens", len(puzzle.givens), givens(checked.unnecessary), givens(checked.undecided_givens), limit),
        Need(
            "rules",
            rules,
            _describe_rules(puzzle, checked.unnecessary_rules),
            _describe_rules(puzzle, checked.undecided_rules),
            limit,
        ),
        Need(
            "candidates",
            len(puzzle.candidates),
            cells(checked.unnecessary_candidates),
            cells(checked.undecided_candidates),
            limit,
        ),
    ]


def needs_table(puzzle: Puzzle, checked: Check) -> list[dict[str, str]]:
    """Return the rows of a table of what is needed; none if the puzzle has only givens and needs them all."""
    found = needs(puzzle, checked)
    if checked.minimal and not any(need.number for need in found[1:]):
        return []
    is_open = any(need.undecided for need in found)
    return [{name: cell for name, cell in need.row().items() if is_open or name != need.limit} for need in found]


def _describe_rules(puzzle: Puzzle, which: Iterable[int]) -> list[str]:
    return [describe_rule(puzzle.rules[index], puzzle.grid) for index in which]


def _format_candidates(puzzle: Puzzle, cells: Iterable[Cell]) -> list[str]:
    """Return ``r1c1=1/2`` for each cell."""
    signs = {cell: map(puzzle.symbols.sign, members(puzzle.candidates[cell])) for cell in cells}
    return [f"{puzzle.grid.cell_name(cell)}={'/'.join(own)}" for cell, own in signs.items()]
