"""Certification: prove that a puzzle has one solution, or none, or needs every given, as a certificate that others can check."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations
from typing import TYPE_CHECKING, Literal, TypeAlias

from sudoku_cp import queries
from sudoku_cp.arguments import checked
from sudoku_cp.backends import UNLIMITED, Limits, SupportsTracing, backend
from sudoku_cp.compile_cache import can_compile
from sudoku_cp.errors import InvalidInput, LimitReached, NotProved, UnknownName, Unsupported, WrongAnswer
from sudoku_cp.formats import dimacs
from sudoku_cp.model import AllDifferent, Model
from sudoku_cp.proof.certificate import Certificate, Proof
from sudoku_cp.proof.prover import EMPTY_CLAUSE, RefutationTask, find_solution, not_proved_error
from sudoku_cp.puzzle import Puzzle
from sudoku_cp.queries.solution_search import session_of
from sudoku_cp.rules.kinds import CLASS_OF

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from sudoku_cp.backends import Clock, Solution
    from sudoku_cp.backends.search_tree import PathTree
    from sudoku_cp.formats.dimacs import RulesText
    from sudoku_cp.grid import Cell
    from sudoku_cp.model import Statement
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


# The prover ``native``: the path tree of the readable search, as lemmas.
#
# At each refuted node the guesses on its path cannot all be right: that is a lemma. Where the search concludes no more than
# unit propagation does, each lemma follows by unit propagation from those of the nodes below it; the last one, of the root, is
# empty. Of the values guessed in one cell the last needs no lemma: with the others refuted, propagation places it without a
# guess.


PAIR = 2


class SearchProver:
    """The readable search, opened for a puzzle with no rules but houses."""

    def __init__(self, puzzle: Puzzle, kind: str) -> None:
        """Raise `Unsupported` for a puzzle with other rules; ``kind`` is the variant of the native engine."""
        if not puzzle.model().is_houses:
            raise Unsupported(
                "expected a puzzle of houses alone for the prover native, got other rules; the prover sat takes any"
            )
        self._puzzle = puzzle
        self._engine = backend(f"native:{kind}" if kind else "native")

    def solution(self, clock: Clock) -> Solution | None:
        """Return a solution from the engine that suits the puzzle, None if there is none."""
        return find_solution(self._puzzle, clock)

    def lemmas(self, task: RefutationTask, clock: Clock) -> list[str]:
        """Return the lemmas, ending in the empty clause; raise an error if the claim is wrong."""
        wanted = 1 if task.known is None else 2
        with session_of(self._engine, _split_into_pairs(self._puzzle.model())) as session:
            if not isinstance(session, SupportsTracing):
                raise Unsupported(f"expected an engine that records its search, got {self._engine.name}")
            tree = session.trace(self._puzzle.assume(), limits=clock.left(), stop_after=wanted)
        for solution in tree.solutions:
            if solution != task.known:
                raise task.refutation_error(solution)
        if tree.stopped is not None and tree.stopped != "solutions":
            raise LimitReached(tree.stopped, f"{clock.elapsed:.3g} s")
        return list(_lemmas(tree, task))


@lru_cache(maxsize=8)
def _split_into_pairs(model: Model) -> Model:
    """Return the model with "all different" over fewer cells than values split into pairs.

    On such cells the engine infers more than unit propagation on clauses: three cells with three values hold each of these.
    """
    statements: list[Statement] = []
    for statement in model.statements:
        cells = statement.constraint.cells if isinstance(statement.constraint, AllDifferent) else ()
        union = 0
        for cell in cells:
            union |= model.domains[cell]
        if PAIR < len(cells) < union.bit_count():
            statements += [statement._replace(constraint=AllDifferent(pair)) for pair in combinations(cells, PAIR)]
        else:
            statements.append(statement)
    return Model(model.domains, tuple(statements), model.board)


def _lemmas(tree: PathTree, task: RefutationTask) -> Iterator[str]:
    """Yield the negated path of every refuted guess except the last at its cell, deeper guesses first, then the empty clause."""
    depth: list[int] = []
    path: list[str] = []
    for node in tree.nodes:
        above = 0 if node.parent is None else depth[node.parent]
        depth.append(above + (node.kind == "guessed"))
        if node.kind != "guessed" or node.cell is None or node.value is None:
            continue
        if len(path) > above:
            # The guess before this one at its cell, with all that was tried below it, has been refuted.
            yield " ".join([*path[: above + 1], EMPTY_CLAUSE])
        path[above:] = [str(-task.rules.variables[node.cell, node.value])]
    yield EMPTY_CLAUSE
