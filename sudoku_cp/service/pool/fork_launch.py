"""A fork server is started: before anything else of the service is imported, so that both load at the same time."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import tempfile
from shutil import rmtree
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

_PROGRAM = """
import json, sys
sys.path[:] = json.loads(sys.argv[2])
from sudoku_cp.service.pool.fork_server import main
main(int(sys.argv[1]), sys.argv[3])
"""


class LaunchedForkServer(NamedTuple):
    """A fork server: its process, the socket over which workers are asked for, and the folder for their files."""

    process: subprocess.Popen[bytes]
    control: socket.socket
    folder: str

    def end(self) -> None:
        """End it with all it started; return when they are gone."""
        self.control.close()
        self.process.wait()
        rmtree(self.folder, ignore_errors=True)  # if it was killed, it has not done so


def launch_fork_server(preload: Sequence[str], later: Sequence[str], memory: int | None) -> LaunchedForkServer:
    """Start a process that loads ``preload`` and then forks workers of ``memory`` bytes at most; what is asked of it waits.

    What it is to load ``later``, it loads as soon as it has forked those that were asked for.
    """
    folder = tempfile.mkdtemp(prefix="sudoku-cp-workers-")
    settings = json.dumps({"preload": list(preload), "later": list(later), "memory": memory, "folder": folder})
    # A process that forks has one thread: no others for algebra that nobody asks for.
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}
    ours, theirs = socket.socketpair()
    with theirs:
        command = [sys.executable, "-c", _PROGRAM, str(theirs.fileno()), json.dumps(sys.path), settings]
        process = subprocess.Popen(  # noqa: S603  # this very interpreter
            command, stdin=subprocess.DEVNULL, env=environment, pass_fds=[theirs.fileno()], start_new_session=True
        )
    ours.setblocking(False)  # noqa: FBT003  # it takes no names
    return LaunchedForkServer(process, ours, folder)
