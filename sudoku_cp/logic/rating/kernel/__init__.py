"""The ways of Sudoku Explainer and Sukaku Explainer through a puzzle, in Numba's language.

Theory of operation. A `Grid` is the state: candidates of cells and places in houses, as sets of bits, which `remove` and `place`
keep in step. Each module below holds one or a few *producers*, functions that look for one technique in the order in which the
programs look, and stop at its first hint, or find the best of all. They write it into the grid's ``hint`` and ``removed``, and
return whether there was one. `ladder` tries the producers of direct and basic techniques from the top, applies what it finds and
begins again; `explainer` (Python) calls it, some steps at a time, and looks at the clock in between. Where that has no hint,
`explainer` goes through the rungs of the program one by one: those of `ladder`, and `strong_links` and `bent_wings`, which Sukaku
Explainer added. Last come multiple and dynamic chains, cell by cell: `reductions` over `runs`, which `patterns` and
`nested_chains` help on.

Rules of these files:

- A digit is 0 to n - 1 and the bit of a set; a place is the position of a cell in a house.
- Kinds of houses are numbered as in ``houses``: boxes, rows, columns, then those of variants. Producers of the ladder go through
  them in another order: boxes, columns, rows, the others (`kind_of_turn`). Which comes first decides which hint is found, and so
  the rating.
- One source serves all boards: a board is a record whose arrays have constant shapes, and Numba compiles for these. Plain boards
  have three kinds of houses; boards of variants have room for ten, so that one compilation serves every mixture.
- Ratings are in tenths.
"""
