"""Trimming of proofs: what is left refutes the formula, and nothing that is needed is lost."""

from __future__ import annotations

import itertools
import random
from typing import TYPE_CHECKING

import pytest
from pysat.solvers import Solver

from sudoku_cp import Limits, Puzzle
from sudoku_cp.errors import LimitReached
from sudoku_cp.proof import certificate as certification
from sudoku_cp.proof import prove, sat_prover, verify
from sudoku_cp.proof.checker.drup_proof import Propagation
from sudoku_cp.proof.checker.report import CheckBudget
from sudoku_cp.proof.lemma_trimming import lrat_lines, needed_lemmas

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

Clauses = list[list[int]]
HARD = "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......"


def refuted(clauses: Clauses) -> Clauses:
    """Return the lemmas by which a solver refutes clauses, the empty one last; none if they can be satisfied."""
    with Solver("glucose4", bootstrap_with=clauses, with_proof=True) as solver:
        if solver.solve():
            return []
        lines = [line for line in solver.get_proof() if not line.startswith("d")]
    return [*([int(word) for word in line.split()[:-1]] for line in dict.fromkeys(lines) if line != "0"), []]


def is_refutation(clauses: Clauses, lemmas: Sequence[Sequence[int]]) -> bool:
    """Return whether each lemma follows by unit propagation, and they end in a contradiction, as the checker sees it."""
    size = max(abs(literal) for clause in clauses for literal in clause)
    propagation = Propagation(size, [list(dict.fromkeys(clause)) for clause in clauses], [], CheckBudget())
    for lemma in lemmas:
        if not propagation.follows(lemma):
            return False
        propagation.add(lemma)
    return propagation.follows([])


def random_clauses(chance: random.Random, size: int, count: int) -> Clauses:
    """Return clauses of up to three literals over some variables."""
    return [
        [chance.choice((1, -1)) * number for number in chance.sample(range(1, size + 1), chance.randint(2, 3))]
        for _ in range(count)
    ]


@pytest.mark.parametrize("seed", range(30))
def test_what_is_left_still_refutes(seed: int) -> None:
    """Of any refutation, the needed lemmas alone are one: each follows from the clauses and the needed ones before it."""
    chance = random.Random(seed)  # noqa: S311  # reproducible, no secret
    clauses = random_clauses(chance, 20, 110)
    lemmas = refuted(clauses)
    if not lemmas:
        pytest.skip("these clauses can be satisfied")
    noise = [[*lemma, chance.randint(1, 20)] for lemma in lemmas if lemma]
    longer = [one for pair in itertools.zip_longest(lemmas[:-1], noise) for one in pair if one] + [[]]
    kept = needed_lemmas(clauses, longer, int)
    assert kept is not None
    assert kept == sorted(set(kept))
    assert len(kept) <= len(longer)
    assert is_refutation(clauses, [longer[place] for place in kept])


def follows_by_hints(clauses: Clauses, lines: Sequence[str]) -> bool:
    """Return whether each lemma follows from its hints alone, by a test of its own, and the last one is empty."""
    known = dict(enumerate(clauses, 1))
    lemma: Sequence[int] = [1]
    for number, line in enumerate(lines, len(clauses) + 1):
        first, *words = map(int, line.split())
        middle = words.index(0)
        lemma, hints = words[:middle], words[middle + 1 : -1]
        true = {-literal for literal in lemma}
        open_literals = [0]
        for hint in hints:
            open_literals = [literal for literal in known[hint] if -literal not in true]
            if len(set(open_literals)) > 1:
                return False
            true.update(open_literals)
        if first != number or open_literals:
            return False
        known[number] = [*lemma]
    return not lemma


@pytest.mark.parametrize("seed", range(30))
def test_hints_are_what_each_lemma_follows_from(seed: int) -> None:
    """Each line of a proof in LRAT follows from the clauses that it names, in this order, and no other."""
    chance = random.Random(seed)  # noqa: S311  # reproducible, no secret
    clauses = [*random_clauses(chance, 20, 100), *([chance.choice((1, -1)) * number] for number in range(21, 24))]
    clauses += [[-literal, *one] for (literal,), one in zip(clauses[-3:], random_clauses(chance, 20, 3), strict=True)]
    lemmas = refuted(clauses)
    if not lemmas:
        pytest.skip("these clauses can be satisfied")
    lines = lrat_lines(clauses, lemmas, int)
    assert lines is not None
    assert follows_by_hints(clauses, lines)


