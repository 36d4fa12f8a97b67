"""An audit finds everything that is wrong with other people's puzzles, and nothing else."""

from __future__ import annotations

import json
from dataclasses import replace
from io import StringIO
from itertools import islice
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sudoku_cp.audit import KINDS, Summary, array_verdicts, audit, auditor, puzzle_status
from sudoku_cp.audit.auditor import GivensGroup
from sudoku_cp.backends import Cancellation, Limits
from sudoku_cp.errors import InvalidInput
from sudoku_cp.formats import Record, read_records
from sudoku_cp.grid import Grid
from sudoku_cp.puzzle import Puzzle, to_json
from sudoku_cp.rules import Houses, KillerCage

SELF_MADE = Path(__file__).parents[2] / "../shared/data/formats/self_made"
PLAIN = ["auto", "fast:lanes", "fast:bigint", "native", "sat", "cpsat"]
SMALL = ["1.2....3..4.2...", "11..............", "1...............", ".2.4.....1...3..", "12344.1........."]


def told(records, **options):
    """Return the kinds of findings of each record."""
    return [[finding.kind for finding in one.findings] for one in audit(records, **options)]


def findings(records, **options):
    """Return the findings of each record: kinds, words and details."""
    return [[(one.kind, one.text, dict(one.details)) for one in found.findings] for found in audit(records, **options)]


def blanked(line: str, cell: int) -> str:
    """Return the line with a cell left blank."""
    return line[:cell] + "." + line[cell + 1 :]


def filled(line: str, solution: str, cell: int) -> str:
    """Return the line with the solution's sign in a cell."""
    return line[:cell] + solution[cell] + line[cell + 1 :]


# --- each kind of finding -----------------------------------------------------------------------------------------


def test_sound_puzzles_have_no_findings(read, sound) -> None:
    """Minimal puzzles with one solution each, no two alike, are fine with every engine."""
    for one in audit(read("\n".join(sound))):
        assert one.fine
        assert (one.status, one.reason) == ("unique", None)


EASY = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
HARD = ".6..7...5....3..2...7...9....9..4......9..4132......6..7...28...1.5...9...4..6..7"


@pytest.mark.parametrize("copies", [1, 40])
@pytest.mark.parametrize(
    "form", ["difficulty,puzzle\n{0},{1}\n", "puzzle;Level\n{1};{0}\n", '{{"puzzle": "{1}", "difficulty": "{0}"}}\n']
)
def test_a_wrong_label_is_found(form: str, copies: int) -> None:
    """A label that the rating contradicts is a finding, in tables and in JSON, for one puzzle and for many at once."""
    head, _, line = form.rpartition("\n")[0].rpartition("\n")
    pairs = [("easy", EASY), ("Fiendish", HARD), ("hard", EASY), ("easy", HARD), ("2.3", HARD), ("insane", EASY)] * copies
    text = "\n".join([*[head] * bool(head), *(line.format(*pair) for pair in pairs)])
    found = findings(read_records(StringIO(text)), checks=["wrong-label"])
    wrong = [
        (
            "wrong-label",
            f"labelled {stated}, but {level}: its hardest step is rated {span}",
            {"stated": stated, "difficulty": level},
        )
        for stated, level, span in [("hard", "easy", "1.0 to 1.5"), ("easy", "fiendish", "5.6 to 7.0")]
    ]
    assert found == [[], [], [wrong[0]], [wrong[1]], [], []] * copies


def test_a_label_of_a_puzzle_without_one_solution_says_nothing() -> None:
    """What has no solution or several is reported as that, whatever its label."""
    text = f"puzzle,difficulty\n{'.' * 81},easy\n55{'.' * 79},easy\n"
    assert told(read_records(StringIO(text)), checks=["wrong-label", "not-unique", "contradictory"]) == [
        ["not-unique"],
        ["contradictory"],
    ]


def test_what_cannot_be_read_is_malformed(read, sound) -> None:
    """The finding says what was expected; the record says where."""
    records = read(f"{sound[0]}\n{sound[1][:-1]}\n{sound[2][:4]}%{sound[2][5:]}\n")
    (_, short, odd) = audit(records)
    assert [finding.kind for finding in (*short.findings, *odd.findings)] == ["malformed", "malformed"]
    assert short.findings[0].text == "expected 81 cells, got 80"
    assert (short.index, short.record.line, short.status) == (1, 2, "error")
    assert odd.findings[0].text.startswith("column 5: ")
    assert odd.findings[0].details == {"column": 5}


