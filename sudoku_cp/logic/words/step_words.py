"""A step of any technique as a sentence: its short name, why it holds, and what it does."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, TypeAlias

from sudoku_cp.logic.technique import Technique
from sudoku_cp.logic.words import basic_words, chain_words, forcing_words, set_words, uniqueness_words, variant_words
from sudoku_cp.logic.words.proof_words import describe_group
from sudoku_cp.logic.words.wording import Wording

if TYPE_CHECKING:
    from sudoku_cp.logic.layout import Layout
    from sudoku_cp.logic.step import Step
    from sudoku_cp.symbols import Symbols

Reason: TypeAlias = Callable[[Wording], str]
"""Explains why a step of a technique holds."""


MOST_FACTS = 8
"""The most facts that a refutation lists."""


def refutation(say: Wording) -> str:
    """List the facts that contradict the candidate."""
    facts = [describe_group(say.layout, say.symbols, group) for group in say.step.proof]
    told = facts if len(facts) <= MOST_FACTS else [*facts[: MOST_FACTS - 1], f"{len(facts) - MOST_FACTS + 1} more"]
    if not say.step.pattern.by_cases:
        return f"it would contradict {len(facts)} facts together ({'; '.join(told)})"
    claim = "any other value" if say.step.placements else "it"
    return f"{claim} would contradict {len(facts)} facts together, which shows only when cases are tried ({'; '.join(told)})"


def plain(say: Wording) -> str:
    """Name cells, values and houses of the pattern."""
    houses = say.houses(say.step.pattern.bases)
    return f"{say.value} in {say.cells(say.step.cells)}{f' ({houses})' if houses else ''}"


_T = Technique
_REASONS: Mapping[Technique, Reason] = MappingProxyType(
    {
        _T.FULL_HOUSE: basic_words.full_house,
        _T.HIDDEN_SINGLE: basic_words.hidden_single,
        _T.NAKED_SINGLE: basic_words.naked_single,
        _T.POINTING: basic_words.locked_candidates,
        _T.CLAIMING: basic_words.locked_candidates,
        _T.SKYSCRAPER: chain_words.two_pairs,
        _T.TWO_STRING_KITE: chain_words.two_pairs,
        _T.TURBOT_FISH: chain_words.two_pairs,
        _T.EMPTY_RECTANGLE: chain_words.empty_rectangle,
        _T.DUAL_TWO_STRING_KITE: chain_words.two_chains,
        _T.DUAL_EMPTY_RECTANGLE: chain_words.two_chains,
        _T.COLOUR_TRAP: chain_words.colour_trap,
        _T.COLOUR_WRAP: chain_words.colour_wrap,
        _T.MULTI_COLOURS_1: chain_words.multi_colours_1,
        _T.MULTI_COLOURS_2: chain_words.multi_colours_2,
        _T.UNIQUE_RECTANGLE_1: uniqueness_words.rectangle_1,
        _T.UNIQUE_RECTANGLE_2: uniqueness_words.rectangle_2,
        _T.UNIQUE_RECTANGLE_3: uniqueness_words.rectangle_3,
        _T.UNIQUE_RECTANGLE_4: uniqueness_words.rectangle_4,
        _T.UNIQUE_RECTANGLE_5: uniqueness_words.rectangle_2,
        _T.UNIQUE_RECTANGLE_6: uniqueness_words.rectangle_6,
        _T.HIDDEN_RECTANGLE: uniqueness_words.hidden_rectangle,
        _T.AVOIDABLE_RECTANGLE_1: uniqueness_words.avoidable_1,
        _T.AVOIDABLE_RECTANGLE_2: uniqueness_words.avoidable_2,
        _T.BUG_PLUS_1: uniqueness_words.bug_plus_1,
        _T.X_CHAIN: chain_words.alternating_chain,
        _T.XY_CHAIN: chain_words.alternating_chain,
        _T.AIC: chain_words.alternating_chain,
        _T.GROUPED_AIC: chain_words.alternating_chain,
        _T.REMOTE_PAIR: chain_words.remote_pair,
        _T.CONTINUOUS_LOOP: chain_words.continuous_loop,
        _T.GROUPED_CONTINUOUS_LOOP: chain_words.continuous_loop,
        _T.DISCONTINUOUS_LOOP: chain_words.discontinuous_loop,
        _T.GROUPED_DISCONTINUOUS_LOOP: chain_words.discontinuous_loop,
        _T.XY_WING: set_words.wing,
        _T.XYZ_WING: set_words.wing,
        _T.W_WING: set_words.w_wing,
        _T.ALS_XZ: set_words.als_xz,
        _T.ALS_XY_WING: set_words.als_chain,
        _T.ALS_CHAIN: set_words.als_chain,
        _T.DEATH_BLOSSOM: set_words.death_blossom,
        _T.SUE_DE_COQ: set_words.sue_de_coq,
        _T.TEMPLATE_SET: forcing_words.template_set,
        _T.TEMPLATE_DELETE: forcing_words.template_delete,
        _T.FORCING_CHAIN_CONTRADICTION: forcing_words.forcing_contradiction,
        _T.FORCING_CHAIN_VERITY: forcing_words.forcing_verity,
        _T.FORCING_NET_CONTRADICTION: forcing_words.forcing_contradiction,
        _T.FORCING_NET_VERITY: forcing_words.forcing_verity,
        _T.REFUTATION: refutation,
        **variant_words.REASONS,
    }
)
"""The words of techniques that have a code of their own; families are in `_FAMILIES`."""
_FAMILIES: Mapping[str, Reason] = MappingProxyType(
    {
        "011": basic_words.locked_subset,
        "020": basic_words.naked_subset,
        "021": basic_words.hidden_subset,
        "030": basic_words.plain_fish,
        "031": basic_words.finned_fish,
        "032": basic_words.finned_fish,
        "033": basic_words.plain_fish,
        "034": basic_words.finned_fish,
        "035": basic_words.plain_fish,
        "036": basic_words.finned_fish,
    }
)
"""The words of families of techniques that differ in size, by the first figures of their codes."""


def reason_of(technique: Technique) -> Reason:
    """Return the function that explains why steps of a technique hold."""
    return _REASONS.get(technique) or _FAMILIES.get(technique.code[:3], plain)


def describe_step(layout: Layout, symbols: Symbols, step: Step) -> str:
    """Return a step as a sentence: ``X-wing: 2 in rows 3 and 7 can only stand in columns 4 and 8, so r1c4, r5c8 lose 2.``"""
    title = step.technique.title
    say = Wording(layout, symbols, step)
    return f"{title[0].upper()}{title[1:]}: {reason_of(step.technique)(say)}, so {say.effect}."
