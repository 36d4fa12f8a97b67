"""The cache of compiled code, and the seconds that loading takes."""

import logging
import os
import signal
import sys
from importlib import import_module
from pathlib import Path
from threading import Event, Thread
from types import SimpleNamespace

import pytest
from numba.core import event

from sudoku_cp import process_locks
from sudoku_cp.compile_cache import CachedModule
from sudoku_cp.time_limits import loading_seconds

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
    """Signal that this thread starts compiling."""
    event.start_event(COMPILER)


def end() -> None:
    """Signal that it has finished compiling."""
    event.end_event(COMPILER)


@pytest.mark.parametrize("heard", [[end], [begin], [end, begin, begin]])
def test_a_compilation_that_was_heard_in_part_does_not_go_on_for_ever(heard) -> None:
    """An end without a beginning counts nothing; a thread that reads the seconds has ended whatever it began."""
    CachedModule(lambda _: SimpleNamespace(), lambda: None).module  # noqa: B018
    for one in heard:
        one()
    seconds = loading_seconds()
    assert loading_seconds() == seconds
    begin()
    end()
    assert loading_seconds() > seconds


def test_what_another_thread_compiles_is_counted_while_it_goes_on() -> None:
    """The seconds grow from its beginning to its end, though this thread reads them meanwhile."""
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


def test_where_nothing_can_be_cached_that_is_announced(caplog, monkeypatch) -> None:
    """Without a directory the code is compiled all the same, and one warning says that it is not kept."""
    monkeypatch.setattr(process_locks, "_announced", set())
    module = CachedModule(lambda cache_dir: SimpleNamespace(work=lambda: cache_dir), lambda: None, "this")
    with caplog.at_level(logging.WARNING, "sudoku_cp"):
        assert [module.call("work") for _ in range(2)] == [None, None]
    assert len(caplog.messages) == 1
    assert "compiling this: some seconds, and not kept" in caplog.messages[0]


def test_damaged_code_is_deleted_and_built_anew(tmp_path, caplog, monkeypatch) -> None:
    """Code that fails is rebuilt, once in an empty directory, then without any; after that the error is raised."""
    monkeypatch.setattr(process_locks, "_announced", set())
    built: list[Path | None] = []

    def find_dir() -> Path:
        (tmp_path / "code").mkdir(exist_ok=True)
        return tmp_path / "code"

    def build(cache_dir: Path | None) -> SimpleNamespace:
        built.append(cache_dir)

        def work(most: int) -> int:
            if len(built) > most:
                return len(built)
            raise OSError("damaged")

        return SimpleNamespace(work=work)

    find_dir().joinpath("old").touch()
    module = CachedModule(build, find_dir)
    assert module.call("work", 1) == 2
    assert built == [tmp_path / "code"] * 2
    assert not [*tmp_path.glob("code/old")]
    assert "cannot be used (damaged)" in caplog.text
    assert module.call("work", 2) == 3
    assert built[-1] is None
    with pytest.raises(OSError, match="damaged"):
        module.call("work", 9)


def test_functions_compiled_together_mean_each_other(tmp_path, monkeypatch) -> None:
    """Global names in compiled functions refer to the compiled others, even by an alias; only entries are exposed."""
    monkeypatch.setenv("SUDOKU_CP_CACHE", str(tmp_path))
    (tmp_path / "one.py").write_text("def double(x):\n    return 2 * x\n")
    (tmp_path / "two.py").write_text("from one import double as twice\n\ndef entry(x):\n    return twice(x) + 1\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    modules = [import_module(name) for name in ("one", "two")]
    for again in (False, True):
        module = CachedModule.of_functions("test", modules, ("entry",), "it")
        assert module.is_cached("entry") == again
        assert module.call("entry", 20) == 41
        assert not hasattr(module.module, "double")


def test_a_copy_of_the_sources_finds_the_code(tmp_path, monkeypatch) -> None:
    """Neither the place nor the time of a source file matters: another installation of the same text compiles nothing."""
    monkeypatch.setenv("SUDOKU_CP_CACHE", str(tmp_path / "cache"))
    hits = []
    for folder in (tmp_path / "first", tmp_path / "second"):
        folder.mkdir()
        (folder / "copied.py").write_text("def entry(x):\n    return 2 * x\n\nFUNCTIONS = (entry,)\n")
        os.utime(folder / "copied.py", (len(hits), len(hits)))
        monkeypatch.syspath_prepend(str(folder))
        monkeypatch.delitem(sys.modules, "copied", raising=False)
        module = CachedModule.of_functions("copied", [import_module("copied")], ("entry",), "it")
        assert module.is_cached("entry") == bool(hits)
        assert module.call("entry", 21) == 42
        hits.append(sum(module.module.entry.stats.cache_hits.values()))
    assert hits == [0, 1]


def test_only_entries_have_machine_code(tmp_path, monkeypatch) -> None:
    """What only compiled code calls becomes machine code within its caller, and never by itself: it would be so in vain."""
    monkeypatch.setenv("SUDOKU_CP_CACHE", str(tmp_path))
    (tmp_path / "inner.py").write_text("def half(x):\n    return x // 2\n")
    (tmp_path / "outer.py").write_text("from inner import half\n\ndef entry(x):\n    return half(x)\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    entry = CachedModule.of_functions(
        "parts", [import_module(name) for name in ("inner", "outer")], ("entry",), "it"
    ).module.entry
    assert entry(42) == 21
    for function, has_code in ((entry, True), (entry.py_func.__globals__["half"], False)):
        (version,) = function.overloads.values()
        engine = version.library._codegen._engine
        assert engine.is_symbol_defined(version.fndesc.llvm_func_name) == has_code


def test_lean_code_has_one_version_of_a_function_for_all_constants(tmp_path, monkeypatch) -> None:
    """Constants as arguments are integers like any other; the results are the same, and only entries are called from Python."""
    monkeypatch.setenv("SUDOKU_CP_CACHE", str(tmp_path))
    (tmp_path / "helper.py").write_text("def times(x, y):\n    return x * y\n")
    (tmp_path / "caller.py").write_text(
        "from helper import times\n\ndef entry(x):\n    return times(x, 2) + times(3, x) + times(x, y=x)\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    modules = [import_module(name) for name in ("helper", "caller")]
    module = CachedModule.of_functions("lean", modules, ("entry",), "it", lean=True)
    assert module.call("entry", 10) == 150
    helper = module.module.entry.py_func.__globals__["times"]
    assert len(helper.signatures) == 1
    assert CachedModule.of_functions("lean", modules, ("entry",), "it", lean=True).is_cached("entry")
