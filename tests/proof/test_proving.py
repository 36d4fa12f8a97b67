"""The provers: every true claim is proved and no false one, and certificates are written completely or not at all."""

from __future__ import annotations

import lzma
import shutil
import subprocess
from errno import ENOSPC
from pathlib import Path

import pytest

from sudoku_cp import Puzzle
from sudoku_cp.backends import UNLIMITED, Cancellation, Clock, Limits
from sudoku_cp.errors import InvalidInput, LimitReached, NotProved, UnknownName, Unsupported, WrongAnswer
from sudoku_cp.grid import Board, Grid
from sudoku_cp.model import AllDifferent, Clause
from sudoku_cp.proof import certificate as certification
from sudoku_cp.proof import prove, sat_prover, verify
from sudoku_cp.proof.sat_prover import houses_of, live_clauses, propagate
from sudoku_cp.puzzle.puzzle import CLASSIC
from sudoku_cp.queries import count, solve
from sudoku_cp.rules import (
    RULES,
    Difference,
    EqualityCage,
    EqualSums,
    ExtraRegion,
    KillerCage,
    MultiSumCage,
    RellikCage,
    SumCage,
    rule_from_json,
)

HARD = "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......"
SEVERAL = ".2.4.4.221434321"
CLASH = "11" + "." * 14
BOTH = ("sat", "native")
JIGSAW = (0, 0, 0, 1, 1, 0, 2, 1, 1, 1, 0, 2, 2, 2, 3, 4, 4, 2, 3, 3, 4, 4, 4, 3, 3)
GRIDS = {
    "jigsaw": Grid.of((Board(5, 5, regions=JIGSAW),), range(1, 6)),
    "no boxes": Grid.rectangle(4, 6, None),
    "more values than cells": Grid.square(4, values=range(6)),
    "two boards": Grid((Board(4, 4, (2, 2)), Board(4, 4, (2, 2), at=(2, 2))), range(1, 5)),
    "one value": Grid.rectangle(1, 1, None),
}


def one_solution(puzzle):
    """Return the puzzle with enough givens from a solution to make it unique."""
    solution, givens = solve(puzzle, solution_limit=1).solution, {}
    while (found := solve(puzzle.with_givens(givens))).status == "multiple":
        other = next(one for one in found.solutions if one != solution)
        cell = next(cell for cell in puzzle.grid.cells if other[cell] != solution[cell])
        givens[cell] = solution[cell]
    return puzzle.with_givens(givens)


def verified(certificate, folder):
    """Write a certificate and have the independent checker judge it."""
    report = verify(certificate.write(folder, force=True), trust=True)
    assert (report.verdict, report.problems) == ("verified", ())
    return certificate


