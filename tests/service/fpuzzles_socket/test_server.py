"""The f-puzzles socket over a real connection: what each command replies, and what cancels what."""

from __future__ import annotations

import asyncio
import json
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

from sudoku_cp.formats.lzstring import compress
from sudoku_cp.service.fpuzzles_socket.questions import ANSWERS
from sudoku_cp.service.fpuzzles_socket.server import (
    COMMANDS,
    LARGEST_MESSAGE,
    MOST_CONNECTIONS,
    MOST_UNSENT,
    Message,
    _Conversation,
    _Shared,
    origin_pattern,
    start,
)
from tests.service.fpuzzles_socket.thread_pool import ThreadPool

TRANSCRIPTS = sorted((Path(__file__).parent / "transcripts").glob("*.json"))
EMPTY = {"size": 9, "grid": [[{}] * 9] * 9}
PATIENCE = 60


def pack(document):
    """Return a document as a page sends it."""
    return compress(json.dumps(document))


class Page:
    """A page with a connection to the socket."""

    def __init__(self, connection):
        """Begin to count messages."""
        self.connection, self.nonce = connection, 0

    async def send(self, command, document=None, **more):
        """Send a message, and return its nonce."""
        self.nonce += 1
        fields = {"nonce": self.nonce, "command": command}
        fields |= {} if document is None else {"dataType": "fpuzzles", "data": pack(document)}
        await self.connection.send(json.dumps(fields | more))
        return self.nonce

    async def reply(self):
        """Return the next reply."""
        return json.loads(await asyncio.wait_for(self.connection.recv(), PATIENCE))


@asynccontextmanager
async def socket(pool=None, **options):
    """Serve on a free port, and yield its address."""
    server = await start(pool or ThreadPool(), port=0, **options)
    async with server:
        yield f"ws://127.0.0.1:{server.sockets[0].getsockname()[1]}"


def converse(talk, pool=None):
    """Run a conversation of one page."""

    async def run():
        async with socket(pool) as address, connect(address) as connection:
            await talk(Page(connection))

    asyncio.run(run())


@pytest.mark.parametrize("path", TRANSCRIPTS, ids=[path.stem for path in TRANSCRIPTS])
def test_replies_are_those_of_the_transcript(path):
    """A request gets the replies recorded with it, in order; each was read by eye."""
    transcript = json.loads(path.read_text())

    async def talk(page):
        nonce = await page.send(transcript["command"], transcript["document"])
        for expected in transcript["replies"]:
            assert await page.reply() == {"nonce": nonce} | expected

    converse(talk)


def test_every_command_has_a_transcript():
    """No command goes without a recorded conversation."""
    assert {json.loads(path.read_text())["command"] for path in TRANSCRIPTS} == {*COMMANDS} == {*ANSWERS}


def test_what_stands_before_the_board_in_a_link_is_cut():
    """The data of a message may be a whole link."""

    async def talk(page):
        await page.send("check", EMPTY, data=f"https://www.f-puzzles.com/?load={pack(EMPTY)}")
        assert (await page.reply())["count"] == 2

    converse(talk)


def test_cancel_is_answered_at_once_and_the_question_answers_with_its_own_nonce():
    """The reply to cancel comes first; the estimate that was in progress ends as cancelled."""

    async def talk(page):
        asked = await page.send("estimate", EMPTY)
        assert (await page.reply())["nonce"] == asked
        cancelled = await page.send("cancel")
        while (reply := await page.reply())["type"] == "estimate":
            pass
        assert reply == {"nonce": cancelled, "type": "canceled"}
        assert await page.reply() == {"nonce": asked, "type": "canceled"}

    converse(talk)


def test_a_new_question_cancels_the_one_before_it():
    """A count in progress says nothing more; the new question is answered."""

    async def talk(page):
        asked = await page.send("count", EMPTY)
        progress = await page.reply()
        assert (progress["nonce"], progress["inProgress"]) == (asked, True)
        newest = await page.send("check", EMPTY)
        replies = []
        while not replies or replies[-1]["nonce"] != newest:
            replies.append(await page.reply())
        assert all(reply["inProgress"] for reply in replies[:-1])
        assert replies[-1] == {"nonce": newest, "type": "count", "count": 2, "inProgress": False}

    converse(talk)


class SilentRun:
    """A question that nobody answers until it is cancelled."""

    def __init__(self):
        """Wait."""
        self.cancelled = asyncio.Event()

    def cancel(self):
        """End."""
        self.cancelled.set()

    async def items(self):
        """Yield nothing, late."""
        await self.cancelled.wait()
        for nothing in ():
            yield nothing

    async def outcome(self, seconds=None):
        """Return nothing."""


