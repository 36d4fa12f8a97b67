"""The independent checker of certificates: the standard library alone, and nothing of the package that wrote them.

``python -m checker FOLDER`` says whether the folder proves its claim, wherever these files are.
In the order of reading:

- `report`: what is claimed, and the answer
- `files`: the files and their hashes
- `grid`, `fields`, `conditions`, `patterns`, `rules`, `puzzle`: the puzzle, read anew from its JSON; what it may not say is told
- `differing`: the rules that only say that cells differ
- `machines`, `meanings` with `everywhere`, `cages`, `lines`, `clues`, `custom`, and `statements`: what all other rules mean
- `grids`: filled grids: the solution, and those that show that each given is needed
- `formula`: the formula, read, and compared clause by clause with what the puzzle says
- `rule_blocks`, `comparison`, `digit_sets`, `walk`, `remainders`: the clauses of rules, compared with their meaning
- `proof`: every lemma follows by unit propagation, and the last one is the empty clause
- `verdict`: the check as a whole; `__main__`: the command line

Whoever trusts these files, Python, and SHA-256 need not trust the program, the solvers or the machine that made the folder.
`docs/certificates.md` tells the format and what is left to trust.
"""

from .report import Report
from .verdict import check

__all__ = ["Report", "check"]
