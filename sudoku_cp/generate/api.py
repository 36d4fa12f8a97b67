"""The public function `generate`, and the choice of the generator that fits a request."""

from __future__ import annotations

import json
import secrets
from collections.abc import Iterable, Iterator, Sequence
from hashlib import blake2b

from sudoku_cp.arguments import checked
from sudoku_cp.backends import UNLIMITED, Limits
from sudoku_cp.backends.fast import SHAPES, side_of
from sudoku_cp.errors import InvalidInput, require_seed
from sudoku_cp.generate.base import GeneratedPuzzle, GenerateRequest, Generator
from sudoku_cp.generate.difficulty_mix import check_total
from sudoku_cp.generate.request_parsing import Problems, SpanLike, parse_request, request_to_json
from sudoku_cp.generate.requested_rules import Ruled
from sudoku_cp.grid import Cell, Grid
from sudoku_cp.logic.rating.levels import LEVELS, Levels, make_levels
from sudoku_cp.puzzle.puzzle import CLASSIC


def make_generator(request: GenerateRequest, seed: int) -> Generator:
    """Return the generator that fits the request; its puzzles follow from the seed and everything asked for."""
    return _choose_generator(request, request_seed(seed, request))


def request_seed(seed: int, request: GenerateRequest) -> int:
    """Return the seed of all random streams that serve one request: a hash of the user's seed and of everything asked for.

    Seeds that people type are few (1, 7, 42); drawn from these alone, easy and hard puzzles would have the same solutions.
    """
    asked = json.dumps(request_to_json(request), sort_keys=True)
    return int.from_bytes(blake2b(f"{seed}:{asked}".encode(), digest_size=8).digest(), "little")


def _choose_generator(request: GenerateRequest, seed: int) -> Generator:
    if request.mix is not None:
        from sudoku_cp.generate.chunks import MixedGenerator  # noqa: PLC0415  # only what is needed

        return MixedGenerator(request, seed, request.mix, make_generator)
    if request.families:
        from sudoku_cp.generate.variants.variant_generator import VariantGenerator  # noqa: PLC0415  # only what is needed

        return VariantGenerator(request, seed)
    if is_plain(request) and request.is_rated and request.pattern is None:
        from sudoku_cp.generate.plain.rated_generator import RatedGenerator  # noqa: PLC0415  # as above

        return RatedGenerator(request, seed)
    if is_plain(request):
        from sudoku_cp.generate.plain.plain_generator import PlainGenerator  # noqa: PLC0415  # as above

        return PlainGenerator(request, seed)
    from sudoku_cp.generate.general.general_generator import GeneralGenerator  # noqa: PLC0415  # as above

    return GeneralGenerator(request, seed)


def is_plain(request: GenerateRequest) -> bool:
    """Return whether the lane kernel takes the puzzles: plain rules on a board of a known shape."""
    return (
        request.rules == CLASSIC
        and not request.jigsaw
        and any(request.grid == Grid.square(side_of(boxes), boxes) for boxes in SHAPES)
    )


@checked
def generate(
    number: int | None = 1,
    *,
    seed: int | None = None,
    size: int = 9,
    boxes: tuple[int, int] | None = None,
    grid: Grid | None = None,
    rules: Ruled = (),
    difficulty: str | None = None,
    givens: SpanLike = None,
    guesses: SpanLike = None,
    singles_only: bool = False,
    symmetry: str = "none",
    pattern: str | Iterable[Cell] | None = None,
    minimal: bool = False,
    any_path: bool = False,
    style: str = "",
    rating: str | None = None,
    needs: str | Sequence[str] = (),
    levels: str | Levels = LEVELS,
    prove: bool | float = True,
    limits: Limits = UNLIMITED,
) -> Iterator[GeneratedPuzzle]:
    """Yield ``number`` new puzzles (None: endlessly), each with its unique solution; no two of them are isomorphic.

    The same ``seed`` and options give the same puzzles, other options other solutions; None draws a random seed. ``size`` and
    ``boxes`` (height, width), or a ``grid``, define the board. ``rules`` are names of rules of the whole board, of families of
    clues (killer, thermometer, ...), or ``jigsaw``, separated by commas; or JSON. ``difficulty`` is easy, medium, hard,
    expert, fiendish, diabolical or extreme (or one of your own ``levels``, as TOML); or several of these separated by commas,
    which take turns, or counts (``easy:50,hard:50``). ``guesses`` is the effort of the
    reference search and ``givens`` the number of givens: a number or a pair (from, to). ``rating`` is a span on a scale
    (``se:6.6..7.2``, ``sukaku:6.2..6.8``, ``proof:5..9``, ``hodoku:1000..1600``); ``needs`` are techniques, by names or codes,
    that occur on the path by the easiest steps. ``pattern`` is the cells given, as text or cells. Named steps solve puzzles
    with clues, which get clues or givens for that, unless ``any_path`` will do. ``prove`` has a second engine
    prove every puzzle to have one solution, or that share of the puzzles.

    The seconds of ``limits`` are for each puzzle; ``Limits(cancel=...)`` takes a `Cancellation`. Raises `InvalidInput` at once
    for requests that can never be fulfilled, and `LimitReached` where a limit comes before the next puzzle.
    """
    problems = Problems()
    share = problems.read(lambda: check_share(prove), 1.0, of="prove")
    problems.read(lambda: check_count(number), None, of="number")
    names = problems.read(lambda: make_levels(levels), LEVELS).names
    problems.read(lambda: check_total(difficulty, number, names=names), None, of="difficulty")
    known = problems.read(lambda: choose_seed(seed), 0, of="seed")
    request = problems.read(
        lambda: parse_request(
            size=size,
            boxes=boxes,
            grid=grid,
            rules=rules,
            style=style,
            difficulty=difficulty,
            givens=givens,
            guesses=guesses,
            singles_only=singles_only,
            symmetry=symmetry,
            pattern=pattern,
            minimal=minimal,
            any_path=any_path,
            rating=rating,
            needs=needs,
            levels=levels,
        ),
        None,
    )
    problems.end()
    assert request is not None  # noqa: S101  # else there was a problem
    return _iter_puzzles(request, known, number, share, limits)


def _iter_puzzles(
    request: GenerateRequest, seed: int, number: int | None, share: float, limits: Limits
) -> Iterator[GeneratedPuzzle]:
    from sudoku_cp.generate.chunks import generate_in_chunks  # noqa: PLC0415  # it needs arrays

    for part in generate_in_chunks(make_generator(request, seed), seed, number, share, limits):
        for made, _ in part.each():
            yield made


def choose_seed(seed: int | None) -> int:
    """Return the seed, or for None a random one that is quick to type."""
    if seed is None:
        return secrets.randbelow(10**9)
    return require_seed(seed)


def check_share(share: object) -> float:
    """Return the share of puzzles to be proved; raise `InvalidInput` unless it is from 0 to 1."""
    if not isinstance(share, int | float) or not 0 <= share <= 1:
        raise InvalidInput(f"expected a share of the puzzles from 0 to 1 to be proved, got {share!r:.80}")
    return float(share)


def check_count(number: int | None) -> None:
    """Raise `InvalidInput` for a negative number of puzzles."""
    if number is not None and number < 0:
        raise InvalidInput(f"expected a number of puzzles from 0, got {number!r:.80}")
