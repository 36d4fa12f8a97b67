"""A seed makes the same puzzles on every processor, whatever the width of its vectors."""

from __future__ import annotations

import os
import platform
import subprocess
import sys
from hashlib import sha256

import pytest

from sudoku_cp.backends.fast.kernel.instruction_set import host_instruction_set
from sudoku_cp.bench.vector_widths import WIDTHS, available_widths, environment_without_wider

DIGESTS = {
    "": "a577bedc59a8db82623734bc993ee77d1b339ce055226e16af43c3b4672daa5d",
    "--symmetry rot180": "985a26b9df64d7fdea0b5bcd3fcdf9c2d9b6b834f1ca406f3e7ac7fdee994f7f",
    "--size 6": "beb1ebd71bc88de9e79de974a50994332977f55bbfc9b873a1af13cd7b4607b3",
}
"""The SHA-256 of 400 minimal puzzles of seed 7, with options; a change of the generator changes them, a processor does not."""


def digest(options: str, environment: dict[str, str]) -> str:
    """Generate puzzles in a new process."""
    command = [sys.executable, "-m", "sudoku_cp", "generate", "-n", "400", "--minimal", "--seed", "7", *options.split()]
    done = subprocess.run(command, env={**os.environ, **environment}, capture_output=True, check=True)
    assert done.stdout.count(b"\n") == 400
    return sha256(done.stdout).hexdigest()


@pytest.mark.parametrize("options", DIGESTS)
def test_this_processor_makes_the_known_puzzles(options: str) -> None:
    """The output is the same bytes as on the processor where it was recorded."""
    assert digest(options, {}) == DIGESTS[options]


@pytest.mark.slow
@pytest.mark.parametrize("width", WIDTHS)
def test_every_width_makes_the_known_puzzles(width: str) -> None:
    """So is that of narrower vectors on the same processor, for which the kernel has other instructions and fewer lanes."""
    if platform.machine().lower() not in {"x86_64", "amd64"} or width not in available_widths():
        pytest.skip(f"this processor has no {width}, or cannot be told to do without more")
    environment = {} if width == host_instruction_set().name else environment_without_wider(width)
    assert [digest(options, environment) for options in DIGESTS] == list(DIGESTS.values())
