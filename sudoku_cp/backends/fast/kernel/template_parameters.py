"""Parameters of the templates (`search_template`, `check_template`): `lane_kernel` sets them before it runs a template."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sudoku_cp.backends.fast.kernel.instruction_set import InstructionSet
    from sudoku_cp.backends.fast.kernel.vector_rules import BoardLayout

LAYOUT: BoardLayout
"""The shape of the grid."""
INSTRUCTION_SET: InstructionSet
"""The instruction set."""
CACHED: bool
"""Whether compiled code is cached on disk."""
PROBING: bool
"""Whether the search is for probes."""
