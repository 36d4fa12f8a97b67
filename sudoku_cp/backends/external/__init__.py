"""Engines that are external programs, found on the PATH: one process answers a question, or finds one of its solutions.

`programs` runs them within limits; `dimacs` is for SAT solvers, `minizinc` for the solvers that MiniZinc drives.
"""

NAMES = ("dimacs:cadical", "dimacs:cryptominisat5", "dimacs:kissat", "dimacs:minisat", "minizinc:chuffed", "minizinc:gecode")
"""Engines worth listing; other programs with the same input and output are named likewise."""
