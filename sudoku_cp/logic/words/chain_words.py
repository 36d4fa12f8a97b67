"""Chains as people write them, and sentences of the techniques that are chains: ``r1c1 =4= r1c5 -4- r5c5 =4= r5c9``."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sudoku_cp.logic.step import Link, Node
    from sudoku_cp.logic.words.wording import Wording

_PAIR = 3
"""Links of a strong link, a weak one and a strong one."""


def chain(say: Wording, links: Sequence[Link]) -> str:
    """Return a chain in the usual notation: ``=4=`` is a strong link by 4, ``-4-`` a weak one.

    Links within a cell are not written, as the values beside the cell tell them; at an end they are: ``5= r1c1 -4- ...``.
    """
    if not links:
        return ""
    parts = [] if _is_silent(links[0]) else [say.cells(links[0].start.cells)]
    if _is_silent(links[0]):
        parts = [f"{say.sign(links[0].start.value)}{_sign(links[0])}", say.cells(links[0].start.cells)]
    for link in links:
        if not _is_silent(link):
            parts += [_label(say, link), say.cells(link.end.cells)]
    if len(links) > 1 and _is_silent(links[-1]):
        parts.append(f"{_sign(links[-1])}{say.sign(links[-1].end.value)}")
    return " ".join(parts)


def _is_silent(link: Link) -> bool:
    """Say whether a link joins two values of the same cell."""
    return link.start.cells == link.end.cells and not link.start.cells & (link.start.cells - 1)


def _sign(link: Link) -> str:
    return "=" if link.strong else "-"


def _label(say: Wording, link: Link) -> str:
    one, other = say.sign(link.start.value), say.sign(link.end.value)
    return f"{_sign(link)}{one if one == other else f'{one}|{other}'}{_sign(link)}"


# --- two strong links of one value ----------------------------------------------------------------------------------------


def two_pairs(say: Wording) -> str:
    """Say of two conjugate pairs, joined by a weak link, that one of the two other ends is true."""
    pattern = say.step.pattern
    first, joint, last = pattern.links
    places = " and ".join(
        f"{say.houses([house])} only in {say.every(link.start.cells | link.end.cells)}"
        for house, link in zip(pattern.bases, (first, last), strict=True)
    )
    return (
        f"{say.value} can stand in {places}; {say.every(joint.start.cells | joint.end.cells)} see each other, "
        f"so {say.either(first.start.cells | last.end.cells)} is {say.value}{_seen(say)}"
    )


def empty_rectangle(say: Wording) -> str:
    """Say what a box whose places lie in two lines makes of a conjugate pair."""
    pattern = say.step.pattern
    box, house = pattern.bases
    line, across, along = pattern.covers
    pair = pattern.links[0]
    return (
        f"{say.value} in {say.houses([box])} can only stand in {say.houses([line, across])}, "
        f"and in {say.houses([house])} only in {say.every(pair.start.cells | pair.end.cells)}; if {say.node(pair.end)}, {say.houses([box])} has it in "
        f"{say.houses([across])}, and if not, {say.houses([along])} has it in {say.cells(pair.start.cells)}"
    )


def two_chains(say: Wording) -> str:
    """Show two chains of three links each that share cells."""
    links = say.step.pattern.links
    parts = [chain(say, links[start : start + _PAIR]) for start in range(0, len(links), _PAIR)]
    return f"{' and '.join(parts)} share cells; in each, one end or the other holds"


# --- alternating chains -----------------------------------------------------------------------------------------------


def alternating_chain(say: Wording) -> str:
    """Show a chain, and say that one of its ends is true."""
    links = say.step.pattern.links
    start, end = links[0].start, links[-1].end
    return f"{chain(say, links)}; {_either_end(say, start, end)}{_seen(say) if start.value == end.value else ''}"


def _either_end(say: Wording, start: Node, end: Node) -> str:
    if start.value == end.value:
        return f"{say.one_of(start.cells)} or {say.one_of(end.cells)} is {say.sign(start.value)}"
    return f"{say.node(start)} or {say.node(end)}"


def discontinuous_loop(say: Wording) -> str:
    """Show a chain that leads from a claim to its opposite."""
    links = say.step.pattern.links
    start = links[0].start
    if links[0].strong:
        return f"{chain(say, links)}; if {say.cells(start.cells)} were not {say.sign(start.value)}, it would be, so it is"
    return f"{chain(say, links)}; if {say.node(start)}, it is not"


def continuous_loop(say: Wording) -> str:
    """Show a loop, and say that of any two linked claims just one is true."""
    return f"{chain(say, say.step.pattern.links)} is a closed loop; of any two neighbours in it one is true and the other false"


def remote_pair(say: Wording) -> str:
    """Say that cells of the same two candidates alternate."""
    step = say.step
    return f"{say.cells(step.cells)} can only hold {say.value}, and alternate where they see each other; what sees both colours can hold neither"


def _seen(say: Wording) -> str:
    cells = {cell for cell, _ in say.step.eliminations}
    return f", and what sees {'both' if cells else 'them'} is not"


# --- colours -------------------------------------------------------------------------------------------------------------


def colours(say: Wording) -> str:
    """Say which cells are true or false together."""
    return "; ".join(
        f"either all of {say.cells(one)} or all of {say.cells(other)} are {say.value}"
        for one, other in _components(say.step.pattern.links)
    )


def colour_trap(say: Wording) -> str:
    """Say that a cell sees both colours."""
    return f"{colours(say)}; whichever it is, each cell that sees some of both cannot be {say.value}"


def colour_wrap(say: Wording) -> str:
    """Say that two cells of a colour see each other."""
    return f"{colours(say)}; two cells of one colour see each other, so that colour is false"


def multi_colours_1(say: Wording) -> str:
    """Say that of two colours that see each other one is false, and so one of their opposites true."""
    return (
        f"{colours(say)}; as a colour of the first sees one of the second, one of the two is false and its opposite true; "
        "what sees both opposites goes"
    )


def multi_colours_2(say: Wording) -> str:
    """Say that a colour sees both colours of another component."""
    return f"{colours(say)}; a colour that sees both colours of the other pair is false"


def _components(links: Sequence[Link]) -> list[tuple[int, int]]:
    """Return the two colours of each component of links, as sets of cells."""
    found: list[tuple[int, int]] = []
    for link in links:
        one, other = link.start.cells, link.end.cells
        for index, (same, opposite) in enumerate(found):
            if (one & same) | (other & opposite):
                found[index] = same | one, opposite | other
                break
            if (one & opposite) | (other & same):
                found[index] = same | other, opposite | one
                break
        else:
            found.append((one, other))
    return found
