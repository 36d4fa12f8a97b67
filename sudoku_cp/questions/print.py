"""The question ``print``: puzzles on paper, as sheets or as a booklet."""

from __future__ import annotations

from base64 import b64encode
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from sudoku_cp.errors import InvalidInput, Problem, placed
from sudoku_cp.questions.answer import ABSENT, QuestionAnswer, answer_field
from sudoku_cp.questions.question import EASY, Fields, Reading, Run, Timed, option

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from sudoku_cp.backends import Limits
    from sudoku_cp.paper import PrintedPuzzle, SheetOptions
    from sudoku_cp.puzzle import Position

SOLUTIONS = ("none", "end", "same", "upside-down")
"""Where solutions may be."""
_SAME = ("per_page", "paper", "landscape", "solutions", "title", "author", "rules_in_words", "margin", "bleed", "booklet")
"""Options that the library calls by the same name."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Printing(Timed, Reading):
    """What sheets look like."""

    per_page: Literal[1, 2, 4, 6, 9] = option("Puzzles on a page: 1, 2, 4, 6 or 9.", 1, metavar="NUMBER")
    paper: str = option("a4, letter, a3, a5, legal, or WIDTHxHEIGHT in millimetres: 148x210.", "a4", metavar="SIZE")
    landscape: bool = option("Turn the paper to landscape.", False)
    solutions: Literal["none", "end", "same", "upside-down"] = option(
        "Where solutions are: none, end, same (small, on the same page), or upside-down (the same, but turned).",
        "none",
        metavar="WHERE",
    )
    title: str = option("The title of the sheets or the booklet.", "", metavar="TEXT")
    author: str = option("Their author.", "", metavar="TEXT")
    numbering: str = option("The number of the first puzzle, or none.", "1", metavar="NUMBER")
    rules_in_words: bool = option("Print the rules in words below each puzzle.", False, short="words")
    margin: float = option("The margin in millimetres.", 15.0, ge=0, metavar="MM")
    bleed: float = option("The bleed around the trimmed page in millimetres.", 0.0, ge=0, metavar="MM")
    booklet: bool = option("Make a booklet: cover, contents, a section for each level, and an even number of pages.", False)
    marks: bool = option("Print entries and pencil marks too, where a puzzle has any.", False)
    symbols: str | None = option("Print values as digits, letters, hex, or your own signs.", None, metavar="NAME")
    qr: bool = option("Print a QR code with a link to play each puzzle at sudokupad.app.", False)
    timeout: float | None = option(
        "For `solutions`, give up on a puzzle after this many seconds in all.", None, ge=0, metavar="SECONDS"
    )

    def contradictions(self) -> Iterator[Problem]:
        """Yield what no paper allows."""
        sheets = self
        if self.solutions not in SOLUTIONS:
            yield Problem(f"expected one of {', '.join(SOLUTIONS)}, got {self.solutions!r:.40}", ["solutions"])
            sheets = replace(self, solutions="none")
        try:
            sheets.sheet_options()
        except InvalidInput as error:
            yield from (one if isinstance(one, Problem) else Problem(one) for one in error.problems)

    def sheet_options(self) -> SheetOptions:
        """Return the options as the library takes them; raise `InvalidInput` with all that is wrong."""
        from sudoku_cp.paper import SheetOptions, parse_numbering  # noqa: PLC0415  # for answers alone

        problems: list[str] = []
        first, options = None, SheetOptions()
        try:
            first = parse_numbering(self.numbering)
        except InvalidInput as error:
            problems += error.problems
        try:
            options = SheetOptions(**{name: getattr(self, name) for name in _SAME}, first_number=first)
        except InvalidInput as error:
            problems += error.problems
        if problems:
            raise InvalidInput(problems)
        return options

    def prepare(self, positions: Iterable[Position], limits: Limits) -> list[PrintedPuzzle]:
        """Return the puzzles as they are printed, with their solutions where these are wanted."""
        from sudoku_cp.paper import prepare_puzzles  # noqa: PLC0415  # for answers alone

        look: dict[str, Any] = {"marks": self.marks, "symbols": self.symbols, "links": self.qr}
        return prepare_puzzles(positions, self.sheet_options(), **look, limits=limits)


@dataclass(frozen=True, eq=False, kw_only=True)
class PrintQuestion(Printing):
    """Print puzzles as a PDF: sheets with several puzzles on a page, or a booklet.

    Boards that would be too small to read in their place get a page of their own. The same input makes the same bytes.
    """

    name = "print"
    subject = "sheets"
    example: ClassVar[Fields] = {"puzzles": [EASY], "per_page": 6}

    preview: bool = option("Answer with the first page as SVG, and the number of pages, instead.", False)

    def misfits(self, subject: Sequence[Position]) -> Iterator[Problem]:
        """Yield that values of a puzzle cannot be printed so."""
        from sudoku_cp.symbols import alphabet  # noqa: PLC0415  # for answers alone

        for values in dict.fromkeys(position.puzzle.grid.values for position in subject) if self.symbols is not None else ():
            try:
                alphabet(self.symbols or "", values)
            except InvalidInput as error:
                yield from (placed(problem, "symbols") for problem in error.problems)

    def answer(self, subject: Sequence[Position], run: Run) -> PrintAnswer:
        """Print."""
        from sudoku_cp.paper import make_pdf, preview_pages  # noqa: PLC0415  # for answers alone

        printed, options = self.prepare(subject, run.limits), self.sheet_options()
        if self.preview:
            return PrintAnswer(**preview_pages(printed, options)._asdict())
        return PrintAnswer(pdf=b64encode(make_pdf(printed, options)).decode())

    @classmethod
    def unknown_answer(cls, body: Mapping[str, Any]) -> PrintAnswer:
        """Return no sheets."""
        del body
        return PrintAnswer()


@dataclass(frozen=True, eq=False, kw_only=True)
class PrintAnswer(QuestionAnswer):
    """The answer of ``print``."""

    pdf: str = answer_field("The sheets as PDF in base64.", ABSENT)
    svg: str = answer_field("With 'preview', the first page.", ABSENT)
    pages: int = answer_field("With 'preview', the number of pages.", ABSENT)
