"""The verb ``candidates``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from sudoku_cp import queries
from sudoku_cp.answer_json.candidates import candidates_to_json
from sudoku_cp.cli import output
from sudoku_cp.cli.answer_loop import JsonFields, answer_records
from sudoku_cp.cli.inputs import CountedRecords
from sudoku_cp.errors import InvalidInput
from sudoku_cp.model import members
from sudoku_cp.puzzle import Puzzle
from sudoku_cp.queries import TrueCandidates
from sudoku_cp.questions.exit_codes import NO, RAN_OUT, YES
from sudoku_cp.questions.options import Limited, Reading
from sudoku_cp.render import draw_candidates
from sudoku_cp.render.terminal_candidates import check_candidates_size

if TYPE_CHECKING:
    import typer

    from sudoku_cp.cli.options import Ascii, Backend, Json, Puzzles, Quiet

PAUSE = 0.1
"""Seconds between two partial answers."""


def candidates(
    puzzles: Puzzles,
    *,
    cap: Annotated[
        int, typer.Option(metavar="NUMBER", min=1, help="Count the solutions of each candidate up to this number.")
    ] = 1,
    stream: Annotated[
        bool, typer.Option("--stream", help="With --json, print what is known so far, ten times a second at most.")
    ] = False,
    backend: Backend = "auto",
    limit_options: Limited = Limited(),
    input_options: Reading = Reading(),
    as_json: Json = False,
    ascii_only: Ascii = False,
    quiet: Quiet = False,
) -> int:
    """Find the true candidates: every value of every cell that occurs in some solution.

    With --cap 10, also in how many solutions each occurs, up to 10. The exit code is 1 if there is no solution, 3 if a limit
    came first: what was found until then is printed, and so it is after Ctrl-C.
    """
    if stream and not as_json:
        raise InvalidInput("expected --stream with --json, got it alone")
    limits, look = limit_options.limits(), output.look_of(ascii_only=ascii_only)
    records = CountedRecords(puzzles, input_options)

    def show(index: int, found: TrueCandidates, extra_fields: JsonFields, *, partial: bool) -> None:
        if as_json:
            output.print_json({"index": index} | candidates_to_json(found, partial=partial) | extra_fields)
        else:
            words = "" if quiet else f"\n{candidates_sentence(found)}"
            output.print_text(draw_candidates(found.puzzle, candidate_notes(found), look) + words)

    def answer(index: int, puzzle: Puzzle, extra_fields: JsonFields, *, alone: bool) -> int:
        _check_size(puzzle, cap, drawn=not as_json)
        if not (alone or as_json):
            output.print_text(f"puzzle {index}:")
        found = None
        try:
            for found in queries.true_candidate_stream(
                puzzle, cap=cap, backend=backend, limits=limits, pause=PAUSE, expected_count=records.expected_count
            ):
                if stream and not (found.complete or found.reason):
                    show(index, found, extra_fields, partial=True)
        except KeyboardInterrupt:
            if found is not None:
                show(index, found, extra_fields, partial=True)
            raise
        assert found is not None  # noqa: S101  # the last answer always comes
        show(index, found, extra_fields, partial=False)
        return RAN_OUT if found.reason else NO if found.status == "none" else YES

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
