"""Messages over a stream socket: a frame is a header (kind, length) and so many bytes, a pickled object as a rule.

Theory of operation. An event loop must never wait for one message, nor hold the interpreter's lock for long because of one:

- What arrives is kept in the pieces in which it was received (`FrameReader`), and is never joined.
- A small object is pickled and unpickled at once. A large one is left to a thread, where the C pickler reads and writes the
  pieces through a Python object: protocol 5 has frames of 64 KB, and between two of them other threads get the lock.
- What is sent is a list of pieces too (`pickle_small`, `pickle_large`), written as far as the socket takes them.
"""

from __future__ import annotations

import pickle
from collections import deque
from struct import Struct
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from sudoku_cp.errors import SudokuError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

READY, ITEM, ANSWER, LAST_ANSWER = b"riaz"
"""The kinds of frames from a worker: it is ready; an item; the outcome of its task; the same, after which the worker ends."""
TASK = b"t"[0]
"""The kind of frame to a worker."""
TASK_NUMBER = Struct("<Q")
"""What is written to the pipe of a worker to cancel the task of that number."""
KINDS = frozenset({READY, ITEM, ANSWER, LAST_ANSWER, TASK})

HEADER = Struct("<BI")
"""The kind and the length of a frame."""
PIECE = 1 << 17
"""Bytes received or sent at a time."""
SMALL = 1 << 17
"""The most bytes of an object that is pickled and unpickled at once."""
LARGEST = 1 << 28
"""The most bytes of a frame."""

Pieces: TypeAlias = "list[bytes]"
"""The bytes of a message, in the order of the list."""


class BadFrame(SudokuError, ValueError):
    """What came is not a frame: the other process is broken."""


class TooLarge(SudokuError, ValueError):
    """An object that needs more than `SMALL` bytes."""


class Frame(NamedTuple):
    """A whole message."""

    kind: int
    length: int
    pieces: Pieces

    @property
    def is_small(self) -> bool:
        """Whether `unpickle` takes no time worth mentioning."""
        return self.length <= SMALL


# --- received ---------------------------------------------------------------------------------------------------


class FrameReader:
    """Makes frames of whatever pieces arrive."""

    def __init__(self) -> None:
        """Expect a header."""
        self._head = b""
        self._kind = self._length = 0
        self._missing = -1
        self._pieces: Pieces = []

    def feed(self, data: bytes) -> Iterator[Frame]:
        """Yield the frames that are whole with this piece; raise `BadFrame` for a header that no frame has."""
        while data:
            if self._missing < 0:
                data = self._read_header(data)
            if self._missing >= 0:
                piece, data = data[: self._missing], data[self._missing :]
                self._missing -= len(piece)
                if piece:
                    self._pieces.append(piece)
                if self._missing == 0:
                    frame = Frame(self._kind, self._length, self._pieces)
                    self._missing, self._pieces = -1, []
                    yield frame

    def _read_header(self, data: bytes) -> bytes:
        """Read as much of a header as there is; return what follows it."""
        head = self._head + data[: HEADER.size - len(self._head)]
        rest = data[len(head) - len(self._head) :]
        self._head = head
        if len(head) == HEADER.size:
            self._kind, self._length = HEADER.unpack(head)
            if self._kind not in KINDS or self._length > LARGEST:
                raise BadFrame(f"expected the header of a frame, got {head!r}")
            self._head, self._missing = b"", self._length
        return rest


def unpickle(frame: Frame) -> Any:
    """Return the object in a frame; a large one is for a thread."""
    if len(frame.pieces) == 1:
        return pickle.loads(frame.pieces[0])  # noqa: S301  # written by a process of this pool
    return pickle.Unpickler(_PieceSource(frame.pieces)).load()  # noqa: S301  # likewise


class _PieceSource:
    """A file over pieces, which it gives up as they are read."""

    def __init__(self, pieces: Pieces) -> None:
        self._pieces = deque(memoryview(piece) for piece in pieces)
        pieces.clear()

    def _next(self, size: int) -> Iterator[memoryview]:
        """Yield the next ``size`` bytes, or what is left."""
        while size and self._pieces:
            piece = self._pieces.popleft()
            if len(piece) > size:
                self._pieces.appendleft(piece[size:])
            yield piece[:size]
            size -= len(piece[:size])

    def read(self, size: int) -> bytes:
        """Return the next ``size`` bytes, or what is left."""
        return b"".join(self._next(size))

    def readinto(self, room: Any) -> int:
        """Fill ``room`` with what comes next, piece by piece; return how many bytes that were."""
        view, filled = memoryview(room).cast("B"), 0
        for piece in self._next(len(view)):
            view[filled : filled + len(piece)] = piece
            filled += len(piece)
        return filled

    def readline(self) -> bytes:
        """Return the next line; protocol 5 has none but in old opcodes."""
        line = bytearray()
        while not line.endswith(b"\n") and (one := self.read(1)):
            line += one
        return bytes(line)


# --- sent -------------------------------------------------------------------------------------------------------


def frame_of(kind: int, pieces: Iterable[bytes]) -> Pieces:
    """Return the pieces of a frame; raise `TooLarge` for more than `LARGEST` bytes."""
    body = list(pieces)
    length = sum(map(len, body))
    if length > LARGEST:
        raise TooLarge(f"expected a message of at most {LARGEST:,} bytes, got {length:,}")
    if length <= SMALL:
        return [HEADER.pack(kind, length) + b"".join(body)]
    return [HEADER.pack(kind, length), *body]


def pickle_small(kind: int, thing: Any) -> Pieces:
    """Return an object as a frame; raise `TooLarge` as soon as it takes more than `SMALL` bytes."""
    sink = _PieceSink(SMALL)
    pickle.Pickler(sink, 5).dump(thing)
    return frame_of(kind, sink.pieces)


def pickle_large(kind: int, thing: Any) -> Pieces:
    """Return an object of any size as a frame; it is for threads, and for processes without an event loop."""
    sink = _PieceSink(LARGEST)
    pickle.Pickler(sink, 5).dump(thing)
    return frame_of(kind, sink.pieces)


class _PieceSink:
    """A file that keeps the pieces written to it, up to ``most`` bytes."""

    def __init__(self, most: int) -> None:
        self.pieces: Pieces = []
        self._most = self._left = most

    def write(self, piece: Any) -> int:
        """Keep a piece, or raise `TooLarge`."""
        self._left -= len(piece)
        if self._left < 0:
            raise TooLarge(f"expected a message of at most {self._most:,} bytes, got a larger one")
        self.pieces.append(bytes(piece))
        return len(piece)
