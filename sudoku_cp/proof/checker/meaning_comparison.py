"""Compares the clauses of rules with the machines that define what the rules mean.

Blocks are joined so that no two share auxiliaries. Each statement of a rule is compared with all groups about its cells
alone; equal shapes (up to renaming of variables) are compared once. Clauses that forbid what the machine allows would prove too
much; clauses that allow what it forbids (even together with those of other rules) are not the rule's. Both are problems.
"""

from __future__ import annotations

from hashlib import sha256
from itertools import combinations
from json import dumps
from typing import TYPE_CHECKING, Any

from .clause_remainders import ClauseRemainders, MeaningDifference, TooMuchWork, WorkBudget, group_by_shared
from .dimacs_formula import DimacsFormula, RuleClauses
from .joint_walk import live_states, walk
from .rule_machines import Cells, RuleMachine, Statement, conjunction, reorder
from .set_comparison import compare_sets

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from .report import CheckBudget, CheckFindings


def group_by_auxiliaries(parts: Sequence[RuleClauses], board: int, budget: CheckBudget) -> list[RuleClauses]:
    """Return the clauses of some blocks, those of blocks that share auxiliaries together."""

    def auxiliaries_of(part: RuleClauses) -> set[int]:
        found = set[int]()
        for clause in part.clauses:
            budget.spend(1 + len(clause) // 8)
            found.update(abs(literal) for literal in clause if abs(literal) > board)
        return found

    auxiliaries = map(auxiliaries_of, parts)
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
) -> dict[int | None, int]:
    """Compare rules with their clauses, add what is wrong to ``found``, and return how many clauses of each are on trust.

    ``parts`` are the clauses of each rule (None: of several), ``rebuilt`` those of rules that say that cells differ.
    """
    budget = formula.puzzle.budget
    groups = {number: group_by_auxiliaries(some, formula.board, budget) for number, some in parts.items()}
    left = {number: sum(len(group.clauses) for group in own) for number, own in groups.items()}
    comparison, rules, known = MeaningComparison(formula, groups, rebuilt), formula.puzzle.rules, formula.puzzle.statements
    for number, own in groups.items():
        name = "several rules" if number is None else f"rule {number} ({rules[number].kind})"
        statements_ = None if number is None else known[number]
        again = number is not None and comparison.is_repetition(number) and not own
        if number is not None and statements_ is not None and not again:
            open_ = comparison.compare_rule(number, statements_, name, found)
            found.facts["compared"] += left[number] - open_
            left[number] = open_
        if solution is not None:
            found.add_problems(comparison.unsatisfied_groups(own, solution, name, found))
    found.facts["walks"] = len(comparison.seen)
    return left


