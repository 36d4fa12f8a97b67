"""The syntax of patterns of the rule `regular-expression`: grammar and size, not their meaning."""

from __future__ import annotations

import re
from typing import NamedTuple

MAX_LENGTH, MAX_DEPTH = 1000, 50
"""The most characters of a pattern, and of values once repetitions are written out; how deep groups may be nested."""
_NUMERALS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
_TOKEN = re.compile(
    r"(?P<open>\((?:\?:)?)|(?P<close>\))|(?P<bar>\|)"
    r"|(?P<times>[*+?]|\{(?P<least>[0-9]{1,4})(?P<range>,(?P<most>[0-9]{1,4})?)?\})"
    r"|(?P<one>\.|[0-9A-Za-z]|\[\^?(?:[0-9A-Za-z](?:-[0-9A-Za-z])?)+\])"
)
_RANGE = re.compile(r"([0-9A-Za-z])-([0-9A-Za-z])")


class _PatternGroup(NamedTuple):
    """What has been read of a group: the sizes of the earlier options, and of the parts of the current one."""

    options: list[int]
    parts: list[int]

    def size(self) -> int:
        return max(1, sum(self.options) + max(1, sum(self.parts)))


def is_pattern(pattern: str) -> bool:
    """Return whether a text is a valid pattern of values, classes, groups, choices and repetitions, and not too large."""
    groups, repeatable, at = [_PatternGroup([], [])], False, 0
    while at < len(pattern) <= MAX_LENGTH:
        found = _TOKEN.match(pattern, at)
        if not found or found.lastgroup is None:
            return False
        at, here = found.end(), groups[-1]
        if found["open"]:
            groups.append(_PatternGroup([], []))
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
        elif not repeatable or not _is_rising_repetition(found):
            return False
        else:
            here.parts[-1] *= _repetitions(found)
        repeatable = bool(found["one"] or found["close"])
        if len(groups) > MAX_DEPTH + 1 or not all(_is_rising_range(*ends) for ends in _RANGE.findall(found["one"] or "")):
            return False
    return len(pattern) <= MAX_LENGTH and len(groups) == 1 and groups[0].size() <= MAX_LENGTH


def _is_rising_range(first: str, last: str) -> bool:
    return _NUMERALS.index(first) <= _NUMERALS.index(last)


def _is_rising_repetition(times: re.Match[str]) -> bool:
    """Return whether the lower bound of a repetition is not above the upper one."""
    return not times["most"] or int(times["least"]) <= int(times["most"])


def _repetitions(times: re.Match[str]) -> int:
    """Return how many copies a repetition stands for."""
    return max(1, int(times["most"] or times["least"] or 1))
