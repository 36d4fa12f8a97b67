"""The service with its real questions: each example of the OpenAPI document is answered as the document says."""

from __future__ import annotations

import json
import subprocess
import sys
import tarfile
from base64 import b64decode, b64encode
from io import BytesIO

import httpx
import pytest

from sudoku_cp import Puzzle, solve
from sudoku_cp.client import Client
from sudoku_cp.errors import InvalidInput
from sudoku_cp.proof import verify
from sudoku_cp.service.jobs.store import JobStore
from sudoku_cp.service.questions import LISTINGS, QUESTIONS

PLAIN = "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......"
KILLER = {"rules": ["houses", {"kind": "killer-cage", "cells": ["r1c1", "r1c2"], "total": 3}], "givens": {"r1c1": 1}}
PICTURES = ["image/svg+xml", "image/png", "text/plain"]
"""The media types of a picture."""


@pytest.fixture
def asker(whole_server):
    """A client of that service."""
    with httpx.Client(base_url=whole_server.url, timeout=60) as made:
        yield made


def answer_of(asker, response):
    """Return an answer, that of the job if it became one."""
    if response.status_code != 202:
        assert response.status_code == 200, response.text
        return response.json()
    job = response.headers["location"]
    asker.get(f"{job}/events")
    return asker.get(f"{job}/result").json()


@pytest.mark.parametrize("name", [name for name, question in QUESTIONS.items() if question.available])
def test_every_example_is_answered(asker, name):
    """The example of the document is a body that can be sent, and the answer is of the model that the document has."""
    operation = asker.get("/openapi.json").json()["paths"][f"/v1/{name}"]["post"]
    example = operation["requestBody"]["content"]["application/json"]["examples"]["example"]["value"]
    QUESTIONS[name].answer.model_validate(answer_of(asker, asker.post(f"/v1/{name}", json=example)))


def test_a_certificate_can_be_had_as_a_file(asker, tmp_path):
    """By its media type, at once and from a job, a certificate is a tar.gz that the checker verifies; the document says so."""
    gzip = {"Accept": "application/gzip"}
    job = asker.post("/v1/prove", json={"puzzle": "12..3412..434.21", "job": True}, headers=gzip).headers["location"]
    asker.get(f"{job}/events")
    fetched = asker.get(f"{job}/result", headers=gzip)
    assert (fetched.status_code, fetched.headers["content-type"]) == (200, "application/gzip")
    assert "certificate.tar.gz" in fetched.headers["content-disposition"]
    with tarfile.open(fileobj=BytesIO(fetched.content), mode="r:gz") as archive:
        archive.extractall(tmp_path, filter="data")
    assert verify(tmp_path / "certificate").verdict == "verified"
    assert b64encode(fetched.content).decode() == asker.get(f"{job}/result").json()["certificate"]
    assert asker.get(f"{job}/result", headers={"Accept": "application/pdf"}).status_code == 406
    document = asker.get("/openapi.json").json()["paths"]
    assert "application/gzip" in document["/v1/prove"]["post"]["responses"]["200"]["content"]
    told = document["/v1/jobs/{job_id}/result"]["get"]["responses"]["200"]["content"]
    assert told.keys() == {"application/json", "application/gzip", "application/pdf", *PICTURES}


def test_an_answer_without_a_file_says_so(asker):
    """What is not proved has no certificate; a picture is there as SVG, and as JSON for whoever likes that better."""
    refused = asker.post(
        "/v1/prove", json={"puzzle": "1...............", "claim": "unique"}, headers={"Accept": "application/gzip"}
    )
    assert (refused.status_code, refused.json()["type"]) == (406, "/problems/not-acceptable")
    for accept, media_type in [("image/*", "image/svg+xml"), ("image/svg+xml;q=0.5, application/json", "application/json")]:
        picture = asker.post("/v1/picture", json={"puzzle": PLAIN}, headers={"Accept": accept})
        assert picture.headers["content-type"] == media_type
        assert "<svg" in picture.text


