"""The name of a technique in a sentence, and the sentences of singles, locked candidates, subsets, fish and chains."""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING

from sudoku_cp.logic.step import Technique
from sudoku_cp.logic.step_reasons import blockers_of
from sudoku_cp.logic.words.clue_words import clue_name, clue_noun
from sudoku_cp.logic.words.wording import MOST_PLACES, PLACES, enumerate_words, numeral, plural

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sudoku_cp.grid import Cell
    from sudoku_cp.logic.layout import CellSet, Group, GroupIndex
    from sudoku_cp.logic.step import Link
    from sudoku_cp.logic.words.wording import Wording
    from sudoku_cp.model import Domain


_WITH_AN = re.compile(r"[aeio]|X", re.IGNORECASE)
"""How names begin that are spoken with a vowel; of those with a U, all sound like "you"."""
_T = Technique
_WITH_THE = frozenset({_T.HOUSE_TOTAL, _T.LEFTOVERS})
_METHODS = frozenset(
    {
        *(_T.POINTING, _T.CLAIMING, _T.COLOUR_TRAP, _T.COLOUR_WRAP, _T.MULTI_COLOURS_1, _T.MULTI_COLOURS_2),
        *(_T.CAGE_COMBINATIONS, _T.HOUSE_COMBINATIONS, _T.PARITY, _T.MINIMUM_AND_MAXIMUM, _T.THERMOMETER_ENDS),
        *(_T.SET_EQUIVALENCE, _T.COMMON_SIGHT, _T.IMPLIED_LOCKED),
    }
)
"""Names of what is done, not of a thing that is found, and plurals: they have no article."""


def announce_technique(technique: Technique) -> str:
    """Return a sentence without its full stop: the next step is by this technique."""
    title = technique.title
    if technique in _WITH_THE:
        return f"The next step uses the {title}"
    if technique in _METHODS:
        return f"The next step uses {title}"
    return f"The next step is {'an' if _WITH_AN.match(title) else 'a'} {title}"


# Sentences of singles, locked candidates, subsets and fish.


def full_house(say: Wording) -> str:
    """Explain that a cell is the last of its house."""
    return f"all other cells of {say.houses(say.step.pattern.bases)} are filled"


def hidden_single(say: Wording) -> str:
    """Explain that placed values see all other open cells of a house, or which of these have lost the value already."""
    pattern, cell = say.step.pattern, say.cells(say.step.cells)
    house, (placed, cleared) = say.houses(pattern.bases), blockers_of(say.layout, say.step)
    if not placed:
        if not cleared:
            return f"{say.value} has only one place left in {house}"
        return f"in {house}, {_ruled_out(say, cleared)}: only {cell} is left"
    names = [say.cell(blocker) for blocker, _ in placed]
    more = len(names) - _BLOCKERS
    few = [*names[:_BLOCKERS], *([f"{numeral(more)} other{'s' * (more > 1)}"] if more > 0 else [])]
    which = f"the {say.value}s in {enumerate_words(few, 'and')} see" if len(names) > 1 else f"the {say.value} in {names[0]} sees"
    how = _by_clues(say, [blocker for blocker, _ in placed], cleared)
    if not cleared:
        return f"in {house} {which} all open cells but {cell}{how}"
    return f"in {house} {which} all open cells but {cell} and {say.cells(cleared)}{how}, and {_ruled_out(say, cleared)}"


def _by_clues(say: Wording, blockers: Sequence[Cell], cleared: CellSet) -> str:
    """Name the rules by which blockers see open cells of the house that share no house with them."""
    layout, own, filled = say.layout, say.step.cells, say.step.pattern.filled
    house = layout.groups[say.step.pattern.bases[0]].cells
    ways: dict[str, None] = {}
    for cell in house:
        if filled[cell] is not None or (own | cleared) >> cell & 1:
            continue
        seeing = [blocker for blocker in blockers if layout.sight[blocker] >> cell & 1]
        shared = [[layout.groups[one] for one in {*layout.groups_of[cell]} & {*layout.groups_of[blocker]}] for blocker in seeing]
        if not any(group.kind is not None for groups in shared for group in groups):
            ways |= dict.fromkeys(islice((_sight_name(say, {cell, one}, groups) for one, groups in zip(seeing, shared)), 1))  # noqa: B905
    return f" ({enumerate_words([*filter(None, ways)][:_MOST_WAYS], 'and')} included)" if any(ways) else ""


def _sight_name(say: Wording, pair: set[Cell], groups: Sequence[Group]) -> str:
    """Return what makes two cells differ: a rule about pairs, a group such as a diagonal, or a clue."""
    for group in groups:
        if group.part is None:
            return f"a {group.name.partition(' r')[0]}" if len(group.cells) == len(pair) else group.name
    parts = (part for part in say.layout.parts if pair <= {*part.cells})
    return next((f"the {clue_name(say.layout, part)}" for part in parts), "")


