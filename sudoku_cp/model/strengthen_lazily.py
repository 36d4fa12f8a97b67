"""Strengthening, loaded only for models that it changes: a plain grid in a fresh process does not need it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from sudoku_cp.model.model import Model


def strengthen_model(model: Model, tick: Callable[[], object] = int) -> Model:
    """Return a model with the same solutions on the board and stronger statements; the same one each time.

    Added statements have the rule "implied", and their part says what they follow from. ``tick`` is called now and then, and may
    raise to stop the work.
    """
    if model.is_houses:
        return model
    from sudoku_cp.model import strengthen  # noqa: PLC0415  # five modules of passes

    return strengthen.strengthen_model(model, tick)
