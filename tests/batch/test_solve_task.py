"""A chunk is answered alike as an array and record by record, in every kind of output."""

from __future__ import annotations

import io
import json
from dataclasses import replace

import pytest

from sudoku_cp.backends import Cancellation
from sudoku_cp.batch import solve_run
from sudoku_cp.batch.rows import array_rows
from sudoku_cp.batch.rows.reader import Input, Reader, ReadOptions
from sudoku_cp.batch.rows.row_format import BoardArray, RecordList
from sudoku_cp.batch.rows.run_output import compress
from sudoku_cp.batch.solve_request import SolveRequest

HARD = "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......"
SOLVED = "417369825632158947958724316825437169791586432346912758289643571573291684164875293"
OPEN = "." * 81
CLASH = "11" + "." * 79
TASKS = {
    "unique": SolveRequest(),
    "first": SolveRequest(solution_limit=1),
    "many": SolveRequest(solution_limit=5),
    "nodes": SolveRequest(nodes=0),
    "timeout": SolveRequest(seconds=100),
}


def boards(*lines: str, header: str = "", keep: bool = True) -> BoardArray:
    """Return the chunk of the lines, after a line that makes an array of them."""
    text = "\n".join([header, *lines] if header else lines) + "\n"
    reader = Reader([Input(io.BytesIO(text.encode()))], ReadOptions(), keep_rows=keep)
    (piece,) = [piece for piece in reader.chunks() if isinstance(piece, BoardArray)]
    return piece


@pytest.mark.parametrize("name", TASKS)
@pytest.mark.parametrize("kind", ["text", "csv", "jsonl"])
def test_arrays_and_records_are_told_alike(kind: str, name: str) -> None:
    """A board's answer has the same bytes whether it was read as part of an array or by itself."""
    piece = replace(boards(SOLVED, HARD, CLASH, OPEN, HARD), first=98)  # below its puzzle a full board is a solution
    task = replace(TASKS[name], kind=kind)
    whole, single = (
        solve_run.solve_chunk(piece, task),
        solve_run.solve_chunk(RecordList(tuple(piece.entries()), piece.first), task),
    )
    assert whole.body == single.body
    assert (whole.records, whole.counts) == (single.records, single.counts)


@pytest.mark.parametrize("kind", ["text", "csv", "jsonl"])
def test_tables_and_their_stated_solutions_are_told_alike(kind: str) -> None:
    """A table's columns and the check of its stated solutions do not depend on how it was read."""
    wrong = SOLVED[:-2] + SOLVED[-1] + SOLVED[-2]
    rows = (f"{line},{stated},a note" for line, stated in [(HARD, SOLVED), (HARD, wrong), (OPEN, SOLVED), (CLASH, SOLVED)])
    piece = boards(*rows, header="quizzes,solutions,notes")
    task = SolveRequest(kind=kind, header="quizzes,solutions,notes" if kind == "csv" else "")
    whole = solve_run.solve_chunk(piece, task)
    assert whole.body == solve_run.solve_chunk(RecordList(tuple(piece.entries()), piece.first), task).body
    if kind == "jsonl":
        told = [json.loads(line)["stated_solution"] for line in whole.body.splitlines()]
        assert told == ["right", "wrong", "right", "wrong"]


def test_parquet_is_told_alike() -> None:
    """Arrow columns made from arrays equal those made from records."""
    arrow = pytest.importorskip("pyarrow")
    piece, task = boards(HARD, CLASH, OPEN), SolveRequest(kind="parquet")
    one, other = (
        arrow.ipc.open_stream(solve_run.solve_chunk(part, task).body).read_all().to_pylist()
        for part in (piece, RecordList(tuple(piece.entries())))
    )
    assert one == other
    assert [row["answer"] is None for row in one] == [False, True, False]


def test_the_status_says_what_was_asked() -> None:
    """A limit of 2 solutions distinguishes unique from multiple; a limit of 1 gives solved."""
    piece = boards(HARD, CLASH, OPEN)
    assert [line.split(b"\t")[1] for line in solve_run.solve_chunk(piece, SolveRequest()).body.splitlines()] == [
        b"unique",
        b"none",
        b"multiple",
    ]
    assert [line.split(b"\t")[1] for line in solve_run.solve_chunk(piece, SolveRequest(solution_limit=1)).body.splitlines()] == [
        b"solved",
        b"none",
        b"solved",
    ]


def test_several_solutions_are_all_told() -> None:
    """If several solutions are requested, JSON lines hold all that were found, each once."""
    piece = boards("1...............", "12..34..21..43..")
    task = SolveRequest(kind="jsonl", solution_limit=None, all_solutions=True)
    told = [json.loads(line) for line in solve_run.solve_chunk(piece, task).body.splitlines()]
    assert [one["count"] for one in told] == [len(set(one["solutions"])) for one in told] == [72, 4]


def test_what_the_kernel_gives_up_goes_to_another_engine(monkeypatch) -> None:
    """A board beyond the node budget is answered by an engine that learns, and the answer names it."""
    real = array_rows.queries.solve_many

    def giving_up(puzzles, solution_limit=2, **options):
        found = real(puzzles, solution_limit, **options)
        found.counts[1], found.exact[1] = 0, False
        return found

    monkeypatch.setattr(array_rows.queries, "solve_many", giving_up)
    told = [
        json.loads(line) for line in solve_run.solve_chunk(boards(HARD, HARD, HARD), SolveRequest(kind="jsonl")).body.splitlines()
    ]
    assert [one["backend"] for one in told] == ["fast:lanes", "sat", "fast:lanes"]
    assert {one["status"] for one in told} == {"unique"}
    own = [
        json.loads(line)
        for line in solve_run.solve_chunk(boards(HARD, HARD, HARD), SolveRequest(kind="jsonl", nodes=9)).body.splitlines()
    ]
    assert (own[1]["status"], own[1]["reason"], own[1]["backend"]) == ("unknown", "nodes", "fast:lanes")


@pytest.mark.parametrize("backend", ["native", "sat", "cpsat"])
def test_an_engine_asked_for_answers_all(backend: str) -> None:
    """A named engine answers every board."""
    told = [
        json.loads(line)
        for line in solve_run.solve_chunk(boards(HARD, OPEN), SolveRequest(backend=backend, kind="jsonl")).body.splitlines()
    ]
    assert [(one["backend"], one["status"]) for one in told] == [(backend, "unique"), (backend, "multiple")]


def test_a_cancelled_piece_ends() -> None:
    """A cancellation reaches the running engines."""
    cancel = Cancellation()
    cancel.cancel()
    done = solve_run.solve_chunk(boards(HARD, OPEN), SolveRequest(backend="sat"), cancel)
    assert done.counts == {"unknown": 2}


@pytest.mark.parametrize(("packing", "ending"), [("gzip", ".gz"), ("bz2", ".bz2"), ("lzma", ".xz"), ("zstandard", ".zst")])
def test_packed_pieces_follow_each_other(packing: str, ending: str, tmp_path) -> None:
    """Chunks are compressed whole, so that a file of them is an ordinary compressed file."""
    pytest.importorskip(packing)
    from sudoku_cp.formats.text_files import open_bytes  # noqa: PLC0415

    path = tmp_path / f"two{ending}"
    path.write_bytes(compress(b"one\n", packing) + compress(b"", packing) + compress(b"two\n", packing))
    with open_bytes(path) as stream:
        assert stream.read() == b"one\ntwo\n"