def test_a_picture_is_drawn_as_it_is_wanted(asker):
    """By its media type, a picture is SVG, PNG or text, at once and from a job; a body that says otherwise has no such file."""
    body = {"puzzle": KILLER}
    svg, png, text = (asker.post("/v1/picture", json=body, headers={"Accept": accept}) for accept in PICTURES)
    assert [one.headers["content-type"].partition(";")[0] for one in (svg, png, text)] == PICTURES
    assert (svg.content[:4], png.content[:8]) == (b"<svg", b"\x89PNG\r\n\x1a\n")
    assert "killer-cage" in text.text
    job = asker.post("/v1/picture", json=body | {"job": True}, headers={"Accept": "image/png"}).headers["location"]
    asker.get(f"{job}/events")
    assert asker.get(f"{job}/result", headers={"Accept": "image/png"}).content == png.content
    assert asker.post("/v1/picture", json=body | {"to": "svg"}, headers={"Accept": "image/png"}).status_code == 406
    keyed = [
        asker.post("/v1/picture", json=body | {"job": True}, headers={"Accept": accept, "Idempotency-Key": "drawn"})
        for accept in ("image/png", "image/png", "text/plain")
    ]
    assert [one.status_code for one in keyed] == [202, 202, 409]
    assert keyed[0].headers["location"] == keyed[1].headers["location"]
    huge = {"puzzle": "." * 1296, "to": "png", "cell": 500}
    assert "at most 50,000,000 pixels" in asker.post("/v1/picture", json=huge).json()["detail"]


def test_the_fewest_givens_are_looked_for_by_a_job(asker):
    """It is a job from the outset; its events are the bounds, and what is known at its deadline is its result."""
    full = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"
    accepted = asker.post("/v1/fewest", json={"puzzle": full, "timeout": 4})
    assert accepted.status_code == 202
    job = accepted.headers["location"]
    heard = [json.loads(line[6:]) for line in asker.get(f"{job}/events").text.splitlines() if line.startswith("data: ")]
    bounds = [(one["least"], one["most"]) for one in heard if "most" in one]
    answer = asker.get(f"{job}/result").json()
    assert bounds
    assert all(least <= answer["least"] <= answer["most"] <= most for least, most in bounds)
    assert (answer["status"], answer["reason"]) == ("bounds", "deadline")


def test_a_collection_is_audited_in_its_body(asker):
    """What cannot be read is a finding and no problem of the request; a wrong option is one."""
    body = {"puzzle": f"{PLAIN}\n{PLAIN[:-1]}\n{PLAIN}\n"}
    answer = answer_of(asker, asker.post("/v1/audit", json=body))
    assert [[finding["kind"] for finding in one["findings"]] for one in answer["puzzles"]] == [[], ["malformed"], ["duplicate"]]
    assert answer["summary"]["faulty"] == 2
    refused = asker.post("/v1/audit", json=body | {"ignore": "ugly"})
    assert (refused.status_code, refused.json()["errors"][0]["pointer"]) == (422, "/ignore")


