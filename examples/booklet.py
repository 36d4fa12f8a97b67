"""A booklet of new puzzles: plain ones from easy to hard, a board of 6x6, a killer without givens, thermometers and dots.

The same seed makes the same booklet. Every puzzle is proved by another engine before it is returned; here it is solved once more.
"""

import sys
from pathlib import Path

from sudoku_cp import draw, generate, solve
from sudoku_cp.logic import level_of
from sudoku_cp.render import svg

PAGES = {
    "easy": {"difficulty": "easy", "symmetry": "rot180"},
    "medium": {"difficulty": "medium", "symmetry": "rot180"},
    "hard": {"difficulty": "hard", "minimal": True},
    "small": {"size": 6, "symmetry": "diagonal"},
    "killer": {"rules": "killer", "givens": 0},
    "thermometers and dots": {"rules": "thermo,kropki", "givens": (0, 6), "style": "sparse"},
}

folder = Path(sys.argv[1]) if len(sys.argv) > 1 else None
if folder:
    folder.mkdir(parents=True, exist_ok=True)
for page, (title, wishes) in enumerate(PAGES.items(), 1):
    puzzle = next(generate(seed=2026, **wishes)).puzzle
    answer = solve(puzzle)
    assert answer.status == "unique"
    assert answer.solution == puzzle.solution
    if title in {"easy", "medium", "hard"}:
        assert level_of(puzzle).name.lower() == title
    print(f"{page}. {title}: {len(puzzle.givens)} givens, {len(puzzle.rules) - 1} clues; unique ({answer.backend})")
    if folder:
        (folder / f"{page}.svg").write_text(svg(puzzle), encoding="utf-8")
    elif len(puzzle.rules) == 1:
        print(draw(puzzle))
