"""Compares the clauses of rules with the machines that say what the rules mean.

Blocks are joined so that no two share auxiliaries. Each statement of a rule is compared with all groups about its cells
alone; equal shapes (up to renaming of variables) are compared once. Clauses that forbid what the machine allows would prove too
much; clauses that allow what it forbids (even together with those of other rules) are not the rule's. Both are problems.
"""

from __future__ import annotations

from itertools import combinations, product
from typing import TYPE_CHECKING, Any

from .clause_remainders import ClauseRemainders, MeaningDifference, TooMuchWork, WorkBudget, group_by_shared
from .dimacs_formula import RuleClauses
from .joint_walk import live_states, walk
from .rule_machines import Cells, Statement, conjunction, reorder
from .set_comparison import compare_sets

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

    from .dimacs_formula import DimacsFormula
    from .report import CheckFindings
    from .rule_machines import RuleMachine


def group_by_auxiliaries(parts: Sequence[RuleClauses], board: int) -> list[RuleClauses]:
    """Return the clauses of some blocks, those of blocks that share auxiliaries together."""
    auxiliaries = ({abs(literal) for clause in part.clauses for literal in clause if abs(literal) > board} for part in parts)
    groups = [_join_blocks([parts[place] for place in places]) for places in group_by_shared(auxiliaries)]
    return [group for group in groups if group.clauses]


def _join_blocks(some: Sequence[RuleClauses]) -> RuleClauses:
    """Return the clauses of several blocks as those of one, in the order of cells of the largest."""
    cells = frozenset[int]().union(*(part.cells for part in some))
    largest = max(some, key=lambda part: len(part.clauses))
    return RuleClauses(cells, some[0].line, [clause for part in some for clause in part.clauses], [], largest.order)


def expand_groups(part: RuleClauses) -> RuleClauses:
    """Return a block with its groups of variables as clauses."""
    pairs = [[-one, -other] for group in part.groups for one, other in combinations(group, 2)]
    return part._replace(clauses=pairs + part.clauses, groups=[])


def compare_meanings(
    formula: DimacsFormula,
    parts: Mapping[int | None, Sequence[RuleClauses]],
    rebuilt: Sequence[RuleClauses],
    solution: Sequence[int] | None,
    found: CheckFindings,
    tick: Callable[[], None],
) -> dict[int | None, int]:
    """Compare rules with their clauses, add what is wrong to ``found``, and return how many clauses of each are on trust.

    ``parts`` are the clauses of each rule (None: of several), ``rebuilt`` those of rules that say that cells differ.
    """
    groups = {number: group_by_auxiliaries(some, formula.board) for number, some in parts.items()}
    left = {number: sum(len(group.clauses) for group in own) for number, own in groups.items()}
    comparison, rules, known = MeaningComparison(formula, tick), formula.puzzle.rules, formula.puzzle.statements
    for number, own in groups.items():
        name = "several rules" if number is None else f"rule {number} ({rules[number].kind})"
        statements_ = None if number is None else known[number]
        if statements_ is not None:
            others = [group for other, some in groups.items() if other != number for group in some]
            open_ = comparison.compare_rule(statements_, own, [*others, *rebuilt], name, found)
            found.facts["compared"] += left[number] - open_
            left[number] = open_
        if solution is not None:
            found.problems += comparison.unsatisfied_groups(own, solution, name, found.trusted)
    found.facts["walks"] = len(comparison.seen)
    return left


MAX_WORK, REDUCED_WORK = 2_000_000, 200_000
"""How many clauses and steps one comparison may look at before it is given up, and how many once one has been given up."""


