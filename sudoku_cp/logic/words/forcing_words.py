"""Sentences of templates, and of forcing chains and nets: several chains that lead to a contradiction, or all to the same."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sudoku_cp.logic.step import ProofStatement
from sudoku_cp.logic.words.chain_words import chain
from sudoku_cp.logic.words.wording import plural

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sudoku_cp.logic.step import Link
    from sudoku_cp.logic.words.wording import Wording

_MOST = 6
"""The most chains that a sentence shows."""


def template_set(say: Wording) -> str:
    """Explain that all ways to place a value agree."""
    return f"every {_way(say)} has it in {say.cells_of_result}"


def template_delete(say: Wording) -> str:
    """Explain that no way to place a value uses some cells."""
    return f"no {_way(say)} has it in {say.cells_of_result}"


def _way(say: Wording) -> str:
    return f"way to place {say.value} in the whole grid that leaves all other values a way"


def forcing_contradiction(say: Wording) -> str:
    """Explain that an assumption contradicts itself."""
    cell, value = (*say.step.eliminations, *say.step.placements)[0]
    verb = "were" if say.step.eliminations else "were not"
    return f"if {say.cell(cell)} {verb} {say.sign(value)}, {_clash(say)}{_shown(say)}"


def _clash(say: Wording) -> str:
    """Return what would be left without a candidate."""
    choice = say.step.pattern.choice
    if choice is None:
        return "a contradiction would follow"
    if choice.statement is ProofStatement.HAS_VALUE:
        return f"no value would be left for {say.cell(choice.subject)}"
    return f"no place would be left for {say.sign(choice.value)} in {say.houses([choice.subject])}"


def forcing_verity(say: Wording) -> str:
    """Explain that all cases lead to the same."""
    choice = say.step.pattern.choice
    assert choice is not None  # noqa: S101  # the cases are those of a cell or a house
    if choice.statement is ProofStatement.HAS_VALUE:
        cases = f"whatever value {say.cell(choice.subject)} has"
    else:
        cases = f"wherever {say.sign(choice.value)} stands in {say.houses([choice.subject])}"
    return f"{cases}, the same follows{_shown(say)}"


def _shown(say: Wording) -> str:
    """Return the chains, if they are few; each that continues another begins where it leaves that."""
    chains = list(_chains(say.step.pattern.links))
    if not chains:
        return ""
    if len(chains) > _MOST:
        return f", as {plural(len(say.step.pattern.links), 'link')} together show"
    return f": {'; '.join(chain(say, links) for links in chains)}"


def _chains(links: tuple[Link, ...]) -> Iterator[list[Link]]:
    """Yield the links in runs, in each of which one begins where the last ends."""
    run: list[Link] = []
    for link in links:
        if run and run[-1].end != link.start:
            yield run
            run = []
        run.append(link)
    if run:
        yield run
