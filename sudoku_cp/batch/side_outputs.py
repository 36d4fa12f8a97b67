"""Files that accompany generated puzzles: a picture and a certificate of each."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from sudoku_cp.backends import UNLIMITED, Limits
from sudoku_cp.errors import InvalidInput, OptionProblem
from sudoku_cp.puzzle.rules_in_words import ruleset_text
from sudoku_cp.render.picture_files import picture_name_problems, write_picture

if TYPE_CHECKING:
    from pathlib import Path

    from sudoku_cp.generate import GeneratedPuzzle
    from sudoku_cp.generate.chunks import ProvedPuzzles


@dataclass(frozen=True)
class SideOutputs:
    """Writes pictures to ``svg`` (the second to NAME-2.svg) and certificates to folders 0, 1, ... in ``certificates``.

    ``limits`` are for each certificate; ``force`` replaces older ones. With ``captions`` the title and the rules stand below each
    picture.
    """

    svg: Path | None = None
    certificates: Path | None = None
    limits: Limits = UNLIMITED
    force: bool = False
    captions: bool = False

    def __bool__(self) -> bool:
        """Return whether anything is wanted."""
        return self.svg is not None or self.certificates is not None

    def check(self) -> None:
        """Refuse a folder that is not empty, and a picture whose name has another ending."""
        problems: list[str] = [*picture_name_problems(self.svg)]
        folder = self.certificates
        if folder is not None and not self.force and folder.exists() and not (folder.is_dir() and not any(folder.iterdir())):
            problems.append(OptionProblem(f"expected a new or an empty folder, got {folder}", "certificates_to"))
        if problems:
            raise InvalidInput(problems)

    def add(self, index: int, part: ProvedPuzzles) -> None:
        """Write the files of puzzles, the first of which has this index."""
        if self:
            for place, (made, _) in enumerate(part.each(), index):
                self._write_picture(place, made)
                self._write_certificate(place, made)

    def _write_picture(self, index: int, made: GeneratedPuzzle) -> None:
        if self.svg is not None:
            below = ruleset_text(made.puzzle) if self.captions else None
            write_picture(replace(made.puzzle, solution=None), self.svg, index, words=below)

    def _write_certificate(self, index: int, made: GeneratedPuzzle) -> None:
        if self.certificates is None:
            return
        from sudoku_cp.proof import prove  # noqa: PLC0415  # only certificates need it

        certificate = prove(made.puzzle, claim="unique", limits=self.limits)
        certificate.write(self.certificates / str(index), force=self.force)
