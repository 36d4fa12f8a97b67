"""Project Euler, problem 96: the sum of the three digits in the top-left corner of 50 solved puzzles.

Every engine solves all of them; every solution is checked against the rules before it is used.
"""

from pathlib import Path

from sudoku_cp import read_puzzles, solve

puzzles = list(read_puzzles(Path(__file__).with_name("euler96.txt")))
sums = {}
for engine in ("fast", "native", "sat", "cpsat"):
    answers = [solve(puzzle, backend=engine) for puzzle in puzzles]
    assert all(answer.status == "unique" for answer in answers)
    sums[engine] = sum(int("".join(map(str, answer.solution[:3]))) for answer in answers)
    print(f"{engine:>7}: {len(answers)} puzzles, each with one solution, sum {sums[engine]}")
assert len(set(sums.values())) == 1, "the engines disagree"
print(sums["native"])
