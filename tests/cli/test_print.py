"""The verb print: files that can be read, what it refuses, and puzzles that are generated for it."""

from __future__ import annotations

import pytest
from pypdf import PdfReader

SMALL = "12..3412..434.21"


def test_sheets_are_written(call, tmp_path) -> None:
    """The file holds the puzzles of all arguments; two runs write the same bytes."""
    files = [tmp_path / name for name in ("one.pdf", "two.pdf")]
    for file in files:
        ended = call("print", SMALL, SMALL, "--per-page", 2, "--title", "Both", "--solutions", "end", "--out", file)
        assert ended.code == 0, ended.err
    assert files[0].read_bytes() == files[1].read_bytes()
    reader = PdfReader(files[0])
    assert (len(reader.pages), reader.metadata.title) == (2, "Both")


def test_generated_puzzles_are_printed(call, tmp_path) -> None:
    """With --generate the puzzles are made first, the same ones for the same seed."""
    files = [tmp_path / name for name in ("one.pdf", "two.pdf")]
    for file in files:
        ended = call("print", "--generate", "-n 3 --size 4 --seed 2", "--booklet", "--per-page", 4, "--out", file)
        assert ended.code == 0, ended.err
    assert files[0].read_bytes() == files[1].read_bytes()
    assert "3 puzzles" in PdfReader(files[0]).pages[0].extract_text()


def test_links_are_codes_that_can_be_clicked(call, tmp_path) -> None:
    """With --qr each puzzle has a code that is a link to play it."""
    assert call("print", SMALL, "--qr", "--out", tmp_path / "sheet.pdf").code == 0
    links = [one.get_object()["/A"]["/URI"] for one in PdfReader(tmp_path / "sheet.pdf").pages[0]["/Annots"]]
    assert len(links) == 1
    assert links[0].startswith("https://sudokupad.app/fpuzzles")


def test_several_solutions_are_told(call, tmp_path) -> None:
    """A puzzle without a single solution is printed, told, and not a success; without solutions nobody asks."""
    out = tmp_path / "sheet.pdf"
    ended = call("print", "." * 16, "--solutions", "end", "--out", out)
    assert ended.code == 1
    assert "several solutions" in ended.err
    assert out.exists()
    assert call("print", "." * 16, "--out", out).code == 0


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((), "got neither"),
        ((SMALL, "--generate", "-n 1"), "got both"),
        (("--generate", "--bogus"), "No such option"),
        (("--generate", "'"), "No closing quotation"),
        ((SMALL, "--solutions", "x", "--paper", "y", "--numbering", "z"), "--paper"),
        ((SMALL, "--symbols", "数独之一"), "U+6570"),
        ((SMALL, "--font", __file__), "TrueType"),
    ],
)
def test_what_cannot_be_printed_is_told(call, tmp_path, arguments, words: str) -> None:
    """Bad options are told before anything is written."""
    out = tmp_path / "sheet.pdf"
    ended = call("print", *arguments, "--out", out)
    assert ended.code == 2
    assert words in "".join(ended.err.splitlines())
    assert not out.exists()


def test_rules_in_words_have_one_name_everywhere(call, tmp_path):
    """``--words`` and ``--rules-in-words`` are the same option of ``print`` and ``show``."""
    for name in ("--words", "--rules-in-words"):
        assert call("show", name, "--rules", "diagonals", "." * 81).code == 0
        assert call("print", name, "--out", str(tmp_path / f"{name}.pdf"), "." * 81).code == 0
