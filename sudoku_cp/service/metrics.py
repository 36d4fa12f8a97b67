"""What the service counts, in the text format of Prometheus."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter, defaultdict
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

BUCKETS = (0.005, 0.02, 0.1, 0.5, 2.0, 10.0, 60.0)
"""Upper bounds of the histogram, in seconds."""
MEDIA_TYPE = "text/plain; version=0.0.4"


class Metrics:
    """Requests by verb and status, and their seconds by verb and engine."""

    def __init__(self) -> None:
        """Begin at zero."""
        self._requests: Counter[tuple[str, int]] = Counter()
        self._seconds: defaultdict[tuple[str, str], list[float]] = defaultdict(lambda: [0.0] * (len(BUCKETS) + 2))

    def observe(self, verb: str, status: int, seconds: float, engine: str = "") -> None:
        """Count an answered request; ``engine`` is the one that answered it."""
        self._requests[verb, status] += 1
        row = self._seconds[verb, engine]
        row[bisect_left(BUCKETS, seconds)] += 1
        row[-1] += seconds

    def render(self, pool: Mapping[str, float], jobs: Mapping[str, int], lost_lines: int) -> str:
        """Return everything counted, with the pool's figures, the number of jobs in each state, and the lost lines of the log."""
        return "".join(f"{line}\n" for line in self._lines(pool, jobs, lost_lines))

    def _lines(self, pool: Mapping[str, float], jobs: Mapping[str, int], lost_lines: int) -> Iterator[str]:
        yield "# HELP sudoku_requests_total Requests answered, by verb and status; 499 when the client had gone."
        yield "# TYPE sudoku_requests_total counter"
        for (verb, status), number in sorted(self._requests.items()):
            yield f'sudoku_requests_total{{verb="{verb}",status="{status}"}} {number}'
        yield "# HELP sudoku_request_seconds Seconds until a request was answered, by verb and engine."
        yield "# TYPE sudoku_request_seconds histogram"
        for (verb, engine), row in sorted(self._seconds.items()):
            yield from _histogram(f'verb="{verb}",engine="{engine}"', row)
        yield "# HELP sudoku_jobs Jobs in the store, by state."
        yield "# TYPE sudoku_jobs gauge"
        for state, number in sorted(jobs.items()):
            yield f'sudoku_jobs{{state="{state}"}} {number}'
        yield "# HELP sudoku_log_lines_lost_total Lines of the log that were lost because nobody read them in time."
        yield "# TYPE sudoku_log_lines_lost_total counter"
        yield f"sudoku_log_lines_lost_total {lost_lines}"
        for name, figure in pool.items():
            yield f"# TYPE sudoku_pool_{name} {_kind_of(name)}"
            yield f"sudoku_pool_{name} {figure}"


def _kind_of(name: str) -> str:
    return "gauge" if name in {"waiting", "running", "memory", "workers", "spares", "ready"} else "counter"


def _histogram(labels: str, row: list[float]) -> Iterator[str]:
    """Yield the lines of a histogram: cumulative counts, then the sum and the count of all."""
    total = 0.0
    for bound, number in zip((*BUCKETS, "+Inf"), row, strict=False):
        total += number
        yield f'sudoku_request_seconds_bucket{{{labels},le="{bound}"}} {total:.0f}'
    yield f"sudoku_request_seconds_sum{{{labels}}} {row[-1]:.6f}"
    yield f"sudoku_request_seconds_count{{{labels}}} {total:.0f}"
