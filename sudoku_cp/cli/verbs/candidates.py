"""The verb ``candidates``: true candidates drawn in the board, or as JSON while they are found."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from sudoku_cp.cli import output
from sudoku_cp.cli.answer_loop import CountedRecords, JsonFields, answer_records
from sudoku_cp.cli.typed_options import option_problems, refuse_typed
from sudoku_cp.errors import InvalidInput
from sudoku_cp.model import members
from sudoku_cp.puzzle import Puzzle
from sudoku_cp.queries import TrueCandidates
from sudoku_cp.questions.candidates import CandidatesAnswer, CandidatesQuestion
from sudoku_cp.questions.question import Run
from sudoku_cp.render import draw_candidates
from sudoku_cp.render.terminal_grid import check_candidates_size

if TYPE_CHECKING:
    import typer

    from sudoku_cp.cli.options import Ascii, Json, Puzzles, Quiet


def candidates(
    puzzles: Puzzles,
    *,
    stream: Annotated[
        bool, typer.Option("--stream", help="With --json, print what is known so far, ten times a second at most.")
    ] = False,
    question: CandidatesQuestion = CandidatesQuestion(),
    as_json: Json = False,
    ascii_only: Ascii = False,
    quiet: Quiet = False,
) -> int:
    """Draw the true candidates."""
    if stream and not as_json:
        raise InvalidInput("--stream needs --json")
    refuse_typed(option_problems(question))
    look = output.look_of(ascii_only=ascii_only)
    records = CountedRecords(puzzles, question)

    def show(index: int, found: CandidatesAnswer, extra_fields: JsonFields) -> None:
        if as_json:
            output.print_json({"index": index} | found.to_json() | extra_fields)
        else:
            words = "" if quiet else f"\n{candidates_sentence(found.true)}"
            output.print_text(draw_candidates(found.true.puzzle, candidate_notes(found.true), look) + words)

    def answer(index: int, puzzle: Puzzle, extra_fields: JsonFields, *, alone: bool) -> int:
        _check_size(puzzle, question.cap, drawn=not as_json)
        if not (alone or as_json):
            output.print_text(f"puzzle {index}:")
        last: CandidatesAnswer | None = None

        def report(_number: int, part: CandidatesAnswer) -> None:
            nonlocal last
            last = part
            if stream and not part.reason:
                show(index, part, extra_fields)

        try:
            found = question.answer(puzzle, Run(question.limits(), report, records.expected_count))
        except KeyboardInterrupt:
            if last is not None:
                show(index, last, extra_fields)
            raise
        show(index, found, extra_fields)
        return found.exit_code

    return answer_records(iter(records), answer, as_json=as_json, quiet=quiet)


def _check_size(puzzle: Puzzle, cap: int, *, drawn: bool) -> None:
    """Refuse a drawing that would be too large before its puzzle is searched."""
    if drawn:
        longest = max(len(puzzle.symbols.sign(value)) for value in puzzle.grid.values)
        check_candidates_size(puzzle, longest + (1 if cap == 1 else len(f":{cap}+")))


def candidate_notes(found: TrueCandidates) -> list[dict[int, str]]:
    """Return what is drawn after each candidate: "?" if it is undecided, else its count if --cap asks for counts."""
    return [
        {value: _candidate_note(found, cell, value) for value in members(possible | open_)}
        for cell, (possible, open_) in enumerate(zip(found.possible, found.undecided, strict=True))
    ]


def _candidate_note(found: TrueCandidates, cell: int, value: int) -> str:
    if not found.count(cell, value):
        return "?"
    if found.cap == 1:
        return ""
    return f":{found.count(cell, value)}{'' if found.exact(cell, value) else '+'}"


def candidates_sentence(found: TrueCandidates) -> str:
    """Return the answer in words."""
    possible, open_ = (sum(domain.bit_count() for domain in sets) for sets in (found.possible, found.undecided))
    words = {
        "none": "no solution",
        "unique": "unique: every cell is forced",
        "multiple": f"{possible:,} true candidates, {len(found.forced)} of {len(found.possible)} cells forced",
        "unknown": f"{possible:,} true candidates found",
    }[found.status]
    if found.reason:
        words += f", {open_:,} undecided: the limit ({found.reason}) came first"
    return f"{words} ({found.backend}, {found.calls} questions, {found.seconds * 1e3:.3g} ms)"
