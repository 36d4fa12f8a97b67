"""The report of a run: tables, chart and files; and timed processes."""

from __future__ import annotations

import json
import sys
from itertools import count
from pathlib import Path
from xml.etree.ElementTree import fromstring

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sudoku_cp.bench import report_tables
from sudoku_cp.bench.contestants import Contestant
from sudoku_cp.bench.machine import cores
from sudoku_cp.bench.measurement import BenchPlan, ContestantResult
from sudoku_cp.bench.report_files import BEGIN, END, draw_chart, prepare_folder, replace_between_markers, write_report
from sudoku_cp.bench.report_tables import (
    TINY,
    BenchReport,
    FileTime,
    SetResult,
    cold_process_times,
    file_rows,
    format_number,
    markdown,
    measure_sets,
    report_markdown,
    scaling_rows,
    set_rows,
    summary_rows,
)
from sudoku_cp.errors import InvalidInput

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture
def report() -> BenchReport:
    """Return a run with a contestant of every sort."""
    ours = ContestantResult("fast:lanes", 1000, [2.5e-7, 3e-7], [2.5e-7], [2.5e-7], ours=True)
    results = (
        ContestantResult("slow & <odd>", 5, [0.5, 0.6, 0.7], [0.5], [5e-7], wrong=3),
        ours,
        ContestantResult("first one", 20, [0.01], first=True),
        ContestantResult("stuck", failed="no answer in 5 s"),
        ContestantResult("half", 10, [0.001], [0.001], [1e-6], unanswered=2, failed="KeyError: 5"),
    )
    sets = [SetResult(name, "some | puzzles", 9, 1000, "fast:lanes", results) for name in ("17clue", "forum", "a<b")]
    sets.append(SetResult("empty", "nobody took part", 9, 1, "", ()))
    threads = (ours, ContestantResult("fast:lanes x2", 1000, [1.25e-7], [1.25e-7], [2.5e-7], ours=True))
    told = BenchReport(BenchPlan(), [Contestant("fast:lanes", "a:b", proof="By search.", ours=True)], {"processor": "some <CPU>"})
    told.command, told.date, told.sets = "sudoku-cp bench", "2026-01-31", sets
    told.scaling = [SetResult("17clue", "", 9, 1000, "fast:lanes", threads)]
    told.cold = [ContestantResult("python -c pass", 1, [0.01, 0.012], [0.01], [0.01])]
    told.files = [FileTime("17clue", 50000, 0.35, 0.25, 0.05)]
    return told


def test_rows_are_ordered_and_marked(report) -> None:
    """The quickest comes first; contestants that are wrong, first, unanswered or stuck are marked."""
    table = set_rows(report.sets[0])
    assert [row["contestant"] for row in table] == ["fast:lanes", "half", "first one", "slow & <odd>", "stuck"]
    assert [row["remarks"] for row in table] == [
        "",
        "unanswered: 2 of 10; KeyError: 5",
        "first",
        "wrong: 3 of 5",
        "no answer in 5 s",
    ]
    assert [row["puzzles/s"] for row in table] == ["4.00M", "1.00k", "100", "2.00", ""]
    assert [row["times fast:lanes"] for row in table] == ["1.00", "1.00k", "", "1.00M", ""]
    assert [row["spread"] for row in table] == ["10%", "0%", "0%", "20%", ""]


def test_the_summary_has_every_contestant_and_set(report) -> None:
    """There is a row for each contestant, a column for each set; a star refers to the set's own table, a dash means not run."""
    table = {row["contestant"]: row for row in summary_rows(report.sets, ratios=False)}
    assert table["fast:lanes"] == {"contestant": "fast:lanes", "17clue": "4.00M", "forum": "4.00M", "a<b": "4.00M", "empty": "-"}
    assert [table[name]["forum"] for name in ("slow & <odd>", "first one", "stuck", "half")] == ["2.00*", "100*", "*", "1.00k*"]
    assert summary_rows(report.sets, ratios=True)[0]["17clue"] == "1.00M*"


def test_threads_and_files(report) -> None:
    """Threads show their gain over one; a file's rate excludes the start, and its ratio is the cost of all but solving."""
    assert scaling_rows(report.scaling) == [
        {"threads": "1", "17clue": "4.00M (1.00x)"},
        {"threads": "2", "17clue": "8.00M (2.00x)"},
    ]
    names = ("set", "puzzles", "process s", "start s", "files/s", "kernel/s", "ratio")
    figures = ("17clue", "50,000", "0.350", "0.250", "490k", "1.00M", "1.04")
    assert file_rows(report.files) == [dict(zip(names, figures, strict=True))]


