"""The memory of `fish_kernel`: arrays, and what stands where in them."""

from __future__ import annotations

from typing import Any, NamedTuple


class FishArrays(NamedTuple):
    """The arrays of a search.

    - ``masks`` (houses, words) and ``sights`` (places, words): sets of places; ``houses_of`` (places,): sets of houses.
    - ``kinds``: the rows, columns, boxes and all houses, as sets.
    - ``query``: see `SIZE` and those behind it; ``state``: see `BASES_TOP` and those behind it.
    - ``base_stack``: branches of houses; their places, those in two of them, what sees these. ``cover_stack``: branches of houses
      chosen and houses ruled out; places left, fins, what sees these. ``bases`` and ``node`` are the branch in hand of each.
    - ``facts`` of the bases in hand: the covers allowed, then the most places that may be left or fins when 0, 1, 2, ... covers
      are chosen.
    - ``own`` and ``own_covers``: what the fish of the bases in hand remove, each set once.
    - ``table``: a hash table of all sets removed: words, the fewest places in bases so far (0: nobody was told), and the number
      of the set of bases that met it last (0: a free slot).
    - ``told`` (fish, 3): bases, covers, and the covers of the second of a pair.
    - ``scratch`` (3, words): sets for the moment.
    """

    masks: Any
    sights: Any
    houses_of: Any
    kinds: Any
    query: Any
    state: Any
    base_stack: Any
    cover_stack: Any
    bases: Any
    node: Any
    facts: Any
    own: Any
    own_covers: Any
    table: Any
    told: Any
    scratch: Any


SIZE, KIND, WANTED, PAIRED, FINS, ENDO_FINS = range(6)
"""Fields of a query."""
BASES_TOP, COVERS_TOP, OWN, ONE_OF_PAIR, OTHER_OF_PAIR, TABLE, TOLD, BASE_SETS = range(8)
"""Fields of the state: how high both stacks are, numbers of rows used, the next pair, and how many sets of bases were begun."""
PLAIN, FINNED, SASHIMI = 1, 2, 4
BASIC, FRANKEN, MUTANT = 0, 1, 2
ROWS, COLUMNS, BOXES, HOUSES = range(4)
REMOVED, ONCE, FINS_OF = range(3)
"""Rows of the scratch."""
WORD = 64
