"""Almost locked sets: two or three in a row, and sue de coq, where a box and a line cross."""

from __future__ import annotations

from collections import defaultdict
from functools import partial
from itertools import combinations, pairwise
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from sudoku_cp.logic.links.consequences import grouped_consequences
from sudoku_cp.logic.links.link_table import grouped_links
from sudoku_cp.logic.removable_places import BarrenSearches
from sudoku_cp.logic.restricted_commons import Reach, RestrictedCommons, restricted_commons
from sudoku_cp.logic.step import (
    CellsAndValues,
    ChainNode,
    Link,
    Pattern,
    ProofGroup,
    ProofStatement,
    Step,
    Technique,
    distinct,
    once_in,
    sees,
    sees_each_other,
)
from sudoku_cp.model import Domain, members, to_mask

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from sudoku_cp.grid import Cell
    from sudoku_cp.logic.almost_locked_sets import AlmostLockedSet
    from sudoku_cp.logic.candidate_board import CandidateBoard
    from sudoku_cp.logic.layout import BoxLineCrossing, CellSet, Layout
    from sudoku_cp.logic.step import Candidate


def als_xz(board: CandidateBoard) -> Iterator[Step]:
    """Yield two sets with a restricted common: any other common value is in one of them. Two such lock all values."""
    commons = restricted_commons(board)
    found: dict[Reach, int] = {}
    for one in range(len(commons.sets)) if commons.ends else ():
        board.tick()
        others = _union(commons.partners[one].values()) >> one << one
        for other in members(others if commons.ends >> one & 1 else others & commons.ends):
            values = commons.between(one, other)
            common = commons.reaches[one] & commons.reaches[other]
            for value in members(values) if common else ():
                reach = common & ~commons.field(1 << value)
                if reach and _is_smaller(commons, found, reach, (one, other)):
                    yield row_step(board, Technique.ALS_XZ, commons, (one, other), (value,), reach)
            for pair in combinations(members(values), 2):
                reach = common | _locked_reach(commons, one, other, pair) | _locked_reach(commons, other, one, pair)
                if reach and _is_smaller(commons, found, reach, (one, other)):
                    yield loop_step(board, commons, (one, other), pair, reach)


def als_xy_wings(board: CandidateBoard) -> Iterator[Step]:
    """Yield two sets with different restricted commons with a third: any other value common to the two is in one of them.

    Where the third has several with one of them, that without any of these is listed too.
    """
    commons = restricted_commons(board)
    found: dict[Reach, int] = {}
    for one, other in combinations(members(commons.ends), 2):
        common = commons.reaches[one] & commons.reaches[other]
        united = commons.sets[one].cells | commons.sets[other].cells
        if not common or united in {commons.sets[one].cells, commons.sets[other].cells}:
            continue
        board.tick()
        for first, last in _pairs_with_middles(commons, one, other):
            reach = common & ~commons.field(1 << first | 1 << last)
            for middle in _worthwhile(commons, (one, first), (other, last), found.get(reach)) if reach else ():
                for left_out in (1 << first | 1 << last, commons.between(one, middle) | commons.between(middle, other)):
                    reach = common & ~commons.field(left_out)
                    if reach and _is_smaller(commons, found, reach, (one, middle, other)):
                        yield row_step(board, Technique.ALS_XY_WING, commons, (one, middle, other), (first, last), reach)


def _pairs_with_middles(commons: RestrictedCommons, one: int, other: int) -> Iterator[tuple[int, int]]:
    """Yield different restricted commons of two sets with a third."""
    for first, near in commons.partners[one].items():
        for last, far in commons.partners[other].items():
            if first != last and near & far:
                yield first, last


def _worthwhile(commons: RestrictedCommons, start: tuple[int, int], end: tuple[int, int], smallest: int | None) -> list[int]:
    """Return the third sets to try between two, each given with its restricted common; fewer if a step is known.

    ``smallest`` is the number of cells of the smallest step known that rules out the same. If it has no more cells than the two
    sets together, only a third set with several restricted commons, which may rule out something else, can be of use.
    """
    (one, first), (other, last) = start, end
    near, far = commons.partners[one], commons.partners[other]
    middles = near[first] & far[last]
    if smallest is not None and smallest <= (commons.sets[one].cells | commons.sets[other].cells).bit_count():
        middles &= commons.manifold[one] | commons.manifold[other]
    return members(middles)


