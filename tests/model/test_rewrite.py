"""Rewriting keeps the solutions: what is restated in other constraints, or in clauses, means the same."""

from __future__ import annotations

from functools import cache
from itertools import product
from random import Random
from typing import TYPE_CHECKING

import pytest

from sudoku_cp.backends.conformance.checks import AUXILIARIES, MAKERS, RELATIONS, VALUES, Case, empty_board, givens, random_cases
from sudoku_cp.backends.native.tiers import Native
from sudoku_cp.errors import Unsupported
from sudoku_cp.model import (
    AllDifferent,
    Automaton,
    Clause,
    Connected,
    Count,
    DigitSet,
    Linear,
    Literal,
    Table,
    build_model,
    clause_templates,
    different_cells,
    members,
    to_mask,
)
from sudoku_cp.model.cnf import Cnf, cnf
from sudoku_cp.model.rewrite import as_clauses, determinize, propagate_decided, rewrite_model

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

SETS = {
    "clauses": frozenset({Clause}),
    "no digit sets, no counts": frozenset({AllDifferent, Linear, Table, Automaton, Clause}),
    "all different": frozenset({AllDifferent, Clause}),
    "everything": frozenset(MAKERS),
}


@cache
def cases() -> tuple[Case, ...]:
    """Return models of each constraint, and of several together, with their solutions."""
    return (*(case for kind in MAKERS for case in random_cases((kind,), 2)), *random_cases(tuple(MAKERS), 3, AUXILIARIES))


def satisfiable(clauses: Collection[Sequence[int]]) -> bool:
    """Return whether a formula has a model, by unit propagation and search, without any solver."""
    clauses = [frozenset(clause) for clause in clauses]
    while clauses:
        shortest = min(clauses, key=len)
        if not shortest:
            return False
        literal = min(shortest, key=abs)
        if len(shortest) > 1:
            return any(satisfiable([*clauses, (choice,)]) for choice in (literal, -literal))
        clauses = [clause - {-literal} for clause in clauses if literal not in clause]
    return True


# --- to other constraints ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("takes", SETS.values(), ids=SETS)
def test_rewriting_keeps_the_solutions(takes: frozenset[type]) -> None:
    """A rewritten model only uses accepted constraints, and has the solutions found by brute force."""
    for case in cases():
        model = rewrite_model(case.model, takes)
        assert {type(constraint) for constraint in model.constraints} <= takes
        assert model.board == case.model.board
        assert model.domains[: len(case.model.domains)] == case.model.domains
        assert set(Native().open(model).solutions()) == case.solutions


def test_rewriting_keeps_the_origin() -> None:
    """A rewritten statement keeps its rule and its part."""
    model = empty_board(4)
    said = rewrite_model(model, frozenset({Clause})).statements
    assert [statement.part for statement in model.statements] == list(dict.fromkeys(statement.part for statement in said))
    assert {statement.rule for statement in said} == {"houses"}


def test_what_others_say_already_needs_no_clauses() -> None:
    """Connected cells for which other statements have the clauses are rewritten to nothing."""
    cells = Connected((0, 1, 2), frozenset({1}), ((1,), (0, 2), (1,)), None)
    model = build_model([0b110] * 3, [("rule", [("area", cells)])])
    assert rewrite_model(model, frozenset({Clause})).statements == ()
    assert rewrite_model(model, frozenset({Clause, Connected})).statements == model.statements


def test_a_backend_without_clauses_is_refused() -> None:
    """Clauses are the one constraint that every backend must take."""
    with pytest.raises(Unsupported, match="takes clauses"):
        rewrite_model(empty_board(4), frozenset({AllDifferent}))


def test_clauses_speak_of_candidates_only() -> None:
    """A literal that no value of its cell can make true, or false, is gone from the rewritten clause."""
    kept = Clause((Literal(0, 1), Literal(1, 1)))
    told = Clause((*kept.literals, Literal(0, 5), Literal(2, 7, equal=False)))
    true = Clause((Literal(0, 5, equal=False), Literal(1, 1)))
    model = build_model([0b110, 0b110, 0b10000000], [("r", [("told", told), ("true", true)])])
    assert rewrite_model(model, frozenset({Clause})).constraints == [kept]


# --- to a formula -----------------------------------------------------------------------------------------------


