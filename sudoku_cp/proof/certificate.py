"""A certificate: a claim about a puzzle, the formula, the proofs; and the folder of plain files that it is written to."""

from __future__ import annotations

import hashlib
import json
import lzma
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cache, lru_cache
from importlib.metadata import PackageNotFoundError, version
from itertools import combinations
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from sudoku_cp import queries
from sudoku_cp.arguments import ShortRepr, checked
from sudoku_cp.backends import UNLIMITED, Clock, Limits, Solution, SupportsTracing, backend
from sudoku_cp.compile_cache import can_compile
from sudoku_cp.errors import InvalidInput, LimitReached, NotProved, OptionProblem, UnknownName, Unsupported, WrongAnswer
from sudoku_cp.formats import solver_export
from sudoku_cp.model import AllDifferent, Model, Statement
from sudoku_cp.output_files import PART
from sudoku_cp.proof.prover import EMPTY_CLAUSE, Prover, RefutationTask, find_solution, not_proved_error
from sudoku_cp.puzzle import Puzzle, to_json
from sudoku_cp.queries.solution_search import session_of
from sudoku_cp.rules.kinds import CLASS_OF

if TYPE_CHECKING:
    from sudoku_cp.backends.search_tree import PathTree
    from sudoku_cp.formats.solver_export import RulesText
    from sudoku_cp.grid import Cell
    from sudoku_cp.rules import Rule


Claim: TypeAlias = Literal["unique", "none", "minimal"]

FORMAT, VERSION, MANIFEST = "sudoku-cp certificate", 1, "manifest.json"
MIN_DICTIONARY = 1 << 16
"""The smallest dictionary of xz (bytes): a larger one than the proof needs only takes time to clear."""


@dataclass(frozen=True)
class Proof:
    """A proof: ``text`` has ``lemmas`` lines, the last of which is the empty clause; in DRUP, or with hints in LRAT.

    ``name`` distinguishes the proofs of one certificate; ``prover`` is the name of the prover that made it.
    """

    name: str
    prover: str
    text: bytes = field(repr=False)
    lemmas: int
    format: Literal["drup", "lrat"] = "drup"

    @property
    def file(self) -> str:
        """The name of its file: ``proof-sat.drup.xz``."""
        return f"proof-{self.name}.{self.format}.xz"

    def compress(self) -> bytes:
        """Return the text as the bytes of an xz file."""
        size = max(MIN_DICTIONARY, 1 << (len(self.text) - 1).bit_length()) if self.text else MIN_DICTIONARY
        preset = {"id": lzma.FILTER_LZMA2, "preset": 6, "dict_size": min(size, 1 << 23)}
        return lzma.compress(self.text, check=lzma.CHECK_CRC32, filters=[preset])


@dataclass(frozen=True, repr=False)
class Certificate(ShortRepr):
    """A claim about a puzzle, with everything that a sceptic needs to check it.

    ``solution`` is there for the claims ``unique`` and ``minimal``. For ``minimal``, ``others`` has for each given a grid that
    obeys everything else and has another value there. ``formula`` is the DIMACS text that the ``proofs`` refute.
    """

    puzzle: Puzzle
    claim: Claim
    solution: Solution | None
    formula: bytes = field(repr=False)
    proofs: tuple[Proof, ...]
    others: Mapping[Cell, Solution] = field(default_factory=dict, repr=False)

    def files(self) -> dict[str, bytes]:
        """Return the bytes of every file of the folder, by name."""
        puzzle = replace(self.puzzle, solution=None, drawings=())
        files = {
            "README.md": self._readme().encode(),
            "puzzle.json": _json_bytes(to_json(puzzle)),
            "puzzle.txt": f"{puzzle}\n".encode(),
            "formula.cnf": self.formula,
        }
        if self.solution is not None:
            files["solution.txt"] = self._solution_rows().encode()
        if self.claim == "minimal":
            name = puzzle.grid.cell_name
            files["others.json"] = _json_bytes({name(cell): list(values) for cell, values in sorted(self.others.items())})
        files |= {proof.file: proof.compress() for proof in self.proofs}
        return files | {MANIFEST: _json_bytes(self._manifest(files))}

    def _readme(self) -> str:
        contents = {one.file: f"{one.lemmas} lemma{'s' * (one.lemmas > 1)}, found by `{one.prover}`" for one in self.proofs}
        return readme_page(self.claim, contents, describe_conditions(self.puzzle))

    def _manifest(self, files: Mapping[str, bytes]) -> dict[str, Any]:
        return {
            "format": FORMAT,
            "version": VERSION,
            "claim": self.claim,
            "proofs": [{"file": one.file, "prover": one.prover, "lemmas": one.lemmas} for one in self.proofs],
            "versions": _versions(),
            "files": {name: {"sha256": hashlib.sha256(data).hexdigest(), "bytes": len(data)} for name, data in files.items()},
        }

    def _solution_rows(self) -> str:
        """Return the solution as numbers, a line for each row of cells."""
        rows: dict[int, list[str]] = {}
        for (row, _), value in zip(self.puzzle.grid.places, self.solution or (), strict=True):
            rows.setdefault(row, []).append(str(value))
        return "".join(" ".join(row) + "\n" for row in rows.values())

    @checked
    def write(self, folder: str | Path, *, force: bool = False) -> Path:
        """Write the folder, whole or not at all, and return it.

        It must not exist yet, or be empty; with ``force`` it may hold an older certificate, and nothing else.
        """
        target = resolve_folder(Path(folder))
        old = _is_certificate(target, force=force)
        above = [one for one in target.parents if not one.exists()]
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
            with TemporaryDirectory(
                prefix=f"{target.name}.", suffix=PART, dir=target.parent, ignore_cleanup_errors=True
            ) as beside:
                self._exchange(target, Path(beside), old=old)
        except OSError as error:
            with suppress(OSError):  # remove the parents that were made for it
                for one in above:
                    one.rmdir()
            raise InvalidInput(f"{target}: expected a folder that can be written, got {error.strerror or error}") from error
        return target

    def _exchange(self, target: Path, beside: Path, *, old: bool) -> None:
        """Write the folder inside a temporary one, and rename it."""
        new = beside / "new"
        new.mkdir()
        for name, data in self.files().items():
            (new / name).write_bytes(data)
        if old:
            target.rename(beside / "old")
        try:
            new.rename(target)
        except BaseException:
            if old:
                (beside / "old").rename(target)
            raise


