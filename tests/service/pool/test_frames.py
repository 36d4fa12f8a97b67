"""Messages come through whole, in whatever pieces they arrive."""

from __future__ import annotations

import pickle
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sudoku_cp.service.pool import frames

THINGS = [None, "a text", b"x" * 1000, list(range(100)), {"key": ["value"] * 50}]


@given(st.lists(st.sampled_from(THINGS)), st.lists(st.integers(0, 3000)))
def test_pieces_of_any_size_make_the_same_frames(things, cuts):
    """Where the pieces end does not matter, not even within a header."""
    data = b"".join(piece for thing in things for piece in frames.pickle_small(frames.ITEM, thing))
    ends = sorted({0, len(data), *(cut for cut in cuts if cut < len(data))})
    reader = frames.FrameReader()
    found = [frame for start, end in pairwise(ends) for frame in reader.feed(data[start:end])]
    assert [frames.unpickle(frame) for frame in found] == things
    assert {frame.kind for frame in found} <= {frames.ITEM}


@pytest.mark.parametrize(
    "thing",
    [b"x" * (1 << 20), "ä" * (1 << 20), list(range(1 << 18)), [str(number) for number in range(1 << 16)], bytearray(1 << 20)],
    ids=["bytes", "text", "numbers", "texts", "bytearray"],
)
def test_large_things_are_read_from_their_pieces(thing):
    """What took several pieces is the same again, and was too large to be pickled at once."""
    with pytest.raises(frames.TooLarge):
        frames.pickle_small(frames.ITEM, thing)
    data = b"".join(frames.pickle_large(frames.ITEM, thing))
    (frame,) = _frames(data)
    assert not frame.is_small
    assert len(frame.pieces) > 1
    assert frames.unpickle(frame) == thing


def _frames(data):
    """Return the frames of data that comes in pieces of 10,000 bytes."""
    reader = frames.FrameReader()
    return [frame for start in range(0, len(data), 10_000) for frame in reader.feed(data[start : start + 10_000])]


@pytest.mark.parametrize(
    "header", [b"?\x01\x00\x00\x00", frames.HEADER.pack(frames.ANSWER, frames.LARGEST + 1)], ids=["unknown kind", "too long"]
)
def test_what_is_no_frame_is_told_at_its_header(header):
    """Nothing is collected for a message that cannot be one."""
    with pytest.raises(frames.BadFrame, match="expected the header of a frame"):
        list(frames.FrameReader().feed(header))


def test_a_frame_that_holds_no_object_is_not_read():
    """Unpickling says so."""
    (frame,) = frames.FrameReader().feed(b"".join(frames.frame_of(frames.ITEM, [b"no pickle"])))
    with pytest.raises(pickle.UnpicklingError):
        frames.unpickle(frame)
