"""Puzzles on paper: what is printed can be read back, on any paper, in any number, and always in the same bytes."""

from __future__ import annotations

import io
import shutil
import subprocess
from dataclasses import replace

import pytest
from pypdf import PdfReader

from sudoku_cp import Board, Grid, Limits, Position, Puzzle
from sudoku_cp.errors import InvalidInput, LimitReached
from sudoku_cp.paper import PrintedPuzzle, SheetOptions, make_pdf, prepare_puzzles
from sudoku_cp.paper.puzzle_panels import LEAST_CELL, puzzle_panel
from sudoku_cp.paper.sheet_options import PAPERS, PER_PAGE, POINTS_PER_MM, PlacedPicture, Typefaces, parse_paper
from sudoku_cp.paper.sheets import SHAPES, SPLIT_CELL, SheetBuilder, split_drawing
from sudoku_cp.render.geometry import Polyline, Routes
from sudoku_cp.rules import RULES, Houses
from sudoku_cp.rules.cages import KillerCage
from sudoku_cp.rules.lines import Thermometer

EASY = Puzzle.parse("53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79")
HOSTILE = [
    "(unbalanced ) \\ (",
    "%PDF-1.4\nendstream endobj",
    "\x00\x07\x1b[31m",
    "",
    "שלום",
    "Ünïcödé ½ ≤ Ω Я",
    "W" * 200,
    "x " * 90,
]


def printed(puzzles, **options) -> bytes:
    """Return a PDF of puzzles, numbered from 1."""
    sheet = SheetOptions(**options)
    return make_pdf(prepare_puzzles(map(Position.of, puzzles), sheet), sheet)


def read(pdf: bytes) -> PdfReader:
    """Parse a PDF."""
    return PdfReader(io.BytesIO(pdf))


def text_of(pdf: bytes) -> str:
    """Return the text of all pages."""
    return "\n".join(page.extract_text() for page in read(pdf).pages)


