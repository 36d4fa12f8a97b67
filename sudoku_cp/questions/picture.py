"""The question ``picture``: what does a puzzle look like? Its verb is ``show``."""

from __future__ import annotations

import json
from base64 import b64encode
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from sudoku_cp.errors import Problem
from sudoku_cp.questions.answer import ABSENT, QuestionAnswer, answer_field
from sudoku_cp.questions.question import KILLER, Fields, Reading, Run, Start, option

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from sudoku_cp.puzzle import Position, Puzzle
    from sudoku_cp.render import Look


@dataclass(frozen=True, eq=False, kw_only=True)
class PictureOptions(Reading):
    """How puzzles are drawn."""

    cell: int = option("The side of a cell of a picture in pixels.", 50, ge=10, le=500, metavar="PIXELS")
    words: bool = option("Write title and rules in words below the picture.", False, short="rules_in_words")
    ascii: bool = option("Draw with + - | only.", False)


@dataclass(frozen=True, eq=False, kw_only=True)
class PictureQuestion(PictureOptions):
    """Draw puzzles, with their titles and rules, as pictures or as text.

    In text, cages are drawn; other rules are listed below as JSON, or with `words` in words.
    """

    name = "picture"
    subject = "position"
    example: ClassVar[Fields] = {"puzzle": KILLER, "words": True}

    to: Literal["svg", "png", "text"] = option("What to draw: svg, png or text.", "svg", metavar="KIND")
    layers: bool = option("Answer with what a page needs to draw the puzzle itself.", False)
    link: str | None = option("A link to the puzzle: answer with its QR code instead of the picture.", None, is_long=True)

    def contradictions(self) -> Iterator[Problem]:
        """Yield what is drawn in one way alone."""
        yield from self.only_without("layers", "to", "link")
        if self.to == "text":
            yield from self.only_without("link", "to")
        elif self.ascii:
            yield Problem("`ascii` needs `to` text", ["ascii"])

    def answer(self, subject: Start, run: Run) -> PictureAnswer:
        """Draw."""
        from sudoku_cp.render import Look  # noqa: PLC0415  # for answers alone
        from sudoku_cp.render.png_picture import svg_to_png  # noqa: PLC0415  # as above
        from sudoku_cp.render.svg_picture import layers  # noqa: PLC0415  # as above

        del run
        if self.layers:
            return PictureAnswer(layers=LayersJson(**layers(subject.position.puzzle)))
        if self.to == "text":
            return PictureAnswer(text=draw_in_text(subject.position, Look(ascii_only=self.ascii), words=self.words) + "\n")
        drawn = self._svg(subject.position)
        return PictureAnswer(svg=drawn) if self.to == "svg" else PictureAnswer(png=b64encode(svg_to_png(drawn)).decode())

    def _svg(self, position: Position) -> str:
        from sudoku_cp.paper.puzzle_panels import qr_svg  # noqa: PLC0415  # for answers alone
        from sudoku_cp.puzzle.rules_in_words import ruleset_text  # noqa: PLC0415  # as above
        from sudoku_cp.render import svg  # noqa: PLC0415  # as above

        if self.link:
            return qr_svg(self.link)
        return svg(position, cell=self.cell, words=ruleset_text(position.puzzle) if self.words else None)

    @classmethod
    def unknown_answer(cls, body: Mapping[str, Any]) -> PictureAnswer:
        """Return no picture."""
        del body
        return PictureAnswer()


def draw_in_text(position: Position, look: Look, *, words: bool) -> str:
    """Return the title, the board with outlines of its cages, and the rules as JSON or in words, a line each."""
    from sudoku_cp.render import draw_outlined  # noqa: PLC0415  # for answers alone

    puzzle = position.puzzle
    return "\n".join([*_heading(puzzle), draw_outlined(position, look), *_rule_lines(puzzle, words=words)])


def _heading(puzzle: Puzzle) -> list[str]:
    title = " by ".join(part for part in (puzzle.title, puzzle.author) if part)
    # A title may hold anything, control sequences of the terminal too.
    return ["".join(sign if sign.isprintable() else "\ufffd" for sign in title)] if title else []


def _rule_lines(puzzle: Puzzle, *, words: bool) -> list[str]:
    from sudoku_cp.puzzle.rules_in_words import ruleset_text  # noqa: PLC0415  # for answers alone
    from sudoku_cp.rules import rule_to_json  # noqa: PLC0415  # as above

    if words:
        return ruleset_text(puzzle).splitlines()
    documents = [rule_to_json(rule, puzzle.grid) for rule in puzzle.rules] if not puzzle.is_plain else []
    return [f"{one.pop('kind')}{' ' if one else ''}{json.dumps(one, ensure_ascii=False) if one else ''}" for one in documents]


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
    spoken: dict[str, list[str]] = answer_field("By cell the rules that speak of it, in words.")
    sums: list[tuple[list[tuple[int, int]], int]] = answer_field(
        "Sums that rules fix: the cells with their factors, and the total."
    )
    summed: dict[str, list[list[int]]] = answer_field("By cell, for each of its rules, the numbers of its sums.")


@dataclass(frozen=True, eq=False, kw_only=True)
class PictureAnswer(QuestionAnswer):
    """The answer of ``picture``: one of its fields."""

    svg: str = answer_field("", ABSENT)
    png: str = answer_field("The picture as PNG in base64.", ABSENT)
    text: str = answer_field("The board, with its title and rules.", ABSENT)
    layers: LayersJson = answer_field("", ABSENT)

    def in_words(self) -> str:
        """Return the drawing as text."""
        return self.text.rstrip("\n")
