"""The models written for other solvers: OPB, FlatZinc, CP-SAT. Each is solved with only its own names of variables."""

from __future__ import annotations

import re
import shutil
import subprocess
from tempfile import NamedTemporaryFile

import pytest
from ortools.sat.python import cp_model

from sudoku_cp.errors import InvalidInput
from sudoku_cp.formats import format_puzzles
from sudoku_cp.grid import Grid
from sudoku_cp.puzzle import Puzzle
from sudoku_cp.puzzle.puzzle import CLASSIC
from sudoku_cp.rules import RULES

LINE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
SOLVED = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"
NAMES = ("opb", "flatzinc", "cpsat")


def _text(name, puzzle):
    return "".join(one.text for one in format_puzzles([puzzle], name))


class _Seen(cp_model.CpSolverSolutionCallback):
    """Collects the grids of all models, each once."""

    def __init__(self, cells, limit):
        super().__init__()
        self.cells, self.limit, self.found = cells, limit, set()

    def on_solution_callback(self):
        self.found.add(tuple(sum(value for variable, value in cell if self.value(variable)) for cell in self.cells))
        if self.limit and len(self.found) >= self.limit:
            self.stop_search()


def _enumerated(model, cells, limit):
    """Return the grids of a model; a cell is (variable, value) pairs of which one is true."""
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.enumerate_all_solutions = True
    seen = _Seen(cells, limit)
    solver.solve(model, seen)
    return seen.found


def _opb(puzzle, limit=None):
    """Read the formula into an integer solver, line by line, which finds the grids."""
    text = _text("opb", puzzle)
    variables, constraints = map(int, re.match(r"\* #variable= (\d+) #constraint= (\d+)\n", text).groups())
    model = cp_model.CpModel()
    known = [model.new_bool_var("") for _ in range(variables)]
    lines = [line for line in text.splitlines() if not line.startswith("*")]
    assert len(lines) == constraints
    for line in lines:
        terms, relation, total = re.fullmatch(r"((?:[+-]\d+ x\d+ )+)(=|>=) (-?\d+) ;", line).groups()
        pairs = re.findall(r"([+-]\d+) x(\d+)", terms)
        whole = sum(int(factor) * known[int(number) - 1] for factor, number in pairs)
        model.add(whole == int(total) if relation == "=" else whole >= int(total))
    told = dict(re.findall(r"^\* var (x\d+) (r\d+c\d+=\d+)$", text, re.MULTILINE))
    cells = [[] for _ in puzzle.grid.cells]
    for number, meaning in told.items():
        name, value = meaning.split("=")
        cells[puzzle.grid.parse_cell(name)].append((known[int(number[1:]) - 1], int(value)))
    return _enumerated(model, cells, limit)


def _cpsat(puzzle, limit=None):
    """Let OR-tools parse the text, and find the grids by the names of the variables."""
    model = cp_model.CpModel()
    assert model.proto.parse_text_format(_text("cpsat", puzzle))
    assert not model.validate()
    place = {variable.name: index for index, variable in enumerate(model.proto.variables)}
    cells = []
    for cell in puzzle.grid.cells:
        number = model.get_int_var_from_proto_index(place[puzzle.grid.cell_name(cell)])
        truths = [(model.new_bool_var(""), value) for value in puzzle.grid.values]
        for truth, value in truths:
            model.add(number == value).only_enforce_if(truth)
            model.add(number != value).only_enforce_if(truth.negated())
        cells.append(truths)
    return _enumerated(model, cells, limit)


def _flatzinc(puzzle, limit=None):
    """Let Gecode find the grids, by the names of the variables that it prints."""
    if shutil.which("fzn-gecode") is None:
        pytest.skip("fzn-gecode is not installed")
    with NamedTemporaryFile("w", suffix=".fzn") as file:
        file.write(_text("flatzinc", puzzle))
        file.flush()
        command = ["fzn-gecode", "-n", str(limit or 0), file.name]
        ran = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60)
    assert not ran.stderr
    found = set()
    for block in ran.stdout.split("----------\n")[:-1]:
        told = dict(re.findall(r"^(r\d+c\d+) = (\d+);$", block, re.MULTILINE))
        found.add(tuple(int(told[puzzle.grid.cell_name(cell)]) for cell in puzzle.grid.cells))
    return found


