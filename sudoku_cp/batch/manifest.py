"""What a run that made puzzles says of itself, in a file beside its output: all that it takes to make them again."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Any

from sudoku_cp import __version__
from sudoku_cp.generate.base import GENERATION
from sudoku_cp.generate.wishing import told
from sudoku_cp.output_files import write_text

if TYPE_CHECKING:
    from pathlib import Path

    from sudoku_cp.batch.generating import Outcome, Shard
    from sudoku_cp.batch.makers import Making

FORMAT, VERSION = "sudoku-cp run", 1


def manifest_of(output: Path) -> Path:
    """Return where the manifest of an output is."""
    return output.with_name(f"{output.name}.manifest.json")


def asked(making: Making, shard: Shard) -> dict[str, Any]:
    """Return what the puzzles of a run depend on, as plain data."""
    parts = {"generation": GENERATION, "seed": making.seed, "wishes": told(making.wishes), "count": making.count}
    return parts | {"shard": str(shard), "cross_check": making.share}


def written(output: Path, making: Making, shard: Shard, outcome: Outcome) -> None:
    """Write the manifest; no time of a clock is in it."""
    counts = outcome.counts
    proved = {name.removeprefix("proved "): number for name, number in sorted(counts.items()) if name.startswith("proved ")}
    data: dict[str, Any] = {"format": FORMAT, "version": VERSION, "package": __version__} | asked(making, shard)
    data |= {"puzzles": counts["puzzles"], "complete": outcome.cut is None, "numbers": counts["numbers"]}
    data |= {"tries": counts["tries"], "yield": _rounded(counts["puzzles"], counts["tries"]), "limited": counts["limited"]}
    data |= {"uniqueness": {"found by": making.maker().engine, "proved by": proved, "puzzles proved": sum(proved.values())}}
    if outcome.cut is not None:
        data["cut"] = {"reason": outcome.cut.reason, "words": str(outcome.cut)}
    data["file"] = {"name": output.name, "bytes": output.stat().st_size, "sha256": _digest(output)}
    write_text(manifest_of(output), json.dumps(data, indent=1, ensure_ascii=False) + "\n")


def _rounded(part: int, whole: int) -> float | None:
    return round(part / whole, 6) if whole else None


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
