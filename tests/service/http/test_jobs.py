"""A job is accepted once it is on disk, is watched from any event, and survives the death of its service."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import re
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from collections import Counter
from contextlib import contextmanager, suppress
from dataclasses import replace
from urllib.parse import urlsplit

import httpx
import pytest

from sudoku_cp.errors import InvalidInput
from sudoku_cp.service.jobs.store import ENDS, MOST_STARTS, Damaged, Job, JobStore, KeyConflict, StoreFull
from sudoku_cp.service.settings import Settings
from tests.service.http.running_server import running_server
from tests.service.http.sse import parse_events
from tests.service.http.stub_questions import STUBS

PROGRAM = """
import sys
from pathlib import Path
from sudoku_cp.service import start
from sudoku_cp.service.server import Verbs
from sudoku_cp.service.settings import Settings
from tests.service.http.running_server import WANTED_BY_STUBS
from tests.service.http.stub_questions import STUBS
settings = Settings(port=0, workers=2, data=Path(sys.argv[1]), compile_kernels=False)
start.PRELOAD, start.PRELOAD_LATER = WANTED_BY_STUBS, ()
start.run(settings, lambda url, ws: print(url, flush=True), Verbs(STUBS))
"""


@contextmanager
def service(data):
    """Run a service in a process of its own; yield the process and a client."""
    process = subprocess.Popen(
        [sys.executable, "-c", PROGRAM, str(data)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    try:
        url = process.stdout.readline().strip()
        assert url, process.communicate()[1]
        with httpx.Client(base_url=url, timeout=30) as client:
            yield process, client
    finally:
        process.kill()
        process.communicate()


def events_of(client, job, after=0):
    """Return the events of a job that follow a number, up to its last."""
    with client.stream("GET", f"{job}/events", headers={"Last-Event-ID": str(after)}) as stream:
        assert stream.headers["content-type"].startswith("text/event-stream")
        return list(parse_events(stream.iter_lines()))


def accept(client, verb="long", **body):
    """Ask a question as a job and return its path."""
    response = client.post("/v1/jobs", json={"verb": verb, "body": body})
    assert response.status_code == 202, response.text
    return response.headers["location"]


# --- watch, cancel, ask again -----------------------------------------------------------------------------------


def test_events_count_from_one_and_resume_at_any(client):
    """``Last-Event-ID`` leaves out what was seen, and nothing else; the stream ends after the last event."""
    job = accept(client, items=5)
    events = events_of(client, job)
    assert [event.number for event in events] == [1, 2, 3, 4, 5, 6]
    assert [event.name for event in events] == ["item"] * 5 + ["done"]
    for after in range(6):
        assert events_of(client, job, after) == events[after:]


@pytest.mark.parametrize("after", [6, 100])
def test_who_has_seen_the_last_event_is_told_that_there_are_no_more(client, after):
    """A browser that comes back after the end of a job waits for nothing, and holds no stream."""
    job = accept(client, items=5)
    events_of(client, job)
    response = client.get(f"{job}/events", headers={"Last-Event-ID": str(after)}, timeout=5)
    assert (response.status_code, response.content) == (204, b"")


def test_a_job_tells_its_state(client):
    """A job has its times, its progress and, once it is done, the path of its result."""
    job = accept(client, items=2)
    events_of(client, job)
    told = client.get(job).json()
    assert told["state"] == "done"
    assert told["made"] <= told["started"] <= told["ended"]
    assert told["progress"] == 3
    assert client.get(told["result"]).json()["status"] == "solved"


def test_a_second_cancel_is_as_good_as_the_first(client):
    """DELETE answers 204 at once, twice too, and the last event says so."""
    job = accept(client, seconds=60)
    assert client.delete(job).status_code == 204
    assert client.delete(job).status_code == 204
    assert client.get(job).json()["state"] == "cancelled"
    assert events_of(client, job)[-1].name == "cancelled"
    assert client.get(f"{job}/result").json()["type"] == "/problems/job-failed"


def test_a_job_that_is_cancelled_as_it_begins_frees_its_worker(server, client, monkeypatch):
    """A cancellation between the start that is written down and the worker that gets the job is not lost."""
    start = JobStore.start

    def start_and_cancel(self, job_id, now):
        job = start(self, job_id, now)
        self.end(job_id, "cancelled", now)
        return job

    monkeypatch.setattr(JobStore, "start", start_and_cancel)
    done = server.service.pool.statistics.done
    assert [event.name for event in events_of(client, accept(client, seconds=60))] == ["cancelled"]
    while (counted := server.service.pool.statistics).running or counted.done == done:
        time.sleep(0.05)


def test_a_job_that_fails_says_why(client):
    """What is refused fails, with the problems as the reason."""
    job = accept(client, verb="refuse")
    assert events_of(client, job)[-1].name == "failed"
    assert "expected a cell" in client.get(job).json()["reason"]


def test_an_idempotency_key_gives_the_same_job(client):
    """The same key and body: the same job. Another body: 409. Another key: another job."""
    asked = {"verb": "long", "body": {"puzzle": "x"}}
    first, again = (client.post("/v1/jobs", json=asked, headers={"Idempotency-Key": "a"}) for _ in range(2))
    assert first.headers["location"] == again.headers["location"]
    asked["body"]["puzzle"] = "y"
    assert client.post("/v1/jobs", json=asked, headers={"Idempotency-Key": "a"}).status_code == 409
    other = client.post("/v1/jobs", json=asked, headers={"Idempotency-Key": "b"})
    assert other.headers["location"] != first.headers["location"]


# --- the store --------------------------------------------------------------------------------------------------


def test_streams_are_counted_when_they_are_admitted(server, client):
    """Of many that ask at the same moment no more are let in than may be; whoever leaves makes room for another."""
    job = accept(client, seconds=60)
    most, place = server.settings.limits.streams_at_once, urlsplit(server.url)
    request = f"GET {job}/events HTTP/1.1\r\nHost: localhost\r\n\r\n".encode()

    async def ask(_):
        reader, writer = await asyncio.open_connection(place.hostname, place.port)
        writer.write(request)
        return await reader.readline(), writer

    async def ask_all(number):
        answers = await asyncio.gather(*map(ask, range(number)))
        for _, writer in answers:
            writer.transport.abort()
        return Counter(status.split()[1] for status, _ in answers)

    assert asyncio.run(ask_all(3 * most)) == {b"200": most, b"429": 2 * most}
    while asyncio.run(ask_all(most)) != {b"200": most}:  # those that have ended are counted for a moment
        time.sleep(0.3)
    client.delete(job)


@pytest.fixture
def store(tmp_path):
    """An empty store."""
    made = JobStore(tmp_path / "store")
    yield made
    made.close()


def test_two_services_on_one_store_are_refused(store, tmp_path):
    """The second is told why, and what to do."""
    with pytest.raises(InvalidInput, match=r"no other service uses.*`data`"):
        JobStore(tmp_path / "store")


def test_a_folder_that_cannot_be_a_store_is_refused(tmp_path):
    """Whoever starts the service is told that there is no file to be had."""
    (tmp_path / "jobs.sqlite3").mkdir()
    with pytest.raises(InvalidInput, match="folder for jobs that can be used"):
        JobStore(tmp_path)


def garbled(content):
    """Return the bytes of a database of which the pages in the middle are something else."""
    middle = len(content) // 2
    return content[: middle - 8192] + b"\xff" * 16_384 + content[middle + 8192 :]


DAMAGES = {
    "something else": lambda _: b"no database at all" * 100,
    "garbled pages": garbled,
    "half a file": lambda content: content[: len(content) // 2],
}


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
def test_a_damaged_store_is_set_aside_and_a_new_one_begun(tmp_path, damage):
    """The old file is kept as it is under another name, and the new one works."""
    store = JobStore(tmp_path)
    for number in range(50):
        store.accept(Job(str(number), "long", b"x" * 5000, "me", 1.0))
    store.close()
    path = tmp_path / "jobs.sqlite3"
    path.write_bytes(damage(path.read_bytes()))
    kept = path.read_bytes()
    store = JobStore(tmp_path)
    assert (tmp_path / store.damaged).read_bytes() == kept
    store.accept(Job("new", "long", b"{}", "me", 1.0))
    assert store.queued() == ["new"]
    store.close()
    sound = JobStore(tmp_path)
    assert (sound.damaged, sound.queued()) == ("", ["new"])
    sound.close()


def test_a_store_damaged_while_it_is_used_is_replaced(tmp_path, monkeypatch):
    """The request that finds the damage is asked to come again; then jobs are accepted, and /readyz says what happened."""
    nothing = tmp_path / "nothing.sqlite3"
    nothing.write_bytes(b"no database at all" * 100)

    def find_damage(store, *_arguments):
        monkeypatch.undo()
        with contextlib.closing(sqlite3.connect(nothing)) as db:
            db.execute("SELECT * FROM jobs")

    with running_server(tmp_path, STUBS) as server, httpx.Client(base_url=server.url, timeout=30) as client:
        old = client.post("/v1/long", json={}).headers["Location"]
        assert client.get("/readyz").text == "ready\n"
        monkeypatch.setattr(JobStore, "accept", find_damage)
        assert client.post("/v1/long", json={}).status_code == 503
        ready = client.get("/readyz")
        kept = re.search(r"kept as (\S+),", ready.text)[1]
        assert ready.status_code == 200
        assert (tmp_path / kept).exists()
        assert client.post("/v1/long", json={}).status_code == 202
        assert client.get(old).status_code == 404


def test_a_store_that_cannot_be_replaced_is_not_ready(tmp_path, monkeypatch):
    """As long as there is no file to work with, /readyz says so, and the next request tries again."""
    with running_server(tmp_path, STUBS) as server, httpx.Client(base_url=server.url, timeout=30) as client:
        thread = server.service.jobs.store

        def fail(*_):
            raise OSError("read-only file system")

        with monkeypatch.context() as patch:
            patch.setattr("sudoku_cp.service.jobs.store.open_database", fail)
            patch.setattr(JobStore, "queued", lambda _: (_ for _ in ()).throw(Damaged("a page is damaged")))
            assert client.get("/readyz").status_code == 503
            assert client.post("/v1/long", json={}).status_code == 503
            assert not thread.is_usable
        assert client.get("/readyz").status_code == 200
        assert client.post("/v1/long", json={}).status_code == 202


def test_a_store_that_takes_no_job_is_not_ready(tmp_path):
    """On a disk without room for another body, or one that has become read-only, /readyz names the store, until it is mended."""
    with running_server(tmp_path, STUBS) as server, httpx.Client(base_url=server.url, timeout=30) as client:
        assert client.get("/readyz").text == "ready\n"
        database = server.service.jobs.store._store._db
        database.execute("PRAGMA query_only = ON")
        refused = client.get("/readyz")
        assert (refused.status_code, refused.headers["retry-after"]) == (503, "30")
        assert refused.json()["detail"] == "the store of jobs cannot be written: attempt to write a readonly database"
        database.execute("PRAGMA query_only = OFF")
        assert client.get("/readyz").status_code == 200
    limits = replace(Settings(data=tmp_path).limits, list_bytes=1 << 60)
    with running_server(tmp_path / "full", STUBS, limits=limits) as server:
        refused = httpx.get(f"{server.url}/readyz")
        assert refused.status_code == 503
        assert re.search(r"the store of jobs cannot be written: its disk has [\d,]+ bytes left", refused.json()["detail"])


def test_a_commit_that_fails_leaves_no_transaction_open(store):
    """After a full disk the store is as it was, and works."""
    store.accept(Job("a", "long", b"{}", "me", 1.0))
    store._db.execute("PRAGMA max_page_count = 1")
    with pytest.raises(sqlite3.OperationalError, match="full"):
        store.accept(Job("b", "long", b"x" * 100_000, "me", 1.0))
    store._db.execute("PRAGMA max_page_count = 1000000")
    assert store.accept(Job("c", "long", b"{}", "me", 2.0)).id == "c"
    assert store.queued() == ["a", "c"]


def failing(method, times):
    """Return a method of the store that fails so often, as on a full disk, before it works."""
    left = [times]

    def fail_or_call(self, *arguments, **options):
        if left[0]:
            left[0] -= 1
            raise sqlite3.OperationalError("database or disk is full")
        return method(self, *arguments, **options)

    return fail_or_call


def test_a_disk_that_is_full_for_a_while_costs_no_job(client, monkeypatch):
    """What happens to a job is written down once there is room again, in order and once."""
    monkeypatch.setattr("sudoku_cp.service.jobs.store.PAUSE", 0.02)
    for name in ("start", "append", "end"):
        monkeypatch.setattr(JobStore, name, failing(getattr(JobStore, name), 3))
    events = events_of(client, accept(client, items=2))
    assert [(event.number, event.name) for event in events] == [(1, "item"), (2, "item"), (3, "done")]


def test_a_job_that_cannot_be_written_is_not_accepted(client, monkeypatch):
    """Nor is it a defect: there is no room now, and may be later."""
    monkeypatch.setattr(JobStore, "accept", failing(JobStore.accept, 1))
    response = client.post("/v1/long", json={})
    assert (response.status_code, response.json()["type"]) == (503, "/problems/busy")
    assert int(response.headers["retry-after"]) > 0
    assert client.post("/v1/long", json={}).status_code == 202


def test_a_job_is_begun_three_times_at_most(store):
    """A job that its service did not survive so often has failed, and says that it crashed."""
    store.accept(Job("a", "long", b"{}", "me", 1.0))
    for _ in range(MOST_STARTS):
        assert store.queued() == ["a"]
        assert store.start("a", 2.0).state == "running"
        store.recover(3.0)
    assert (store.get("a").state, store.get("a").reason) == ("failed", "crashed")
    assert store.events("a", 0)[-1].name == "failed"


def test_a_job_that_was_put_back_was_not_begun(store):
    """An orderly end of the service does not count as a start."""
    store.accept(Job("a", "long", b"{}", "me", 1.0))
    for _ in range(2 * MOST_STARTS):
        store.start("a", 2.0)
        store.put_back()
    assert (store.get("a").state, store.get("a").starts) == ("queued", 0)


def test_the_first_end_wins(store):
    """A job ends once, and has one last event."""
    store.accept(Job("a", "long", b"{}", "me", 1.0))
    assert store.end("a", "cancelled", 2.0)
    assert not store.end("a", "done", 3.0, result=b"{}")
    assert [event.name for event in store.events("a", 0)] == ["cancelled"]
    assert store.result("a") is None


def test_results_that_are_old_or_many_expire(store):
    """The oldest go first; a job that has expired still says so."""
    store._most_bytes = 2200
    for number in range(4):
        store.accept(Job(str(number), "long", b"{}", "me", 1.0))
        store.end(str(number), "done", 1000.0 + number, result=b"x" * 1000)
    assert [store.get(str(number)).state for number in range(4)] == ["expired", "expired", "done", "done"]
    assert store.events("0", 0) == []
    assert store.expire(1010.0 + 8 * 86400) == 2


def test_a_full_store_does_not_tidy_up_for_each_job(store, monkeypatch):
    """Once results have made way, there is room for a tenth of the store: so many small jobs come and go without another look."""
    store._most_bytes = 100_000
    looks = []
    expire = store.expire
    monkeypatch.setattr(store, "expire", lambda *arguments: looks.append(arguments) or expire(*arguments))
    for number in range(300):
        store.accept(Job(str(number), "long", b"{}", "me", 1.0))
        store.end(str(number), "done", 1000.0 + number, result=b"x" * 1000)
    assert store.get("299").state == "done"
    assert 10 < len(looks) < 40


def test_bodies_count_and_go_when_the_job_has_ended(tmp_path):
    """Jobs that wait take no more room than the store has; results make way for them; a job that has ended has no body."""
    store = JobStore(tmp_path, most_bytes=10_000)
    store.accept(Job("old", "long", b"x" * 1000, "me", 1.0))
    store.end("old", "done", 1.0, result=b"x" * 3000)
    for name in "ab":
        store.accept(Job(name, "long", b"x" * 4000, "me", 2.0))
    assert store.get("old").state == "expired"
    with pytest.raises(StoreFull):
        store.accept(Job("c", "long", b"x" * 4000, "me", 3.0))
    assert store.body("a") == b"x" * 4000
    store.end("a", "done", 4.0, result=b"{}")
    assert store.body("a") == b"{}"
    store.accept(Job("c", "long", b"x" * 4000, "me", 5.0))
    assert [store.get(name).state for name in "abc"] == ["done", "queued", "queued"]
    store.close()


def test_a_job_without_room_for_its_body_is_refused(tmp_path):
    """There is no room now, and may be later; a question that is answered at once needs none."""
    with running_server(tmp_path, STUBS, workers=1) as server, httpx.Client(base_url=server.url, timeout=30) as client:
        server.service.jobs.store._store._most_bytes = 100_000
        (tmp_path / "begun.hold").touch()
        large = {"puzzle": "x" * 60_000}
        answers = [client.post("/v1/many", json=large | {"path": str(tmp_path / "begun"), "job": True}) for _ in range(2)]
        assert [answer.status_code for answer in answers] == [202, 503]
        assert int(answers[1].headers["retry-after"]) > 0
        assert client.post("/v1/patient", json=large).status_code == 200


@pytest.mark.parametrize("earlier", [False, True])
def test_what_expires_is_given_back_to_the_disk(tmp_path, earlier):
    """The file shrinks when bodies and results go, also one that an earlier version made."""
    path = tmp_path / "jobs.sqlite3"
    if earlier:
        with contextlib.closing(sqlite3.connect(path)) as db:
            db.execute("CREATE TABLE something (text TEXT)")
    store = JobStore(tmp_path)
    for number in range(50):
        store.accept(Job(str(number), "long", b"x" * 100_000, "me", 1.0))
        store.end(str(number), "done", 1000.0, result=b"x" * 50_000)
    store._db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    full = path.stat().st_size
    assert store.expire(1000.0 + 8 * 86400) == 50
    assert path.stat().st_size < full / 10
    store.close()


def test_a_key_stands_for_a_day(store):
    """After that it is as good as new."""
    store.accept(Job("a", "long", b"{}", "me", 1.0), "key", "digest")
    assert store.accept(Job("b", "long", b"{}", "me", 2.0), "key", "digest").id == "a"
    with pytest.raises(KeyConflict):
        store.accept(Job("b", "long", b"{}", "me", 2.0), "key", "another")
    assert store.accept(Job("b", "long", b"{}", "you", 2.0), "key", "another").id == "b"
    assert store.accept(Job("c", "long", b"{}", "me", 90_000.0), "key", "another").id == "c"


# --- the death of the service -----------------------------------------------------------------------------------


def survive(data, moment):
    """Kill a service so many seconds after the first of eight jobs is sent.

    Whatever was accepted is done by the next service, once; what was not accepted may be there, or not.
    """
    with service(data) as (process, client):
        killer = threading.Timer(moment, process.kill)
        killer.start()
        jobs = []
        with suppress(httpx.TransportError):
            for number in range(8):
                jobs.append(accept(client, seconds=0.05, items=number))  # noqa: PERF401  # those before the end count
        killer.join()
        process.wait()
    with service(data) as (process, client):
        for number, job in enumerate(jobs):
            events = events_of(client, job)
            assert [event.number for event in events] == list(range(1, len(events) + 1))
            assert events[-1].name == "done"
            assert sum(event.name == "item" for event in events) >= number
            assert client.get(f"{job}/result").json()["status"] == "solved"
        process.send_signal(signal.SIGTERM)
        process.wait(20)
    check_store(data, [job.rpartition("/")[2] for job in jobs])


def check_store(data, accepted):
    """Check that each accepted job is in the store, was begun once or twice, and has one end."""
    store = JobStore(data)
    try:
        assert len(accepted) <= sum(store.count().values()) <= len(accepted) + 1
        for job_id in accepted:
            assert store.get(job_id).state == "done"
            assert 1 <= store.get(job_id).starts <= 2
            assert [event.name for event in store.events(job_id, 0) if event.name in ENDS] == ["done"]
    finally:
        store.close()


def test_a_job_survives_kill_9(tmp_path):
    """Accepted means committed: the next service on the store ends every job."""
    survive(tmp_path, 0.3)


@pytest.mark.slow
@pytest.mark.parametrize("moment", [0.005 * 1.33**number for number in range(20)])
def test_a_job_survives_kill_9_at_any_moment(tmp_path, moment):
    """Accepted means committed, whenever the service dies."""
    survive(tmp_path, moment)


def test_sigterm_puts_jobs_back(tmp_path):
    """The service ends at once and with code 0; its running job is begun again by the next one, and streams end."""
    path, hold = tmp_path / "begun", tmp_path / "begun.hold"
    hold.touch()
    with service(tmp_path) as (process, client):
        job = accept(client, seconds=0, path=str(path))
        while not path.exists():
            time.sleep(0.02)
        process.send_signal(signal.SIGTERM)
        assert events_of(client, job) == []
        assert process.wait(120) == 0
    hold.unlink()
    with service(tmp_path) as (_, client):
        names = [event.name for event in events_of(client, job)]
        assert names == ["progress", "done"]
    assert len(path.read_text().splitlines()) == 2


def test_the_log_has_a_line_of_json_for_each_request(tmp_path):
    """The line has the request's id, and nothing of its body or key."""
    with service(tmp_path) as (process, client):
        answer = client.post("/v1/quick", json={"puzzle": "private"}, headers={"Authorization": "Bearer hidden"})
        os.kill(process.pid, signal.SIGTERM)
        log = process.communicate(timeout=120)[1]
    lines = [json.loads(line) for line in log.splitlines()]
    line = next(line for line in lines if line.get("request") == answer.headers["x-request-id"])
    assert (line["verb"], line["status"], line["level"]) == ("quick", 200, "info")
    assert "private" not in log
    assert "hidden" not in log