def _json_bytes(data: Any) -> bytes:
    return (json.dumps(data, indent=1, ensure_ascii=True) + "\n").encode()


@cache
def _versions() -> dict[str, str]:
    """Return the versions of the programs that made the certificate."""
    found = {"python": ".".join(map(str, sys.version_info[:3]))}
    for name, package in (("sudoku_cp", "sudoku-cp"), ("python-sat", "python-sat")):
        with suppress(PackageNotFoundError):
            found[name] = version(package)
    return found


def describe_conditions(puzzle: Puzzle) -> str:
    """Return in words what the claim depends on besides the givens: the kinds of rules, and cells with some candidates only."""
    kinds = Counter(rule.kind for rule in puzzle.rules)
    rules = ", ".join(f"{kind} ({count} times)" if count > 1 else kind for kind, count in sorted(kinds.items()))
    cells = f"; only some candidates in {len(puzzle.candidates)} cells" if puzzle.candidates else ""
    return f"rules: {rules or 'none'}{cells}"


def resolve_folder(folder: Path) -> Path:
    """Return the path of a folder without symbolic links; raise `InvalidInput` where they lead in a circle."""
    try:
        return folder.resolve()
    except (OSError, RuntimeError) as error:  # RuntimeError: before Python 3.13
        raise InvalidInput(f"{folder}: expected a folder to write, got symbolic links that lead in a circle") from error


def check_target_folder(target: Path, *, force: bool) -> bool:
    """Return whether a certificate written to ``target`` replaces an older one; raise `InvalidInput` for anything else there."""
    return _is_certificate(resolve_folder(target), force=force)


def _is_certificate(target: Path, *, force: bool) -> bool:
    if not target.exists():
        return False
    if not target.is_dir():
        raise InvalidInput(f"expected a folder for the certificate, got the file {target}")
    names = sorted(path.name for path in target.iterdir())
    foreign = [name for name in names if name not in _own_files(target)]
    if foreign:
        listed = ", ".join(foreign[:5]) + ", ..." * (len(foreign) > 5)  # noqa: PLR2004
        raise InvalidInput(f"expected a new or empty folder for the certificate, got {target}, which holds {listed}")
    if names and not force:
        words = f"expected a new or empty folder, or `force` to replace the certificate that is there, got {target}"
        raise InvalidInput(OptionProblem(words))
    return bool(names)


def _own_files(folder: Path) -> set[str]:
    """Return the names of the files that belong to a certificate in the folder; none if there is no certificate."""
    try:
        manifest = json.loads((folder / MANIFEST).read_bytes())
    except (OSError, ValueError):
        return set()
    if not isinstance(manifest, dict) or manifest.get("format") != FORMAT or not isinstance(manifest.get("files"), dict):
        return set()
    return {MANIFEST, *manifest["files"]}


# The README.md of a certificate: the claim, and how a sceptic checks it.


_CLAIMS = {
    "unique": "**exactly one solution**, the one in `solution.txt`.",
    "none": "**no solution**.",
    "minimal": "**exactly one solution**, the one in `solution.txt`, and\n"
    "it needs **each of its givens**: without any one of them it has another solution.",
}
_REASONS = {
    "unique": (
        "`formula.cnf` says: *every cell has one value, the rules are kept, the givens stand, and the grid is not the one in\n"
        "`solution.txt`*. A proof shows that this is contradictory. So no second solution exists; that `solution.txt` is one\n"
        "is easily seen."
    ),
    "none": (
        "`formula.cnf` says: *every cell has one value, the rules are kept, and the givens stand*. A proof shows that this is\n"
        "contradictory. So no solution exists."
    ),
}
_OTHERS = """
`others.json` has for each given a full grid that keeps the rules and all other givens, with another value in that cell. Each
can be checked by looking; so none of the givens can be left out.
"""


