"""What a shell completes behind options, out of the registries; where a list with commas goes, its last name.

Every function takes what has been typed so far. Only a shell that completes calls them, so imports wait until then.
"""

from __future__ import annotations

from collections.abc import Iterable


def complete_backend(incomplete: str) -> list[str]:
    """Return the engines."""
    from sudoku_cp.backends import known  # noqa: PLC0415

    return _starting(incomplete, ["auto", *known()])


def complete_backends(incomplete: str) -> list[str]:
    """Return engines for a list of them."""
    from sudoku_cp.backends import known  # noqa: PLC0415

    return _listed(incomplete, known())


def complete_format_read(incomplete: str) -> list[str]:
    """Return the formats that can be read."""
    from sudoku_cp.formats import FORMATS  # noqa: PLC0415

    return _starting(incomplete, (name for name, one in FORMATS.items() if one.read is not None))


def complete_format_written(incomplete: str) -> list[str]:
    """Return the formats that can be written."""
    from sudoku_cp.formats import FORMATS  # noqa: PLC0415

    return _starting(incomplete, (name for name, one in FORMATS.items() if one.write is not None))


def complete_rules(incomplete: str) -> list[str]:
    """Return the rules of the whole board: those that a name alone says."""
    from sudoku_cp.generate.requested_rules import whole_board_rules  # noqa: PLC0415

    return _listed(incomplete, whole_board_rules())


def complete_rules_to_generate(incomplete: str) -> list[str]:
    """Return the rules of the whole board, the families of clues, and irregular regions."""
    from sudoku_cp.generate.requested_rules import JIGSAW, whole_board_rules  # noqa: PLC0415
    from sudoku_cp.generate.variants.families import FAMILIES  # noqa: PLC0415

    return _listed(incomplete, {*whole_board_rules(), *FAMILIES, JIGSAW})


def complete_difficulty(incomplete: str) -> list[str]:
    """Return the words for difficulty."""
    from sudoku_cp.generate.difficulty_mix import WORDS  # noqa: PLC0415

    return _listed(incomplete, WORDS)


def complete_symmetry(incomplete: str) -> list[str]:
    """Return the symmetries that givens can have."""
    from sudoku_cp.puzzle.symmetry import SYMMETRIES  # noqa: PLC0415

    return _starting(incomplete, SYMMETRIES)


def complete_style(incomplete: str) -> list[str]:
    """Return the styles that clues can have."""
    from sudoku_cp.generate.variants.proposals import STYLES  # noqa: PLC0415

    return _starting(incomplete, STYLES)


def _starting(incomplete: str, names: Iterable[str]) -> list[str]:
    return [name for name in names if name.startswith(incomplete)]


def _listed(incomplete: str, names: Iterable[str]) -> list[str]:
    """Return what the list may become: its last name whole, and no name twice."""
    before, comma, last = incomplete.rpartition(",")
    there = set(before.split(","))
    return [f"{before}{comma}{name}" for name in sorted(names) if name.startswith(last) and name not in there]
