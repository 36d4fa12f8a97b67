"""The store of jobs: three tables of SQLite in one folder.

The write-ahead log makes a commit cheap and keeps it through a kill of the process. ``synchronous=NORMAL`` may lose the newest
commits when the power fails; accepting a job is therefore a commit with ``FULL``. The body of a job is kept until it has ended,
and counts, like its events and its result, in what the store may hold.
"""

from __future__ import annotations

import asyncio
import json
import logging
import os
import secrets
import sqlite3
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial
from itertools import count
from shutil import disk_usage
from typing import TYPE_CHECKING, Any, Concatenate, Final, Literal, ParamSpec, TypeAlias, TypeVar

from sudoku_cp.errors import InvalidInput, OptionProblem
from sudoku_cp.process_locks import try_lock

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path


# What a job is: its states, its events, and its JSON.


State: TypeAlias = Literal["queued", "running", "done", "failed", "cancelled", "expired"]
"""Where a job is in its life; ``expired``: its result has been deleted."""
ENDS = frozenset({"done", "failed", "cancelled"})
"""The events that are a job's last, named after the states that they report."""


@dataclass(frozen=True)
class Job:
    """A question with its body, and what has become of it. Times are seconds since 1970."""

    id: str
    verb: str
    body: bytes
    """The body as JSON; empty where only the state was asked for."""
    owner: str
    """Who asked: only they see the job."""
    made: float
    state: State = "queued"
    started: float | None = None
    ended: float | None = None
    starts: int = 0
    """How often a service has begun to work on it."""
    reason: str | None = None
    """Why it failed."""


@dataclass(frozen=True)
class Event:
    """Something that happened to a job: the ``number``-th, counted from 1. ``data`` is JSON."""

    number: int
    name: str
    data: str


def make_job_id() -> str:
    """Return a new id, which nobody can guess."""
    return secrets.token_urlsafe(16)


def job_path(job_id: str) -> str:
    """Return the path of a job's address."""
    return f"/v1/jobs/{job_id}"


def job_to_json(job: Job, events: int | None = None) -> dict[str, Any]:
    """Return what a client sees of a job; ``events`` is the number of its last event."""
    path = job_path(job.id)
    told = {
        "id": job.id,
        "verb": job.verb,
        "state": job.state,
        "made": _format_time(job.made),
        "started": _format_time(job.started),
        "ended": _format_time(job.ended),
        "reason": job.reason,
        "progress": events,
        "events": f"{path}/events",
        "result": f"{path}/result" if job.state == "done" else None,
    }
    return {name: value for name, value in told.items() if value is not None}


def _format_time(seconds: float | None) -> str | None:
    """Return a time as in RFC 3339, None for None."""
    return None if seconds is None else datetime.fromtimestamp(seconds, UTC).isoformat(timespec="milliseconds")


MOST_STARTS: Final = 3
"""How often a job is begun; one that a service did not survive so many times is not begun again."""
RESULT_SECONDS: Final = 7 * 86400.0
"""How long results are kept."""
MOST_BYTES: Final = 1 << 30
"""Bytes of all jobs together: bodies, events and results; of those that have ended, the oldest go first."""
LOW_WATER: Final = 0.9
"""The part of these bytes that is left once the oldest have gone, so that they do not go one by one with each further job."""
KEY_SECONDS: Final = 86400.0
"""How long an idempotency key stands for its job."""

_COLUMNS = "id, verb, x'', owner, made, state, started, ended, starts, reason"


class KeyConflict(Exception):
    """An idempotency key was used before, with another body."""


class StoreFull(Exception):
    """The bodies of jobs that wait or run leave no room for another."""