_BLOCKERS = 5
_MOST_WAYS = 2
"""The most rules named by which cells see each other."""


def _ruled_out(say: Wording, cleared: CellSet) -> str:
    """Name the cells in which other steps, or their own rules, have ruled the value out."""
    return f"{say.value} is already ruled out in {say.few_cells(cleared, _BLOCKERS - 1)}"


def naked_single(say: Wording) -> str:
    """Explain which values a cell sees in which houses."""
    step, layout = say.step, say.layout
    cell = step.cells.bit_length() - 1
    by_house: dict[str, Domain] = {}
    placed = blockers_of(layout, step).placed
    for blocker, value in placed:
        house = _house_of(say, next(layout.groups_over(1 << blocker | step.cells)))
        by_house[house] = by_house.get(house, 0) | 1 << value
    if not by_house:
        return f"all other values are ruled out in {say.cells(step.cells)}"
    seen = enumerate_words([f"{say.values(values)} {house}" for house, values in by_house.items()], "and")
    left = layout.domains[cell] & ~step.values
    for _, value in placed:
        left &= ~(1 << value)
    further = f"; {say.values(left)} {'is' if left.bit_count() == 1 else 'are'} already ruled out" if left else ""
    return f"{say.cells(step.cells)} sees {seen}{further}: only {say.value} is left"


_OWN = ("row", "column", "box", "region")


def _house_of(say: Wording, index: GroupIndex) -> str:
    """Return how a cell's own group is called: ``in its row``, ``by a knight's move``, ``in the cage at r1c1``."""
    group = say.layout.groups[index]
    noun = group.name.partition(" ")[0]
    if noun in _OWN:
        return f"in its {noun}"
    noun = group.name.partition(" r")[0]
    if group.part is not None:
        return f"in the {clue_name(say.layout, say.layout.parts[group.part])}"
    return f"by a {noun}" if len(group.cells) == _PAIR else f"in {say.houses([index])}"


_PAIR = 2


def locked_candidates(say: Wording) -> str:
    """Explain that the places of a value in one house lie in another."""
    pattern = say.step.pattern
    return (
        f"{say.value} in {say.houses(pattern.bases)} can only stand in {say.houses(pattern.covers)} ({say.cells(say.step.cells)})"
    )


def locked_subset(say: Wording) -> str:
    """Explain that cells of a crossing keep their values to themselves, in both houses."""
    step = say.step
    houses = say.houses(step.pattern.bases)
    return f"{say.cells(step.cells)}, in both {houses}, can only hold {say.value}, and use them up in both"


def naked_subset(say: Wording) -> str:
    """Explain that as many cells as values have no others."""
    step = say.step
    count = step.values.bit_count()
    counts = f"{plural(count, 'cell')} for {plural(count, 'value')}"
    return f"{say.cells(step.cells)} in {say.houses(step.pattern.bases)} can only hold {say.value}, {counts}"


def hidden_subset(say: Wording) -> str:
    """Explain that as many values as cells have no other places."""
    step = say.step
    stand = f"{say.value} in {say.houses(step.pattern.bases)} can only stand in {say.cells(step.cells)}"
    return f"{stand}, which then hold nothing else"


def plain_fish(say: Wording) -> str:
    """Explain that a value in some houses has places in as many others only."""
    pattern = say.step.pattern
    return f"{say.value} in {say.houses(pattern.bases)} can only stand in {say.houses(pattern.covers)}"


def finned_fish(say: Wording) -> str:
    """Explain the same for a value that has other places, too."""
    pattern = say.step.pattern
    fins = f"fin {say.cells(pattern.fins)}" if pattern.fins.bit_count() == 1 else f"fins {say.cells(pattern.fins)}"
    covers = say.houses(pattern.covers)
    if len(pattern.covers) > len(pattern.bases):  # two fish in one
        return (
            f"{say.value} in {say.houses(pattern.bases)} makes two fish, with covers among {covers} and fins among "
            f"{say.cells(pattern.fins)}. Of each either the fish holds or one of its fins is {say.value}"
        )
    single = pattern.fins.bit_count() == 1
    otherwise = f"the fin is {say.value}" if single else f"one of the fins is {say.value}"
    return (
        f"{say.value} in {say.houses(pattern.bases)} can only stand in {covers} or in the {fins}. Either {otherwise}, "
        f"or the fish holds. {say.cells_of_result} {say.verb('see')} {'the fin' if single else 'all fins'}"
    )


# Chains as people write them, and sentences of the techniques that are chains: ``r1c1 =4= r1c5 -4- r5c5 =4= r5c9``.


