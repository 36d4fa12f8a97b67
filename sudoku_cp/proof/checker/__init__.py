"""The independent checker of certificates: the standard library alone, and nothing of the package that wrote them.

``python -m checker FOLDER`` says whether the folder proves its claim, wherever these files have been copied.

Theory of operation
===================

A certificate claims that a puzzle has one solution (or none, or one that needs every given). The argument has three links:

1. the formula (CNF) is true exactly for the solutions of the puzzle other than the one stated;
2. the formula is unsatisfiable: each lemma of the proof follows from the clauses before it by reverse unit propagation (RUP),
   which hints may name clause by clause, and the last lemma is the empty clause;
3. the stated solution is one, and so are the other grids of a minimal puzzle but for the one given they leave out.

The checker reads everything once, in this order, and never trusts a later file to vouch for an earlier one:

- `report`: claims, verdicts, the exceptions `Rejected` and `CheckLimitReached` that end a check, and its budget
- `certificate_files`: the folder holds the files of the manifest and no others, each with its size and SHA-256
- `certified_grid`, `certified_rules`, `field_conditions`, `certified_puzzle`: the puzzle, parsed from its JSON by
  tables of the checker's own; whatever the format does not allow is rejected
- `all_different_rules`: the rules that only say that cells differ, as lists of cells
- `rule_machines`, `rule_meanings` with `meanings_of_global_rules`, `meanings_of_cages`, `meanings_of_lines` and
  `meanings_of_clues`, and `rule_statements`: what every other rule means, as small state machines that read the values of some
  cells
- `dimacs_formula`: link 1 for cells, givens, candidates and the solution: their clauses are rebuilt and must be the same
- `rule_blocks`: link 1 for rules: clauses of rules of `all_different_rules` are rebuilt; for the rest, `meaning_comparison`
  compares clauses with machines, by sets of values where order does not matter (`set_comparison`), otherwise by walking
  through all values with both at once (`joint_walk`, on clauses in `clause_tracks`): with an automaton where the clauses unroll
  one (`clause_automata`), else with what is left of them (`clause_remainders`)
- `proof_files`: the lines of a proof; `drup_proof`: link 2, by unit propagation with two watched literals; `lrat_proof`: link
  2, by following hints
- `folder_check`: link 3, and runs these stages; `__main__`: the command line

Invariants
----------
- A verdict is "verified" only if no problem was found, no limit came first, and nothing is taken on trust (unless allowed).
- A certificate can make the checker give up (`CheckLimitReached`, `TooMuchWork`), never make it say yes: work is counted
  in steps, the same on every machine, and whatever was not compared is listed in `Report.trusted`.
- Whoever makes many things out of few bytes counts them first (`CheckBudget`): what takes long looks at the clock, what is
  large is refused before it is stored. Limits of time and memory leave a folder unchecked.
- Any other exception while a file is read is a rejection.
- Clauses become premises of the proof (`DimacsFormula.clauses` and ``groups``, which stand for all lines of the formula) even if
  the comparison of their block found a problem: the proof is still checked, and the folder is rejected anyway.

What is left to trust: these files, Python, and SHA-256; `docs/certificates.md` describes the format and has the whole list.
Sources: DRUP and RUP are the proof formats of the SAT competitions (Goldberg and Novikov 2003; Heule, Hunt and Wetzler,
"Trimming while checking clausal proofs", 2013), LRAT adds hints to them (Cruz-Filipe and others, "Efficient certified RAT
verification", 2017); watched literals are Chaff's (Moskewicz and others, 2001).
"""

from .folder_check import check
from .report import Report

__all__ = ["Report", "check"]
