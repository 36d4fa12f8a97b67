"""What people meet first: the public names, the README, the examples."""

from __future__ import annotations

import doctest
import subprocess
import sys
from pathlib import Path

import pytest

import sudoku_cp

ROOT = Path(__file__).parents[1]


def test_every_public_name_is_there() -> None:
    """The list of public names and the table of their homes agree, and each name can be had."""
    homes = " ".join(sudoku_cp.HOMES.values()).split()
    assert sorted(homes) == sorted(sudoku_cp.__all__)
    for name in sudoku_cp.__all__:
        assert getattr(sudoku_cp, name) is not None
    assert set(sudoku_cp.__all__) <= set(dir(sudoku_cp))


@pytest.mark.parametrize("room", ["queries", "puzzle", "rules"])
def test_rooms_that_look_up_late_have_all_they_list(room: str) -> None:
    """Every name in a room's ``__all__`` can be imported from the room."""
    module = __import__(f"sudoku_cp.{room}", fromlist=["__all__"])
    for name in module.__all__:
        assert getattr(module, name) is not None
    with pytest.raises(AttributeError, match="has no attribute 'nonsense'"):
        _ = module.nonsense


def test_an_unknown_name_is_no_attribute() -> None:
    """A wrong name fails as it would in any module."""
    with pytest.raises(AttributeError, match="has no attribute 'nonsense'"):
        _ = sudoku_cp.nonsense


def test_importing_loads_no_solver_library() -> None:
    """``import sudoku_cp``, and solving with the native engine, load neither ortools nor python-sat."""
    code = (
        "import sys, sudoku_cp\n"
        "assert not {'ortools', 'pysat', 'typer', 'rich', 'numpy'} & set(sys.modules)\n"
        "puzzle = sudoku_cp.Puzzle.parse('1' + '.' * 15)\n"
        "assert sudoku_cp.solve(puzzle, backend='native').status == 'multiple'\n"
        "assert not {'ortools', 'pysat'} & set(sys.modules)\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True, cwd=ROOT)


def test_the_readme_is_true(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every Python example in the README gives what the README says."""
    monkeypatch.chdir(ROOT)
    failed, tried = doctest.testfile(str(ROOT / "README.md"), module_relative=False, encoding="utf-8")
    assert tried > 15
    assert failed == 0


def test_the_readme_names_only_files_that_exist() -> None:
    """Links to files of the project lead somewhere."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    links = [part.split(")")[0] for part in text.split("](")[1:]]
    assert links
    for link in links:
        assert link.startswith("http") or (ROOT / link).exists(), link


@pytest.mark.parametrize("script", sorted((ROOT / "examples").glob("*.py")), ids=lambda path: path.name)
def test_examples_run(script: Path) -> None:
    """Every example runs to its end."""
    done = subprocess.run(
        [sys.executable, script], capture_output=True, text=True, timeout=120, check=False, env={"PYTHONUTF8": "1"}
    )
    assert done.returncode == 0, done.stderr
    if script.name == "euler96.py":
        assert done.stdout.splitlines()[-1] == "24702"
