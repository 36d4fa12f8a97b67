"""Programs as engines: only well-formed answers are believed, and no program outlives its question."""

from __future__ import annotations

import os
import sys
import tempfile
import time
from contextlib import suppress
from itertools import islice
from threading import Timer
from typing import TYPE_CHECKING

import pytest

from sudoku_cp.backends import Cancellation, Limits, backend, external, new_backend
from sudoku_cp.backends.conformance import CHECKS
from sudoku_cp.backends.conformance.checks import empty_board, pigeons
from sudoku_cp.backends.external import NAMES
from sudoku_cp.errors import BackendFailed, BackendMissing, LimitReached
from sudoku_cp.grid import Grid
from sudoku_cp.model import Automaton, Linear, build_model
from sudoku_cp.puzzle import Puzzle

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

FEW = Puzzle(Grid.square(4), givens={0: 1, 1: 2, 4: 3, 8: 2, 10: 3})
"""A board with a few solutions."""
NONE = FEW.with_givens({0: 1, 3: 1})

SOLVER = '''#!{python} -IS
"""A SAT solver of few words: clauses that have one literal left, and trying."""
import os, signal, subprocess, sys, time

MODE = "{mode}"
if MODE == "hangs":
    child = subprocess.Popen(["sleep", "60"])
    with open("{folder}/pids", "w") as file:
        print(os.getpid(), child.pid, file=file)
    time.sleep(60)
with open("{folder}/options", "w") as file:
    print(*sys.argv[1:-1], file=file)
head, *lines = open(sys.argv[-1]).read().splitlines()
size, number = map(int, head.split()[2:])
clauses = [list(map(int, line.split()[:-1])) for line in lines]
assert len(clauses) == number and head.startswith("p cnf ")

def solved(true):
    true = set(true)
    while True:
        short = None
        for clause in clauses:
            if any(literal in true for literal in clause):
                continue
            left = [literal for literal in clause if -literal not in true]
            if not left:
                return None
            if short is None or len(left) < len(short):
                short = left
        if short is None:
            return true
        if len(short) > 1:
            return solved(true | {{short[0]}}) or solved(true | {{-short[0]}})
        true.add(short[0])

true = solved(())
if MODE == "crashes":
    os.kill(os.getpid(), signal.SIGSEGV)
if true is None:
    print("" if MODE == "says nothing" else "s UNSATISFIABLE")
    sys.exit({{"forgets the code": 0, "fails": 1}}.get(MODE, 20))
values = [one if one in true else -one for one in range(1, size + 1)]
if MODE == "lies":
    values = [-one for one in values]
print("c a comment\\ns " + {{"does not know": "UNKNOWN", "denies": "UNSATISFIABLE"}}.get(MODE, "SATISFIABLE"))
if MODE == "says both":
    print("s UNSATISFIABLE")
if MODE == "stops short":
    values = values[:-3]
if MODE == "contradicts itself":
    values += [-values[0]]
told = [*map(str, values), *["0"] * (MODE != "has no end"), *["x"] * (MODE == "stammers")]
for start in range(0, len(told), 10):
    print("v", *told[start:start + 10])
sys.exit(0 if MODE == "forgets the code" else 10)
'''

DRIVER = """#!{python} -IS
import os, subprocess, sys, time
if "--solvers-json" in sys.argv:
    print('[{{"id": "org.some.solver", "name": "Some", "version": "1", "executable": "x"}}]')
    sys.exit()
MODE = "{mode}"
if MODE == "hangs":
    child = subprocess.Popen(["sleep", "60"], process_group=0)
    with open("{folder}/pids", "w") as file:
        print(os.getpid(), child.pid, file=file)
    time.sleep(60)
line = "[1, 2]"
if MODE == "shows something else":
    line = "hello"
if MODE == "shows a value that is none":
    line = "[1, 9]"
if MODE == "denies and fails":
    print("=====UNSATISFIABLE=====")
    sys.exit(1)
if MODE == "does not know":
    print("=====UNKNOWN=====")
    sys.exit()
if MODE == "says nothing":
    sys.exit()
print(line + "\\n----------")
if MODE == "sound":
    print("==========")
"""


