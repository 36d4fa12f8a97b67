"""A service with a few questions of its own, for every test of the HTTP side, and a client."""

from __future__ import annotations

import ssl
from functools import cache

import httpx
import pytest

from sudoku_cp.service.questions import LISTINGS, QUESTIONS
from tests.service.http.running_server import running_server
from tests.service.http.stub_questions import STUBS


@pytest.fixture(scope="session", autouse=True)
def shared_certificates():
    """Let clients share what only https needs, on which each would spend 27 ms: thirty times what a request takes."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("ssl.create_default_context", cache(ssl.create_default_context))
        yield


@pytest.fixture(scope="session")
def server(tmp_path_factory):
    """A service on a real socket."""
    with running_server(tmp_path_factory.mktemp("service"), STUBS) as running:
        yield running


@pytest.fixture(scope="session")
def whole_server(tmp_path_factory):
    """A service with every question; one of its two workers is free for short ones while long ones run."""
    with running_server(tmp_path_factory.mktemp("whole"), QUESTIONS, listings=LISTINGS) as running:
        yield running


@pytest.fixture
def client(server):
    """A client of that service."""
    with httpx.Client(base_url=server.url, timeout=30) as made:
        yield made
