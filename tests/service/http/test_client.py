"""The Python client: jobs are iterators of events, and errors are the library's own."""

from __future__ import annotations

from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread

import pytest

from sudoku_cp.client import Client, RemoteJob, ServiceFailed, answer_from_json
from sudoku_cp.errors import BackendFailed, InvalidInput, LimitReached, ParseError, Problem, Unsupported


@pytest.fixture
def remote(server):
    """A client of the service of these tests."""
    return Client(server.url)


def test_what_outlives_a_request_is_waited_for(remote):
    """Whoever asks need not know that the question became a job."""
    assert remote.ask("sleep", "x", seconds=0.6)["puzzle"] == "x"


def test_a_job_is_an_iterator_of_its_events(remote):
    """Events come in order, the last says how it ended, and the result is there then."""
    job = remote.start("long", "x", items=3)
    events = list(job)
    assert [(event.number, event.name) for event in events] == [(1, "item"), (2, "item"), (3, "item"), (4, "done")]
    assert events[1].data == {"puzzle": "", "number": 1}
    assert job.result()["status"] == "solved"
    assert job.state()["state"] == "done"


def test_a_cancelled_job_has_no_result(remote):
    """``cancelled`` is a limit, as in the library."""
    job = remote.start("long", seconds=60)
    job.cancel()
    job.cancel()
    with pytest.raises(LimitReached) as stopped:
        job.result()
    assert stopped.value.reason == "cancelled"


def test_bad_input_has_its_problems_with_their_places(remote):
    """The problems are those that the library raised in the service, at their pointers."""
    with pytest.raises(InvalidInput) as refused:
        remote.ask("refuse", "x")
    first = refused.value.problems[0]
    assert isinstance(first, Problem)
    assert (first.pointer, first.cell) == ("/puzzle/rules/3/cells/2", "r10c1")


@pytest.mark.parametrize(
    ("ask", "error"),
    [
        (lambda remote: remote.ask("fail"), BackendFailed),
        (lambda remote: remote.ask("later", "x"), Unsupported),
        (lambda remote: remote.ask("sleep", foo=1), InvalidInput),
        (lambda remote: remote.ask("sleep", float("nan")), ParseError),
        (lambda remote: remote.ask("nothing"), InvalidInput),
        (lambda remote: RemoteJob(remote, "nothing").result(), InvalidInput),
        (lambda remote: Client("http://127.0.0.1:9").ask("sleep"), ServiceFailed),
        (lambda remote: Client("file:///etc").ask("sleep"), InvalidInput),
    ],
    ids=["defect", "unsupported", "option", "json", "verb", "job", "address", "scheme"],
)
def test_errors_are_the_library_s_own(remote, ask, error):
    """Each status is the class of the library that stands for it."""
    with pytest.raises(error):
        ask(remote)


def test_an_answer_is_rebuilt_from_its_json():
    """A solution as text is values again, in the order of the cells."""
    line = "1234341221434321"
    told = {"puzzle": "1" + "." * 15, "status": "multiple", "solutions": [line], "count": 2, "exact": False, "backend": "fast"}
    answer = answer_from_json(told)
    assert answer.solution == tuple(map(int, line))
    assert (answer.status, answer.count, answer.exact, answer.backend) == ("multiple", 2, False, "fast")


class _OtherServer(BaseHTTPRequestHandler):
    """What else may stand at an address: a page, a proxy without a service behind it, one that ends its answers early."""

    def do_GET(self):
        """Answer by the path."""
        status = int(self.path[1:4])
        self.send_response(status)
        self.send_header("Retry-After", "Wed, 21 Oct 2015 07:28:00 GMT")
        self.send_header("Content-Length", "100" if self.path.endswith("short") else "6")
        self.end_headers()
        self.wfile.write(b"<html>")

    def log_message(self, *_):
        """Say nothing."""


@pytest.mark.parametrize("path", ["/200", "/200/short", "/502", "/503/short"])
def test_whatever_else_answers_is_no_service(path):
    """What is not JSON, or not whole, is told as that, and not asked for again and again."""
    with HTTPServer(("127.0.0.1", 0), _OtherServer) as server:
        thread = Thread(target=server.handle_request)
        thread.start()
        with pytest.raises(ServiceFailed):
            Client(f"http://127.0.0.1:{server.server_port}").request("GET", path)
        thread.join()
