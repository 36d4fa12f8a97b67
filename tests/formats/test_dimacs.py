"""The formula written for SAT solvers."""

from __future__ import annotations

import json
from io import StringIO

import pytest
from pysat.formula import CNF
from pysat.solvers import Cadical153

from sudoku_cp.errors import InvalidInput, Unsupported
from sudoku_cp.formats import format_puzzles, solver_export, write_puzzles
from sudoku_cp.formats.solver_export import format_label
from sudoku_cp.grid import Grid
from sudoku_cp.puzzle import Puzzle
from sudoku_cp.puzzle.puzzle import CLASSIC
from sudoku_cp.rules import RULES, rule_from_json
from sudoku_cp.time_limits import EVERY

RULES_TOLD = (
    {"kind": "sum-cage", "cells": ["r1c1", "r1c2", "r2c1"], "total": 6},
    {"kind": "sum-cage", "cells": ["r3c3", "r3c4", "r4c4"], "total": 7},
)


def _text(puzzle):
    return "".join(one.text for one in format_puzzles([puzzle], "dimacs"))


def _solutions(puzzle, limit=None):
    """Solve the text with a SAT solver, decoding with nothing but its own map of variables."""
    text = _text(puzzle)
    names = dict(line.split()[2:4] for line in text.splitlines() if line.startswith("c var") and "auxiliary" not in line)
    fixed = [line.split()[2] for line in text.splitlines() if line.startswith("c fixed")]
    found = set()
    with Cadical153(bootstrap_with=CNF(from_string=text)) as solver:
        while solver.solve() and (limit is None or len(found) < limit):
            true = [number for number in solver.get_model() if number > 0 and str(number) in names]
            told = dict(name.split("=") for name in [*(names[str(number)] for number in true), *fixed])
            found.add(tuple(int(told[puzzle.grid.cell_name(cell)]) for cell in puzzle.grid.cells))
            solver.add_clause([-number for number in true])
    return found


def test_the_header_counts_right():
    """The problem line says how many variables and clauses there are, and stands before the first clause."""
    text = _text(Puzzle.parse("1" + "." * 15))
    lines = text.splitlines()
    at = next(index for index, line in enumerate(lines) if line.startswith("p cnf"))
    clauses = [line for line in lines if not line.startswith(("c", "p"))]
    assert all(line.startswith("c") for line in lines[:at])
    assert lines[at] == f"p cnf 64 {len(clauses)}"
    assert max(abs(int(word)) for line in clauses for word in line.split()) == 64
    assert "c var 1 r1c1=1" in lines


def test_every_clause_stands_in_a_block_that_says_what_it_states():
    """The blocks are: the cells, the parts of each rule with its number, what follows from several, givens, candidates."""
    grid = Grid.square(4)
    rules = (*CLASSIC, *(rule_from_json(told, grid) for told in RULES_TOLD))
    lines = _text(Puzzle(grid, rules, givens={0: 1}, candidates={1: 0b1100})).splitlines()
    at = next(index for index, line in enumerate(lines) if line.startswith("p cnf"))
    labels = [json.loads(line.removeprefix("c block ")) for line in lines[:at] if line.startswith("c block ")]
    assert labels[0] == {"block": "cells", "clauses": [1, 16 * 7]}
    said = [(label["rule"], label["kind"]) for label in labels if label["block"] == "rule"]
    assert said == [(0, "houses")] * 12 + [(1, "sum-cage"), (2, "sum-cage")]
    assert {"part": "row 1", "constraint": "AllDifferent", "cells": ["r1c1", "r1c2", "r1c3", "r1c4"]}.items() <= labels[1].items()
    last = len(lines) - at - 1
    assert labels[-2:] == [
        {"block": "given", "cell": "r1c1", "value": 1, "clauses": [last - 2, last - 2]},
        {"block": "candidates", "cell": "r1c2", "not": [1, 4], "clauses": [last - 1, last]},
    ]
    assert lines[-3:] == ["1 0", "-5 0", "-8 0"]
    ends = [label["clauses"] for label in labels]
    assert [first for first, _ in ends] == [1, *(end + 1 for _, end in ends[:-1])]


def test_nothing_in_the_text_misleads_other_programs():
    """Comments stand before the line p, contain no texts of people, are short, and never contain the word ``cnf``."""
    grid = Grid.square(16)
    rule = {"kind": "killer-cage", "cells": [grid.cell_name(cell) for cell in grid.cells][:16], "total": 136}
    puzzle = Puzzle(grid, (*CLASSIC, *(rule_from_json(rule, grid) for _ in range(2))), title="x cnf 1 1\nc", author="cnf 1 2")
    lines = _text(puzzle).splitlines()
    at = next(number for number, line in enumerate(lines) if not line.startswith("c"))
    head = lines[:at]
    assert lines[at].startswith("p cnf ")
    assert not any(line.startswith("c") for line in lines[at:])
    assert all(line.startswith("c ") and len(line) < 1000 and "cnf" not in line for line in head)