def test_a_question_that_waits_is_queued_until_a_worker_has_it(tmp_path):
    """A job is told to be running only while it runs, however it began; so do the metrics."""
    with running_server(tmp_path, STUBS, workers=1) as server, httpx.Client(base_url=server.url, timeout=30) as client:
        paths = [tmp_path / name for name in ("running", "waiting")]
        holds = [path.with_suffix(".hold") for path in paths]
        for hold in holds:
            hold.touch()
        running, waiting = (client.post("/v1/sleep", json={"path": str(path)}) for path in paths)
        assert (running.status_code, running.json()["state"]) == (202, "running")
        assert (waiting.status_code, waiting.json()["state"]) == (202, "queued")
        metrics = client.get("/metrics").text
        assert 'sudoku_jobs{state="queued"} 1' in metrics
        assert 'sudoku_jobs{state="running"} 1' in metrics
        assert client.get(f"{waiting.headers['Location']}/result").status_code == 409
        states = [client.get(waiting.headers["Location"]).json()["state"]]
        for hold, state in zip(holds, ("running", "done"), strict=True):
            hold.unlink()
            while states[-1] != state:
                time.sleep(0.05)
                states.append(client.get(waiting.headers["Location"]).json()["state"])
        assert list(dict.fromkeys(states)) == ["queued", "running", "done"]


