"""Full grids of 4x4 and 9x9: each as likely as any other, and the same for the same seed, number and try."""

from __future__ import annotations

from importlib import import_module

import numpy as np
import pytest

from sudoku_cp import LimitReached, Limits
from sudoku_cp.backends.base import ArrayAnswer
from sudoku_cp.backends.fast.lane_solver import check_solutions, probe
from sudoku_cp.generate.plain.full_grids import UNIFORM, full_grids
from sudoku_cp.generate.plain.generator_kernel import (
    COMPLETIONS,
    MOST_FILLS,
    SIZE,
    WORDS,
    all_4x4_grids,
    begin,
    below,
    call_kernel,
    key_of,
    philox,
    shuffle,
    stream_of,
    tables,
    word,
)

GRIDS = 6_670_903_752_021_072_936_960
"""All grids of 9x9 (Felgenhauer and Jarvis, 2005)."""
BEGINNINGS = 362_880 * (56 * 6**6) ** 2
"""All ways to fill boxes 1, 2, 3, 4 and 7 of a 9x9 board."""

KNOWN = {
    "zeros": ("0 0 0 0 0 0", "6627e8d5 e169c58d bc57ac4c 9b00dbd8"),
    "ones": ("ffffffff ffffffff ffffffff ffffffff ffffffff ffffffff", "408f276d 41c83b0e a20bc7c6 6d5451fd"),
    "pi": ("243f6a88 85a308d3 13198a2e 03707344 a4093822 299f31d0", "d16cfe09 94fdcceb 5001e420 24126ea1"),
}
"""Counter, key and answer of philox4x32 in 10 rounds, from the file kat_vectors of Random123 (D. E. Shaw Research)."""


# --- random numbers -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", KNOWN)
def test_known_answers(name):
    """Philox gives the published known answers."""
    told, answer = ([int(one, 16) for one in text.split()] for text in KNOWN[name])
    assert [*philox(*told)] == answer


def test_compiled_chance():
    """Compiled code draws the same numbers as its source in Python."""
    numbers, tries = np.array([0, 1, 2**31 + 5, 2**40 + 5]), np.array([0, 7, 0, 1])
    orders = np.zeros((4, 25), np.int16)
    stream = stream_of(3, "order")
    call_kernel("draw_orders", stream, numbers, tries, orders)
    stream = stream_of(3, "order").tolist()  # Python integers, which do not overflow
    for order, number, attempt in zip(orders, numbers.tolist(), tries.tolist(), strict=True):
        begin(stream, number, attempt, 0)
        values = np.arange(25)
        shuffle(stream, values, 0)
        assert (values == order).all()
        assert sorted(order) == [*range(25)]
    assert len(np.unique(orders, axis=0)) == 4


def test_below_is_uniform():
    """Numbers below a bound are exactly uniform: words that would make some likelier are drawn again."""
    stream = [0] * SIZE
    bound = 3 << 30  # a word is below 4 / 3 of it
    begin(stream, 0, 0, 0)
    drawn = [below(stream, bound) for _ in range(3000)]
    begin(stream, 0, 0, 0)
    words = [int(word(stream)) for _ in range(6000)]
    kept = [one * bound >> 32 for one in words if one * bound & 0xFFFFFFFF >= (1 << 32) % bound]
    assert drawn == kept[:3000]
    assert len(kept) < 5000
    assert sum(one % 3 == 0 for one in drawn) == pytest.approx(1000, abs=120)


def test_streams_differ():
    """Seed, purpose, number and try each give another stream, and streams share no block."""
    seen = set()
    for seed, purpose in ((1, "grid"), (2, "grid"), (1, "order"), (2**70, "grid")):
        stream = stream_of(seed, purpose).tolist()
        for number in (0, 1, 2**32, 2**33):
            for attempt in (0, 1):
                begin(stream, number, attempt, 0)
                for _ in range(8):
                    word(stream)
                    seen.add(tuple(stream[WORDS:]))
    assert len(seen) == 4 * 4 * 2 * 2
    assert key_of(1, "grid") != key_of(1, "order")


# --- uniform ----------------------------------------------------------------------------------------------------


def chi2(counts, expected):
    """Return how many standard deviations chi square is above its mean."""
    value = ((counts - expected) ** 2 / expected).sum()
    free = counts.size - 1
    return (value - free) / (2 * free) ** 0.5


def test_all_small_grids():
    """There are 288 grids of 4x4, all different and all valid."""
    every = all_4x4_grids()
    assert len(np.unique(every, axis=0)) == 288
    assert check_solutions(
        np.zeros_like(every), ArrayAnswer(every, np.ones(288, np.int64), np.ones(288, bool)), boxes=(2, 2)
    ).all()


def test_small_grids_are_uniform():
    """The 288 grids of 4x4 are equally frequent, up to chance."""
    grids = full_grids((2, 2), 7, range(57_600))
    _, counts = np.unique(grids, axis=0, return_counts=True)
    assert len(counts) == 288
    assert abs(chi2(counts, 200)) < 4


def test_tables():
    """A band can continue in 56 patterns; there are 55 kinds of box 5, of at most 448 fills, all of which fit."""
    found = tables()
    assert len(np.unique(found.patterns, axis=0)) == len(found.patterns) == 56
    assert len(found.counts) == (found.kinds >= 0).sum() == 55
    assert found.counts.max() == MOST_FILLS
    assert found.counts.min() == 384
    assert (np.sort(found.fills, axis=1) == np.arange(9)).all()


