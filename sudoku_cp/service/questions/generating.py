"""The question ``generate``: new puzzles, each sent as soon as it is proved."""

from __future__ import annotations

from contextlib import contextmanager
from time import perf_counter
from typing import TYPE_CHECKING, Any

from sudoku_cp.answer_json.fields import with_values
from sudoku_cp.backends import Limits
from sudoku_cp.errors import LimitReached
from sudoku_cp.formats.grid_text import parse_grid
from sudoku_cp.generate.api import check_share, choose_seed, make_generator
from sudoku_cp.generate.difficulty_mix import check_total, mix_total
from sudoku_cp.generate.request_parsing import Problems, parse_request_options, parse_span_text
from sudoku_cp.grid import Grid
from sudoku_cp.service.questions.asked import Asked
from sudoku_cp.service.sizes import MOST_PUZZLES

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from sudoku_cp.backends import Cancellation
    from sudoku_cp.generate import GenerateRequest
    from sudoku_cp.service.pool.tasks import Control


def generate(body: Mapping[str, Any], control: Control) -> dict[str, Any]:
    """Generate puzzles; a limit ends the run with those found until then, and its ``reason``."""
    from sudoku_cp.batch.rows.generated_format import generated_to_json, with_difficulty  # noqa: PLC0415  # arrays
    from sudoku_cp.generate.chunks import generate_in_chunks  # noqa: PLC0415  # as above

    asked = Asked(body, control)
    request, count, seed, share = _read_options(asked)
    start, tries, reason = perf_counter(), 0, None
    puzzles: list[dict[str, Any]] = []
    with _cancellation(asked) as cancel:
        try:
            limits = Limits(asked.get("timeout"), cancel=cancel)
            for part in generate_in_chunks(make_generator(request, seed), seed, count, share, limits):
                tries += part.tries
                for made, by, word in with_difficulty(part):
                    fields = generated_to_json(0, made, by, word, seed, request)
                    del fields["index"]
                    control.emit(fields)
                    puzzles.append(fields)
        except LimitReached as reached:
            reason = "deadline" if reached.reason == "cancelled" else reached.reason  # `_cancellation` is for that
    seconds = round(perf_counter() - start, 6)
    told = {"puzzles": puzzles, "count": len(puzzles), "wanted": count, "seed": seed, "tries": tries, "seconds": seconds}
    return told | with_values(reason=reason)


def check(body: Mapping[str, Any], control: Control) -> dict[str, Any]:
    """Return nothing for options that are as expected; otherwise raise `InvalidInput` as `generate` would."""
    _read_options(Asked(body, control))
    return {}


def _read_options(asked: Asked) -> tuple[GenerateRequest, int, int, float]:
    """Return what the puzzles should be like, how many are wanted, the seed, and the share that is checked by other engines."""
    request, count = read_request(asked)
    seed = asked.read(lambda: choose_seed(asked.get("seed")), 0, "seed")
    share = asked.read(lambda: check_share(asked.get("cross_check", 1.0)), 1.0, "cross_check")
    asked.end()
    assert request is not None  # noqa: S101  # otherwise there was a problem
    return request, count, seed, share


def read_request(asked: Asked) -> tuple[GenerateRequest | None, int]:
    """Return what the puzzles should be like, and how many are wanted."""
    problems = Problems()
    size = asked.get("size")
    grid = asked.read(lambda: parse_grid(None if size is None else str(size), asked.get("boxes")) or Grid.square(), None, "size")
    difficulty = asked.get("difficulty")
    count = asked.get("count") or asked.read(lambda: mix_total(difficulty), None, "difficulty") or 1
    asked.read(lambda: check_total(difficulty, count), None, "difficulty")
    asked.refuse({f"at most {MOST_PUZZLES:,} puzzles, got {count:,}": (count > MOST_PUZZLES, "count")})
    texts = {name: asked.get(name) for name in ("givens", "guesses")}
    options: dict[str, Any] = {
        name: asked.read(
            lambda name=name, text=text: parse_span_text(f"--{name}", None if text is None else str(text)),  # type: ignore[misc]
            None,
            name,
        )
        for name, text in texts.items()
    }
    options |= {"rules": asked.get("rules", ""), "style": asked.get("style", ""), "symmetry": asked.get("symmetry", "none")}
    options |= {name: asked.get(name) for name in ("difficulty", "pattern", "rating")}
    options |= {name: bool(asked.get(name)) for name in ("singles_only", "minimal")}
    options["needs"] = asked.get("needs", ())
    return asked.read(lambda: parse_request_options(problems, grid, options), None), count


@contextmanager
def _cancellation(asked: Asked) -> Iterator[Cancellation]:
    """Yield a cancellation that fires when nobody waits any more, and when the whole run should end."""
    from sudoku_cp.generate.chunks import cancel_after  # noqa: PLC0415  # arrays

    seconds = [one for one in (asked.control.limits().seconds, asked.get("stop_after")) if one is not None]
    with cancel_after(min(seconds, default=None)) as cancel, asked.control.cancel.calling(cancel.cancel):
        yield cancel
