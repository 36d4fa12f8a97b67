"""Options that several verbs share, declared once: each group is one parameter of a verb, and one value in the code.

The parser makes an option of every field, in the order of the fields (see `flat_options`). The annotations stand in
`options`, which imports typer; they are strings here, as verbs that are called with a puzzle alone do without it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sudoku_cp.errors import InvalidInput

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sudoku_cp.cli.options import ClusterAddress, Force, Out, Resume, Workers


def refuse_contradictions(contradictions: Mapping[str, bool]) -> None:
    """Raise `InvalidInput` with each contradiction of options that is true."""
    if wrong := [words for words, is_wrong in contradictions.items() if is_wrong]:
        raise InvalidInput(wrong)


def no_folder(option: str, name: str | None) -> dict[str, bool]:
    """Return the contradiction that an option names standard output where many files are written, and whether it is true."""
    return {f"{option}: expected a folder, got '-', which stands for standard output (./- is a folder)": name == "-"}


@dataclass(frozen=True, eq=False)
class BatchOptions:
    """Work from file to file: the output, and who does the work."""

    out: Out = None
    resume: Resume = False
    force: Force = False
    workers: Workers = None
    cluster: ClusterAddress = None

    def contradictions(self, without_out: dict[str, bool]) -> dict[str, bool]:
        """Return each possible contradiction, and whether it is true; the options of ``without_out`` exclude --out."""
        with_out = {
            "--resume": self.resume,
            "--force": self.force,
            "--workers": self.workers is not None,
            "--cluster": self.cluster is not None,
        }
        return {
            **{f"{name} needs --out FILE": given and self.out is None for name, given in with_out.items()},
            **{
                f"--out FILE cannot be combined with {name}": given and self.out is not None
                for name, given in without_out.items()
            },
            "--out: expected a file, got '-': without --out, answers go to standard output": self.out == "-",
            "--resume cannot be combined with --force": self.resume and self.force,
            "--workers cannot be combined with --cluster": self.workers is not None and self.cluster is not None,
        }