_LEAST, _TAIL = 5, 2
"""The nodes that are shown of any chain, and how many of those at its end."""
_LINKS = 3
"""The links of a chain over two strong ones."""
_CLAIMS = 6
"""The most claims that one sentence lists."""


def chain(say: Wording, links: Sequence[Link], most: int | None = None) -> str:
    """Return a chain in the usual notation: ``=4=`` is a strong link by 4, ``-4-`` a weak one.

    Links within a cell are not written, as the values beside the cell tell them; at an end they are: ``5= r1c1 -4- ...``. A clue
    by which a link holds stands behind it. Of a chain with more than ``most`` nodes the middle is left out.
    """
    first, last = links[0], links[-1]
    parts = [say.cells(first.start.cells)]
    if _is_silent(say, first):
        parts[0] = f"{say.sign(first.start.value)}{_sign(first)} {parts[0]}"
    for link in links:
        if not _is_silent(say, link):
            clue = "" if link.part is None else f" ({clue_noun(say.layout.parts[link.part])})"
            parts.append(f"{_label(say, link)} {say.cells(link.end.cells)}{clue}")
    most = _budget(say, parts) if most is None else most
    if len(parts) > most:
        parts[most - _TAIL - 1 : -_TAIL] = [f"... ({numeral(len(parts) - most + 1)} more links) ..."]
    if _is_silent(say, last):
        parts.append(f"{_sign(last)}{say.sign(last.end.value)}")
    return " ".join(parts)


def _budget(say: Wording, parts: Sequence[str]) -> int:
    """Return how many nodes a chain may show, so that a sentence with what it eliminates names few places."""
    effects = set(PLACES.findall(say.effect)) - set(PLACES.findall(" ".join(parts)))
    return max(_LEAST, MOST_PLACES - len(effects))


def _is_silent(say: Wording, link: Link) -> bool:
    """Return whether a link joins two values of the same cell, not by way of a larger set."""
    cells, pair = link.start.cells, 1 << link.start.value | 1 << link.end.value
    if cells != link.end.cells or cells & (cells - 1):
        return False
    through = (one for one in say.step.pattern.sets if not cells & ~one.cells and not pair & ~one.values)
    return not (link.strong and any(through))


def _sign(link: Link) -> str:
    return "=" if link.strong else "-"


def _label(say: Wording, link: Link) -> str:
    one, other = say.sign(link.start.value), say.sign(link.end.value)
    return f"{_sign(link)}{one if one == other else f'{one}|{other}'}{_sign(link)}"


# --- two strong links of one value -------------------------------------------------------------------------------------


def two_pairs(say: Wording) -> str:
    """Say of two conjugate pairs, joined by a weak link, that one of the two other ends is true."""
    pattern = say.step.pattern
    first, joint, last = pattern.links
    places = " and ".join(
        f"in {say.houses([house])} only in {say.every(link.start.cells | link.end.cells)}"
        for house, link in zip(pattern.bases, (first, last), strict=True)
    )
    return (
        f"{say.value} can stand {places}. As {say.every(joint.start.cells | joint.end.cells)} see each other, "
        f"{say.either(first.start.cells | last.end.cells)} is {say.value}. {say.seen_both}"
    )


def empty_rectangle(say: Wording) -> str:
    """Explain what a box whose places lie in two lines makes of a conjugate pair."""
    pattern = say.step.pattern
    box, house = pattern.bases
    line, across, along = pattern.covers
    pair = pattern.links[0]
    return (
        f"{say.value} in {say.houses([box])} can only stand in {say.houses([line, across])}, "
        f"and in {say.houses([house])} only in {say.every(pair.start.cells | pair.end.cells)}. "
        f"If {say.node(pair.end)}, {say.houses([box])} has its {say.value} in {say.houses([across])}; "
        f"if not, {say.houses([along])} has it in {say.cells(pair.start.cells)}. "
        f"{say.cells_of_result} {say.verb('see')} both"
    )


def two_chains(say: Wording) -> str:
    """Show two chains of three links each that share cells."""
    links = say.step.pattern.links
    parts = [chain(say, links[start : start + _LINKS]) for start in range(0, len(links), _LINKS)]
    return f"two chains share cells: {' and '.join(parts)}. Of each one end is true. What sees both ends of a chain goes"


# --- alternating chains ------------------------------------------------------------------------------------------------


def alternating_chain(say: Wording) -> str:
    """Show a chain, and explain that one of its ends is true; of a single link that a clue makes, what that clue needs."""
    links = say.step.pattern.links
    start, end = links[0].start, links[-1].end
    if len(links) == 1 and links[0].part is not None and start.value == end.value:
        clue = clue_name(say.layout, say.layout.parts[links[0].part])
        return f"the {clue} needs {say.sign(start.value)} in {say.cells(start.cells)} or {say.cells(end.cells)}. {say.seen_both}"
    shown = _shown(say, links)
    if start.value == end.value:
        claim = f"{say.cells(start.cells)} or {say.cells(end.cells)} is {say.sign(start.value)}"
        return f"{shown}. If one end is false, the other is true: {claim}. {say.seen_both}"
    return (
        f"{shown}. If one end is false, the other is true: {say.node(start)} or {say.node(end)}, and these cells see each other"
    )


