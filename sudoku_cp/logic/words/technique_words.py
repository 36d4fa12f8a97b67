"""The name of a technique in a sentence: ``the next step is an X-wing``, ``the next step uses the 45 rule``."""

from __future__ import annotations

import re

from sudoku_cp.logic.technique import Technique

_WITH_AN = re.compile(r"[aeio]|X", re.IGNORECASE)
"""How names begin that are spoken with a vowel; of those with a U, all sound like "you"."""
_T = Technique
_WITH_THE = frozenset({_T.HOUSE_TOTAL, _T.LEFTOVERS})
_METHODS = frozenset(
    {
        *(_T.POINTING, _T.CLAIMING, _T.COLOUR_TRAP, _T.COLOUR_WRAP, _T.MULTI_COLOURS_1, _T.MULTI_COLOURS_2),
        *(_T.CAGE_COMBINATIONS, _T.HOUSE_COMBINATIONS, _T.PARITY, _T.MINIMUM_AND_MAXIMUM, _T.THERMOMETER_ENDS),
        *(_T.SET_EQUIVALENCE, _T.COMMON_SIGHT),
    }
)
"""Names of what is done, not of a thing that is found, and plurals: they have no article."""


def announce_technique(technique: Technique) -> str:
    """Return a sentence without its full stop: the next step is by this technique."""
    title = technique.title
    if technique in _WITH_THE:
        return f"The next step uses the {title}"
    if technique in _METHODS:
        return f"The next step uses {title}"
    return f"The next step is {'an' if _WITH_AN.match(title) else 'a'} {title}"
