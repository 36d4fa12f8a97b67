"""Puzzles with which questions are shown."""

from __future__ import annotations

from typing import Any

EASY = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
SMALL = "12..3412..434.21"
KILLER: dict[str, Any] = {
    "grid": {"rows": 4, "columns": 4, "boxes": [2, 2]},
    "rules": [
        {"kind": "houses"},
        {"kind": "killer-cage", "cells": ["r1c1", "r1c2"], "total": 3},
        {"kind": "thermometer", "cells": ["r2c1", "r2c2"]},
    ],
    "givens": {"r1c1": 1, "r3c3": 4, "r4c2": 3},
}
"""A puzzle in our JSON."""
