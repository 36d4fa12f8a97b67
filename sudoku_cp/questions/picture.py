"""The question ``picture``: what does a puzzle look like?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from sudoku_cp.questions.answer import ABSENT, QuestionAnswer, answer_field
from sudoku_cp.questions.options import Reading
from sudoku_cp.questions.question import KILLER, Fields, option

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sudoku_cp.questions.question import Run, Start


@dataclass(frozen=True, eq=False, kw_only=True)
class PictureOptions(Reading):
    """How pictures are drawn."""

    cell: int = option("The side of a cell of a picture in pixels.", 50, ge=10, le=500, metavar="PIXELS")
    words: bool = option("Write title and rules in words below the picture.", False)


@dataclass(frozen=True, eq=False, kw_only=True)
class PictureQuestion(PictureOptions):
    """Draw the puzzle or position as SVG, with `layers` as what a page needs to draw it; or a `link` to it as QR code."""

    name = "picture"
    subject = "position"
    example: ClassVar[Fields] = {"puzzle": KILLER, "words": True}

    layers: bool = option("Answer with what a page needs to draw the puzzle itself.", False)
    link: str | None = option("A link to the puzzle: answer with its QR code instead of the picture.", None, is_long=True)

    def answer(self, subject: Start, run: Run) -> PictureAnswer:
        """Draw."""
        from sudoku_cp.paper.puzzle_panels import qr_svg  # noqa: PLC0415  # for answers alone
        from sudoku_cp.puzzle.rules_in_words import ruleset_text  # noqa: PLC0415  # as above
        from sudoku_cp.render import svg  # noqa: PLC0415  # as above
        from sudoku_cp.render.svg_picture import layers  # noqa: PLC0415  # as above

        del run
        puzzle = subject.position.puzzle
        if self.link:
            return PictureAnswer(svg=qr_svg(self.link))
        if self.layers:
            return PictureAnswer(layers=layers(puzzle))  # type: ignore[arg-type]  # JSON already
        return PictureAnswer(svg=svg(subject.position, cell=self.cell, words=ruleset_text(puzzle) if self.words else None))

    @classmethod
    def unknown_answer(cls, body: Mapping[str, Any]) -> PictureAnswer:
        """Return no picture."""
        del body
        return PictureAnswer()


@dataclass(frozen=True, eq=False, kw_only=True)
class LayersJson:
    """What a page needs to draw a puzzle itself; lengths are in hundredths of a cell."""

    box: tuple[int, int, int, int] = answer_field()
    cells: list[tuple[int, int]] = answer_field()
    values: list[int] = answer_field()
    signs: list[str] = answer_field()
    givens: dict[str, int] = answer_field()
    under: str = answer_field()
    lines: str = answer_field()
    over: str = answer_field()
    outside: str = answer_field()
    legend: str = answer_field()
    parts: dict[str, dict[str, str]] = answer_field()
    labelled: list[int] = answer_field()
    sees: list[list[int]] = answer_field()
    words: list[str] = answer_field()


@dataclass(frozen=True, eq=False, kw_only=True)
class PictureAnswer(QuestionAnswer):
    """The answer of ``picture``: one of the two."""

    svg: str = answer_field("", ABSENT)
    layers: LayersJson = answer_field("", ABSENT)
