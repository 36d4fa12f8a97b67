"""Every option that writes a file: never over an input, and never half a file, however the verb ends.

The first test finds new options that write; they are tested once they are in `WRITES`.
"""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
import sys
import time
from dataclasses import dataclass
from errno import ENOSPC
from pathlib import Path

import pytest

import sudoku_cp
from sudoku_cp.cli.parser import flatten_options
from sudoku_cp.cli.verbs import VERBS, listings, verb_function
from sudoku_cp.output_files import OutputFile, not_writable_error

EASY = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
HARD = "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......"
PATTERN = "#.#." * 4
QUICK = ("--engines", "fast:bigint", "--peers", "none", "--no-processes", "--rounds", "1", "--seconds", "0.01")
MADE = ("generate", "--size", "4", "--seed", "1")


@dataclass(frozen=True)
class Write:
    """An option that writes: a call that reads IN and writes OUT, and the kinds of both.

    ``file`` is the file written if OUT is a folder. Without ``reads`` there is no input that could be overwritten.
    """

    call: tuple[str, ...]
    ending: str = ""
    file: str = ""
    text: str = f"{HARD}\n"
    reads: bool = True

    def words(self, source: Path, out: Path) -> list[str]:
        """Return the call with its files."""
        return [{"IN": str(source), "OUT": str(out)}.get(word, word) for word in self.call]


WRITES = {
    ("solve", "out"): Write(("solve", "IN", "--out", "OUT", "--force"), ".txt"),
    ("solve", "trace"): Write(("solve", "IN", "--trace", "OUT"), ".json"),
    ("convert", "out"): Write(("convert", "IN", "--to", "sdm", "--out", "OUT")),
    ("show", "svg"): Write(("show", "IN", "--svg", "OUT"), ".svg"),
    ("show", "png"): Write(("show", "IN", "--png", "OUT"), ".png"),
    ("check", "svg"): Write(("check", "IN", "--svg", "OUT"), ".svg"),
    ("generate", "out"): Write((*MADE, "--pattern", "IN", "--out", "OUT", "--force"), ".txt", text=PATTERN),
    ("generate", "svg"): Write((*MADE, "--pattern", "IN", "--svg", "OUT"), ".svg", text=PATTERN),
    ("generate", "certificates_to"): Write((*MADE, "--certificates-to", "OUT"), file="0/manifest.json", reads=False),
    ("hint", "svg"): Write(("hint", "IN", "--svg", "OUT"), ".svg", text=f"{EASY}\n"),
    ("steps", "html"): Write(("steps", "IN", "--html", "OUT"), ".html", text=f"{EASY}\n"),
    ("steps", "svg"): Write(("steps", "IN", "--svg", "OUT"), ".svg", text=f"{EASY}\n"),
    ("rate", "out"): Write(("rate", "IN", "--scale", "words", "--out", "OUT", "--force"), ".jsonl"),
    ("prove", "out"): Write(("prove", "IN", "--out", "OUT", "--force", "--no-verify"), file="puzzle.json"),
    ("print", "out"): Write(("print", "IN", "--out", "OUT"), ".pdf", text=f"{EASY}\n"),
    ("bench", "out"): Write(("bench", "IN", *QUICK, "--out", "OUT"), file="benchmarks.json"),
    ("compare", "out"): Write(("compare", "--fuzz", "1", "--out", "OUT"), reads=False),
    ("rules", "gallery"): Write(("rules", "--gallery", "OUT"), file="rules.md", reads=False),
}
READS = {("generate", "pattern"), ("fewest", "pattern"), ("bench", "data"), ("serve", "key_file")}
READS |= {(verb, "levels") for verb in ("audit", "generate", "rate")}
"""Options that name a file to read."""
KEEPS = {("serve", "data")}
"""Options that name a folder which a program keeps for itself, and locks."""
READERS = sorted(which for which, one in WRITES.items() if one.reads)
WRITERS = sorted(WRITES.keys() - {("compare", "out")})  # that one writes only findings, of which there should be none
CERTIFIED = "prove", "out"


def test_every_option_that_names_a_file_is_known() -> None:
    """Every option with a FILE, FOLDER or DIR reads or writes it, and those that write are tested below."""
    found = set()
    for verb in VERBS:
        for name, hint in flatten_options(verb_function(verb)).__annotations__.items():
            places = [getattr(one, "metavar", None) for one in getattr(hint, "__metadata__", ())]
            if not {"FILE", "FOLDER", "DIR"}.isdisjoint(places):
                found.add((verb, name))
    assert found == WRITES.keys() | READS | KEEPS


def contents(folder: Path) -> dict[str, bytes]:
    """Return all files below a folder."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


@pytest.mark.parametrize("how", ["itself", "symbolic", "hard"])
@pytest.mark.parametrize("which", READERS, ids=" --".join)
def test_an_output_that_is_an_input_is_refused(call, tmp_path, which, how: str) -> None:
    """The exit code is 2 before anything is touched, whether the input has the output's name or is a link to it."""
    one = WRITES[which]
    out = tmp_path / f"z{one.ending}"
    if which == CERTIFIED:
        assert call("prove", HARD, "--out", out, "--no-verify").code == 0
    target = out / one.file if one.file else out
    target.parent.mkdir(exist_ok=True)
    if which != CERTIFIED:
        target.write_text(one.text)
    source = target if how == "itself" else tmp_path / f"link{target.suffix}"
    if how != "itself":
        source.symlink_to(target) if how == "symbolic" else source.hardlink_to(target)
    before = contents(tmp_path)
    ended = call(*one.words(source, out))
    assert ended.code == 2, ended
    assert "expected an output that is not the input" in ended.err + ended.out
    assert contents(tmp_path) == before