def test_a_job_that_waits_has_not_started(tmp_path):
    """A job has `started` from when a worker has it, whoever tells of it: none while it waits, and none if it never ran."""
    with running_server(tmp_path, STUBS, workers=1) as server, httpx.Client(base_url=server.url, timeout=30) as client:
        holds = [tmp_path / f"{name}.hold" for name in ("running", "waiting", "given up")]
        for hold in holds:
            hold.touch()
        bodies = [{"path": str(hold.with_suffix(""))} for hold in holds]
        running, waiting, given_up = (
            client.post("/v1/sleep", json=body, headers={"Idempotency-Key": body["path"]}).headers["Location"] for body in bodies
        )
        again = client.post("/v1/sleep", json=bodies[1], headers={"Idempotency-Key": bodies[1]["path"]}).json()
        for told in (again, client.get(waiting).json()):
            assert (told["state"], told.get("started")) == ("queued", None)
        client.delete(given_up)
        told = client.get(given_up).json()
        assert (told["state"], told.get("started")) == ("cancelled", None)
        holds[0].unlink()
        while (told := client.get(waiting).json())["state"] == "queued":
            time.sleep(0.02)
        assert client.get(running).json()["started"] < told["started"]
        holds[1].unlink()
        while (ended := client.get(waiting).json())["state"] != "done":
            time.sleep(0.02)
        assert ended["started"] == told["started"]


def test_long_questions_leave_a_worker_for_short_ones(tmp_path):
    """A short question is answered at once beside more questions that outgrow their time than there are workers."""
    with running_server(tmp_path, STUBS, workers=2) as server, httpx.Client(base_url=server.url, timeout=30) as client:
        jobs = [client.post("/v1/sleep", json={"seconds": 60}) for _ in range(3)]
        assert [job.status_code for job in jobs] == [202] * 3
        while not server.service.pool.statistics.put_back:
            time.sleep(0.05)
        assert client.post("/v1/patient", json={}).status_code == 200
        told = [client.get(job.headers["Location"]).json() for job in jobs]
        assert [(one["state"], "started" in one) for one in told] == [("running", True), ("running", True), ("queued", False)]