@pytest.fixture
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Path]:
    """Put a program of our own first on the PATH, and the files of questions in a directory of the test."""
    (tmp_path / "questions").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "questions"))
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")

    def put(name: str, mode: str = "sound", text: str = SOLVER) -> Path:
        path = tmp_path / name
        path.write_text(text.format(python=sys.executable, mode=mode, folder=tmp_path))
        path.chmod(0o755)
        return tmp_path

    return put


def _all(name: str, puzzle: Puzzle, **limits: float) -> list[tuple[int, ...]]:
    session = new_backend(name).open(puzzle.model())
    find_program = list(session.solutions(puzzle.assume(), limits=Limits(**limits)))
    assert session.counters()["nodes"] >= 1
    return find_program


def _alive(pid: int) -> bool:
    try:
        return (external.PROCESSES / str(pid) / "stat").read_text().rpartition(")")[2].split()[0] not in {"Z", "X"}
    except OSError:
        return False


def _expect_dead(pids: Path) -> None:
    """Require that the program and its child, which have written their process ids, end soon."""
    started = list(map(int, pids.read_text().split()))
    assert len(started) == 2
    while any(map(_alive, started)):
        time.sleep(0.01)


# --- SAT solvers ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["kissat", "anything"])
def test_a_sat_solver_is_asked_for_solution_after_solution(name: str, program: Callable[..., Path]) -> None:
    """Any program with the format of the SAT competitions enumerates; kissat gets its own options; no file is left."""
    folder = program(name)
    find_program = _all(f"dimacs:{name}", FEW)
    wanted = _all("native", FEW)
    assert len(wanted) > 1
    assert sorted(find_program) == sorted(wanted)
    assert _all(f"dimacs:{name}", NONE) == []
    assert (folder / "options").read_text().split() == (["-q"] if name == "kissat" else [])
    assert list((folder / "questions").iterdir()) == []


@pytest.mark.parametrize(
    "mode",
    [
        "crashes",
        "denies",
        "does not know",
        "fails",
        "forgets the code",
        "has no end",
        "lies",
        "says both",
        "stammers",
        "stops short",
        "contradicts itself",
    ],
)
def test_what_is_not_said_as_it_should_be_is_no_answer(mode: str, program: Callable[..., Path]) -> None:
    """A crash, a wrong exit code, a wrong or truncated model: the program failed, and nothing is taken for "no"."""
    program("kissat", mode)
    puzzle = NONE if mode == "fails" else FEW
    with pytest.raises(BackendFailed, match="expected kissat to"):
        _all("dimacs:kissat", puzzle)


def test_an_end_is_believed_only_with_its_words(program: Callable[..., Path]) -> None:
    """Exit code 20 without ``s UNSATISFIABLE`` is a failure too, and so is that line without the code."""
    for mode in ("says nothing", "forgets the code"):
        program("kissat", mode)
        with pytest.raises(BackendFailed):
            _all("dimacs:kissat", NONE)


def test_a_program_that_cannot_start_has_failed(program: Callable[..., Path]) -> None:
    """A program that the system cannot run is a failure of the engine."""
    folder = program("kissat")
    (folder / "kissat").write_text("#!/no/such/interpreter\n")
    with pytest.raises(BackendFailed, match="to start"):
        _all("dimacs:kissat", FEW)


@pytest.mark.parametrize("how", ["deadline", "cancelled", "interrupted"])
def test_no_process_outlives_its_question(how: str, program: Callable[..., Path], monkeypatch: pytest.MonkeyPatch) -> None:
    """A deadline, a cancellation and Ctrl-C end the program and what it has started, at once."""
    folder = program("kissat", "hangs")
    pids = folder / "pids"
    cancel = Cancellation()
    find_program = (
        new_backend("dimacs:kissat").open(FEW.model()).solutions(limits=Limits(1.0 if how == "deadline" else 20, None, cancel))
    )
    if how == "deadline":
        with pytest.raises(LimitReached, match="deadline"):
            next(find_program)
    elif how == "cancelled":
        Timer(0.5, cancel.cancel).start()
        with pytest.raises(LimitReached, match="cancelled"):
            next(find_program)
    else:

        def interrupted(self: object, *_: object) -> None:
            if pids.exists() and pids.read_text().endswith("\n"):
                raise KeyboardInterrupt

        monkeypatch.setattr("sudoku_cp.backends.base.Clock.check", interrupted)
        with pytest.raises(KeyboardInterrupt):
            next(find_program)
    _expect_dead(pids)
    assert list((folder / "questions").iterdir()) == []