class MeaningComparison:
    """Compares clauses with meanings, each shape of both once."""

    def __init__(self, formula: DimacsFormula, tick: Callable[[], None]) -> None:
        """Start with nothing compared."""
        self.formula, self.puzzle, self.tick = formula, formula.puzzle, tick
        self.seen: dict[Any, MeaningDifference] = {}
        self.given_up = 0

    def difference(self, cells: Cells, machine: RuleMachine, clauses: Sequence[Sequence[int]]) -> MeaningDifference:
        """Return how clauses about ``cells`` differ from what the machine accepts."""
        formula, width = self.formula, len(self.puzzle.values)
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
            about = len(cells), self.puzzle.values, sorted(map(sorted, shape))
            work = self.work_budget()
            found = compare_sets(machine.of_set, *about, work) if machine.of_set else None
            self.seen[key] = found or walk(machine, *about, work)
        return self.seen[key]

    def work_budget(self) -> WorkBudget:
        """Return the work that the next comparison may take: little once one was given up."""
        return WorkBudget(REDUCED_WORK if self.given_up else MAX_WORK, self.tick)

    def compare_rule(
        self,
        known: Sequence[Statement],
        groups: list[RuleClauses],
        others: Sequence[RuleClauses],
        name: str,
        found: CheckFindings,
    ) -> int:
        """Add what is wrong with a rule's clauses to ``found``, and return how many could not be compared with its meaning.

        Each statement is compared with all clauses about its cells alone, together with the statements about some of these
        cells. ``others`` are the clauses of other rules: a model states once what two rules say.
        """
        if self.is_impossible(known, groups, name, found):
            return 0
        open_, unsure = set(range(len(groups))), set[int]()
        scopes = [tuple(dict.fromkeys(cells)) for cells, _ in known]
        groups_at, scopes_at = _index_by_cell([group.cells for group in groups]), _index_by_cell(scopes)
        for whole, scope in _scopes_to_compare(scopes, groups, scopes_at).items():
            self.tick()
            at = scope or (None,)
            inside_ = sorted({k for cell in at for k in scopes_at.get(cell, ()) if whole.issuperset(scopes[k])})
            own = sorted({k for cell in at for k in groups_at.get(cell, ()) if groups[k].cells <= whole})
            machine, cells = self.joint_machine([known[k] for k in inside_], scope, [groups[k] for k in own])
            clauses = [clause for k in own for clause in groups[k].clauses]
            try:
                lost, loose = self.difference(cells, machine, clauses)
                if loose is not None:
                    more = [clause for group in others if group.cells <= whole for clause in expand_groups(group).clauses]
                    loose = self.difference(cells, machine, clauses + more).loose
            except TooMuchWork:
                self.given_up += 1
                unsure.update(own)
                if not own:
                    where = self.puzzle.cell_names(cells)
                    found.trusted.append(f"{name}: that it says nothing of {where:.80}, where it has no clauses")
                continue
            open_.difference_update(own)
            where = f"formula.cnf: line {min((groups[k].line for k in own), default=0)}: {name}: its clauses"
            for values, what in ((lost, "forbid {}, which the rule allows"), (loose, "allow {}, which the rule forbids")):
                if values is not None:
                    assignment = " ".join(f"{self.puzzle.names[cell]}={value}" for cell, value in zip(cells, values, strict=True))
                    found.problems.append(f"{where} {what.format(assignment or 'any values')}")
        return sum(len(groups[k].clauses) for k in open_ | unsure)

    def is_impossible(self, known: Sequence[Statement], groups: Iterable[RuleClauses], name: str, found: CheckFindings) -> bool:
        """Say whether the rule cannot hold, and clauses about no cells say so: whatever its other clauses say follows.

        Such clauses of a rule that can hold are a problem.
        """
        false = [group for group in groups if not group.cells and not self._can_hold(group)]
        possible = [self._possible(statement) for statement in known] if false else []
        if None not in possible and False not in possible:
            found.problems += [
                f"formula.cnf: line {one.line}: {name}: clauses that cannot hold, of a rule that can" for one in false
            ]
        return False in possible

    def joint_machine(
        self, some: Sequence[Statement], cells: tuple[int, ...], groups: Sequence[RuleClauses]
    ) -> tuple[RuleMachine, tuple[int, ...]]:
        """Return the machine of some statements and the order it reads cells in: that of the clauses where the order is free."""
        if all(machine.free for _, machine in some):
            cells = next((group.order for group in groups if sorted(group.order) == sorted(cells)), cells)
        return conjunction(cells, some), cells

    def _possible(self, statement: Statement) -> bool | None:
        """Say whether some values satisfy a statement; None if that takes too much work."""
        scope = tuple(dict.fromkeys(statement[0]))
        try:
            return bool(live_states(reorder(scope, *statement), len(scope), self.puzzle.values, self.work_budget())[0])
        except TooMuchWork:
            return None

    def _can_hold(self, group: RuleClauses) -> bool:
        """Say whether clauses can be satisfied; if that takes too long, assume that they cannot."""
        try:
            return ClauseRemainders(group.clauses, self.work_budget()).is_satisfiable()
        except TooMuchWork:
            return False

    def unsatisfied_groups(
        self, groups: Iterable[RuleClauses], solution: Sequence[int], name: str, trusted: list[str]
    ) -> Iterator[str]:
        """Yield a problem for each group of clauses that the solution does not satisfy."""
        formula = self.formula
        for group in groups:
            remainders = ClauseRemainders(group.clauses, self.work_budget())
            true = [
                formula.literal(cell, value) * (1 if value == solution[cell] else -1)
                for cell, value in product(group.cells if formula.board else (), self.puzzle.values)
            ]
            try:
                if not remainders.satisfiable(remainders.begin(literals=true)):
                    yield f"formula.cnf: line {group.line}: {name}: the solution does not satisfy its clauses"
            except TooMuchWork:
                trusted.append(f"{name}: that the solution satisfies the clauses at line {group.line}, after a long search")


def _index_by_cell(some: Sequence[Collection[int]]) -> dict[int | None, list[int]]:
    """Return for each cell the indices of the collections it is in; under None, those of empty collections."""
    found: dict[int | None, list[int]] = {}
    for number, cells in enumerate(some):
        for cell in cells or (None,):
            found.setdefault(cell, []).append(number)
    return found


def _scopes_to_compare(
    scopes: list[tuple[int, ...]], groups: list[RuleClauses], scopes_at: dict[int | None, list[int]]
) -> dict[frozenset[int], tuple[int, ...]]:
    """Return the sets of cells to compare over, with their order: the scopes of statements, and of clauses that fit in none."""
    wide = [
        tuple(sorted(group.cells))
        for group in groups
        if group.cells and not any(group.cells.issubset(scopes[k]) for k in scopes_at.get(min(group.cells), ()))
    ]
    found: dict[frozenset[int], tuple[int, ...]] = {}
    for cells in (*scopes, *wide):
        found.setdefault(frozenset(cells), cells)
    return found
