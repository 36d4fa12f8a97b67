"""A contestant in its own process, whose end affects nothing else."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest

from sudoku_cp.bench import contestant_process
from sudoku_cp.bench.contestant_process import ContestantFailed, ContestantProcess, check_callables
from sudoku_cp.bench.contestants import Contestant, callable_contestant
from sudoku_cp.errors import InvalidInput

MODULE = """
import os, signal, sys, time
import numpy as np

def answer(puzzles, limit):
    print("noise")
    print("noise", file=sys.stderr)
    return puzzles, np.full(len(puzzles), limit)

def blank(puzzles):
    return not puzzles.all()

def crash(puzzles, limit):
    if blank(puzzles):
        os.kill(os.getpid(), signal.SIGSEGV)
    return answer(puzzles, limit)

def leave(puzzles, limit):
    if blank(puzzles):
        os._exit(3)
    return answer(puzzles, limit)

def hang(puzzles, limit):
    while blank(puzzles):
        time.sleep(0.01)
    return answer(puzzles, limit)

def fail(puzzles, limit):
    if blank(puzzles):
        raise ValueError("expected mercy,\\ngot none")
    return answer(puzzles, limit)
"""


@pytest.fixture
def theirs(tmp_path, monkeypatch):
    """Return a function that starts a child for a function of an outside module."""
    (tmp_path / "theirs.py").write_text(MODULE)
    monkeypatch.syspath_prepend(tmp_path)
    return lambda name: ContestantProcess(callable_contestant(f"theirs:{name}"))


@pytest.fixture
def puzzles(array, lines):
    """Return one puzzle."""
    return array(lines["unique"])


def test_answers_come_back(theirs, puzzles, capfd) -> None:
    """The child answers and measures; its output is discarded."""
    with theirs("answer") as child:
        answers = child.ask(puzzles, (3, 3), 60)
        assert np.array_equal(answers.solutions, puzzles)
        assert answers.counts.tolist() == [2]
        assert answers.seconds >= 0
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize(
    ("name", "mark"),
    [
        ("crash", r"crashed \(SIGSEGV\)"),
        ("leave", r"crashed \(exit code 3\)"),
        ("fail", "^ValueError: expected mercy,$"),
        ("hang", r"no answer in 0\.3 s"),
        ("nowhere", "AttributeError: .*nowhere"),
    ],
)
def test_the_end_of_a_child_is_a_mark(theirs, puzzles, name: str, mark: str) -> None:
    """A crash, an exit, an exception, an endless loop and a missing function all raise `ContestantFailed`; it starts again."""
    with theirs(name) as child:
        for _ in range(2 if name == "crash" else 1):
            with pytest.raises(ContestantFailed, match=mark):
                child.ask(puzzles, (3, 3), 0.3 if name == "hang" else 60)


def test_callables_that_cannot_be_imported_are_refused(theirs) -> None:
    """A missing module, a missing function and a non-function are reported together; a function that crashes can be imported."""
    check_callables([theirs("crash").contestant, Contestant("a peer", "nowhere:nothing")])
    with pytest.raises(InvalidInput, match="expected a callable such as module:function") as refused:
        check_callables([callable_contestant(where) for where in ("nomod:f", "theirs:nofunc", "json:__name__")])
    told = ("got 'nomod:f': ModuleNotFoundError", "got 'theirs:nofunc': AttributeError", "got 'json:__name__': TypeError")
    assert len(refused.value.problems) == 3
    assert all(words in problem for words, problem in zip(told, refused.value.problems, strict=True))


def test_a_child_that_hangs_is_ended(theirs, puzzles) -> None:
    """The process of a contestant that does not answer is killed."""
    with theirs("hang") as child:
        child.ask(puzzles * 0 + 1, (3, 3), 60)
        process, _ = child._running
        number = process.pid
        with pytest.raises(ContestantFailed):
            child.ask(puzzles, (3, 3), 0.1)
        assert child._running is None
    with pytest.raises(ProcessLookupError):
        os.kill(number, 0)


def test_what_a_tool_started_ends_with_it(tmp_path, monkeypatch, puzzles) -> None:
    """Processes started by a contestant end with it."""
    (tmp_path / "starter.py").write_text(
        "import subprocess\n"
        "def start(puzzles, limit):\n"
        "    if not puzzles.all():\n"
        "        sleeper = subprocess.Popen(['sleep', '1000'])\n"
        "        open('pid', 'w').write(str(sleeper.pid))\n"
        "        sleeper.wait()\n"
        "    return puzzles, puzzles[:, 0]\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.chdir(tmp_path)
    with ContestantProcess(callable_contestant("starter:start")) as child, pytest.raises(ContestantFailed, match="no answer"):
        child.ask(puzzles, (3, 3), 2)
    command = Path(f"/proc/{(tmp_path / 'pid').read_text()}/cmdline")
    assert not command.exists() or not command.read_text()  # gone, or a zombie that has not been reaped yet


def test_the_first_question_is_off_the_clock(theirs, puzzles, monkeypatch) -> None:
    """Importing and compiling have a longer limit of their own: the deadline of a question starts with the question."""
    monkeypatch.setattr(contestant_process, "START_SECONDS", 60.0)
    with theirs("answer") as child:
        child.ask(puzzles, (3, 3), 60)
        assert child._warm == {(3, 3)}


def test_a_child_can_be_closed_twice() -> None:
    """Closing what has not started, or has ended, does nothing."""
    child = ContestantProcess(Contestant("nobody", "nowhere:nothing"))
    child.close()
    child.close()
