"""`audit` reports what is wrong with each puzzle, its place, and the number of findings of each kind."""

from __future__ import annotations

import signal

import pytest

from sudoku_cp.audit import KINDS

SOUND = "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......"
OTHER = "52...6.........7.13...........4..8..6......5...........418.........3..2...87....."
SEVERAL = SOUND.replace("5", ".", 1)
MORE = "41" + SOUND[2:]
CLASH = "44" + SOUND[2:]
TURNED = "".join(SOUND[9 * column + row] for row in range(9) for column in range(9))
SHORT = SOUND[:-3]


@pytest.fixture
def write(tmp_path):
    """Return a function that writes lines to a file in the working folder and returns its name."""

    def written(name: str, *lines: str) -> str:
        (tmp_path / name).write_text("".join(f"{line}\n" for line in lines))
        return name

    return written


def test_a_clean_file_is_fine(call, write) -> None:
    """Puzzles without findings are only counted; --all lists each."""
    name = write("clean.txt", SOUND, OTHER)
    ended = call("audit", name)
    assert (ended.code, ended.err) == (0, "")
    assert ended.out.startswith("2 puzzles: 2 fine (")
    assert call("audit", name, "--all").out.splitlines()[1:] == ["0\tclean.txt:1\tfine", "1\tclean.txt:2\tfine"]


def test_every_defect_is_told_with_its_place(call, write) -> None:
    """The counts come first, then a line for each faulty puzzle: index, file and line, kinds, words; twins name the first."""
    first = write("first.txt", SOUND, SHORT, CLASH, SEVERAL)
    second = write("second.txt", TURNED, OTHER, MORE, SOUND)
    ended = call("audit", first, second)
    rows = [line.split("\t") for line in ended.out.splitlines() if "\t" in line]
    assert ended.code == 1
    assert [row[:3] for row in rows] == [
        ["1", "first.txt:2", "malformed"],
        ["2", "first.txt:3", "contradictory"],
        ["3", "first.txt:4", "not-unique"],
        ["4", "second.txt:1", "isomorphic"],
        ["6", "second.txt:3", "not-minimal,same-solution,contains"],
        ["7", "second.txt:4", "duplicate"],
    ]
    words = [row[3] for row in rows]
    assert words[0] == "expected 81 cells, got 78"
    assert words[1] == "no solution: 4 is given in r1c1 and r1c2, row 1 (houses)"
    assert words[3] == "puzzle 0 in another guise (first.txt:1)"
    related = "the solution of puzzle 0 (first.txt:1); all givens of puzzle 0 and more (first.txt:1)"
    assert words[4] == f"1 of 18 givens could be left out, each by itself: r1c2; {related}"
    assert words[5] == "the same as puzzle 0 (first.txt:1)"
    lines = ended.out.splitlines()
    assert lines[0].startswith("8 puzzles: 2 fine, 6 with findings (")
    counts = lines[1 : lines.index(next(line for line in lines if "\t" in line))]
    found = {kind for row in rows for kind in row[2].split(",")}
    assert [line.split()[:2] for line in counts] == [["1", kind] for kind in KINDS if kind in found]


def test_symmetric_puzzles_are_minimal_only_where_that_is_asked(call, write) -> None:
    """Symmetric givens that are not all needed are a finding only with --minimal; asymmetric ones always are."""
    symmetric = ".864.........1...494.8.....5..2..1..7.3...8.2..1..6..9.....7.614...3.........427."
    name = write("symmetric.txt", symmetric)
    assert call("audit", name).code == 0
    asked = call("audit", name, "--minimal", "--json")
    assert asked.code == 1
    assert [finding["kind"] for finding in asked.json_lines[0]["findings"]] == ["not-minimal"]
    assert call("audit", write("more.txt", MORE)).code == 1
    assert call("audit", name, "--backend", "fast:lanes").code == 0


