"""The f-puzzles socket: connections, the one question that each has in progress, and the answers remembered.

Theory of operation. A connection reads message after message. Whatever comes in first cancels the question in progress: a new
message means that the board has changed, so nobody wants the old answer. `cancel` is answered at once. Any other message
starts a task that hands the question to the pool, sends the replies that the worker emits, and at last the outcome. A question
that was cancelled ends with ``canceled`` and its own nonce, a count with nothing; the page drops replies whose nonce is not its
newest. Closing the connection cancels too.

Invariants: each message has at most one reply that ends it; a connection has one question in progress at most; nothing that a
page sends ends its connection, except a message over the size limit.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import logging
import re
from collections import Counter, OrderedDict
from contextlib import suppress
from dataclasses import dataclass
from http import HTTPStatus
from typing import TYPE_CHECKING, Any

from websockets.asyncio.server import serve
from websockets.exceptions import ConnectionClosed

from sudoku_cp.errors import InvalidInput
from sudoku_cp.formats.project_json import unique_fields
from sudoku_cp.service.batching import SeriesMemory
from sudoku_cp.service.pool.tasks import BEGINS_AGAIN, Answered, Outcome, Refused, Running, Stopped, Task, WorkerFunction
from sudoku_cp.service.problems import join_problems

if TYPE_CHECKING:
    from collections.abc import Iterable

    from websockets.asyncio.server import Server, ServerConnection
    from websockets.http11 import Request, Response
    from websockets.typing import Origin

    from sudoku_cp.service.pool.supervised_pool import Pool


PORT = 4545
"""The port that the user script knows."""
LARGEST_MESSAGE = 2 << 20
MOST_CONNECTIONS = 8
"""Connections of one address."""
LONGEST = 3600.0
"""Seconds that a question may take: the time that its page waits, but not for ever."""
REMEMBERED = 1000
"""Replies remembered, the newest, for equal questions."""
MOST_UNSENT = 32
"""Replies of a connection that its other side has not taken; then no more of its messages are read."""
REPEATABLE = frozenset(["truecandidates", "check"])
"""Commands with the same reply each time."""
ORIGINS = ("https://f-puzzles.com", "https://*.f-puzzles.com", "http://localhost", "http://localhost:*", "http://127.0.0.1:*")

FORWARDED = ("Forwarded", "X-Forwarded-For", "X-Real-IP")
"""Headers with which proxies say for whom they ask."""

ANSWER = WorkerFunction("sudoku_cp.service.fpuzzles_socket.questions", "answer")
"""What a worker runs."""
_log = logging.getLogger(__name__)


async def start(pool: Pool, host: str = "127.0.0.1", port: int = PORT, origins: Iterable[str] = ORIGINS) -> Server:
    """Listen, and return the server; ``origins`` are patterns such as ``https://*.f-puzzles.com``.

    A program, which sends no origin, is let in where only this machine can reach the port, unless a proxy speaks for it.
    """
    patterns: list[Origin | re.Pattern[str] | None] = [*map(origin_pattern, origins)]
    if host in {"127.0.0.1", "localhost", "::1"}:
        patterns.append(None)
    shared = _Shared(pool)
    return await serve(
        shared.serve, host, port, origins=patterns, max_size=LARGEST_MESSAGE, process_request=shared.admit, server_header=None
    )


def origin_pattern(origin: str) -> re.Pattern[str]:
    """Return the expression for a whole origin, in which ``*`` stands for a port after a colon, and for a name elsewhere."""
    first, *rest = origin.split("*")
    pattern, before = re.escape(first), first
    for piece in rest:
        pattern += ("[0-9]+" if before.endswith(":") else r"[a-z0-9-]+(?:\.[a-z0-9-]+)*") + re.escape(piece)
        before = piece
    return re.compile(rf"\A{pattern}\Z", re.IGNORECASE | re.ASCII)


class _Shared:
    """What the connections share: the pool, what is remembered, and how many connections each address has."""

    def __init__(self, pool: Pool) -> None:
        self.pool, self.memory = pool, SeriesMemory()
        self._replies: OrderedDict[bytes, str] = OrderedDict()
        self._connections: Counter[str] = Counter()

    def admit(self, connection: ServerConnection, request: Request) -> Response | None:
        """Refuse one connection too many from an address, and a program that comes from elsewhere through a proxy."""
        if self._connections[_address(connection)] >= MOST_CONNECTIONS:
            problem = f"expected {MOST_CONNECTIONS} connections at most, got one more\n"
            return connection.respond(HTTPStatus.TOO_MANY_REQUESTS, problem)
        if "Origin" not in request.headers and any(name in request.headers for name in FORWARDED):
            problem = "expected a page, or a program on this machine, got a program elsewhere\n"
            return connection.respond(HTTPStatus.FORBIDDEN, problem)
        return None

    async def serve(self, connection: ServerConnection) -> None:
        """Answer the messages of a connection until it is closed."""
        address = _address(connection)
        self._connections[address] += 1
        conversation = _Conversation(self, connection)
        try:
            async for frame in connection:
                await conversation.receive(frame)
        except ConnectionClosed:
            pass
        finally:
            conversation.cancel()
            self._connections[address] -= 1

    def recall(self, message: Message) -> dict[str, Any] | None:
        """Return the reply to an equal question, None if there was none or it has been forgotten."""
        text = self._replies.get(_digest(message)) if message.command in REPEATABLE else None
        return None if text is None else json.loads(text)

    def remember(self, message: Message, reply: dict[str, Any]) -> None:
        """Keep a reply for equal questions; as text, which is many times smaller than its numbers."""
        if message.command in REPEATABLE and reply["type"] in {"truecandidates", "count"}:
            self._replies[_digest(message)] = json.dumps(reply, separators=(",", ":"))
            if len(self._replies) > REMEMBERED:
                self._replies.popitem(last=False)


def _digest(message: Message) -> bytes:
    """Return what stands for a question: its board may be large, and a thousand of them are remembered."""
    return hashlib.sha256(f"{message.command} {message.data}".encode("utf-8", "surrogatepass")).digest()


def _address(connection: ServerConnection) -> str:
    """Return the address of the other side, without its port."""
    return str((connection.remote_address or ("",))[0])


class _Conversation:
    """A connection, and the question in progress on it."""

    def __init__(self, shared: _Shared, connection: ServerConnection) -> None:
        self._shared, self._connection = shared, connection
        self._running: Running | None = None
        self._tasks: set[asyncio.Task[None]] = set()

    async def receive(self, frame: str | bytes) -> None:
        """Cancel what is in progress, and begin to answer a message; what is no message cancels nothing and is refused."""
        try:
            message = parse_message(frame)
        except InvalidMessage as error:
            _log.warning("f-puzzles socket: no message: %s", error)
            await self._send(error.nonce, _invalid(str(error)))
            return
        self.cancel()
        if message.command == CANCEL:
            await self._send(message.nonce, {"type": "canceled"})
        else:
            self._begin(message)
            if len(self._tasks) > MOST_UNSENT:
                await asyncio.wait(self._tasks, return_when=asyncio.FIRST_COMPLETED)

    def cancel(self) -> None:
        """Cancel the question in progress, if there is one."""
        if self._running is not None:
            self._running.cancel()
            self._running = None

    def _begin(self, message: Message) -> None:
        known = self._shared.recall(message)
        if known is None and message.command in COMMANDS:
            try:
                deadline = asyncio.get_running_loop().time() + LONGEST
                task = Task(ANSWER, (message.command, message.data))
                # A setter's questions are a series: most of them are about the last puzzle with a clue more.
                task = self._shared.memory.join(task, _address(self._connection))
                self._running = self._shared.pool.submit(task, deadline=deadline)
            except Exception as error:  # noqa: BLE001  # a full queue, or a pool that is being stopped
                _log.warning("f-puzzles socket: question refused: %s", error)
                known = _invalid("The solver is busy; try again in a moment.")
        elif known is None:
            known = _invalid(f"expected a command, one of {', '.join([*COMMANDS, CANCEL])}; got {message.command!r:.40}")
        work = self._send(message.nonce, known) if known is not None else self._answer(message, self._running)
        sending = asyncio.create_task(work)
        self._tasks.add(sending)
        sending.add_done_callback(self._tasks.discard)

    async def _answer(self, message: Message, running: Running | None) -> None:
        """Send the replies of a question as they come."""
        assert running is not None  # noqa: S101  # just submitted
        async for reply in running.items():
            if reply is BEGINS_AGAIN:
                continue
            await self._send(message.nonce, reply)
        outcome = await running.outcome()
        if isinstance(outcome, Stopped) and outcome.reason == "cancelled" and message.command == "count":
            return
        reply = _final_reply(outcome)
        self._shared.remember(message, reply)
        await self._send(message.nonce, reply)
        if self._running is running:
            self._running = None

    async def _send(self, nonce: int | None, reply: dict[str, Any]) -> None:
        """Send a reply, unless the other side has gone; ``nonce`` is that of its message."""
        with suppress(ConnectionClosed):
            await self._connection.send(json.dumps({"nonce": nonce} | reply, separators=(",", ":")))


def _final_reply(outcome: Outcome | None) -> dict[str, Any]:
    """Return the reply that stands for an outcome."""
    match outcome:
        case Answered(value):
            reply: dict[str, Any] = value
            return reply
        case Stopped("cancelled"):
            return {"type": "canceled"}
        case Stopped(reason):
            return _invalid(f"No answer: the question was stopped ({reason}).")
        case Refused():
            return _invalid(join_problems(outcome.problems, outcome.more))
        case _:
            return _invalid("Something went wrong in the solver; see its log.")


def _invalid(message: str) -> dict[str, Any]:
    return {"type": "invalid", "message": message}


# Messages of the f-puzzles socket: what a page sends.


CANCEL = "cancel"
COMMANDS = ("truecandidates", "solve", "check", "count", "estimate", "solvepath", "step")
"""Those that a worker answers."""
DATA_TYPE = "fpuzzles"
"""The only kind of data that the protocol knows."""
MOST_PARTS = 100
"""Commas and brackets in a message: the event loop parses it, and would be silent for long over a million of them."""
_MOST_NONCE = 1 << 53
"""Beyond this a page's own numbers are not exact."""


