"""Ctrl-C at moments when it would be lost."""

import importlib
import signal
import sys
import time

import pytest

from sudoku_cp.interrupts import ImportSafeSignalHandler

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
    hears = ImportSafeSignalHandler()
    if retries is not None:
        monkeypatch.setattr(hears, "_retries", retries)
    before = signal.signal(signal.SIGINT, hears)
    try:
        with pytest.raises(KeyboardInterrupt):  # noqa: PT012  # it comes while nothing in particular is done
            importlib.import_module("interrupted_module")
            for _ in range(2000):  # no system call is interrupted, so each one is short
                time.sleep(0.01)
    finally:
        signal.signal(signal.SIGINT, before)
        sys.modules.pop("interrupted_module", None)
    assert done == ended


def test_ctrl_c_elsewhere_is_heard_at_once() -> None:
    """Nothing is deferred where nothing is being imported."""
    before = signal.signal(signal.SIGINT, ImportSafeSignalHandler())
    try:
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
    finally:
        signal.signal(signal.SIGINT, before)
