"""The speed of generators: all are timed, their puzzles checked, and faults marked."""

from __future__ import annotations

import json
import sys
from xml.etree.ElementTree import fromstring

import pytest

from sudoku_cp.bench import generation as room
from sudoku_cp.bench.generation import KINDS, US, GenerationResult, generation_rows, generation_times, statistics, statistics_rows
from sudoku_cp.bench.measurement import BenchPlan
from sudoku_cp.bench.peers import generators
from sudoku_cp.bench.report_files import draw_generation_chart
from sudoku_cp.generate.request_parsing import parse_request
from sudoku_cp.logic.difficulty_level import level_of
from sudoku_cp.puzzle import Puzzle

PLAN = BenchPlan(rounds=2, seconds=0.002, patience=5)
SEVERAL, EXTRA, GOOD = "12..............", "1234341221434...", "1.....2...4..3.."


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_can_be_wished_for(kind: str) -> None:
    """Every request to be timed is valid."""
    assert parse_request(**KINDS[kind][0])


def test_ours_are_timed_and_found_to_be_what_they_are() -> None:
    """All of ours have one solution and are minimal where requested, with new numbers each round."""
    (one,) = generation_times(PLAN, kinds=["9x9, minimal"], peers=False)
    assert (one.name, one.unique, one.minimal, one.mark) == (US, 1, 1, "")
    assert one.puzzles > 0
    assert 20 < (one.givens or 0) < 28
    assert one.rate == one.puzzles / one.seconds


def test_what_others_make_is_looked_at(monkeypatch) -> None:
    """Shares show which generators make puzzles with several solutions or unneeded givens; absent ones are marked."""
    made = {"several": [SEVERAL, GOOD], "extra": [EXTRA], "absent": None}
    kinds = {"4x4": ({"size": 4, "minimal": True}, dict.fromkeys(made, ()))}

    def asked(words) -> str:
        if made[words[3]] is None:
            raise OSError("left out: it is not installed")
        return json.dumps({"seconds": 0.5, "lines": made[words[3]]})

    monkeypatch.setattr(room, "KINDS", kinds)
    monkeypatch.setattr(room, "_run_command", asked)
    ours, several, extra, absent = generation_times(PLAN)
    assert (ours.unique, ours.minimal) == (1, 1)
    assert (several.unique, several.rate) == (0.5, 4)
    assert (extra.unique, extra.minimal) == (1, 0)
    assert (absent.rate, absent.mark) == (None, "OSError: left out: it is not installed")
    rows = generation_rows([ours, several, extra, absent])
    assert [row["one solution"] for row in rows] == ["100%", "50%", "100%", ""]
    assert rows[1][f"{US} makes"].endswith("x")
    assert rows[0][f"{US} makes"] == ""


def test_packages_are_run_command_in_a_process_of_their_own(monkeypatch, capsys) -> None:
    """The process makes puzzles for its seconds, at least one; the first is off the clock."""
    seeds = []
    monkeypatch.setattr(generators, "GENERATORS", {"mine": lambda: lambda seed: seeds.append(seed) or GOOD})
    generators.main("mine", 0)
    told = json.loads(capsys.readouterr().out)
    assert (told["lines"], seeds) == ([GOOD], [0, 1])
    with pytest.raises(OSError, match="KeyError: 'nobody'"):
        room._run_command([sys.executable, "-m", "sudoku_cp.bench.peers.generators", "nobody", "0"])


def test_statistics_count_every_puzzle_once() -> None:
    """Each measure counts all puzzles, and their difficulty is the readable stepper's."""
    found = statistics(60)
    assert found.puzzles == sum(found.givens.values()) == sum(found.words.values()) == sum(found.guesses.values()) == 60
    assert list(found.words) == ["easy", "medium", "hard"]
    lines = [
        puzzle
        for part in room.make_generator(parse_request(minimal=True), 1).make(range(60), room.Limits())
        for puzzle in part.each()
    ]
    words = [str(level_of(Puzzle(givens=made.puzzle.givens))) for made in lines]
    assert found.words == {word: words.count(word) for word in found.words}
    assert [row["measure"] for row in statistics_rows(found)].count("difficulty") == 3


def test_the_chart_names_everyone() -> None:
    """It is an SVG with every contestant, its rate, and a mark on those whose puzzles have several solutions."""
    found = [
        GenerationResult("9x9", US, True, 1000, 0.5, 1.0),
        GenerationResult("9x9", "other & co", False, 10, 0.5, 0.4),
        GenerationResult("36x36", US, True, mark="LimitReached"),
    ]
    text = draw_generation_chart(found, statistics(40), "a processor")
    svg = fromstring(text)  # noqa: S314  # our own
    told = "".join(svg.itertext())
    for words in ("other & co", "2.00k", "60% not unique", "not measured", "easy", "guesses", "a processor"):
        assert words in told
    assert float(svg.attrib["height"]) > 200
