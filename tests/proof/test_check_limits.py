"""Limits of the checker: whatever a folder holds, its time and memory are counted before they are spent."""

from __future__ import annotations

import hashlib
import itertools
import json
import lzma
import os
import sys
import tracemalloc
from typing import TYPE_CHECKING, Any

import pytest

from sudoku_cp.errors import InvalidInput
from sudoku_cp.proof import verify
from sudoku_cp.proof.checker import check, folder_check
from sudoku_cp.proof.checker.certificate_files import MAX_NAMES
from sudoku_cp.proof.checker.clause_remainders import TooMuchWork, WorkBudget
from sudoku_cp.proof.checker.folder_check import check_stages
from sudoku_cp.proof.checker.joint_walk import live_states
from sudoku_cp.proof.checker.report import CheckBudget, CheckFindings, CheckLimitReached, Rejected
from sudoku_cp.proof.checker.rule_machines import keep_all

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path
    from types import FrameType

    from tests.proof.conftest import Folder

LARGE = {"rows": 16, "columns": 16, "values": [1, 16]}
NINE = {"rows": 9, "columns": 9, "boxes": [3, 3]}
CELLS = [f"r{row}c{column}" for row, column in itertools.product(range(1, 17), repeat=2)]
ODD = {"kind": "odd", "cells": ["r1c1"]}
SAME = [[0, 0]] * 9000


def any_of(*rules: Any) -> dict[str, Any]:
    """Return the JSON of a choice of rules."""
    return {"kind": "any-of", "rules": rules}


def nested(depth: int) -> Any:
    """Return the JSON of composite rules of every kind inside one another, doubled on each level."""
    rule: Any = "self-taxicab"
    for level in range(depth):
        kind = ("any-of", "repeated", "all-of")[level % 3]
        rule = {"kind": kind, "rules": [rule, rule]} | ({"shifts": [[0, 1], [1, 0]]} if kind == "repeated" else {})
    return rule


HOSTILE: dict[str, dict[str, Any]] = {
    "a choice of global rules": {"grid": LARGE, "rules": [any_of(*["self-taxicab", "anti-knight", "nonconsecutive"] * 30)]},
    "copies of a global rule": {"grid": LARGE, "rules": [{"kind": "repeated", "rules": ["self-taxicab"], "shifts": SAME}]},
    "all of many": {"grid": LARGE, "rules": [{"kind": "all-of", "rules": ["diagonally-nonconsecutive"] * 200}]},
    "a global rule or a cell": {"grid": NINE, "rules": [any_of("anti-knight", ODD)]},
    "composite rules in one another": {"grid": LARGE, "rules": [nested(7)]},
    "houses many times": {"grid": LARGE | {"rows": 6}, "rules": ["houses"] * 20_000},
    "copies of a long line": {
        "grid": LARGE,
        "rules": [{"kind": "repeated", "rules": [{"kind": "sum-cage", "cells": CELLS * 7, "total": 1}], "shifts": SAME}],
    },
    "all pairs of a long line": {"grid": LARGE, "rules": [{"kind": "pairs-of-all", "cells": CELLS * 7, "pairs": [[1, 2]]}]},
    "a long line whose order matters": {
        "grid": LARGE,
        "rules": [{"kind": "same-value-sets", "groups": [CELLS[:128], CELLS[128:]]}],
    },
    "a long loop": {"grid": LARGE, "rules": [{"kind": "sum-line", "cells": CELLS, "total": 1_000_000, "loop": True}]},
    "a short loop": {"grid": NINE, "rules": [{"kind": "sum-line", "cells": CELLS[:5], "total": 10, "loop": True}]},
    "a large automaton": {
        "grid": NINE,
        "rules": [
            {
                "kind": "automaton",
                "cells": CELLS[:9],
                "start": list(range(500)),
                "edges": [
                    [state, value, state * factor % 500] for state in range(500) for value in range(1, 10) for factor in (2, 3, 7)
                ],
                "accepting": [1],
            }
        ],
    },
    "steps of every length": {
        "grid": LARGE,
        "rules": [{"kind": "anti-leaper", "steps": [[a, b] for a in range(1, 200) for b in range(200)]}],
    },
    "boards upon boards": {
        "grid": {"boards": [{"rows": 36, "columns": 36, "at": [i, i]} for i in range(900)], "values": [1, 36]},
        "rules": [],
    },
}


