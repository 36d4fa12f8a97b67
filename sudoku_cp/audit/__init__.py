"""Audit of other people's puzzles: malformed, contradictory, not unique, not minimal, repeated, wrongly solved."""

from typing import TYPE_CHECKING

from sudoku_cp.lazy_exports import lazy_exports

if TYPE_CHECKING:
    from sudoku_cp.audit.auditor import audit
    from sudoku_cp.audit.findings import KINDS, Audited, Finding, Kind, Summary

__all__ = ["KINDS", "Audited", "Finding", "Kind", "Summary", "audit"]

EXPORTS = {"findings": "KINDS Audited Finding Kind Summary", "auditor": "audit"}

if not TYPE_CHECKING:  # type checkers report a name that is not there
    __getattr__ = lazy_exports(__name__, EXPORTS)
