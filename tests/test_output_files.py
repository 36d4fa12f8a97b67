"""Files to write: never over an input, never half a file under its own name, whatever ends the program."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from sudoku_cp.errors import InvalidInput
from sudoku_cp.output_files import existing_numbered_paths, is_stream, numbered_path, open_output, refuse_inputs, write_text

OLD, NEW = b"old\n", b"new\n" * 1000


@pytest.fixture
def old(tmp_path) -> Path:
    """An existing file."""
    path = tmp_path / "z"
    path.write_bytes(OLD)
    path.chmod(0o640)
    return path


def names(folder: Path) -> list[str]:
    """Return what is in a folder."""
    return sorted(path.name for path in folder.iterdir())


def test_a_file_takes_its_name_when_it_is_whole(old) -> None:
    """Until the end of the block the older file is there; then the new one is, with the same permissions."""
    with open_output(old) as file:
        file.write(NEW)
        file.flush()
        assert old.read_bytes() == OLD
        assert names(old.parent) == ["z", "z.part"]
    assert old.read_bytes() == NEW
    assert old.stat().st_mode & 0o777 == 0o640
    assert names(old.parent) == ["z"]


def _broken_off(path: Path, error: type[BaseException], *, keep: bool) -> None:
    with open_output(path, keep=keep) as file:
        file.write(NEW)
        raise error("enough")


@pytest.mark.parametrize("error", [KeyboardInterrupt, InvalidInput, ZeroDivisionError])
@pytest.mark.parametrize("keep", [True, False])
def test_what_breaks_off_leaves_the_older_file(old, error, keep: bool) -> None:
    """The older file stays; what was written is in a part that a note of the error names, or is deleted if it is of no use."""
    with pytest.raises(error) as raised:
        _broken_off(old, error, keep=keep)
    assert old.read_bytes() == OLD
    assert getattr(raised.value, "__notes__", []) == [f"what was written so far is in {old}.part"] * keep
    assert names(old.parent) == ["z", "z.part"][: 1 + keep]


def test_nothing_written_leaves_nothing(tmp_path) -> None:
    """An error before the first byte leaves no file at all, and no note of one."""
    with pytest.raises(KeyboardInterrupt) as raised, open_output(tmp_path / "z"):
        raise KeyboardInterrupt
    assert not hasattr(raised.value, "__notes__")
    assert names(tmp_path) == []


def test_a_full_disk_leaves_the_older_file(old) -> None:
    """When the system accepts no more data, the error names the file, the system's reason and the part."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (2000, hard))
    try:
        with pytest.raises(InvalidInput, match="z: expected a file that can be written, got File too large") as raised:
            _broken_off(old, KeyboardInterrupt, keep=True)
        with pytest.raises(InvalidInput, match="got File too large"):
            write_text(old.with_name("y"), NEW.decode())
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert raised.value.__notes__ == [f"what was written so far is in {old}.part"]
    assert old.read_bytes() == OLD
    assert names(old.parent) == ["z", "z.part"]


KILLED = """
import os, signal, sys
from sudoku_cp.output_files import open_output
with open_output(sys.argv[1]) as file:
    file.write(b"n" * 100_000)
    os.kill(os.getpid(), signal.SIGKILL)
"""


def test_kill_9_leaves_the_older_file_and_a_part_that_is_left_alone(old, caplog) -> None:
    """A killed program leaves a part; the next one says that it is there, does not touch it, and does its work."""
    done = subprocess.run([sys.executable, "-c", KILLED, old], check=False)
    assert done.returncode == -signal.SIGKILL
    assert old.read_bytes() == OLD
    before = old.with_name("z.part").read_bytes()
    write_text(old, "new")
    assert "z.part exists, perhaps from a run that was killed" in caplog.text
    assert (old.read_text(), old.with_name("z.part").read_bytes()) == ("new", before)
    assert names(old.parent) == ["z", "z.part"]


