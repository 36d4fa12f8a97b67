"""The comparison of a puzzle's rules with their clauses, by meaning."""

from __future__ import annotations

from functools import partial
from itertools import chain, combinations, product
from typing import TYPE_CHECKING, Any, NamedTuple

from .digit_sets import compare_sets
from .machines import Cells, Statement, reordered, together
from .remainders import Remainders, TooLarge, Verdict, Work
from .walk import reachable, walk

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

    from .formula import Formula, Part
    from .machines import Machine
    from .puzzle import Puzzle
    from .report import Findings


class Group(NamedTuple):
    """Clauses that share auxiliaries with no others, the board's cells that their blocks name, and the line of the first.

    ``order`` is the one in which the largest block names them.
    """

    clauses: list[list[int]]
    cells: frozenset[int]
    line: int
    order: tuple[int, ...]


def by_auxiliaries(parts: Sequence[Part], board: int) -> list[Group]:
    """Return the clauses of some blocks in groups that share no auxiliaries."""
    joined = list(range(len(parts)))  # each block's group goes by the least number in it, found by following these

    def leader(number: int) -> int:
        while joined[number] != number:
            number = joined[number]
        return number

    owner: dict[int, int] = {}
    for number, part in enumerate(parts):
        for auxiliary in {abs(literal) for clause in part.clauses for literal in clause if abs(literal) > board}:
            first, second = sorted((leader(number), leader(owner.setdefault(auxiliary, number))))
            joined[second] = first
    members: dict[int, list[Part]] = {}
    for number, part in enumerate(parts):
        members.setdefault(leader(number), []).append(part)
    groups = [
        Group(
            [clause for part in some for clause in part.clauses],
            frozenset().union(*(part.cells for part in some)),
            some[0].line,
            max(some, key=lambda part: len(part.clauses)).order,
        )
        for some in members.values()
    ]
    return [group for group in groups if group.clauses]


def as_clauses(part: Part) -> Group:
    """Return a part with the clauses that its groups of variables stand for."""
    pairs = [[-first, -second] for group in part.groups for first, second in combinations(group, 2)]
    return Group(pairs + part.clauses, part.cells, part.line, part.order)


def compare_meanings(
    formula: Formula,
    puzzle: Puzzle,
    known: Sequence[Sequence[Statement] | None],
    parts: Mapping[int | None, Sequence[Part]],
    made: Sequence[Part],
    solution: Sequence[int] | None,
    found: Findings,
    tick: Callable[[], None],
) -> dict[int | None, int]:
    """Compare rules with their clauses, tell what is found, and return how many clauses of each have to be trusted.

    ``parts`` are the clauses of each rule (None: of several), ``made`` those of the rules of cells that differ.
    """
    groups = {number: by_auxiliaries(some, formula.board) for number, some in parts.items()}
    left = {number: sum(len(group.clauses) for group in own) for number, own in groups.items()}
    comparison = Comparison(formula, puzzle, tick)
    for number, own in groups.items():
        name = "several rules" if number is None else f"rule {number} ({puzzle.rules[number].kind})"
        statements_ = None if number is None else known[number]
        if statements_ is not None:
            others = [group for other, some in groups.items() if other != number for group in some]
            rest = partial(chain, others, map(as_clauses, made))
            open_ = comparison.rule(statements_, own, rest, name, found)
            found.facts["compared"] += left[number] - open_
            left[number] = open_
        if solution is not None:
            found.problems += comparison.unfit(own, solution, name, found.trusted)
    found.facts["walks"] = len(comparison.seen)
    return left


MOST, LITTLE = 2_000_000, 200_000
"""So many clauses and steps are looked at for one comparison before it is given up; and so many when one has been given up."""