def check_with_qpdf(pdf: bytes, folder) -> None:
    """Have qpdf check a file, where it is installed."""
    if shutil.which("qpdf") is None:
        pytest.skip("qpdf is not installed")
    path = folder / "sheet.pdf"
    path.write_bytes(pdf)
    done = subprocess.run(["qpdf", "--check", str(path)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("kind", sorted(kind for kind, rule in RULES.items() if rule.__module__.startswith("sudoku_cp.")))
def test_every_kind_of_rule_is_printed(kind: str) -> None:
    """The example of every rule is printed: its page holds every text of its picture."""
    grid = Grid.square(6)
    rule = RULES[kind].example(grid)
    if [*rule.problems(grid)]:
        pytest.skip("the rule cannot be on this grid")
    puzzle = Puzzle(grid, (Houses(), rule) if kind != "houses" else (rule,), givens={0: 3})
    options = SheetOptions()
    drawing = puzzle_panel(PrintedPuzzle(Position.of(puzzle)), options).drawing
    words = {piece.text for item in drawing.items for piece in item.pieces if piece.text}
    found = text_of(make_pdf([PrintedPuzzle(Position.of(puzzle))], options))
    assert [word for word in words if "".join(word.split()) not in "".join(found.split())] == []


@pytest.mark.parametrize("per_page", PER_PAGE)
def test_so_many_are_on_a_page(per_page: int) -> None:
    """Ten puzzles fill pages of so many, upright and lying, and every number is printed."""
    for landscape in (False, True):
        pages = read(printed([EASY] * 10, per_page=per_page, landscape=landscape)).pages
        assert len(pages) == -(-10 // per_page)
        assert SHAPES[per_page][0] * SHAPES[per_page][1] == per_page
        words = "\n".join(page.extract_text() for page in pages).split()
        assert {str(number) for number in range(1, 11)} <= {*words}


@pytest.mark.parametrize("paper", [*PAPERS, "100x150", "300.5x200"])
def test_pages_have_the_size_of_the_paper(paper: str) -> None:
    """The trimmed page is the paper, and the bleed lies around it."""
    size = parse_paper(paper)
    page = read(printed([EASY], paper=paper, bleed=3)).pages[0]
    bleed = 3 * POINTS_PER_MM
    assert (float(page.trimbox.width), float(page.trimbox.height)) == pytest.approx(size, abs=0.01)
    assert (float(page.mediabox.width), float(page.bleedbox.height)) == pytest.approx(
        (size.width + 2 * bleed, size.height + 2 * bleed), abs=0.01
    )


def test_givens_totals_and_titles_can_be_read_back() -> None:
    """The text of a page is that of the puzzle, in every alphabet that it is printed in."""
    grid = Grid.square(4)
    puzzle = Puzzle(grid, (Houses(), KillerCage((0, 1), total=7)), givens={5: 3, 10: 4}, title="Ampère & Ω", author="Åsa")
    assert {"7", "3", "4", "Ampère", "Ω", "Åsa"} <= {*text_of(printed([puzzle])).split()}
    options = SheetOptions()
    greek = make_pdf(prepare_puzzles([Position.of(puzzle)], options, symbols="αβγδ"), options)
    assert {"δ"} <= {*text_of(greek).split()}


@pytest.mark.parametrize("title", HOSTILE)
def test_hostile_titles_are_only_text(title: str, tmp_path) -> None:
    """Whatever a title holds, the file is sound, and nothing of the title is an operator."""
    puzzle = replace(EASY, title=title, author=title)
    pdf = printed([puzzle], title=title[:200], author=title[:200], booklet=True)
    assert len(read(pdf).pages) == 4
    check_with_qpdf(pdf, tmp_path)


def test_signs_that_no_font_has_are_named() -> None:
    """A sign without a font is told by name and place before anything is written."""
    puzzle = replace(EASY, title="数独")
    with pytest.raises(InvalidInput, match=r"puzzle 0, title: .*U\+6570 CJK UNIFIED IDEOGRAPH-6570"):
        printed([puzzle])


def test_two_runs_make_the_same_bytes() -> None:
    """The same puzzles make the same file, which holds no date."""
    first, second = (printed([EASY, EASY], booklet=True, solutions="end", title="T") for _ in range(2))
    assert first == second
    assert b"CreationDate" not in first


def test_fonts_are_embedded_and_the_structure_is_tagged() -> None:
    """Every font has its file; title and language are set; headings and pictures are in the structure, with words for each."""
    reader = read(printed([replace(EASY, title="One")], title="All"))
    fonts = reader.pages[0]["/Resources"]["/Font"]
    assert fonts
    assert all("/FontFile2" in fonts[name]["/FontDescriptor"] for name in fonts)
    catalog = reader.trailer["/Root"]
    assert (reader.metadata.title, catalog["/Lang"], catalog["/MarkInfo"]["/Marked"]) == ("All", "en", True)
    parts = [one.get_object() for one in catalog["/StructTreeRoot"]["/K"]["/K"]]
    assert [part["/S"] for part in parts] == ["/H1", "/H2", "/Figure"]
    assert "53..7....6..195" in parts[2]["/Alt"]


@pytest.mark.parametrize("side", [4, 6, 9, 16, 25, 36])
def test_any_size_is_legible(side: int) -> None:
    """Boards of every size are printed in cells whose values have at least 7 points, nine on a page or alone."""
    puzzle = Puzzle(Grid.square(side), givens={0: 1})
    builder = SheetBuilder(SheetOptions(per_page=9), Typefaces())
    builder.add_panel(puzzle_panel(PrintedPuzzle(Position.of(puzzle)), SheetOptions()))
    scales = [item.scale for page in builder.pages for item in page.items if isinstance(item, PlacedPicture)]
    assert scales
    assert min(scales) >= LEAST_CELL


def test_a_board_too_large_for_its_paper_is_split_with_an_overlap() -> None:
    """The parts of a split board cover it, and neighbours share a cell."""
    options = SheetOptions(paper="a5")
    builder = SheetBuilder(options, Typefaces())
    puzzle = Puzzle(Grid.square(36), givens=dict.fromkeys(range(36 * 36), 1))
    panel = puzzle_panel(PrintedPuzzle(Position.of(puzzle)), options)
    builder.add_panel(panel)
    parts = [item for page in builder.pages for item in page.items if isinstance(item, PlacedPicture)]
    assert len(parts) > 1
    assert min(part.scale for part in parts) >= SPLIT_CELL - 1
    assert len({part.scale for part in parts}) == 1
    assert min(part.frame.left for part in parts) == panel.drawing.frame.left
    assert max(part.frame.right for part in parts) == pytest.approx(panel.drawing.frame.right)
    lefts, rights = sorted({part.frame.left for part in parts}), sorted({part.frame.right for part in parts})
    assert all(right - left == pytest.approx(1) for left, right in zip(lefts[1:], rights, strict=False))


def test_only_parts_with_cells_are_printed_and_each_has_its_own() -> None:
    """Boards far apart are as many pages as boards, not as many as lie between them, and no page repeats the whole picture."""
    boards = tuple(Board(4, 4, at=(at, at)) for at in (0, 500, 995))
    puzzle = Puzzle(Grid.of(boards, range(1, 5)), givens=dict.fromkeys(range(48), 1))
    options = SheetOptions()
    panel = puzzle_panel(PrintedPuzzle(Position.of(puzzle)), options)
    builder = SheetBuilder(options, Typefaces())
    builder.add_panel(panel)
    parts = [item for page in builder.pages for item in page.items if isinstance(item, PlacedPicture)]
    assert len(parts) == len(boards)
    assert len({part.scale for part in parts}) == 1
    whole, split = (
        [route for item in items for piece in item.pieces if isinstance(piece.shape, Routes) for route in piece.shape.routes]
        for items in (panel.drawing.items, [item for part in parts for item in part.items])
    )
    assert sorted(split) == sorted(whole)
    texts = [[piece.text for item in part.items for piece in item.pieces if piece.text] for part in parts]
    assert texts == [["1"] * 16] * len(boards)


def test_the_parts_of_a_picture_show_what_the_whole_shows() -> None:
    """Whatever lies in a part's frame is in the part, lines that lead through it too."""
    grid = Grid.square(36)
    line = tuple(range(0, 36 * 36, 37))
    puzzle = Puzzle(grid, (Houses(), Thermometer(line), KillerCage((600, 601, 637), 12)), dict.fromkeys(range(0, 1296, 5), 1))
    panel = puzzle_panel(PrintedPuzzle(Position.of(puzzle)), SheetOptions())
    _, tiles = split_drawing(panel.drawing, 300, 400)
    assert len(tiles) == 4
    for frame, items in tiles:
        there = {piece.shape for item in items for piece in item.pieces if not isinstance(piece.shape, Routes)}
        wanted = [piece for item in panel.drawing.items for piece in item.pieces if not isinstance(piece.shape, Routes)]
        for piece in wanted:
            if not isinstance(piece.shape, Polyline):
                assert piece.shape in there or not piece.box.meets(frame)
            elif any(frame.left < x < frame.right and frame.top < y < frame.bottom for x, y in piece.shape.points):
                assert piece.shape in there


def test_a_title_is_not_alone_on_its_page() -> None:
    """Rules in words that no page has room for beside the board follow it: the board stays below the title of the sheet."""
    puzzle = replace(EASY, title="Long", ruleset="Normal sudoku rules apply. " * 300)
    pages = read(printed([puzzle], title="A title", rules_in_words=True)).pages
    texts = [page.extract_text() for page in pages]
    assert ["A title" in texts[0], "1. Long" in texts[0], "Normal sudoku" in texts[0]] == [True, True, False]
    assert all("Normal sudoku" in text for text in texts[1:])


def test_a_usual_board_is_as_wide_as_the_words_below_it() -> None:
    """On A4 a 9x9 reaches from margin to margin."""
    builder = SheetBuilder(SheetOptions(), Typefaces())
    builder.add_panel(puzzle_panel(PrintedPuzzle(Position.of(EASY)), SheetOptions()))
    (board,) = (item for item in builder.pages[0].items if isinstance(item, PlacedPicture))
    area = builder.area
    assert board.scale * (board.frame.right - board.frame.left) == pytest.approx(area.right - area.left, abs=0.5)


def test_overlapping_boards_are_printed() -> None:
    """Two boards that share cells are one picture."""
    grid = Grid((Board(4, 4, (2, 2)), Board(4, 4, (2, 2), at=(2, 2))), range(1, 5))
    assert {"2", "3"} <= {*text_of(printed([Puzzle(grid, givens={3: 2, 8: 3})])).split()}


@pytest.mark.parametrize("where", ["end", "same", "upside-down"])
def test_solutions_are_printed_where_they_are_wanted(where: str) -> None:
    """The solution is on a page of its own, or on that of the puzzle, with all its values."""
    pages = read(printed([EASY], solutions=where)).pages
    assert len(pages) == (2 if where == "end" else 1)
    values = [word for word in "".join(pages[-1].extract_text().split()) if word.isdecimal()]
    assert len(values) >= 81


def test_a_puzzle_without_a_single_solution_says_so() -> None:
    """What cannot be printed is told where it is missed."""
    assert "several solutions" in text_of(printed([Puzzle.parse("." * 16)], solutions="end"))


def test_a_booklet_waits_for_no_rating(monkeypatch) -> None:
    """What singles solve has its level without a rating, and what is not rated in time stands last, under no level."""

    def too_long(*_: object, **__: object) -> None:
        raise LimitReached("deadline", "while rating")

    monkeypatch.setattr("sudoku_cp.logic.rating.puzzle_levels.path_within", too_long)
    hard = Puzzle.parse("8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..")
    puzzles = [Position.of(one) for one in (hard, EASY)]
    found = prepare_puzzles(puzzles, SheetOptions(booklet=True))
    assert [(printed.level, printed.puzzle) for printed in found] == [("Easy", EASY), ("", hard)]


def test_booklets_have_an_even_number_of_pages_and_levels() -> None:
    """A booklet has a cover, contents with links, sections by level, and pages in pairs."""
    hard = Puzzle.parse("8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..")
    reader = read(printed([hard, EASY, EASY], booklet=True, solutions="end", title="Book", per_page=2))
    texts = [page.extract_text() for page in reader.pages]
    assert len(texts) % 2 == 0
    assert "Book" in texts[0]
    assert all(word in texts[1] for word in ("Contents", "Easy", "Extreme", "Solutions"))
    assert len(reader.pages[1]["/Annots"]) == 3
    assert texts[2].startswith("Easy")


def test_nothing_to_print_is_an_error() -> None:
    """No puzzle makes no file."""
    with pytest.raises(InvalidInput, match="at least one puzzle"):
        printed([])


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"per_page": 3}, "per_page: "),
        ({"paper": "b0"}, "paper: "),
        ({"paper": "9999x10"}, "paper: "),
        ({"margin": 90.0}, "margin: "),
        ({"margin": float("nan")}, "margin: "),
        ({"bleed": -1.0}, "bleed: "),
        ({"title": "x" * 201}, "title: "),
    ],
)
def test_bad_options_are_told(options, words: str) -> None:
    """Every option that no page can be made of is named."""
    with pytest.raises(InvalidInput, match=words):
        SheetOptions(**options)


