"""A puzzle to its constraint string. A rule without a word of its own is written as the constraints it lowers to, or refused."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import product
from math import comb
from typing import TYPE_CHECKING, Any, assert_never

from sudoku_cp.errors import InvalidInput, Unsupported
from sudoku_cp.formats.iss.automaton_words import nfa_text, pair_text, set_text
from sudoku_cp.formats.iss.board_layout import GIVEN, LONGEST_STRING, composite_text, word_text
from sudoku_cp.formats.iss.cell_set_words import given_text, sum_text
from sudoku_cp.formats.iss.region_words import compares_numbers, words_of_board
from sudoku_cp.formats.iss.string_reader import KINDS, LAST_COUNTS, OUTSIDE, STRICT, TIES, in_alternatives, marked_pairs
from sudoku_cp.model import (
    AllDifferent,
    Automaton,
    Clause,
    Connected,
    Count,
    DigitSet,
    Linear,
    Partition,
    Table,
    cells_of,
    members,
    to_mask,
)
from sudoku_cp.model.layered_graph import layered_graph
from sudoku_cp.rules.composite import Repeated

if TYPE_CHECKING:
    from sudoku_cp.formats.iss.board_layout import IssLayout
    from sudoku_cp.grid import Cell
    from sudoku_cp.model import Constraint
    from sudoku_cp.puzzle import Puzzle
    from sudoku_cp.rules.base import Rule


def format_puzzle(puzzle: Puzzle) -> str:
    """Return the constraint string of a puzzle, or raise `Unsupported` with everything that it cannot express."""
    layout, words = words_of_board(puzzle)
    rules: list[Any] = [rule for rule in puzzle.rules if rule.kind != "houses"]
    ties = {rule.ties for rule in _all_rules(rules) if rule.kind == "full-rank"}
    if len(ties) > 1:
        raise Unsupported(f"expected clues of full-rank with the same ties for the format 'iss', got {', '.join(sorted(ties))}")
    if ties:
        layout = replace(layout, ties=ties.pop())
        words += [word_text(TIES, layout.ties)] * (layout.ties != "only-unclued")
    problems: list[str] = []
    for rule in _extract_strict(layout, rules, words):
        try:
            words += words_of_rule(layout, rule)
        except InvalidInput as error:
            problems += error.problems
    if problems:
        raise Unsupported(dict.fromkeys(problems))
    text = "".join(_each_once([*words, *_words_of_givens(layout, puzzle)])) or word_text("Shape", "9x9")
    if len(text) > LONGEST_STRING:
        raise Unsupported(f"expected a puzzle of at most {LONGEST_STRING} characters for the format 'iss', got {len(text)}")
    return text


def words_of_rule(layout: IssLayout, rule: Any, *, nested: bool = False) -> list[str]:
    """Return the words that together express a rule; ``nested``: inside Or and And, where not every word is allowed."""
    if compares_numbers(layout, rule):
        what = "mean the same however unknown regions are numbered"
        raise Unsupported(
            f"expected rules about the numbers of regions that {what}, got {rule.kind!r} (json can express everything)"
        )
    if rule.kind == "any-of":
        return [composite_text("Or", (_single_word(layout, one) for one in rule.rules))]
    if rule.kind == "all-of":
        return [composite_text("And", _each_once(word for one in rule.rules for word in words_of_rule(layout, one, nested=True)))]
    if rule.kind == "repeated":
        return _words_of_repeated(layout, rule)
    found = _own_words(layout, rule, nested=nested)
    return lowered_words(layout, rule) if found is None else found


def _own_words(layout: IssLayout, rule: Any, *, nested: bool) -> list[str] | None:
    """Return the words of a rule's own kind, None if there are none."""
    for converter in KINDS.get(rule.kind, ()):
        found = converter.write(layout, rule) if converter.nests or not nested else None
        if found is not None:
            return found
    return None


def _can_move(layout: IssLayout, rule: Any) -> bool:
    """Return whether moving the words of a rule moves its meaning, which is not true of what it lowers to."""
    if rule.kind in {"any-of", "all-of"}:
        return all(_can_move(layout, one) for one in rule.rules)
    return rule.kind not in OUTSIDE and _own_words(layout, rule, nested=True) is not None