class JobStore:
    """The jobs of one service, in a folder that no other service uses at the same time.

    Methods block and are called from one thread.
    """

    def __init__(self, folder: Path, most_bytes: int = MOST_BYTES) -> None:
        """Open the store, or create it; raise `InvalidInput` if the folder cannot be used or another service uses it."""
        self._path, self._most_bytes = folder / "jobs.sqlite3", most_bytes
        self._opened: sqlite3.Connection | None = None
        self._bytes = 0
        self.damaged = ""
        """The name under which the last damaged file is kept; empty if there was none."""
        try:
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            self._lock = (folder / "jobs.lock").open("ab")
        except OSError as error:
            raise InvalidInput(f"expected a folder for jobs that can be written, got {str(folder)!r}: {error.strerror}") from None
        if not try_lock(self._lock):
            self._lock.close()
            words = (
                f"expected a folder for jobs that no other service uses, got {str(folder)!r}: each service runs the jobs of its "
                "own store, and two would run them twice; name another with `data`"
            )
            raise InvalidInput(OptionProblem(words))
        try:
            self._lock.truncate(0)
            self._lock.write(f"{os.getpid()}\n".encode())
            self._lock.flush()
            self._open()
        except (OSError, sqlite3.Error) as error:  # a full disk, or a folder where the file should be
            self._lock.close()
            raise InvalidInput(f"expected a folder for jobs that can be used, got {str(folder)!r}: {error}") from None

    @property
    def is_open(self) -> bool:
        """Whether there is a file to work with: a damaged one may not have been replaced yet."""
        return self._opened is not None

    def _open(self) -> None:
        """Open the file; a damaged one is set aside, and an empty one takes its place."""
        try:
            self._opened = open_database(self._path)
        except sqlite3.DatabaseError as error:
            if not is_damage(error):
                raise
            self.damaged = set_aside(self._path)
            self._opened = open_database(self._path)
        self._bytes = self._row("SELECT coalesce(sum(bytes), 0) FROM jobs", ())[0]

    def replace_damaged(self) -> None:
        """Set the file aside, which is damaged, and begin an empty one; if that fails, it can be tried again."""
        if self._opened is not None:
            self._opened.close()
            self._opened = None
            self.damaged = set_aside(self._path)
        self._open()

    def close(self) -> None:
        """Close the store, and let go of the folder."""
        if self._opened is not None:
            self._opened.close()
        self._lock.close()

    @property
    def _db(self) -> sqlite3.Connection:
        if self._opened is None:
            raise sqlite3.OperationalError("a damaged store could not be replaced yet")
        return self._opened

    # Accept

    def accept(self, job: Job, key: str | None = None, digest: str = "") -> Job:
        """Commit a job to disk and return it, or the earlier one of its owner's idempotency ``key``.

        ``digest`` stands for verb and body; raise `KeyConflict` if the key came with another one, and `StoreFull` if there is no
        room for the body.
        """
        earlier = self.job_of_key(job.owner, key, digest, job.made) if key is not None else None
        if earlier is not None:
            return earlier
        size = len(job.body)
        if self._waiting_bytes() + size > self._most_bytes:
            raise StoreFull
        row = (job.id, job.verb, job.body, job.owner, job.made, job.state, job.started, job.starts, size)
        self._db.execute("PRAGMA synchronous=FULL")
        try:
            with self._transaction():
                self._db.execute(
                    "INSERT INTO jobs (id, verb, body, owner, made, state, started, starts, bytes) "
                    "VALUES (?, ?, CAST(? AS TEXT), ?, ?, ?, ?, ?, ?)",
                    row,
                )
                if key is not None:
                    self._db.execute("REPLACE INTO keys VALUES (?, ?, ?, ?, ?)", (job.owner, key, digest, job.id, job.made))
        finally:
            self._db.execute("PRAGMA synchronous=NORMAL")
        self._count_bytes(size, job.made)
        return job

    def job_of_key(self, owner: str, key: str, digest: str, now: float) -> Job | None:
        """Return the job that an idempotency key stands for, None if there is none; raise `KeyConflict` as `accept` does."""
        row = self._row("SELECT job, digest FROM keys WHERE owner = ? AND key = ? AND made > ?", (owner, key, now - KEY_SECONDS))
        if row is None:
            return None
        if row[1] != digest:
            raise KeyConflict
        return self.get(row[0])

    # Read

    def get(self, job_id: str) -> Job | None:
        """Return a job without its body, None if there is none of this id."""
        row = self._row(f"SELECT {_COLUMNS} FROM jobs WHERE id = ?", (job_id,))  # noqa: S608  # names of columns
        return None if row is None else Job(*row)

    def body(self, job_id: str) -> bytes:
        """Return the body of a job that has not ended."""
        found: bytes = self._row("SELECT CAST(body AS BLOB) FROM jobs WHERE id = ?", (job_id,))[0]
        return found

    def fields(self, job_id: str, *names: str) -> list[Any]:
        """Return fields of the body of a job, None for those that it does not have; SQLite parses it, without our lock."""
        wanted = ", ".join(["json_extract(body, ?)"] * len(names))
        row = self._row(f"SELECT {wanted} FROM jobs WHERE id = ?", (*(f"$.{name}" for name in names), job_id))  # noqa: S608
        return list(row or [None] * len(names))  # none if the store was replaced

    def result(self, job_id: str) -> bytes | None:
        """Return the result of a job as JSON, None if it has none."""
        row = self._row("SELECT CAST(result AS BLOB) FROM jobs WHERE id = ?", (job_id,))
        return None if row is None else row[0]

    def events(self, job_id: str, after: int, most: int = 500) -> list[Event]:
        """Return the events of a job that follow number ``after``, at most so many."""
        query = "SELECT number, name, data FROM events WHERE job = ? AND number > ? ORDER BY number LIMIT ?"
        with closing(self._db.execute(query, (job_id, after, most))) as rows:
            return [Event(*row) for row in rows]

    def is_over(self, job_id: str) -> bool:
        """Return whether a job has had its last event: it has ended, or there is none of this id."""
        return self._row("SELECT 1 FROM jobs WHERE id = ? AND state IN ('queued', 'running')", (job_id,)) is None

    def last_event(self, job_id: str) -> int:
        """Return the number of a job's last event, 0 if it has none."""
        row = self._row("SELECT max(number) FROM events WHERE job = ?", (job_id,))
        return (row and row[0]) or 0

    def require_room(self, size: int) -> None:
        """Raise an `OSError`, or an error of SQLite, unless a job with a body of ``size`` bytes could be written now."""
        free = disk_usage(self._path.parent).free
        if free < size:
            raise OSError(f"its disk has {free:,} bytes left, fewer than the {size:,} that a body may have")
        with self._transaction():
            self._db.execute("PRAGMA user_version = 0")  # as it is, but written: the folder may have become read-only

    def count(self) -> dict[str, int]:
        """Return the number of jobs in each state."""
        return dict(self._db.execute("SELECT state, count(*) FROM jobs GROUP BY state").fetchall())

    # Run

    def queued(self) -> list[str]:
        """Return the ids of the jobs that wait, in the order of their acceptance."""
        return [row[0] for row in self._db.execute("SELECT id FROM jobs WHERE state = 'queued' ORDER BY made, rowid")]

    def start(self, job_id: str, now: float) -> Job | None:
        """Mark a queued job as running and return it; None if it no longer waits."""
        change = "UPDATE jobs SET state = 'running', started = ?, starts = starts + 1 WHERE id = ? AND state = 'queued'"
        started = self.get(job_id) if self._db.execute(change, (now, job_id)).rowcount else None
        return None if started is None else replace(started, body=self.body(job_id))

    def append(self, job_id: str, events: Sequence[tuple[str, str]]) -> None:
        """Add events, a name and JSON each, to a job that runs."""
        with self._transaction():
            if self._row("SELECT 1 FROM jobs WHERE id = ? AND state = 'running'", (job_id,)):
                self._insert_events(job_id, events)

    def end(
        self,
        job_id: str,
        state: str,
        now: float,
        *,
        started: float | None = None,
        result: bytes | None = None,
        reason: str | None = None,
    ) -> bool:
        """End a job that waits or runs, with its last event; return False if it has ended already.

        ``started`` is when a worker got it, None if none ever did: it waited until then.
        """
        assert state in ENDS  # noqa: S101  # ours
        change = (
            "UPDATE jobs SET state = ?, started = ?, ended = ?, result = CAST(? AS TEXT), reason = ?, body = '{}' "
            "WHERE id = ? AND state IN ('queued', 'running')"
        )
        sizes = []
        with self._transaction():
            sizes.append(self._size(job_id))
            if not self._db.execute(change, (state, started, now, result, reason, job_id)).rowcount:
                return False
            self._insert_events(job_id, [(state, json.dumps({"state": state} | ({"reason": reason} if reason else {})))])
            size = "SELECT coalesce(sum(length(data)), 0) + ? FROM events WHERE job = ?"
            self._db.execute(f"UPDATE jobs SET bytes = ({size}) WHERE id = ?", (len(result or b""), job_id, job_id))  # noqa: S608
            sizes.append(self._size(job_id))
        self._count_bytes(sizes[1] - sizes[0], now)
        return True

    def put_back(self) -> None:
        """Queue the jobs again that run when the service is to end; this start does not count."""
        with self._transaction():
            for (job_id,) in self._db.execute("SELECT id FROM jobs WHERE state = 'running'").fetchall():
                self._insert_events(job_id, [("progress", '{"state": "queued"}')])
            self._db.execute("UPDATE jobs SET state = 'queued', started = NULL, starts = starts - 1 WHERE state = 'running'")

    def recover(self, now: float) -> None:
        """Queue the jobs again that ran when the service before was killed; those begun `MOST_STARTS` times have failed."""
        running = "SELECT id, starts, started FROM jobs WHERE state = 'running'"
        for job_id, starts, started in self._db.execute(running).fetchall():
            if starts >= MOST_STARTS:
                self.end(job_id, "failed", now, started=started, reason="crashed")
            else:
                with self._transaction():
                    self._db.execute("UPDATE jobs SET state = 'queued', started = NULL WHERE id = ?", (job_id,))
                    self._insert_events(job_id, [("progress", '{"state": "queued", "reason": "crashed"}')])

    # Tidy up

    def expire(self, now: float, most_bytes: int | None = None) -> int:
        """Delete the results and events that are too old, or too many, and give their space back; return of how many jobs.

        What is left is at most ``most_bytes``, or what the store may hold.
        """
        most = self._most_bytes if most_bytes is None else most_bytes
        ended = "SELECT id, ended, bytes FROM jobs WHERE state IN ('done', 'failed', 'cancelled') ORDER BY ended DESC"
        kept, is_full, gone = self._waiting_bytes(), False, []
        for job_id, when, size in self._db.execute(ended).fetchall():
            is_full = is_full or kept + size > most
            if is_full or when < now - RESULT_SECONDS:
                gone.append((job_id,))
            else:
                kept += size
        with self._transaction():
            self._db.executemany("DELETE FROM events WHERE job = ?", gone)
            self._db.executemany("UPDATE jobs SET state = 'expired', result = NULL, body = '{}', bytes = 0 WHERE id = ?", gone)
            self._db.execute("DELETE FROM keys WHERE made < ?", (now - KEY_SECONDS,))
            self._db.execute("DELETE FROM jobs WHERE state = 'expired' AND ended < ?", (now - 4 * RESULT_SECONDS,))
        self._bytes = kept
        give_back_space(self._db)
        return len(gone)

    def _count_bytes(self, change: int, now: float) -> None:
        """Note that the store has grown, and let results expire if it is too large."""
        self._bytes += change
        if self._bytes > self._most_bytes:
            self.expire(now, int(LOW_WATER * self._most_bytes))

    def _waiting_bytes(self) -> int:
        """Return the bytes of the jobs that wait or run, which cannot expire."""
        return int(self._row("SELECT coalesce(sum(bytes), 0) FROM jobs WHERE state IN ('queued', 'running')", ())[0])

    def _size(self, job_id: str) -> int:
        row = self._row("SELECT bytes FROM jobs WHERE id = ?", (job_id,))
        return int(row[0]) if row else 0

    def _insert_events(self, job_id: str, events: Sequence[tuple[str, str]]) -> None:
        first = self.last_event(job_id) + 1
        rows = [(job_id, number, name, data) for number, (name, data) in enumerate(events, first)]
        self._db.executemany("INSERT INTO events VALUES (?, ?, ?, ?)", rows)

    def _row(self, query: str, values: tuple[Any, ...]) -> Any:
        return self._db.execute(query, values).fetchone()

    def _transaction(self) -> _Transaction:
        return _Transaction(self._db)


