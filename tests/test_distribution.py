"""What is published: the source archive holds the whole project, and a wheel depends on its sources alone."""

from __future__ import annotations

import ast
import doctest
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

import sudoku_cp
from tests.docs.pages import FIRST, FROM_THE_WHEEL, PAGES, Command, commands, matches

ROOT = Path(__file__).parents[1]
HIDDEN = {".gitignore"}
DATA = {"", ".css", ".html", ".js", ".json", ".svg", ".ttf", ".typed"}
"""Endings of files in the package that are no modules; a licence has none."""
MUST_BE_THERE = {
    "sudoku_cp/py.typed",
    "sudoku_cp/render/fonts/DejaVuSansCondensed.ttf",
    "sudoku_cp/render/fonts/DejaVuSansCondensed-Bold.ttf",
    "sudoku_cp/render/fonts/LICENSE",
    "sudoku_cp/service/pages/docs.html",
    "sudoku_cp/service/static/index.html",
    "sudoku_cp/service/static/main.js",
    "sudoku_cp/service/static/style.css",
}


def build(target: str, folder: Path) -> Path:
    """Build one of ``sdist`` and ``wheel`` into a folder."""
    command = [sys.executable, "-m", "hatchling", "build", "-t", target, "-d", str(folder)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    (made,) = folder.iterdir()
    return made


@pytest.fixture(scope="module")
def kept_by_git() -> list[str]:
    """The files that git tracks, if this is a git checkout."""
    if not (ROOT / ".git").exists():
        pytest.skip("not a git checkout")
    return subprocess.run(["git", "ls-files"], cwd=ROOT, check=True, capture_output=True, text=True).stdout.splitlines()


@pytest.fixture(scope="module")
def sdist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The source archive of this checkout."""
    return build("sdist", tmp_path_factory.mktemp("sdist"))


def test_the_source_archive_holds_every_file(sdist: Path, kept_by_git: list[str]) -> None:
    """Whoever unpacks the source archive can test, check, measure and document the project as in a checkout."""
    with tarfile.open(sdist) as archive:
        held = {name.partition("/")[2] for name in archive.getnames()}
    assert {name for name in kept_by_git if (ROOT / name).exists()} - held - HIDDEN == set()


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of this checkout."""
    return build("wheel", tmp_path_factory.mktemp("wheel"))


def test_the_wheel_holds_the_package_and_nothing_else(wheel: Path, kept_by_git: list[str]) -> None:
    """Every tracked file of the package, and five files about it; it is pure Python, so one wheel fits every machine."""
    held = set(zipfile.ZipFile(wheel).namelist())
    about = f"sudoku_cp-{sudoku_cp.__version__}.dist-info"
    package = {name for name in kept_by_git if name.startswith("sudoku_cp/") and (ROOT / name).exists()}
    assert held & package == package
    assert {name for name in held if name.startswith(about)} == {
        f"{about}/{name}" for name in ("METADATA", "RECORD", "WHEEL", "entry_points.txt", "licenses/LICENSE")
    }
    assert wheel.name == f"sudoku_cp-{sudoku_cp.__version__}-py3-none-any.whl"
    assert {Path(name).suffix for name in held if not name.startswith(about)} <= DATA | {".py"}


def test_the_wheel_holds_what_is_no_module(wheel: Path) -> None:
    """The mark of types, the page and its pages of words, and the fonts with their licence are there."""
    assert set(zipfile.ZipFile(wheel).namelist()) >= MUST_BE_THERE


def test_the_version_stands_in_one_place(wheel: Path) -> None:
    """No other file of the package has the number, and the wheel has it from there."""
    modules = (path for path in (ROOT / "sudoku_cp").rglob("*.py") if sudoku_cp.__version__ in path.read_text(encoding="utf-8"))
    assert [path.relative_to(ROOT).as_posix() for path in modules] == ["sudoku_cp/__init__.py"]
    assert f'"{sudoku_cp.__version__}"' not in (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    metadata = zipfile.ZipFile(wheel).read(f"sudoku_cp-{sudoku_cp.__version__}.dist-info/METADATA").decode()
    assert f"\nVersion: {sudoku_cp.__version__}\n" in metadata


@pytest.mark.parametrize("target", ["wheel", "sdist"])
def test_two_builds_are_the_same_bytes(target: str, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    """What is published depends on the sources alone, not on when it is built."""
    one, two = request.getfixturevalue(target), build(target, tmp_path)
    assert (one.name, one.read_bytes()) == (two.name, two.read_bytes())


def lines_of(page: str) -> list[Command]:
    """Return the lines of a page that ask for an answer."""
    return [one for one in commands(PAGES[page]) if one.line.startswith("sudoku-cp ") and "serve" not in one.line]


IN_ONE_PROCESS = """
import contextlib, doctest, io, json, shlex, sys
from sudoku_cp.cli import main

told, code = [], 0
for line in json.loads(sys.argv[1]):
    out = io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True)
    for call in line.split(" && "):
        sys.argv = shlex.split(call, comments=True)
        with contextlib.redirect_stdout(out):
            try:
                main()
            except SystemExit as ended:
                code = ended.code
        if code:
            break
    told.append((line, code, out.buffer.getvalue().decode()))
failed = doctest.testfile(PAGE, False, optionflags=doctest.ELLIPSIS, encoding="utf-8").failed
print(json.dumps([told, failed]))
"""
"""Answers lines for a shell, and then the Python of a page, in one process: ten times as fast as a process for each."""


def read_in_one_process(page: str, folder: Path, **environment: str) -> None:
    """Do what a page shows as `read_as_shown` does, in one process."""
    folder.mkdir()
    program = IN_ONE_PROCESS.replace("PAGE", repr(str(ROOT / page)))
    lines = lines_of(page)
    call = [sys.executable, "-P", "-c", program, json.dumps([one.line for one in lines])]
    environment = {"PATH": "/usr/bin:/bin", "PYTHONUTF8": "1", "COLUMNS": "200", **environment}
    ended = subprocess.run(call, cwd=folder, env=environment, check=False, capture_output=True, text=True)
    assert ended.returncode == 0, ended.stderr
    told, failed = json.loads(ended.stdout.splitlines()[-1])
    for command, (line, code, printed) in zip(lines, told, strict=True):
        assert code in {0, 1}, (line, ended.stderr)
        assert not command.shown or matches(command.shown, printed), (line, printed)
    assert not failed, ended.stdout


def read_as_shown(page: str, folder: Path, programs: Path, **environment: str) -> None:
    """Do what a page shows, in order and in an empty folder: its lines for a shell, then its Python."""
    folder.mkdir()
    environment = {"PATH": f"{programs}:/usr/bin:/bin", "PYTHONUTF8": "1", "COLUMNS": "200", **environment}

    def run(line: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(line, shell=True, cwd=folder, env=environment, check=False, capture_output=True, text=True)  # noqa: S602

    for command in lines_of(page):
        ended = run(command.line)
        assert ended.returncode in {0, 1}, (command.line, ended.stderr)
        assert not command.shown or matches(command.shown, ended.stdout), (command.line, ended.stdout)
    test = f"doctest.testfile({str(ROOT / page)!r}, False, optionflags={doctest.ELLIPSIS}, encoding='utf-8')"
    ended = run(shlex.join(["python", "-c", f"import doctest, sys; sys.exit({test}.failed)"]))
    assert ended.returncode == 0, ended.stdout + ended.stderr


def name_programs(folder: Path) -> None:
    """Write programs ``python`` and ``sudoku-cp`` into a folder."""
    folder.mkdir()
    for name, arguments in {"python": "", "sudoku-cp": "-P -m sudoku_cp "}.items():
        (folder / name).write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} {arguments}"$@"\n', encoding="utf-8")
        (folder / name).chmod(0o755)


def test_the_wheel_alone_answers(wheel: Path, tmp_path: Path) -> None:
    """Unpacked, and with no checkout in sight, its command solves a puzzle and tells where it comes from."""
    packages, programs = tmp_path / "packages", tmp_path / "programs"
    shutil.unpack_archive(wheel, packages, "zip")
    name_programs(programs)
    environment = {"PATH": f"{programs}:/usr/bin:/bin", "PYTHONPATH": str(packages)}
    solve = ["sudoku-cp", "solve", "--backend", "sat", "12..34..2......."]
    where = ["python", "-P", "-c", "import sudoku_cp; print(sudoku_cp.__file__)"]
    told = [
        subprocess.run(["/usr/bin/env", *call], cwd=tmp_path, env=environment, check=False, capture_output=True, text=True)
        for call in (solve, where)
    ]
    assert (told[0].returncode, told[0].stderr) == (1, ""), told[0]
    assert Path(told[1].stdout.strip()).is_relative_to(packages)


ONLY_WHAT_THE_WHEEL_HOLDS = """
import os, sys
ROOT, HELD = {root!r} + os.sep, {held!r}

def look(event, arguments):
    if event != "open" or not isinstance(arguments[0], (str, bytes)):
        return
    path = os.path.abspath(os.fsdecode(arguments[0]))
    if path.startswith(ROOT) and not path.startswith(sys.prefix) and "__pycache__" not in path:
        if path.removeprefix(ROOT) not in HELD:
            os.write(2, f"expected only files that the wheel holds, got {{path}}\\n".encode())
            os._exit(99)

sys.addaudithook(look)
"""
"""What Python runs first (sitecustomize): it ends a process that opens any other file of the checkout."""


@pytest.mark.timeout(550)  # on a new machine that is busy, all its kernels may be compiled here
@pytest.mark.parametrize("page", sorted(FROM_THE_WHEEL))
def test_the_first_pages_run_as_shown_with_what_the_wheel_holds(page: str, wheel: Path, tmp_path: Path) -> None:
    """README and tour need nothing else of the checkout: neither an example, nor a file of the package that the wheel leaves out.

    The package stays at its place: elsewhere it would compile all its kernels again.
    """
    watch = tmp_path / "watch"
    watch.mkdir()
    held = {*zipfile.ZipFile(wheel).namelist(), page}  # doctest reads the page itself
    (watch / "sitecustomize.py").write_text(ONLY_WHAT_THE_WHEEL_HOLDS.format(root=str(ROOT), held=held), encoding="utf-8")
    kernels = {name: os.environ[name] for name in ("HOME", "XDG_CACHE_HOME", "SUDOKU_CP_CACHE") if name in os.environ}
    environment = {"PYTHONPATH": f"{watch}:{ROOT}", **kernels}
    for forbidden in ("examples/euler96.txt", "tests/conftest.py"):
        look = [sys.executable, "-c", f"open({str(ROOT / forbidden)!r})"]
        assert subprocess.run(look, env=environment, check=False, capture_output=True).returncode == 99
    read_in_one_process(page, tmp_path / "reader", **environment)


@pytest.mark.slow
def test_a_fresh_environment_runs_the_first_pages(wheel: Path, tmp_path: Path) -> None:
    """The wheel, with the extras that the pages name, does all that the first pages show, outside of any checkout."""
    python = tmp_path / "venv/bin/python"
    subprocess.run([sys.executable, "-m", "venv", str(tmp_path / "venv")], check=True)
    extras = f"sudoku_cp[parquet,pdf,png,service] @ {wheel.as_uri()}"
    subprocess.run([str(python), "-m", "pip", "install", "-q", "-c", str(ROOT / "constraints.txt"), extras], check=True)
    for number, page in enumerate(FIRST):
        read_as_shown(page, tmp_path / f"reader{number}", python.parent, HOME=str(tmp_path))
    ended = subprocess.run([str(python.parent / "sudoku-cp"), "doctor"], env={"HOME": str(tmp_path)}, cwd=tmp_path, check=False)
    assert ended.returncode == 0


def test_the_changelog_tells_of_this_version() -> None:
    """The changelog has a section for the version."""
    assert f"\n## {sudoku_cp.__version__} " in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


OF_EXTRAS = (
    "sudoku_cp/service/",
    "sudoku_cp/paper/pdf_file.py",
    "sudoku_cp/formats/parquet_reader.py",
    "sudoku_cp/bench/page_speed.py",
)
"""What is loaded only when somebody asks for what an extra adds."""


def test_an_installation_without_extras_has_all_that_it_loads() -> None:
    """Outside of what extras add, no module loads a package that a plain installation lacks before a function needs it."""
    core = {"sudoku_cp", *sys.stdlib_module_names, *packages_of_core()}
    lacking = {
        f"{path.relative_to(ROOT)}: {name}"
        for path in (ROOT / "sudoku_cp").rglob("*.py")
        if not str(path.relative_to(ROOT)).startswith(OF_EXTRAS)
        for name in loaded_packages(path) - core
    }
    assert lacking == set()


def packages_of_core() -> set[str]:
    """Return the names by which the packages of a plain installation are imported."""
    stated = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["dependencies"]
    names = {re.split(r"[^\w.-]", requirement)[0] for requirement in stated}
    imported = {package for package, holders in packages_distributions().items() if not names.isdisjoint(holders)}
    assert {"numpy", "ortools", "pysat"} <= imported
    return imported | {"llvmlite"}  # which numba brings, and is nothing without


def loaded_packages(path: Path) -> set[str]:
    """Return the packages that a module imports when it is imported itself."""
    found: set[str] = set()
    for statement in ast.parse(path.read_text()).body:
        if isinstance(statement, ast.Import):
            found |= {alias.name.partition(".")[0] for alias in statement.names}
        elif isinstance(statement, ast.ImportFrom) and not statement.level:
            found.add((statement.module or "").partition(".")[0])
    return found
