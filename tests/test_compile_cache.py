"""The cache of compiled code, and the seconds that loading takes."""

import signal
from threading import Event, Thread
from types import SimpleNamespace

import pytest
from numba.core import event

from sudoku_cp.compile_cache import CachedModule
from sudoku_cp.load_time import loading_seconds

COMPILER = "numba:compiler_lock"


def test_ctrl_c_while_code_is_loaded_is_heard_behind_it() -> None:
    """A first call, in which libraries swallow interrupts, is finished and then interrupted; a later one at once."""
    done: list[int] = []

    def work(number: int) -> int:
        signal.raise_signal(signal.SIGINT)
        done.append(number)
        return number

    code = CachedModule(lambda _: SimpleNamespace(work=work, rest=done.append), lambda: None)
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


def begin() -> None:
    """Let it be known that this thread compiles."""
    event.start_event(COMPILER)


def end() -> None:
    """Let it be known that it has compiled."""
    event.end_event(COMPILER)


@pytest.mark.parametrize("heard", [[end], [begin], [end, begin, begin]])
def test_a_compilation_that_was_heard_in_part_does_not_go_on_for_ever(heard) -> None:
    """An end without a beginning counts nothing; who asks has ended whatever he began, and can begin again."""
    CachedModule(lambda _: SimpleNamespace(), lambda: None).module  # noqa: B018
    for one in heard:
        one()
    seconds = loading_seconds()
    assert loading_seconds() == seconds
    begin()
    end()
    assert loading_seconds() > seconds


def test_what_another_thread_compiles_is_counted_while_it_goes_on() -> None:
    """The seconds grow from its beginning to its end, though this thread asks meanwhile."""
    CachedModule(lambda _: SimpleNamespace(), lambda: None).module  # noqa: B018
    begun, enough = Event(), Event()

    def work() -> None:
        begin()
        begun.set()
        enough.wait()
        end()

    thread = Thread(target=work)
    thread.start()
    begun.wait()
    assert loading_seconds() < loading_seconds()
    enough.set()
    thread.join()
    assert loading_seconds() == loading_seconds()