class _Transaction:
    """A transaction that is committed at the end of its block, or rolled back if the block raises."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db

    def __enter__(self) -> None:
        self._db.execute("BEGIN IMMEDIATE")

    def __exit__(self, kind: object, *_: object) -> None:
        try:
            if kind is None:
                self._db.execute("COMMIT")
        finally:
            if self._db.in_transaction:  # SQLite rolls some failures back by itself
                self._db.execute("ROLLBACK")


# The SQLite file of a job store: opened, checked for damage, set aside if it is damaged, and kept small.
#
# A damaged file is never deleted: it gets another name, with its write-ahead log, and an empty one takes its place. ``sqlite3
# FILE .recover`` finds what can still be read in it.


PAGES_AT_ONCE: Final = 25_000
"""Free pages, of 4 KB each as a rule, that are given back to the disk at a time; the store's other callers wait meanwhile."""
LONGEST_LOG: Final = 16 << 20
"""Bytes that the write-ahead log keeps between checkpoints."""
_FILES = ("", "-wal", "-shm")
_DAMAGES = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB})
_TABLES = """
CREATE TABLE IF NOT EXISTS jobs (
    id TEXT PRIMARY KEY, verb TEXT NOT NULL, body TEXT NOT NULL, owner TEXT NOT NULL, made REAL NOT NULL,
    state TEXT NOT NULL, started REAL, ended REAL, starts INTEGER NOT NULL DEFAULT 0, reason TEXT, result TEXT,
    bytes INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX IF NOT EXISTS jobs_by_state ON jobs (state, made);
CREATE INDEX IF NOT EXISTS jobs_by_size ON jobs (state, ended, bytes, id);
CREATE TABLE IF NOT EXISTS events (
    job TEXT NOT NULL, number INTEGER NOT NULL, name TEXT NOT NULL, data TEXT NOT NULL, PRIMARY KEY (job, number)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS keys (
    owner TEXT NOT NULL, key TEXT NOT NULL, digest TEXT NOT NULL, job TEXT NOT NULL, made REAL NOT NULL, PRIMARY KEY (owner, key)
) WITHOUT ROWID;
"""


