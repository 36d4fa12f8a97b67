"""Words with a table, a pattern or an automaton in letters: Pair, PairX, Regex, NFA, and their older names."""

from __future__ import annotations

from base64 import urlsafe_b64decode, urlsafe_b64encode
from binascii import Error as BrokenBase64
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import chain, groupby
from string import ascii_lowercase, ascii_uppercase, digits
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias
from urllib.parse import unquote

from sudoku_cp.errors import ParseError, Unsupported
from sudoku_cp.formats.base import make_rule
from sudoku_cp.formats.iss.board_layout import word_text
from sudoku_cp.formats.iss.cell_set_words import WordConverter, headed, runs, write_only
from sudoku_cp.rules.line_helpers import allowed_pairs, differ_by

if TYPE_CHECKING:
    from sudoku_cp.formats.iss.board_layout import IssLayout
    from sudoku_cp.formats.iss.cell_set_words import WriteRule
    from sudoku_cp.grid import Cell
    from sudoku_cp.rules.base import Rule


_NAME = "_"
_BREAK = "-"
_OLD = str.maketrans("-_", "_-")
_LONGEST_PATTERN = 2000
_MOST_STEPS = 200_000


def split_groups(arguments: Sequence[str]) -> list[list[str]]:
    """Return the groups of cells that share a table; empty arguments, or names that begin with ``_``, separate them."""
    found = []
    for parts, names in groupby(arguments, lambda name: not name or name.startswith(_NAME)):
        if not parts:
            found.append(list(names))
    if not found:
        raise ParseError("expected cells, got none")
    return found


# --- pairs ------------------------------------------------------------------------------------------------------


def _pair_converter(name: str, kind: str, write: WriteRule, *, old: bool = False) -> WordConverter:
    """Return the converter of a word with a table of pairs; ``old``: in the encoding of older versions."""

    def read(layout: IssLayout, key: str, names: Sequence[str]) -> list[Rule]:
        pairs = parse_pairs(key.translate(_OLD) if old else key, layout.values)
        if kind == "pairs-of-all":  # which of two cells comes first does not matter there
            pairs = tuple(pair for pair in pairs if pair[::-1] in set(pairs))
        return [make_rule(kind, cells=layout.cells(group), pairs=pairs) for group in split_groups(names)]

    return WordConverter(name, kind, headed("a table of pairs and cells", read), write)


def _write_in_order(layout: IssLayout, rule: Any) -> list[str] | None:
    return [pair_text(layout, rule.pairs, [rule.cells])] if rule.cells and _on_board_values(layout, rule.pairs) else None


def _write_of_all(layout: IssLayout, rule: Any) -> list[str] | None:
    both = {(one, other) for one, other in rule.pairs} == {(other, one) for one, other in rule.pairs}
    fits = rule.cells and both and _on_board_values(layout, rule.pairs)
    return [pair_text(layout, rule.pairs, [rule.cells], "PairX")] if fits else None


def _write_nabner(layout: IssLayout, rule: Any) -> list[str] | None:
    cells = tuple(dict.fromkeys(rule.cells))  # a cell that the line visits twice counts once
    return [pair_text(layout, allowed_pairs(differ_by, layout.values, 2), [cells], "PairX")] if len(cells) > 1 else None


def _on_board_values(layout: IssLayout, pairs: Iterable[tuple[int, int]]) -> bool:
    return all(value in layout.values for pair in pairs for value in pair)


def pair_text(layout: IssLayout, pairs: Iterable[tuple[int, int]], groups: Sequence[Sequence[Cell]], word: str = "Pair") -> str:
    """Return the word that allows only ``pairs`` for each two neighbours in each group."""
    names = [name for group in groups for name in ("", *layout.names(group))]
    return word_text(word, pairs_text(pairs, layout.values), _NAME, *names[1:])


# --- patterns ---------------------------------------------------------------------------------------------------


def _read_regex(layout: IssLayout, spec: str, names: Sequence[str]) -> list[Rule]:
    pattern = _parse_pattern(spec)
    return [make_rule("regular-expression", cells=layout.cells(group), pattern=pattern) for group in split_groups(names)]


def _parse_pattern(spec: str) -> str:
    if "%" in spec:  # as older versions wrote it
        found = unquote(spec)
    else:
        try:
            found = urlsafe_b64decode(spec + "=" * (-len(spec) % 4)).decode("latin-1")
        except (BrokenBase64, ValueError) as error:
            raise ParseError(f"expected a pattern in base64, got {spec[:40]!r}") from error
    pattern = "".join(found.split()).upper()  # a letter is a value above 9 in either case
    if len(pattern) > _LONGEST_PATTERN:
        raise ParseError(f"expected a pattern of at most {_LONGEST_PATTERN} signs, got {len(pattern)}")
    return pattern