@pytest.fixture(params=["full", "interrupt"])
def due(request, monkeypatch) -> int:
    """Make every output break off after some bytes, and return the exit code that is due."""
    write = OutputFile.write
    room = [10]

    def stop() -> None:
        if request.param == "interrupt":
            raise KeyboardInterrupt
        raise OSError(ENOSPC, "No space left on device")

    def broken(self: OutputFile, data: bytes) -> int:
        taken = bytes(data)[: room[0]]
        room[0] -= len(taken)
        if taken:
            return write(self, taken)
        try:
            return stop() or 0
        except OSError as error:
            raise not_writable_error(self._path, error) from error

    def broken_in_folder(path: Path, data: bytes) -> None:
        with path.open("wb") as file:
            file.write(data[:10])
        stop()

    monkeypatch.setattr(OutputFile, "write", broken)
    monkeypatch.setattr(Path, "write_bytes", broken_in_folder)
    monkeypatch.setattr(listings, "gallery_files", lambda: {Path("rules.md"): "new" * 100})  # the real one takes a while
    return {"full": 2, "interrupt": 130}[request.param]


@pytest.mark.parametrize("which", WRITERS, ids=" --".join)
def test_what_breaks_off_leaves_the_older_file(call, tmp_path, due: int, which) -> None:
    """Ctrl-C and a full disk leave the older file unchanged, and at most a partial file, which the message names."""
    one = WRITES[which]
    out, source = tmp_path / f"z{one.ending}", tmp_path / f"in{one.ending}"
    source.write_text(one.text)
    if which == CERTIFIED:  # only an older certificate may be replaced
        call("prove", HARD, "--out", out, "--no-verify")
    elif which != ("generate", "certificates_to"):
        older = out / one.file if one.file else out
        older.parent.mkdir(exist_ok=True)
        older.write_text("older")
    before = contents(tmp_path)
    ended = call(*one.words(source, out))
    assert ended.code == due, ended
    after = contents(tmp_path)
    assert {name: after.get(name) for name in before} == before
    left = {name for name in after.keys() - before.keys() if not name.endswith((".resume", ".seen"))}
    assert all(name.endswith(".part") and name in ended.err for name in left), (left, ended.err)
    if due == 2:
        assert "No space left on device" in ended.err + ended.out


@pytest.mark.parametrize("end", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_a_program_that_is_ended_leaves_the_older_file(start, run, tmp_path, end: signal.Signals) -> None:
    """However the program ends, the older file and a partial one remain; Ctrl-C and SIGTERM name it; the call works again."""
    (tmp_path / "in.txt").write_text(f"{HARD}\n" * 8_000)
    out, part = tmp_path / "z", tmp_path / "z.part"
    out.write_text("older")
    call = ("convert", "in.txt", "--to", "line", "--out", "z")
    process = start(*call)
    while not (part.exists() and part.stat().st_size):
        assert process.poll() is None
        time.sleep(0.01)
    process.send_signal(end)
    _, err = process.communicate(timeout=300)
    assert out.read_text() == "older"
    assert 0 < part.stat().st_size < 8_000 * 82
    if end == signal.SIGKILL:
        assert process.returncode == -end
    else:
        assert process.returncode == 130
        assert err.endswith("sudoku-cp: interrupted\nsudoku-cp: what was written so far is in z.part\n")
    ended = run(*call)
    assert ended.code == 0
    assert "z.part exists, perhaps from a run that was killed: it is left alone" in ended.err
    assert out.read_text() == f"{HARD}\n" * 8_000


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("out.txt", ["convert", "--to", "line", "many.txt", "--out"]),
        ("out.svg", ["show", "many.txt", "--svg"]),
        ("out.jsonl", ["solve", "many.txt", "--force", "--out"]),
    ],
    ids=lambda one: one if isinstance(one, str) else one[0],
)
def test_a_disk_that_fills_leaves_the_older_file(tmp_path, name: str, arguments: list[str]) -> None:
    """A full disk is reported with exit code 2, and the older file is unchanged."""
    (tmp_path / "many.txt").write_text("1" + "." * 15 + "\n" + ("." * 15 + "2\n") * 200)
    (tmp_path / name).write_text("old\n")
    call = [sys.executable, "-m", "sudoku_cp", *arguments, name]
    done = subprocess.run(
        ["sh", "-c", f"ulimit -f 1; exec {shlex.join(call)}"],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        timeout=60,
        check=False,
        stdin=subprocess.DEVNULL,
        env={**os.environ, "PYTHONPATH": str(Path(sudoku_cp.__file__).parents[1])},
    )
    assert done.returncode == 2, done.stderr
    assert "expected a file that can be written, got File too large" in done.stderr
    assert "Traceback" not in done.stderr
    assert (tmp_path / name).read_text() == "old\n"
