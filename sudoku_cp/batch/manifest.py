"""The manifest of a run that generates, a file next to its output: all it takes to make the same puzzles again."""

from __future__ import annotations

import hashlib
import json
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from sudoku_cp import __version__
from sudoku_cp.errors import InvalidInput
from sudoku_cp.generate.base import GENERATION
from sudoku_cp.generate.request_parsing import request_to_json
from sudoku_cp.output_files import write_text

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from sudoku_cp.batch.file_run import RunSummary
    from sudoku_cp.batch.generate_tasks import GenerateTask, Shard

FORMAT, VERSION = "sudoku-cp run", 1


def manifest_path(output: Path) -> Path:
    """Return where the manifest of an output is."""
    return output.with_name(f"{output.name}.manifest.json")


def run_parameters(task: GenerateTask, shard: Shard, to: str | None) -> dict[str, Any]:
    """Return all that the output of a run depends on, as plain data."""
    parts = {"generation": GENERATION, "seed": task.seed, "wishes": request_to_json(task.request), "count": task.count}
    return parts | {"shard": str(shard), "cross_check": task.share, "to": to}


def read_manifest(output: Path) -> dict[str, Any] | None:
    """Return the manifest of an output, None if there is none of ours."""
    with suppress(OSError, ValueError):
        data = json.loads(manifest_path(output).read_bytes())
        return data if isinstance(data, dict) and data.get("format") == FORMAT else None
    return None


def puzzles_in(output: Path, parameters: Mapping[str, Any]) -> int | None:
    """Return how many puzzles an output holds if its manifest shows a finished run of these parameters, else None."""
    data = read_manifest(output)
    if not data or not data.get("complete") or any(data.get(name) != value for name, value in parameters.items()):
        return None
    found: int | None = data.get("puzzles")
    return found if data.get("file") == _describe_file(output) else None


def check_free(output: Path) -> None:
    """Refuse to write a manifest over a file that is no manifest."""
    if manifest_path(output).exists() and read_manifest(output) is None:
        raise InvalidInput(f"expected the manifest of a run, or no file, got {manifest_path(output)}, which is neither")


def write_manifest(output: Path, task: GenerateTask, shard: Shard, to: str | None, summary: RunSummary) -> None:
    """Write the manifest, without times, so that equal runs have equal manifests."""
    counts = summary.counts
    proved = {name.removeprefix("proved "): number for name, number in sorted(counts.items()) if name.startswith("proved ")}
    data: dict[str, Any] = {"format": FORMAT, "version": VERSION, "package": __version__} | run_parameters(task, shard, to)
    data |= {"puzzles": counts["puzzles"], "complete": summary.limit_reached is None, "numbers": counts["numbers"]}
    data |= {"tries": counts["tries"], "yield": _ratio(counts["puzzles"], counts["tries"]), "limited": counts["limited"]}
    data |= {"uniqueness": {"found by": task.generator().engine, "proved by": proved, "puzzles proved": sum(proved.values())}}
    if summary.limit_reached is not None:
        data["cut"] = {"reason": summary.limit_reached.reason, "words": str(summary.limit_reached)}
    data["file"] = _describe_file(output)
    write_text(manifest_path(output), json.dumps(data, indent=1, ensure_ascii=False) + "\n")


def _ratio(part: int, whole: int) -> float | None:
    return round(part / whole, 6) if whole else None


def _describe_file(path: Path) -> dict[str, Any]:
    with path.open("rb") as file:
        return {"name": path.name, "bytes": path.stat().st_size, "sha256": hashlib.file_digest(file, "sha256").hexdigest()}