def test_a_missing_program_is_named() -> None:
    """A program not on the PATH, or a solver unknown to MiniZinc, is missing, and the message names it."""
    with pytest.raises(BackendMissing, match="the program 'no-such-solver' on the PATH"):
        backend("dimacs:no-such-solver")


def test_without_any_program_the_families_are_missing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """If nothing is installed, the message for a name without a kind says what could be."""
    monkeypatch.setenv("PATH", str(tmp_path))
    for name in ("dimacs", "minizinc", "minizinc:gecode"):
        with pytest.raises(BackendMissing, match=r"cadical|minizinc"):
            new_backend(name)


# --- MiniZinc ---------------------------------------------------------------------------------------------------

PAIR = build_model([0b110, 0b110], [("sum", [("sum", Linear(((0, 1), (1, 2)), "==", 5))])])


def test_the_driver_is_believed_with_both_its_words(program: Callable[..., Path]) -> None:
    """Solutions and the line that ends them are an answer."""
    program("minizinc", "sound", DRIVER)
    assert list(new_backend("minizinc:some").open(PAIR).solutions()) == [(1, 2)]
    with pytest.raises(BackendMissing, match="it has solver, some"):
        new_backend("minizinc:gecode")


@pytest.mark.parametrize(
    "mode",
    [
        "shows something else",
        "shows a value that is none",
        "denies and fails",
        "does not know",
        "says nothing",
        "stops without an end",
    ],
)
def test_what_the_driver_says_otherwise_is_no_answer(mode: str, program: Callable[..., Path]) -> None:
    """With its last line missing, another exit code or other values, the program failed."""
    program("minizinc", mode, DRIVER)
    with pytest.raises(BackendFailed):
        list(new_backend("minizinc").open(PAIR).solutions())


@pytest.mark.skipif(not external.PROCESSES.is_dir(), reason="only where the system tells of all processes")
def test_the_driver_takes_its_solver_with_it(program: Callable[..., Path]) -> None:
    """MiniZinc puts a solver in a group of its own; it ends with the question all the same."""
    folder = program("minizinc", "hangs", DRIVER)
    with pytest.raises(LimitReached):
        next(new_backend("minizinc").open(PAIR).solutions(limits=Limits(seconds=1.0)))
    _expect_dead(folder / "pids")


# --- what is installed here -------------------------------------------------------------------------------------


@pytest.fixture(params=NAMES)
def installed(request: pytest.FixtureRequest) -> str:
    """The engines that are installed."""
    name: str = request.param
    with suppress(BackendMissing):
        backend(name)
        return name
    pytest.skip(f"{name} is not installed")


@pytest.mark.slow
@pytest.mark.parametrize("name", CHECKS)
def test_programs_keep_the_contract(installed: str, name: str) -> None:
    """Every installed program keeps the promises of the contract."""
    CHECKS[name](backend(installed))


def test_programs_find_all_solutions(installed: str) -> None:
    """A few solutions are found, each once, with auxiliaries and without; so is none; and exhausted limits are raised."""
    assert sorted(_all(installed, FEW)) == sorted(_all("native", FEW))
    assert _all(installed, NONE) == []
    # States of an automaton become auxiliaries, of which several go with one grid.
    edges = frozenset((state, value, other) for state in (0, 1) for value in (1, 2) for other in (0, 1))
    free = build_model([0b110] * 2, [("free", [("any way", Automaton((0, 1), 0, edges, frozenset((0, 1))))])])
    assert sorted(new_backend(installed).open(free).solutions()) == [(1, 1), (1, 2), (2, 1), (2, 2)]
    with pytest.raises(LimitReached, match="nodes"):
        next(backend(installed).open(FEW.model()).solutions(limits=Limits(nodes=0)))


def test_programs_stop_at_a_deadline(installed: str) -> None:
    """A search without end is stopped in time; one that is given up ends too."""
    with pytest.raises(LimitReached, match="deadline"):
        next(new_backend(installed).open(pigeons()).solutions(limits=Limits(seconds=0.3)))
    some = new_backend(installed).open(empty_board(9)).solutions()
    assert len(set(islice(some, 2))) == 2
    some.close()