def readme_page(claim: str, proofs: Mapping[str, str], conditions: str) -> str:
    """Return the page that explains the folder to people; ``proofs`` maps file names to descriptions.

    ``conditions`` is what the claim depends on besides the givens.
    """
    solved = claim != "none"
    return _PAGE.format(
        claim=_CLAIMS[claim],
        conditions=conditions,
        reason=_REASONS["unique" if solved else "none"],
        others=_OTHERS if claim == "minimal" else "",
        proofs="\n".join(f"- `{name}`: {what}" for name, what in proofs.items()),
        checks="\n".join(map(_commands, proofs)),
        solution=_SOLUTION if solved else "",
    )


def _commands(packed: str) -> str:
    """Return the commands by which other programs check a proof."""
    name = packed.removesuffix(".xz")
    hinted = name.removesuffix(".drup").removesuffix(".lrat") + ".lrat"
    checks = f"    xz -dc {packed} > /tmp/{name}\n"
    if name != hinted:
        checks += f"    drat-trim formula.cnf /tmp/{name} -L /tmp/{hinted}        # must print: s VERIFIED\n"
    return f"{checks}    cake_lpr formula.cnf /tmp/{hinted}        # must print: s VERIFIED UNSAT"


_SOLUTION = '- `{"block": "solution"}`: one clause: not all of the cells have the value that `solution.txt` gives them.\n'
_PAGE = """# A certificate

The puzzle in `puzzle.json` has {claim}

`puzzle.txt` shows its givens alone. The claim depends on everything in `puzzle.json`: {conditions}.

## Why you need not believe us
{reason}
{others}
{proofs}

A lemma is a clause that follows from the formula and the lemmas before it by *unit propagation*: assume that all of its literals
are false, follow clauses with one literal left, and meet a contradiction. The last lemma is the empty clause (a lone `0`). This
is DRUP, the format of the proofs of the SAT competitions, for which others have written checkers. LRAT is the same with hints:
each lemma has a number, and names the clauses to follow.

## Check it without our program
[drat-trim](https://github.com/marijnheule/drat-trim) (one file of C: `gcc -O2 drat-trim.c -o drat-trim`) checks a proof in DRUP
and adds hints. [cake_lpr](https://github.com/tanyongkiam/cake_lpr), which is itself formally verified, checks a proof in LRAT;
so does `lrat-check`, which comes with drat-trim. Unpack a proof elsewhere, as this folder must hold nothing else:

{checks}

A SAT solver of your choice (such as `cadical formula.cnf`) must say UNSATISFIABLE as well.

Our own checker, a folder of plain Python that shares no code with what made this one, reads the rules from `puzzle.json`,
rebuilds the formula and compares it, and checks every lemma:

    python -m sudoku_cp.proof.checker .             # where the package is installed
    python3 -m checker HERE                         # or, in the parent folder of a copy of its folder `checker`

## What is left to trust
That the formula expresses the puzzle. It is plain text (DIMACS), so you can look:

- `c var 5 r1c1=5`: variable 5 is true if the cell in row 1, column 1 holds 5. `c fixed`: the cell can hold nothing else.
  `auxiliary` variables only help to say a rule in clauses.
- `c block ...` says what some clauses state, and which they are: the first and the last, counted from 1 after the line `p cnf`;
  a long one continues on lines that begin with `c +`. Each clause is on a line of its own (a minus negates, 0 ends).
- `{{"block": "cells"}}`: each cell has at least one value, and no two.
- `{{"block": "rule", ...}}`: one part of a rule. Of a row: no value is in two of its cells, and, if there are as many cells as
  values, each value is in one of them. `rule` counts the rules of `puzzle.json` from 0.
- `{{"block": "given", ...}}`, `{{"block": "candidates", ...}}`: the givens, and values ruled out in a cell.
{solution}
`manifest.json` has the SHA-256 of every file, what made them, and in which versions.
"""


# Certification: prove that a puzzle has one solution, or none, or needs every given, as a certificate that others can check.


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
    rules = solver_export.rules_text(puzzle, clock.check)
    opened = {name: _open_prover(name, puzzle, rules) for name in names}
    known = opened[names[0]].solution(clock)
    if known is not None and not puzzle.holds(known):
        raise WrongAnswer(f"expected a solution of {puzzle!r}, got {known!r}")
    if claim != "auto" and (known is None) != (claim == "none"):
        raise not_proved_error(puzzle, () if known is None else (known,))
    task = RefutationTask(puzzle, rules, solver_export.puzzle_clauses(puzzle, rules, known), known)
    formula = "".join(solver_export.formula_text(puzzle, rules, task.stated)).encode("utf-8", "backslashreplace")
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
