"""What people want beside the puzzles themselves: a picture of each, a certificate of each."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from sudoku_cp.backends import UNLIMITED, Limits
from sudoku_cp.errors import InvalidInput
from sudoku_cp.puzzle.ruleset import ruleset_of
from sudoku_cp.render.picture_files import name_problems, write_picture

if TYPE_CHECKING:
    from pathlib import Path

    from sudoku_cp.generate import Made
    from sudoku_cp.generate.portions import Proved


@dataclass(frozen=True)
class Extras:
    """Writes pictures to ``svg`` (the second to NAME-2.svg) and certificates to folders 0, 1, ... in ``certificates``.

    With ``again`` older certificates are replaced; without it they are refused. With ``words`` title and rules stand below
    the picture.
    """

    svg: Path | None = None
    certificates: Path | None = None
    limits: Limits = UNLIMITED
    again: bool = False
    words: bool = False

    def __bool__(self) -> bool:
        """Say whether anything is wanted."""
        return self.svg is not None or self.certificates is not None

    def check(self) -> None:
        """Refuse at once a folder with something in it, and a picture that is called another kind."""
        problems = [*name_problems(self.svg)]
        folder = self.certificates
        if folder is not None and not self.again and folder.exists() and not (folder.is_dir() and not any(folder.iterdir())):
            problems.append(f"expected a new or an empty folder for the certificates, got {folder}")
        if problems:
            raise InvalidInput(problems)

    def add(self, index: int, part: Proved) -> None:
        """Write what is wanted of puzzles, the first of which has this index."""
        if self:
            for place, (made, _) in enumerate(part.each(), index):
                self._draw(place, made)
                self._certify(place, made)

    def _draw(self, index: int, made: Made) -> None:
        if self.svg is not None:
            below = ruleset_of(made.puzzle) if self.words else None
            write_picture(replace(made.puzzle, solution=None), self.svg, index, words=below)

    def _certify(self, index: int, made: Made) -> None:
        if self.certificates is None:
            return
        from sudoku_cp.proof import prove  # noqa: PLC0415  # only certificates need it

        made_of = prove(made.puzzle, claim="unique", limits=self.limits)
        made_of.write(self.certificates / str(index), force=self.again)
