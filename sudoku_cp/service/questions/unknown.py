"""The object that says, for each question, that a limit came first: never "no", and never an error."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

Fields = dict[str, Any]


def found(body: Mapping[str, Any]) -> Fields:
    """Return the answer of a search that found nothing yet."""
    engine = body.get("backend", "auto")
    known = {"puzzle": body.get("puzzle", ""), "status": "unknown", "solutions": [], "count": 0, "exact": False}
    return known | {"backend": engine, "seconds": 0.0, "counters": {}}


def candidates(body: Mapping[str, Any]) -> Fields:
    """Return the answer of ``candidates`` without any."""
    fields = found(body)
    del fields["counters"]
    nothing: Fields = {name: {} for name in ("candidates", "forced", "impossible", "undecided")}
    return fields | nothing | {"complete": False, "calls": 0}


def compare(_body: Mapping[str, Any]) -> Fields:
    """Return the comparison of no puzzle."""
    numbers = dict.fromkeys(("puzzles", "disagreed", "unknown", "refused", "failed"), 0)
    return {"agreed": None} | numbers | {"backends": [], "disagreements": []}


def prove(body: Mapping[str, Any]) -> Fields:
    """Return that nothing has been proved, or refuted."""
    return {"puzzle": body.get("puzzle", ""), "status": "unknown", "error": "the limit came first"}


def verify(_body: Mapping[str, Any]) -> Fields:
    """Return that nothing is wrong with what was checked, which was not everything."""
    return {"verdict": "unchecked", "claim": None, "problems": ["the limit came first"], "trusted": [], "facts": {}}


def status(_body: Mapping[str, Any]) -> Fields:
    """Return the status alone."""
    return {"status": "unknown"}


def hint(body: Mapping[str, Any]) -> Fields:
    """Return that no step has been found yet."""
    text = "The time ran out before a step was found."
    return {"status": "unknown", "level": body.get("level", 1), "solutions": "unknown", "text": text}


def steps(_body: Mapping[str, Any]) -> Fields:
    """Return no steps."""
    return {"status": "ok", "steps": [], "complete": False, "solutions": "unknown"}


def validate(_body: Mapping[str, Any]) -> Fields:
    """Return that no rule is known to be broken."""
    return {"status": "unknown", "broken": [], "undecided": []}


def explain(body: Mapping[str, Any]) -> Fields:
    """Return the question, without an answer to it."""
    return {"answers": [{"cell": body.get("cell"), "value": body.get("value"), "answer": "unknown"}]}


def generate(body: Mapping[str, Any]) -> Fields:
    """Return no puzzles."""
    wanted = body.get("count") or 1
    return {"puzzles": [], "count": 0, "wanted": wanted, "seed": body.get("seed"), "tries": 0, "seconds": 0.0}


def nothing(_body: Mapping[str, Any]) -> Fields:
    """Return no field at all."""
    return {}


def with_reason(fields: Fields, reason: str) -> Fields:
    """Return the answer with the limit that came first, where it has its place."""
    if "answers" in fields:
        return {"answers": [one | {"reason": reason} for one in fields["answers"]]}
    if "verdict" in fields:
        return fields | {"problems": [f"the limit ({reason}) came first"]}
    return fields | {"reason": reason}