def _decoded(formula: Cnf, domains: Sequence[int], board: int) -> set[tuple[int, ...]]:
    """Return the grids that the formula allows, by brute force."""
    found = set()
    for values in product(*map(members, domains[:board])):
        told = [(formula.variables[cell, value],) for cell, value in enumerate(values) if (cell, value) in formula.variables]
        fixed = all(domain.bit_count() > 1 or domain == 1 << value for domain, value in zip(domains, values, strict=False))
        if fixed and satisfiable([*formula.clauses, *told]):
            found.add(values)
    return found


def test_a_formula_has_the_solutions_of_its_model() -> None:
    """The grids that the formula allows are those found by brute force."""
    for case in cases():
        assert _decoded(cnf(case.model), case.model.domains, case.model.board) == case.solutions


def test_a_formula_of_fewer_candidates_has_the_solutions_that_remain() -> None:
    """A formula over narrowed domains, decided and empty ones among them, allows the solutions within them."""
    random = Random(3)  # noqa: S311
    for case in cases():
        narrowed = [
            domain & random.choice((-1, 0b1010101, 0b111, 0b1110000)) for domain in case.model.domains[: case.model.board]
        ]
        formula = cnf(case.model, narrowed)
        assert _decoded(formula, narrowed, case.model.board) == case.under(dict(enumerate(narrowed)))


def test_sums_in_terms_of_cells_that_differ_mean_the_same() -> None:
    """If it is known which cells differ, sums are encoded by cliques, and the formula allows the same grids."""
    random = Random(6)  # noqa: S311
    shorter = 0
    for _ in range(60):
        domains = [to_mask(random.sample(VALUES, random.choice((1, 3, 4)))) for _ in range(4)]
        terms = tuple((cell, random.choice((1, 1, -1, 2))) for cell in random.sample(range(4), 4))
        said = [AllDifferent(tuple(random.sample(range(4), 3))), Linear(terms, random.choice(RELATIONS), random.randint(0, 9))]
        case = Case.of(build_model(domains, [("r", [("p", one) for one in said])]))
        formula = cnf(case.model, different=different_cells(case.model))
        assert _decoded(formula, domains, 4) == case.solutions
        shorter += formula.clauses != cnf(case.model).clauses
    assert shorter > 20


def test_clause_templates_are_few_and_make_no_difference(monkeypatch: pytest.MonkeyPatch) -> None:
    """A formula is the same whether its clause templates are cached or made anew, and the cache is bounded."""
    kept = [cnf(case.model).clauses for case in cases()]
    assert [cnf(case.model).clauses for case in cases()] == kept
    monkeypatch.setattr(clause_templates, "MOST_CACHED", 100)
    monkeypatch.setattr(clause_templates, "_templates", {})
    assert [cnf(case.model).clauses for case in cases()] == kept
    assert len(clause_templates._templates) < 64


def test_all_different_is_said_pair_by_pair() -> None:
    """Cells that differ, decided ones among them, give the same clauses as the general encoding."""
    random = Random(7)  # noqa: S311
    straight = 0
    for _ in range(300):
        domains = [to_mask(random.sample(VALUES, random.choice((1, 2, 3, 5)))) for _ in range(random.randint(2, 5))]
        constraint = AllDifferent(tuple(range(len(domains))))
        formula = cnf(build_model(domains, [("r", [("p", constraint)])]))
        general = [
            frozenset(formula.variables[cell, value] * (1 if equal else -1) for cell, value, equal in literals)
            for literals in as_clauses(constraint, domains, lambda: 0)
        ]
        said = [frozenset(clause) for clause in formula.blocks[0][1]] if formula.blocks else []
        assert sorted(map(sorted, said)) == sorted(map(sorted, general))
        straight += len(said) > 1
    assert straight > 100


def test_variables_are_numbered_from_one_without_gaps() -> None:
    """Each open candidate has a variable of its own, a decided cell none, and an auxiliary one that is true at 1."""
    for case in cases():
        formula = cnf(case.model)
        numbers = sorted({abs(literal) for literal in formula.variables.values()})
        assert numbers == list(range(1, formula.size + 1))
        used = {abs(literal) for clause in formula.clauses for literal in clause}
        assert used <= set(numbers)
        for cell, domain in enumerate(case.model.domains):
            if cell >= case.model.board:
                assert formula.variables[cell, 0] == -formula.variables[cell, 1]
                assert formula.candidates[formula.variables[cell, 1]] is None
                continue
            open_values = members(domain) if domain.bit_count() > 1 else []
            assert [value for value in VALUES if (cell, value) in formula.variables] == open_values
            for value in open_values:
                assert formula.candidates[formula.variables[cell, value]] == (cell, value)


