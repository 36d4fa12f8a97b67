"""What workers have loaded before their first task: modules, and with a colon functions that are called, as in `fork_server`."""

PRELOAD = (
    "sudoku_cp.service.questions.plain_grids:load_if_compiled",
    "sudoku_cp.service.questions.solving",
)
"""For every worker."""
PRELOAD_LATER = (
    "sudoku_cp.service.questions.reasoning",
    "sudoku_cp.service.questions.generating",
)
"""For every worker but the first ones, which load it when they need it: the service is ready a third of a second earlier."""
