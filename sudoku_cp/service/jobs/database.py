"""The SQLite file of a job store: opened, checked for damage, set aside if it is damaged, and kept small.

A damaged file is never deleted: it gets another name, with its write-ahead log, and an empty one takes its place. ``sqlite3 FILE
.recover`` finds what can still be read in it.
"""

from __future__ import annotations

import sqlite3
from contextlib import suppress
from datetime import UTC, datetime
from itertools import count
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from pathlib import Path

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
