"""Trust: a certificate made, checked and tampered with; why a puzzle is wrong; what its solutions share; a twin in disguise.

Nothing here has to be believed: the certificate is a folder of plain files that `drat-trim` or the independent checker verifies.
"""

from pathlib import Path
from tempfile import TemporaryDirectory

from sudoku_cp import Grid, Puzzle, check, count, prove, true_candidates, verify
from sudoku_cp.puzzle import scramble

puzzle = Puzzle.parse("4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......")

print("Proved by two provers, each by itself:")
certificate = prove(puzzle, claim="minimal", provers=("sat", "native"))
for proof in certificate.proofs:
    print(f"  {proof.prover}: {proof.lemmas} lemmas, {len(proof.compress())} bytes")
with TemporaryDirectory() as folder:
    where = certificate.write(Path(folder) / "certificate")
    report = verify(where)
    print(f"  {report.verdict}: {report.claim}")
    assert report.verdict == "verified"
    formula = where / "formula.cnf"
    formula.write_text(formula.read_text().replace("-1 -2 0\n", "", 1))
    report = verify(where)
    print(f"  after a clause was removed: {report.verdict}, {report.problems[0]}")
    assert report.verdict == "rejected"

print("\nOne given too many, and a wrong one:")
wrong = check(puzzle.with_givens({**puzzle.givens, 80: 4}))
assert wrong.conflict
assert wrong.conflict.smallest
print("  these clash:", *map(puzzle.grid.cell_name, wrong.conflict.givens), *wrong.conflict.rules, sep="  ")

print("\nOne given too few:")
last = puzzle.grid.parse_cell("r9c3")
fewer = puzzle.with_givens({cell: value for cell, value in puzzle.givens.items() if cell != last})
several = check(fewer)
print(f"  two solutions differ in {len(several.differ)} cells; {len(several.additions)} further givens would leave one")
print(f"  {sum(domain.bit_count() for domain in true_candidates(fewer).possible)} candidates occur in some solution")
print(f"  {count(fewer).count:,} solutions; an empty board of 6x6 has {count(Puzzle(Grid.square(6))).count:,}")

twin = scramble(puzzle, seed=1)
print("\nThe same in disguise:", twin.line())
assert twin != puzzle
assert twin.canonical() == puzzle.canonical()