def test_two_at_a_time_do_not_mix(old) -> None:
    """Two that write the same file each write a part of their own; the last to end wins, whole."""
    with open_output(old) as first, open_output(old) as second:
        for letter in (b"1", b"2"):
            first.write(b"a" + letter)
            second.write(b"b" + letter)
    assert old.read_bytes() == b"a1a2"
    assert names(old.parent) == ["z"]


def test_links_stay_links(old) -> None:
    """The target of a symbolic link is replaced in place; a dangling link has its target created."""
    (old.parent / "far").mkdir()
    link, loose = old.parent / "far" / "link", old.parent / "far" / "loose"
    link.symlink_to(old)
    loose.symlink_to(old.parent / "fresh")
    for path in (link, loose):
        write_text(path, "new")
        assert path.is_symlink()
    assert (old.read_text(), (old.parent / "fresh").read_text()) == ("new", "new")


def test_devices_and_pipes_are_written_to_as_they_are(tmp_path) -> None:
    """A pipe gets the bytes, a full device is reported, and neither is replaced by a file."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = subprocess.Popen(["cat", pipe], stdout=subprocess.PIPE)
    write_text(pipe, "through")
    assert reader.communicate(timeout=10)[0] == b"through"
    assert pipe.is_fifo()
    for path, stream in ((Path("/dev/null"), True), (tmp_path, True), (tmp_path / "none", False)):
        assert is_stream(path) is stream
    if Path("/dev/full").exists():
        with pytest.raises(InvalidInput, match="/dev/full: expected a file that can be written, got No space left"):
            write_text("/dev/full", "x")
    assert names(tmp_path) == ["pipe"]


def test_our_own_output_is_not_replaced(tmp_path) -> None:
    """/dev/stdout that goes to a file is appended to, though a file could be replaced."""
    code = "from sudoku_cp.output_files import write_text as w; print('one', flush=True); w('/dev/stdout', 'two'); print('three')"
    with (tmp_path / "z").open("wb") as file:
        subprocess.run([sys.executable, "-c", code], stdout=file, check=True)
    assert (tmp_path / "z").read_text() == "one\ntwothree\n"


def test_an_output_that_is_an_input_is_refused_by_whatever_name(old) -> None:
    """Other paths to the same file, links of both kinds and open streams are recognised; everything wrong is reported at once."""
    folder = old.parent
    (folder / "soft").symlink_to(old)
    (folder / "hard").hardlink_to(old)
    same = [old, f"{folder}/./z", folder / "soft", folder / "hard"]
    for output in same:
        with pytest.raises(InvalidInput, match="expected an output that is not the input"):
            refuse_inputs([output], [folder / "none", folder / "soft"])
    with old.open("rb") as stream, pytest.raises(InvalidInput) as raised:
        refuse_inputs(same, [stream])
    assert len(raised.value.problems) == len(same)
    refuse_inputs([folder / "none", "/dev/null"], [old, "/dev/null", folder / "other", sys.stdin])


def test_a_folder_and_what_must_not_be_written_are_refused(tmp_path) -> None:
    """The error comes before anything is written."""
    with pytest.raises(InvalidInput, match="got a directory"), open_output(tmp_path):
        pytest.fail("it was opened")
    with pytest.raises(InvalidInput, match="nowhere/z: expected a file that can be written, got No such file"):
        write_text(tmp_path / "nowhere" / "z", "x")


def test_the_second_output_has_its_number(tmp_path) -> None:
    """Names are numbered from the second on, and all that may be overwritten are found."""
    path = tmp_path / "p+.svg"
    paths = [numbered_path(path, index) for index in range(3)]
    assert [one.name for one in paths] == ["p+.svg", "p+-2.svg", "p+-3.svg"]
    for one in (*paths, tmp_path / "p+-x.svg", tmp_path / "p+-2.png"):
        one.touch()
    assert sorted(existing_numbered_paths(path)) == sorted(paths)
