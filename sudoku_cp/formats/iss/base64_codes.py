"""The base64 codes of the Interactive Sudoku Solver for pair tables, sets of cells and automata: six bits a letter.

Pair tables and sets begin with the lowest bit of each letter, automata with the highest.
"""

from __future__ import annotations

from base64 import urlsafe_b64decode
from collections.abc import Iterable
from string import ascii_lowercase, ascii_uppercase, digits
from typing import NamedTuple, TypeAlias

from sudoku_cp.errors import ParseError, Unsupported

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
