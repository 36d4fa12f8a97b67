"""Sudoku Explainer's way through a puzzle, in Numba's language.

Theory of operation. A `Grid` is the state: candidates of cells and places in houses, as sets of bits, which `remove` and `place`
keep in step. Each module below holds one or a few *producers*, functions that look for one technique in the order in which Sudoku
Explainer looks, and stop at its first hint. They write it into the grid's ``hint`` and ``removed``, and return whether there was
one. `path` tries the producers from the top, applies what it finds and begins again; `explainer` (Python) calls it, some steps
at a time, and looks at the clock in between. Where no producer of the ladder has a hint, `forcing` searches multiple and dynamic
chains cell by cell: `reductions` over `runs`, which patterns and `nested_chains` help on.

Rules of these files:

- A digit is 0 to n - 1 and the bit of a set; a place is the position of a cell in a house.
- Kinds of houses are numbered as in ``houses``: boxes, rows, columns. Producers of the ladder go through them in another order:
  boxes, columns, rows (`KINDS`). Which comes first decides which hint is found, and so the rating.
- Ratings are in tenths.
"""
