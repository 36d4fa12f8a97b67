"""Certification: prove that a puzzle has one solution, or none, or needs every given, as a certificate that others can check."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal, TypeAlias

from sudoku_cp import queries
from sudoku_cp.arguments import checked
from sudoku_cp.backends import UNLIMITED, Limits, backend
from sudoku_cp.compile_cache import can_compile
from sudoku_cp.errors import InvalidInput, LimitReached, NotProved, UnknownName, Unsupported, WrongAnswer
from sudoku_cp.formats import dimacs
from sudoku_cp.proof.certificate import Certificate, Proof
from sudoku_cp.proof.prover import EMPTY_CLAUSE, RefutationTask, not_proved_error
from sudoku_cp.puzzle import Puzzle
from sudoku_cp.rules.kinds import CLASS_OF

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from sudoku_cp.backends import Clock, Solution
    from sudoku_cp.formats.dimacs import RulesText
    from sudoku_cp.grid import Cell
    from sudoku_cp.proof.certificate import Claim
    from sudoku_cp.proof.prover import Prover
    from sudoku_cp.rules import Rule

RequestedClaim: TypeAlias = Literal["auto", "unique", "none", "minimal"]
PROVERS = ("sat", "native")
DEFAULT_SOLVER = "cadical153"
"""The SAT solver of the prover ``sat`` if none is named."""
HINTS_FROM = 1000
"""The fewest lemmas that get hints: fewer are checked in less time than making them takes."""


@checked
def prove(
    puzzle: Puzzle, *, claim: RequestedClaim = "auto", provers: Sequence[str] = ("sat",), limits: Limits = UNLIMITED
) -> Certificate:
    """Return the certificate of a claim: that there is one solution (``unique``), ``none``, or one that needs every given.

    ``auto`` claims one solution or none, whichever is true. Each of the ``provers`` proves it: ``sat`` (or ``sat:glucose4``,
    ...), and for puzzles of houses alone ``native``. Raises `NotProved` where the claim is false, with what refutes it, and
    `LimitReached` where a limit comes first.
    """
    names = full_names(provers)
    _require_known_rules(puzzle)
    clock = limits.started()
    rules = dimacs.rules_text(puzzle, clock.check)
    opened = {name: _open_prover(name, puzzle, rules) for name in names}
    known = opened[names[0]].solution(clock)
    if known is not None and not puzzle.holds(known):
        raise WrongAnswer(f"expected a solution of {puzzle!r}, got {known!r}")
    if claim != "auto" and (known is None) != (claim == "none"):
        raise not_proved_error(puzzle, () if known is None else (known,))
    task = RefutationTask(puzzle, rules, dimacs.puzzle_clauses(puzzle, rules, known), known)
    formula = "".join(dimacs.formula_text(puzzle, rules, task.stated)).encode("utf-8", "backslashreplace")
    proofs = tuple(_make_proof(name, prover, task, formula, clock) for name, prover in opened.items())
    others = _witness_grids(puzzle, known, clock) if claim == "minimal" and known is not None else {}
    proved: Claim = claim if claim != "auto" else "none" if known is None else "unique"
    return Certificate(puzzle, proved, known, formula, proofs, others)


def _require_known_rules(puzzle: Puzzle) -> None:
    """Raise `Unsupported` for rules of other packages, which the checker cannot know."""
    foreign = {rule.kind for rule in _with_inner(puzzle.rules) if rule.kind not in CLASS_OF}
    if foreign:
        got = ", ".join(sorted(foreign))
        raise Unsupported(f"expected rules that the independent checker knows, got {got} of another package")


def _with_inner(rules: Iterable[Rule]) -> Iterator[Rule]:
    """Yield rules, and those inside of rules that are made of rules."""
    for rule in rules:
        yield rule
        yield from _with_inner(getattr(rule, "rules", ()))


def _witness_grids(puzzle: Puzzle, known: Solution, clock: Clock) -> Mapping[Cell, Solution]:
    """Return for each given a solution of the puzzle without it, or raise `NotProved` if some are not needed."""
    found = queries.necessary_givens(puzzle, known, limits=clock.left())
    if found.unnecessary:
        names = ", ".join(map(puzzle.grid.cell_name, found.unnecessary))
        raise NotProved(f"expected every given to be needed, got some that are not: {names}", unnecessary=found.unnecessary)
    if found.reason is not None:
        raise LimitReached(found.reason, f"{clock.elapsed:.3g} s")
    return found.witnesses


# --- the provers ------------------------------------------------------------------------------------------------


def full_names(provers: Sequence[str]) -> list[str]:
    """Return the full names of provers, each once; raise `InvalidInput` for one that there is not, or if there is none."""
    names = list(dict.fromkeys(map(_full_name, provers)))
    if not names:
        raise InvalidInput("expected at least one prover, got none")
    return names


def _full_name(name: str) -> str:
    """Return the name of a prover with the full name of its solver."""
    engine, _, kind = name.partition(":")
    if engine not in PROVERS:
        raise UnknownName("prover", name, PROVERS)
    if engine == "sat":
        from sudoku_cp.proof.sat_prover import solver_of_prover  # noqa: PLC0415  # loads the solvers

        return f"sat:{solver_of_prover(kind or DEFAULT_SOLVER)}"
    backend(name)  # there is such a kind
    return name


def _open_prover(name: str, puzzle: Puzzle, rules: RulesText) -> Prover:
    """Open a prover for the puzzle."""
    engine, _, kind = name.partition(":")
    if engine == "sat":
        from sudoku_cp.proof.sat_prover import SatProver  # noqa: PLC0415

        return SatProver(puzzle, rules, kind)
    from sudoku_cp.proof.search_prover import SearchProver  # noqa: PLC0415

    return SearchProver(puzzle, kind)


def _make_proof(name: str, prover: Prover, task: RefutationTask, formula: bytes, clock: Clock) -> Proof:
    """Make the proof by one prover, with hints if it is long; it must end in the empty clause."""
    clock.check()
    lines = prover.lemmas(task, clock)
    if not lines or lines[-1] != EMPTY_CLAUSE:
        raise WrongAnswer(f"expected a proof by {name} that ends in the empty clause, got one of {len(lines)} lemmas")
    engine, _, kind = name.partition(":")
    short = engine if kind in {"", DEFAULT_SOLVER} else f"{engine}-{kind}"
    hinted = _lines_with_hints(lines, formula, clock) if len(lines) >= HINTS_FROM and can_compile() else None
    lines = hinted or lines
    return Proof(short, name, ("\n".join(lines) + "\n").encode(), len(lines), "lrat" if hinted else "drup")


def _lines_with_hints(lines: Sequence[str], formula: bytes, clock: Clock) -> list[str] | None:
    """Return a proof in DRUP as one in LRAT, None where the time runs out or a lemma does not follow."""
    from sudoku_cp.proof.lemma_trimming import lrat_lines  # noqa: PLC0415  # imports NumPy

    text = formula.decode()
    clauses = text[text.index("\np cnf ") + 1 :].splitlines()[1:]
    parsed = [[[int(word) for word in line.split()[:-1]] for line in some] for some in (clauses, lines)]
    try:
        return lrat_lines(parsed[0], parsed[1], clock.check)
    except LimitReached as limit:
        if limit.reason == "cancelled":
            raise
    return None
