"""Outputs of runs that generate: what a name or a format asks for, and every file that such a run may write."""

from __future__ import annotations

from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING

from sudoku_cp.batch.execution.journal import journal_path
from sudoku_cp.batch.manifest import manifest_path
from sudoku_cp.batch.rows.run_output import KINDS, Conversion, RunOutput, parse_output_name
from sudoku_cp.batch.seen_keys import seen_keys_path
from sudoku_cp.errors import InvalidInput, Unsupported, of_option
from sudoku_cp.formats import FORMATS, read_puzzles, write_puzzles
from sudoku_cp.formats.registry import format_to_write
from sudoku_cp.formats.text_files import ENDINGS
from sudoku_cp.generate.request_parsing import Problems
from sudoku_cp.puzzle import Puzzle

if TYPE_CHECKING:
    from sudoku_cp.generate import GenerateRequest


def parse_generated_output(path: Path, to: str | None) -> tuple[str, str, Conversion | None]:
    """Return the kind of the partial file, its compressor (empty for none), and the conversion to the final output, if any.

    ``to`` is the name of a format; without one the ending of the path decides, or `InvalidInput` is raised.
    """
    if to is None and _uncompressed(path).suffix.lower() in KINDS:
        kind, compressor = parse_output_name(path)
        return kind, compressor, _generated_to_parquet if kind == "parquet" else None
    return "json", "", FormatConverter(format_to_write(to or _format_by_ending(path)).name)


def _uncompressed(path: Path) -> Path:
    return path.with_suffix("") if path.suffix.lower() in ENDINGS else path


def _format_by_ending(path: Path) -> str:
    """Return the format whose files end as this one does."""
    ending = _uncompressed(path).suffix.lower()
    found = [name for name, one in FORMATS.items() if one.write and ending in one.extensions]
    found.sort(key=lambda name: ending != f".{name}")
    if not found:
        kinds = ", ".join(KINDS)
        raise InvalidInput(f"expected an output that ends in {kinds} or as the files of a format do, got {path.name!r}")
    return found[0]


def _generated_to_parquet(waiting: Path, target: Path) -> None:
    from sudoku_cp.batch.rows import arrow_rows  # noqa: PLC0415  # few need it

    arrow_rows.write_parquet(waiting, target, arrow_rows.generated_schema())


@dataclass(frozen=True)
class FormatConverter:
    """Converts a partial file of our documents, one a line, to the format ``name``, compressed as the target's ending says."""

    name: str

    def __call__(self, waiting: Path, target: Path) -> None:
        """Convert."""
        write_puzzles(read_puzzles(waiting, format="json") if waiting.stat().st_size else (), target, format=self.name)


def check_expressible(request: GenerateRequest, name: str) -> None:
    """Raise `Unsupported` for boards that a format cannot express; for clues only the first puzzle shows that."""
    try:
        write_puzzles([Puzzle(request.grid, request.rules)], StringIO(), name)
    except Unsupported as error:
        raise Unsupported(of_option(problem, "to") for problem in error.problems) from error


def check_output(path: Path, to: str | None) -> None:
    """Refuse a place where nothing can be written, and a name that asks for no format."""
    problems = Problems()
    if path.is_dir():
        problems.found.append(f"expected a file to write, got the folder {path}")
    elif not path.parent.is_dir():
        problems.found.append(f"expected an output in a folder that is there, got {path}")
    if to is not None or not path.is_dir():
        problems.read(lambda: parse_generated_output(path, to), None)
    problems.end()


def output_paths_of_run(out: str | Path) -> tuple[Path, ...]:
    """Return every file that a run may write for this output, whatever its format."""
    path = Path(out)
    data = {file for convert in (None, _generated_to_parquet) for file in RunOutput(path, convert).files}
    return (*data, journal_path(path), seen_keys_path(path), manifest_path(path))
