"""The tools of design, made from the registry and run by node."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from sudoku_cp.questions.listings import rules_to_json
from sudoku_cp.rules import RULES

NODE = shutil.which("node")


@pytest.mark.skipif(NODE is None, reason="node is not there")
def test_every_kind_can_be_drawn(tmp_path):
    """For every kind of rule, its gesture at the places of its example gives the example back."""
    registry = tmp_path / "rules.json"
    registry.write_text(json.dumps(rules_to_json()))
    script = Path(__file__).parent / "design" / "every_kind.mjs"
    command = [NODE, "--test", str(script)]
    done = subprocess.run(
        command, capture_output=True, text=True, timeout=120, check=False, env={**os.environ, "RULES": str(registry)}
    )
    assert done.returncode == 0, done.stdout[-5000:]
    assert "# fail 0" in done.stdout
    assert all(f"{kind} is drawn" in done.stdout for kind in RULES)
