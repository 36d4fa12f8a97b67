"""From wishes to puzzles: who makes them, and the one call of this room."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from sudoku_cp.arguments import checked
from sudoku_cp.backends import UNLIMITED, Limits
from sudoku_cp.backends.fast.shape import SHAPES, side_of
from sudoku_cp.errors import InvalidInput, expect
from sudoku_cp.generate.base import Made
from sudoku_cp.generate.difficulty_mix import checked_total
from sudoku_cp.generate.wishing import Problems, Ruled, Spanned, wishes_of
from sudoku_cp.grid import Cell, Grid
from sudoku_cp.puzzle.puzzle import CLASSIC

if TYPE_CHECKING:
    from sudoku_cp.generate.base import Maker, Wishes

SEEDS = 1 << 64
"""Seeds are below this."""


def maker_of(wishes: Wishes, seed: int) -> Maker:
    """Return who makes puzzles of that seed that are as wished."""
    if wishes.mix is not None:
        from sudoku_cp.generate.mixed_generator import MixedGenerator  # noqa: PLC0415  # only what is needed

        return MixedGenerator(wishes, seed, wishes.mix, maker_of)
    if wishes.families:
        from sudoku_cp.generate.variants.variant_generator import VariantGenerator  # noqa: PLC0415  # only what is needed

        return VariantGenerator(wishes, seed)
    if is_plain(wishes):
        from sudoku_cp.generate.plain.plain_generator import PlainGenerator  # noqa: PLC0415  # as above

        return PlainGenerator(wishes, seed)
    from sudoku_cp.generate.general.general_generator import GeneralGenerator  # noqa: PLC0415  # as above
    from sudoku_cp.generate.variants import random_regions  # noqa: PLC0415  # as above

    return GeneralGenerator(wishes, seed, random_regions if wishes.jigsaw else None)


def is_plain(wishes: Wishes) -> bool:
    """Say whether puzzles are plain boards as the batch kernel takes them."""
    return (
        wishes.rules == CLASSIC
        and not wishes.jigsaw
        and any(wishes.grid == Grid.square(side_of(boxes), boxes) for boxes in SHAPES)
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
    givens: Spanned = None,
    guesses: Spanned = None,
    singles_only: bool = False,
    symmetry: str = "none",
    pattern: str | Iterable[Cell] | None = None,
    minimal: bool = False,
    style: str = "",
    prove: bool | float = True,
    limits: Limits = UNLIMITED,
) -> Iterator[Made]:
    """Yield ``number`` new puzzles (None: without end), each with one solution, stated; no two of them isomorphic.

    The same ``seed`` gives the same puzzles; None is one of chance. ``size`` and ``boxes`` (height, width) or a ``grid`` say the
    board. ``rules`` are names of rules of the whole board, of families of clues (killer, thermometer, ...), or ``jigsaw``, with
    commas between them; or JSON. ``difficulty`` is easy, medium or hard; or several of these with commas between them, which take
    turns, or how many of each (``easy:50,hard:50``). ``guesses`` is how many the reference search takes and ``givens`` how many
    there are: a number or a pair (from, to). ``pattern`` is the cells given, as text or cells. ``prove`` asks another engine than
    the one that made them about every puzzle, or about that share of them.

    The seconds of ``limits`` are for each puzzle; a `Cancellation` of `sudoku_cp` goes into ``Limits(cancel=...)``. Raises
    `InvalidInput` at once for wishes that can never come true, and `LimitReached` where a limit comes before the next puzzle.
    """
    problems = Problems()
    share = problems.read(lambda: checked_share(prove), 1.0)
    problems.read(lambda: checked_number(number), None)
    problems.read(lambda: checked_total(difficulty, number), None)
    known = problems.read(lambda: some_seed(seed), 0)
    wishes = problems.read(
        lambda: wishes_of(
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
        ),
        None,
    )
    problems.end()
    return _each(wishes, known, number, share, limits)


def _each(*asked: Any) -> Iterator[Made]:
    from sudoku_cp.generate.portions import series  # noqa: PLC0415  # it needs arrays

    wishes, seed, *rest = asked
    for part in series(maker_of(wishes, seed), seed, *rest):
        for made, _ in part.each():
            yield made


def some_seed(seed: int | None) -> int:
    """Return a seed that was told, or one of chance that is quick to type."""
    if seed is None:
        return secrets.randbelow(10**9)
    if not 0 <= expect("a seed as a whole number", int, seed) < SEEDS:  # one that goes on has it from a manifest
        raise InvalidInput(f"expected a seed from 0 to {SEEDS - 1}, got {seed!r:.80}")
    return seed


def checked_share(share: object) -> float:
    """Return a share of puzzles, or refuse what is none."""
    if not isinstance(share, int | float) or not 0 <= share <= 1:
        raise InvalidInput(f"expected a share of the puzzles from 0 to 1 to be proved, got {share!r:.80}")
    return float(share)


def checked_number(number: int | None) -> None:
    """Refuse what is no number of puzzles."""
    if number is not None and number < 0:
        raise InvalidInput(f"expected a number of puzzles from 0, got {number!r:.80}")
