"""LZ-string: packed texts."""

from __future__ import annotations

import contextlib
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sudoku_cp.errors import ParseError
from sudoku_cp.formats.lzstring import compress, decompress, decompress_beginning


@given(text=st.text(max_size=300) | st.text(st.sampled_from('{}[]":,value'), max_size=2000))
@settings(max_examples=80)
def test_what_is_packed_is_unpacked(text):
    """Any text comes back, including rare signs, also from the alphabet for addresses."""
    packed = compress(text)
    assert decompress(packed) == text
    assert decompress(packed.replace("/", "-").replace("=", "$")) == text
    assert len(packed) % 4 == 0


@pytest.mark.parametrize(
    ("text", "packed"),
    [
        ("", "Q==="),
        ("a", "IZA="),
        ("hello, i am a 猫", "BYUwNmD2A0AECWsCGBbZtDUzkA=="),
    ],
)
def test_known_packings(text, packed):
    """These texts are packed as lz-string packs them."""
    assert compress(text) == packed
    assert decompress(packed) == text


def test_real_packings_are_made_again_sign_by_sign(data):
    """Packed puzzles that f-puzzles made are what this module makes of their texts."""
    for row in json.loads(data("formats/third_party/sudokupad_testfpuzzles.json").read_text()):
        packed = row[1].split('"')[0]
        assert compress(decompress(packed)) == packed


@given(text=st.text(max_size=200), cut=st.integers(1, 60), noise=st.text("ABCxyz019+/", max_size=40))
@settings(max_examples=80)
def test_damage_is_an_error_or_another_text(text, cut, noise):
    """A packed text that breaks off, or has others' signs in it, is at worst one of our errors."""
    packed = compress(text).rstrip("=")
    for damaged in (packed[:-cut], packed[: len(packed) // 2] + noise + packed[len(packed) // 2 :]):
        with contextlib.suppress(ParseError):
            assert isinstance(decompress(damaged), str)
    if text.isascii():
        assert text.startswith(decompress_beginning(packed[:-cut]))


@pytest.mark.parametrize("packed", ["N4Ig?", "N4Ig\udce9", "N4 g"])
def test_signs_that_are_no_base64_are_named(packed):
    """The first strange sign is named, with its place."""
    with pytest.raises(ParseError, match=r"column \d: expected base64"):
        decompress(packed)


def test_a_bomb_ends_early():
    """A few signs that would unpack to a long text end with an error."""
    bomb = compress("a" * 200_000)
    assert len(bomb) < 2000
    with pytest.raises(ParseError, match="at most 100000 signs"):
        decompress(bomb, 100_000)
