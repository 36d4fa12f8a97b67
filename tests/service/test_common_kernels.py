"""What common questions need is compiled once on a machine, and not again until the sources change."""

from __future__ import annotations

import pytest

from sudoku_cp.compile_cache import can_compile
from sudoku_cp.service import common_kernels

pytestmark = pytest.mark.skipif(not can_compile(), reason="Numba is not installed")


@pytest.fixture
def asked(monkeypatch, tmp_path) -> list[str]:
    """Return the questions that are asked, in place of asking them, with a cache of their own."""
    found: list[str] = []
    monkeypatch.setenv("SUDOKU_CP_CACHE", str(tmp_path))
    monkeypatch.setattr(common_kernels, "QUESTIONS", tuple(lambda name=name: found.append(name) for name in ("one", "two")))
    return found


def test_questions_are_asked_once(asked) -> None:
    """The second time there is nothing left to compile."""
    common_kernels.compile_common_kernels()
    common_kernels.compile_common_kernels()
    assert asked == ["one", "two"]


def test_what_was_cut_off_is_asked_again(asked, monkeypatch) -> None:
    """A process that ends before the last question leaves the rest to the next one."""

    def stop() -> None:
        raise KeyboardInterrupt

    questions = common_kernels.QUESTIONS
    monkeypatch.setattr(common_kernels, "QUESTIONS", (*questions, stop))
    with pytest.raises(KeyboardInterrupt):
        common_kernels.compile_common_kernels()
    monkeypatch.setattr(common_kernels, "QUESTIONS", questions)
    common_kernels.compile_common_kernels()
    assert asked == ["one", "two"] * 2


@pytest.mark.slow
@pytest.mark.parametrize("question", common_kernels.QUESTIONS, ids=lambda one: one.__name__)
def test_every_question_can_be_asked(question) -> None:
    """None of them fails."""
    question()