def _locked_reach(commons: RestrictedCommons, one: int, other: int, pair: tuple[int, int]) -> Reach:
    """Return what the values of a set rule out outside both, if it holds one of the pair, and the other set the other."""
    values = commons.sets[one].values & ~to_mask(pair)
    return commons.reaches[one] & commons.field(values) & ~commons.spread(commons.sets[other].cells, values)


def _is_smaller(commons: RestrictedCommons, found: dict[Reach, int], reach: Reach, numbers: tuple[int, ...]) -> bool:
    """Return whether no instance with fewer cells, or as many, has been found for that reach; note this one if so."""
    size = _union(commons.sets[number].cells for number in numbers).bit_count()
    if size >= found.get(reach, 1 + size):
        return False
    found[reach] = size
    return True


def _union(masks: Iterable[int]) -> int:
    union = 0
    for mask in masks:
        union |= mask
    return union


# The steps of almost locked sets in a row: how they are drawn and proved.


def row_step(
    board: CandidateBoard,
    technique: Technique,
    commons: RestrictedCommons,
    numbers: tuple[int, ...],
    between: tuple[int, ...],
    reach: Reach,
) -> Step:
    """Return the step of sets in a row, with the restricted commons between neighbours, that has this reach."""
    sets = [commons.sets[number] for number in numbers]
    removed = commons.cells_by_value(reach)
    eliminations = board.eliminations(removed)
    ends = [value for value, _ in removed]
    links = tuple(_row_links(sets, (ends[0], *between, ends[0])))
    proof = distinct([*_row_proof(board.layout, sets, between, ends), *_removal_proof(board.layout, sets, eliminations)])
    return Step(technique, to_mask([*between, *ends]), _all_cells(sets), eliminations, (), _pattern(sets, links), proof)


def loop_step(
    board: CandidateBoard, commons: RestrictedCommons, numbers: tuple[int, int], pair: tuple[int, int], reach: Reach
) -> Step:
    """Return the step of two sets with two restricted commons: each set holds one of them, and all of its other values."""
    sets = [commons.sets[number] for number in numbers]
    eliminations = board.eliminations(commons.cells_by_value(reach))
    first, second = pair
    links = [*_row_links(sets, (second, first, second)), Link(_node(sets[1], second), _node(sets[0], second), strong=False)]
    proof = [group for one in sets for group in set_proof(board.layout, one, 0)]
    for value in pair:
        proof += sees_each_other(board.layout, value, sets[0].places[value], sets[1].places[value])
    for cell, value in eliminations:
        for one in sets:
            if one.sight.get(value, 0) >> cell & 1:
                proof += sees(board.layout, value, cell, one.places[value])
    values = sets[0].values | sets[1].values
    return Step(Technique.ALS_XZ, values, _all_cells(sets), eliminations, (), _pattern(sets, tuple(links)), distinct(proof))


def set_proof(layout: Layout, one: AlmostLockedSet, without: Domain) -> Iterator[ProofGroup]:
    """Yield the reasons why the cells of a set have values, those of them not ``without`` once each."""
    yield from (ProofGroup(ProofStatement.HAS_VALUE, cell) for cell in members(one.cells))
    yield from (once_in(layout, value, one.house) for value in members(one.values & ~without))


def _row_proof(layout: Layout, sets: list[AlmostLockedSet], between: tuple[int, ...], ends: list[int]) -> Iterator[ProofGroup]:
    """Yield the reasons why some set in a row keeps a value at its ends: the value removed, or a restricted common."""
    end = ends[0] if len(ends) == 1 else None  # of several values removed, each needs the others
    for one, entry, way_out in zip(sets, (end, *between), (*between, end), strict=True):
        yield from set_proof(layout, one, to_mask(value for value in (entry, way_out) if value is not None))
    for (one, other), value in zip(pairwise(sets), between, strict=True):
        yield from sees_each_other(layout, value, one.places[value], other.places[value])


