"""Hostile bodies to every question of a real service: each is answered or gets a problem, and nothing of the program is told."""

from __future__ import annotations

import builtins
import copy
import json
import random
import re
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from sudoku_cp import errors
from sudoku_cp.service.problems import MEDIA_TYPE
from sudoku_cp.service.questions import QUESTIONS

PROGRAM = """
import sys
from pathlib import Path
from sudoku_cp.service.settings import Settings
from sudoku_cp.service.start import run
run(Settings(port=0, workers=1, data=Path(sys.argv[1]), compile_kernels=False), lambda url, ws: print(url, flush=True))
"""
MOST_MEMORY = 600 << 20
JUNK = [
    *(None, True, False, 0, -1, 2**70, -(2**63), 10**400, 1e308, 1.5),
    *(
        "",
        "r1c1",
        "r99c9",
        "\0",
        "x" * 3000,
        "houses",
        "1" * 81,
        "1" * 82,
        "\U0001f9e9",
        "../../etc/passwd",
        "https://f-puzzles.com/?load=N4Ig",
    ),
    *([], {}, [[]], [1], ["r1c1"] * 50, {"kind": "houses"}, {"kind": []}, {"kind": "any-of", "rules": ["houses"]}, {"r1c1": 1}),
]
CLASSES = re.compile(
    r"\b(?:"
    + "|".join(name for space in (builtins, errors) for name in vars(space) if name.endswith(("Error", "Exception")))
    + r"|InvalidInput|ParseError|BackendFailed|WrongAnswer)\b|Traceback|\.py\b|/usr/|/tmp/|/home/|<class|object at 0x"
)
"""What would tell of the program."""


@contextmanager
def whole_service(folder):
    """Run a service with every question in a process of its own; yield the process, a client and the file of its log."""
    log = folder / "log"
    with log.open("wb") as sink:
        process = subprocess.Popen(
            [sys.executable, "-c", PROGRAM, str(folder / "data")], stdout=subprocess.PIPE, stderr=sink, text=True
        )
    try:
        url = process.stdout.readline().strip()
        assert url, log.read_text()
        with httpx.Client(base_url=url, timeout=60) as client:
            yield process, client, log
    finally:
        process.kill()
        process.communicate()


def spoiled_values(example, rng):
    """Return a body in which a few values, at any depth, are something else, or a field has another name."""
    body = copy.deepcopy(example) | {"timeout": 0.2}
    for _ in range(rng.choice([1, 1, 2, 4])):
        holders = [body]
        for holder in holders:
            inner = holder.values() if isinstance(holder, dict) else holder[:20]
            holders += [one for one in inner if isinstance(one, dict | list) and one]
        holder = rng.choice(holders)
        key = rng.choice(list(holder) if isinstance(holder, dict) else range(len(holder)))
        if isinstance(holder, dict) and rng.random() < 0.1:
            holder[rng.choice(["nothing", "job", "limit", "\x7f", "size"])] = holder.pop(key)
        else:
            holder[key] = copy.deepcopy(rng.choice(JUNK))
        if not body:
            break
    return json.dumps(body).encode()


def spoiled_bytes(example, rng):
    """Return bytes that are hardly JSON: cut short, deep, twice the same key, NaN, half characters, other encodings."""
    text = json.dumps(copy.deepcopy(example) | {"timeout": 0.2})
    place = rng.randrange(1, len(text))
    pieces = [
        "[" * 100,
        '{"a":' * 5000,
        "NaN",
        "-Infinity",
        "1e999",
        "9" * 5000,
        r'"\ud800"',
        r"\udc00",
        "\x00",
        "null",
        "}",
        '"',
    ]
    deep = rng.choice([10, 63, 65, 900, 100_000])
    first = next(iter(example))
    return rng.choice(
        [
            text[:place].encode(),
            (text[:place] + rng.choice(pieces) + text[place + rng.randint(0, 4) :]).encode(),
            text.encode(rng.choice(["utf-16", "utf-32", "utf-8-sig"])),
            text.encode()[:place] + b"\xff\xfe" + text.encode()[place:],
            f'{{"{first}": {"[" * deep}{"]" * deep}}}'.encode(),
            f'{{"{first}": {rng.choice(pieces)}, {text[1:]}'.encode(),
            (text[:-1] + f', "{first}": {json.dumps(rng.choice(JUNK))}}}').encode(),
        ]
    )


def hostile_bodies(number, seed):
    """Yield so many pairs of a question's name and a body for it, always the same; every question has its turn."""
    rng = random.Random(seed)  # noqa: S311  # not for cryptography
    examples = {name: question.example for name, question in QUESTIONS.items()}
    names = list(examples)
    for index in range(number):
        name = names[index % len(names)]
        yield name, rng.choice([spoiled_values, spoiled_values, spoiled_bytes])(examples[name], rng)


def check_answer(client, name, body):
    """Send a body; check that the answer is one, or a problem, and tells nothing of the program."""
    response = client.post(f"/v1/{name}", content=body, headers={"Content-Type": "application/json"})
    shown = f"{name} {body[:400]!r}: {response.status_code} {response.text[:800]}"
    if response.status_code == 202:
        client.delete(response.headers["location"])
    elif response.status_code != 200:
        assert response.headers["content-type"] == MEDIA_TYPE, shown
        assert response.status_code < 500 or response.json()["type"] in {"/problems/unsupported", "/problems/busy"}, shown
        assert not CLASSES.search(response.text), shown
        assert len(response.content) < 50_000, shown


def memory_of(process):
    """Return how many bytes a process has in memory."""
    lines = Path(f"/proc/{process.pid}/status").read_text(encoding="ascii").splitlines()
    return next(int(line.split()[1]) << 10 for line in lines if line.startswith("VmRSS:"))


@pytest.mark.parametrize("number", [108, pytest.param(10_000, marks=pytest.mark.slow)])
def test_hostile_bodies_do_no_harm(tmp_path, number):
    """Every question answers each of them or says what is wrong; no defect is logged, and the service's memory stays small."""
    with whole_service(tmp_path) as (process, client, log):
        for name, body in hostile_bodies(number, seed=number):
            check_answer(client, name, body)
        assert client.get("/readyz").status_code == 200
        assert memory_of(process) < MOST_MEMORY
        assert [line for line in log.read_text().splitlines() if '"level": "error"' in line] == []
