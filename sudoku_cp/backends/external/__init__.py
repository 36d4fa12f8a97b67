"""Engines that are external programs, found on the PATH: a process answers a question, or yields one solution of it.

`programs` runs them within limits; `dimacs` is for SAT solvers, `minizinc` for the solvers that MiniZinc drives.
"""

NAMES = ("dimacs:cadical", "dimacs:cryptominisat5", "dimacs:kissat", "dimacs:minisat", "minizinc:chuffed", "minizinc:gecode")
"""Engines worth listing; other programs with the same input and output are named likewise."""
