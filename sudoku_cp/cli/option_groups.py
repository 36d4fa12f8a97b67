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
    """Raise `InvalidInput` with each expectation that options violate; each comes with whether they do."""
    if wrong := [f"expected {words}" for words, is_wrong in contradictions.items() if is_wrong]:
        raise InvalidInput(wrong)


@dataclass(frozen=True, eq=False)
class BatchOptions:
    """Work from file to file: the output, and who does the work."""

    out: Out = None
    resume: Resume = False
    force: Force = False
    workers: Workers = None
    cluster: ClusterAddress = None

    def contradictions(self, without_out: dict[str, bool]) -> dict[str, bool]:
        """Return each expectation that options may violate, and whether they do; those of ``without_out`` exclude --out."""
        with_out = {
            "--resume": self.resume,
            "--force": self.force,
            "--workers": self.workers is not None,
            "--cluster": self.cluster is not None,
        }
        return {
            **{f"{name} with --out FILE, got it alone": given and self.out is None for name, given in with_out.items()},
            **{f"--out FILE without {name}, got both": given and self.out is not None for name, given in without_out.items()},
            "only one of --resume and --force, got both": self.resume and self.force,
            "only one of --workers and --cluster, got both": self.workers is not None and self.cluster is not None,
        }