class CellIndex:
    """Finds, among sets of cells with numbers, those that lie inside another set."""

    def __init__(self, some: Iterable[Collection[int]]) -> None:
        """Index the sets by themselves and by their first cells."""
        self.by_set: dict[frozenset[int], list[int]] = {}
        for number, cells in enumerate(some):
            self.by_set.setdefault(frozenset(cells), []).append(number)
        self.by_first: dict[int, list[frozenset[int]]] = {}
        for own in self.by_set:
            if own:
                self.by_first.setdefault(min(own), []).append(own)

    def inside(self, whole: frozenset[int], budget: CheckBudget) -> list[int]:
        """Return the numbers of the sets inside ``whole``; of empty ones only if it is empty."""
        near: Iterable[frozenset[int]] = [whole]
        if 0 < len(whole) <= 4:
            near = (frozenset(some) for size in range(1, len(whole) + 1) for some in combinations(whole, size))
        elif whole:
            candidates = [self.by_first.get(cell, ()) for cell in whole]
            budget.spend(sum(map(len, candidates)) // 4)
            near = (own for some in candidates for own in some if own <= whole)
        budget.spend(10)
        return sorted(number for own in near for number in self.by_set.get(own, ()))


MAX_WORK, REDUCED_WORK, MANY = 2_000_000, 200_000, 10
"""How many clauses and steps one comparison may look at before it is given up, and how many once one has been given up.

Once as many as ``MANY`` have been, a tenth of that.
"""
SEEN_BYTES = 1000
"""The memory that the result of a comparison takes."""


class MeaningComparison:
    """Compares clauses with meanings, each shape of both once."""

    def __init__(
        self, formula: DimacsFormula, groups: Mapping[int | None, Sequence[RuleClauses]], rebuilt: Sequence[RuleClauses]
    ) -> None:
        """Start with nothing compared; ``groups`` are the clauses of each rule, ``rebuilt`` those that keep cells different."""
        self.formula, self.puzzle, self.budget = formula, formula.puzzle, formula.puzzle.budget
        self.groups = groups
        self.every = [(number, group) for number, some in groups.items() for group in some] + [(-1, one) for one in rebuilt]
        self.index = CellIndex(group.cells for _, group in self.every)
        self.seen: dict[Any, MeaningDifference] = {}
        self.first: dict[str, int] = {}
        self.given_up = 0

    def difference(self, cells: Cells, machine: RuleMachine, clauses: Sequence[Sequence[int]]) -> MeaningDifference:
        """Return how clauses about ``cells`` differ from what the machine accepts."""
        formula, width = self.formula, len(self.puzzle.values)
        work = self.work_budget()
        work.spend(len(clauses) + sum(map(len, clauses)) // 2)
        renamed: dict[int, int] = {}
        for place, cell in enumerate(cells):
            for number in range(width if formula.board else 0):
                renamed[formula.first[cell] + number] = 1 + place * width + number
        for auxiliary in sorted({abs(literal) for clause in clauses for literal in clause if abs(literal) > formula.board}):
            renamed[auxiliary] = 1 + len(cells) * width + len(renamed)
        renamed |= {-variable: -number for variable, number in renamed.items()}
        shape: set[tuple[int, ...]] = set()
        for clause in clauses:
            self.budget.spend(1 + len(clause) // 2)
            shape.add(tuple(sorted({renamed[literal] for literal in clause})))
        about = len(cells), self.puzzle.values, sorted(shape)
        key = len(cells), machine, sha256(repr(about[2]).encode()).digest()
        if key not in self.seen:
            self.budget.hold(SEEN_BYTES)
            found = compare_sets(machine.of_set, *about, work) if machine.of_set else None
            self.seen[key] = found or walk(machine, *about, work)
        return self.seen[key]

    def is_repetition(self, number: int) -> bool:
        """Return whether a rule before this one is the same: then its clauses are this one's, too."""
        key = dumps(self.puzzle.rules[number].source, sort_keys=True)
        self.budget.spend(2 + len(key) // 16)
        return self.first.setdefault(key, number) != number

    def work_budget(self) -> WorkBudget:
        """Return the work that the next comparison may take: little once one was given up."""
        most = MAX_WORK if not self.given_up else REDUCED_WORK if self.given_up < MANY else REDUCED_WORK // 10
        return WorkBudget(most, self.budget.tick)

    def compare_rule(self, number: int, known: Sequence[Statement], name: str, found: CheckFindings) -> int:
        """Add what is wrong with a rule's clauses to ``found``, and return how many could not be compared with its meaning.

        Each statement is compared with all clauses about its cells alone, together with the statements about some of these cells.
        """
        groups = self.groups[number]
        if self.is_impossible(known, groups, name, found):
            return 0
        open_, unsure = set(range(len(groups))), set[int]()
        scopes = [tuple(dict.fromkeys(cells)) for cells, _ in known]
        groups_in, statements_in = CellIndex(group.cells for group in groups), CellIndex(scopes)
        for whole, scope in _scopes_to_compare(scopes, groups, self.budget).items():
            inside = [known[k] for k in statements_in.inside(whole, self.budget)]
            own = groups_in.inside(whole, self.budget)
            machine, cells = self.joint_machine(inside, scope, [groups[k] for k in own])
            try:
                lost, loose = self.compare_statements(number, cells, machine, [groups[k] for k in own])
            except TooMuchWork:
                self.given_up += 1
                unsure.update(own)
                if not own:
                    where = self.puzzle.cell_names(cells)
                    found.trust(f"{name}: that it says nothing of {where:.80}, where it has no clauses")
                continue
            open_.difference_update(own)
            where = f"formula.cnf: line {min((groups[k].line for k in own), default=0)}: {name}: its clauses"
            for values, what in ((lost, "forbid {}, which the rule allows"), (loose, "allow {}, which the rule forbids")):
                if values is not None:
                    assignment = " ".join(f"{self.puzzle.names[cell]}={value}" for cell, value in zip(cells, values, strict=True))
                    found.add_problems([f"{where} {what.format(assignment or 'any values')}"])
        return sum(len(groups[k].clauses) for k in open_ | unsure)

    def compare_statements(
        self, number: int, cells: Cells, machine: RuleMachine, groups: Sequence[RuleClauses]
    ) -> MeaningDifference:
        """Return how a rule's clauses about some cells differ from its meaning; a model states once what two rules say.

        So what its own clauses allow too much, the clauses of other rules about these cells may forbid.
        """
        self.budget.spend(sum(len(group.clauses) for group in groups) // 10)
        clauses = [clause for group in groups for clause in group.clauses]
        lost, loose = self.difference(cells, machine, clauses)
        if loose is not None:
            inside = [self.every[k] for k in self.index.inside(frozenset(cells), self.budget)]
            others = [group for other, group in inside if other != number]
            if sum(len(group) ** 2 for one in others for group in one.groups) > MAX_WORK:
                raise TooMuchWork
            more = [clause for group in others for clause in expand_groups(group).clauses]
            loose = self.difference(cells, machine, clauses + more).loose
        return MeaningDifference(lost, loose)

    def is_impossible(self, known: Sequence[Statement], groups: Iterable[RuleClauses], name: str, found: CheckFindings) -> bool:
        """Return whether the rule cannot hold, and clauses about no cells say so: whatever its other clauses say follows.

        Such clauses of a rule that can hold are a problem.
        """
        false = [group for group in groups if not group.cells and self._can_hold(group) is False]
        possible = [self._possible(statement) for statement in known] if false else []
        if None not in possible and False not in possible:
            found.add_problems(
                f"formula.cnf: line {one.line}: {name}: clauses that cannot hold, of a rule that can" for one in false
            )
        return False in possible

    def joint_machine(
        self, some: Sequence[Statement], cells: tuple[int, ...], groups: Sequence[RuleClauses]
    ) -> tuple[RuleMachine, tuple[int, ...]]:
        """Return the machine of some statements and the order it reads cells in: that of the clauses where the order is free."""
        if all(machine.free or machine.in_order for _, machine in some):
            cells = next((group.order for group in groups if sorted(group.order) == sorted(cells)), cells)
        return conjunction(cells, some, self.budget), cells

    def _possible(self, statement: Statement) -> bool | None:
        """Return whether some values satisfy a statement; None if that takes too much work."""
        scope = tuple(dict.fromkeys(statement[0]))
        try:
            return bool(live_states(reorder(scope, *statement), len(scope), self.puzzle.values, self.work_budget())[0])
        except TooMuchWork:
            return None

    def _can_hold(self, group: RuleClauses) -> bool | None:
        """Return whether clauses can be satisfied; None if that takes too much work."""
        try:
            return ClauseRemainders(group.clauses, self.work_budget()).is_satisfiable()
        except TooMuchWork:
            return None

    def unsatisfied_groups(
        self, groups: Iterable[RuleClauses], solution: Sequence[int], name: str, found: CheckFindings
    ) -> Iterator[str]:
        """Yield a problem for each group of clauses that the solution does not satisfy."""
        formula = self.formula
        true = {formula.literal(cell, value) for cell, value in enumerate(solution)} if formula.board else set[int]()
        for group in groups:
            left: list[list[int]] = []  # the auxiliaries of clauses that the cells leave open
            for clause in group.clauses:
                self.budget.spend(1 + len(clause) // 4)
                if not any((abs(one) in true) == (one > 0) for one in clause if abs(one) <= formula.board):
                    left.append([one for one in clause if abs(one) > formula.board])
            try:
                if not ClauseRemainders(left, self.work_budget()).is_satisfiable():
                    yield f"formula.cnf: line {group.line}: {name}: the solution does not satisfy its clauses"
            except TooMuchWork:
                found.trust(f"{name}: that the solution satisfies the clauses at line {group.line}, after a long search")


def _scopes_to_compare(
    scopes: list[tuple[int, ...]], groups: Sequence[RuleClauses], budget: CheckBudget
) -> dict[frozenset[int], tuple[int, ...]]:
    """Return the sets of cells to compare over, with their order: the scopes of statements, and of clauses that fit in none."""
    found: dict[frozenset[int], tuple[int, ...]] = {}
    scopes_of: dict[int, list[frozenset[int]]] = {}
    for cells in scopes:
        budget.spend(2 + len(cells))
        whole = frozenset(cells)
        if whole not in found:
            found[whole] = cells
            for cell in whole:
                scopes_of.setdefault(cell, []).append(whole)
    for group in groups:
        if group.cells and group.cells not in found:
            around = scopes_of.get(min(group.cells), ())
            budget.spend(len(around) // 4)
            if not any(group.cells <= whole for whole in around):
                found[group.cells] = tuple(sorted(group.cells))
    return found