class Damaged(sqlite3.DatabaseError):
    """SQLite has found a damage in a file."""


def is_damage(error: sqlite3.Error) -> bool:
    """Return whether an error means that the file is damaged, or no database at all; others pass, as a full disk does."""
    code = getattr(error, "sqlite_errorcode", None)
    return isinstance(error, Damaged) or (code is not None and code & 0xFF in _DAMAGES)


def open_database(path: Path) -> sqlite3.Connection:
    """Return a connection to the store in a file, which is made if there is none; see `is_damage` for what may be raised."""
    db = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    try:
        found = db.execute("PRAGMA quick_check(1)").fetchone()[0]  # 0.3 s of the processor for 1 GB; nothing is written before
        if found != "ok":
            raise Damaged(found)
        db.execute("PRAGMA auto_vacuum=INCREMENTAL")  # of a new file, or at the next VACUUM
        db.execute("PRAGMA journal_mode=WAL")
        db.execute("PRAGMA synchronous=NORMAL")
        db.execute(f"PRAGMA journal_size_limit={LONGEST_LOG}")
        db.executescript(_TABLES)
        if not db.execute("PRAGMA auto_vacuum").fetchone()[0]:  # made by an earlier version
            with suppress(sqlite3.OperationalError):  # a full disk: it works as it is
                db.execute("VACUUM")
    except sqlite3.Error:
        db.close()
        raise
    return db