class SilentPool:
    """Answers nothing, and remembers what it was asked."""

    def __init__(self, error=None):
        """Raise ``error`` at each question, if there is one."""
        self.runs, self.error = asyncio.Queue(), error

    def submit(self, task, *, deadline):
        """Take a task."""
        if self.error:
            raise self.error
        run = SilentRun()
        self.runs.put_nowait(run)
        return run


def test_disconnecting_cancels():
    """When the page goes, its question is cancelled."""

    async def run():
        pool = SilentPool()
        async with socket(pool) as address:
            async with connect(address) as connection:
                await Page(connection).send("count", EMPTY)
                run = await asyncio.wait_for(pool.runs.get(), PATIENCE)
            await asyncio.wait_for(run.cancelled.wait(), PATIENCE)

    asyncio.run(run())


@pytest.mark.parametrize(
    "frame",
    [
        b"\xff\xfe\x00",
        "",
        "no json",
        "[" * 100_000,
        "[]",
        "{}",
        '{"nonce": "7", "command": "check"}',
        '{"nonce": true, "command": "check"}',
        '{"nonce": NaN, "command": "check"}',
        '{"nonce": 1, "command": 7}',
        '{"nonce": 1, "command": "check", "dataType": ["fpuzzles"]}',
        '{"nonce": 1, "command": "check", "dataType": "sudokupad", "data": "N4Ig"}',
    ],
)
def test_what_is_no_question_is_refused(frame):
    """Garbage, wrong types and other kinds of data get a reply that says what was expected; the connection goes on."""

    async def talk(page):
        await page.connection.send(frame)
        reply = await page.reply()
        assert reply["type"] == "invalid"
        assert reply["message"].startswith("expected ")
        assert reply["nonce"] == (1 if '"nonce": 1,' in str(frame) else None)
        nonce = await page.send("cancel")
        assert await page.reply() == {"nonce": nonce, "type": "canceled"}

    converse(talk)


def test_binary_frames_are_texts():
    """Bytes are read as UTF-8."""

    async def talk(page):
        await page.connection.send(b'{"nonce": 4, "command": "cancel"}')
        assert await page.reply() == {"nonce": 4, "type": "canceled"}

    converse(talk)


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"command": "check", "data": "garbage!"}, "expected base64"),
        ({"command": "check", "data": ""}, "expected"),
        ({"command": "check", "data": compress("[1]")}, "expected a board of f-puzzles"),
        ({"command": "check", "data": pack({"size": 9, "grid": [[]]})}, "expected 9 rows"),
        ({"command": "step", "data": pack({"size": 2, "grid": [[{"value": 7}, {}], [{}, {}]]})}, "values from 1 to 2"),
        ({"command": "dance", "data": pack(EMPTY)}, "expected a command, one of truecandidates"),
    ],
)
def test_what_cannot_be_answered_says_why(fields, words):
    """A board that cannot be read is answered by a message that says what was expected."""

    async def talk(page):
        await page.send(fields["command"], dataType="fpuzzles", data=fields["data"])
        reply = await page.reply()
        assert (reply["nonce"], reply["type"]) == (1, "invalid")
        assert words in reply["message"]

    converse(talk)


def test_equal_questions_are_answered_from_memory():
    """The second of two equal questions reaches no worker."""
    pool = ThreadPool()
    submitted, submit = [], pool.submit
    pool.submit = lambda task, **more: submitted.append(task) or submit(task, **more)

    async def talk(page):
        await page.send("truecandidates", EMPTY)
        first = await page.reply()
        second = await page.send("truecandidates", EMPTY)
        assert await page.reply() == first | {"nonce": second}
        assert len(submitted) == 1

    converse(talk, pool)


def test_who_takes_no_replies_is_not_read_for_ever():
    """A page that sends and never reads does not fill the memory: its messages wait on its own side."""
    taken = 0

    async def feed():
        nonlocal taken
        conversation = _Conversation(_Shared(None), SimpleNamespace(send=lambda _: asyncio.Event().wait()))
        while True:
            await conversation.receive(json.dumps({"nonce": taken, "command": "nonsense", "dataType": "fpuzzles"}))
            taken += 1
            await asyncio.sleep(0)

    async def watch():
        feeding = asyncio.create_task(feed())
        for _ in range(10 * MOST_UNSENT):  # turns of the loop, of which each message takes one
            await asyncio.sleep(0)
        assert not feeding.done()
        feeding.cancel()

    asyncio.run(watch())
    assert taken == MOST_UNSENT