@given(st.floats(1e-6, 1e12))
def test_figures_are_short_and_near(value: float) -> None:
    """A figure is short, and accurate to one percent, or five below 1."""
    text = format_number(value)
    size = {"M": 1e6, "k": 1e3}.get(text[-1], 1)
    assert float(text.rstrip("Mk")) * size == pytest.approx(value, rel=0.01 if value >= 1 else 0.06)
    assert format_number(None) == ""


def test_markdown_has_as_many_cells_in_every_line(report) -> None:
    """Characters that would end a cell are replaced."""
    lines = markdown([{"a": "x|y", "b": "1"}, {"a": "", "b": "2"}])
    assert lines[1] == "| :--- | ---: |"
    assert {line.count("|") for line in lines} == {3}
    assert markdown([]) == []


def test_the_document_says_everything(report) -> None:
    """Machine, command, date, every set, how uniqueness is proved, and the chart."""
    text = report_markdown(report, "benchmarks.svg")
    for words in ("some <CPU>", "`sudoku-cp bench`", "2026-01-31", "](benchmarks.svg)", "By search.", "wrong: 3 of 5"):
        assert words in text
    assert text.count("<details>") == text.count("</details>") == len(report.sets)


def test_the_chart_is_well_formed_and_says_its_figures(report) -> None:
    """The SVG is XML with a title and a description; each contestant with a rate has a bar, longer for faster ones."""
    root = fromstring(draw_chart(report))  # noqa: S314  # our own
    assert root.get("role") == "img"
    labelled = root.get("aria-labelledby").split()
    assert [root.find(f"{SVG}*[@id='{name}']") is not None for name in labelled] == [True, True]
    panels = root.findall(f"{SVG}g")
    assert [panel.get("aria-label") for panel in panels] == ["17clue", "forum", "a<b", "empty"]
    bars = [float(bar.get("width")) for bar in panels[0].findall(f"{SVG}rect")]
    assert len(bars) == 4
    assert bars == sorted(bars, reverse=True)
    words = " ".join(root.itertext())
    for told in ("slow & <odd>", "4.00M", "wrong", "first", "no answer", "prefers-color-scheme: dark", "some <CPU>"):
        assert told in words


def test_bars_stay_on_the_page(report) -> None:
    """No bar, rule or text starts outside the picture."""
    root = fromstring(draw_chart(report))  # noqa: S314  # our own
    _, _, width, height = map(float, root.get("viewBox").split())
    for part in root.iter():
        for name, most in (("x", width), ("x1", width), ("y", height), ("y1", height)):
            assert 0 <= float(part.get(name, 0)) <= most
        assert float(part.get("x", 0)) + (float(part.get("width", 0)) if part.tag == f"{SVG}rect" else 0) <= width


def test_a_chart_of_nothing(report) -> None:
    """A run without sets has a chart without panels."""
    report.sets = []
    assert fromstring(draw_chart(report)).findall(f"{SVG}g") == []  # noqa: S314  # our own


def test_files_are_written_and_only_the_marked_part_replaced(report, tmp_path) -> None:
    """JSON, Markdown and SVG are written; in existing Markdown everything outside the markers stays, byte for byte."""
    before, after = "# Mine\n\nkeep\n\n", "\n\ntrailing words  \nwithout end"
    (tmp_path / "benchmarks.md").write_text(f"{before}{BEGIN}\nold figures\n{END}{after}")
    paths = write_report(report, tmp_path)
    assert [path.name for path in paths] == ["benchmarks.json", "benchmarks.md", "benchmarks.svg"]
    text = paths[1].read_text()
    assert text.startswith(before + BEGIN)
    assert text.endswith(END + after)
    assert "old figures" not in text
    assert "4.00M" in text
    write_report(report, tmp_path)
    assert paths[1].read_text() == text
    told = json.loads(paths[0].read_text())
    assert told["sets"][0]["results"][1]["rate"] == pytest.approx(4e6)
    assert {"machine", "command", "date", "plan", "contestants", "scaling", "cold", "files", "remarks"} <= told.keys()
    fromstring(paths[2].read_text())  # noqa: S314  # our own


def test_a_new_folder_gets_its_files(report, tmp_path) -> None:
    """If there is no Markdown yet, it is created, with markers for the next time."""
    _, words, _ = write_report(report, tmp_path / "new" / "folder")
    assert words.read_text().startswith(f"# Benchmarks\n\n{BEGIN}\n")
    assert words.read_text().endswith(f"{END}\n")


