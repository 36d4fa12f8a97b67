"""Answers are encoded by workers, so that a large one does not silence the service."""

from __future__ import annotations

import json
import pickle
from base64 import b64encode

from sudoku_cp.service.questions.declared_run import CERTIFICATE, EncodedRun, encode_answer, file_of_answer
from tests.service.http.stub_functions import sleep


def test_a_function_is_sent_to_a_worker_and_comes_back_as_bytes(control):
    """What goes to a worker is pickled; what comes is the JSON, and the engine that the log names."""
    run = pickle.loads(pickle.dumps(EncodedRun(sleep)))  # noqa: S301  # ours
    answer = run(json.dumps({"puzzle": "ñ"}).encode(), control)
    assert json.loads(answer.content)["puzzle"] == "ñ"
    assert answer.content.isascii()
    assert answer.engine == "stub"


def test_an_engine_is_a_short_name_or_none():
    """What else stands in that field is no name for a log."""
    assert encode_answer({"backend": "x" * 50}).engine == "x" * 40
    assert encode_answer({"backend": ["a"]}).engine is None
    assert encode_answer({}).engine is None


def test_a_file_is_found_in_an_answer():
    """It has the bytes that the field says."""
    answer = encode_answer({"certificate": b64encode(b"some bytes").decode()})
    assert file_of_answer(answer.content, CERTIFICATE) == b"some bytes"
    assert file_of_answer(encode_answer({"status": "unknown"}).content, CERTIFICATE) is None
