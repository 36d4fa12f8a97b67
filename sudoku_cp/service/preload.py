"""What every worker has loaded before its first task."""

PRELOAD = (
    "sudoku_cp.service.plain_grids:load_if_compiled",
    "sudoku_cp.service.questions.solving",
    "sudoku_cp.service.questions.reasoning",
    "sudoku_cp.service.questions.generating",
)
"""Modules, and with a colon functions to be called, as `fork_server` takes them."""
