"""What is published: the source archive holds the whole project, and a wheel depends on its sources alone."""

from __future__ import annotations

import doctest
import os
import shlex
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

import sudoku_cp
from tests.docs.pages import FIRST, FROM_THE_WHEEL, PAGES, commands, matches

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


def test_the_source_archive_holds_every_file(tmp_path: Path, kept_by_git: list[str]) -> None:
    """Whoever unpacks the source archive can test, check, measure and document the project as in a checkout."""
    with tarfile.open(build("sdist", tmp_path)) as archive:
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
def test_two_builds_are_the_same_bytes(target: str, tmp_path: Path) -> None:
    """What is published depends on the sources alone, not on when it is built."""
    one, two = (build(target, tmp_path / name) for name in "ab")
    assert (one.name, one.read_bytes()) == (two.name, two.read_bytes())


def read_as_shown(page: str, folder: Path, programs: Path, **environment: str) -> None:
    """Do what a page shows, in order and in an empty folder: its lines for a shell, then its Python."""
    folder.mkdir()
    environment = {"PATH": f"{programs}:/usr/bin:/bin", "PYTHONUTF8": "1", "COLUMNS": "200", **environment}

    def run(line: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(line, shell=True, cwd=folder, env=environment, check=False, capture_output=True, text=True)  # noqa: S602

    for command in commands(PAGES[page]):
        if command.line.startswith("sudoku-cp ") and "serve" not in command.line:
            ended = run(command.line)
            assert ended.returncode in {0, 1}, (command.line, ended.stderr)
            assert not command.shown or matches(command.shown, ended.stdout), (command.line, ended.stdout)
    test = f"doctest.testfile({str(ROOT / page)!r}, False, optionflags={doctest.ELLIPSIS}, encoding='utf-8')"
    ended = run(shlex.join(["python", "-c", f"import doctest, sys; sys.exit({test}.failed)"]))
    assert ended.returncode == 0, ended.stdout + ended.stderr


@pytest.mark.parametrize("page", sorted(FROM_THE_WHEEL))
def test_the_first_pages_run_as_shown_from_the_wheel(page: str, wheel: Path, tmp_path: Path) -> None:
    """README and tour need nothing of the checkout: neither an example, nor a file of the package that the wheel leaves out."""
    packages, programs = tmp_path / "packages", tmp_path / "programs"
    shutil.unpack_archive(wheel, packages, "zip")
    programs.mkdir()
    for name, arguments in {"python": "", "sudoku-cp": "-P -m sudoku_cp "}.items():
        (programs / name).write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} {arguments}"$@"\n', encoding="utf-8")
        (programs / name).chmod(0o755)
    kernels = {name: os.environ[name] for name in ("HOME", "XDG_CACHE_HOME", "SUDOKU_CP_CACHE") if name in os.environ}
    where = [programs / "python", "-P", "-c", "import sudoku_cp; print(sudoku_cp.__file__)"]
    found = subprocess.run(where, cwd=tmp_path, env={"PYTHONPATH": str(packages)}, check=True, capture_output=True, text=True)
    assert Path(found.stdout.strip()).is_relative_to(packages)
    read_as_shown(page, tmp_path / "reader", programs, PYTHONPATH=str(packages), **kernels)


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
