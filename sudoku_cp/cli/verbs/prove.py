"""The verb ``prove``."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain, islice
from pathlib import Path
from typing import Annotated, Any

import typer

from sudoku_cp.cli import output
from sudoku_cp.cli.answer_loop import input_records, refuse_to_overwrite
from sudoku_cp.cli.options import Json, Puzzles, Quiet
from sudoku_cp.cli.output import Warnings, with_progress
from sudoku_cp.cli.typed_options import no_folder, option_problems, refuse_typed, spell_error
from sudoku_cp.errors import InvalidInput
from sudoku_cp.formats import Record
from sudoku_cp.proof.certificate import check_target_folder, describe_conditions
from sudoku_cp.puzzle import Puzzle, puzzle_to_short_json
from sudoku_cp.questions.answer import BAD_INPUT, YES, worst
from sudoku_cp.questions.prove import Proving


def prove(
    puzzles: Puzzles,
    *,
    out: Annotated[
        str,
        typer.Option(metavar="FOLDER", help="Write the certificate to this new folder (of several puzzles, to 0, 1, ... in it)."),
    ],
    force: Annotated[bool, typer.Option("--force", help="Replace an older certificate in the folder.")] = False,
    options: Proving = Proving(),
    as_json: Json = False,
    quiet: Quiet = False,
) -> int:
    """Prove puzzles."""
    refuse_typed(option_problems(options), no_folder("--out", out))
    records = input_records(puzzles, options)
    ahead = list(islice(records, 2))
    alone = len(ahead) < 2  # noqa: PLR2004
    codes = {YES}
    warnings = Warnings(quiet=quiet)
    for index, record in enumerate(with_progress(chain(ahead, records), quiet=quiet)):
        folder = Path(out) if alone else Path(out) / str(index)
        warnings.add_all(index, record.warnings)
        code, fields = _prove_record(record, folder, options, force=force, sources=puzzles)
        codes.add(code)
        if as_json:
            output.print_json({"index": index} | fields)
        elif "error" in fields and alone:
            output.remark(f"sudoku-cp: {fields['error']}")
        else:
            output.print_text(("" if alone else f"{index}\t") + _proof_text(record.puzzle, fields))
        if code == YES and not options.no_verify and "verdict" not in fields and not quiet:
            output.remark("not checked: other checkers are quicker for so large a board ('sudoku-cp verify' checks it, too)")
    warnings.end()
    return worst(codes)


def _prove_record(
    record: Record, folder: Path, options: Proving, *, force: bool, sources: Sequence[str]
) -> tuple[int, dict[str, Any]]:
    """Return the exit code of one puzzle, and the JSON fields of its answer."""
    puzzle = record.puzzle
    if puzzle is None:
        return BAD_INPUT, {"status": "error", "error": str(record.error)}
    try:
        if check_target_folder(folder, force=force):  # before the work, not after it
            refuse_to_overwrite(folder.iterdir(), sources)
        answer = options.attempt(puzzle, options.limits())
        if answer.found is None:
            return answer.exit_code, answer.to_json()
        written = answer.whole_certificate.write(folder, force=force)
        if not options.no_verify and answer.is_quick_to_verify:
            answer = answer.with_verdict(folder, options.timeout)
        return answer.exit_code, answer.to_json() | {"folder": str(written)}
    except InvalidInput as error:
        return error.exit_code, {"puzzle": puzzle_to_short_json(puzzle), "status": "error", "error": str(spell_error(error))}


def _proof_text(puzzle: Puzzle | None, fields: dict[str, Any]) -> str:
    """Return the answer in words, with what else the claim depends on where the givens are not all of the puzzle."""
    if puzzle is None or "error" in fields:
        return f"{fields['status']}\t{fields['error']}"
    proofs = ", ".join(f"{one['prover']}: {one['lemmas']} lemma{'s' * (one['lemmas'] != 1)}" for one in fields["proofs"])
    verdict = f", {fields['verdict']}" if "verdict" in fields else ""
    lines = [f"proved {fields['claim']} ({proofs}; {fields['seconds'] * 1e3:.3g} ms){verdict}: {fields['folder']}"]
    if not puzzle.is_plain or puzzle.candidates:
        lines.append(f"  {describe_conditions(puzzle)}")
    return "\n".join([*lines, *(f"  on trust: {one}" for one in fields.get("trusted", ()))])
