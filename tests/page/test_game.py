"""The page's rules of play, run by node."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

NODE = shutil.which("node")


@pytest.mark.skipif(NODE is None, reason="node is not there")
def test_rules_of_play():
    """Every test of game.js passes."""
    done = subprocess.run([NODE, "--test", str(Path(__file__).parent)], capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stdout[-5000:]
    assert "# fail 0" in done.stdout
    assert "# pass 0" not in done.stdout