def write_puzzle(folder: Folder, document: dict[str, Any], path: Path) -> Path:
    """Write a folder about another puzzle, with its map of variables and no clauses, so that its statements are compared."""
    shapes = document["grid"].get("boards", [document["grid"]])
    cells = sum(shape["rows"] * shape["columns"] for shape in shapes)
    folder.put("puzzle.json", document)
    folder.files["puzzle.txt"] = b"." * cells
    folder.files.pop("solution.txt", None)
    folder.put("manifest.json", folder.json("manifest.json") | {"claim": "none"})
    if len(shapes) == 1:
        names = [f"r{row + 1}c{column + 1}" for row in range(shapes[0]["rows"]) for column in range(shapes[0]["columns"])]
        width = document["grid"].get("values", [1, shapes[0]["columns"]])[1]
        variables = enumerate(itertools.product(names, range(1, width + 1)), 1)
        lines = [f"c var {number} {name}={value}\n" for number, (name, value) in variables]
        pairs = [
            f"-{cell * width + one} -{cell * width + other} 0\n"
            for cell in range(cells)
            for one, other in itertools.combinations(range(1, width + 1), 2)
        ]
        label = json.dumps({"block": "cells", "clauses": [1, len(pairs)]})
        folder.files["formula.cnf"] = "".join([*lines, f"c block {label}\np cnf {len(lines)} {len(pairs)}\n", *pairs]).encode()
    return folder.write(path)


MOST_CALLS, MOST_TICKS = 100_000, 80


def check_counted(path: Path) -> tuple[str, int]:
    """Check a folder for some hundred ticks; return how it ended, and the most calls of functions between two ticks."""
    calls = longest = ticks = 0

    def count(_: FrameType, event: str, __: object) -> None:
        nonlocal calls
        calls += event in {"call", "c_call"}

    def tick() -> None:
        nonlocal calls, longest, ticks
        longest, calls, ticks = max(longest, calls), 0, ticks + 1
        if ticks > MOST_TICKS:
            raise CheckLimitReached

    sys.setprofile(count)
    try:
        check_stages(path, CheckFindings(), CheckBudget(tick))
        ended = "checked"
    except CheckLimitReached:
        ended = "limit"
    except Rejected:
        ended = "rejected"
    finally:
        sys.setprofile(None)
    return ended, max(longest, calls)


@pytest.mark.parametrize("document", HOSTILE.values(), ids=HOSTILE)
def test_the_clock_is_looked_at_wherever_work_is_done(
    honest: Callable[[str], Folder], document: dict[str, Any], tmp_path: Path
) -> None:
    """However few bytes ask for however much work: only so many calls lie between two looks at the clock."""
    _, calls = check_counted(write_puzzle(honest("4x4"), document, tmp_path))
    assert calls < MOST_CALLS


def test_tests_of_what_has_been_read_are_counted() -> None:
    """States that are only tested once all has been read are not tested once there is no work left for it."""
    tested = 0

    def holds(*_: int) -> bool:
        nonlocal tested
        tested += 1
        return True

    work = WorkBudget(3_000, lambda: None)
    with pytest.raises(TooMuchWork):
        live_states(keep_all(holds), 4, range(5), work)
    assert not tested


