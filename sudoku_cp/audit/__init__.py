"""Other people's puzzles, looked through: malformed, contradictory, not unique, not minimal, twice there, wrongly solved."""

from typing import TYPE_CHECKING

from sudoku_cp.late import late

if TYPE_CHECKING:
    from sudoku_cp.audit.auditor import audit
    from sudoku_cp.audit.findings import KINDS, Audited, Finding, Kind, Summary

__all__ = ["KINDS", "Audited", "Finding", "Kind", "Summary", "audit"]

HOMES = {"findings": "KINDS Audited Finding Kind Summary", "auditor": "audit"}

__getattr__ = late(__name__, HOMES)
