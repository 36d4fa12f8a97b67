"""The tables of a size of board, and the record that holds a `Grid`."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from sudoku_cp.logic.rating.kernel.grid import HINT_FIELDS

if TYPE_CHECKING:
    from numpy.typing import NDArray


def make_houses(box_height: int, box_width: int) -> NDArray[np.int64]:
    """Return (3, n, n) the cells of boxes, rows and columns, in reading order."""
    n = box_height * box_width
    rows = np.arange(n * n).reshape(n, n)
    boxes = rows.reshape(box_width, box_height, box_height, box_width).swapaxes(1, 2).reshape(n, n)
    return np.stack([boxes, rows, rows.T])


@lru_cache(maxsize=8)
def _tables(box_height: int, box_width: int) -> dict[str, NDArray[Any]]:
    houses = make_houses(box_height, box_width)
    n = houses.shape[1]
    house_of, place_of = np.zeros((2, n * n, 3), np.int64)
    for kind, house, position in np.ndindex(3, n, n):
        own = houses[kind, house, position]
        house_of[own, kind], place_of[own, kind] = house, position
    peers = []
    for cell in range(n * n):
        seen = [int(peer) for kind in range(3) for peer in houses[kind, house_of[cell, kind]] if peer != cell]
        peers.append(list(dict.fromkeys(seen)))
    sees = np.zeros((n * n, n * n), np.uint8)
    for cell in range(n * n):
        sees[cell, peers[cell]] = 1
    return {"houses": houses, "house_of": house_of, "place_of": place_of, "peers": np.array(peers), "sees": sees}


@lru_cache(maxsize=8)
def _blank_grid(box_height: int, box_width: int) -> Any:
    """Return an array of one record with the tables. Numba compiles for its shapes: fields of a record have constant ones."""
    tables = _tables(box_height, box_width)
    n, cells = box_height * box_width, (box_height * box_width) ** 2
    shapes = {
        "values": (cells,),
        "candidates": (cells,),
        "places": (3, n, n),
        "open_cells": (3, n),
        "hint": (HINT_FIELDS,),
        "removed": (cells,),
    }
    fields: list[Any] = [(name, np.int64, shape) for name, shape in shapes.items()]
    fields += [(name, table.dtype, table.shape) for name, table in tables.items()]
    blank = np.zeros(1, np.dtype(fields, align=True))
    for name, table in tables.items():
        blank[name] = table
    return blank


def make_grid(box_height: int, box_width: int) -> Any:
    """Return the record of a board, with its tables filled in and no puzzle."""
    return _blank_grid(box_height, box_width).copy()[0]