@pytest.mark.skipif(shutil.which("pdftoppm") is None, reason="pdftoppm (poppler-utils) is not installed")
def test_the_picture_is_on_the_page(tmp_path) -> None:
    """A page turned into pixels has the black border of the board where the layout says."""
    (tmp_path / "sheet.pdf").write_bytes(printed([Puzzle.parse("." * 16)], first_number=None))
    command = ["pdftoppm", "-r", "36", "-gray", "-singlefile", "sheet.pdf", "page"]
    subprocess.run(command, cwd=tmp_path, check=True)
    header, _, rest = (tmp_path / "page.pgm").read_bytes().partition(b"255\n")
    width, height = map(int, header.split()[1:3])
    dark = [number for number, level in enumerate(rest) if level < 80]
    rows, columns = {number // width for number in dark}, {number % width for number in dark}
    assert len(rest) == width * height
    side = 54 * 4 / 2  # four cells of the largest size, at half a pixel a point
    assert max(rows) - min(rows) == pytest.approx(side, abs=4)
    assert max(columns) - min(columns) == pytest.approx(side, abs=4)


def test_a_limit_that_came_first_is_no_missing_solution():
    """A solution that was not found in time is told as that; that there is none, or that there are several, is told otherwise."""
    options = SheetOptions(solutions="end")
    clashing, empty = Puzzle.parse("11" + "." * 79), Puzzle.parse("." * 81)
    told = [prepare_puzzles([Position.of(puzzle)], options)[0].note for puzzle in (EASY, clashing, empty)]
    told += [prepare_puzzles([Position.of(empty)], options, limits=Limits(seconds=0))[0].note]
    assert told[0] == ""
    assert [word in note for word, note in zip(("no solution", "several", "in time"), told[1:], strict=True)] == [True] * 3


def outline_of(pdf: bytes) -> list[tuple[str, int, int]]:
    """Return the entries of the outline: title, level, and the index of the page that they lead to."""
    reader, found = read(pdf), []
    ahead = [(one, 1) for one in reversed(reader.outline)]
    while ahead:
        entry, level = ahead.pop()
        if isinstance(entry, list):
            ahead += [(one, level + 1) for one in reversed(entry)]
        else:
            found.append((entry.title.strip(), level, reader.get_destination_page_number(entry)))
    return found


def test_the_outline_of_a_booklet_has_sections_and_puzzles(tmp_path) -> None:
    """Cover, contents, levels and solutions are sections; puzzles are below theirs, and lead to the page that they are on."""
    puzzles = [replace(EASY, title=f"Puzzle {number}") for number in range(5)]
    pdf = printed(puzzles, booklet=True, per_page=4, title="Five", solutions="end")
    assert [(title, level) for title, level, _ in outline_of(pdf)] == [
        ("Five", 1),
        ("Contents", 1),
        ("Easy", 1),
        *((f"{number + 1}. Puzzle {number}", 2) for number in range(5)),
        ("Solutions", 1),
    ]
    pages = [page.extract_text() for page in read(pdf).pages]
    assert all(title in pages[page] for title, _, page in outline_of(pdf))
    check_with_qpdf(pdf, tmp_path)


def test_the_outline_of_a_sheet_has_its_puzzles() -> None:
    """Without sections puzzles stand at the top; one puzzle needs no outline."""
    assert [level for _, level, _ in outline_of(printed([EASY] * 3, per_page=2))] == [1, 1, 1]
    assert outline_of(printed([EASY])) == []