def test_where_nothing_can_be_written_is_told_beforehand(tmp_path) -> None:
    """A file in place of the folder, a folder in place of a file and Markdown without markers are refused beforehand."""
    (tmp_path / "file").write_text("")
    (tmp_path / "chart" / "benchmarks.svg").mkdir(parents=True)
    for path in (tmp_path / "file", tmp_path / "file" / "below", tmp_path / "chart"):
        with pytest.raises(InvalidInput, match=r"expected a (folder to write to|file that can be written), got"):
            prepare_folder(path)
    (tmp_path / "benchmarks.md").write_text("# Mine")
    with pytest.raises(InvalidInput, match="expected one <!-- bench"):
        prepare_folder(tmp_path)
    prepare_folder(tmp_path / "new")
    assert list((tmp_path / "new").iterdir()) == []


@pytest.mark.parametrize("text", ["", BEGIN, f"{END}{BEGIN}", f"{BEGIN}{END}{BEGIN}{END}", f"{END}{BEGIN}{END}"])
def test_markers_must_be_one_pair(text: str) -> None:
    """Without one pair of markers in order, nothing is overwritten."""
    with pytest.raises(InvalidInput, match="expected one"):
        replace_between_markers(text, "figures")


def test_cold_processes_take_turns() -> None:
    """The three commands are run in turn; the first two rounds do not count."""
    ran: list[str] = []
    times = cold_process_times(4, lambda words: ran.append(words[-1]), count().__next__)
    assert [result.name for result in times] == ["python -c pass", 'python -c "import sudoku_cp"', "sudoku-cp solve LINE"]
    assert [len(result.seconds) for result in times] == [4, 4, 4]
    assert [result.ratio for result in times] == [1, 1, 1]
    assert ran == ran[:3] * 6


def test_a_whole_run_in_processes_of_its_own(hundred) -> None:
    """Named contestants are started, run, checked and ended."""
    from sudoku_cp.bench.contestants import choose_contestants  # noqa: PLC0415

    contestants, _ = choose_contestants(["native"], ["norvig-style"])
    done: list[SetResult] = []
    (one,) = measure_sets([hundred], contestants, BenchPlan(1, 0.01), done=done.append)
    assert done == [one]
    assert one.reference == "native"
    assert [(result.name, result.wrong, bool(result.rate)) for result in one.results] == [
        ("native", 0, True),
        ("norvig-style", 0, True),
    ]


def test_files_that_were_over_too_soon() -> None:
    """If the whole process took hardly longer than its start, there is no rate."""
    soon = FileTime("kaggle", 2000, 0.41, 0.40, 0.1)
    assert (soon.rate, soon.ratio) == (None, None)
    assert FileTime("kaggle", TINY + 1000, 0.60, 0.40, 0.1).rate == pytest.approx(5000)


def test_the_ratio_of_files_is_all_else_to_solving() -> None:
    """If a puzzle takes three times as long from file to file as in the kernel, two thirds of the time are not solving."""
    assert FileTime("forum", TINY * 10, 0.5 + 0.9, 0.5, 10 / 3 * 0.1).ratio == pytest.approx(2)


def test_a_set_from_file_to_file(hundred, monkeypatch) -> None:
    """A repeated set is solved from file to file, and a tiny file, run once before, measures the start."""
    monkeypatch.setattr(report_tables, "MANY", 1500)
    monkeypatch.setattr(report_tables, "LASTING", 1e9)  # the number of puzzles decides, however busy the machine is
    sizes: list[int] = []

    def run_command(words):
        sizes.append(len(Path(words[-1]).read_text().splitlines()))
        Path(words[words.index("--out") + 1]).write_text("answers")
        assert words[words.index("--workers") + 1] == str(cores())

    monkeypatch.setattr(report_tables, "run_command", run_command)
    told = report_tables.file_to_file(hundred, 2, count().__next__)
    assert sizes == [TINY, 1500, TINY, 1500, TINY]
    assert (told.name, told.puzzles, told.whole, told.starting) == ("hundred", 1500, 1, 1)
    assert 0 < told.solving < 60


@pytest.mark.slow
def test_the_program_does_it_from_file_to_file(hundred, monkeypatch) -> None:
    """The timed command exists and writes answers."""
    monkeypatch.setattr(report_tables, "MANY", 1500)
    told = report_tables.file_to_file(hundred, 1)
    assert min(told.whole, told.starting, told.solving) > 0


def test_a_process_that_does_not_answer_is_an_error(monkeypatch) -> None:
    """A process that fails or takes too long is an error with its command."""
    with pytest.raises(OSError, match="to answer, got exit code 2"):
        report_tables.run_command([sys.executable, "-c", "raise SystemExit(2)"])
    monkeypatch.setattr(report_tables, "PATIENCE", 0.05)
    with pytest.raises(OSError, match=r"in 0\.05 s, got nothing"):
        report_tables.run_command(["sleep", "60"])
