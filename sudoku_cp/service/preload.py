"""What workers have loaded before their first task: modules, and with a colon functions that are called, as in `fork_server`."""

PRELOAD = (
    "sudoku_cp.service.questions.plain_grids:load_if_compiled",
    "sudoku_cp.questions.plain_call",
    "sudoku_cp.questions.candidates",
)
"""For every worker."""
PRELOAD_LATER = (
    "sudoku_cp.logic.step_json",
    "sudoku_cp.logic.explanations",
    "sudoku_cp.logic.hints",
    "sudoku_cp.logic.rating.ratings",
    "sudoku_cp.batch.rows.generated_format",
    "sudoku_cp.generate.chunks",
)
"""For every worker but the first ones, which load it when they need it: the service is ready a third of a second earlier."""
