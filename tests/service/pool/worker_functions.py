"""What workers are asked to do in the tests of the pool: to answer, and everything that a worker can do wrong."""

from __future__ import annotations

import ctypes
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from pysat.examples.genhard import PHP
from pysat.solvers import Solver

from sudoku_cp import Grid, InvalidInput, LimitReached, Limits, Puzzle, backend, queries
from sudoku_cp.errors import BackendFailed
from sudoku_cp.service.pool.frames import ANSWER, HEADER
from sudoku_cp.service.questions.declared_run import encode_answer

EMPTY16 = Puzzle(Grid.square(16))


def echo(thing, control):
    """Answer with the argument."""
    return thing


def pid(control):
    """Answer with the process id."""
    return os.getpid()


def nap(seconds, control):
    """Sleep, unless cancelled."""
    end = time.monotonic() + seconds
    while time.monotonic() < end and not control.cancel.cancelled:
        time.sleep(0.005)
    return "cancelled" if control.cancel.cancelled else "slept"


def note(name, file, control):
    """Write into a file that this was begun, and nap."""
    with Path(file).open("a", encoding="ascii") as notes:
        notes.write(f"{name}\n")
    return nap(200, control) if name.startswith("nap") else name


def wait_for(file, control):
    """Wait until there is such a file, unless cancelled."""
    while not Path(file).exists() and not control.cancel.cancelled:
        time.sleep(0.005)
    return "cancelled" if control.cancel.cancelled else "found"


def emit_and_wait(file, control):
    """Emit two items, and then wait for a file."""
    control.emit("one")
    control.emit("two")
    return wait_for(file, control)


# --- deaf -------------------------------------------------------------------------------------------------------


def spin(control):
    """Compute for ever in Python."""
    while True:
        pass


def hold_lock(control):
    """Stay in C code that keeps the interpreter's lock."""
    ctypes.PyDLL(None).sleep(60)


def search_sat(control):
    """Ask a SAT solver for what it cannot find, without any limit."""
    with Solver("cadical153", PHP(14).clauses) as solver:
        solver.solve()


def search_cpsat(control):
    """Ask CP-SAT for all solutions of an empty grid, without any limit."""
    for _ in backend("cpsat").open(EMPTY16.model()).solutions():
        pass


def start_programs(file, control):
    """Run programs that start others, some in sessions of their own, and wait for them."""
    command = f"""
        sleep 61 & echo $! > {file}
        setsid sleep 62 & echo $! >> {file}
        (setsid sh -c 'sleep 63 & echo $! >> {file}; wait' &)
        wait
    """
    subprocess.run(["sh", "-c", command], check=False, start_new_session=True)


def stand_still(control):
    """Stop this process."""
    os.kill(os.getpid(), signal.SIGSTOP)


def send_half(control):
    """Send half a message, and no more."""
    control._worker._socket.sendall(HEADER.pack(ANSWER, 1000) + b"x" * 500)
    time.sleep(60)


def write_file(control):
    """Write a temporary file, say where, and hear nothing more."""
    with tempfile.NamedTemporaryFile(delete=False) as file:
        control.emit(file.name)
        while True:
            pass


# --- dead -------------------------------------------------------------------------------------------------------


def fault(control):
    """Read at an address that nobody may read."""
    ctypes.string_at(0)


def leave(control):
    """End the process without a word."""
    os._exit(3)


def abort(control):
    """End as C code does that finds a fault in itself."""
    signal.signal(signal.SIGABRT, signal.SIG_DFL)
    os.abort()


def kill_itself(control):
    """End as if somebody had killed the process."""
    os.kill(os.getpid(), signal.SIGKILL)


def send_garbage(control):
    """Send what is no message."""
    control._worker._socket.sendall(os.urandom(64))
    time.sleep(60)


def send_wrong_pickle(control):
    """Send a message that holds no object."""
    control._worker._socket.sendall(HEADER.pack(ANSWER, 9) + b"no pickle")
    time.sleep(60)


def hang_up(control):
    """Close the socket and go on."""
    control._worker._socket.close()
    time.sleep(60)


# --- out of memory ----------------------------------------------------------------------------------------------


def grow_list(control):
    """Fill memory with Python objects."""
    kept = []
    while True:
        kept.append(bytearray(1 << 20))


def make_array(control):
    """Ask NumPy for more than there may be."""
    return np.ones(1 << 33, np.uint8).sum()


def wrapped_failure(control):
    """Fail because memory did, as a library may say it."""
    try:
        bytearray(1 << 40)
    except MemoryError as error:
        raise RuntimeError("no room") from error


def grow_in_c(control):
    """Fill memory in C code that does not look whether it got any."""
    libc = ctypes.CDLL(None)
    libc.malloc.restype = ctypes.c_void_p
    while True:
        libc.memset(ctypes.c_void_p(libc.malloc(ctypes.c_size_t(1 << 22))), 1, ctypes.c_size_t(1 << 22))


def grow_and_shrink():
    """Have much memory for a moment, as a compiler has; for the fork server."""
    np.ones(400 << 17)


# --- errors -----------------------------------------------------------------------------------------------------


def refuse(control):
    """Raise what bad input raises."""
    raise InvalidInput(["expected a 1, got a 2", "expected a 3, got a 4"])


def reach_limit(control):
    """Raise what a node limit raises."""
    raise LimitReached("nodes")


def fail(control):
    """Raise what only a defect raises."""
    raise KeyError("a secret")


def leave_properly(control):
    """Raise what ends a program."""
    raise SystemExit(2)


def answer_unsendable(control):
    """Answer with what cannot be pickled."""
    return lambda: None


# --- items and sizes --------------------------------------------------------------------------------------------


def count_up(number, control):
    """Emit numbers, then answer how many."""
    for item in range(number):
        control.emit(item)
    return number


def large_bytes(size, control):
    """Answer with so many bytes."""
    return b"x" * size


def large_list(size, control):
    """Answer with so many numbers, in lists."""
    return [list(range(start, start + 1000)) for start in range(0, size, 1000)]


def large_items(number, control):
    """Emit items of a megabyte between small ones."""
    for index in range(number):
        control.emit((index, b"x" * (index % 2 << 20)))
    return number


# --- engines ----------------------------------------------------------------------------------------------------


def count_with(name, control):
    """Count the solutions of an empty grid with an engine, within the limits of the task."""
    queries.count(EMPTY16 if name in {"sat", "cpsat"} else Puzzle(Grid.square(9)), backend=name, limits=control.limits())
    return control.cancel.cancelled


def count_in_array(control):
    """Count the solutions of empty grids with the array engine, within the limits of the task."""
    queries.solve_many(np.zeros((300, 81), np.uint8), 10**9, limits=control.limits())
    return control.cancel.cancelled


def limits_of(control):
    """Answer with the seconds that an engine would get."""
    limits: Limits = control.limits(nodes=7)
    return limits.seconds, limits.nodes, limits.cancel is control.cancel


def solve_alone(body, control):
    """Stand for the question ``solve``."""
    return encode_answer({"asked alone": json.loads(body)["puzzle"]})


def has_loaded(module, control):
    """Return whether a module is loaded here."""
    return module in sys.modules


def break_engine(control):
    """Fail as an engine of another package does."""
    raise BackendFailed("expected an answer of 'theirs', got ZeroDivisionError: division by zero")


def find_many_problems(number, control):
    """Refuse a question for as many reasons."""
    raise InvalidInput(f"expected {place}, got nothing" for place in range(number))