def test_lemmas_without_a_refutation_get_no_hints() -> None:
    """What does not follow, refutes nothing, or is always true has no proof in LRAT; a formula may refute itself."""
    clauses = [[1, 2], [-1, 2], [3, 4]]
    assert lrat_lines(clauses, [[-2], []], int) is None
    assert lrat_lines(clauses, [[2], []], int) is None
    assert lrat_lines([*clauses, [1, -2], [-1, -2]], [[5, -5], [2], []], int) is None
    for more in ([[-2]], [[-1], [-2], [1, 5], [5, 6], [-2, 7]], [[-1], [-2, 5], [-5, 6], [-6, -5], [2, 7], [8, 9]]):
        assert follows_by_hints([*clauses, *more], lrat_lines([*clauses, *more], [[]], int) or [])


def test_long_proofs_have_hints_unless_time_is_short(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A long proof of either prover is written with hints and verified; where the time runs out, it stays without."""
    monkeypatch.setattr(certification, "HINTS_FROM", 1)
    certificate = prove(Puzzle.parse(HARD), provers=("sat", "native"))
    assert [proof.file for proof in certificate.proofs] == ["proof-sat.lrat.xz", "proof-native.lrat.xz"]
    assert verify(certificate.write(tmp_path / "hinted")).verdict == "verified"

    def run_out(*_: object) -> list[str]:
        raise LimitReached("deadline")

    monkeypatch.setattr("sudoku_cp.proof.lemma_trimming.lrat_lines", run_out)
    certificate = prove(Puzzle.parse(HARD))
    assert [proof.file for proof in certificate.proofs] == ["proof-sat.drup.xz"]
    assert verify(certificate.write(tmp_path / "plain")).verdict == "verified"


def test_lemmas_that_do_not_follow_are_no_refutation() -> None:
    """A needed lemma that does not follow is noticed, and so is a proof that refutes nothing."""
    clauses = [[1, 2], [-1, 2], [3, 4]]
    assert needed_lemmas(clauses, [[-2], []], int) is None
    assert needed_lemmas(clauses, [[2], []], int) is None
    assert needed_lemmas([*clauses, [-2]], [[3, 4], []], int) == []
    assert needed_lemmas([[]], [[1]], int) == []


def test_a_tautology_and_repeated_literals_do_no_harm() -> None:
    """Clauses with a literal twice, or with both of a variable, mean what they mean."""
    clauses = [[1, 1, 2], [-1, 2, 2], [5, -5], [-2, 3], [-2, -3, -3]]
    kept = needed_lemmas(clauses, [[2, -2], [4, -4, 4], [2, 2], []], int)
    assert kept is not None
    assert is_refutation(clauses, [[[2, -2], [4, -4, 4], [2, 2]][place] for place in kept])


def test_long_proofs_are_trimmed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A certificate has only the lemmas that its refutation needs, is verified, and is smaller than without trimming."""
    puzzle = Puzzle.parse(HARD)
    monkeypatch.setattr(sat_prover, "TRIM_FROM", 10**9)
    whole = prove(puzzle)
    monkeypatch.setattr(sat_prover, "TRIM_FROM", 1)
    trimmed = prove(puzzle)
    assert trimmed.proofs[0].lemmas < whole.proofs[0].lemmas
    assert verify(trimmed.write(tmp_path / "trimmed")).verdict == "verified"


@pytest.mark.parametrize("reason", ["deadline", "cancelled"])
def test_a_proof_that_cannot_be_trimmed_in_time_stays_long(reason: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The refutation is complete by then: only who has cancelled the question gets no proof."""

    def run_out(*_: object) -> list[int]:
        raise LimitReached(reason)

    monkeypatch.setattr("sudoku_cp.proof.lemma_trimming.needed_lemmas", run_out)
    lines = ["1 0", "0"]
    if reason == "cancelled":
        with pytest.raises(LimitReached):
            sat_prover._trimmed(lines, [], Limits().started())
    else:
        assert sat_prover._trimmed(lines, [], Limits().started()) == lines