def _removal_proof(layout: Layout, sets: list[AlmostLockedSet], eliminations: tuple[Candidate, ...]) -> Iterator[ProofGroup]:
    """Yield the reasons why an eliminated candidate takes its value from both ends of a row."""
    for cell, value in eliminations:
        yield from sees(layout, value, cell, sets[0].places[value] | sets[-1].places[value])


def _row_links(sets: list[AlmostLockedSet], values: tuple[int, ...]) -> Iterator[Link]:
    """Yield the links of a row: strong in each set, from one value to the next, and weak from set to set."""
    for index, (one, (entry, way_out)) in enumerate(zip(sets, pairwise(values), strict=True)):
        if index:
            yield Link(_node(sets[index - 1], entry), _node(one, entry), strong=False)
        yield Link(_node(one, entry), _node(one, way_out), strong=True)


def _node(one: AlmostLockedSet, value: int) -> ChainNode:
    return ChainNode(value, one.places[value])


def _pattern(sets: list[AlmostLockedSet], links: tuple[Link, ...]) -> Pattern:
    return Pattern(links=links, sets=tuple(CellsAndValues(one.cells, one.values) for one in sets))


def _all_cells(sets: list[AlmostLockedSet]) -> int:
    union = 0
    for one in sets:
        union |= one.cells
    return union


# Chains of four or more almost locked sets, in which neighbours have a restricted common, never the same twice running.
#
# What they eliminate depends on the first set, its restricted common, the last set and its own. So the search finds, longer and
# longer, which (last set, restricted common by which it is entered) each (first set, restricted common) leads to; such a pair
# is a *state*, a bit in an integer, and all that a pair leads to is one integer. Only chains with something new to show are
# walked.


_SHORTEST, _AT_LEAST = 3, 7
"""Restricted commons in the shortest chain; and how many are tried even if no chain leads to a further state."""
_TRIES = 200
"""Sets looked at for one chain without a repeated set, before it is left to longer chains."""

States: TypeAlias = int
"""Pairs of a set and the value by which it is entered: a bit for each set, in a field for each value."""
Ways: TypeAlias = "list[dict[int, States]]"
"""For each set and each value by which it is left, the states in which chains of one length end."""


class _Ends(NamedTuple):
    """First and last set of a chain, and the values by which the one is left and the other entered."""

    first: int
    way_out: int
    last: int
    entry: int


class _Chain(NamedTuple):
    """The numbers of sets in a row, and the restricted commons by which they are left; a whole chain ends with a set."""

    numbers: tuple[int, ...]
    between: tuple[int, ...]


class _ChainSearch:
    """Which ends chains of each length have: ``ways[k]`` by first set and value, of those with k + 1 restricted commons.

    ``entered[k]`` has for each set and each value by which it is entered the ends of chains with k further restricted commons.
    """

    def __init__(self, commons: RestrictedCommons) -> None:
        """Begin with chains of one restricted common."""
        self.commons = commons
        self.size = len(commons.sets)
        self.ways: list[Ways] = [
            [{value: partners << value * self.size for value, partners in one.items()} for one in commons.partners]
        ]
        self.entered: list[Ways] = [[]]
        self.useful = [self._useful_states(first) for first in range(self.size)]

    def _useful_states(self, first: int) -> States:
        """Return the states of later sets whose reach meets that of the first: a chain backwards is the same chain."""
        reaches, ends = self.commons.reaches, self.commons.ends
        if not ends >> first & 1:
            return 0
        useful = to_mask(number for number in members(ends & -2 << first) if reaches[first] & reaches[number])
        return sum(useful << value * self.size for value in range(self.commons.highest + 1))

    def lengthen(self) -> None:
        """Find the ends of chains with one restricted common more. Sets with the same partners lead to the same states."""
        entered = [_unions_of_others(own) for own in self.ways[-1]]
        self.entered.append(entered)
        known: dict[tuple[int, int], States] = {}
        longer: Ways = [{} for _ in entered]
        for one, own in enumerate(self.commons.partners):
            for value, partners in own.items():
                if (value, partners) not in known:
                    union = 0
                    for number in members(partners):
                        union |= entered[number][value]
                    known[value, partners] = union
                longer[one][value] = known[value, partners]
        self.ways.append(longer)

    def chain(self, ends: _Ends) -> _Chain | None:
        """Return a chain of the present length that repeats no set, if one is soon found."""
        target = 1 << ends.entry * self.size + ends.last
        stack = [iter([_Chain((ends.first,), (ends.way_out,))])]
        for _ in range(_TRIES):
            start = next(stack[-1], None)
            if start is None:
                stack.pop()
                if not stack:
                    return None
            elif len(start.between) == len(self.ways):
                return _Chain((*start.numbers, ends.last), start.between)
            else:
                stack.append(self._longer(start, target))
        return None

    def _longer(self, start: _Chain, target: States) -> Iterator[_Chain]:
        """Yield a start of a chain with a further set and a value to leave it, from which the target can be reached."""
        entry, left = start.between[-1], len(self.ways) - len(start.between)  # restricted commons still to come
        last = (target.bit_length() - 1) % self.size
        unused = self.commons.partners[start.numbers[-1]][entry] & ~to_mask((*start.numbers, last))
        for number in members(unused):
            if self.entered[left][number][entry] & target:
                for value, states in self.ways[left - 1][number].items():
                    if value != entry and states & target:
                        yield _Chain((*start.numbers, number), (*start.between, value))


