"""The questions of the service: what each is asked, what it answers, and the function that a worker runs for it.

The functions need neither pydantic nor FastAPI; only the registry, which the server reads, knows the models (`declared_models`).
"""

from typing import TYPE_CHECKING

from sudoku_cp.lazy_exports import lazy_exports

if TYPE_CHECKING:
    from sudoku_cp.service.questions.registry import LISTINGS, QUESTIONS, Listing, ServedQuestion

__all__ = ["LISTINGS", "QUESTIONS", "Listing", "ServedQuestion"]

EXPORTS = {"registry": "LISTINGS QUESTIONS Listing ServedQuestion"}

if not TYPE_CHECKING:  # type checkers report a name that is not there
    __getattr__ = lazy_exports(__name__, EXPORTS)