@pytest.mark.parametrize("name", LISTINGS)
def test_every_listing_is_told_once(asker, name):
    """A listing is of its model; whoever has it already is told that it is as it was."""
    first = asker.get(f"/v1/{name}")
    LISTINGS[name].answer.model_validate(first.json())
    again = asker.get(f"/v1/{name}", headers={"If-None-Match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")


@pytest.mark.parametrize("puzzle", [PLAIN, KILLER, "1" + "." * 15, "11" + "." * 14], ids=["plain", "killer", "many", "none"])
def test_the_client_returns_the_library_s_answer(whole_server, puzzle):
    """Over HTTP the answer is what the library says here."""
    parsed = Puzzle.parse(puzzle) if isinstance(puzzle, str) else None
    there = Client(whole_server.url).solve(parsed or puzzle, timeout=30)
    if parsed is not None:
        here = solve(parsed)
        assert (there.status, there.count, there.exact) == (here.status, here.count, here.exact)
        assert there.count != 1 or there.solutions == here.solutions
    assert there.status in {"unique", "multiple", "none"}
    assert all(isinstance(value, int) for solution in there.solutions for value in solution)


def test_bad_puzzles_have_pointers_and_cells(whole_server, asker):
    """What the library's reader says is told with its place, to the client as well."""
    bad = {"rules": ["houses", {"kind": "killer-cage", "cells": ["r1c1", "r10c1"]}], "givens": {"r1c1": "5"}}
    told = asker.post("/v1/solve", json={"puzzle": bad}).json()
    assert told["status"] == 422
    assert {error["pointer"] for error in told["errors"]} == {"/puzzle/rules/1/cells/1", "/puzzle/givens/r1c1"}
    with pytest.raises(InvalidInput) as refused:
        Client(whole_server.url).solve(bad)
    assert len(refused.value.problems) == 2


def test_unknown_rules_come_with_near_names(asker):
    """A misspelt rule is 422, with what was perhaps meant."""
    response = asker.post("/v1/solve", json={"puzzle": PLAIN, "rules": "anti-nkight"})
    assert response.status_code == 422
    assert "anti-knight" in response.text


def test_the_verb_says_what_is_missing(monkeypatch):
    """Without the extra, `serve` says how to install it."""
    from sudoku_cp.cli.verbs import serve as verb  # noqa: PLC0415
    from sudoku_cp.errors import BackendMissing  # noqa: PLC0415

    monkeypatch.setattr(verb, "find_spec", lambda name: None)
    with pytest.raises(BackendMissing, match="pip install 'sudoku_cp\\[service\\]'"):
        verb.serve()


def test_the_package_loads_no_web_framework():
    """``import sudoku_cp`` and the client need neither FastAPI nor pydantic."""
    code = "import sys, sudoku_cp, sudoku_cp.client; print([n for n in ('fastapi', 'pydantic', 'uvicorn') if n in sys.modules])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"


def test_a_pdf_is_sent_to_whom_wants_one(asker):
    """A client that accepts application/pdf by name gets the file itself, any other one JSON with the same bytes in base64."""
    body = {"puzzles": [PLAIN, KILLER], "per_page": 2, "title": "Two"}
    file = asker.post("/v1/print", json=body, headers={"Accept": "application/pdf"})
    assert (file.status_code, file.headers["content-type"]) == (200, "application/pdf"), file.text
    assert b64decode(answer_of(asker, asker.post("/v1/print", json=body))["pdf"]) == file.content
    assert file.content.startswith(b"%PDF-")


def test_a_job_without_a_seed_gets_one_when_it_is_accepted(asker, monkeypatch):
    """So it makes the same puzzles if it is begun again; what a client sends stays what its idempotency key stands for."""
    accept, bodies = JobStore.accept, []
    monkeypatch.setattr(JobStore, "accept", lambda store, job, *rest: bodies.append(job.body) or accept(store, job, *rest))
    asked = {"url": "/v1/generate", "json": {"size": 4}, "headers": {"Idempotency-Key": "once"}}
    job = asker.post(**asked).headers["location"]
    assert asker.post(**asked).headers["location"] == job
    asker.get(f"{job}/events")
    made = asker.get(f"{job}/result").json()
    assert json.loads(bodies[0])["seed"] == made["seed"]
    again = asker.post("/v1/generate", json={"size": 4, "seed": made["seed"]}).headers["location"]
    asker.get(f"{again}/events")
    assert asker.get(f"{again}/result").json()["puzzles"] == made["puzzles"]


@pytest.mark.parametrize("job", [False, True])
def test_a_wrong_type_hides_nothing_else(asker, job):
    """What only a worker can judge is reported together with fields of a wrong type."""
    body = {"puzzle": PLAIN[:-1], "timeout": "x", "rules": "killers2", "backend": "nonsense"}
    response = asker.post("/v1/jobs", json={"verb": "solve", "body": body}) if job else asker.post("/v1/solve", json=body)
    assert (response.status_code, response.json()["type"]) == (422, "/problems/invalid-request")
    pointers = [error["pointer"] for error in response.json()["errors"]]
    prefix = "/body" if job else ""
    assert pointers == [f"{prefix}{pointer}" for pointer in ("/timeout", "/rules", "/puzzle", "/backend")]
    hint = asker.post("/v1/solve", json={"puzzle": PLAIN, "rules": "killer"}).json()["errors"][0]["detail"]
    assert "generate with 'rules' killer makes puzzles" in hint
