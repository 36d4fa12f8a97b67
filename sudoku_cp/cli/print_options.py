"""The options of ``print`` that say what the sheets look like."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

import typer

from sudoku_cp.errors import InvalidInput
from sudoku_cp.paper import SheetOptions, parse_numbering


@dataclass(frozen=True)
class PrintOptions:
    """What sheets look like, as typed."""

    per_page: Annotated[int, typer.Option(metavar="NUMBER", help="Puzzles on a page: 1, 2, 4, 6 or 9.")] = 1
    paper: Annotated[
        str, typer.Option(metavar="SIZE", help="a4, letter, a3, a5, legal, or WIDTHxHEIGHT in millimetres: 148x210.")
    ] = "a4"
    landscape: Annotated[bool, typer.Option("--landscape", help="Turn the paper to its long side.")] = False
    solutions: Annotated[
        str, typer.Option(metavar="WHERE", help="none, end, same (small, on the same page), or upside-down (so, but turned).")
    ] = "none"
    title: Annotated[str, typer.Option(metavar="TEXT", help="The title of the sheets or the booklet.", show_default=False)] = ""
    author: Annotated[str, typer.Option(metavar="TEXT", help="Their author.", show_default=False)] = ""
    numbering: Annotated[str, typer.Option(metavar="NUMBER", help="The number of the first puzzle, or none.")] = "1"
    rules_in_words: Annotated[bool, typer.Option("--rules-in-words", help="The rules in words below each puzzle.")] = False
    margin: Annotated[float, typer.Option(metavar="MM", help="The margin in millimetres.")] = 15.0
    bleed: Annotated[float, typer.Option(metavar="MM", help="The bleed around the trimmed page in millimetres.")] = 0.0
    booklet: Annotated[
        bool, typer.Option("--booklet", help="A cover, contents, a section for each level; an even number of pages.")
    ] = False

    def sheet_options(self) -> SheetOptions:
        """Return the options as the library takes them; raise `InvalidInput` with all that is wrong."""
        problems: list[str] = []
        fields: dict[str, Any] = {name: getattr(self, name) for name in _SAME}
        if self.solutions in SOLUTIONS:
            fields["solutions"] = self.solutions
        else:
            problems.append(f"--solutions: expected one of {', '.join(SOLUTIONS)}, got {self.solutions!r:.40}")
        try:
            fields["first_number"] = parse_numbering(self.numbering)
        except InvalidInput as error:
            problems += error.problems
        try:
            options = SheetOptions(**fields)
        except InvalidInput as error:
            problems += error.problems
        if problems:
            raise InvalidInput(problems)
        return options


SOLUTIONS = ("none", "end", "same", "upside-down")
_SAME = ("per_page", "paper", "landscape", "title", "author", "rules_in_words", "margin", "bleed", "booklet")
"""Options that the library calls by the same name."""
