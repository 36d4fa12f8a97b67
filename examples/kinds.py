"""Puzzles of several kinds: drawn, solved by every engine, and the solutions compared.

The puzzles stand in `kinds.jsonl` in the project's own JSON, one a line: other sizes and alphabets, irregular regions,
five overlapping boards, and a puzzle for each family of rules.
"""

from pathlib import Path

from sudoku_cp import Position, cross_check, draw, read_puzzles, solve

puzzles = list(read_puzzles(Path(__file__).with_name("kinds.jsonl")))
for puzzle in puzzles:
    answer = solve(puzzle)
    print(f"\n{puzzle.title}: {answer.status}, by {answer.backend}")
    print(draw(Position.of(puzzle, answer.solution)))
    assert answer.status == "unique"

compared = cross_check(puzzles, ["native", "sat", "cpsat", "cpsat:alldifferent"])
assert compared.agreed, compared.disagreements
print(f"\n{compared.puzzles} puzzles, {len(compared.tallies)} engines, no disagreement")
