"""Engines that are programs of their own, found on the PATH: a process answers a question, or one solution of it.

`processes` runs them within limits, `dimacs` speaks with SAT solvers, `minizinc` with what MiniZinc drives.
"""

NAMES = ("dimacs:cadical", "dimacs:cryptominisat5", "dimacs:kissat", "dimacs:minisat", "minizinc:chuffed", "minizinc:gecode")
"""Kinds that are worth listing; other programs that speak the same way go by their names too."""
