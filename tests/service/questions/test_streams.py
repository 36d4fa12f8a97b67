"""What is sent on the way, what is left out of answers that would be too large, and what no body can reach."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from sudoku_cp.errors import InvalidInput
from sudoku_cp.puzzle import Puzzle
from sudoku_cp.questions.question import EASY
from sudoku_cp.service.questions import QUESTIONS
from sudoku_cp.service.settings import MOST_SOLUTIONS

BARE = {"kind": "houses"}


def test_many_solutions_are_counted_but_not_told(ask, control):
    """Of very many solutions the first thousand are told, and the answer says so."""
    answer = ask("solve", {"puzzle": "." * 36, "limit": 3000})
    assert answer["count"] == 3000
    assert len(answer["solutions"]) == len({*answer["solutions"]}) == MOST_SOLUTIONS
    assert answer["truncated"]
    assert all(item["count"] <= 3000 for item in control.items)


def test_candidates_grow(ask, control):
    """Partial answers have the form of the last, and never lose a candidate."""
    answer = ask("candidates", {"puzzle": "." * 256, "cap": 3, "timeout": 300})
    model = QUESTIONS["candidates"].answer
    known: set[tuple[str, int]] = set()
    for item in [*control.items, answer]:
        model.model_validate(item)
        found = {(cell, value) for cell, values in item["candidates"].items() for value in values}
        assert known <= found
        known = found
    assert answer["complete"]


def test_time_that_ran_out_is_told(ask):
    """Without time there is no answer, which is no error and no "no"."""
    answer = ask("count", {"puzzle": "." * 81, "timeout": 0})
    assert answer["status"] == "unknown"
    assert answer["reason"] == "deadline"


def test_comparisons_end_with_what_they_have(ask):
    """A comparison whose time runs out tells the puzzles that it has compared."""
    answer = ask("compare", {"puzzle": f"{EASY}\n{EASY}", "timeout": 0})
    assert answer["reason"] == "deadline"
    assert answer["puzzles"] == 0


def test_several_puzzles_are_compared(ask):
    """A text of several puzzles and a list are compared one by one."""
    assert ask("compare", {"puzzle": f"{EASY}\n{EASY}", "backends": "native,sat"})["puzzles"] == 2
    assert ask("compare", {"puzzle": [EASY, {"rules": [BARE]}], "backends": "native,sat"})["puzzles"] == 2


def test_engines_neither_agree_nor_disagree_about_nothing(ask):
    """Of no puzzle, or of none before the deadline, there is nothing to agree on."""
    assert ask("compare", {"puzzle": []})["agreed"] is None
    assert ask("compare", {"puzzle": EASY, "timeout": 0})["agreed"] is None


def test_a_tree_replays_to_its_solution(ask):
    """The columns of a tree lead to the solution: givens, guesses and what they forced on the way to it."""
    hard = "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......"
    answer = ask("trace", {"puzzle": hard, "limit": 1})
    tree = answer["tree"]
    node = tree["fate"].index(tree["fates"].index("solution"))
    values = {cell: int(sign) for cell, sign in enumerate(hard) if sign != "."}
    while node != -1:
        if tree["cell"][node] != -1:
            values[tree["cell"][node]] = tree["value"][node]
        forced = tree["forced"][node]
        values |= dict(zip(forced[::3], forced[1::3], strict=True))
        assert all(0 <= reason < len(tree["reasons"]) for reason in forced[2::3])
        assert tree["parent"][node] < node
        node = tree["parent"][node]
    assert "".join(str(values[cell]) for cell in range(81)) == answer["solutions"][0]
    columns = ("parent", "depth", "cell", "value", "kind", "fate", "forced", "contradiction")
    assert len({len(tree[name]) for name in columns}) == 1


def test_no_text_opens_a_file(tmp_path, control):
    """Names of files, in whatever option, are texts: the file is never read, even if it is a puzzle."""
    file = tmp_path / "puzzle.txt"
    file.write_text(EASY)
    text = str(file)
    bodies = [
        ("solve", {"puzzle": text}),
        ("solve", {"puzzle": EASY, "rules": text}),
        ("solve", {"puzzle": EASY, "alphabet": text}),
        ("compare", {"puzzle": [text]}),
        ("generate", {"pattern": text}),
        ("generate", {"rules": text}),
        ("verify", {"certificate": text}),
    ]
    for verb, body in bodies:
        with pytest.raises(InvalidInput):
            QUESTIONS[verb].run(body, control)
    assert file.read_text() == EASY


@pytest.mark.skipif(not Path("/bin/sh").exists(), reason="needs a shell")
def test_no_text_runs_a_program(tmp_path, control, monkeypatch):
    """An engine that is a program must be one of those that are listed, wherever the name would lead."""
    trap = tmp_path / "trap"
    trap.write_text(f"#!/bin/sh\ntouch {tmp_path}/sprung\n")
    trap.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    for name in ("dimacs:trap", f"dimacs:{trap}", "minizinc:trap"):
        for verb, body in (
            ("solve", {"backend": name}),
            ("compare", {"backends": f"native,{name}"}),
            ("prove", {"backend": name}),
        ):
            with pytest.raises(InvalidInput):
                QUESTIONS[verb].run({"puzzle": EASY} | body, control)
    assert not (tmp_path / "sprung").exists()


def test_a_position_comes_with_the_body(ask):
    """Entries and pencil marks that are sent are the position, and a wrong one is named first."""
    right = Puzzle.parse("534678912672195348198342567859761423426853791713924856961537284287419635345286179").givens
    wrong = ask("hint", {"puzzle": EASY, "position": {"values": {"r1c3": 1}}})
    assert wrong["status"] == "wrong"
    assert wrong["wrong_values"] == [["r1c3", 1]]
    marks = ask("hint", {"puzzle": EASY, "position": {"marks": {"r1c3": [1, 2]}}})
    assert marks["wrong_eliminations"] == [["r1c3", right[2]]]
    drawn = ask("picture", {"puzzle": EASY, "position": {"values": {"r1c3": 4}}})
    assert drawn["svg"].count("<text") == ask("picture", {"puzzle": EASY})["svg"].count("<text") + 1
    assert ask("picture", {"puzzle": EASY, "layers": True})["layers"]["givens"]["0"] == 5
