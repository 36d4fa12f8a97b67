"""With a cluster jobs run there, with their events, their ends and their losses; short questions stay with the workers here."""

from __future__ import annotations

import asyncio
import os
import time
from importlib.util import find_spec

import pytest

from sudoku_cp.errors import InvalidInput
from sudoku_cp.service.cluster_pool import ClusterPool
from tests.service.http.running_server import running_server
from tests.service.http.sse import parse_events
from tests.service.http.stub_questions import STUBS

pytestmark = pytest.mark.skipif(not find_spec("distributed"), reason="distributed is not installed")


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    """A service with a cluster of two workers on this machine."""
    with running_server(tmp_path_factory.mktemp("cluster"), STUBS, cluster="local:2") as running:
        yield running


def ended(client, location):
    """Return the state of a job once it has ended."""
    while (told := client.get(location).json())["state"] in {"queued", "running"}:
        time.sleep(0.05)
    return told


def result(client, location):
    """Return the answer of a job."""
    assert ended(client, location)["state"] == "done"
    return client.get(f"{location}/result").json()


def read_events(client, location):
    """Return the events of a job that has ended."""
    return list(parse_events(client.get(f"{location}/events").text.splitlines()))


def test_jobs_run_on_the_cluster_and_short_questions_here(server, client):
    """Who answered is told by the process id; a job's items are events in their order."""
    here = set(server.service.pool.pids)
    assert client.post("/v1/patient", json={}).json()["pid"] in here
    job = client.post("/v1/long", json={"items": 3, "seconds": 0.1}).headers["Location"]
    assert result(client, job)["pid"] not in here
    events = read_events(client, job)
    assert [event.name for event in events] == ["item"] * 3 + ["done"]
    assert [event.data["number"] for event in events[:3]] == [0, 1, 2]


@pytest.mark.slow
def test_errors_and_limits_come_back(client):
    """What a question refuses, how it fails, and a deadline are told as they are here."""
    refused = ended(client, client.post("/v1/refuse", json={"job": True}).headers["Location"])
    assert refused["state"] == "failed"
    assert "r10c1" in refused["reason"]
    assert ended(client, client.post("/v1/fail", json={"job": True}).headers["Location"])["state"] == "failed"
    late = client.post("/v1/long", json={"seconds": 30, "timeout": 0.3}).headers["Location"]
    assert result(client, late)["reason"] == "deadline"


@pytest.mark.slow
def test_a_job_is_cancelled(client):
    """A cancelled job has ended at once."""
    job = client.post("/v1/long", json={"seconds": 5, "items": 50}).headers["Location"]
    time.sleep(0.3)
    assert client.delete(job).status_code == 204
    assert ended(client, job)["state"] == "cancelled"


@pytest.mark.slow
def test_a_killed_worker_costs_no_job(client, tmp_path):
    """The cluster begins the job again, and no item comes twice."""
    path = tmp_path / "who"
    job = client.post("/v1/long", json={"seconds": 1.5, "items": 5, "path": str(path)}).headers["Location"]
    while not path.exists() or (client.get(job).json()["progress"] or 0) < 2:
        time.sleep(0.02)
    os.kill(int(path.read_text().split()[0]), 9)
    assert result(client, job)["pid"] == int(path.read_text().split()[-1])
    assert len(path.read_text().split()) == 2
    assert [event.data["number"] for event in read_events(client, job)[:-1]] == [0, 1, 2, 3, 4]


def test_a_cluster_that_is_not_there_is_told():
    """The service does not start."""
    with pytest.raises(InvalidInput, match="the address of a Dask scheduler"):
        asyncio.run(ClusterPool.connect("nothing"))
