"""The techniques: each is a generator from a board, which it does not change, to the steps that it finds there.

A module holds one family. `sudoku_cp.logic.ladder` puts them in order.
"""
