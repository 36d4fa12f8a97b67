"""What README.md and docs/service.md show of the service is true: their curl lines are answered, and the Python runs."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

import httpx
import pytest

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs" / "service.md").read_text(encoding="utf-8")
CURL = {
    f"{name}:{number}": line
    for name in ("README.md", "docs/service.md")
    for number, line in enumerate((ROOT / name).read_text(encoding="utf-8").splitlines(), 1)
    if line.startswith("curl ")
}
PYTHON = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
ADDRESS = "http://127.0.0.1:8080"


@pytest.fixture
def address(whole_server):
    """The address of a service with every question."""
    return whole_server.url


@pytest.mark.parametrize("line", CURL.values(), ids=CURL)
def test_a_curl_line_is_answered(address, line):
    """Each line gets an answer or a job."""
    words = shlex.split(line, comments=True)
    url = next(word for word in words if word.startswith(ADDRESS)).replace(ADDRESS, address)
    if "--json" in words:
        accept = {name: value for name, _, value in (word.partition(": ") for word in words) if name == "Accept"}
        response = httpx.post(url, json=json.loads(words[words.index("--json") + 1]), headers=accept, timeout=60)
    else:
        response = httpx.get(url, timeout=60)
    assert response.status_code in {200, 202}, response.text


@pytest.mark.parametrize("program", PYTHON, ids=range(len(PYTHON)))
def test_the_python_runs(address, program, capsys):
    """The client does what the page says."""
    exec(program.replace(ADDRESS, address), {})  # noqa: S102  # our own page
    told = capsys.readouterr().out
    assert told.startswith("unique (")
    assert told.splitlines()[-1].startswith("done")


def test_every_problem_and_limit_is_explained():
    """The page says what each status means."""
    from sudoku_cp.service.problems import TITLES  # noqa: PLC0415

    for status in {status for status, _ in TITLES.values()}:
        assert str(status) in PAGE, status