def _words_of_repeated(layout: IssLayout, rule: Any) -> list[str]:
    """Return the rules once with their shifts (Replicate), or all copies if Replicate would not produce exactly these."""
    places = [(0, 0), *rule.shifts]
    left, top = max(0, -min(right for _, right in places)), max(0, -min(down for down, _ in places))
    width = layout.columns - max(right for _, right in places)
    offsets = [down * layout.columns + right for down, right in places]
    copies = [one for shift in rule.shifts for one in Repeated(rule.rules, (shift,)).everywhere(layout.grid)]
    whole = len(copies) == 2 * len(rule.rules) * len(rule.shifts)
    if not whole or not all(_can_move(layout, one) for one in rule.rules) or top or left >= width or min(offsets) < 0:
        copies_text = (word for one in rule.everywhere(layout.grid) for word in words_of_rule(layout, one, nested=True))
        return [composite_text("And", _each_once(copies_text))]
    origin = [] if left == 0 else [layout.name(layout.grid.cell_at[0, left])]
    inside = _each_once(word for one in rule.rules for word in words_of_rule(layout, one, nested=True))
    return [composite_text("Replicate", inside, set_text(offsets), *origin)]


def _single_word(layout: IssLayout, rule: Any) -> str:
    words = words_of_rule(layout, rule, nested=True)
    return words[0] if len(words) == 1 else composite_text("And", _each_once(words))


def _all_rules(rules: Iterable[Any]) -> Iterator[Any]:
    """Yield the rules, and those inside them."""
    for rule in rules:
        yield rule
        yield from _all_rules(getattr(rule, "rules", ()))


def _extract_strict(layout: IssLayout, rules: Sequence[Any], words: list[str]) -> list[Rule]:
    """Return the rules except those that a word about all unmarked neighbours expresses, which is added to ``words``."""
    left = list(rules)
    for name, (marks, negatives) in STRICT.items():
        exempt = None if in_alternatives(rules, marks) else marked_pairs(layout, rules, marks)
        meant = [
            one
            for one in left
            if one.kind in negatives
            and set(getattr(one, negatives[one.kind][0])) == {*negatives[one.kind][1]}
            and _pairs(one) == exempt
        ]
        if {one.kind for one in meant} == negatives.keys():
            words.append(word_text(name))
            left = [one for one in left if one not in meant]
    return left


def _pairs(rule: Any) -> tuple[tuple[int, ...], ...]:
    return tuple(sorted({tuple(sorted(pair)) for pair in rule.exempt}))


def _words_of_givens(layout: IssLayout, puzzle: Puzzle) -> list[str]:
    numbered = [cell for cell in (*puzzle.givens, *puzzle.candidates) if cell in layout.region_numbers]
    if numbered:
        expected = "no given numbers of unknown regions for the format 'iss', where such a number means nothing"
        raise Unsupported(f"expected {expected}, got {' '.join(map(puzzle.grid.cell_name, numbered)):.80}")
    known = [f"{layout.name(cell)}_{value}" for cell, value in puzzle.givens.items()]
    known += ["_".join([layout.name(cell), *map(str, members(domain))]) for cell, domain in puzzle.candidates.items()]
    return [word_text(GIVEN, *known)] if known else []


def _each_once(words: Iterable[str]) -> Iterator[str]:
    """Yield the words; a second clue at the same place is put into an And, so that it does not replace the first."""
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


# Rules without a word in constraint strings, written as the constraints they lower to.


NEVER = word_text("Sum", -1, "R1C1")
"""A contradiction: no value is below 0."""
_LARGEST_FACTOR = 100
_MANY = 20
"""More alternative sets of values for one area than this are hard to solve when they are read back."""


