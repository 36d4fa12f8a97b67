"""What a template (`search`, `checking`) is run for. `kept` sets these, runs the template, and goes on to the next."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sudoku_cp.backends.fast.machine import Machine
    from sudoku_cp.backends.fast.rules import Shape

SHAPE: Shape
"""The shape of the grid."""
MACHINE: Machine
"""The instruction set."""
KEPT: bool
"""Whether compiled code is kept on disk."""
PROBING: bool
"""Whether it is for `probing`."""
