"""Estimate the number of solutions where there are too many to count: the mean of unbiased random probes."""

from __future__ import annotations

import math
from collections import deque
from dataclasses import dataclass
from fractions import Fraction
from random import Random
from statistics import NormalDist
from typing import TYPE_CHECKING, NamedTuple

from sudoku_cp.arguments import ShortRepr, checked
from sudoku_cp.backends import UNLIMITED, Clock, Limits
from sudoku_cp.backends.native.readable_search import propagator
from sudoku_cp.errors import InvalidInput, LimitReached, Reason, require_seed
from sudoku_cp.model import cells_of, members
from sudoku_cp.puzzle import Puzzle
from sudoku_cp.queries.solution_count import count_few
from sudoku_cp.time_limits import loading

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from sudoku_cp.backends.native.partition_propagator import Domains, Propagator
    from sudoku_cp.grid import Cell


ERROR = 0.05
"""Default distance of the interval's ends from the estimate, as a share of it."""
CONFIDENCE = 0.95
LEAST, MOST = 20, 2000
"""Probes made at least, before the interval is trusted, and at most."""
WIDEST = math.log(1e6)
"""An interval that reaches further (as a logarithm) says nothing."""
TOGETHER = 500
"""States that one sweep keeps."""


@dataclass(frozen=True, repr=False)
class Estimate(ShortRepr):
    """About ``value`` solutions; with the given ``confidence``, from ``low`` to ``high`` (None: unknown).

    If ``exact``, all three are the number of solutions; otherwise ``least`` were found for certain. ``stderr`` is the standard
    error of the mean of ``samples`` probes. ``reason`` is the limit that came before the interval was narrow enough, if one did.
    """

    value: int
    low: int
    high: int | None
    least: int
    confidence: float
    stderr: float
    samples: int
    seconds: float
    exact: bool
    backend: str
    reason: Reason | None = None


@checked
def estimate(
    puzzle: Puzzle,
    *,
    limits: Limits = UNLIMITED,
    seed: int | None = None,
    error: float = ERROR,
    confidence: float = CONFIDENCE,
) -> Estimate:
    """Estimate the number of solutions until the interval is within ``error`` (a share of the estimate) or a limit comes.

    The same ``seed`` gives the same probes. Raises `LimitReached` if a limit comes before anything is known.
    """
    *_, last = estimates(puzzle, limits=limits, seed=seed, error=error, confidence=confidence)
    return last


def estimates(
    puzzle: Puzzle,
    *,
    limits: Limits = UNLIMITED,
    seed: int | None = None,
    error: float = ERROR,
    confidence: float = CONFIDENCE,
) -> Iterator[Estimate]:
    """Yield what is known after each probe, until the interval is within ``error`` or a limit comes; see `estimate`."""
    if not error > 0 or not 0 < confidence < 1:
        raise InvalidInput(f"expected an error above 0 and a confidence between 0 and 1, got {error!r} and {confidence!r}")
    random = Random(None if seed is None else require_seed(seed))  # noqa: S311  # not used for secrets
    clock = limits.started()
    # A few solutions are counted sooner than they are estimated, and those found are a lower bound.
    found = count_few(puzzle, clock)
    if found.exact:
        yield _exact_estimate(found.count, 0, clock, confidence, found.backend)
        return
    if found.reason is not None and not found.count:
        raise LimitReached(found.reason, f"{found.seconds:.3g} s")
    yield from _Sample(puzzle, clock, found.count, confidence, error).estimates_of(random)


def _exact_estimate(number: int, samples: int, clock: Clock, confidence: float, backend: str) -> Estimate:
    return Estimate(number, number, number, number, confidence, 0.0, samples, clock.elapsed, exact=True, backend=backend)


