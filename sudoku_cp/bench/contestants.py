"""The contestants: every engine of ours, from the registry; every peer that is installed; any callable that is named.

Listing contestants imports none of them: whether a peer is installed is seen from its files.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from importlib.util import find_spec
from pkgutil import resolve_name
from shutil import which
from types import MappingProxyType
from typing import TYPE_CHECKING, Literal, TypeAlias

from sudoku_cp.backends import known_backends
from sudoku_cp.bench.machine import available_widths, cores
from sudoku_cp.errors import InvalidInput, UnknownName

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from sudoku_cp.bench.runners import Runner

Kind: TypeAlias = Literal["one", "many", "process", "callable"]
"""How it is run: a line of text at a time, an array at once, as a command, or as a function of an array."""

KINDS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {"cpsat": ("cpsat", "cpsat:alldifferent"), "fast": ("fast:bigint", "fast:lanes", "fast:scalar"), "dimacs": (), "minizinc": ()}
)
"""The kinds of engines that take part; of engines not listed it is the usual kind, and programs take part only by name."""
KERNEL = "fast:lanes"
"""The engine that answers arrays of puzzles at once, and the reference if it takes part."""
SCALAR = "fast:scalar"
"""The engine that answers arrays too, one puzzle after the other."""
SEARCHES_ON = "Searches on to a second solution, or to the end."


@dataclass(frozen=True)
class Contestant:
    """One way to answer the question.

    ``where`` is ``module:function``; ``argument``, if any, is its first argument. ``proof`` says how it knows that a solution is
    the only one; ``first`` marks those that only find a first one; ``sides`` are the boards that it takes (None: any).
    ``width`` is the widest instruction set that it may use, if not all of the processor.
    """

    name: str
    where: str
    kind: Kind = "one"
    argument: str = ""
    proof: str = SEARCHES_ON
    needs: str = ""
    first: bool = False
    sides: tuple[int, ...] | None = None
    ours: bool = False
    width: str = ""

    @property
    def at_once(self) -> bool:
        """Whether it takes an array of puzzles."""
        return self.kind in {"many", "callable"}

    @property
    def missing(self) -> bool:
        """Whether the module or command it needs is not installed."""
        kind, _, name = self.needs.partition(" ")
        return bool(name) and (which(name) if kind == "command" else find_spec(name)) is None

    @property
    def lacks(self) -> str:
        """What it needs, in words, and how that is installed where an extra of ours does it."""
        extra = " (pip install 'sudoku_cp[bench]')" * self.needs.startswith("module")
        return f"the {self.needs}{extra}, not installed"

    def takes(self, side: int) -> bool:
        """Return whether it knows boards of that side."""
        return self.sides is None or side in self.sides

    def runner(self) -> Runner:
        """Import it and return it ready to be asked."""
        from sudoku_cp.bench.runners import RUNNERS  # numpy, which a listing need not load

        opened = resolve_name(self.where)
        return RUNNERS[self.kind](partial(opened, self.argument) if self.argument else opened)


PEERS: dict[str, Contestant] = {
    peer.name: peer
    for peer in (
        Contestant("norvig-style", "sudoku_cp.bench.peers.norvig:NorvigSolver"),
        Contestant(
            "ortools enumerated",
            "sudoku_cp.bench.peers.plain_libraries:make_enumerating_solver",
            proof="CP-SAT enumerates all solutions and is stopped at the second; the model is built afresh for every puzzle.",
        ),
        Contestant(
            "ortools twice",
            "sudoku_cp.bench.peers.plain_libraries:make_twice_solver",
            proof="CP-SAT solves, the solution is forbidden, CP-SAT solves again (default settings, fresh model).",
        ),
        Contestant(
            "python-sat CNF",
            "sudoku_cp.bench.peers.plain_libraries:formula",
            proof="Glucose 4 solves, the solution is forbidden, it solves again; a fresh CNF, clause after clause.",
        ),
        Contestant(
            "python-sat list", "sudoku_cp.bench.peers.plain_libraries:clauses", proof="The same from a fresh list of clauses."
        ),
        Contestant(
            "cpmpy",
            "sudoku_cp.bench.peers.packages:make_cpmpy_solver",
            proof="`solveAll` with a limit of two, on its default solver (OR-Tools).",
            needs="module cpmpy",
        ),
        Contestant(
            "dlxsudoku",
            "sudoku_cp.bench.peers.packages:make_dlxsudoku_solver",
            proof="Singles, then dancing links to a second solution, or to the end; of several solutions it shows none.",
            needs="module dlxsudoku",
            sides=(4, 9),
        ),
        Contestant(
            "sudokutools",
            "sudoku_cp.bench.peers.packages:make_sudokutools_solver",
            proof="Dancing links to a second solution, or to the end.",
            needs="module sudokutools",
        ),
        Contestant(
            "py-sudoku",
            "sudoku_cp.bench.peers.packages:make_py_sudoku_solver",
            proof="`solve`, then `has_multiple_solutions`, which searches in both orders of the digits and compares.",
            needs="module sudoku",
        ),
        Contestant(
            "qqwing",
            "sudoku_cp.bench.peers.commands:QqwingCommand",
            kind="process",
            proof="`--count-solutions` counts them all; one process for all puzzles, its start-up taken off.",
            needs="command qqwing",
            sides=(9,),
        ),
        Contestant(
            "minizinc gecode",
            "sudoku_cp.bench.peers.commands:MiniZincCommand",
            kind="process",
            proof="Gecode searches for two solutions; a process a puzzle, the start-up (of an empty model) taken off.",
            needs="command minizinc",
        ),
    )
}
"""Every peer that has an adaptor, installed or not."""


def engine_contestants() -> dict[str, tuple[Contestant, ...]]:
    """Return the engines of the registry with the contestants that stand for each, of the kernel with 1 and all threads."""
    families = (family for family in known_backends() if family not in KINDS)
    names = [*(name for family in KINDS if family in known_backends() for name in KINDS[family]), *families]
    # The reference comes first if it takes part, then the quicker ones.
    quickest = (KERNEL, SCALAR, "fast:bigint")
    order = sorted(names, key=lambda name: (quickest.index(name) if name in quickest else len(quickest), name))
    return {name: tuple(_engine(name)) for name in order}


def _engine(name: str) -> Iterator[Contestant]:
    if name == KERNEL:
        one, *all_cores = (kernel_contestant(threads) for threads in sorted({1, cores()}))
        narrower = (replace(one, name=f"{KERNEL} {width}", width=width) for width in available_widths()[1:])
        yield from (one, UNCHECKED, *narrower, *all_cores)
    elif name == SCALAR:
        yield Contestant(name, "sudoku_cp.bench.own_engines:array_engine", "many", name, ours=True)
    else:
        yield Contestant(name, "sudoku_cp.bench.own_engines:engine", argument=name, ours=True)


def kernel_contestant(threads: int) -> Contestant:
    """Return the batch kernel with this many threads."""
    name = KERNEL if threads == 1 else f"{KERNEL} x{threads}"
    return Contestant(name, "sudoku_cp.bench.own_engines:kernel", "many", str(threads), ours=True)


UNCHECKED = Contestant(
    f"{KERNEL} unchecked",
    "sudoku_cp.bench.own_engines:make_unchecked_solver",
    "many",
    proof="The batch kernel on one thread without the check of every solution, which outside kernels do not make either.",
    ours=True,
)


def callable_contestant(where: str) -> Contestant:
    """Return the callable ``module:function`` as a contestant; it takes an array of puzzles and a limit."""
    module, _, function = where.partition(":")
    if not (module and function):
        raise InvalidInput(f"expected a callable such as module:function, got {where!r:.80}")
    return Contestant(where, where, "callable", proof="An outside callable.")


def choose_contestants(
    engine_names: Sequence[str] | None = None, peer_names: Sequence[str] | None = None, also: Iterable[str] = ()
) -> tuple[list[Contestant], list[str]]:
    """Return the contestants of these names, and a remark on each that is left out; None means all there are.

    Other kinds of an engine, such as ``sat:cadical153``, take part by their names. Whoever is named twice takes part once.
    """
    remarks = (
        [f"left out: {KERNEL}, which is not among the engines"]
        if engine_names is None and KERNEL not in engine_contestants()
        else []
    )
    names = engine_contestants() if engine_names is None else engine_names
    ours = dict.fromkeys(one for name in names for one in _named_engine(name))
    peers = [_named_peer(name) for name in (PEERS if peer_names is None else peer_names)]
    remarks += [f"left out: {peer.name}, which needs {peer.lacks}" for peer in peers if peer.missing]
    return [*ours, *(peer for peer in peers if not peer.missing), *map(callable_contestant, also)], remarks


def choose_reference(contestants: Sequence[Contestant], name: str | None = None) -> str:
    """Return the contestant that ratios compare with: ``name``, which must take part, else the batch kernel or the first."""
    names = [one.name for one in contestants]
    if name is not None and name not in names:
        raise UnknownName("contestant", name, names)
    return name or (KERNEL if KERNEL in names else next(iter(names), ""))


def _named_engine(name: str) -> tuple[Contestant, ...]:
    """Return those that stand for an engine, or the one with a name of its own, such as ``fast:lanes unchecked``."""
    engines = engine_contestants()
    found = {one.name: (one,) for group in engines.values() for one in group} | engines
    if name not in found and name.partition(":")[0] not in known_backends():
        raise UnknownName("backend", name, found)
    return found.get(name) or tuple(_engine(name))


def _named_peer(name: str) -> Contestant:
    if name not in PEERS:
        raise UnknownName("peer", name, PEERS)
    return PEERS[name]
