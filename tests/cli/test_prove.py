"""The verbs ``prove`` and ``verify`` as people use them."""

from __future__ import annotations

import json

import pytest

HARD = "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......"
SEVERAL = ".2.4.4.221434321"
CLASH = "11" + "." * 14


def test_a_puzzle_is_proved_and_its_certificate_verified(call, tmp_path):
    """`prove` writes a folder that `verify` accepts; a spoilt one is rejected with exit code 1, a missing one with 2."""
    ended = call("prove", HARD, "--out", "c", "--backend", "sat,native", "--claim", "minimal")
    assert ended.code == 0
    assert ended.out.startswith("proved minimal (sat:cadical153: ")
    assert ", verified: " in ended.out
    assert {path.name for path in (tmp_path / "c").iterdir()} == {
        "README.md",
        "formula.cnf",
        "manifest.json",
        "others.json",
        "proof-native.drup.xz",
        "proof-sat.drup.xz",
        "puzzle.json",
        "puzzle.txt",
        "solution.txt",
    }
    lines = call("verify", "c").out.splitlines()
    assert lines[0] == "c: verified (minimal)"
    assert lines[1] == "  claim: the puzzle has exactly one solution, and without any one of its givens more than one"
    assert lines[2] == "  puzzle: 81 cells with values from 1 to 9; 17 given; rules: houses"
    assert [line.split(":")[0] for line in lines[3:]] == ["  checked", "  not checked"]
    text = (tmp_path / "c" / "formula.cnf").read_text()
    (tmp_path / "c" / "formula.cnf").write_text(text.replace('"value": 4', '"value": 5', 1))
    spoilt = call("verify", "c", "--json")
    assert spoilt.code == 1
    assert spoilt.json_lines[0]["verdict"] == "rejected"
    assert any("formula.cnf" in problem for problem in spoilt.json_lines[0]["problems"])
    assert call("verify", "nowhere").code == 2


def test_several_puzzles_get_a_folder_each(call, tmp_path):
    """Folders are named by index; a puzzle that cannot be proved or read is reported in its place; the worst exit code wins."""
    (tmp_path / "some.txt").write_text(f"{HARD}\n{SEVERAL}\n{CLASH}\n")
    ended = call("prove", "some.txt", "--out", "all", "--json")
    assert ended.code == 1
    assert [told["status"] for told in ended.json_lines] == ["proved", "not proved", "proved"]
    assert [told.get("claim") for told in ended.json_lines] == ["unique", None, "none"]
    assert len(ended.json_lines[1]["solutions"]) == 2
    assert sorted(path.name for path in (tmp_path / "all").iterdir()) == ["0", "2"]
    told = json.loads((tmp_path / "all" / "2" / "puzzle.json").read_text())
    assert told["givens"] == {"r1c1": 1, "r1c2": 1}
    assert call("verify", "all/0", "all/2").code == 0
    assert call("prove", "some.txt", "12", "--out", "all", "--force").code == 2


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        ((SEVERAL,), 1, "expected one solution, got two"),
        ((HARD, "--claim", "none"), 1, "got one that has"),
        ((HARD, "--claim", "likely"), 2, "claim: expected one of"),
        ((HARD, "--backend", "cpsat"), 2, "expected a prover"),
        (("12",), 2, "expected"),
        (("." * 625, "--timeout", "0.2"), 3, "stopped by deadline"),
    ],
)
def test_what_is_not_proved_leaves_no_folder(call, tmp_path, arguments, code, words):
    """A false claim is exit code 1, a senseless request 2, a limit 3."""
    ended = call("prove", *arguments, "--out", "c")
    assert ended.code == code
    assert words in ended.err
    assert not (tmp_path / "c").exists()


def test_what_lies_in_the_folder_stays(call, tmp_path):
    """A folder with anything in it is refused before any work; an older certificate is replaced with --force."""
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis.txt").touch()
    ended = call("prove", CLASH, "--out", "mine", "--force")
    assert ended.code == 2
    assert "thesis.txt" in ended.err
    assert call("prove", CLASH, "--out", "c", "--no-verify").out.endswith(f"ms): {tmp_path / 'c'}\n")
    assert call("prove", CLASH, "--out", "c").code == 2
    assert call("prove", CLASH, "--out", "c", "--force").code == 0


@pytest.mark.parametrize("arguments", [("prove", HARD, "--out", "one"), ("prove", HARD, "--out", "one/inside")])
def test_links_in_a_circle_are_no_folder(call, tmp_path, arguments):
    """Symbolic links that lead in a circle are a bad output, with a message before any work and no traceback."""
    (tmp_path / "one").symlink_to(tmp_path / "two")
    (tmp_path / "two").symlink_to(tmp_path / "one")
    ended = call(*arguments)
    assert ended.code == 2
    assert "symbolic links that lead in a circle" in ended.err


HIDDEN = {
    "candidates": {"candidates": {"r1c2": [2], "r1c3": [3], "r2c1": [3], "r2c3": [1], "r3c2": [1], "r4c1": [4]}},
    "rules": {
        "rules": [
            "houses",
            *(
                {"kind": "killer-cage", "cells": [cell], "total": total}
                for cell, total in [("r2c3", 1), ("r3c2", 1), ("r4c1", 4)]
            ),
            *(
                {"kind": "look-and-say", "cells": [c], "clue": [[1, value]]}
                for c, value in [("r1c2", 2), ("r1c3", 3), ("r2c1", 3)]
            ),
        ]
    },
}


@pytest.mark.parametrize("kind", HIDDEN)
def test_what_the_drawing_does_not_show_is_named(call, kind, tmp_path):
    """A claim that depends on candidates or rules, which `puzzle.txt` has not, names them: `prove`, README.md and `verify`."""
    document = {"grid": {"rows": 4, "columns": 4, "boxes": [2, 2]}, "givens": {"r1c1": 1}} | HIDDEN[kind]
    (tmp_path / "puzzle.json").write_text(json.dumps(document))
    words = ["only some candidates in 6 cells"] if kind == "candidates" else ["killer-cage (3 times)", "look-and-say (3 times)"]
    proved = call("prove", "puzzle.json", "--out", "c").out
    verified = call("verify", "c").out
    for text in (proved, (tmp_path / "c" / "README.md").read_text(), verified):
        assert all(word in text for word in words), text
    if kind == "candidates":
        assert "(r1c2 r1c3 r2c1 r2c3 r3c2 r4c1)" in verified


def test_what_is_on_trust_has_one_verdict(call, tmp_path):
    """`prove` and `verify` call the same certificate `unchecked`, and name the same parts that were not compared."""
    rule = {"kind": "regular-expression", "cells": ["r1c1", "r1c2"], "pattern": "12"}
    (tmp_path / "puzzle.json").write_text(
        json.dumps(
            {
                "grid": {"rows": 4, "columns": 4, "boxes": [2, 2]},
                "givens": {"r3c1": 2, "r4c3": 1, "r2c2": 4, "r1c3": 3},
                "rules": ["houses", rule],
            }
        )
    )
    proved = call("prove", "puzzle.json", "--out", "c")
    verified = call("verify", "c")
    assert (proved.code, verified.code) == (0, 3)
    assert ", unchecked: " in proved.out
    trusted = [line for line in proved.out.splitlines() if line.startswith("  on trust: ")]
    assert trusted
    assert [line for line in verified.out.splitlines() if line.startswith("  on trust: ")] == trusted
    assert call("verify", "c", "--trust").code == 0
