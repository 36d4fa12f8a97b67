"""Ctrl-C and SIGTERM at moments when they would be lost."""

import importlib
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from sudoku_cp.interrupts import InterruptHandler, defer_interrupts, report_unraisable

IMPORTED = """
import signal, time
signal.raise_signal(signal.SIGINT)
time.sleep(0.05)
done.append(1)
"""


@pytest.mark.parametrize(("retries", "ended"), [(None, [1]), (0, [])])
def test_ctrl_c_within_an_import_is_heard_behind_it(tmp_path, monkeypatch, retries, ended) -> None:
    """The import is finished before the interrupt, unless it takes too long."""
    done: list[int] = []
    (tmp_path / "interrupted_module.py").write_text(IMPORTED)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr("builtins.done", done, raising=False)
    handler = InterruptHandler()
    if retries is not None:
        monkeypatch.setattr(handler, "_retries", retries)
    with handled(signal.SIGINT, handler):
        with pytest.raises(KeyboardInterrupt):  # noqa: PT012  # it comes in either line
            importlib.import_module("interrupted_module")
            wait_for_a_signal()
        sys.modules.pop("interrupted_module", None)
    assert done == ended


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupt_elsewhere_is_heard_at_once(number) -> None:
    """Nothing is deferred where nothing is being imported."""
    with handled(number), pytest.raises(KeyboardInterrupt):
        signal.raise_signal(number)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupt_is_deferred_until_a_block_ends(number) -> None:
    """What stands in the block is done to its end, then the interrupt is raised, and signals are handled as before."""
    done = []
    with handled(number) as handler:
        with pytest.raises(KeyboardInterrupt), defer_interrupts(), defer_interrupts():  # noqa: PT012  # it comes behind them
            signal.raise_signal(number)
            done.append(number)
        assert signal.getsignal(number) is handler
    assert done == [number]


def test_a_signal_that_python_does_not_handle_is_left_alone() -> None:
    """Deferring handles no signal that the program ignores or leaves to the system."""
    with handled(signal.SIGTERM, signal.SIG_IGN), defer_interrupts():
        assert signal.getsignal(signal.SIGTERM) is signal.SIG_IGN


def test_an_interrupt_within_a_finalizer_is_raised_behind_it(monkeypatch) -> None:
    """Python drops exceptions of finalizers, so the interrupt is sent again."""

    class Interrupted:
        def __del__(self) -> None:
            signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(sys, "unraisablehook", report_unraisable)
    with handled(signal.SIGINT), pytest.raises(KeyboardInterrupt):  # noqa: PT012  # it comes in either line
        Interrupted()
        wait_for_a_signal()


def test_other_exceptions_within_a_finalizer_are_reported(monkeypatch, capsys) -> None:
    """Only interrupts are treated in a way of our own."""

    class Failing:
        def __del__(self) -> None:
            raise ValueError("no such cell")

    monkeypatch.setattr(sys, "unraisablehook", report_unraisable)
    Failing()
    assert "ValueError: no such cell" in capsys.readouterr().err


@contextmanager
def handled(number: int, handler=None) -> Iterator[object]:
    """Handle a signal in the block as the command line does, or as ``handler`` says."""
    handler = handler or InterruptHandler()
    before = signal.signal(number, handler)
    try:
        yield handler
    finally:
        signal.signal(number, before)


def wait_for_a_signal() -> None:
    """Do nothing in particular for seconds; no system call is interrupted, so each one is short."""
    for _ in range(2000):
        time.sleep(0.01)
    pytest.fail("expected a signal within 20 seconds")
