"""The constraint string of a puzzle. What strings have no word for is said by what it lowers to, or else refused by name."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from sudoku_cp.errors import InvalidInput, Unsupported
from sudoku_cp.formats.iss.coding import set_text
from sudoku_cp.formats.iss.lowered import lowered_words
from sudoku_cp.formats.iss.reading import DOTS, LETTERS, in_alternatives, marked
from sudoku_cp.formats.iss.regions import compares_numbers
from sudoku_cp.formats.iss.shapes import shape_words
from sudoku_cp.formats.iss.strings import GIVEN, LONGEST_STRING, composite_text, word_text
from sudoku_cp.formats.iss.table import KINDS, LAST_COUNTS, OUTSIDE, TIES
from sudoku_cp.model import members
from sudoku_cp.rules.joined import Repeated

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from sudoku_cp.formats.iss.places import Plan
    from sudoku_cp.puzzle import Puzzle
    from sudoku_cp.rules.base import Rule


def written(puzzle: Puzzle) -> str:
    """Return the constraint string of a puzzle, or raise `Unsupported` with everything that it cannot say."""
    plan, words = shape_words(puzzle)
    rules: list[Any] = [rule for rule in puzzle.rules if rule.kind != "houses"]
    ties = {rule.ties for rule in _all(rules) if rule.kind == "full-rank"}
    if len(ties) > 1:
        raise Unsupported(f"expected clues of full-rank with the same ties for the format 'iss', got {', '.join(sorted(ties))}")
    if ties:
        plan = replace(plan, ties=ties.pop())
        words += [word_text(TIES, plan.ties)] * (plan.ties != "only-unclued")
    problems: list[str] = []
    for rule in _strict(plan, rules, words):
        try:
            words += said(plan, rule)
        except InvalidInput as error:
            problems += error.problems
    if problems:
        raise Unsupported(dict.fromkeys(problems))
    text = "".join(_each_once([*words, *_givens(plan, puzzle)])) or word_text("Shape", "9x9")
    if len(text) > LONGEST_STRING:
        raise Unsupported(f"expected a puzzle of at most {LONGEST_STRING} characters for the format 'iss', got {len(text)}")
    return text


def said(plan: Plan, rule: Any, *, nested: bool = False) -> list[str]:
    """Return the words that say a rule together; ``nested`` inside Or and And, where not every word may stand."""
    if compares_numbers(plan, rule):
        what = "mean the same however unknown regions are numbered"
        raise Unsupported(f"expected rules about the numbers of regions that {what}, got {rule.kind!r} (json says everything)")
    if rule.kind == "any-of":
        return [composite_text("Or", (_one(plan, one) for one in rule.rules))]
    if rule.kind == "all-of":
        return [composite_text("And", _each_once(word for one in rule.rules for word in said(plan, one, nested=True)))]
    if rule.kind == "repeated":
        return _repeated(plan, rule)
    found = _own_words(plan, rule, nested=nested)
    return lowered_words(plan, rule) if found is None else found


def _own_words(plan: Plan, rule: Any, *, nested: bool) -> list[str] | None:
    """Return the words that strings have for a rule, None where they have none."""
    for saying in KINDS.get(rule.kind, ()):
        found = saying.write(plan, rule) if saying.nests or not nested else None
        if found is not None:
            return found
    return None


def _can_move(plan: Plan, rule: Any) -> bool:
    """Say whether the words for a rule mean the moved rule when they are moved; what it lowers to does not."""
    if rule.kind in {"any-of", "all-of"}:
        return all(_can_move(plan, one) for one in rule.rules)
    return rule.kind not in OUTSIDE and _own_words(plan, rule, nested=True) is not None


def _repeated(plan: Plan, rule: Any) -> list[str]:
    """Return the rules once and where they come again; or all the copies, where a string would not find each of them."""
    places = [(0, 0), *rule.shifts]
    left, top = max(0, -min(right for _, right in places)), max(0, -min(down for down, _ in places))
    width = plan.columns - max(right for _, right in places)
    offsets = [down * plan.columns + right for down, right in places]
    copies = [one for shift in rule.shifts for one in Repeated(rule.rules, (shift,)).everywhere(plan.grid)]
    whole = len(copies) == 2 * len(rule.rules) * len(rule.shifts)
    if not whole or not all(_can_move(plan, one) for one in rule.rules) or top or left >= width or min(offsets) < 0:
        copies_text = (word for one in rule.everywhere(plan.grid) for word in said(plan, one, nested=True))
        return [composite_text("And", _each_once(copies_text))]
    origin = [] if left == 0 else [plan.name(plan.grid.cell_at[0, left])]
    inside = _each_once(word for one in rule.rules for word in said(plan, one, nested=True))
    return [composite_text("Replicate", inside, set_text(offsets), *origin)]


def _one(plan: Plan, rule: Any) -> str:
    words = said(plan, rule, nested=True)
    return words[0] if len(words) == 1 else composite_text("And", _each_once(words))


def _all(rules: Iterable[Any]) -> Iterator[Any]:
    """Yield the rules, and those inside them."""
    for rule in rules:
        yield rule
        yield from _all(getattr(rule, "rules", ()))


def _strict(plan: Plan, rules: Sequence[Any], words: list[str]) -> list[Rule]:
    """Return the rules but those that a word about all unmarked neighbours says, which is added to ``words``."""
    left = list(rules)
    dots, letters = (None if in_alternatives(rules, marks) else marked(plan, rules, marks) for marks in (DOTS, LETTERS))
    differences = [one for one in left if one.kind == "negative-difference" and one.differences == (1,) and _pairs(one) == dots]
    ratios = [one for one in left if one.kind == "negative-ratio" and one.ratios == (2,) and _pairs(one) == dots]
    sums = [one for one in left if one.kind == "negative-sum" and set(one.sums) == {5, 10} and _pairs(one) == letters]
    if differences and ratios:
        words.append(word_text("StrictKropki"))
        left = [one for one in left if one not in (*differences, *ratios)]
    if sums:
        words.append(word_text("StrictXV"))
        left = [one for one in left if one not in sums]
    return left


def _pairs(rule: Any) -> tuple[tuple[int, ...], ...]:
    return tuple(sorted({tuple(sorted(pair)) for pair in rule.exempt}))


def _givens(plan: Plan, puzzle: Puzzle) -> list[str]:
    numbered = [cell for cell in (*puzzle.givens, *puzzle.candidates) if cell in plan.region_numbers]
    if numbered:
        raise Unsupported("expected no given numbers of unknown regions for the format 'iss', where such a number means nothing")
    known = [f"{plan.name(cell)}_{value}" for cell, value in puzzle.givens.items()]
    known += ["_".join([plan.name(cell), *map(str, members(domain))]) for cell, domain in puzzle.candidates.items()]
    return [word_text(GIVEN, *known)] if known else []


def _each_once(words: Iterable[str]) -> Iterator[str]:
    """Yield the words; a second clue in the same place is put into an And, where it does not replace the first."""
    seen: set[tuple[str, ...]] = set()
    for word in words:
        name, *arguments = word[1:].split("~")
        if name not in LAST_COUNTS:
            yield word
            continue
        place = (name, arguments[0])
        if name in {"LittleKiller", "Sandwich"}:
            place = (name, arguments[1])
        elif name != "Quad":
            place = (name, f"{arguments[0]} from its {'first' if arguments[1] else 'last'} cell")
        yield composite_text("And", [word]) if place in seen else word
        seen.add(place)
