"""Code that is kept."""

import signal
from types import SimpleNamespace

import pytest

from sudoku_cp.kept import Code


def test_ctrl_c_while_code_is_loaded_is_heard_behind_it() -> None:
    """A first call, in which libraries swallow interrupts, is finished and then interrupted; a later one at once."""
    done: list[int] = []

    def work(number: int) -> int:
        signal.raise_signal(signal.SIGINT)
        done.append(number)
        return number

    code = Code(lambda _: SimpleNamespace(work=work, rest=done.append), lambda: None)
    with pytest.raises(KeyboardInterrupt):
        code.call("work", 1)
    assert done == [1]
    code.call("rest", 2)
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        assert code.call("work", 3) == 3
    finally:
        signal.signal(signal.SIGINT, before)
    with pytest.raises(KeyboardInterrupt):
        code.call("work", 4)
    assert done == [1, 2, 3]
