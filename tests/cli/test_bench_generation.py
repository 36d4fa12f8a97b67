"""The verb ``bench --generation``: a table of its own, in the files too."""

from __future__ import annotations

import json
from xml.etree.ElementTree import fromstring

from sudoku_cp.bench import generation


def test_making_puzzles_is_timed_when_asked(call, tmp_path, monkeypatch) -> None:
    """Its rows, the statistics and the second chart are written with everything else; no set need be measured."""
    monkeypatch.setattr(generation, "KINDS", {"4x4, minimal": ({"size": 4, "minimal": True}, {"dokusan 150": ()})})
    monkeypatch.setattr(generation, "SAMPLE_SIZE", 50)
    quick = ("--no-processes", "--no-variants", "--no-trust", "--rounds", 1, "--seconds", 0.001)
    ended = call("bench", "--generation", "--sets", "none", "--peers", "none", "--engines", "native", *quick, "--out", "made")
    assert ended.code == 0, ended.err
    assert "4x4, minimal" in ended.out
    assert "dokusan" not in ended.out
    told = json.loads((tmp_path / "made/benchmarks.json").read_text())
    assert [(one["kind"], one["unique"], one["minimal"]) for one in told["generation"]] == [("4x4, minimal", 1, 1)]
    assert told["statistics"]["puzzles"] == 50
    words = (tmp_path / "made/benchmarks.md").read_text()
    assert "### Puzzles made" in words
    assert "(generation.svg)" in words
    fromstring((tmp_path / "made/generation.svg").read_text())  # noqa: S314  # our own
