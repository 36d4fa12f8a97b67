"""What is published: the source archive holds the whole project, and a wheel depends on its sources alone."""

from __future__ import annotations

import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

import sudoku_cp
from tests.docs.pages import PAGES, PUZZLE, commands, furnish, matches

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


@pytest.mark.slow
def test_a_fresh_environment_runs_the_readme(wheel: Path, tmp_path: Path) -> None:
    """The wheel, with the extras that the README's lines need, does all that the README says, outside of any checkout."""
    python = tmp_path / "venv/bin/python"
    subprocess.run([sys.executable, "-m", "venv", str(tmp_path / "venv")], check=True)
    extras = f"sudoku_cp[pdf,png] @ {wheel.as_uri()}"
    subprocess.run([str(python), "-m", "pip", "install", "-q", "-c", str(ROOT / "constraints.txt"), extras], check=True)
    reader = tmp_path / "reader"
    reader.mkdir()
    furnish(reader)
    environment = {"PATH": f"{python.parent}:/usr/bin:/bin", "PYTHONUTF8": "1", "HOME": str(tmp_path)}
    code = f"import doctest, sys; sys.exit(doctest.testfile({str(ROOT / 'README.md')!r}, False, encoding='utf-8').failed)"
    ended = subprocess.run([str(python), "-c", code], cwd=reader, env=environment, check=False, capture_output=True, text=True)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    for command in commands(PAGES["README.md"]):
        if command.line.startswith("sudoku-cp ") and "serve" not in command.line:
            line = command.line.replace("PUZZLE", PUZZLE).replace("FILE", "puzzles.txt")
            ended = subprocess.run(line, shell=True, cwd=reader, env=environment, check=False, capture_output=True, text=True)  # noqa: S602
            assert ended.returncode in {0, 1}, (line, ended.stderr)
            assert not command.shown or matches(command.shown, ended.stdout), (line, ended.stdout)
    ended = subprocess.run([str(python.parent / "sudoku-cp"), "doctor"], env=environment, cwd=reader, check=False)
    assert ended.returncode == 0


def test_the_changelog_tells_of_this_version() -> None:
    """The changelog has a section for the version."""
    assert f"\n## {sudoku_cp.__version__} " in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