def test_a_source_as_a_whole_is_unreadable(tmp_path) -> None:
    """A missing file, and text in no known format, are findings that cannot be switched off."""
    poem = tmp_path / "poem.txt"
    poem.write_text("Shall I compare thee to a summer's day?\n")
    for path in (tmp_path / "none.txt", poem):
        assert told(read_records(path), checks=["duplicate"]) == [["unreadable"]]


def test_warnings_of_the_reader_are_findings(sound) -> None:
    """The reader's warnings become findings, word for word."""
    record = Record(Puzzle.parse(sound[0]), None, 1, ("an ornament was left out", "and another"))
    assert [text for _, text, _ in findings([record])[0]] == ["an ornament was left out", "and another"]


def test_a_plain_clash_is_named(read, sound) -> None:
    """Two equal givens in a house are named; a contradiction that is not obvious is only reported."""
    hidden = sound[0][:27] + "3" + sound[0][28:]
    clash, no_clash = findings(read(f"44{sound[0][2:]}\n{hidden}\n"))
    assert clash == [
        (
            "contradictory",
            "no solution: 4 is given in r1c1 and r1c2, row 1 (houses)",
            {"clash": ["r1c1", "r1c2"], "part": "row 1 (houses)"},
        )
    ]
    assert no_clash == [("contradictory", "no solution", {})]


def test_a_given_that_is_no_candidate_is_named(sound) -> None:
    """A cell whose given is not among its candidates has no solution, in the batch kernel too."""
    puzzle = Puzzle(givens={0: 4}, candidates={0: 0b110})
    for engine in ("fast:lanes", "native"):
        (found,) = findings([Record(puzzle, None, 1)], backend=engine)
        assert [text for _, text, _ in found] == ["no solution: 4 is given in r1c1 but is not one of its candidates"]


@pytest.mark.parametrize("engine", PLAIN)
def test_solutions_are_counted_up_to_the_limit(read, engine: str) -> None:
    """The number of solutions is exact below the limit and a lower bound at it (a 4x4 board with one given has 72)."""
    record = read("1...............")
    for most, text, exact in ((73, "72 solutions", True), (72, "72 solutions or more", False), (2, "2 solutions or more", False)):
        assert findings(record, most=most, backend=engine) == [
            [("not-unique", text, {"solutions": min(most, 72), "exact": exact})]
        ]


@pytest.mark.parametrize("engine", PLAIN)
def test_unnecessary_givens_are_named(read, sound, solution, engine: str) -> None:
    """In a minimal puzzle with two givens added, exactly the unnecessary ones are named."""
    more = filled(filled(sound[0], solution(sound[0]), 1), solution(sound[0]), 2)
    ((finding,),) = findings(read(more), backend=engine)
    assert finding == (
        "not-minimal",
        "2 of 19 givens could be left out, each by itself: r1c2 r1c3",
        {"unnecessary": ["r1c2", "r1c3"]},
    )


def test_many_cells_are_counted_in_words_and_named_in_the_details(read, sound, solution) -> None:
    """On a full board each given could be left out: twelve are named, the rest counted."""
    ((finding,),) = findings(read(solution(sound[0])))
    assert finding[1].startswith("81 of 81 givens could be left out, each by itself: r1c1 ")
    assert finding[1].endswith(" r2c3 and 69 more")
    assert len(finding[2]["unnecessary"]) == 81


def test_the_same_puzzle_twice_is_a_duplicate_of_the_first(read, sound, solution) -> None:
    """A third one names the first too; stated solutions, titles and signs make no difference."""
    letters = sound[0].translate(str.maketrans("123456789", "ABCDEFGHI"))
    records = read(f"{sound[0]}\n{sound[1]}\n{sound[0]} a title\n") + read(f"{letters}\n")
    records += read(f"puzzle,solution\n{sound[0]},{solution(sound[0])}\n")
    again = [("duplicate", "the same as puzzle 0", {"first": 0})]
    assert findings(records) == [[], [], again, again, again]