def _write_regex(layout: IssLayout, rule: Any) -> list[str] | None:
    if not rule.cells or not rule.pattern.isascii() or rule.pattern != "".join(rule.pattern.split()):
        return None
    letters = urlsafe_b64encode(rule.pattern.encode("ascii")).decode("ascii").rstrip("=")
    return [word_text("Regex", letters, *layout.names(rule.cells))]


# --- automata ---------------------------------------------------------------------------------------------------


def _read_nfa(layout: IssLayout, spec: str, names: Sequence[str]) -> list[Rule]:
    automaton = parse_automaton(spec)
    if automaton.signs > len(layout.values) + 1:
        raise ParseError(f"expected an automaton over {len(layout.values)} values, got one over {automaton.signs}")
    return [
        _automaton_over_runs(layout, automaton, [tuple(map(layout.cell, run)) for run in runs(group)])
        for group in split_groups(names)
    ]


def _automaton_over_runs(layout: IssLayout, automaton: PackedAutomaton, line: list[tuple[Cell, ...]]) -> Rule:
    """Return the automaton over all runs; between two runs (even empty ones) it reads a break, the symbol after all values."""
    first, last = layout.values[0], len(layout.values)
    cells = tuple(chain.from_iterable(line))
    if not cells:
        raise ParseError("expected cells, got none")
    if len(line) == 1:
        edges = tuple([(before, first + sign, after) for before, sign, after in automaton.edges if sign < last])
        return make_rule("automaton", cells=cells, start=automaton.start, edges=edges, accepting=automaton.accepting)
    if not any(sign == last for _, sign, _ in automaton.edges):
        raise ParseError(f"expected an automaton that knows a break between {len(line)} runs of cells, got one that does not")
    if len(cells) * len(automaton.edges) > _MOST_STEPS:
        raise ParseError(f"expected an automaton of at most {_MOST_STEPS} steps over all runs, got one of more")
    return make_rule("automaton", cells=cells, **_with_breaks(automaton, layout.values, tuple(_count_breaks(line))))


def _count_breaks(line: list[tuple[Cell, ...]]) -> list[int]:
    """Return how many breaks stand before each cell, and after the last."""
    found, waiting = [], -1
    for run in line:
        waiting += 1
        for _ in run:
            found.append(waiting)
            waiting = 0
    return [*found, waiting]


def _after_breaks(over: Mapping[int, set[int]], states: Iterable[int], breaks: int) -> set[int]:
    """Return the states that so many breaks lead to."""
    found = set(states)
    for _ in range(breaks):
        found = {after for before in found for after in over.get(before, ())}
    return found


@lru_cache(maxsize=64)
def _with_breaks(automaton: PackedAutomaton, values: range, breaks: tuple[int, ...]) -> dict[str, Any]:
    """Return the fields of the automaton with states for each place of a line; a step includes the breaks that follow its cell.

    Lines that are cut into runs alike share it.
    """
    numbers: dict[tuple[int, int], int] = {}

    def number(place: int, state: int) -> int:
        return numbers.setdefault((place, state), len(numbers))

    over: dict[int, set[int]] = {}
    steps: dict[int, list[tuple[int, int]]] = {}
    for before, sign, after in automaton.edges:
        if sign == len(values):
            over.setdefault(before, set()).add(after)
        else:
            steps.setdefault(before, []).append((values[sign], after))
    reached = _after_breaks(over, automaton.start, breaks[0])
    start = tuple(number(0, state) for state in sorted(reached))
    found = []
    for place, following in enumerate(breaks[1:]):
        behind = {after: _after_breaks(over, (after,), following) for before in reached for _, after in steps.get(before, ())}
        found += [
            (number(place, before), value, number(place + 1, end))
            for before in reached
            for value, after in steps.get(before, ())
            for end in behind[after]
        ]
        reached = set().union(*behind.values())
    accepting = tuple(number(len(breaks) - 1, state) for state in automaton.accepting if state in reached)
    return {"start": start, "edges": tuple(found), "accepting": accepting}


def _write_nfa(layout: IssLayout, rule: Any) -> list[str] | None:
    fits = rule.cells and all(value in layout.values for _, value, _ in rule.edges)
    return [nfa_text(layout, rule.cells, rule.start, rule.edges, rule.accepting)] if fits else None


