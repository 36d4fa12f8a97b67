"""An alphabet writes every value as a sign and reads every sign as its value."""

from __future__ import annotations

import pickle
from string import ascii_letters, digits

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sudoku_cp.errors import InvalidInput, UnknownName
from sudoku_cp.grid import MAX_VALUE
from sudoku_cp.puzzle import detect_symbols
from sudoku_cp.symbols import ALPHABETS, BLANKS, Symbols, alphabet, hexadecimal, letters, numerals

SPANS = [range(first, first + length) for first in (0, 1, 5) for length in (1, 2, 9, 10, 16, 25, 36, 57)]
VISIBLE = st.characters(min_codepoint=33, max_codepoint=0x2FFF).filter(lambda sign: sign.isprintable() and sign not in " .")


@pytest.mark.parametrize("values", SPANS, ids=str)
@pytest.mark.parametrize("name", ALPHABETS)
def test_a_named_alphabet_reads_what_it_writes(name: str, values: range) -> None:
    """Sign and parse undo each other over all values, and every value has a sign."""
    symbols = alphabet(name, values)
    assert [symbols.parse(symbols.sign(value)) for value in values] == list(values)
    assert symbols.covers(values)
    assert not symbols.covers(range(values.start, values.stop + 1))
    assert not symbols.covers(range(values.start - 1, values.stop))


@given(st.lists(VISIBLE, min_size=1, max_size=36, unique=True), st.integers(0, 20))
def test_any_alphabet_reads_what_it_writes(signs: list[str], first: int) -> None:
    """Sign and parse undo each other over any different visible signs."""
    symbols = Symbols("".join(signs), first)
    assert [symbols.parse(symbols.sign(value)) for value in range(first, first + len(signs))] == [
        *range(first, first + len(signs))
    ]


@pytest.mark.parametrize(
    ("symbols", "signs"),
    [
        (numerals(range(1, 10)), "123456789"),
        (numerals(range(1, 17)), "123456789ABCDEFG"),
        (numerals(range(10)), "0123456789"),
        (letters(range(1, 10)), "ABCDEFGHI"),
        (hexadecimal(range(1, 17)), "0123456789ABCDEF"),
        (numerals(range(MAX_VALUE + 1)), "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"),
    ],
)
def test_the_usual_alphabets(symbols: Symbols, signs: str) -> None:
    """The named alphabets are those that people use."""
    assert symbols.signs == signs


@pytest.mark.parametrize("value", [0, 10, -1])
def test_a_value_beyond_the_alphabet_has_no_sign(value: int) -> None:
    """A value without a sign is refused, below the first too (no negative index)."""
    with pytest.raises(InvalidInput, match=f"expected a value from 1 to 9, got {value}"):
        numerals(range(1, 10)).sign(value)


def test_either_case_is_read_while_only_one_is_in_use() -> None:
    """Lower case stands for upper case, unless both are signs of their own."""
    assert letters(range(1, 10)).parse("c") == 3
    assert Symbols("abc").parse("C") == 3
    both = letters(range(1, 37))
    assert (both.parse("A"), both.parse("a"), both.parse("Z"), both.parse("z")) == (1, 27, 26, 26)


@pytest.mark.parametrize("sign", ["0", ".", "J", "", "12", "ß", "²"])
def test_a_strange_sign_is_no_value(sign: str) -> None:
    """A sign outside the alphabet is None, not an error."""
    assert numerals(range(1, 10)).parse(sign) is None


def test_everything_wrong_with_an_alphabet_is_said_at_once() -> None:
    """Repeated, invisible and blank signs are all named."""
    with pytest.raises(InvalidInput) as caught:
        Symbols("11 2\n2.")
    assert caught.value.problems == (
        "expected different signs, got '1' more than once",
        "expected different signs, got '2' more than once",
        "expected visible signs, got ' '",
        "expected visible signs, got '\\n'",
        "expected signs for values, got '.', which is written for an empty cell",
    )


def test_an_alphabet_has_signs() -> None:
    """An alphabet needs at least one sign."""
    with pytest.raises(InvalidInput, match="expected at least one sign, got none"):
        Symbols("")


def test_an_alphabet_of_ones_own() -> None:
    """As many signs as there are values make an alphabet; anything else must be a name."""
    assert alphabet("♠♥♦♣", range(4)) == Symbols("♠♥♦♣", 0)
    with pytest.raises(UnknownName, match="9 signs of your own, one of digits, hex, letters; got 'roman'"):
        alphabet("roman", range(1, 10))


@pytest.mark.parametrize("symbols", [Symbols("abc"), letters(range(5)), numerals(range(1, 37))], ids=repr)
def test_an_alphabet_is_a_value(symbols: Symbols) -> None:
    """Repr rebuilds it, and pickling keeps it, used or not."""
    symbols.parse("a")
    assert eval(repr(symbols)) == symbols  # noqa: S307
    assert pickle.loads(pickle.dumps(symbols)) == symbols  # noqa: S301
    assert hash(pickle.loads(pickle.dumps(symbols))) == hash(symbols)  # noqa: S301


# --- telling the alphabet from a text ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "size", "found"),
    [
        ("", 9, numerals),
        (".........", 9, numerals),
        (BLANKS, 9, numerals),
        ("xxxx", 9, numerals),
        ("XXXX", 25, numerals),
        ("1..4", 9, numerals),
        ("0..4", 9, numerals),
        ("A.C", 9, letters),
        ("a.c", 9, letters),
        ("AxC", 9, letters),
        ("J", 9, numerals),
        ("A1", 9, numerals),
        ("00A0", 9, letters),
        ("0AXC", 9, letters),
        ("0A1C", 9, numerals),
        ("ABG.", 16, letters),
        ("0H.", 16, letters),
        ("ABG1", 16, numerals),
        ("0A.", 16, hexadecimal),
        ("0A", 16, numerals),
        ("0AG.", 16, numerals),
        ("0Ag.", 16, numerals),
        ("0AZ.", 36, hexadecimal),
        ("0Aa.", 36, numerals),
    ],
)
def test_the_alphabet_shows_in_the_text(text: str, size: int, found) -> None:
    """Letters alone are letters, a zero beside other blanks is hexadecimal, all else is numerals."""
    values = range(1, size + 1)
    assert detect_symbols(text, values) == found(values)


@given(st.text(ascii_letters + digits + BLANKS, max_size=40), st.integers(2, 36))
def test_a_text_that_some_alphabet_reads_is_read(text: str, size: int) -> None:
    """The alphabet found reads every sign of the text, if numerals or letters can."""
    values = range(1, size + 1)

    def reads(symbols: Symbols) -> bool:
        return all(symbols.parse(sign) is not None or sign in BLANKS for sign in text)

    found = detect_symbols(text, values)
    assert found in {numerals(values), letters(values), hexadecimal(values)}
    assert reads(found) or not (reads(numerals(values)) or reads(letters(values)))
