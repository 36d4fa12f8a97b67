"""What CP-SAT itself gets wrong is kept from it."""

from __future__ import annotations

import json
import subprocess
import sys

TWICE = {
    "grid": {"rows": 4, "columns": 4, "regions": [[0, 0, 1, 1], [0, 0, 1, 1], [None, 2, 2, None], [None, 2, 2, None]]},
    "rules": ["houses", {"kind": "value-indexing", "value": "r2c4", "index": "r4c3", "cells": ["r3c4", "r4c3"]}],
    "givens": {"r3c4": 3},
}
"""The automaton of this rule reads r4c3 twice."""


def test_an_automaton_that_reads_a_cell_twice_does_not_end_the_process() -> None:
    """CP-SAT without presolve takes wrong grids for right ones there, and then aborts; it is given a copy of the cell."""
    code = (
        "import json, sys\n"
        "from sudoku_cp import count\n"
        "from sudoku_cp.puzzle import from_json\n"
        "puzzle = from_json(json.loads(sys.argv[1]))\n"
        "print(*(count(puzzle, backend=engine).count for engine in ('cpsat', 'cpsat:alldifferent', 'sat')))"
    )
    ran = subprocess.run([sys.executable, "-c", code, json.dumps(TWICE)], capture_output=True, text=True, timeout=60, check=False)
    assert (ran.returncode, ran.stdout) == (0, "4 4 4\n"), ran.stderr