@pytest.mark.parametrize("document", HOSTILE.values(), ids=HOSTILE)
def test_memory_is_refused_before_it_is_taken(
    honest: Callable[[str], Folder], document: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With a small budget, no more than a small multiple of it is ever allocated, and no verdict comes of it."""
    path = write_puzzle(honest("4x4"), document, tmp_path)
    size, ticks = sum(file.stat().st_size for file in path.iterdir()), 0

    def tick() -> None:
        nonlocal ticks
        ticks += 1
        if ticks > MOST_TICKS:
            raise CheckLimitReached

    monkeypatch.setattr(folder_check, "CheckBudget", lambda _: CheckBudget(tick, 40_000_000 + 20 * size))
    tracemalloc.start()
    report = check(path)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 90_000_000 + 30 * size
    assert report.verdict != "verified"


DENSE = {
    "lists": b"[" + b"[]," * 900_000 + b"[]]",
    "objects": b"[" + b"{}," * 900_000 + b"{}]",
    "fields": b"[" + b'{"a":1},' * 500_000 + b"{}]",
    "texts": b"[" + b'"a",' * 900_000 + b'""]',
    "numbers": b"[" + b"1e9," * 900_000 + b"1]",
}


@pytest.mark.parametrize("data", DENSE.values(), ids=DENSE)
@pytest.mark.parametrize("file", ["puzzle.json", "manifest.json", "others.json"])
def test_json_is_parsed_only_if_its_objects_fit(
    honest: Callable[[str], Folder], file: str, data: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The memory of parsed JSON is estimated by its signs, before it is parsed."""
    folder = honest("4x4, minimal")
    folder.repair()
    folder.files[file] = data
    path = folder.write(tmp_path, repaired=file != "manifest.json")
    monkeypatch.setattr(folder_check, "CheckBudget", lambda tick: CheckBudget(tick, 25_000_000))
    tracemalloc.start()
    report = check(path)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 40_000_000
    assert report.verdict == "unchecked"


def test_no_memory_is_no_verdict(honest: Callable[[str], Folder], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where memory runs out all the same, the folder is unchecked, and not rejected."""

    def run_out(*_: object) -> None:
        raise MemoryError

    monkeypatch.setattr(folder_check, "read_puzzle", run_out)
    report = check(honest("4x4").write(tmp_path))
    assert (report.verdict, report.problems) == ("unchecked", ("the memory did not suffice",))


def test_files_that_do_not_belong_are_named_and_not_read(honest: Callable[[str], Folder], tmp_path: Path) -> None:
    """Other files are listed by name, however large they are, and of very many only the first."""
    path = honest("4x4").write(tmp_path)
    manifest = json.loads((path / "manifest.json").read_bytes())
    for number in range(100):
        file = path / f"a{number:03}"
        file.touch()
        os.truncate(file, 1 << 30)  # sparse: it takes no room
        manifest["files"][file.name] = {"sha256": hashlib.sha256().hexdigest(), "bytes": 1 << 30}
    (path / "manifest.json").write_text(json.dumps(manifest))
    report = check(path)
    assert report.verdict == "rejected"
    names = ", ".join(f"a{number:03}" for number in range(MAX_NAMES))
    assert report.problems == (f"manifest.json: {names} and 80 more do not belong in such a certificate",)


def test_files_that_are_not_listed_are_named_up_to_a_number(honest: Callable[[str], Folder], tmp_path: Path) -> None:
    """Of a folder full of other files, the first are named."""
    path = honest("4x4").write(tmp_path)
    for number in range(50):
        (path / f"b{number}").touch()
    report = check(path)
    assert report.verdict == "rejected"
    assert len(report.problems) == MAX_NAMES + 1
    assert all("is in the folder, but not in the manifest" in problem for problem in report.problems)


def test_problems_are_listed_up_to_a_number(honest: Callable[[str], Folder], tmp_path: Path) -> None:
    """A folder with a problem in every line is rejected after some hundred, and the last line says so."""
    folder = honest("4x4")
    names = {f"field {number}": 1 for number in range(5000)}
    folder.put("puzzle.json", folder.json("puzzle.json") | names)
    report = check(folder.write(tmp_path))
    assert report.verdict == "rejected"
    assert 100 < len(report.problems) < 300
    assert report.problems[-1] == "there may be more problems: the rest was not looked at"


def test_a_proof_of_short_lemmas_is_within_the_memory(
    honest: Callable[[str], Folder], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A million lemmas that a kilobyte unpacks to are counted before they are kept."""
    folder = honest("4x4")
    folder.files[folder.proof] = lzma.compress(b"1 2 3 4 0\n" * 1_000_000 + b"0\n")
    manifest = folder.json("manifest.json")
    manifest["proofs"][0]["lemmas"] = 1_000_001
    folder.put("manifest.json", manifest)
    monkeypatch.setattr(folder_check, "CheckBudget", lambda tick: CheckBudget(tick, 50_000_000))
    report = check(folder.write(tmp_path))
    assert (report.verdict, len(report.problems)) == ("unchecked", 1)
    assert "bytes of memory" in report.problems[0]


@pytest.mark.parametrize("seconds", [float("nan"), -1.0])
def test_a_limit_that_is_no_time_is_refused(seconds: float, tmp_path: Path) -> None:
    """A limit that never comes is not taken for one, as everywhere else."""
    with pytest.raises(InvalidInput, match="expected a time limit of 0 seconds or more"):
        verify(tmp_path, seconds=seconds)