class _Sample:
    """The probes made so far, and the estimate from them."""

    def __init__(self, puzzle: Puzzle, clock: Clock, least: int, confidence: float, error: float) -> None:
        """Make no probe yet; ``least`` solutions are known, and the interval is to be within ``error`` at this ``confidence``."""
        self._puzzle, self._clock, self._least = puzzle, clock, least
        self._confidence, self._error = confidence, error
        self._numbers: list[int] = []
        self._way = "frontier" if puzzle.model().is_houses else "probes"

    def estimates_of(self, random: Random) -> Iterator[Estimate]:
        """Yield the estimate after each probe, and finally the last one again with its reason."""
        reason: Reason | None = None
        try:
            probe = self._make_probe(random)
            while not self._is_narrow_enough():
                number, exact = probe()
                if exact:
                    yield _exact_estimate(number, len(self._numbers), self._clock, self._confidence, self._way)
                    return
                self._numbers.append(number)
                yield self._estimate(None)
        except LimitReached as reached:
            reason = reached.reason
        yield self._estimate(reason)

    def _make_probe(self, random: Random) -> Callable[[], tuple[int, bool]]:
        """Return a function that makes one probe: an unbiased random number, and whether it is exact."""
        if self._way == "frontier":
            with loading():
                from sudoku_cp.queries.frontier import make_count_sampler  # noqa: PLC0415  # NumPy, which other rules do not need

            return make_count_sampler(self._puzzle, TOGETHER, random.getrandbits(64), self._clock)

        prober = TreeProber(self._puzzle, self._clock.check)
        return lambda: (prober.probe(random), False)

    def _is_narrow_enough(self) -> bool:
        number = len(self._numbers)
        return number >= MOST or (number >= LEAST and max(self._spread()) <= math.log1p(self._error))

    def _relative_numbers(self) -> list[float]:
        """Return each number as a share of their mean."""
        total = sum(self._numbers)
        return [float(Fraction(one * len(self._numbers), total)) for one in self._numbers] if total else []

    def _relative_error(self) -> float:
        """Return the standard error of the mean, as a share of the mean."""
        shares = self._relative_numbers()
        number = len(shares)
        return math.sqrt(sum((share - 1) ** 2 for share in shares) / (number - 1) / number) if number > 1 else math.inf

    def _spread(self) -> tuple[float, float]:
        """Return how far the interval reaches below and above the estimate, as logarithms.

        The numbers are skewed to the right: the mean may lack a few large ones that have not been drawn yet; the more skewed
        the drawn ones are, the likelier that is.
        """
        relative, shares = self._relative_error(), self._relative_numbers()
        if not 0 < relative < math.inf:
            return relative, relative
        number = len(shares)
        below = _student_quantile(self._confidence, number - 1) * relative
        skewness = sum((share - 1) ** 3 for share in shares) / number / (relative * math.sqrt(number)) ** 3
        return below, below * (1 + max(0.0, skewness) / math.sqrt(number))

    def _estimate(self, reason: Reason | None) -> Estimate:
        number = len(self._numbers)
        mean = sum(self._numbers) // number if number else 0
        below, above = self._spread()
        known = above < WIDEST
        return Estimate(
            value=max(mean, self._least),
            low=max(self._least, int(mean * Fraction(math.exp(-below)))),
            high=max(self._least, math.ceil(mean * Fraction(math.exp(above)))) if known else None,
            least=self._least,
            confidence=self._confidence,
            stderr=_as_float(mean) * self._relative_error() if known else math.inf,
            samples=number,
            seconds=self._clock.elapsed,
            exact=False,
            backend=self._way,
            reason=reason,
        )


def _as_float(number: int) -> float:
    try:
        return float(number)
    except OverflowError:
        return math.inf


def _student_quantile(confidence: float, freedom: int) -> float:
    """Return the two-sided quantile of Student's distribution (Cornish-Fisher expansion)."""
    if freedom < 1:
        return math.inf
    z = NormalDist().inv_cdf((1 + confidence) / 2)
    terms = (
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160,
    )
    return z + math.fsum(term / freedom ** (power + 1) for power, term in enumerate(terms))


# Random walks down a search tree that estimate the number of solutions under any rules (Knuth 1975, Chen 1992).
#
# A few nodes descend together. All their children that survive propagation take part in a draw; the chosen ones go on, with
# weights that stand for the others, so that the number of solutions reached is unbiased.