SOLVERS = {"opb": _opb, "flatzinc": _flatzinc, "cpsat": _cpsat}


def _four(kind, **fields):
    return Puzzle(Grid.square(4), (*CLASSIC, RULES[kind](**fields)))


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    ("puzzle", "number"),
    [
        (Puzzle.parse("." * 16), 288),
        (Puzzle.parse("1234" + "." * 12), 12),
        (Puzzle.parse("11" + "." * 14), 0),
        (Puzzle(Grid.square(4), candidates={0: 0b110}), 144),
        (Puzzle(Grid.square(4), givens={0: 1}, candidates={0: 0b100}), 0),
        (_four("diagonals"), 48),
        (Puzzle(Grid.square(4, values=range(4))), 288),
        (Puzzle(Grid.rectangle(1, 1, None)), 1),
        (Puzzle(Grid.rectangle(1, 2, None), givens={0: 1, 1: 1}), 0),
    ],
    ids=["empty", "row", "clash", "candidates", "none left", "diagonals", "from zero", "one cell", "one row"],
)
def test_the_model_has_the_solutions_of_the_puzzle(name, puzzle, number):
    """Another solver finds exactly the puzzle's solutions in the text, each a solution by the rules themselves."""
    found = SOLVERS[name](puzzle)
    assert len(found) == number
    assert all(puzzle.holds(values) for values in found)


@pytest.mark.parametrize("name", NAMES)
def test_a_real_puzzle_has_its_one_solution(name):
    """The text of a well-known puzzle has its one solution, and none if a digit of it is forbidden."""
    puzzle = Puzzle.parse(LINE)
    assert SOLVERS[name](puzzle, 2) == {tuple(map(int, SOLVED))}
    assert not SOLVERS[name](Puzzle(givens=puzzle.givens, candidates={2: 0b1111111110 & ~(1 << 4)}), 2)


EVERY = ["cpsat", *(pytest.param(name, marks=pytest.mark.slow) for name in ("opb", "flatzinc"))]
"""The other two share the code that states rules with it, and are tried on the rules below."""
LARGE = ("chaos-construction", "full-rank")
"""Rules of many constraints."""
BUSY = {("flatzinc", "chaos-construction"), ("flatzinc", "connected-values"), ("cpsat", "connected-values")}
"""Pairs that take more than a minute."""


@pytest.mark.parametrize("name", EVERY)
@pytest.mark.parametrize("kind", [pytest.param(one, marks=pytest.mark.slow) if one in LARGE else one for one in sorted(RULES)])
def test_every_rule_is_stated(name, kind):
    """Whatever the rule, the grids that another solver finds obey it."""
    if (name, kind) in BUSY:
        pytest.skip("its many clauses keep this solver busy for long")
    grid = Grid.square(6)
    try:
        puzzle = Puzzle(grid, (*CLASSIC, RULES[kind].example(grid)))
        text = _text(name, puzzle)
    except InvalidInput as error:
        pytest.skip(f"its example does not fit a small grid: {error}")
    assert f"{kind}: " in text
    assert all(puzzle.holds(values) for values in SOLVERS[name](puzzle, 1))


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("kind", ["killer-cage", "thermometer", "whisper", "skyscraper", "sandwich", "count-distinct", "even"])
def test_no_solution_is_lost(name, kind):
    """The text has as many solutions as a count by the rule itself over all 288 grids of 4x4."""
    grid = Grid.square(4)
    puzzle = Puzzle(grid, (*CLASSIC, RULES[kind].example(grid)))
    every = _cpsat(Puzzle(grid))
    assert SOLVERS[name](puzzle) == {values for values in every if puzzle.holds(values)}


@pytest.mark.parametrize("name", NAMES)
def test_a_file_holds_one_puzzle(name, easy):
    """The second puzzle is refused; titles cannot break the comments."""
    first, second, _ = format_puzzles(easy, name)
    assert first.error is None
    assert "got another" in str(second.error)
    assert SOLVERS[name](Puzzle(Grid.square(4), givens={0: 1}, title='a\n"b\\ {', author="c\rd"), 1)