# --- true claims ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("file", ["euler96.txt", "norvig_top95.txt", "norvig_hardest.txt"])
def test_published_puzzles_are_proved_by_both_provers(file, puzzle_lines, tmp_path):
    """Easy or hard, each proof is verified, and small."""
    lines = puzzle_lines(file)
    for line in lines[:: len(lines) // 2]:
        certificate = verified(prove(Puzzle.parse(line), provers=BOTH), tmp_path)
        assert certificate.claim == "unique"
        assert [proof.name for proof in certificate.proofs] == ["sat", "native"]
        assert all(len(proof.compress()) < 4096 for proof in certificate.proofs)


@pytest.mark.parametrize(
    ("solver", "rules"),
    [
        pytest.param(solver, rules, marks=[pytest.mark.slow] * (number % 2 != place))
        for number, solver in enumerate(sorted(sat_prover.SOLVERS))
        for place, rules in enumerate(("", "killer-cage"))
    ],
)
def test_every_solver_proves(solver, rules, tmp_path):
    """Each solver of the list ends its proof in the empty clause, and the checker agrees, houses alone or not."""
    puzzle = Puzzle.parse(HARD)
    if rules:
        grid = Grid.square(6)
        puzzle = one_solution(Puzzle(grid, (*CLASSIC, RULES[rules].example(grid))))
    certificate = verified(prove(puzzle, provers=[f"sat:{solver}"]), tmp_path)
    assert certificate.proofs[0].prover == f"sat:{solver}"


@pytest.mark.parametrize("shape", GRIDS)
def test_grids_of_any_shape_are_proved_by_both_provers(shape, tmp_path):
    """Also if houses have fewer cells than values, where clauses imply less than the native engine infers."""
    puzzle = one_solution(Puzzle(GRIDS[shape]))
    assert verified(prove(puzzle, provers=BOTH), tmp_path).claim == "unique"


def test_what_cannot_be_is_proved(puzzle_lines, tmp_path):
    """A puzzle without a solution is proved to have none, whether its givens clash at once or only after a search."""
    lines = [CLASH, *puzzle_lines("no_solution_5000.txt.gz")[:1]]
    broken = [HARD.replace("4.....8.5", "4.1...8.5")]
    for line in lines + broken:
        certificate = verified(prove(Puzzle.parse(line), provers=BOTH), tmp_path)
        assert (certificate.claim, certificate.solution) == ("none", None)


def test_a_formula_with_an_empty_clause_is_refuted_by_it(tmp_path):
    """A rule that plainly cannot hold is the empty clause in the formula, and needs no solver."""
    grid = Grid.square(4)
    never = rule_from_json({"kind": "killer-cage", "cells": ["r1c1", "r1c2"], "total": 99}, grid)
    for solver in ("cadical153", "glucose4"):
        certificate = verified(prove(Puzzle(grid, (*CLASSIC, never)), provers=[f"sat:{solver}"]), tmp_path)
        assert certificate.proofs[0].text == b"0\n"


NEVER = {
    "a cell twice in a cage": (Grid.square(4), (*CLASSIC, KillerCage((0, 1, 0)))),
    "a cage of more cells than values": (Grid.square(4), (*CLASSIC, KillerCage((0, 1, 4, 5, 8)))),
    "a cell twice in an extra region": (Grid.square(4), (*CLASSIC, ExtraRegion((0, 1, 0)))),
    "a cell twice in one of two regions": (Grid.square(4), (*CLASSIC, ExtraRegion((0, 1)), ExtraRegion((0, 1, 0)))),
    "an extra region of more cells than values": (Grid.square(4), (*CLASSIC, ExtraRegion((0, 1, 4, 5, 8)))),
    "a cage alone": (Grid.rectangle(2, 2), (KillerCage((0, 1, 2), total=10),)),
    "an equality cage": (Grid.rectangle(1, 2), (EqualityCage((0, 1, 0)),)),
    "a rellik cage": (Grid.rectangle(1, 2), (RellikCage((0, 1, 0), total=3),)),
    "a multi-sum cage": (Grid.rectangle(1, 2), (MultiSumCage((0, 1, 0), totals=(3,)),)),
    "by propagation": (
        Grid.rectangle(1, 3),
        (EqualSums(((0,), (1,))), Difference((0, 1), 1), SumCage((0,), total=1)),
    ),
}


NAMED = sorted(sat_prover.SOLVERS)
PAIRS = [
    pytest.param(rules, solver, marks=[pytest.mark.slow] * ((place - number) % 3 > 0))
    for number, rules in enumerate(NEVER)
    for place, solver in enumerate(NAMED)
]
"""Each of the rules with two solvers, and each solver with several rules; all pairs among the slow tests."""


@pytest.mark.parametrize(("rules", "solver"), PAIRS)
def test_rules_that_contradict_themselves_are_proved_to_have_no_solution(rules, solver, tmp_path):
    """Whether a clause of the formula is empty, or unit propagation makes one that the solver does not log."""
    report = verify(prove(Puzzle(*NEVER[rules]), provers=[f"sat:{solver}"]).write(tmp_path))
    assert (report.verdict, report.claim, report.problems) == ("verified", "none", ())


def test_a_minimal_puzzle_has_another_grid_for_each_given(tmp_path):
    """Each grid obeys all other givens and the rules, and differs in that cell."""
    puzzle = Puzzle.parse(HARD)
    certificate = verified(prove(puzzle, claim="minimal", provers=BOTH), tmp_path)
    assert set(certificate.others) == set(puzzle.givens)
    for cell, other in certificate.others.items():
        assert other[cell] != puzzle.givens[cell]
        assert puzzle.with_givens({one: value for one, value in puzzle.givens.items() if one != cell}).holds(other)


@pytest.mark.slow
@pytest.mark.parametrize("kind", sorted(RULES))
def test_every_rule_can_be_proved(kind, tmp_path):
    """Whatever the rules beside the houses, two solvers' proofs are verified."""
    grid = Grid.square(6)
    try:
        puzzle = Puzzle(grid, (*CLASSIC, RULES[kind].example(grid)))
    except InvalidInput as error:
        pytest.skip(f"its example does not fit a small grid: {error}")
    puzzle = one_solution(puzzle) if solve(puzzle, solution_limit=1).solution else puzzle
    verified(prove(puzzle, provers=("sat", "sat:glucose4")), tmp_path)


@pytest.mark.parametrize(
    ("file", "number"),
    [("sudaco_16x16.txt", 0), pytest.param("gecode_25x25.txt", 2, marks=[pytest.mark.slow, pytest.mark.timeout(1800)])],
)
def test_large_boards_are_proved(file, number, puzzle_lines, tmp_path):
    """From the reduced formula, the proofs of 16x16 take no time; those of 25x25 are checked by the checker too."""
    verified(prove(Puzzle.parse(puzzle_lines(file)[number]), limits=Limits(300)), tmp_path)


# --- false claims ---------------------------------------------------------------------------------------------------


def test_false_claims_are_refused_with_what_refutes_them():
    """The error names two of several solutions, or that there is none, or the cells of unnecessary givens."""
    several, hard = Puzzle.parse(SEVERAL), Puzzle.parse(HARD)
    for claim in ("auto", "unique", "minimal"):
        for prover in BOTH:
            with pytest.raises(NotProved, match="got two") as refused:
                prove(several, claim=claim, provers=[prover])
            assert len({*refused.value.solutions}) == 2
            assert all(map(several.holds, refused.value.solutions))
    with pytest.raises(NotProved, match="got none"):
        prove(Puzzle.parse(CLASH), claim="unique")
    with pytest.raises(NotProved, match="got one that has") as refused:
        prove(hard, claim="none")
    assert refused.value.solutions == (solve(hard).solution,)
    free = next(cell for cell in hard.grid.cells if cell not in hard.givens)
    more = hard.with_givens({**hard.givens, free: solve(hard).solution[free]})
    with pytest.raises(NotProved, match="not: ") as refused:
        prove(more, claim="minimal")
    assert free in refused.value.unnecessary


def test_requests_that_make_no_sense_are_refused():
    """Unknown claims, provers and solvers, no prover, and other rules for the native prover are refused."""
    puzzle = Puzzle.parse(HARD)
    for wrong in ("gurobi", "sat:minisat22", "sat:nonsense", "native:nonsense"):
        with pytest.raises(UnknownName):
            prove(puzzle, provers=[wrong])
    with pytest.raises(InvalidInput, match="claim: expected one of 'auto', 'unique', 'none', 'minimal', got 'likely'"):
        prove(puzzle, claim="likely")
    with pytest.raises(InvalidInput, match="at least one prover"):
        prove(puzzle, provers=[])
    killer = Puzzle(Grid.square(4), (*CLASSIC, RULES["killer-cage"].example(Grid.square(4))))
    with pytest.raises(Unsupported, match="houses alone"):
        prove(one_solution(killer), provers=["native"])


@pytest.mark.parametrize("lines", [[], ["1 0"], ["1 0", "d 1 0"]])
def test_a_proof_without_an_end_is_a_defect(lines, monkeypatch):
    """A solver that reports no solution but logs no empty clause is not believed."""
    monkeypatch.setattr("sudoku_cp.backends.sat.SatOracle.proof", lambda _: lines)
    with pytest.raises(WrongAnswer, match="empty clause"):
        prove(Puzzle.parse(HARD))


def test_a_prover_whose_solution_breaks_a_rule_is_a_defect(monkeypatch):
    """A solution that refutes a claim is checked itself."""
    monkeypatch.setattr("sudoku_cp.backends.sat.SatOracle.solve", lambda *_: True)
    monkeypatch.setattr("sudoku_cp.backends.sat.SatOracle.model", lambda _: [1, 2, 3])
    with pytest.raises(WrongAnswer, match="expected a solution"):
        prove(Puzzle.parse(HARD))
    with pytest.raises(WrongAnswer, match="expected no solution"):
        prove(Puzzle.parse(HARD), provers=["native", "sat"])


# --- limits ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("prover", ["sat", "sat:glucose4", "native"])
def test_a_deadline_is_kept(prover):
    """No proof by the deadline is no answer: a hard board of 25x25 is given up."""
    with pytest.raises(LimitReached) as reached:
        prove(Puzzle(Grid.square(25)), provers=[prover], limits=Limits(0.05))
    assert reached.value.reason == "deadline"


def test_the_clock_is_looked_at_all_along(monkeypatch):
    """Whichever check of the clock finds that the time is up, the proof is given up there, without another check."""
    looks = 0

    def check(_clock):
        nonlocal looks
        looks += 1
        if looks >= last:
            raise LimitReached("deadline")

    monkeypatch.setattr(Clock, "check", check)
    last = 10**9
    prove(Puzzle.parse(HARD), provers=["sat", "native"])
    assert looks > 4
    for last in (1, looks // 4, looks // 2):  # how many there are depends on how busy the machine is
        looks = 0
        with pytest.raises(LimitReached):
            prove(Puzzle.parse(HARD), provers=["sat", "native"])
        assert looks == last


def test_other_limits_are_kept():
    """A cancellation and a node limit end a proof as they end any query."""
    wish = Cancellation()
    wish.cancel()
    for limits, reason in ((Limits(cancel=wish), "cancelled"), (Limits(nodes=0), "nodes")):
        with pytest.raises(LimitReached) as reached:
            prove(Puzzle.parse(HARD), provers=["native"], limits=limits)
        assert reached.value.reason == reason


# --- parts of the provers ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("shape", [shape for shape in GRIDS if shape != "one value"])
def test_what_is_left_of_the_formula_is_as_true_as_the_formula(shape):
    """The solution satisfies the reduced clauses, and a cell without candidates is a contradiction."""
    puzzle = one_solution(Puzzle(GRIDS[shape]))
    model, tick = puzzle.model(), UNLIMITED.started().check
    houses = houses_of(model)
    domains = [domain & puzzle.assume().get(cell, -1) for cell, domain in enumerate(model.domains)]
    live = propagate(houses, domains, tick)
    solution = solve(puzzle).solution
    assert all(domain >> value & 1 for domain, value in zip(live, solution, strict=True))
    variables = {(cell, value): 100 * cell + value + 1 for cell in puzzle.grid.cells for value in puzzle.grid.values}
    true = {variables[cell, value] for cell, value in enumerate(solution)}
    for clause in live_clauses(houses, live, variables, tick):
        assert any((abs(literal) in true) == (literal > 0) for literal in clause)
    assert propagate(houses, [*domains[:-1], 0], tick) is None


def test_the_native_prover_uses_no_more_than_the_clauses_say():
    """All-different over fewer cells than values is split into pairs for the engine."""
    grid = GRIDS["more values than cells"]
    said = certification._split_into_pairs(Puzzle(grid).model())
    assert {len(one.cells) for one in said.constraints if isinstance(one, AllDifferent)} == {2}
    full = Puzzle(Grid.square(4)).model()
    assert certification._split_into_pairs(full).constraints == full.constraints
    assert not any(isinstance(one, Clause) for one in said.constraints)
    assert count(Puzzle(Grid.square(4))).count == 288


# --- the folder -------------------------------------------------------------------------------------------------------


def test_a_folder_is_never_written_over(tmp_path):
    """Existing files are kept: foreign ones always, an older certificate unless ``force`` is set."""
    certificate = prove(Puzzle.parse("1234.4.32..44321"[:16]), claim="auto")
    folder = certificate.write(tmp_path / "new" / "one")
    names = sorted(path.name for path in folder.iterdir())
    assert "manifest.json" in names
    with pytest.raises(InvalidInput, match="`force`"):
        certificate.write(folder)
    certificate.write(folder, force=True)
    assert sorted(path.name for path in folder.iterdir()) == names
    (folder / "thesis.txt").write_text("three years")
    with pytest.raises(InvalidInput, match=r"thesis\.txt"):
        certificate.write(folder, force=True)
    assert (folder / "thesis.txt").read_text() == "three years"
    with pytest.raises(InvalidInput, match="got the file"):
        certificate.write(folder / "thesis.txt")
    assert sorted(path.name for path in folder.parent.iterdir()) == ["one"]


def test_a_full_disk_leaves_no_half_certificate(tmp_path, monkeypatch):
    """If a file cannot be written, the folder stays as it was."""
    certificate = prove(Puzzle.parse(HARD))
    old = certificate.write(tmp_path / "old")
    before = {path.name: path.read_bytes() for path in old.iterdir()}
    written = []

    def full(path, data):
        written.append(path)
        if len(written) % 3 == 0:
            raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full)
    for folder in ("new", "old"):
        with pytest.raises(InvalidInput, match="No space"):
            certificate.write(tmp_path / folder, force=True)
    assert [path.name for path in tmp_path.iterdir()] == ["old"]
    assert {path.name: path.read_bytes() for path in old.iterdir()} == before


def test_the_same_puzzle_gives_the_same_bytes():
    """A certificate is deterministic: it contains no time and no path."""
    first, second = (prove(Puzzle.parse(HARD), provers=BOTH).files() for _ in range(2))
    assert first == second


def test_drat_trim_agrees(tmp_path):
    """The checker of the SAT competitions, where it is installed, verifies the proofs too."""
    program = shutil.which("drat-trim")
    if program is None:
        pytest.skip("drat-trim is not installed")
    grid = Grid.square(6)
    killer = one_solution(Puzzle(grid, (*CLASSIC, RULES["killer-cage"].example(grid))))
    for puzzle, provers in ((Puzzle.parse(HARD), BOTH), (Puzzle.parse(CLASH), BOTH), (killer, ["sat"])):
        certificate = prove(puzzle, provers=provers)
        folder = certificate.write(tmp_path / "certificate", force=True)
        for proof in certificate.proofs:
            text = tmp_path / proof.name
            text.write_bytes(lzma.decompress((folder / proof.file).read_bytes()))
            output = subprocess.run([program, folder / "formula.cnf", text], capture_output=True, text=True, check=False).stdout
            assert "s VERIFIED" in output


def test_a_folder_that_cannot_be_written_leaves_none_above_it(tmp_path, monkeypatch) -> None:
    """A failed write removes the parent folders that it made, and keeps those that existed."""

    def full(*_: object, **__: object) -> None:
        raise OSError(ENOSPC, "No space left on device")

    (tmp_path / "mine").mkdir()
    certificate = prove(Puzzle.parse("1234341221434321"))
    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(InvalidInput, match="No space left"):
        certificate.write(tmp_path / "mine" / "a" / "b")
    assert [path.name for path in tmp_path.rglob("*")] == ["mine"]
