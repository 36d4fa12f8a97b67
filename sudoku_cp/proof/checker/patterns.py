"""Whether a text is a pattern of the rule `regular-expression`: its grammar and its size, not what it means."""

from __future__ import annotations

import re
from typing import NamedTuple

LONGEST, DEEPEST = 1000, 50
"""So many signs may a pattern have, and speak of so many values where its repetitions are written out; and so deep are groups."""
_NUMERALS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
_TOKEN = re.compile(
    r"(?P<open>\((?:\?:)?)|(?P<close>\))|(?P<bar>\|)"
    r"|(?P<times>[*+?]|\{(?P<least>[0-9]{1,4})(?P<range>,(?P<most>[0-9]{1,4})?)?\})"
    r"|(?P<one>\.|[0-9A-Za-z]|\[\^?(?:[0-9A-Za-z](?:-[0-9A-Za-z])?)+\])"
)
_RANGE = re.compile(r"([0-9A-Za-z])-([0-9A-Za-z])")


class _Group(NamedTuple):
    """What has been read of a group: the sizes of the options before, and of the parts of this one; can the last be repeated."""

    options: list[int]
    parts: list[int]

    def size(self) -> int:
        return max(1, sum(self.options) + max(1, sum(self.parts)))


def is_pattern(pattern: str) -> bool:
    """Say whether a text is a pattern of values, classes, groups, choices and repetitions that is not too large."""
    groups, repeatable, at = [_Group([], [])], False, 0
    while at < len(pattern) <= LONGEST:
        found = _TOKEN.match(pattern, at)
        if not found or found.lastgroup is None:
            return False
        at, here = found.end(), groups[-1]
        if found["open"]:
            groups.append(_Group([], []))
        elif found["close"]:
            if len(groups) == 1:
                return False
            groups.pop()
            groups[-1].parts.append(here.size())
        elif found["bar"]:
            here.options.append(max(1, sum(here.parts)))
            here.parts.clear()
        elif found["one"]:
            here.parts.append(1)
        elif not repeatable or not _rising(found):
            return False
        else:
            here.parts[-1] *= _times(found)
        repeatable = bool(found["one"] or found["close"])
        if len(groups) > DEEPEST + 1 or not all(_rises(*ends) for ends in _RANGE.findall(found["one"] or "")):
            return False
    return len(pattern) <= LONGEST and len(groups) == 1 and groups[0].size() <= LONGEST


def _rises(first: str, last: str) -> bool:
    return _NUMERALS.index(first) <= _NUMERALS.index(last)


def _rising(times: re.Match[str]) -> bool:
    """Say whether a repetition has no lower end above its upper one."""
    return not times["most"] or int(times["least"]) <= int(times["most"])


def _times(times: re.Match[str]) -> int:
    """Return how often what is repeated is written out."""
    return max(1, int(times["most"] or times["least"] or 1))