def lowered_words(layout: IssLayout, rule: Rule) -> list[str]:
    """Return words that together mean a rule; refuse a rule that needs auxiliary variables or connected cells."""
    words: list[str] = []
    pairs: dict[frozenset[tuple[int, ...]], list[tuple[Cell, ...]]] = {}
    for _, constraint in rule.lower(layout.grid):
        cells = cells_of(constraint)
        if min(cells, default=0) < 0 or isinstance(constraint, Connected | Partition):
            raise Unsupported(
                f"expected rules that constraint strings can express, got {rule.kind!r} (json can express everything)"
            )
        if len(cells) == 2 and not isinstance(constraint, AllDifferent):  # noqa: PLR2004
            pairs.setdefault(_allowed_tuples(layout, constraint, cells), []).append(cells)
        else:
            words += _words_of_constraint(layout, constraint, cells)
    everything = len(layout.values) ** 2
    tables = [(table, groups) for table, groups in pairs.items() if len(table) < everything]
    return words + [pair_text(layout, ((one, other) for one, other in table), groups) for table, groups in tables]


def _allowed_tuples(layout: IssLayout, constraint: Constraint, cells: tuple[Cell, ...]) -> frozenset[tuple[int, ...]]:
    values = [0] * len(layout.grid.cells)
    found = []
    for chosen in product(layout.values, repeat=len(cells)):
        for cell, value in zip(cells, chosen, strict=True):
            values[cell] = value
        if constraint.holds(values):
            found.append(chosen)
    return frozenset(found)


def _words_of_constraint(layout: IssLayout, constraint: Constraint, cells: tuple[Cell, ...]) -> list[str]:
    if len(cells) < 2:  # noqa: PLR2004
        allowed = _allowed_tuples(layout, constraint, cells)
        if len(allowed) == len(layout.values) ** len(cells):
            return []
        return [given_text(layout, cells[0], [value for (value,) in sorted(allowed)])] if allowed else [NEVER]
    match constraint:
        case AllDifferent(named):
            return [word_text("AllDifferent", *layout.names(named)) if len(named) == len(cells) else NEVER]
        case DigitSet():
            return [_word_of_digit_set(layout, constraint)]
        case Clause():
            return _words_of_clause(layout, constraint)
        case Linear(terms, "==", total) if all(abs(factor) <= _LARGEST_FACTOR for _, factor in terms):
            return [sum_text(layout, [cell for cell, _ in terms], [factor for _, factor in terms], total)]
        case Linear() | Count() | Table() | Automaton():
            return [_word_of_graph(layout, constraint)]
        case Connected() | Partition():
            raise TypeError("connected cells are refused before they come here")
        case _:
            assert_never(constraint)


def _word_of_digit_set(layout: IssLayout, constraint: DigitSet) -> str:
    cells, sets = constraint.cells, [one for one in constraint.sets if not one & ~to_mask(layout.values)]
    whole = [members(one) for one in sets if one.bit_count() == len(cells)]
    if len(set(cells)) < len(cells) or not whole:
        return NEVER
    if len(whole) == comb(len(layout.values), len(cells)):
        return word_text("AllDifferent", *layout.names(cells))
    if len(whole) > _MANY:
        raise Unsupported(f"expected at most {_MANY} sets of values for one area for the format 'iss', got {len(whole)}")
    words = [word_text("ContainExact", "_".join(map(str, one)), *layout.names(cells)) for one in sorted(whole)]
    return words[0] if len(words) == 1 else composite_text("Or", words)


def _words_of_clause(layout: IssLayout, constraint: Clause) -> list[str]:
    allowed: dict[Cell, set[int]] = {}
    for cell, value, equal in constraint.literals:
        allowed.setdefault(cell, set()).update({value} & {*layout.values} if equal else {*layout.values} - {value})
    if any(len(values) == len(layout.values) for values in allowed.values()):
        return []
    return [composite_text("Or", [given_text(layout, cell, sorted(values)) for cell, values in allowed.items() if values])]


def _word_of_graph(layout: IssLayout, constraint: Linear | Count | Table | Automaton) -> str:
    """Return an automaton whose states are those of each layer of the graph."""
    cells, graph = layered_graph(constraint, [to_mask(layout.values)] * len(layout.grid.cells))
    if not all(graph):
        return NEVER
    edges: list[tuple[int, int, int]] = []
    offset, ends = 0, set[int]()
    for layer in graph:
        size = 1 + max(before for before, _, _ in layer)
        edges += [(offset + before, value, offset + size + after) for before, value, after in layer]
        ends = {offset + size + after for _, _, after in layer}
        offset += size
    return nfa_text(layout, cells, (0,), edges, sorted(ends))