def als_chains(board: CandidateBoard) -> Iterator[Step]:
    """Yield chains of four or more sets, shorter ones first: any further common value of the ends is in one of them."""
    commons = restricted_commons(board)
    if not commons.ends:
        return
    search = _ChainSearch(commons)
    done = [dict.fromkeys(own, 0) for own in search.commons.partners]
    found: set[Reach] = set()
    reached = None
    while len(search.ways) < _AT_LEAST or reached != [list(own.values()) for own in done]:
        reached = [list(own.values()) for own in done]
        board.tick()
        search.lengthen()
        if len(search.ways) >= _SHORTEST:
            yield from _new_steps(board, search, done, found)


def _new_steps(board: CandidateBoard, search: _ChainSearch, done: Ways, found: set[Reach]) -> Iterator[Step]:
    """Yield the chains of the present length with a new reach; ``done`` are the states that need no longer chain."""
    for ends, reach in _new_ends(search, done):
        if reach not in found:
            board.tick()
            chain = search.chain(ends)
            if chain is None and len(search.ways) < _AT_LEAST:
                continue
            if chain:
                found.add(reach)
                yield row_step(board, Technique.ALS_CHAIN, search.commons, *chain, reach)
        done[ends.first][ends.way_out] |= 1 << ends.entry * search.size + ends.last


def _new_ends(search: _ChainSearch, done: Ways) -> Iterator[tuple[_Ends, Reach]]:
    """Yield the ends of chains of the present length that are not done, with what they rule out together."""
    commons, size = search.commons, search.size
    for first, own in enumerate(search.ways[-1]):
        later = search.useful[first]
        for way_out, states in own.items():
            own_field = commons.field(1 << way_out)
            for state in members(states & later & ~done[first][way_out]):
                entry, last = divmod(state, size)
                reach = commons.reaches[first] & commons.reaches[last] & ~own_field & ~commons.field(1 << entry)
                if reach:
                    yield _Ends(first, way_out, last, entry), reach
                else:
                    done[first][way_out] |= 1 << state


def _unions_of_others(ways: dict[int, States]) -> dict[int, States]:
    """Return for each value by which a set is entered the states to which all others lead."""
    unions = {}
    for entry in ways:
        unions[entry] = 0
        for way_out, states in ways.items():
            if way_out != entry:
                unions[entry] |= states
    return unions


# Death blossom: each candidate of a stem cell takes its value from an almost locked set, a petal, which needs all others.


Petals: TypeAlias = "tuple[int, ...]"
"""The numbers of the petals of some candidates of a stem, in the order of these."""


def death_blossoms(board: CandidateBoard) -> Iterator[Step]:
    """Yield for each stem the choices of petals, one a candidate, with a common value that goes from what they all see."""
    commons = restricted_commons(board)
    for stem in members(board.open):
        if board.candidates[stem] and _rules_something_out(board, stem):
            for reach, petals in _choices(board, commons, stem).items():
                yield _step(board, commons, stem, reach, petals)