class InvalidMessage(InvalidInput):
    """A frame holds no message; ``nonce`` is that of the page, if it has one."""

    def __init__(self, problem: str, nonce: int | None = None) -> None:
        """Keep the nonce, with which the problem is sent back."""
        super().__init__(problem)
        self.nonce = nonce


@dataclass(frozen=True)
class Message:
    """A question of a page; ``data`` is the board, compressed."""

    nonce: int
    command: str
    data_type: str = ""
    data: str = ""


def parse_message(frame: str | bytes) -> Message:
    """Return the message in a frame, a text or the bytes of one; raise `InvalidMessage` if there is none in it."""
    content = frame.encode("utf-8", "surrogatepass") if isinstance(frame, str) else frame
    if sum(map(content.count, (b",", b"[", b"{"))) > MOST_PARTS:
        raise InvalidMessage(f"expected a JSON object of four fields, got one of more than {MOST_PARTS} parts")
    try:
        found = json.loads(frame, object_pairs_hook=unique_fields)
    except InvalidInput as error:
        raise InvalidMessage(str(error)) from error
    except (ValueError, RecursionError) as error:
        raise InvalidMessage("expected a JSON object, got something else") from error
    if not isinstance(found, dict):
        raise InvalidMessage(f"expected a JSON object, got {type(found).__name__}")
    nonce, command = found.get("nonce"), found.get("command")
    texts = [found.get(name) or "" for name in ("dataType", "data")]
    if not isinstance(nonce, int) or isinstance(nonce, bool) or abs(nonce) > _MOST_NONCE:
        raise InvalidMessage(f"expected a whole number as nonce, got {nonce!r:.40}")
    if not isinstance(command, str) or not all(isinstance(text, str) for text in texts):
        kinds = ", ".join(type(one).__name__ for one in (command, *texts))
        raise InvalidMessage(f"expected texts as command, dataType and data, got {kinds}", nonce)
    if texts[0] != DATA_TYPE and command.lower() != CANCEL:
        raise InvalidMessage(f"expected the dataType {DATA_TYPE!r}, got {texts[0]!r:.40}", nonce)
    return Message(nonce, command.lower(), *texts)
