"""The independent checker: it verifies honest certificates, stands alone, and knows the meaning of rules."""

from __future__ import annotations

import ast
import itertools
import json
import shutil
import subprocess
import sys
from dataclasses import FrozenInstanceError
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from pysat.solvers import Solver

from sudoku_cp import Puzzle, solve
from sudoku_cp.errors import InvalidInput
from sudoku_cp.grid import Grid
from sudoku_cp.proof import checker, prove
from sudoku_cp.proof.checker import check
from sudoku_cp.proof.checker.__main__ import main
from sudoku_cp.proof.checker.all_different_rules import ALL_DIFFERENT_RULES
from sudoku_cp.proof.checker.certified_rules import FIELDS
from sudoku_cp.proof.checker.field_conditions import MOST_STATES
from sudoku_cp.proof.checker.folder_check import check_stages
from sudoku_cp.proof.checker.meanings_of_lines import loop_machine
from sudoku_cp.proof.checker.report import CheckBudget, CheckFindings, CheckLimitReached
from sudoku_cp.proof.checker.rule_meanings import MEANINGS, UNEXPLAINED
from sudoku_cp.proof.checker.rule_statements import JOINED
from sudoku_cp.rules import RULES, rule_from_json, rule_to_json
from sudoku_cp.rules.custom import STATES
from sudoku_cp.rules.houses import Houses

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.proof.conftest import Folder

CHECKER = Path(checker.__file__).parent
SOURCES = sorted(CHECKER.glob("*.py"))


# --- honest certificates ------------------------------------------------------------------------------------------


def test_honest_certificates_are_verified(honest: Callable[[str], Folder], name: str, tmp_path: Path) -> None:
    """Every certificate that the prover makes is verified, and nothing in it is taken on trust."""
    report = check(honest(name).write(tmp_path), trust=True)
    assert (report.verdict, report.problems) == ("verified", ())
    assert bool(report.trusted) == (name == "regular expression")


def test_nothing_is_verified_on_trust_unless_that_is_asked_for(honest: Callable[[str], Folder], tmp_path: Path) -> None:
    """Parts that can only be taken on trust are reported, and leave the certificate unchecked without ``trust``."""
    folder = honest("regular expression").write(tmp_path)
    for trust, verdict in ((False, "unchecked"), (True, "verified")):
        report = check(folder, trust=trust)
        assert report.verdict == verdict
        assert len(report.trusted) == 1
        assert "rule 1 (regular-expression)" in report.trusted[0]


def test_a_report_cannot_be_changed(honest: Callable[[str], Folder], tmp_path: Path) -> None:
    """A report is immutable."""
    report = check(honest("4x4").write(tmp_path))
    with pytest.raises(FrozenInstanceError):
        report.verdict = "rejected"  # type: ignore[misc]