def _rules_something_out(board: CandidateBoard, stem: Cell) -> bool:
    """Return whether chains from each candidate of a cell make the same candidate false: petals are such chains."""
    table, consequences = grouped_links(board), grouped_consequences(board)
    common = table.candidates
    for value in members(board.candidates[stem]):
        common &= consequences.false_if_true[table.numbers[value, 1 << stem]]
    return common != 0


def _choices(board: CandidateBoard, commons: RestrictedCommons, stem: Cell) -> dict[Reach, Petals]:
    """Return what choices of petals rule out together, each with the choice of fewest cells.

    A candidate at a time: whatever petals were chosen so far, only what they rule out together matters.
    """
    other_values = commons.field(to_mask(board.layout.values) & ~board.candidates[stem])
    by_value = [_petals(commons, stem, value, other_values) for value in members(board.candidates[stem])]
    chosen: dict[Reach, tuple[CellSet, Petals]] = {other_values: (1 << stem, ())}
    for petals in by_value:
        board.tick()
        together: dict[Reach, tuple[CellSet, Petals]] = {}
        for reach, (cells, numbers) in chosen.items():
            for number, own in petals:
                common = reach & own
                if common:
                    united = cells | commons.sets[number].cells
                    if common not in together or united.bit_count() < together[common][0].bit_count():
                        together[common] = united, (*numbers, number)
        chosen = together
    return {reach: petals for reach, (_, petals) in chosen.items()}


def _petals(commons: RestrictedCommons, stem: Cell, value: int, other_values: Reach) -> list[tuple[int, Reach]]:
    """Return the petals of a candidate of the stem, with what they rule out; of those that rule out the same the smallest."""
    found: dict[Reach, int] = {}
    for number, one in enumerate(commons.sets):
        if one.values >> value & 1 and one.sight[value] >> stem & 1 and not one.cells >> stem & 1:
            found.setdefault(commons.reaches[number] & other_values, number)
    return [(number, reach) for reach, number in found.items() if reach]


def _step(board: CandidateBoard, commons: RestrictedCommons, stem: Cell, reach: Reach, petals: Petals) -> Step:
    layout = board.layout
    removed = commons.cells_by_value(reach)
    eliminations = board.eliminations(removed)
    sets = [CellsAndValues(1 << stem, board.candidates[stem])]
    proof = [ProofGroup(ProofStatement.HAS_VALUE, stem)]
    cells, ends = 1 << stem, to_mask(value for value, _ in removed)
    for value, number in zip(members(board.candidates[stem]), petals, strict=True):
        one = commons.sets[number]
        cells |= one.cells
        sets.append(CellsAndValues(one.cells, one.values))
        proof += set_proof(layout, one, 1 << value | (ends if ends.bit_count() == 1 else 0))
        proof += sees(layout, value, stem, one.places[value])
        for cell, end in eliminations:
            proof += sees(layout, end, cell, one.places[end])
    pattern = Pattern(fins=1 << stem, sets=tuple(sets))
    return Step(Technique.DEATH_BLOSSOM, board.candidates[stem] | ends, cells, eliminations, (), pattern, distinct(proof))


# Sue de Coq: cells where box and line cross, with cells of the line's and the box's rest that take all their surplus values.


_SIZES = (2, 3)
"""Cells of the crossing that a pattern takes."""
_ALL_SUBSETS, _WIDEST = 8, 3
"""Of so many open cells in the rest of a line or box all subsets are looked at; of more, those of 3 cells."""


_barren = BarrenSearches()


class _Side(NamedTuple):
    """Cells of the rest of a line or box; ``room`` is how many values of the crossing they take."""

    cells: CellSet
    values: Domain
    room: int


def sue_de_coqs(board: CandidateBoard) -> Iterator[Step]:
    """Yield the patterns in all crossings of a box and a line."""
    layout = board.layout
    for crossing in layout.crossings:
        line, box = (layout.readers[house](board.candidates) for house in (crossing.line, crossing.box))
        cells = layout.groups[crossing.line].mask | layout.groups[crossing.box].mask
        key = layout, crossing, cells & board.open, line, box
        yield from _barren.steps_of(key, partial(_at_crossing, board, crossing))


