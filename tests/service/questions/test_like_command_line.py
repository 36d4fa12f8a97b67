"""The service and the command line answer the same question with the same object."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from sudoku_cp.puzzle import forget_models
from sudoku_cp.questions.question import EASY, KILLER

VARIANTS = Path(__file__).parents[3] / "examples" / "variants"
AMBIGUOUS = "1234........4.2."
CLASHING = EASY.replace("53", "55", 1)
HARD = "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......"
LARGE = "".join("." if (cell * 7) % 5 else sign for cell, sign in enumerate("1234567890ABCDEF" * 16))
LIBRARY = f":0000:x:{EASY[:2]}+4{EASY[3:]}:::"
SIX = "1.3...4.....3.......2.5.......6.4.."[:35] + "."

TIMES = {"seconds", "median", "p95", "max", "total"}
"""Fields that differ from run to run."""


def variant(name: str, line: int = 0) -> str:
    """Return a puzzle of the examples as JSON."""
    return (VARIANTS / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()[line]


FILES = """6x6 anti-king anti-knight arrow between clone diagonals disjoint-groups entropic equality from-0 inequality jigsaw
killer kropki little-killer lunchbox odd-even palindrome quadruple renban samurai sandwich skyscraper thermometer whisper wide
windoku x-sum xv zipper"""
"""Variants that are solved at once; by one engine, as of two that race either may be the first."""

CASES: dict[str, tuple[str, str, list[str], dict[str, Any]]] = {
    **{f"solve {name}": ("solve", variant(name), ["--backend", "native"], {"backend": "native"}) for name in FILES.split()},
    "solve easy": ("solve", EASY, [], {}),
    "solve hard": ("solve", HARD, ["--backend", "sat"], {"backend": "sat"}),
    "solve ambiguous": ("solve", AMBIGUOUS, [], {}),
    "solve all": ("solve", AMBIGUOUS, ["--all"], {"all": True}),
    "solve limit": ("solve", AMBIGUOUS, ["--limit", "3"], {"limit": 3}),
    "solve first": ("solve", AMBIGUOUS, ["--first"], {"first": True}),
    "solve random": ("solve", "." * 81, ["--random", "--seed", "7"], {"random": True, "seed": 7}),
    "solve clashing": ("solve", CLASHING, [], {}),
    "solve rules": (
        "solve",
        "." * 81,
        ["--rules", "anti-knight", "--first", "--backend", "sat"],
        {"rules": ["anti-knight"], "first": True, "backend": "sat"},
    ),
    "solve boxes": ("solve", SIX, ["--boxes", "2x3", "--first"], {"boxes": "2x3", "first": True}),
    "solve letters": ("solve", LARGE, ["--alphabet", "hex", "--nodes", "0"], {"alphabet": "hex", "nodes": 0}),
    "count": ("count", AMBIGUOUS, [], {}),
    "count limit": ("count", "." * 16, ["--limit", "100"], {"limit": 100}),
    "count estimate": (
        "count",
        "." * 36,
        ["--estimate", "--seed", "1", "--error", "0.5"],
        {"estimate": True, "seed": 1, "error": 0.5},
    ),
    "check unique": ("check", EASY, [], {}),
    "check multiple": ("check", AMBIGUOUS, [], {}),
    "check none": ("check", CLASHING, [], {}),
    "check killer": ("check", json.dumps(KILLER), [], {}),
    "candidates": ("candidates", json.dumps(KILLER), ["--cap", "5"], {"cap": 5}),
    "candidates unique": ("candidates", EASY, [], {}),
    "prove": ("prove", "12..3412..434.21", [], {}),
    "prove false": ("prove", AMBIGUOUS, ["--claim", "unique"], {"claim": "unique"}),
    "compare": ("compare", EASY, ["--backends", "native,sat"], {"backends": "native,sat"}),
    "rate": ("rate", EASY, ["--scale", "words,hodoku"], {"scale": "words,hodoku"}),
    "rate ambiguous": ("rate", AMBIGUOUS, [], {}),
    "hint 1": ("hint", EASY, [], {}),
    "hint 5": ("hint", EASY, ["--level", "5"], {"level": 5}),
    "hint killer": ("hint", json.dumps(KILLER), ["--level", "4"], {"level": 4}),
    "hint position": ("hint", LIBRARY, ["--level", "3"], {"level": 3}),
    "steps": ("steps", EASY, [], {}),
    "steps all": ("steps", EASY, ["--all", "--technique", "naked single"], {"all": True, "technique": ["naked single"]}),
    "explain": ("explain", EASY, ["r1c3=1"], {"cell": "r1c3", "value": 1}),
    "explain given": ("explain", EASY, ["r1c1=5"], {"cell": "r1c1", "value": "5"}),
    "convert": ("convert", json.dumps(KILLER), ["--to", "fpuzzles"], {"to": "fpuzzles"}),
    "convert refused": ("convert", json.dumps(KILLER), ["--to", "sdk"], {"to": "sdk"}),
}


def without_times(data: Any) -> Any:
    """Return data without what differs from run to run, and without what only one side has a use for."""
    if isinstance(data, list):
        return [without_times(one) for one in data]
    if isinstance(data, dict):
        unsteady = TIMES | ({"counters"} if data.get("backend") == "native" else set())  # the time decides which tier counts
        return {name: without_times(one) for name, one in data.items() if name not in unsteady}
    return data


@pytest.mark.parametrize("case", CASES)
def test_one_answer_for_both(case, ask, printed):
    """The command line's object is the service's, less the index; the service has a certificate where it has a folder."""
    verb, puzzle, arguments, options = CASES[case]
    more = ["--out", "certificate"] if verb == "prove" else []
    forget_models()
    objects = printed(verb, *arguments, *more, "--", puzzle)
    forget_models()
    sent = json.loads(puzzle) if puzzle.startswith("{") and verb != "convert" else puzzle
    answer = ask(verb, {"puzzle": sent} | options)
    shown = {name: value for name, value in objects[0].items() if name not in {"index", "line", "folder"}}
    answer.pop("certificate", None)
    assert without_times(answer) == without_times(shown)


def test_there_are_sixty():
    """As many inputs are compared as the service promises, of nearly every verb."""
    assert len(CASES) >= 60
    assert len({verb for verb, *_ in CASES.values()}) >= 11


def test_generated_puzzles_are_the_same(ask, printed, control):
    """A seed makes the same puzzles here and there, and each is sent as soon as it is there."""
    objects = printed("generate", "-n", "3", "--seed", "5", "--size", "4", "--rules", "diagonals")
    answer = ask("generate", {"count": 3, "seed": 5, "size": 4, "rules": "diagonals"})
    shown = [{name: value for name, value in one.items() if name != "index"} for one in objects]
    assert answer["puzzles"] == shown == control.items
    assert answer["count"] == 3


@pytest.mark.parametrize("name", ["rules", "formats", "backends"])
def test_listings_are_the_same(name, ask, printed):
    """A listing has the objects that the command line prints."""
    assert ask(name, {})[name] == printed(name)


def test_verdicts_are_the_same(ask, printed, tmp_path):
    """A certificate that the service made is verified by both, with the same report."""
    made = ask("prove", {"puzzle": "12..3412..434.21"})
    printed("prove", "--out", "made", "12..3412..434.21")
    [shown] = printed("verify", "made")
    answer = ask("verify", {"certificate": made["certificate"]})
    shown.pop("folder")
    assert without_times(answer) == without_times(shown)
    assert answer["verdict"] == "verified"
    assert (tmp_path / "made").is_dir()
