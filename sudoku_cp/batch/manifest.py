"""What a run that made puzzles says of itself, in a file beside its output: all that it takes to make them again."""

from __future__ import annotations

import hashlib
import json
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from sudoku_cp import __version__
from sudoku_cp.errors import InvalidInput
from sudoku_cp.generate.base import GENERATION
from sudoku_cp.generate.wishing import told
from sudoku_cp.output_files import write_text

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from sudoku_cp.batch.generate_run import Outcome, Shard
    from sudoku_cp.batch.generate_tasks import Making

FORMAT, VERSION = "sudoku-cp run", 1


def manifest_of(output: Path) -> Path:
    """Return where the manifest of an output is."""
    return output.with_name(f"{output.name}.manifest.json")


def asked(making: Making, shard: Shard, to: str | None) -> dict[str, Any]:
    """Return what the output of a run depends on, as plain data."""
    parts = {"generation": GENERATION, "seed": making.seed, "wishes": told(making.wishes), "count": making.count}
    return parts | {"shard": str(shard), "cross_check": making.share, "to": to}


def read_manifest(output: Path) -> dict[str, Any] | None:
    """Return the manifest of an output, None where there is none of ours."""
    with suppress(OSError, ValueError):
        data = json.loads(manifest_of(output).read_bytes())
        return data if isinstance(data, dict) and data.get("format") == FORMAT else None
    return None


def puzzles_in(output: Path, wanted: Mapping[str, Any]) -> int | None:
    """Return how many puzzles an output holds, if its manifest says that a run of these wishes has finished with it."""
    data = read_manifest(output)
    if not data or not data.get("complete") or any(data.get(name) != value for name, value in wanted.items()):
        return None
    found: int | None = data.get("puzzles")
    return found if data.get("file") == _file(output) else None


def check_free(output: Path) -> None:
    """Refuse to write a manifest over a file that is none."""
    if manifest_of(output).exists() and read_manifest(output) is None:
        raise InvalidInput(f"expected the manifest of a run, or no file, got {manifest_of(output)}, which is neither")


def write_manifest(output: Path, making: Making, shard: Shard, to: str | None, outcome: Outcome) -> None:
    """Write the manifest; no time of a clock is in it."""
    counts = outcome.counts
    proved = {name.removeprefix("proved "): number for name, number in sorted(counts.items()) if name.startswith("proved ")}
    data: dict[str, Any] = {"format": FORMAT, "version": VERSION, "package": __version__} | asked(making, shard, to)
    data |= {"puzzles": counts["puzzles"], "complete": outcome.cut is None, "numbers": counts["numbers"]}
    data |= {"tries": counts["tries"], "yield": _rounded(counts["puzzles"], counts["tries"]), "limited": counts["limited"]}
    data |= {"uniqueness": {"found by": making.maker().engine, "proved by": proved, "puzzles proved": sum(proved.values())}}
    if outcome.cut is not None:
        data["cut"] = {"reason": outcome.cut.reason, "words": str(outcome.cut)}
    data["file"] = _file(output)
    write_text(manifest_of(output), json.dumps(data, indent=1, ensure_ascii=False) + "\n")


def _rounded(part: int, whole: int) -> float | None:
    return round(part / whole, 6) if whole else None


def _file(path: Path) -> dict[str, Any]:
    with path.open("rb") as file:
        return {"name": path.name, "bytes": path.stat().st_size, "sha256": hashlib.file_digest(file, "sha256").hexdigest()}