class Comparison:
    """Compares clauses with meanings, each shape of both once."""

    def __init__(self, formula: Formula, puzzle: Puzzle, tick: Callable[[], None]) -> None:
        """Begin with nothing compared."""
        self.formula, self.puzzle, self.tick = formula, puzzle, tick
        self.seen: dict[Any, Verdict] = {}
        self.given_up = 0

    def verdict(self, cells: Cells, machine: Machine, clauses: Sequence[Sequence[int]]) -> Verdict:
        """Return how clauses about ``cells`` differ from what the machine says of them."""
        formula, width = self.formula, len(self.formula.values)
        renamed: dict[int, int] = {}
        for place, cell in enumerate(cells):
            for number in range(width if formula.board else 0):
                renamed[formula.first[cell] + number] = 1 + place * width + number
        for auxiliary in sorted({abs(literal) for clause in clauses for literal in clause if abs(literal) > formula.board}):
            renamed[auxiliary] = 1 + len(cells) * width + len(renamed)
        renamed |= {-variable: -number for variable, number in renamed.items()}
        shape = frozenset(frozenset(map(renamed.__getitem__, clause)) for clause in clauses)
        key = (len(cells), machine, shape)
        if key not in self.seen:
            told = len(cells), formula.values, sorted(map(sorted, shape))
            work = self.work()
            found = compare_sets(machine.of_set, *told, work) if machine.of_set else None
            self.seen[key] = found or walk(machine, *told, work)
        return self.seen[key]

    def work(self) -> Work:
        """Return how much work the next comparison may take: little, when one was too large for it."""
        return Work(LITTLE if self.given_up else MOST, self.tick)

    def rule(
        self, known: Sequence[Statement], groups: list[Group], others: Callable[[], Iterable[Group]], name: str, found: Findings
    ) -> int:
        """Tell what is wrong with a rule's clauses, and return how many of them could not be compared with its meaning.

        Each statement is compared with all clauses about its cells alone, together with the statements about some of these
        cells. ``others`` are the clauses of other rules: a model says once what two rules say.
        """
        if self.never(known, groups, name, found):
            return 0
        open_, unsure = set(range(len(groups))), set[int]()
        scopes = [tuple(dict.fromkeys(cells)) for cells, _ in known]
        groups_at, scopes_at = _by_cell([group.cells for group in groups]), _by_cell(scopes)
        for whole, scope in _to_compare(scopes, groups, scopes_at).items():
            self.tick()
            at = scope or (None,)
            inside_ = sorted({k for cell in at for k in scopes_at.get(cell, ()) if whole.issuperset(scopes[k])})
            own = sorted({k for cell in at for k in groups_at.get(cell, ()) if groups[k].cells <= whole})
            machine, cells = self.machine([known[k] for k in inside_], scope, [groups[k] for k in own])
            clauses = [clause for k in own for clause in groups[k].clauses]
            try:
                lost, loose = self.verdict(cells, machine, clauses)
                if loose is not None:
                    more = [clause for group in others() if group.cells <= whole for clause in group.clauses]
                    loose = self.verdict(cells, machine, clauses + more).loose
            except TooLarge:
                self.given_up += 1
                unsure.update(own)
                if not own:
                    found.trusted.append(
                        f"{name}: that it says nothing of {self.puzzle.told(cells):.80}, where it has no clauses"
                    )
                continue
            open_.difference_update(own)
            where = f"formula.cnf: line {min((groups[k].line for k in own), default=0)}: {name}: its clauses"
            for values, what in ((lost, "forbid {}, which the rule allows"), (loose, "allow {}, which the rule forbids")):
                if values is not None:
                    told = " ".join(f"{self.puzzle.names[cell]}={value}" for cell, value in zip(cells, values, strict=True))
                    found.problems.append(f"{where} {what.format(told or 'any values')}")
        return sum(len(groups[k].clauses) for k in open_ | unsure)

    def never(self, known: Sequence[Statement], groups: Iterable[Group], name: str, found: Findings) -> bool:
        """Say whether clauses about no cells cannot hold, and the rule cannot either: whatever else they say follows from it.

        Of a rule that can hold, such clauses are told as wrong.
        """
        false = [group for group in groups if not group.cells and not self._can_hold(group)]
        possible = [self._possible(statement) for statement in known] if false else []
        if None not in possible and False not in possible:
            found.problems += [
                f"formula.cnf: line {one.line}: {name}: clauses that cannot hold, of a rule that can" for one in false
            ]
        return False in possible

    def machine(
        self, some: Sequence[Statement], cells: tuple[int, ...], groups: Sequence[Group]
    ) -> tuple[Machine, tuple[int, ...]]:
        """Return the machine of some statements, and how it reads the cells: as the clauses do, where the order is free."""
        if all(machine.free for _, machine in some):
            cells = next((group.order for group in groups if sorted(group.order) == sorted(cells)), cells)
        return together(cells, some), cells

    def _possible(self, statement: Statement) -> bool | None:
        """Say whether some values satisfy a statement; None where that takes too much work to know."""
        scope = tuple(dict.fromkeys(statement[0]))
        try:
            return bool(reachable(reordered(scope, *statement), len(scope), self.puzzle.values, self.work())[0])
        except TooLarge:
            return None

    def _can_hold(self, group: Group) -> bool:
        """Say whether clauses can be satisfied; where that takes a long search, they are taken for some that cannot."""
        try:
            return Remainders(group.clauses, self.work()).can_be_true()
        except TooLarge:
            return False

    def unfit(self, groups: Iterable[Group], solution: Sequence[int], name: str, trusted: list[str]) -> Iterator[str]:
        """Yield the groups of clauses that the solution does not satisfy."""
        formula = self.formula
        for group in groups:
            remainders = Remainders(group.clauses, self.work())
            true = [
                formula.literal(cell, value) * (1 if value == solution[cell] else -1)
                for cell, value in product(group.cells if formula.board else (), formula.values)
            ]
            try:
                if not remainders.satisfiable(remainders.begin(literals=true)):
                    yield f"formula.cnf: line {group.line}: {name}: the solution does not satisfy its clauses"
            except TooLarge:
                trusted.append(f"{name}: that the solution satisfies the clauses at line {group.line}, after a long search")


def _by_cell(some: Sequence[Collection[int]]) -> dict[int | None, list[int]]:
    """Return for each cell the numbers of the lists that it is in, and for None those of the lists without cells."""
    found: dict[int | None, list[int]] = {}
    for number, cells in enumerate(some):
        for cell in cells or (None,):
            found.setdefault(cell, []).append(number)
    return found


def _to_compare(
    scopes: list[tuple[int, ...]], groups: list[Group], scopes_at: dict[int | None, list[int]]
) -> dict[frozenset[int], tuple[int, ...]]:
    """Return the sets of cells to compare over, with their order: those of statements, and of clauses that fit in none."""
    wide = [
        tuple(sorted(group.cells))
        for group in groups
        if group.cells and not any(group.cells.issubset(scopes[k]) for k in scopes_at.get(min(group.cells), ()))
    ]
    found: dict[frozenset[int], tuple[int, ...]] = {}
    for cells in (*scopes, *wide):
        found.setdefault(frozenset(cells), cells)
    return found
