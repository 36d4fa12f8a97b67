"""Shell completion offers what is in the registries, and help fills its lines."""

from __future__ import annotations

import pytest

from sudoku_cp.backends import known_backends
from sudoku_cp.cli.verbs import VERBS, verb_help
from sudoku_cp.errors import InvalidInput
from sudoku_cp.formats import FORMATS
from sudoku_cp.generate.difficulty_mix import DIFFICULTIES
from sudoku_cp.generate.requested_rules import JIGSAW, parse_requested_rules, rule_by_name, whole_board_rules
from sudoku_cp.generate.variants.families import FAMILIES
from sudoku_cp.generate.variants.proposals import STYLES
from sudoku_cp.grid import Grid
from sudoku_cp.puzzle.pattern_symmetry import SYMMETRIES
from sudoku_cp.rules import RULES

WRITTEN = {name for name, one in FORMATS.items() if one.write is not None}
READ = {name for name, one in FORMATS.items() if one.read is not None}
OPTIONS = {
    "generate --difficulty": set(DIFFICULTIES),
    "generate --symmetry": set(SYMMETRIES),
    "generate --style": set(STYLES),
    "generate --rules": {*whole_board_rules(), *FAMILIES, JIGSAW},
    "generate --to": WRITTEN,
    "convert --to": WRITTEN,
    "solve --from": READ,
    "solve --rules": set(whole_board_rules()),
    "check --backend": {"auto", *known_backends()},
}


def after(words: str) -> dict[str, str]:
    """Return the environment in which bash starts the program when Tab is pressed after these words."""
    number = len(words.split(" ")) - 1
    return {"_SUDOKU_CP_COMPLETE": "complete_bash", "COMP_WORDS": f"sudoku-cp {words}", "COMP_CWORD": str(number + 1)}


@pytest.fixture
def complete(call):
    """Return a function that completes words in this process."""

    def completed(words: str) -> set[str]:
        return set(call(**after(words)).out.split())

    return completed


def test_the_program_completes_in_a_process(run) -> None:
    """Bash starts a process for each Tab; the other tests ask in this one."""
    assert set(run(**after("convert --to ")).out.split()) == WRITTEN


@pytest.mark.parametrize("option", OPTIONS)
def test_an_option_completes_out_of_its_registry(complete, option: str) -> None:
    """Every valid value of an option is offered, and nothing else."""
    assert complete(f"{option} ") == OPTIONS[option]


def test_the_last_name_of_a_list_is_completed(complete) -> None:
    """After a comma the next name is offered together with those before it, and none of these again."""
    assert complete("generate --rules diagonals,thermo") == {"diagonals,thermometer"}
    assert complete("generate --rules diagonals,diag") == {"diagonals,diagonally-nonconsecutive"}
    assert complete("generate --difficulty easy,") == {f"easy,{word}" for word in DIFFICULTIES[1:]}


@pytest.mark.parametrize("verb", VERBS)
def test_help_fills_its_paragraphs(call, verb: str) -> None:
    """The source's line breaks are not those of the help: a paragraph is one line if there is room for it."""
    paragraphs = [" ".join(part.split()) for part in verb_help(verb).split("\n\n")]
    lines = {line.strip() for line in call(verb, "--help", COLUMNS="2000").out.splitlines()}
    assert set(paragraphs) <= lines


def test_one_vocabulary_of_rules(call) -> None:
    """Names that `generate` takes are known where puzzles are read: each means a rule, or the error says what is lacking."""
    grid = "." * 16
    told = call("solve", "--rules", "killer,jigsaw,kropki,nonsense", grid)
    assert told.code == 2
    assert "a killer-cage needs its cells ('sudoku-cp rules killer-cage' shows one)" in told.err
    assert "generate with --rules killer makes puzzles with such clues" in told.err
    assert "generate with --rules jigsaw makes such boards" in told.err
    assert "got 'kropki', a family of clues" in told.err
    assert "got 'nonsense'" in told.err
    assert call("rules", "killers").out == call("rules", "killer-cage").out
    assert call("solve", "--rules", "Diagonals", "1234341221434321").code == 1


@pytest.mark.parametrize("family", FAMILIES)
def test_every_family_is_known_where_puzzles_are_read(family: str) -> None:
    """A family of clues that can be generated is not an unknown name elsewhere: it is a rule, or the error says what it needs."""
    if family in whole_board_rules():
        assert rule_by_name(family) == {"kind": family}
    else:
        with pytest.raises(InvalidInput, match=f"generate with `rules` {family} makes"):
            rule_by_name(family)


@pytest.mark.parametrize("kind", sorted({*RULES} - {*whole_board_rules()}))
def test_only_what_generate_makes_is_said_to_be_made(kind: str) -> None:
    """The error of a rule that needs its cells points to `generate` exactly if `generate` takes its name."""
    with pytest.raises(InvalidInput) as told:
        rule_by_name(kind)
    assert f": a{'n' * (kind[0] in 'aeiou')} {kind} needs its " in str(told.value)
    try:
        parse_requested_rules(kind, Grid.square(9))
    except InvalidInput:
        assert "generate" not in str(told.value)
    else:
        assert f"generate with `rules` {kind} makes" in str(told.value)