def trials(seed, number):
    """Return trials (number, 81), how many completions each has, the completions wanted, and how many were begun in all."""
    stream, room = stream_of(seed, "grid"), np.zeros((3, 20), np.int64)
    who = np.array([[0], [0], [0]])
    grids, wanted = np.zeros((number, 81), np.uint8), np.zeros(number, np.int64)
    call_kernel("propose", stream, who, np.array([0]), number, grids, wanted, tables(), room)
    return grids, probe(grids, 1000, boxes=(3, 3)).found, wanted, int(who[2, 0])


def total_of(number):
    """Compare the number of all grids estimated by trials with the known one."""
    _, found, wanted, begun = trials(5, number)
    assert found.max() <= COMPLETIONS
    told = found * (MOST_FILLS * number / begun)
    assert abs(told.mean() - GRIDS / BEGINNINGS) < 4 * told.std() / number**0.5
    assert abs(chi2(np.bincount(wanted, minlength=33)[1:], number / COMPLETIONS)) < 5


def test_trials_count_all_grids():
    """How often trials are kept, and how many completions they have, add up to the known number of all grids."""
    total_of(20_000)


@pytest.mark.slow
def test_many_trials_count_all_grids():
    """The same to within one part in some thousands."""
    total_of(2_000_000)


def rectangles(grids):
    """Return for each band and each stack (6, N) how many pairs of columns have the same two values in two of its rows."""
    boards = grids.reshape(-1, 9, 9).astype(np.int64)
    counts = []
    for turned in (boards, boards.swapaxes(1, 2)):
        for band in range(3):
            count = np.zeros(len(boards), np.int64)
            for one, other in ((0, 1), (0, 2), (1, 2)):
                first, second = turned[:, 3 * band + one], turned[:, 3 * band + other]
                pairs = np.minimum(first, second) * 10 + np.maximum(first, second)
                count += (pairs[:, :, None] == pairs[:, None]).sum((1, 2)) - 9
            counts.append(count // 2)
    return np.array(counts)


def alike(number):
    """Compare the bands and stacks of grids: those drawn with those completed."""
    counts = rectangles(full_grids((3, 3), 11, range(number), threads=2))
    table = np.array([np.bincount(np.minimum(one, 5), minlength=6) for one in counts])
    expected = table.mean(0)
    value = ((table - expected) ** 2 / expected).sum()
    free = 5 * 5
    # Bands and stacks of a grid depend on each other a little; of as many independent ones this would be four deviations.
    assert value < free + 4 * (2 * free) ** 0.5


def test_bands_are_alike():
    """Every band and stack of a grid has as many rectangles as the others, though they are made in different ways."""
    alike(8_000)


@pytest.mark.slow
def test_many_bands_are_alike():
    """The same for many grids."""
    alike(200_000)


# --- reproducibility --------------------------------------------------------------------------------------


@pytest.mark.parametrize("boxes", [pytest.param(one, marks=[pytest.mark.slow] * (one == (3, 2))) for one in UNIFORM], ids=str)
def test_grids_are_grids(boxes):
    """Every grid is valid, and no two of 9x9 are the same."""
    grids = full_grids(boxes, 1, range(500))
    assert check_solutions(
        np.zeros_like(grids), ArrayAnswer(grids, np.ones(500, np.int64), np.ones(500, bool)), boxes=boxes
    ).all()
    assert len(np.unique(grids, axis=0)) > (499 if boxes == (3, 3) else 200)


@pytest.mark.parametrize("boxes", UNIFORM, ids=str)
def test_a_grid_hangs_on_its_number(boxes, monkeypatch):
    """Neither blocks, nor other grids, nor threads, nor trials made ahead change a grid; another seed or try does."""
    numbers = [5, 2**33, 17, 300, 0, *range(1000, 1300)]
    grids = full_grids(boxes, 1, numbers)
    for place in (0, 1, 4, 100, 304):
        assert (full_grids(boxes, 1, [numbers[place]])[0] == grids[place]).all()
    monkeypatch.setattr(import_module("sudoku_cp.generate.plain.full_grids"), "EACH", 5)
    assert (full_grids(boxes, 1, numbers[::-1], threads=2)[::-1] == grids).all()
    assert (full_grids(boxes, 1, numbers, tries=[0] * len(numbers)) == grids).all()
    for others in (full_grids(boxes, 2, numbers), full_grids(boxes, 1, numbers, tries=[1] * len(numbers))):
        assert (others != grids).any(axis=1).mean() > 0.9


def test_known_grids():
    """The grids of a seed stay the same from version to version."""
    small, large = full_grids((2, 2), 1, [1]), full_grids((3, 3), 1, [1])
    assert "".join(map(str, small[0].tolist())) == SMALL
    assert "".join(map(str, large[0].tolist())) == LARGE


SMALL = "2143432112343412"
LARGE = "587139462169472385342856917891243756235687194674915823456398271923761548718524639"


def test_no_time():
    """Without time there are no grids, and `LimitReached` is raised."""
    with pytest.raises(LimitReached):
        full_grids((3, 3), 1, range(100_000), limits=Limits(seconds=0))