def test_json_has_an_object_a_puzzle_and_a_summary(call, write) -> None:
    """Programs get every puzzle with its findings as data, and the counts in the last line."""
    name = write("table.csv", "puzzle,solution", f"{SOUND},{'123456789' * 9}", f"{SOUND},", SHORT)
    ended = call("audit", name, "--json")
    first, second, third, last = ended.json_lines
    assert ended.code == 1
    assert {key: first[key] for key in ("index", "file", "line", "puzzle", "status", "count", "exact")} == {
        "index": 0,
        "file": name,
        "line": 2,
        "puzzle": SOUND,
        "status": "unique",
        "count": 1,
        "exact": True,
    }
    assert [finding["kind"] for finding in first["findings"]] == ["wrong-solution"]
    assert first["findings"][0]["givens"][0] == "r1c1"
    assert second["findings"] == [
        {"kind": "duplicate", "text": "the same as puzzle 0", "first": 0, "of": {"file": name, "line": 2}}
    ]
    assert (third["status"], third["findings"][0]["kind"]) == ("error", "malformed")
    assert third["error"].startswith("table.csv, line 4, ")
    summary = last["summary"]
    assert summary.pop("seconds") > 0
    assert summary == {
        "puzzles": 3,
        "fine": 0,
        "faulty": 3,
        "undecided": 0,
        "found": {"malformed": 1, "wrong-solution": 1, "duplicate": 1},
        "interrupted": False,
    }


def test_ignored_findings_are_none(call, write) -> None:
    """Findings ignored by --ignore do not make the exit code 1; other names are refused."""
    name = write("taste.txt", SOUND, MORE, TURNED)
    assert call("audit", name).code == 1
    assert call("audit", name, "--ignore", "not-minimal, isomorphic, same-solution, contains").code == 0
    refused = call("audit", name, "--ignore", "ugly,unreadable")
    assert refused.code == 2
    assert "got ugly, unreadable" in refused.err


def test_a_limit_is_exit_code_3_unless_something_was_found(call, write) -> None:
    """What a limit leaves open is reported, but is not a finding; with a finding the exit code is 1."""
    name = write("open.txt", SOUND)
    ended = call("audit", name, "--timeout", 0, "--json")
    assert ended.code == 3
    assert ended.json_lines[0]["undecided"] == [
        "contradictory",
        "not-unique",
        "not-minimal",
        "isomorphic",
        "same-solution",
        "contains",
    ]
    assert ended.json_lines[0]["reason"] == "deadline"
    said = call("audit", name, "--timeout", 0)
    assert "undecided\tthe limit (deadline) came before it was known whether it is contradictory or " in said.out
    assert "1 puzzle: 1 undecided (" in said.out
    assert call("audit", name, write("short.txt", SOUND, SHORT), "--timeout", 0).code == 1


def test_input_that_is_none_is_exit_code_2(call, write) -> None:
    """A missing file ends the call at once with 2; a file in an unknown format is reported in place, the others are audited."""
    missing = call("audit", write("clean.txt", SOUND), "missing.txt")
    assert (missing.code, missing.out) == (2, "")
    assert "missing.txt" in missing.err
    odd = call("audit", write("poem.md", "no puzzle"), "clean.txt", write("empty.txt"), "--json")
    assert odd.code == 2
    assert [[finding["kind"] for finding in told["findings"]] for told in odd.json_lines[:-1]] == [
        ["unreadable"],
        [],
        ["unreadable"],
    ]


def test_standard_input_and_other_rules_are_audited(call) -> None:
    """Lines on standard input, with rules added, are audited under those rules."""
    ended = call(
        "audit", "-", "--rules", "diagonals", "--json", "--ignore", "not-minimal", text="123............2\n1...............\n"
    )
    assert ended.code == 1
    assert [[finding["kind"] for finding in told["findings"]] for told in ended.json_lines[:-1]] == [[], ["not-unique"]]
    assert ended.json_lines[1]["file"] == "standard input"


@pytest.mark.parametrize("engine", ["native", "sat", "fast"])
def test_an_engine_can_be_asked_for(call, write, engine: str) -> None:
    """The named engine answers, and solutions are counted up to --limit."""
    ended = call("audit", write("several.txt", SEVERAL), "--backend", engine, "--limit", 3, "--json")
    assert ended.json_lines[0]["backend"].startswith(engine)
    assert ended.json_lines[0]["findings"][0]["text"] == "3 solutions or more"


def test_ctrl_c_keeps_what_was_found(start, tmp_path) -> None:
    """The results before an interrupt are printed, and the summary says that it was interrupted; exit code 130."""
    (tmp_path / "long.txt").write_text(f"1{'.' * 15}\n{'.' * 81}\n")
    process = start("audit", "--json", "--backend", "native", "--limit", "1000000", "long.txt")
    first = process.stdout.readline()
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=300)
    assert process.returncode == 130
    assert '"not-unique"' in first
    assert '"interrupted": true' in out.splitlines()[-1]
    assert "Traceback" not in err