def _at_crossing(board: CandidateBoard, crossing: BoxLineCrossing) -> Iterator[Step]:
    """Yield the patterns with two or three open cells of a crossing that have two values or more too many."""
    shared = members(crossing.mask & board.open)
    for size in _SIZES:
        for cells in map(to_mask, combinations(shared, size)):
            values = board.values_in(cells)
            if values.bit_count() >= size + 2:
                yield from _around(board, crossing, cells, values)


def _around(board: CandidateBoard, crossing: BoxLineCrossing, cells: CellSet, values: Domain) -> Iterator[Step]:
    """Yield the patterns with these cells of the crossing."""
    surplus = values.bit_count() - cells.bit_count()
    line_rest, box_rest = (board.layout.groups[house].mask & board.open & ~cells for house in (crossing.line, crossing.box))
    if surplus > _widest(line_rest) + _widest(box_rest):
        return
    on_line, boxes = (_sides(board, rest, values, surplus - 1) for rest in (line_rest, box_rest))
    if not _may_meet(on_line, boxes, values, surplus):
        return
    in_box: defaultdict[int, list[_Side]] = defaultdict(list)
    for box in boxes:
        in_box[box.room].append(box)
    for line in on_line:
        board.tick()
        for box in in_box.get(surplus - line.room, ()):
            if not line.cells & box.cells and not line.values & box.values & values:
                step = _crossing_step(board, crossing, CellsAndValues(cells, values), line, box)
                if step.eliminations:
                    yield step


def _may_meet(lines: Iterable[_Side], boxes: Iterable[_Side], values: Domain, surplus: int) -> bool:
    """Return whether some two sides take the whole surplus and share none of the values: many have the same room and values."""
    in_box = {(box.room, box.values & values) for box in boxes}
    on_line = {(line.room, line.values & values) for line in lines} if in_box else ()
    return any(one + other == surplus and not taken & held for one, taken in on_line for other, held in in_box)


def _widest(rest: CellSet) -> int:
    """Return how many of these open cells are taken at most."""
    return rest.bit_count() if rest.bit_count() <= _ALL_SUBSETS else _WIDEST


def _sides(board: CandidateBoard, rest: CellSet, values: Domain, most: int) -> list[_Side]:
    """Return the sets of the open cells ``rest`` that take at least one of ``values``, and at most ``most``.

    A set with as many foreign values as cells takes none: so one with more of them than further cells can make up for is left.
    """
    known, widest, cells_left = [(0, 0, 0)], _widest(rest), rest.bit_count()
    for cell in members(rest):
        board.tick()
        own, bit = board.candidates[cell], 1 << cell
        cells_left -= 1
        known += [
            (cells | bit, union | own, size + 1)
            for cells, union, size in known
            if size < widest and (foreign := ((union | own) & ~values).bit_count()) < widest and foreign <= size + cells_left
        ]
    return [
        _Side(cells, union, room)
        for cells, union, size in known
        if 0 < (room := size - (union & ~values).bit_count()) <= most and union & values
    ]


def _crossing_step(board: CandidateBoard, crossing: BoxLineCrossing, crossed: CellsAndValues, line: _Side, box: _Side) -> Step:
    layout, values = board.layout, crossed.values
    cells = crossed.cells | line.cells | box.cells
    line_rest, box_rest = (layout.groups[house].mask & ~cells for house in (crossing.line, crossing.box))
    both = line.values & box.values  # outside the crossing: each stands once in line and box
    removed = [(value, line_rest) for value in members((values | line.values) & ~box.values | both)]
    removed += [(value, box_rest) for value in members((values | box.values) & ~line.values | both)]
    proof = [ProofGroup(ProofStatement.HAS_VALUE, cell) for cell in members(cells)]
    proof += [once_in(layout, value, crossing.line) for value in members((values | line.values) & ~box.values | both)]
    proof += [once_in(layout, value, crossing.box) for value in members((values | box.values) & ~line.values | both)]
    sets = (crossed, CellsAndValues(line.cells, line.values), CellsAndValues(box.cells, box.values))
    pattern = Pattern((crossing.line, crossing.box), sets=sets)
    everything = values | line.values | box.values
    return Step(Technique.SUE_DE_COQ, everything, cells, board.eliminations(removed), (), pattern, distinct(proof))