def set_aside(path: Path) -> str:
    """Give a damaged file another name in its folder, together with its log, and return that."""
    moment = datetime.now(UTC).strftime("%Y%m%dT%H%M%SZ")
    names = (f"{path.stem}.damaged-{moment}{f'-{number}' * (number > 1)}{path.suffix}" for number in count(1))
    name = next(name for name in names if not path.with_name(name).exists())
    for ending in _FILES:
        with suppress(FileNotFoundError):
            path.with_name(path.name + ending).rename(path.with_name(name + ending))
    return name


def give_back_space(db: sqlite3.Connection) -> None:
    """Return pages that are free to the disk."""
    db.executescript(f"PRAGMA incremental_vacuum({PAGES_AT_ONCE})")  # which steps page by page, as ``execute`` does not
    db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()


# The one thread that touches the store, so that the event loop never waits for the disk.


_P = ParamSpec("_P")
_T = TypeVar("_T")

PAUSE = 1.0
"""Seconds until the store is asked again that could not do what it was to do."""
_log = logging.getLogger(__name__)


class StoreFailed(Exception):
    """The store could not be read or written: the disk is full, or fails. It is as it was before, or new if it was damaged."""


class StoreThread:
    """A `JobStore` whose methods run one after the other in a thread of its own."""

    def __init__(self, folder: Path) -> None:
        """Open the store; raise `InvalidInput` if that is impossible."""
        self._store = JobStore(folder)
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="job-store")
        if self._store.damaged:
            self._log_damage("at the start")

    @property
    def damaged(self) -> str:
        """The name under which the last damaged file is kept; empty if there was none."""
        return self._store.damaged

    @property
    def is_usable(self) -> bool:
        """Whether there is a file to work with."""
        return self._store.is_open

    async def call(self, method: Callable[Concatenate[JobStore, _P], _T], *args: _P.args, **kwargs: _P.kwargs) -> _T:
        """Return what a method of the store returns: ``await store.call(JobStore.get, job_id)``; raise `StoreFailed`."""
        work = partial(self._work, partial(method, self._store, *args, **kwargs))
        return await asyncio.get_running_loop().run_in_executor(self._thread, work)

    def _work(self, method: Callable[[], _T]) -> _T:
        """Call a method, in the thread; a store that turns out to be damaged is replaced, for the next one."""
        try:
            if not self._store.is_open:
                self._store.replace_damaged()
            return method()
        except (sqlite3.DatabaseError, OSError) as error:
            if isinstance(error, sqlite3.DatabaseError) and is_damage(error):
                self._replace_damaged(error)
            elif isinstance(error, sqlite3.DatabaseError) and not isinstance(error, sqlite3.OperationalError):
                raise
            raise StoreFailed(str(error)) from error

    def _replace_damaged(self, damage: sqlite3.DatabaseError) -> None:
        """Replace the store; where that fails, it is tried again with the next call."""
        try:
            self._store.replace_damaged()
        except (OSError, sqlite3.Error) as error:
            _log.error("the store of jobs is damaged (%s) and cannot be replaced: %s", damage, error)
        else:
            self._log_damage(str(damage))

    def _log_damage(self, found: str) -> None:
        _log.error("the store of jobs was damaged (%s): it is kept as %s, and a new one is used", found, self._store.damaged)

    async def insist(self, method: Callable[Concatenate[JobStore, _P], _T], *args: _P.args, **kwargs: _P.kwargs) -> _T:
        """Return what a method of the store returns, however long it takes until the disk has room for it."""
        while True:
            try:
                return await self.call(method, *args, **kwargs)
            except StoreFailed as error:
                _log.warning("the store of jobs fails, and is asked again: %s", error)
                await asyncio.sleep(PAUSE)

    async def close(self) -> None:
        """Wait for the calls that are on their way, and close the store."""
        await asyncio.get_running_loop().run_in_executor(self._thread, self._store.close)
        self._thread.shutdown()