PROBES_TOGETHER = 8
"""Nodes that descend together."""
LOOK = 8
"""Propagator runs between two looks at the clock."""


class _WeightedNode(NamedTuple):
    """The domains of a node, and how many nodes it stands for."""

    domains: Domains
    weight: float


class TreeProber:
    """Makes probes of one puzzle, with its propagators and their watch lists."""

    def __init__(self, puzzle: Puzzle, tick: Callable[[], object]) -> None:
        """Propagate the givens of ``puzzle``; ``tick`` is called often, and may raise."""
        self._puzzle, self._tick = puzzle, tick
        self._model = model = puzzle.model(tick)
        self._watchers: list[list[int]] = [[] for _ in model.domains]
        self._propagators: list[Propagator] = []
        for number, constraint in enumerate(model.constraints):
            tick()
            self._propagators.append(propagator(constraint, model.domains))
            for cell in cells_of(constraint):
                self._watchers[cell].append(number)
        domains = list(model.domains)
        for cell, allowed in puzzle.assume().items():
            domains[cell] &= allowed
        alive = all(domains) and self._propagate(domains, range(len(self._propagators)))
        self._root = domains if alive else None

    def probe(self, random: Random) -> int:
        """Return a random number whose expected value is the number of solutions."""
        nodes = [] if self._root is None else [_WeightedNode(self._root, 1.0)]
        reached = 0.0
        while nodes:
            children: list[_WeightedNode] = []
            for node in nodes:
                below = self._children(node)
                if below is None:
                    values = tuple(domain.bit_length() - 1 for domain in node.domains[: self._model.board])
                    # Auxiliaries may still be open; the rules' `holds` needs none.
                    reached += node.weight * self._puzzle.holds(values)
                else:
                    children += below
            nodes = _draw(children, random)
        return round(reached)

    def _children(self, node: _WeightedNode) -> list[_WeightedNode] | None:
        """Return the children that survive propagation; None if the board is full."""
        domains = node.domains
        open_cells = [cell for cell in range(self._model.board) if domains[cell] & (domains[cell] - 1)]
        if not open_cells:
            return None
        cell = min(open_cells, key=lambda cell: domains[cell].bit_count())
        found = []
        for value in members(domains[cell]):
            child = domains.copy()
            child[cell] = 1 << value
            if self._propagate(child, self._watchers[cell]):
                found.append(_WeightedNode(child, node.weight))
        return found

    def _propagate(self, domains: Domains, first: Iterable[int]) -> bool:
        """Narrow the domains until nothing changes; return False on a contradiction."""
        queue = deque(first)
        waiting = set(queue)
        changed: list[Cell] = []
        runs = 0
        while queue:
            number = queue.popleft()
            waiting.discard(number)
            runs += 1
            if runs % LOOK == 0:
                self._tick()
            if not self._propagators[number](domains, changed):
                return False
            for cell in changed:
                for watcher in self._watchers[cell]:
                    if watcher not in waiting:
                        waiting.add(watcher)
                        queue.append(watcher)
            changed.clear()
        return True


def _draw(nodes: list[_WeightedNode], random: Random) -> list[_WeightedNode]:
    """Return about `PROBES_TOGETHER` of the nodes, chosen by weight, with weights that stand for those left out."""
    if len(nodes) <= PROBES_TOGETHER:
        return nodes
    threshold = _threshold([node.weight for node in nodes])
    kept, step = [], random.random()
    for node in nodes:
        if node.weight >= threshold:
            kept.append(node)
            continue
        step += node.weight / threshold
        if step >= 1:
            step -= 1
            kept.append(node._replace(weight=threshold))
    return kept


def _threshold(weights: list[float]) -> float:
    """Return the weight below which chance decides, so that about `PROBES_TOGETHER` stay."""
    ordered = sorted(weights)
    below = sum(ordered)
    for certain, weight in enumerate(reversed(ordered)):
        share = below / (PROBES_TOGETHER - certain)
        if weight <= share or certain == PROBES_TOGETHER - 1:
            return share
        below -= weight
    return 0.0
