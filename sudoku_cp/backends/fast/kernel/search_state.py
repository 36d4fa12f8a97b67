"""The state of a search, its task and its memory, the task of a check, and the templates' parameters, for all shapes of grid."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from sudoku_cp.backends.fast.kernel.instruction_set import InstructionSet
    from sudoku_cp.backends.fast.kernel.vector_rules import BoardLayout


# Parameters of the templates (`search_template`, `check_template`): `lane_kernel` sets them before it runs a template.


LAYOUT: BoardLayout
"""The shape of the grid."""
INSTRUCTION_SET: InstructionSet
"""The instruction set."""
CACHED: bool
"""Whether compiled code is cached on disk."""
PROBING: bool
"""Whether the search is for probes."""


Array: TypeAlias = Any
"""An array inside the kernel, its address outside."""


class SearchTask(NamedTuple):
    """The puzzles, room for their answers (arrays of one item or row for each puzzle), and the limits.

    Unless probing, the search clears the answers of the puzzles that it takes.
    """

    puzzles: int
    candidates: bool
    solutions: int
    counts: Array  # [puzzle]: solutions found; complemented once a limit came first
    nodes: Array  # [puzzle]: guesses
    limit: int
    most_nodes: int
    halt: Array  # [0] is set from another thread
    number: int  # of puzzles
    taken: Array  # [0]: how many of them some thread has taken
    share: int  # as many are taken at a time
    starts: Array = 0  # [index]: where the shares begin that this call takes; unless probing
    # Of probes only:
    wanted: Array = 0  # [puzzle]: a limit for each puzzle, in place of ``limit``
    keeps: bool = False  # whether the last solution wanted is stored
    cheap: int = 0  # this many guesses of each puzzle are made in the first cell with two candidates
    ordered: bool = False  # all guesses are made in the first open cell, so that solutions come in lexicographic order
    steals: bool = False  # lanes without work take some from others, as they always do when not probing


class SearchMemory(NamedTuple):
    """The boards in the lanes, the stacks, and scratch space."""

    board: Array  # [vector, lane]
    current: Array  # [lane]: the puzzle it is working on, or NOBODY
    saved: Array  # [position, cell]: lane * DEPTH + depth is a position
    owner: Array  # [position]: its puzzle
    bottom: Array  # [lane]: depth of its oldest position
    top: Array  # [lane]: depth above its newest
    column: Array  # [lane, cell]: solved lanes, or one being loaded
    boards: Array  # [lane, value, word]
    open: Array  # [lane, word]: cells to choose from
    lane: Array  # [index]: the lanes that branch, or the puzzles that are solved
    size: Array  # [index]: number of candidates of the cells they choose from
    peers: Array  # [cell, word]


class CheckTask(NamedTuple):
    """Puzzles and filled grids, some shares of which are to be checked."""

    puzzles: int
    candidates: bool
    solutions: int
    counts: Array  # [grid]: as in a `SearchTask`; where none was found, there is nothing to check
    right: Array  # [grid]: whether it solves its puzzle, or there is nothing to check
    number: int  # of grids
    starts: Array  # [index]: where the shares begin
    shares: int
    share: int  # grids of a share; the last one ends with the last grid