def test_another_guise_is_isomorphic(read, sound, scrambled) -> None:
    """A puzzle whose rows, columns and values are exchanged, or which is turned, is distinguished from others."""
    random = Random(1)  # noqa: S311
    guise = scrambled(sound[0], random)
    records = read("\n".join([sound[0], *sound[1:], guise, scrambled(sound[3], random), guise]))
    expected = [[("isomorphic", "puzzle 0 in another guise", {"first": 0})]]
    expected += [[("isomorphic", "puzzle 3 in another guise", {"first": 3})]]
    expected += [[("duplicate", "the same as puzzle 10", {"first": 10})]]
    assert findings(records) == [[]] * 10 + expected


@pytest.mark.parametrize("engine", ["auto", "fast:lanes", "sat"])
def test_stated_solutions_are_judged(read, sound, solution, engine: str) -> None:
    """A right one is no finding; for a wrong one, the finding names what it breaks or misses, and where it is wrong."""
    right = solution(sound[0])
    swapped = right[1] + right[0] + right[2:]
    broken = right[0] + right[2] + right[2:]
    other = solution(sound[1])
    rows = [f"{sound[0]},{one}" for one in (right, swapped, broken, other)]
    options = {"backend": engine, "checks": set(KINDS) - {"duplicate"}}
    found = findings(read("\n".join(["puzzle,solution", *rows])), **options)
    assert [[kind for kind, _, _ in one] for one in found] == [[], *[["wrong-solution"]] * 3]
    assert found[1][0][1] == "the stated solution has 1 in r1c1, where 4 is given; it is wrong in r1c1 r1c2"
    assert found[2][0][1] == "the stated solution breaks row 1 (houses); it is wrong in r1c2"
    assert found[2][0][2] == {"part": ["row 1 (houses)"], "wrong": ["r1c2"]}
    assert " more" in found[3][0][1]


def test_a_stated_solution_of_several_is_told_beside_them(read, sound, solution) -> None:
    """If a puzzle has several solutions, a right one is mentioned with them; a wrong one is a finding of its own."""
    right = solution(sound[0])
    ((first,), second) = findings(
        read(f"puzzle,solution\n{blanked(sound[0], 0)},{right}\n{blanked(sound[0], 0)},{right[::-1]}\n")
    )
    assert first[:2] == ("not-unique", "100 solutions or more, the stated one among them")
    assert [kind for kind, _, _ in second] == ["not-unique", "wrong-solution", "duplicate"]


# --- other rules ------------------------------------------------------------------------------------------------