def discontinuous_loop(say: Wording) -> str:
    """Show a chain that leads from a claim to its opposite."""
    links = say.step.pattern.links
    start, is_strong = links[0].start, links[0].strong
    cells, sign = say.cells(start.cells), say.sign(start.value)
    true = [link.end for link in links if link.strong and link.end != start]
    shown = _shown(say, links)
    named = set(PLACES.findall(shown))
    claims = [
        f"{say.one_of(node.cells)} would be {say.sign(node.value)}"
        for node in true
        if not set(PLACES.findall(say.cells(node.cells))) - named
    ]
    if len(claims) > _CLAIMS:
        claims = [*claims[: _CLAIMS - 1], "and so on"]
    end = f"{cells} would be {sign} after all" if is_strong else f"{cells} could not be {sign}"
    assumed = f"If {cells} {'were not' if is_strong else 'were'} {sign}"
    return f"{shown}. {', '.join([assumed, *claims, f'and {end}' if claims else end])}"


def continuous_loop(say: Wording) -> str:
    """Show a loop, and explain that of any two neighbours in it just one is true."""
    links = say.step.pattern.links
    silent = _is_silent(say, links[-1])  # it closes the loop within the first cell
    shown = _shown(say, links[:-1] if silent else links)
    return f"{shown}. The chain closes: of any two neighbours in it one is true and the other false"


def _shown(say: Wording, links: Sequence[Link]) -> str:
    """Return a chain, and the sets that it goes through."""
    shown = chain(say, links)
    return f"{shown}{_sets(say, shown)}"


def _sets(say: Wording, shown: str) -> str:
    """Name the sets that a chain goes through, those that the sentence has room for."""
    sets, named = say.step.pattern.sets, set(PLACES.findall(f"{shown} {say.effect}"))
    told: list[str] = []
    for one in sets:
        named |= set(PLACES.findall(say.cells(one.cells)))
        if len(named) > MOST_PLACES:
            if not told:
                return ", through almost locked sets"
            told.append(f"{numeral(len(sets) - len(told))} more")
            break
        told.append(say.set(one))
    noun = "sets" if len(sets) > 1 else "set"
    return f", with the almost locked {noun} {enumerate_words(told, 'and')}" if sets else ""


def remote_pair(say: Wording) -> str:
    """Explain that cells of the same two candidates alternate."""
    step = say.step
    ((one, other),) = _components(step.pattern.links)
    most = max(_TAIL, (MOST_PLACES - len(set(PLACES.findall(say.effect)))) // 2)
    cells = f"{say.few_cells(one, most)} and {say.few_cells(other, most)}"
    return (
        f"{cells} can only hold {say.value}, and see each other in a chain: the former hold one of them, the latter the other. "
        f"{say.cells_of_result} {say.verb('see')} cells of both kinds"
    )


# --- colours -----------------------------------------------------------------------------------------------------------


def colour_trap(say: Wording) -> str:
    """Explain that a cell sees both colours."""
    return f"{_colours(say)}. {say.cells_of_result} {say.verb('see')} both colours"


def colour_wrap(say: Wording) -> str:
    """Explain that two cells of a colour see each other."""
    return f"{_colours(say)}. Two cells of {say.cells_of_result} see each other, which makes that colour false"


def multi_colours_1(say: Wording) -> str:
    """Explain that of two colours that see each other one is false, and so one of their opposites true."""
    return (
        f"{_colours(say)}. A colour of the first kind sees one of the second, so that one of the two is false, and its opposite "
        "true. What sees both opposites goes"
    )


def multi_colours_2(say: Wording) -> str:
    """Explain that a colour sees both colours of another component."""
    return f"{_colours(say)}. A colour of the one kind sees both colours of the other, one of which is true"


def _colours(say: Wording) -> str:
    """Explain which cells are true or false together."""
    components = _components(say.step.pattern.links)
    parts = [f"either {_all_of(say, one)} or {_all_of(say, other)}" for one, other in components]
    return f"{say.value} is {', and '.join(parts)}"


def _all_of(say: Wording, cells: CellSet) -> str:
    return f"in all of {say.cells(cells)}" if cells & (cells - 1) else f"in {say.cells(cells)}"


def _components(links: Sequence[Link]) -> list[tuple[CellSet, CellSet]]:
    """Return the two colours of each component of links, as sets of cells."""
    found: list[tuple[CellSet, CellSet]] = []
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
