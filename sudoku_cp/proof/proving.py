"""Prove that a puzzle has one solution, or none, or no given too many: a certificate that others can check."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal, TypeAlias

from sudoku_cp import queries
from sudoku_cp.arguments import checked
from sudoku_cp.backends import UNLIMITED, Limits
from sudoku_cp.errors import InvalidInput, LimitReached, NotProved, UnknownName, WrongAnswer
from sudoku_cp.formats import dimacs
from sudoku_cp.proof.certificate import Certificate, Proof
from sudoku_cp.proof.claims import EMPTY, Task, not_proved
from sudoku_cp.puzzle import Puzzle

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sudoku_cp.backends import Clock, Solution
    from sudoku_cp.formats.dimacs import RulesText
    from sudoku_cp.grid import Cell
    from sudoku_cp.proof.certificate import Claim
    from sudoku_cp.proof.claims import Prover

Wanted: TypeAlias = Literal["auto", "unique", "none", "minimal"]
PROVERS = ("sat", "native")
USUAL = "cadical153"
"""The solver that proves where none is named."""


@checked
def prove(
    puzzle: Puzzle, *, claim: Wanted = "auto", provers: Sequence[str] = ("sat",), limits: Limits = UNLIMITED
) -> Certificate:
    """Return the certificate of a claim: that there is one solution (``unique``), ``none``, or one that needs every given.

    ``auto`` claims one solution or none, whatever is true. Each of the ``provers`` proves it: ``sat`` (or ``sat:glucose4``,
    ...), and for puzzles of houses alone ``native``. Raises `NotProved` where the claim is false, with what refutes it, and
    `LimitReached` where a limit comes first.
    """
    asked = _provers(provers)
    clock = limits.started()
    rules = dimacs.rules_text(puzzle, clock.check)
    opened = {name: _opened(name, puzzle, rules) for name in asked}
    known = opened[asked[0]].solution(clock)
    if known is not None and not puzzle.holds(known):
        raise WrongAnswer(f"expected a solution of {puzzle!r}, got {known!r}")
    if claim != "auto" and (known is None) != (claim == "none"):
        raise not_proved(puzzle, () if known is None else (known,))
    task = Task(puzzle, rules, dimacs.stated(puzzle, rules, known), known)
    proofs = tuple(_proof(name, prover, task, clock) for name, prover in opened.items())
    others = _others(puzzle, known, clock) if claim == "minimal" and known is not None else {}
    made: Claim = claim if claim != "auto" else "none" if known is None else "unique"
    formula = "".join(dimacs.told(puzzle, rules, task.stated)).encode("utf-8", "backslashreplace")
    return Certificate(puzzle, made, known, formula, proofs, others)


def _others(puzzle: Puzzle, known: Solution, clock: Clock) -> Mapping[Cell, Solution]:
    """Return for each given a solution of the puzzle without it, or raise that some are not needed."""
    found = queries.necessary_givens(puzzle, known, limits=clock.left())
    if found.unnecessary:
        names = ", ".join(map(puzzle.grid.cell_name, found.unnecessary))
        raise NotProved(f"expected every given to be needed, got some that are not: {names}", unnecessary=found.unnecessary)
    if found.reason is not None:
        raise LimitReached(found.reason, f"{clock.elapsed:.3g} s")
    return found.witnesses


# --- the provers ------------------------------------------------------------------------------------------------


def _provers(names: Sequence[str]) -> list[str]:
    """Return the full names of the provers, each once."""
    found = list(dict.fromkeys(_full_name(name) for name in names))
    if not found:
        raise InvalidInput("expected at least one prover, got none")
    return found


def _full_name(name: str) -> str:
    engine, _, kind = name.partition(":")
    if engine not in PROVERS:
        raise UnknownName("prover", name, PROVERS)
    if engine == "sat":
        from sudoku_cp.proof.sat import prover_named  # noqa: PLC0415  # loads the solvers

        return f"sat:{prover_named(kind or USUAL)}"
    return name


def _file_name(engine: str, kind: str) -> str:
    """Return the name of a proof among the files: the usual prover needs no more than ``sat``."""
    return engine if kind in {"", USUAL} else f"{engine}-{kind}"


def _opened(name: str, puzzle: Puzzle, rules: RulesText) -> Prover:
    """Return a prover with the puzzle before it."""
    engine, _, kind = name.partition(":")
    if engine == "sat":
        from sudoku_cp.proof.sat import Refuter as BySat  # noqa: PLC0415

        return BySat(puzzle, rules, kind)
    from sudoku_cp.proof.native import Refuter as ByNative  # noqa: PLC0415

    return ByNative(puzzle, kind)


def _proof(name: str, prover: Prover, task: Task, clock: Clock) -> Proof:
    """Return the proof by one prover, which must end in the empty clause."""
    clock.check()
    lines = prover.lemmas(task, clock)
    if not lines or lines[-1] != EMPTY:
        raise WrongAnswer(f"expected a proof by {name} that ends in the empty clause, got one of {len(lines)} lemmas")
    engine, _, kind = name.partition(":")
    return Proof(_file_name(engine, kind), name, ("\n".join(lines) + "\n").encode(), len(lines))
