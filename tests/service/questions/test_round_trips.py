"""What one question answers another one takes, whatever its size; options of reading mean the same wherever there are puzzles."""

from __future__ import annotations

from base64 import b64decode
from dataclasses import replace

import httpx
import pytest

from sudoku_cp.backends import Limits
from sudoku_cp.errors import InvalidInput
from sudoku_cp.questions import plain_call
from sudoku_cp.questions.question import CertificateSizes
from sudoku_cp.service.questions import QUESTIONS
from sudoku_cp.service.questions.declared_run import quiet_run
from sudoku_cp.service.settings import MOST_CERTIFICATE_TEXT, ServiceLimits
from tests.service.http.running_server import running_server

PUZZLE = "12..3412..434.21"


def test_the_largest_certificate_that_is_sent_is_taken(tmp_path):
    """A body with it is read, and refused only for what is in it; a larger one says how large it may be."""
    with running_server(tmp_path, {"verify": QUESTIONS["verify"]}, workers=1) as server:
        address = f"{server.url}/v1/verify"
        taken = httpx.post(address, json={"certificate": "A" * MOST_CERTIFICATE_TEXT}, timeout=60)
        assert (taken.status_code, taken.json()["type"]) == (422, "/problems/invalid-puzzle")
        refused = httpx.post(address, json={"certificate": "A" * ServiceLimits().list_bytes}, timeout=60)
        assert (refused.status_code, refused.json()["type"]) == (413, "/problems/body-too-large")


def test_a_certificate_that_would_not_be_taken_is_not_sent(ask, control):
    """Prove says how large it is, and claims nothing that cannot be checked."""
    certificate = ask("prove", {"puzzle": PUZZLE})["certificate"]
    assert ask("verify", {"certificate": certificate})["verdict"] == "verified"
    run = quiet_run(Limits(), control)
    assert run.certificate.text == MOST_CERTIFICATE_TEXT
    answer = plain_call.ask("prove", {"puzzle": PUZZLE}, replace(run, certificate=CertificateSizes(text=100)))
    assert (answer["status"], answer["reason"]) == ("unknown", "memory")
    assert "at most 100" in answer["error"]
    assert "certificate" not in answer


@pytest.mark.parametrize(
    "options",
    [{"size": 4}, {"from": "line", "alphabet": "abcd"}, {"boxes": "2x2", "size": "4x4", "rules": "diagonals", "strict": True}],
)
def test_puzzles_to_print_are_read_with_the_options_of_reading(ask, options):
    """They mean what they mean for one puzzle: its size, its signs, its rules."""
    pytest.importorskip("reportlab")
    blank = "." * 15
    sign = "a" if "alphabet" in options else "1"
    pdf = b64decode(ask("print", {"puzzles": [sign + blank]} | options)["pdf"])
    assert pdf.startswith(b"%PDF")
    assert (pdf == b64decode(ask("print", {"puzzles": ["1" + blank]})["pdf"])) == (options == {"size": 4})


ROWS = [[1, 2, 0, 0], ["3", 4, 1, 2.0], [None, "", 4, 3], [4, ".", 2, 1]]


@pytest.mark.parametrize("rows", [ROWS, [cell for row in ROWS for cell in row]], ids=["rows", "cells"])
@pytest.mark.parametrize("verb", ["solve", "count", "check", "candidates", "compare", "convert"])
def test_rows_of_cells_are_a_puzzle(ask, verb, rows):
    """An array of cells is what the same text is, also where a question takes an array of several puzzles."""
    options = {"to": "line"} if verb == "convert" else {}
    for sent in [[rows, PUZZLE], ROWS] if verb == "compare" else [rows]:
        one, other = (ask(verb, {"puzzle": puzzle} | options) for puzzle in (sent, PUZZLE))
        assert (one.get("status"), one.get("text"), one.get("puzzle")) == (
            other.get("status"),
            other.get("text"),
            other.get("puzzle"),
        )


def test_rows_that_are_no_board_are_refused(ask):
    """The problem is placed at the puzzle and names the row."""
    with pytest.raises(InvalidInput, match="row 2: expected 4 cells, got 3"):
        ask("solve", {"puzzle": [ROWS[0], ROWS[1][:3], *ROWS[2:]]})