def test_a_formula_says_which_statement_each_clause_is_of() -> None:
    """The blocks follow the statements, so that a clause can be traced to its rule."""
    formula = cnf(empty_board(4))
    assert [statement.part for statement, _ in formula.blocks] == [statement.part for statement in empty_board(4).statements]
    # Extended pairwise: each cell and house at least one and at most one of each value, 16 x (1 + 6) and 12 x 4 x (1 + 6).
    assert len(formula.cells) == 16 * 7
    assert len(formula.clauses) == 16 * 7 + 12 * 4 * 7


# --- the helpers ------------------------------------------------------------------------------------------------


def test_reducing_loses_no_solution() -> None:
    """What `propagate_decided` removes occurs in no solution, and a domain is empty only if there is no solution."""
    random = Random(4)  # noqa: S311
    for case in (*random_cases((AllDifferent, DigitSet), 3), *random_cases((AllDifferent, DigitSet), 3, AUXILIARIES)):
        narrowed = [domain & random.choice((-1, 0b1010101, 0b11)) for domain in case.model.domains[: case.model.board]]
        live = propagate_decided(case.model, narrowed)
        assert all(after & ~before == 0 for after, before in zip(live, narrowed, strict=True))
        assert case.under(dict(enumerate(live))) == case.under(dict(enumerate(narrowed)))


def test_reducing_follows_decided_cells_to_the_end() -> None:
    """If decided cells decide others, these rule out values in turn."""
    model = build_model([0b1110] * 3, [("r", [("p", AllDifferent((0, 1))), ("q", AllDifferent((1, 2)))])])
    assert propagate_decided(model, [0b10, 0b110, 0b1110]) == [0b10, 0b100, 0b1010]
    assert propagate_decided(model, [0b10, 0b10, 0b1110])[:2] == [0b10, 0]
    nine = empty_board(9)
    given = givens("1" + "." * 80)
    live = propagate_decided(nine, [domain & given.get(cell, -1) for cell, domain in enumerate(nine.domains)])
    assert sum(domain.bit_count() for domain in live) == 729 - 8 - 20


def test_a_deterministic_automaton_accepts_the_same() -> None:
    """`determinize` returns one next state for each state and value, and an automaton that accepts the same."""
    random = Random(5)  # noqa: S311
    changed = 0
    for _ in range(200):
        automaton = MAKERS[Automaton](random, range(3))
        assert isinstance(automaton, Automaton)
        single = determinize(automaton)
        assert single
        assert len({(state, value) for state, value, _ in single.edges}) == len(single.edges)
        assert single.cells == automaton.cells
        changed += single != automaton
        for values in product(VALUES, repeat=3):
            assert single.holds(values) == automaton.holds(values)
    assert 50 < changed < 200


def test_a_deterministic_automaton_stays_as_it_is() -> None:
    """A deterministic automaton stays as it is."""
    automaton = Automaton((0, 1), 4, frozenset({(4, 1, 5), (5, 2, 4)}), frozenset({4}))
    assert determinize(automaton) is automaton


def test_an_automaton_whose_deterministic_one_is_huge_becomes_clauses() -> None:
    """Whether the 14th value from the end is a 1 takes 16 states, 2**14 deterministic ones: a backend gets clauses instead."""
    free = {(0, value, 0) for value in VALUES} | {(state, value, state + 1) for state in range(1, 14) for value in VALUES}
    automaton = Automaton(tuple(range(16)), 0, frozenset(free | {(0, 1, 1)}), frozenset({14}))
    assert determinize(automaton) is None
    model = build_model([to_mask(VALUES)] * 16, [("end", [("end", automaton)])])
    written = rewrite_model(model, frozenset({Automaton, Clause}))
    assert {type(constraint) for constraint in written.constraints} == {Clause}


def test_the_cases_have_counts_of_both_kinds() -> None:
    """The cases above reach the encoding of two cells and that of more, and include cells that are named twice."""
    told = [constraint for case in cases() for constraint in case.model.constraints if isinstance(constraint, Count | Table)]
    lengths = {(len(constraint.cells), len(set(constraint.cells))) for constraint in told}
    assert {(2, 2), (3, 3), (3, 2), (2, 1)} <= lengths
    assert all(isinstance(case, Case) for case in cases())
