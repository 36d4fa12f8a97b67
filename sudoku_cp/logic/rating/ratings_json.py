"""Ratings as JSON, and as the fields of a table."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sudoku_cp.logic.rating.explainer import ExplainerRating
    from sudoku_cp.logic.rating.ratings import Ratings


def ratings_to_json(found: Ratings) -> dict[str, Any]:
    """Return the JSON fields of ratings; what was not asked for is left out, and so is what is missing, by its scale."""
    if found.status != "unique":
        return {"status": found.status} | ({"reason": found.reason} if found.status == "unknown" else {})
    fields: dict[str, Any] = {"status": "ok"}
    for name, to_json in _TO_JSON.items():
        value = getattr(found, name)
        if value is not None:
            fields |= to_json(value)
    if found.missing:
        fields["missing"] = dict(found.missing)
    return fields


def _explainer_json(one: ExplainerRating) -> dict[str, Any]:
    return {"er": one.er, "ep": one.ep, "ed": one.ed, "hardest": one.hardest}


_TO_JSON: Mapping[str, Callable[[Any], dict[str, Any]]] = {
    "explainer": lambda one: {"se": _explainer_json(one)},
    "sukaku": lambda one: {"sukaku": _explainer_json(one)},
    "profile": lambda one: {
        "proof_size": {name: getattr(one, name) for name in ("largest", "squares", "rounds", "hard", "search")}
    },
    "score": lambda one: {"hodoku": {"score": one.score, "level": one.level}},
    "word": lambda one: {"word": str(one)},
    "ways": lambda one: {"ways": {"bottleneck": one.bottleneck, "narrow": one.narrow, "steps": list(one.numbers)}},
}

COLUMN_TYPES: Mapping[str, type] = {
    "status": str,
    "word": str,
    "se_er": float,
    "se_ep": float,
    "se_ed": float,
    "se_hardest": str,
    "sukaku_er": float,
    "sukaku_ep": float,
    "sukaku_ed": float,
    "sukaku_hardest": str,
    "proof_largest": float,
    "proof_squares": float,
    "proof_rounds": int,
    "proof_hard": int,
    "proof_search": bool,
    "hodoku_score": int,
    "hodoku_level": str,
    "bottleneck": int,
    "reason": str,
}
"""The columns of a table of ratings, and what they hold."""
COLUMNS = tuple(COLUMN_TYPES)


def ratings_to_values(found: Ratings) -> list[Any]:
    """Return the fields of a table as they are; what is not known is None."""
    fields = ratings_to_json(found)
    flat: dict[str, Any] = {name: fields.get(name) for name in ("status", "word")}
    for group, prefix in (("se", "se"), ("sukaku", "sukaku"), ("proof_size", "proof"), ("hodoku", "hodoku")):
        flat |= {f"{prefix}_{name}": value for name, value in fields.get(group, {}).items()}
    flat["bottleneck"] = fields.get("ways", {}).get("bottleneck")
    missing = "; ".join(f"{name}: {reason}" for name, reason in fields.get("missing", {}).items())
    flat["reason"] = fields.get("reason") or missing or None
    return [flat.get(name) for name in COLUMNS]


def error_values(message: str) -> list[Any]:
    """Return the fields of a table for a record that has no ratings."""
    return [{"status": "error", "reason": message}.get(name) for name in COLUMNS]


def values_to_row(values: Iterable[Any]) -> list[str]:
    """Return fields of a table as texts; what is not known is empty."""
    return [_field_text(value) for value in values]


def _field_text(value: Any) -> str:
    if value is None:
        return ""
    return ("no", "yes")[value] if isinstance(value, bool) else str(value)