# --- it stands alone ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("source", SOURCES, ids=lambda source: source.name)
def test_it_imports_the_standard_library_alone(source: Path) -> None:
    """Its files import only the standard library and each other."""
    imported = set()
    for node in ast.walk(ast.parse(source.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            imported |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            imported.add((node.module or "").split(".")[0])
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 1
            assert {node.module} <= {source.stem for source in SOURCES} | {None}
    assert imported <= set(sys.stdlib_module_names)


def test_no_file_of_it_is_long() -> None:
    """A sceptic can read each file in one sitting, and the reading order lists all of them."""
    named = checker.__doc__ or ""
    for source in SOURCES:
        assert len(source.read_text(encoding="utf-8").splitlines()) < 400, source.name
        assert source.stem == "__init__" or f"`{source.stem}`" in named, source.name


def alone(copy: Path, *folders: Path) -> tuple[int, list[dict[str, object]]]:
    """Run a copied checker in an interpreter without other packages, and return its exit code and its output."""
    command = [sys.executable, "-E", "-s", "-S", "-m", copy.name, "--json", *map(str, folders)]
    ran = subprocess.run(command, capture_output=True, text=True, timeout=60, cwd=copy.parent, check=False)
    return ran.returncode, [json.loads(line) for line in ran.stdout.splitlines()]


def test_the_folder_copied_away_is_the_whole_checker(honest: Callable[[str], Folder], tmp_path: Path) -> None:
    """Without the package, under any name, a copy verifies a right folder, and rejects a wrong or missing one."""
    copy = Path(shutil.copytree(CHECKER, tmp_path / "sceptic", ignore=shutil.ignore_patterns("__pycache__")))
    good, bad, folder = honest("4x4").write(tmp_path / "4x4"), honest("candidates").write(tmp_path / "bad"), honest("killer")
    (bad / "solution.txt").write_text("1\n")
    cage = folder.write(tmp_path / "cage")
    folder.change_blocks(lambda label, lines: [] if label.get("rule") == 1 else lines)
    code, reports = alone(copy, good, bad, cage, folder.write(tmp_path / "less"), tmp_path / "nowhere")
    assert code == 1
    assert [report["verdict"] for report in reports] == ["verified", "rejected", "verified", "rejected", "absent"]
    assert not any(report["trusted"] for report in reports)
    assert alone(copy, good, cage)[0] == 0


# --- the command line ---------------------------------------------------------------------------------------------


def test_the_command_line_says_what_was_checked(
    honest: Callable[[str], Folder], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """In words, a verified folder comes with its claim and how its clauses were checked."""
    assert main([str(honest("killer").write(tmp_path))]) == 0
    printed = capsys.readouterr().out
    assert "VERIFIED: the puzzle has exactly one solution" in printed
    assert "0 on trust" in printed


@pytest.mark.parametrize(
    "words",
    [[], ["--timeout"], ["--timeout", "soon", "x"], ["--timeout", "-1", "x"], ["--timeout", "nan", "x"], ["--wrong", "x"]],
)
def test_bad_usage_is_exit_code_2(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """Arguments that it does not understand are refused."""
    with pytest.raises(SystemExit, match="2"):
        main(words)
    assert "usage" in capsys.readouterr().err


def test_a_limit_is_neither_yes_nor_no(honest: Callable[[str], Folder], tmp_path: Path) -> None:
    """If the time limit comes first, the folder is unchecked, with exit code 3."""
    folder = honest("killer").write(tmp_path)
    report = check(folder, seconds=1e-9)
    assert report.verdict == "unchecked"
    assert main(["--timeout", "0.000000001", str(folder)]) == 3


def test_the_time_limit_is_kept_in_every_stage(honest: Callable[[str], Folder], tmp_path: Path) -> None:
    """Whenever the time is up, the folder is unchecked: reading, comparing and proving all check the clock."""
    folder, ticks = honest("killer").write(tmp_path), 0

    def tick() -> None:
        nonlocal ticks
        ticks += 1
        if ticks == last:
            raise CheckLimitReached

    last = 0
    check_stages(folder, CheckFindings(), CheckBudget(tick))
    assert ticks > 10
    for stage in (1, ticks // 4, ticks // 2, ticks):
        ticks, last = 0, stage
        with pytest.raises(CheckLimitReached):
            check_stages(folder, CheckFindings(), CheckBudget(tick))


def test_no_certificate_is_absent(tmp_path: Path) -> None:
    """A folder without a manifest is neither a right certificate nor a wrong one."""
    assert check(tmp_path).verdict == "absent"
    assert check(tmp_path / "nowhere").verdict == "absent"


# --- it knows what the rules mean ---------------------------------------------------------------------------------


def example(kind: str, size: int) -> Puzzle:
    """Return the example of a rule on its own, with everything given that a solution has."""
    try:
        grid = Grid.square(size)
        puzzle = Puzzle(grid, (RULES[kind].example(grid),))
    except InvalidInput:
        grid = Grid.square(6)
        puzzle = Puzzle(grid, (RULES[kind].example(grid),))
    solution = next(iter(puzzle.solutions()), None)
    return puzzle if solution is None else puzzle.with_givens(dict(enumerate(solution)))


KINDS = sorted(kind for kind in RULES if kind not in UNEXPLAINED)
SOME = [kind if number % 4 == 0 else pytest.param(kind, marks=pytest.mark.slow) for number, kind in enumerate(KINDS)]
"""A quarter of them by default, all of them among the slow tests."""


def test_every_other_kind_is_known() -> None:
    """The checker has a meaning for every kind of rule but those named, and for none that does not exist."""
    assert set(RULES) - UNEXPLAINED == ALL_DIFFERENT_RULES.keys() | MEANINGS.keys() | JOINED.keys()
    assert len(ALL_DIFFERENT_RULES) + len(MEANINGS) + len(JOINED) == len(FIELDS) - len(UNEXPLAINED)


@pytest.fixture(scope="module")
def of_kind(request: pytest.FixtureRequest) -> Callable[[str], Folder]:
    """Return the certificate of a kind's example on 4x4 cells."""
    folder = request.getfixturevalue("folder")
    made: dict[str, Folder] = {}

    def get(kind: str) -> Folder:
        if kind not in made:
            made[kind] = folder(prove(example(kind, 4)))
        return made[kind].copy()

    return get


@pytest.mark.parametrize("kind", KINDS)
def test_the_formula_of_every_kind_says_what_the_checker_knows_of_it(
    of_kind: Callable[[str], Folder], kind: str, tmp_path: Path
) -> None:
    """The clauses that the model makes of an example have exactly the meaning that the checker knows."""
    report = check(of_kind(kind).write(tmp_path))
    assert (report.verdict, report.problems, report.trusted) == ("verified", (), ())


@pytest.mark.parametrize("kind", SOME)
def test_a_rule_without_its_clauses_is_noticed(of_kind: Callable[[str], Folder], kind: str, tmp_path: Path) -> None:
    """If all clauses of a rule are left out, the folder is rejected, unless the rule forbids nothing."""
    folder = of_kind(kind)
    clauses = [line for label, lines in folder.blocks() if label["block"] == "rule" for line in lines]
    if not clauses:
        pytest.skip("the rule says nothing on so small a grid")
    folder.change_blocks(lambda label, lines: None if label["block"] == "rule" else lines)
    report = check(folder.write(tmp_path))
    assert report.verdict == "rejected"
    assert any("allow" in problem or "expected a block" in problem for problem in report.problems)


@pytest.mark.parametrize("kind", SOME)
def test_clauses_that_are_too_strong_are_noticed(of_kind: Callable[[str], Folder], kind: str, tmp_path: Path) -> None:
    """A clause that forbids what the rule allows is found, though the stated solution obeys it."""
    folder, puzzle = of_kind(kind), example(kind, 4)
    free = puzzle.with_givens({})
    said = [(label, name) for label, _ in folder.blocks() if label["block"] == "rule" for name in label["cells"]]
    for (label, name), value in itertools.product(said, puzzle.grid.values):
        cell = puzzle.grid.parse_cell(name)
        if puzzle.givens.get(cell) != value and next(iter(free.with_givens({cell: value}).solutions()), None):
            more = f"-{folder.variable(f'{name}={value}')} 0"
            folder.put_blocks([(one, [*lines, more] if one == label else lines) for one, lines in folder.blocks()])
            report = check(folder.write(tmp_path))
            assert report.verdict == "rejected"
            assert any("forbid" in problem or "has too much" in problem for problem in report.problems)
            return
    pytest.skip("the rule allows one value alone in each of its cells")


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_a_clause_less_is_noticed(of_kind: Callable[[str], Folder], kind: str, tmp_path: Path) -> None:
    """Clauses that follow from the others may be left out, as the rule's meaning is the same; the next one may not."""
    folder = of_kind(kind)
    cells = next(lines for label, lines in folder.blocks() if label["block"] == "cells")
    board = sum("auxiliary" not in what for what in folder.map().values())
    own = [(label, line) for label, lines in folder.blocks() if label["block"] == "rule" for line in lines]
    gone = _weakening(
        [[int(word) for word in line.split()[:-1]] for line in (*cells, *(line for _, line in own))], len(cells), board
    )
    if not gone:
        pytest.skip("no clause without auxiliaries says anything that the others do not")
    less = [own[number - len(cells)] for number in gone]
    folder.change_blocks(lambda label, lines: [line for line in lines if (label, line) not in less])
    assert check(folder.write(tmp_path)).verdict == "rejected"


def _weakening(clauses: list[list[int]], first: int, board: int) -> list[int]:
    """Return clauses without auxiliaries, from ``first`` on, of which all but the last follow from those that are left."""
    gone: list[int] = []
    for number in range(first, len(clauses)):
        if clauses[number] and all(abs(literal) <= board for literal in clauses[number]):
            gone.append(number)
            with Solver("glucose4", bootstrap_with=[one for place, one in enumerate(clauses) if place not in gone]) as solver:
                if solver.solve(assumptions=[-literal for literal in clauses[number]]):
                    return gone
    return []


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_meanings_agree_on_9x9(folder: Callable[..., Folder], kind: str, tmp_path: Path) -> None:
    """The same on the usual grid, beside the houses."""
    grid = Grid.square(9)
    rules = (Houses(),) if kind == "houses" else (Houses(), RULES[kind].example(grid))
    puzzle = Puzzle(grid, rules)
    solution = next(iter(puzzle.solutions()), None)
    certificate = prove(puzzle if solution is None else puzzle.with_givens(dict(enumerate(solution))))
    report = check(folder(certificate).write(tmp_path))
    assert (report.verdict, report.problems, report.trusted) == ("verified", (), ())


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_any_clause_is_missed_exactly_where_it_says_something(
    of_kind: Callable[[str], Folder], kind: str, tmp_path: Path
) -> None:
    """Clauses left out one at a time, with auxiliaries or not: rejected where other values become possible, else verified."""
    honest = of_kind(kind)
    rules = [(label, lines) for label, lines in honest.blocks() if label["block"] == "rule"]
    cells = next(lines for label, lines in honest.blocks() if label["block"] == "cells")
    every = [(label, line) for label, lines in rules for line in lines]
    judged = 0
    for number in sorted({len(every) * part // 8 for part in range(8)} & set(range(len(every)))):
        label, line = every[number]
        others = [one for place, (_, one) in enumerate(every) if place != number]
        with_auxiliaries = any(what.startswith("auxiliary") for what in honest.map().values())
        scope = sorted({name for one, _ in rules for name in one["cells"]} if with_auxiliaries else label["cells"])
        if len(scope) > 5 or kind in ALL_DIFFERENT_RULES:
            continue
        judged += 1
        folder = honest.copy()
        folder.put_blocks([(one, [a for a in lines if one != label or a != line]) for one, lines in folder.blocks()])
        same = _allowed(honest, [*cells, *others, line], scope) == _allowed(honest, [*cells, *others], scope)
        report = check(folder.write(tmp_path))
        assert (report.verdict == "verified") == same, (line, report.problems)
    if not judged:
        pytest.skip("the rule speaks of too many cells at once, or its clauses must be the same ones anyway")


def _allowed(folder: Folder, lines: list[str], scope: list[str]) -> set[tuple[int, ...]]:
    """Return the candidates of some cells that clauses allow together."""
    number = {what: variable for variable, what in folder.map().items()}
    choices = [[variable for what, variable in number.items() if what.startswith(f"{name}=")] for name in scope]
    clauses = [[int(word) for word in line.split()[:-1]] for line in lines]
    with Solver("glucose4", bootstrap_with=clauses) as solver:
        return {some for some in itertools.product(*choices) if solver.solve(assumptions=some)}


# --- regressions ----------------------------------------------------------------------------------------------------


ODD = {
    "no groups": [{"kind": "same-value-sets", "groups": []}],
    "a sum of nothing": [{"kind": "x-sum", "cells": [], "total": 0}],
    "a room of nothing": [{"kind": "numbered-room", "cells": [], "value": 1}],
    "a next value that there is not": [{"kind": "successor-arrow", "cells": ["r1c4", "r2c4", "r3c4", "r4c4"]}],
    "a choice that always holds": [{"kind": "any-of", "rules": [{"kind": "palindrome", "cells": ["r1c1"]}, "diagonals"]}],
    "a choice of what is not explained": [
        {"kind": "any-of", "rules": [{"kind": "regular-expression", "cells": ["r1c1", "r1c2"], "pattern": "12"}, "diagonals"]}
    ],
}


@pytest.mark.parametrize("documents", ODD.values(), ids=ODD)
def test_rules_at_their_limits_are_verified(documents: list[dict[str, object]], tmp_path: Path) -> None:
    """Rules about nothing, and rules that always or never hold, mean the same to the checker and the program."""
    grid = Grid.square(4)
    rules = (Houses(), *(rule_from_json(one, grid) for one in documents))
    puzzle = Puzzle(grid, rules, givens=dict(enumerate((1, 2, 3, 4, 3, 4, 1, 2, 2, 1, 4, 3))))
    report = check(prove(puzzle).write(tmp_path / "certificate"), trust=True)
    assert (report.verdict, report.problems) == ("verified", ())


def _wide_automaton(states: int) -> dict[str, Any]:
    """Return an automaton of so many states that reads a row: each value leads to a state of its own, while there are any."""
    edges = [[at, value, 4 * at + value] for at in range(states // 4) for value in range(1, 5) if 4 * at + value < states]
    accepting = [state for state in range(states) if 4 * state + 1 >= states]
    return {"kind": "automaton", "cells": ["r1c1", "r1c2", "r1c3", "r1c4"], "start": [0], "edges": edges, "accepting": accepting}


def test_automata_may_have_as_many_states_as_the_library_accepts(tmp_path: Path) -> None:
    """The two numbers are one, and the checker walks through an automaton of that size; one state more is refused by both."""
    assert MOST_STATES == STATES
    grid = Grid.square(4)
    for states in (700, STATES):
        rule = rule_from_json(_wide_automaton(states), grid)
        puzzle = Puzzle(grid, (Houses(), rule), givens=dict(enumerate((1, 2, 3, 4, 3, 4, 1, 2, 2, 1, 4, 3))))
        report = check(prove(puzzle, claim=solve(puzzle).status).write(tmp_path / f"{states}"))
        assert (report.verdict, report.problems, report.trusted) == ("verified", (), ())
    assert [*rule_from_json(_wide_automaton(STATES + 1), grid).problems(grid)] == [
        f"automaton: expected at most {STATES:,} states, got {STATES + 1:,}"
    ]


def joined(kind: str, inner: str) -> Puzzle:
    """Return a puzzle of houses, a rule, and a composite rule around the same rule, solved but for the last cell."""
    grid = Grid.square(6 if inner == "global-entropy" else 4)
    rule = RULES[inner].example(grid)
    around = {"rules": [rule_to_json(rule, grid)]} | ({"shifts": [[1, 0], [0, 1]]} if kind == "repeated" else {})
    puzzle = Puzzle(grid, (Houses(), rule, rule_from_json({"kind": kind} | around, grid)))
    solution = next(iter(puzzle.solutions()), None)
    return puzzle if solution is None else puzzle.with_givens(dict(enumerate(solution[:-1])))


DIFFERING = sorted(ALL_DIFFERENT_RULES.keys() | {"killer-cage", "renban", "equality-cage", "rellik-cage"})
"""Kinds of rules whose cells differ, so that clauses of houses may already state them."""
SLOWEST = {"anti-king", "anti-leaper", "disjoint-groups", "taxicab"}
"""Those whose choices take seconds to prove; others of their family state the same about other cells."""


@pytest.mark.parametrize("inner", [kind if kind in DIFFERING else pytest.param(kind, marks=pytest.mark.slow) for kind in KINDS])
@pytest.mark.parametrize("kind", ["all-of", "repeated"])
def test_composite_rules_are_verified_around_every_kind(kind: str, inner: str, tmp_path: Path) -> None:
    """What other rules already state needs no clauses of its own, whichever of the composite rule's statements it is."""
    report = check(prove(joined(kind, inner)).write(tmp_path / "certificate"))
    assert (report.verdict, report.problems, report.trusted) == ("verified", (), ())


LOOPS = {
    "4x4": (4, (2, 2), "r1c1 r1c2 r1c3 r1c4 r2c4 r3c4 r4c4 r4c3 r4c2 r4c1 r3c1 r2c1", 5, "1... 43.. ..4. ...2"),
    "6x6": (6, (2, 3), "r2c2 r2c3 r2c4 r3c4 r4c4 r4c3 r4c2 r3c2", 7, "1...56 ....1. ...6.. ..2... .3.... 5....2"),
    "a total of 10": (
        9,
        (3, 3),
        "r1c1 r1c2 r1c3 r2c3 r3c3 r3c2 r3c1 r2c1",
        10,
        ".923675.8 35842.167 764.85293 8.194275. 475836.12 6295.1834 21.793485 .876543.1 54321.679",
    ),
    "a total of 20": (
        9,
        (3, 3),
        "r1c1 r1c2 r1c3 r1c4 r2c4 r3c4 r4c4 r4c3 r4c2 r4c1 r3c1 r2c1",
        20,
        ".451398.7 97684.321 138.27594 8.957164. 657493.82 3142.8975 48.316759 .619542.8 59378.416",
    ),
    "a single stretch": (4, (2, 2), "r1c1 r1c2 r2c2 r2c1", 10, "1... 43.. ..4. ...2"),
}
"""Closed sum lines: size and boxes of the board, cells, total, givens."""


SLOW_LOOPS = {"a total of 20"}
"""Those whose clauses take seconds to make and to compare."""


@pytest.mark.parametrize(
    ("size", "boxes", "cells", "total", "givens"),
    [pytest.param(*loop, id=name, marks=[pytest.mark.slow] * (name in SLOW_LOOPS)) for name, loop in LOOPS.items()],
)
def test_closed_sum_lines_are_verified(
    size: int, boxes: tuple[int, int], cells: str, total: int, givens: str, tmp_path: Path
) -> None:
    """A loop of eight or twelve cells is compared with its clauses, and nothing of it is taken on trust."""
    grid = Grid.square(size, boxes)
    line = rule_from_json({"kind": "sum-line", "cells": cells.split(), "total": total, "loop": True}, grid)
    values = {cell: int(sign) for cell, sign in enumerate(givens.replace(" ", "")) if sign != "."}
    report = check(prove(Puzzle(grid, (Houses(), line), givens=values)).write(tmp_path / "certificate"))
    assert (report.verdict, report.problems, report.trusted) == ("verified", (), ())


def test_the_machine_of_a_loop_accepts_what_can_be_cut_somewhere() -> None:
    """Values from 0 to 4, up to five of them: as by every first cut and every division of the line from there, in some branch."""

    def can_be_divided(line: tuple[int, ...], total: int) -> bool:
        ends = [place for place in range(1, len(line) + 1) if sum(line[:place]) == total]
        return any(end == len(line) or can_be_divided(line[end:], total) for end in ends)

    for total, size in itertools.product(range(1, 9), range(1, 6)):
        machine = loop_machine(total)
        for line in itertools.product(range(5), repeat=size):
            right = any(can_be_divided(line[cut:] + line[:cut], total) for cut in range(size))
            assert machine(line) == right, (total, line)
            assert any(machine._replace(start=branch)(line) for branch in machine.branches) == right, (total, line)


@pytest.mark.parametrize(
    "inner",
    [kind if kind in DIFFERING and kind not in SLOWEST else pytest.param(kind, marks=pytest.mark.slow) for kind in KINDS],
)
def test_a_choice_around_every_kind_is_never_rejected(inner: str, tmp_path: Path) -> None:
    """`any-of` of a kind and an odd cell: verified, or unchecked with all that is on trust named; nothing is wrong with it."""
    grid = Grid.square(6 if inner == "global-entropy" else 4)
    rules = [rule_to_json(RULES[inner].example(grid), grid), {"kind": "odd", "cells": ["r1c1"]}]
    puzzle = Puzzle(grid, (Houses(), rule_from_json({"kind": "any-of", "rules": rules}, grid)))
    solution = next(iter(puzzle.solutions()))
    report = check(prove(puzzle.with_givens(dict(enumerate(solution[:-1])))).write(tmp_path / "certificate"))
    assert report.verdict in {"verified", "unchecked"}, report.problems
    assert (report.verdict == "unchecked") == bool(report.trusted)


def test_a_rule_stated_again_needs_no_clauses_of_its_own(tmp_path: Path) -> None:
    """A clue that occurs twice has its clauses once, and both are compared by them."""
    grid = Grid.square(9)
    clue = rule_from_json({"kind": "skyscraper", "cells": [f"r1c{column}" for column in range(1, 10)], "visible": 3}, grid)
    puzzle = Puzzle(grid, (Houses(), clue, clue))
    puzzle = puzzle.with_givens(dict(enumerate(next(iter(puzzle.solutions()))[:80])))
    report = check(prove(puzzle).write(tmp_path / "certificate"))
    assert (report.verdict, report.problems, report.trusted) == ("verified", (), ())


def test_a_kind_of_rule_that_there_is_not_is_never_trusted(honest: Callable[[str], Folder], tmp_path: Path) -> None:
    """Clauses of an invented rule are rejected, not taken on trust."""
    folder = honest("regular expression")
    for name in ("puzzle.json", "formula.cnf"):
        folder.files[name] = folder.files[name].replace(b"regular-expression", b"by-decree")
    report = check(folder.write(tmp_path), trust=True)
    assert report.verdict == "rejected"
    assert "no rule of this kind" in report.problems[0]


def test_more_copies_of_a_rule_than_can_be_made_are_not_made(honest: Callable[[str], Folder], tmp_path: Path) -> None:
    """A deeply nested repetition of rules is given up soon, and not verified."""
    rule: dict[str, object] = {"kind": "thermometer", "cells": ["r1c1", "r1c2"]}
    for _ in range(8):
        rule = {"kind": "repeated", "rules": [rule], "shifts": [[0, 1], [1, 0], [1, 1], [0, 2], [2, 0], [2, 2], [0, 0]]}
    folder = honest("killer")
    folder.files["puzzle.json"] = json.dumps(folder.json("puzzle.json") | {"rules": ["houses", rule]}).encode()
    assert check(folder.write(tmp_path)).verdict == "rejected"