def nfa_text(
    layout: IssLayout,
    cells: Sequence[Cell],
    start: Iterable[int],
    edges: Iterable[tuple[int, int, int]],
    accepting: Iterable[int],
) -> str:
    """Return the word of an automaton over values of the board."""
    signs = tuple((before, value - layout.values[0], after) for before, value, after in edges)
    letters = automaton_text(PackedAutomaton(len(layout.values), tuple(start), signs, tuple(accepting)))
    return word_text("NFA", letters, _NAME, *layout.names(cells))


CONVERTERS = (
    _pair_converter("Pair", "pairs-in-order", _write_in_order),
    _pair_converter("PairX", "pairs-of-all", _write_of_all),
    WordConverter("", "nabner", write_only, _write_nabner),
    _pair_converter("Binary", "pairs-in-order", lambda _layout, _rule: None, old=True),
    _pair_converter("BinaryX", "pairs-of-all", lambda _layout, _rule: None, old=True),
    WordConverter("Regex", "regular-expression", headed("a pattern and cells", _read_regex), _write_regex),
    WordConverter("NFA", "automaton", headed("an automaton and cells", _read_nfa), _write_nfa),
)


# The base64 codes of the Interactive Sudoku Solver for pair tables, sets of cells and automata: six bits a letter.
#
# Pair tables and sets begin with the lowest bit of each letter, automata with the highest.


LETTERS = ascii_uppercase + ascii_lowercase + digits + "-_"
_NUMBER = {letter: number for number, letter in enumerate(LETTERS)}
_BITS = 6
_GROUP = 4
"""Letters are decoded in groups of so many, three bytes each."""
_PLAIN, _PACKED = 0, 1
_MOST_STATES = 4096
_MOST_LETTERS = 200_000

Edge: TypeAlias = "tuple[int, int, int]"
"""A state, the number of the symbol that is read (from 0), the next state."""


class PackedAutomaton(NamedTuple):
    """An automaton over the symbols 0 to ``signs`` - 1."""

    signs: int
    start: tuple[int, ...]
    edges: tuple[Edge, ...]
    accepting: tuple[int, ...]


def _require_letters(text: str) -> None:
    wrong = sorted(set(text) - _NUMBER.keys())
    if wrong:
        raise ParseError(f"expected letters, digits, '-' and '_' (base64), got {''.join(wrong)[:20]!r}")


def _decode_letters(text: str) -> list[int]:
    _require_letters(text)
    return [_NUMBER[letter] for letter in text]


# --- sets of numbers, and pairs ---------------------------------------------------------------------------------


def parse_set(text: str) -> list[int]:
    """Return the numbers (from 0) in a set."""
    return [
        place * _BITS + bit for place, number in enumerate(_decode_letters(text)) for bit in range(_BITS) if number >> bit & 1
    ]


def set_text(numbers: Iterable[int]) -> str:
    """Return the letters of a set of numbers."""
    bits = 0
    for number in numbers:
        bits |= 1 << number
    return "".join(LETTERS[bits >> start & 63] for start in range(0, bits.bit_length(), _BITS))