def test_a_long_label_goes_on_in_further_lines():
    """A label is cut into short comments, which together are its JSON; they never contain the word ``cnf``."""
    label = {"block": "rule", "part": "cnf 1 2", "cells": [f"r{row}c30" for row in range(1, 400)]}
    first, *more = format_label(label).splitlines()
    assert more
    assert all(len(line) < 1000 and "cnf" not in line for line in (first, *more))
    assert json.loads(first.removeprefix("c block ") + "".join(line.removeprefix("c + ") for line in more)) == label


def test_what_several_rules_imply_has_no_number():
    """A constraint that relies on several rules belongs to none; without the others, the rule itself states all."""
    grid = Grid.square(4)
    rank = rule_from_json({"kind": "full-rank", "cells": ["r1c1", "r1c2", "r1c3", "r1c4"], "rank": 1}, grid)
    for rules, kinds in (((*CLASSIC, rank), {(0, "houses"), (None, "full-rank")}), ((rank,), {(0, "full-rank")})):
        labels = [json.loads(line[8:]) for line in _text(Puzzle(grid, rules)).splitlines() if line.startswith("c block ")]
        assert {(label["rule"], label["kind"]) for label in labels if label["block"] == "rule"} == kinds


@pytest.mark.parametrize(
    ("puzzle", "number"),
    [
        (Puzzle.parse("." * 16), 288),
        (Puzzle.parse("1234" + "." * 12), 12),
        (Puzzle.parse("11" + "." * 14), 0),
        (Puzzle(Grid.square(4), candidates={0: 0b110}), 144),
        (Puzzle(Grid.square(4), givens={0: 1}, candidates={0: 0b100}), 0),
        (Puzzle(Grid.square(4), (*CLASSIC, rule_from_json({"kind": "diagonals"}, Grid.square(4)))), 48),
        (Puzzle(Grid.rectangle(1, 1, None)), 1),
        (Puzzle(Grid.rectangle(1, 2, None), givens={0: 1, 1: 1}), 0),
    ],
    ids=["empty", "row", "clash", "candidates", "none left", "diagonals", "one cell", "one row"],
)
def test_the_formula_has_the_solutions_of_the_puzzle(puzzle, number):
    """A SAT solver finds exactly the puzzle's solutions in the text, each a solution by the rules themselves."""
    found = _solutions(puzzle)
    assert len(found) == number
    assert all(puzzle.holds(values) for values in found)


def test_a_real_puzzle_has_its_one_solution(data):
    """The formula of a published 9x9 puzzle has its one solution."""
    for line in data("puzzles/norvig_hardest.txt").read_text().split()[:5]:
        puzzle = Puzzle.parse(line)
        (values,) = _solutions(puzzle, limit=2)
        assert puzzle.holds(values)


LARGE = ("chaos-construction", "connected-values", "full-rank")
"""Rules of many clauses."""


@pytest.mark.parametrize("kind", [pytest.param(one, marks=pytest.mark.slow) if one in LARGE else one for one in sorted(RULES)])
def test_every_rule_becomes_clauses(kind):
    """Whatever the rule, a model of the formula is a grid that obeys it."""
    grid = Grid.square(6)
    try:
        puzzle = Puzzle(grid, (*CLASSIC, RULES[kind].example(grid)))
    except InvalidInput as error:
        pytest.skip(f"its example does not fit a small grid: {error}")
    assert all(puzzle.holds(values) for values in _solutions(puzzle, limit=1))


def test_a_limit_may_come_while_statements_are_looked_up(monkeypatch):
    """Large rules have thousands of statements, each of which is looked up: the clock is checked on the way."""
    puzzle = Puzzle(Grid.square(4), (*CLASSIC, RULES["chaos-construction"].example(Grid.square(4))))
    model, ticks, real = puzzle.model(), [], solver_export.make_block
    monkeypatch.setattr(solver_export, "make_block", lambda kind, said, _tick: real(kind, said, int))
    assert None not in solver_export._rule_numbers(puzzle, model, lambda: ticks.append("tick"))
    assert len(ticks) >= 2 * len(model.statements) // EVERY


def test_a_file_holds_one_puzzle(easy):
    """The second puzzle is refused."""
    with pytest.raises(Unsupported, match="got another"):
        write_puzzles(easy, StringIO(), "dimacs")
