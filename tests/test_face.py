"""What people meet first: the public names, the extras, the examples."""

from __future__ import annotations

import importlib
import pkgutil
import re
import runpy
import subprocess
import sys
import tomllib
from pathlib import Path
from types import ModuleType

import pytest

import sudoku_cp
from sudoku_cp import SudokuError, solve_files

ROOT = Path(__file__).parents[1]


def test_every_public_name_is_listed() -> None:
    """``dir(sudoku_cp)`` lists the public names, including those that were never used."""
    assert set(sudoku_cp.__all__) <= set(dir(sudoku_cp))


def _shared_names(module: ModuleType) -> set[str]:
    """Return the names that a package exports and that a module of it has too."""
    return set(module.__all__) & {found.name for found in pkgutil.iter_modules(module.__path__)}


def test_names_that_a_module_has_too_are_known() -> None:
    """The package that generates puzzles has the name of its function; `ORDERS` below covers every such name."""
    assert _shared_names(sudoku_cp) == {"generate"}


ORDERS = {
    "the name": "from sudoku_cp import generate",
    "the name, the room loaded before": "import sudoku_cp.batch.generate_run\nfrom sudoku_cp import generate",
    "everything": "from sudoku_cp import *",
    "everything, twice": "from sudoku_cp import *\nfrom sudoku_cp import *",
    "everything, the room loaded before": "import sudoku_cp.generate\nfrom sudoku_cp import *",
    "another name of the room first": "from sudoku_cp import GenerateRequest\nfrom sudoku_cp import generate",
    "the room before": "import sudoku_cp.generate\ngenerate = sudoku_cp.generate",
    "the room behind": "import sudoku_cp\ngenerate = sudoku_cp.generate\nimport sudoku_cp.generate",
    "a module of the room before": "import sudoku_cp.generate.api\ngenerate = sudoku_cp.generate",
    "a module of the room behind": "from sudoku_cp import generate\nimport sudoku_cp.generate.plain",
    "the room by another name": "import sudoku_cp.generate as generate",
    "the room by importlib": "import importlib\nimportlib.import_module('sudoku_cp.generate')\nfrom sudoku_cp import generate",
    "both of one statement": "from sudoku_cp import GeneratedPuzzle, GenerateRequest, generate",
    "from the room": "from sudoku_cp.generate import GeneratedPuzzle, generate",
}
RARE = {
    "everything, twice",
    "everything, the room loaded before",
    "another name of the room first",
    "a module of the room before",
    "the room by another name",
    "both of one statement",
}
"""Orders whose every step occurs in one of the others."""


@pytest.mark.parametrize(
    "statements", [pytest.param(code, id=name, marks=[pytest.mark.slow] * (name in RARE)) for name, code in ORDERS.items()]
)
def test_a_verb_is_the_function_in_every_order_of_imports(statements: str) -> None:
    """``generate`` is the function, in `sudoku_cp` too, whatever is imported before or after it."""
    code = (
        f"{statements}\n"
        "import sys, types, sudoku_cp\n"
        "assert isinstance(generate, types.FunctionType), generate\n"
        "assert generate is sudoku_cp.generate is sys.modules['sudoku_cp.generate'].generate\n"
    )
    done = subprocess.run([sys.executable, "-c", code], check=False, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_no_exported_name_is_a_module() -> None:
    """In every package that exports names, none of them is hidden by a module, once all modules have been imported."""
    packages = [sudoku_cp]
    for found in pkgutil.walk_packages(sudoku_cp.__path__, "sudoku_cp."):
        if not found.name.endswith("__main__") and ".fast." not in found.name:
            module = importlib.import_module(found.name)
            packages += [module] if found.ispkg else []
    assert len(packages) > 15
    for package in packages:
        for name in getattr(package, "__all__", ()):
            assert not isinstance(getattr(package, name), ModuleType), (package, name)


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


EXTRAS = {
    "parquet": ("pyarrow", lambda folder: solve_files([folder / "in.txt"], folder / "out.parquet")),
    "cluster": ("distributed", lambda folder: solve_files([folder / "in.txt"], folder / "out.csv", cluster="local:1")),
    "zstd": ("zstandard", lambda folder: solve_files([folder / "in.txt"], folder / "out.csv.zst")),
}
"""The extras that the library itself uses: the module, and a call that needs it."""
FOR_DEVELOPERS = {"test", "dev"}


def test_every_extra_stands_on_its_page() -> None:
    """The page about installing has one line for each extra, and names none that is not there."""
    extras = set(tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"])
    page = (ROOT / "docs/install.md").read_text(encoding="utf-8")
    assert sorted(re.findall(r"\| `pip install 'sudoku-cp\[(\w+)\]'` \|", page)) == sorted((extras - FOR_DEVELOPERS) | {"dev"})
    assert set(EXTRAS) < extras


@pytest.mark.parametrize("extra", EXTRAS)
def test_a_missing_extra_is_named_with_the_line_that_installs_it(
    extra: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A call that needs a missing extra says how to install it."""
    module, ask = EXTRAS[extra]
    for name in [name for name in sys.modules if name.partition(".")[0] == module]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, module, None)
    (tmp_path / "in.txt").write_text("1234341221......\n", encoding="utf-8")
    with pytest.raises(SudokuError, match=re.escape(f"pip install 'sudoku_cp[{extra}]'")):
        ask(tmp_path)


@pytest.mark.parametrize("script", sorted((ROOT / "examples").glob("*.py")), ids=lambda path: path.name)
def test_examples_run(script: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """Every example runs to its end."""
    monkeypatch.setattr(sys, "argv", [str(script)])
    runpy.run_path(str(script), run_name="__main__")
    shown = capsys.readouterr().out
    assert shown
    if script.name == "euler96.py":
        assert shown.splitlines()[-1] == "24702"


def test_an_example_runs_in_a_process() -> None:
    """What a reader types works: a process of its own, from any folder."""
    script = ROOT / "examples/euler96.py"
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, check=False, cwd="/")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines()[-1] == "24702"