def parse_pairs(text: str, values: range) -> tuple[tuple[int, int], ...]:
    """Return the pairs of values that a table allows; each row belongs to a first value."""
    size = len(values)
    if len(text) * _BITS >= size * size + _BITS:
        raise ParseError(f"expected a table of at most {-(-size * size // _BITS)} letters for {size} values, got {len(text)}")
    found = parse_set(text)
    if found and found[-1] >= size * size:
        raise ParseError(f"expected a table of {size} x {size} values, got one that continues after them")
    return tuple((values[number // size], values[number % size]) for number in found)


def pairs_text(pairs: Iterable[tuple[int, int]], values: range) -> str:
    """Return a table of allowed pairs as letters."""
    first, size = values.start, len(values)
    return set_text((one - first) * size + other - first for one, other in pairs)


# --- automata ---------------------------------------------------------------------------------------------------


class _AutomatonBits:
    """Reads a text bit by bit, the highest of each letter first; bits that fill no byte at the end are padding."""

    def __init__(self, text: str) -> None:
        _require_letters(text)
        whole = int.from_bytes(urlsafe_b64decode(text + LETTERS[0] * (-len(text) % _GROUP)), "big")
        self._digits = f"{whole:0{-(-len(text) // _GROUP) * _GROUP * _BITS}b}"
        self._at = 0
        self.left = len(text) * _BITS // 8 * 8

    def take(self, count: int) -> int:
        """Return the next bits as a number, 0 for none."""
        if count > self.left:
            raise ParseError("expected a whole automaton, got one that breaks off")
        first = self._at
        self.left -= count
        self._at += count
        return int(self._digits[first : self._at], 2) if count else 0

    def take_numbers(self, number: int, width: int) -> list[int]:
        """Return so many numbers of ``width`` bits each."""
        count, mask = number * width, (1 << width) - 1
        together = self.take(count)
        return [together >> place & mask for place in range(count - width, -1, -width)]


def parse_automaton(text: str) -> PackedAutomaton:
    """Return the automaton of a text; an empty text accepts nothing."""
    if not text:
        return PackedAutomaton(1, (0,), (), ())
    if len(text) > _MOST_LETTERS:
        raise ParseError(f"expected an automaton of at most {_MOST_LETTERS} letters, got {len(text)}")
    bits = _AutomatonBits(text)
    layout, width, signs = bits.take(2), bits.take(4) + 1, bits.take(4) + 1
    if layout not in (_PLAIN, _PACKED):
        raise ParseError(f"expected an automaton in layout 0 or 1, got {layout}")
    starts, others = bits.take(width), bits.take(width)
    accepts = bits.take(starts)
    edges = _packed_edges(bits, width, signs) if layout == _PACKED else _plain_edges(bits, width, (signs - 1).bit_length())
    accepting = (*(state for state in range(starts) if accepts >> state & 1), *range(starts, starts + others))
    return PackedAutomaton(signs, tuple(range(starts)), tuple(edges), accepting)


def _plain_edges(bits: _AutomatonBits, width: int, sign_width: int) -> list[Edge]:
    edges: list[Edge] = []
    state, count_width = 0, bits.take(4)
    after = (1 << width) - 1
    while count_width and bits.left >= count_width:
        steps = bits.take_numbers(bits.take(count_width), sign_width + width)
        edges += [(state, step >> width, step & after) for step in steps]
        state += 1
    return edges


def _packed_edges(bits: _AutomatonBits, width: int, signs: int) -> list[Edge]:
    edges: list[Edge] = []
    state = 0
    while bits.left >= signs:
        mask = bits.take(signs)
        known = [sign for sign in range(signs) if mask >> sign & 1]
        edges += [(state, sign, after) for sign, after in zip(known, bits.take_numbers(len(known), width), strict=True)]
        state += 1
    return edges


def automaton_text(automaton: PackedAutomaton) -> str:
    """Return an automaton as letters, in the plain layout, which fits every automaton; empty if it accepts nothing.

    States are renumbered: start states, then accepting states, then the others.
    """
    order = _renumber_states(automaton)
    steps: dict[int, set[tuple[int, int]]] = {}
    for before, sign, after in automaton.edges:
        if before in order:
            steps.setdefault(order[before], set()).add((sign, order[after]))
    accepting = {order[state] for state in automaton.accepting if state in order}
    if not accepting:
        return ""
    longest = max(map(len, steps.values()), default=0)
    if len(order) > _MOST_STATES or automaton.signs > 16 or longest >> 15:  # noqa: PLR2004  # the widths of the fields
        raise Unsupported(f"expected an automaton of at most {_MOST_STATES} states over 16 values, got {len(order)} states")
    starts = len(set(automaton.start))
    width, sign_width = max(1, len(order).bit_length()), (automaton.signs - 1).bit_length()
    accepts = sum(1 << state for state in accepting if state < starts)
    fields = [(_PLAIN, 2), (width - 1, 4), (automaton.signs - 1, 4), (starts, width)]
    fields += [(sum(state >= starts for state in accepting), width), (accepts, starts), (max(1, longest.bit_length()), 4)]
    for state in range(len(order)):
        out = sorted(steps.get(state, ()))
        fields.append((len(out), max(1, longest.bit_length())))
        for sign, after in out:
            fields += [(sign, sign_width), (after, width)]
    return _encode_bits("".join(f"{number:0{count}b}" for number, count in fields if count))


def _renumber_states(automaton: PackedAutomaton) -> dict[int, int]:
    """Return the new number of each state that can be reached."""
    steps: dict[int, list[int]] = {}
    for before, _, after in automaton.edges:
        steps.setdefault(before, []).append(after)
    reached, todo = set(automaton.start), list(automaton.start)
    while todo:
        for after in steps.get(todo.pop(), ()):
            if after not in reached:
                reached.add(after)
                todo.append(after)
    accepting = set(automaton.accepting)
    ranked = sorted(reached, key=lambda state: (state not in automaton.start, state not in accepting, state))
    return {state: number for number, state in enumerate(ranked)}


def _encode_bits(digits_of_bits: str) -> str:
    whole = digits_of_bits + "0" * (-len(digits_of_bits) % 8)
    whole += "0" * (-len(whole) % _BITS)
    return "".join(LETTERS[int(whole[start : start + _BITS], 2)] for start in range(0, len(whole), _BITS))
