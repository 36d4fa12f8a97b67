"""What is published: the source archive holds the whole project, and a wheel depends on its sources alone."""

from __future__ import annotations

import subprocess
import sys
import tarfile
from pathlib import Path

import pytest

import sudoku_cp

ROOT = Path(__file__).parents[1]
HIDDEN = {".gitignore"}


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


def test_two_wheels_are_the_same_bytes(tmp_path: Path) -> None:
    """A wheel depends on the sources alone, not on when it is built."""
    one, two = (build("wheel", tmp_path / name) for name in "ab")
    assert (one.name, one.read_bytes()) == (two.name, two.read_bytes())


def test_the_changelog_tells_of_this_version() -> None:
    """The changelog has a section for the version."""
    assert f"\n## {sudoku_cp.__version__} " in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
