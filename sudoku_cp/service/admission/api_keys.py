"""Keys of clients, from a file with one a line: ``NAME KEY``; lines that are empty or begin with ``#`` are passed over."""

from __future__ import annotations

import hashlib
import hmac
from typing import TYPE_CHECKING

from sudoku_cp.errors import InvalidInput

if TYPE_CHECKING:
    from pathlib import Path

SHORTEST = 16
"""Characters of a key, at least."""


class ApiKeys:
    """The keys that a service knows. Only their digests are kept, and neither is ever logged."""

    def __init__(self, lines: list[str]) -> None:
        """Read the lines of a key file; raise `InvalidInput` with everything that is wrong with them."""
        self._names: dict[str, bytes] = {}
        problems = []
        for number, line in enumerate(lines, 1):
            words = line.split()
            if not words or words[0].startswith("#"):
                continue
            if len(words) != 2 or len(words[1]) < SHORTEST:  # noqa: PLR2004  # a name and a key
                came = f"a key of {len(words[1])}" if len(words) == 2 else f"{len(words)} words"  # noqa: PLR2004
                problems.append(f"line {number}: expected a name and a key of at least {SHORTEST} characters, got {came}")
            elif words[0] in self._names:
                problems.append(f"line {number}: expected a name that is new, got {words[0]!r:.40}")
            else:
                self._names[words[0]] = _digest(words[1])
        if problems or not self._names:
            raise InvalidInput(problems or "expected at least one line with a name and a key, got none")

    def name_of(self, key: str) -> str | None:
        """Return the name of a key, None if it is unknown; the time this takes says nothing about the keys."""
        digest = _digest(key)
        found = None
        for name, known in self._names.items():
            if hmac.compare_digest(digest, known):
                found = name
        return found


def read_key_file(path: Path) -> ApiKeys:
    """Return the keys of a file; raise `InvalidInput` if it cannot be read, or a line is not as expected."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidInput(f"expected a key file that can be read, got {str(path)!r}: {error}") from None
    try:
        return ApiKeys(lines)
    except InvalidInput as error:
        raise InvalidInput(f"{path}: {problem}" for problem in error.problems) from None


def _digest(key: str) -> bytes:
    return hashlib.sha256(key.encode("utf-8", "surrogateescape")).digest()