def test_what_is_remembered_is_small():
    """A thousand large boards are not kept: neither they nor the numbers of their replies."""
    shared = _Shared(None)
    message = Message(1, "truecandidates", "fpuzzles", "x" * LARGEST_MESSAGE)
    reply = {"type": "truecandidates", "solutionsPerCandidate": [8] * 36**3}
    shared.remember(message, reply)
    assert shared.recall(replace(message, nonce=2)) == reply
    assert shared.recall(replace(message, data="y")) is None
    kept = sum(len(key) + len(text) for key, text in shared._replies.items())
    assert kept < 3 * 36**3


def test_a_full_queue_is_told():
    """A question that the pool refuses is answered, and the connection goes on."""

    async def talk(page):
        await page.send("check", EMPTY)
        assert await page.reply() == {"nonce": 1, "type": "invalid", "message": "The solver is busy; try again in a moment."}

    converse(talk, SilentPool(RuntimeError("full")))


@pytest.mark.parametrize("origin", [None, "https://f-puzzles.com", "https://www.f-puzzles.com", "http://localhost:8080"])
def test_pages_of_f_puzzles_and_of_this_machine_are_let_in(origin):
    """They are answered, and so are programs, which have no origin."""

    async def run():
        async with socket() as address, connect(address, origin=origin) as connection:
            await Page(connection).send("cancel")
            await connection.recv()

    asyncio.run(run())


@pytest.mark.parametrize(
    "origin",
    ["https://evil.example", "https://f-puzzles.com.evil.example", "https://evil.example/.f-puzzles.com", "null"],
)
def test_pages_of_other_sites_are_refused(origin):
    """No other site may use the solver of its visitors."""

    async def run():
        async with socket() as address:
            with pytest.raises(InvalidStatus) as refused:
                await connect(address, origin=origin)
            assert refused.value.response.status_code == 403

    asyncio.run(run())


@pytest.mark.parametrize(
    ("pattern", "origin", "fits"),
    [
        ("https://f-puzzles.com", "https://f-puzzles.com", True),
        ("https://f-puzzles.com", "https://f-puzzles.com.evil.example", False),
        ("https://f-puzzles.com", "https://f-puzzles.com\n", False),
        ("https://*.f-puzzles.com", "https://a.b.F-Puzzles.com", True),
        ("https://*.f-puzzles.com", "https://evilf-puzzles.com", False),
        ("https://*.f-puzzles.com", "https://evil.example#.f-puzzles.com", False),
        ("https://*.f-puzzles.com", "https://user@evil.example:1@x.f-puzzles.com", False),
        ("https://*.f-puzzles.com", "https://evil.example?\n.f-puzzles.com", False),
        ("https://*.f-puzzles.com", "http://www.f-puzzles.com", False),
        ("http://localhost:*", "http://localhost:8080", True),
        ("http://localhost:*", "http://localhost:8080.evil.example", False),
        ("http://localhost:*", "http://localhost:@evil.example", False),
        ("http://127.0.0.1:*", "http://127x0y0z1:80", False),
    ],
)
def test_a_pattern_is_for_whole_origins(pattern, origin, fits):
    """A star stands for a port or for names, and nothing before or after the pattern is passed over."""
    assert bool(origin_pattern(pattern).match(origin)) is fits


@pytest.mark.parametrize("name", ["Forwarded", "x-forwarded-for", "X-Real-IP"])
def test_programs_elsewhere_are_refused_though_a_proxy_is_on_this_machine(name):
    """A proxy says for whom it asks; pages of f-puzzles are let in through it."""
    headers = {name: "for=192.0.2.1"}

    async def run():
        async with socket() as address:
            with pytest.raises(InvalidStatus) as refused:
                await connect(address, additional_headers=headers)
            assert refused.value.response.status_code == 403
            async with connect(address, additional_headers=headers, origin="https://f-puzzles.com") as connection:
                await Page(connection).send("cancel")
                await connection.recv()

    asyncio.run(run())


def test_an_address_has_so_many_connections():
    """One connection too many is refused; when another has gone, it is let in."""

    async def run():
        async with socket() as address:
            held = [await connect(address) for _ in range(MOST_CONNECTIONS)]
            with pytest.raises(InvalidStatus):
                await connect(address)
            for connection in held:
                await connection.close()
            async with connect(address) as connection:
                await Page(connection).send("cancel")
                await connection.recv()

    asyncio.run(run())


def test_a_huge_message_ends_its_connection_only():
    """A message over the limit closes the connection that sent it."""

    async def run():
        async with socket() as address:
            async with connect(address) as connection:
                await connection.send("x" * (LARGEST_MESSAGE + 1))
                await asyncio.wait_for(connection.wait_closed(), PATIENCE)
            async with connect(address) as connection:
                await Page(connection).send("cancel")
                await connection.recv()

    asyncio.run(run())
