"""Techniques and rules have the names that people use, wherever one is named; near misses name the nearest."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from sudoku_cp import Puzzle, steps
from sudoku_cp.errors import InvalidInput, UnknownName, shorten
from sudoku_cp.generate.request_parsing import parse_request
from sudoku_cp.generate.requested_rules import find_kind, parse_rule_kind, rule_by_name
from sudoku_cp.grid import Grid
from sudoku_cp.logic import parse_technique
from sudoku_cp.logic.ladder import rungs_named
from sudoku_cp.logic.step import Technique, parse_techniques
from sudoku_cp.name_table import NameTable
from sudoku_cp.rules import RULES, rule_from_json

if TYPE_CHECKING:
    from collections.abc import Callable

TECHNIQUES = {
    "Y-Wing": "0800",
    "kite": "0401",
    "2-String Kites": "0401",
    "pointing pair": "0100",
    "Pointing Pairs": "0100",
    "box/line reduction": "0101",
    "claiming": "0101",
    "unique rectangle": "0600 0601 0602 0603 0604 0605",
    "Unique Rectangle Type 2": "0601",
    "UR": "0600 0601 0602 0603 0604 0605",
    "forcing chain": "1301 1302",
    "Forcing Chains": "1301 1302",
    "simple coloring": "0500 0501",
    "x-wings": "0300",
    "naked triplet": "0201",
    "BUG": "0610",
    "alternating inference chains": "0708",
    "locked candidates": "0100 0101",
}
RULES_ELSEWHERE = {
    "windows": "windoku",
    "Hyper Sudoku": "windoku",
    "numbered rooms": "numbered-room",
    "NumberedRoom": "numbered-room",
    "X-sums": "x-sum",
    "thermo": "thermometer",
    "Thermo Sudoku": "thermometer",
    "German whispers": "whisper",
    "german_whispers": "whisper",
    "AntiKnight": "anti-knight",
    "anti knight": "anti-knight",
    "renban lines": "renban",
    "little killers": "little-killer",
    "arrow sudoku": "arrow",
    "towers": "skyscraper",
    "killer": "killer-cage",
    "kropki": "kropki",
}


@pytest.mark.parametrize("name", TECHNIQUES)
def test_a_technique_has_the_names_that_people_use(name: str) -> None:
    """A name is read alike by `steps`, by `generate`, and where techniques are searched for; a family is all of its members."""
    codes = TECHNIQUES[name].split()
    assert [one.code for one in parse_techniques(name)] == codes
    assert {rung.technique.code for rung in rungs_named([name])} <= set(codes)
    (needed,) = parse_request(needs=name).needs
    assert {one.code for one in ((needed,) if isinstance(needed, Technique) else needed)} <= set(codes)
    assert steps(Puzzle(Grid.square(4), givens={0: 1}), name).steps is not None


def test_every_title_and_code_means_its_technique() -> None:
    """No family and no further name takes the title of a technique."""
    for technique in Technique:
        assert parse_technique(technique.title) is parse_technique(technique.code) is technique
    with pytest.raises(InvalidInput, match="expected one technique, got 'forcing net', which may be forcing net"):
        parse_technique("forcing net")


@pytest.mark.parametrize("name", RULES_ELSEWHERE)
def test_a_rule_has_the_names_that_people_use(name: str) -> None:
    """A name of another tool, in any spelling, is the same rule or family of clues in every door."""
    assert find_kind(name) == RULES_ELSEWHERE[name]


@pytest.mark.parametrize("kind", RULES)
def test_every_kind_is_found_by_its_names_elsewhere_unless_they_mean_several(kind: str) -> None:
    """A name in another tool means this kind, or is the name of another, or the error suggests this kind among others."""
    for name in ", ".join(RULES[kind].elsewhere.values()).split(", "):
        found = find_kind(name) if name else kind
        if found is None and ":" not in name:
            with pytest.raises(UnknownName, match="did you mean "):
                rule_from_json(name, Grid.square())
        assert found in {None, kind, *RULES} or "-" in found


def test_whole_board_rules_are_made_by_any_of_their_names() -> None:
    """JSON may name the kind as other tools do; what is written back is the kind."""
    assert rule_from_json("Hyper Sudoku", Grid.square()) == RULES["windoku"]()
    assert parse_request(rules="windows, anti knight").rules[1:] == (RULES["windoku"](), RULES["anti-knight"]())


@pytest.mark.parametrize(
    ("parse", "name", "nearest"),
    [
        (parse_techniques, "Y-wnig", "expected a technique, got 'Y-wnig'; did you mean XY-wing, "),
        (parse_techniques, "swordfsh", "expected a technique, got 'swordfsh'; did you mean swordfish, "),
        (lambda name: rule_from_json(name, Grid.square()), "windouk", "expected a rule, got 'windouk'; did you mean windoku"),
        (lambda name: parse_request(rules=name), "windoqu", "expected a rule, got 'windoqu'; did you mean windoku"),
        (lambda name: parse_request(needs=name), "pointng pair", "did you mean locked candidates (pointing), "),
        (lambda name: rule_from_json(name, Grid.square()), "negative", "negative-difference, negative-ratio or negative-sum?"),
    ],
)
def test_a_near_miss_names_the_nearest_three(parse, name: str, nearest: str) -> None:
    """Whatever is named, the error suggests up to three of the same kind by the names that people know."""
    with pytest.raises(InvalidInput) as raised:
        parse(name)
    assert nearest in str(raised.value)
    assert str(raised.value).count(",") <= 3


def test_a_name_of_two_things_means_neither() -> None:
    """Of things that share a name, the one with this title is meant; without it, both are suggested."""
    table = NameTable("thing", [("cage", (), 1), ("sum cage", ("cage", "sum"), 2), ("sum line", ("sum",), 3)], ("line",))
    assert (table.find("cages"), table.find("sum"), table.find("Sum-Lines"), table.find("cage line")) == (1, None, 3, 1)
    assert table.nearest("sum")[:2] == ["sum cage", "sum line"]


@pytest.mark.parametrize(
    ("name", "kind"),
    [(name, "windoku") for name in ("hyper", "NRC", "four-box", "NRC sudoku")]
    + [("disjoint", "disjoint-groups"), ("10-lines", "sum-line"), ("X-sudoku", "diagonals")],
)
def test_common_names_of_rules_are_known(name: str, kind: str) -> None:
    """The names that solvers use for a rule find it."""
    assert parse_rule_kind(name) == kind


@pytest.mark.parametrize("read", [parse_rule_kind, rule_by_name, lambda name: parse_request(rules=name)])
def test_x_asks_which_rule_is_meant(read: Callable[[str], object]) -> None:
    """X is a mark between two cells, and the diagonals of an X-sudoku: alone it means neither, and both are named."""
    with pytest.raises(InvalidInput, match="did you mean diagonals or pair-sum"):
        read("X")


@pytest.mark.parametrize("name", ["jigsaw", "irregular", "kropki", "dutch whispers", "odd even"])
@pytest.mark.parametrize("read", [parse_rule_kind, rule_by_name])
def test_a_name_that_is_no_rule_leads_to_puzzles_with_it(read: Callable[[str], object], name: str) -> None:
    """Shapes of regions and families of clues are no rules; wherever a rule is expected, the error says how to have them."""
    with pytest.raises(InvalidInput, match="generate with `rules` "):
        read(name)


@pytest.mark.parametrize("name", ["foo", "nishio", "magic square", "nonsense"])
def test_what_is_not_near_is_not_suggested(name: str) -> None:
    """A name that is like no other gets a list of some that there are, none twice, and no suggestion."""
    with pytest.raises(InvalidInput, match="expected a rule, one of ") as raised:
        parse_rule_kind(name)
    listed = str(raised.value).partition("one of ")[2].partition(" (and")[0].split(", ")
    assert len(set(listed)) == len(listed)


def test_a_long_text_is_cut_behind_a_word() -> None:
    """What is cut off a message begins with a word, if the text has words."""
    assert shorten("word " * 100, 100).startswith("word word word word word word word word word word word word...")
    assert shorten("x" * 200, 100) == "x" * 60 + "... (140 more characters)"