def killers() -> list[Puzzle]:
    """Return a killer of 4x4, the same with its rules in another order, mirrored, one that clashes, and one with fewer clues."""
    grid = Grid.square(4)
    cages = [KillerCage((0, 1), 3), KillerCage((2, 6), 4), KillerCage((4, 8), 5), KillerCage((9, 10), 5), KillerCage((5,), 4)]
    mirrored = [KillerCage(tuple(sorted(cell // 4 * 4 + 3 - cell % 4 for cell in cage.cells)), cage.total) for cage in cages]
    one = Puzzle(grid, (Houses(), *cages), {15: 1})
    return [
        one,
        Puzzle(grid, (*reversed(cages), Houses()), {15: 1}),
        Puzzle(grid, (Houses(), *mirrored), {12: 1}),
        Puzzle(grid, (Houses(), *cages), {15: 1, 11: 1}),
        Puzzle(grid, (Houses(), *cages[:2])),
    ]


def test_killers_are_judged_like_all_others() -> None:
    """Rules in another order are the same puzzle, mirrored ones the same in another guise, clashes and solutions are found."""
    records = [Record(puzzle, None, 1) for puzzle in killers()]
    found = told(records, checks=set(KINDS) - {"not-minimal"})
    assert found == [[], ["duplicate"], ["isomorphic"], ["contradictory"], ["not-unique"]]


# --- ways to audit ----------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def mixed(read, sound, solution, scrambled):
    """Gives records with sound and faulty puzzles in turn, plain ones of two sizes and a killer."""
    random = Random(7)  # noqa: S311
    rows = [*sound[:3], "44" + sound[0][2:], blanked(sound[4], 4), filled(sound[2], solution(sound[2]), 1), sound[1]]
    rows += [scrambled(sound[2], random), sound[0][:-2], sound[5], sound[0][:27] + "3" + sound[0][28:]]
    tables = read("puzzle,solution\n" + "\n".join(f"{line},{solution(sound[0])}" for line in (sound[6], sound[0], sound[7])))
    tables += read("puzzle,level\n" + "\n".join(f"{line},easy" for line in (sound[8], "." * 81, EASY, HARD)))
    return read("\n".join(rows)) + read("\n".join(SMALL)) + [Record(killers()[0], None, 1)] + tables + read("\n".join(sound))


def test_a_shared_solution_is_found_whatever_the_rules(read, sound, solution) -> None:
    """Puzzles with the solution grid of an earlier one name the first; those that only resemble it do not."""
    full = Puzzle.parse(solution(sound[0])).givens
    others = [Puzzle(givens={cell: full[cell] for cell in full if cell % 7 != part}) for part in (0, 1)]
    cage = KillerCage((0, 1), full[0] + full[1])
    killer = replace(others[0], rules=(*others[0].rules, cage))
    records = [*read(sound[0]), *read(sound[1]), *(Record(one, None, 1) for one in (*others, killer))]
    same = [[one for one in found if one[0] == "same-solution"] for found in findings(records)]
    assert same == [[], [], *[[("same-solution", "the solution of puzzle 0", {"first": 0})]] * 3]


@pytest.mark.parametrize("minimal", [True, False])
@pytest.mark.parametrize("engine", ["fast:lanes", "native"])
def test_puzzles_that_contain_each_other_are_found(read, sound, solution, engine: str, *, minimal: bool) -> None:
    """Each puzzle names the first that it has all givens of, and the first of which it has only some; not its equals."""
    full, line = solution(sound[0]), sound[0]
    one, two = filled(line, full, 1), filled(line, full, 2)
    rows = [one, two, line, filled(one, full, 2), filled(sound[1], solution(sound[1]), 5), one]
    checks = ["contains", "duplicate", *["not-minimal"] * minimal]
    audited = findings(read("\n".join(rows)), checks=checks, backend=engine)
    found = [[(text, details) for kind, text, details in about if kind == "contains"] for about in audited]
    fewer = [("some of the givens of puzzle 0", {"first": 0, "givens": "fewer"})]
    more = [("all givens of puzzle 0 and more", {"first": 0, "givens": "more"})]
    assert found == [[], [], fewer, more, [], []]


@settings(max_examples=20, deadline=None)
@given(st.lists(st.sets(st.integers(0, 80), min_size=30), min_size=2, max_size=40), st.data())
def test_contained_givens_are_those_of_a_plain_comparison(rows: list[set[int]], data) -> None:
    """Bits in arrays that grow find the first set that is a part, and the first that is a whole, as sets do."""
    group = GivensGroup(81)
    for number, cells in enumerate(rows):
        subset = data.draw(st.sampled_from(rows[: number + 1])) if data.draw(st.booleans()) else cells
        bits = sum(1 << cell for cell in subset)
        assert group.contained(bits) == next((index for index, other in enumerate(rows[:number]) if other <= subset), None)
        assert group.containing(bits) == next((index for index, other in enumerate(rows[:number]) if other >= subset), None)
        group.add(number, sum(1 << cell for cell in cells), is_minimal=False)


def test_different_solutions_are_never_compared(read, sound, monkeypatch) -> None:
    """Puzzles are only compared with those that share their solution, so that millions take no longer each than thousands."""
    monkeypatch.setattr(auditor, "GivensGroup", None)
    assert told(read("\n".join(sound))) == [[]] * len(sound)


@pytest.fixture(scope="module")
def expected(mixed):
    """Gives the findings in `mixed`."""
    found = findings(mixed)
    assert sum(map(bool, found)) >= 10
    return found


@pytest.mark.parametrize("block", [1, 3, 4, 1000])
def test_blocks_make_no_difference(mixed, expected, block: int) -> None:
    """The findings do not depend on the block size, even for defects at the ends of blocks."""
    assert findings(mixed, block=block) == expected


@pytest.mark.parametrize("engine", ["sat", pytest.param("native", marks=pytest.mark.slow)])
def test_engines_make_no_difference(mixed, expected, engine: str) -> None:
    """The batch kernel, which solves all puzzles at once, agrees with engines that solve them one by one."""
    assert findings(mixed, backend=engine) == expected


def test_what_the_kernel_gives_up_is_asked_one_by_one(mixed, monkeypatch) -> None:
    """With tiny budgets in the kernel, the findings are the same."""
    plain = [record for record in mixed if record.puzzle is None or record.puzzle.is_plain]
    expected = findings(plain, backend="fast:lanes")
    asked = []
    monkeypatch.setattr("sudoku_cp.queries.array_solver.GIVEN_BUDGET", 0)
    monkeypatch.setattr("sudoku_cp.audit.auditor.verdict", lambda *args: asked.append(args) or puzzle_status.verdict(*args))
    assert findings(plain, backend="auto", block=1000) == expected
    assert asked
    monkeypatch.setattr("sudoku_cp.queries.solution_search.NODE_BUDGET", -1000)
    assert findings(plain, backend="auto", block=1000) == expected


def test_parts_of_a_block_make_no_difference(mixed, expected, monkeypatch) -> None:
    """Givens are checked in chunks; the chunk size does not change the findings."""
    monkeypatch.setattr(array_verdicts, "AT_ONCE", 20)
    assert findings(mixed, backend="auto", block=1000) == expected


@pytest.mark.parametrize("limits", [Limits(seconds=0), Limits(nodes=0)])
@pytest.mark.parametrize("engine", ["auto", "fast:lanes", "sat", "native"])
def test_a_limit_is_no_finding(read, engine: str, limits: Limits) -> None:
    """What a limit leaves open is reported with that limit, and is neither fine nor a finding."""
    hard = "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4.."
    (one,) = audit(read(hard), backend=engine, limits=limits, checks=["contradictory", "not-unique", "not-minimal"])
    assert not one.findings
    assert not one.fine
    assert one.undecided[-1] == "not-minimal"
    assert one.reason == ("deadline" if limits.nodes is None else "nodes")


def test_a_cancelled_audit_decides_nothing(read, sound) -> None:
    """After a cancellation every record is still reported, undecided for that reason."""
    cancel = Cancellation()
    cancel.cancel()
    for engine in ("fast:lanes", "sat"):
        found = list(audit(read("\n".join(sound)), backend=engine, limits=Limits(cancel=cancel)))
        assert [one.reason for one in found] == ["cancelled"] * len(sound)


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind not in {"unreadable", "warning"}])
def test_each_check_can_be_asked_for_alone(mixed, expected, kind: str) -> None:
    """With one check requested, all findings of that kind are reported, and no others."""
    everything = [[one for one, _, _ in found if one == kind] for found in expected]
    assert any(everything)
    assert told(mixed, checks=[kind]) == everything


def test_nobody_solves_what_is_not_asked(mixed, monkeypatch) -> None:
    """Where only reading, repetitions and stated solutions matter, no engine is called."""
    monkeypatch.setattr("sudoku_cp.audit.auditor.verdict", None)
    monkeypatch.setattr(array_verdicts, "verdicts", None)
    found = list(audit(mixed, checks=["malformed", "duplicate", "wrong-solution"], backend="auto", block=1000))
    assert {one.status for one in found} == {"unasked", "error"}


def test_records_are_taken_as_they_are_needed(read, sound) -> None:
    """An endless stream is audited as it comes."""

    def endless():
        while True:
            yield from read(sound[0])

    assert [len(one.findings) for one in islice(audit(endless()), 40)] == [0] + [1] * 39


def test_wrong_wishes_are_refused_at_once() -> None:
    """All problems with the arguments are reported together, before any record is read."""
    with pytest.raises(InvalidInput, match=r"kind of finding.*got 'ugly'") as caught:
        audit([], checks=["ugly", "duplicate"], most=1, block=0)
    assert len(caught.value.problems) == 3


def test_a_summary_counts_puzzles_by_what_they_have(mixed) -> None:
    """Every puzzle is fine, faulty or undecided; a kind is counted once per puzzle."""
    summary = Summary()
    found = list(audit(mixed))
    for one in found:
        summary.add(one)
    assert (summary.puzzles, summary.undecided) == (len(mixed), 0)
    assert summary.faulty == sum(bool(one.findings) for one in found)
    assert summary.fine == summary.puzzles - summary.faulty
    assert summary.to_json()["found"] == {kind: summary.kinds[kind] for kind in KINDS if summary.kinds[kind]}
    assert json.dumps(summary.to_json())


# --- defects made at random -------------------------------------------------------------------------------------


def spoil(line: str, defect: str, solution, random) -> str:
    """Return a sound puzzle with that defect in a random place."""
    cell = random.choice([cell for cell in range(81) if (line[cell] == ".") == (defect == "not-minimal")])
    row = cell - cell % 9
    spoiled = {
        "sound": lambda: line,
        "malformed": lambda: blanked(line, cell)[:-1],
        "contradictory": lambda: line[:row] + line[cell] * 9 + line[row + 9 :],
        "not-unique": lambda: blanked(line, cell),
        "not-minimal": lambda: filled(line, solution(line), cell),
    }
    return spoiled[defect]()


UNRELATED = [0, 1, 3, 4, 5, 6, 7]
"""Sound puzzles that do not become guises of each other when a given is left out, as the first and the third do."""
DEFECTS = st.lists(
    st.sampled_from(["sound", "malformed", "contradictory", "not-unique", "not-minimal"]),
    min_size=len(UNRELATED),
    max_size=len(UNRELATED),
)
TWINS = st.lists(st.tuples(st.integers(0, len(UNRELATED) - 1), st.booleans()), max_size=5)


@settings(max_examples=8)
@given(defects=DEFECTS, twins=TWINS, random=st.randoms(use_true_random=False), block=st.sampled_from([1, 4, None]))
def test_exactly_the_defects_that_were_made_are_found(read, sound, solution, scrambled, defects, twins, random, block) -> None:
    """Sound puzzles with defects mixed in, and some of them twice, have these findings and no others, where they were made."""
    lines = [spoil(sound[number], defect, solution, random) for number, defect in zip(UNRELATED, defects, strict=True)]
    expected = [[defect] * (defect != "sound") for defect in defects]
    for origin, exactly in twins:
        twin = lines[origin] if exactly or defects[origin] == "malformed" else scrambled(lines[origin], random)
        again = "duplicate" if twin in lines else "isomorphic"
        expected.append(expected[origin] + [again] * (defects[origin] != "malformed"))
        lines.append(twin)
    assert told(read("\n".join(lines)), block=block) == expected


# --- real files -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "kinds"),
    [
        ("kaggle.csv", [["not-minimal"]]),
        ("fpuzzles.json", [["not-minimal"]]),
        ("killer_ps.txt", [["not-unique"]]),
        ("pencilmark729.txt", [[], ["duplicate"]]),
    ],
)
def test_files_of_setters_are_audited(name: str, kinds: list[list[str]]) -> None:
    """Any format that can be read can be audited."""
    path = SELF_MADE / name
    if not path.exists():
        pytest.skip(f"the file {name} is not here")
    assert told(read_records(path), minimal=True) == kinds


def test_a_wrong_solution_in_a_document_is_found(sound) -> None:
    """A solution stated by a document, as f-puzzles does, is judged too."""
    puzzle = Puzzle.parse(sound[0])
    right = next(puzzle.solutions())
    documents = [to_json(Puzzle(givens=puzzle.givens, solution=one)) for one in (right, right[::-1])]
    text = "\n".join(map(json.dumps, documents))
    (first, second) = told(read_records(StringIO(text)), checks=["wrong-solution"])
    assert (first, second) == ([], ["wrong-solution"])


def test_the_hardest_of_norvig_have_a_twin(data) -> None:
    """Norvig's "top 95" have one solution each and no unnecessary given, but the 74th and the 76th are isomorphic."""
    found = told(read_records(data / "puzzles/norvig_top95.txt"))
    assert {index: kinds for index, kinds in enumerate(found) if kinds} == {75: ["isomorphic"]}
    assert len(found) == 95
