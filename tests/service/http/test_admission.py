"""Only those come in who may: keys, rates, names and origins."""

from __future__ import annotations

import httpx
import pytest

from sudoku_cp.errors import InvalidInput
from sudoku_cp.service.application import ApiKeys, MeantForUs, RequestRates, host_name, read_key_file
from sudoku_cp.service.problems import HttpProblem
from sudoku_cp.service.settings import Settings
from tests.service.http.running_server import running_server
from tests.service.http.stub_questions import STUBS

KEY, OTHER = "a-long-enough-key-1", "a-long-enough-key-2"


@pytest.fixture(scope="module")
def guarded(tmp_path_factory):
    """A service that wants keys, and knows another origin."""
    folder = tmp_path_factory.mktemp("guarded")
    keys = folder / "keys"
    keys.write_text(f"# who may ask\nanna {KEY}\n\nbert {OTHER}\n")
    with running_server(folder / "data", STUBS, key_file=keys, origins=("https://friend.example",)) as running:
        yield running


@pytest.fixture
def stranger(guarded):
    """A client without a key."""
    with httpx.Client(base_url=guarded.url) as made:
        yield made


def test_without_a_key_nothing_but_health_is_told(stranger):
    """Health, the pages and the OpenAPI document are open; questions and metrics are not."""
    for path in ("/", "/docs", "/healthz", "/readyz", "/openapi.json", "/static/docs.js"):
        assert stranger.get(path).status_code == 200
    for response in (stranger.post("/v1/quick", json={}), stranger.get("/metrics"), stranger.get("/v1/jobs/x")):
        assert response.status_code == 401
        assert response.headers["www-authenticate"] == "Bearer"


@pytest.mark.parametrize(
    "headers", [{"Authorization": f"Bearer {KEY}"}, {"authorization": f"bearer {OTHER}"}, {"X-API-Key": KEY}]
)
def test_a_key_opens(stranger, headers):
    """A key comes as a bearer token or as X-API-Key."""
    response = stranger.post("/v1/quick", json={}, headers=headers)
    assert response.status_code == 200
    assert int(response.headers["ratelimit-remaining"]) < int(response.headers["ratelimit-limit"])


@pytest.mark.parametrize("key", [KEY[:-1], KEY + "x", "anna", "ä" * 20])
def test_a_wrong_key_does_not(stranger, key):
    """Any other key is unknown, and is not repeated."""
    response = stranger.post("/v1/quick", json={}, headers={"Authorization": f"Bearer {key}".encode()})
    assert response.status_code == 401
    assert not key or key not in response.text


def test_a_job_is_its_owner_s_alone(stranger):
    """Whoever has another key does not even learn that there is a job."""
    mine, other = ({"Authorization": f"Bearer {key}"} for key in (KEY, OTHER))
    job = stranger.post("/v1/long", json={}, headers=mine).headers["location"]
    assert stranger.get(job, headers=mine).status_code == 200
    for path in (job, f"{job}/result", f"{job}/events"):
        assert stranger.get(path, headers=other).status_code == 404
    assert stranger.delete(job, headers=other).status_code == 404


def test_pages_of_a_named_origin_may_ask(stranger):
    """CORS is on for the origins that were named, and for no others."""
    friend = {"Origin": "https://friend.example", "Authorization": f"Bearer {KEY}"}
    response = stranger.post("/v1/quick", json={}, headers=friend)
    assert response.headers["access-control-allow-origin"] == "https://friend.example"
    preflight = {"Origin": "https://friend.example", "Access-Control-Request-Method": "POST"}
    assert stranger.options("/v1/quick", headers=preflight).status_code == 200
    assert stranger.options("/v1/quick", headers=preflight | {"Origin": "https://evil.example"}).status_code == 403


def test_without_origins_cors_is_off(client, server):
    """No page of another origin reads an answer."""
    response = client.post("/v1/quick", json={}, headers={"Origin": server.url})
    assert "access-control-allow-origin" not in response.headers


def test_a_client_asks_so_often_and_no_more():
    """In a minute, and at once; the next window begins anew, and others are not concerned."""
    now = [0.0]
    rates = RequestRates(3, 2, lambda: now[0])
    for _ in range(2):
        rates.begin("anna")
    with pytest.raises(HttpProblem, match="at once"):
        rates.begin("anna")
    rates.end("anna")
    assert rates.begin("anna")["RateLimit-Remaining"] == "0"
    rates.end("anna")
    now[0] = 20.0
    with pytest.raises(HttpProblem, match="a minute") as refused:
        rates.begin("anna")
    assert refused.value.status_code == 429
    assert refused.value.headers["Retry-After"] == "40"
    rates.begin("bert")
    now[0] = 61.0
    rates.begin("anna")


@pytest.mark.parametrize(
    ("host", "name"),
    [
        ("localhost:80", "localhost"),
        ("A.example", "a.example"),
        ("[::1]:8080", "::1"),
        ("::1", "::1"),
        ("10.0.0.1:1", "10.0.0.1"),
    ],
)
def test_the_name_in_host_is_found(host, name):
    """With or without a port, in brackets or not."""
    assert host_name(host) == name


@pytest.mark.parametrize("host", ["evil.example", "localhost.evil.example", "", "127.0.0.1.evil.example:8080"])
def test_a_name_that_was_rebound_is_refused(host):
    """DNS rebinding reaches the socket, but not the service."""
    with pytest.raises(HttpProblem):
        MeantForUs(Settings()).check(host, None)
    MeantForUs(Settings(host_names=("Sudoku.example",))).check("sudoku.example:443", "https://sudoku.example:443")


@pytest.mark.parametrize(
    "origin", ["http://[::", "http://[abc]", "", "null", "://127.0.0.1:1", "http://127.0.0.1:1/", "127.0.0.1"]
)
def test_an_origin_that_is_none_is_refused(client, origin):
    """Whatever stands in ``Origin``, it is no defect of the service."""
    assert client.get("/v1/jobs/none", headers={"Origin": origin}).status_code == 403


@pytest.mark.parametrize(
    "lines", [[], ["# none"], ["anna"], ["anna short"], ["anna long-enough-key-1", "anna long-enough-key-2"]]
)
def test_a_bad_key_file_is_refused(lines):
    """Everything that is wrong is told with its line, and no key is."""
    with pytest.raises(InvalidInput) as refused:
        ApiKeys(lines)
    assert "long-enough-key" not in str(refused.value)


def test_a_key_file_that_is_not_there_is_named(tmp_path):
    """The path is told to whoever starts the service."""
    with pytest.raises(InvalidInput, match="no-such-file"):
        read_key_file(tmp_path / "no-such-file")
