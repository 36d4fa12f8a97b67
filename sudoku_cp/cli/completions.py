"""Shell completion of option values from the registries; in a comma-separated list, the last name is completed.

Every function takes the text typed so far. Imports are lazy, as only a shell that completes calls these functions.
"""

from __future__ import annotations

from collections.abc import Iterable


def complete_backend(incomplete: str) -> list[str]:
    """Return the engines."""
    from sudoku_cp.backends import known_backends  # noqa: PLC0415

    return _with_prefix(incomplete, ["auto", *known_backends()])


def complete_backends(incomplete: str) -> list[str]:
    """Return the engines, for a list of them."""
    from sudoku_cp.backends import known_backends  # noqa: PLC0415

    return _complete_last(incomplete, known_backends())


def complete_format_read(incomplete: str) -> list[str]:
    """Return the formats that can be read."""
    from sudoku_cp.formats import FORMATS  # noqa: PLC0415

    return _with_prefix(incomplete, (name for name, one in FORMATS.items() if one.read is not None))


def complete_format_written(incomplete: str) -> list[str]:
    """Return the formats that can be written."""
    from sudoku_cp.formats import FORMATS  # noqa: PLC0415

    return _with_prefix(incomplete, (name for name, one in FORMATS.items() if one.write is not None))


def complete_rules(incomplete: str) -> list[str]:
    """Return the rules of the whole board, which need a name alone."""
    from sudoku_cp.generate.requested_rules import whole_board_rules  # noqa: PLC0415

    return _complete_last(incomplete, whole_board_rules())


def complete_rules_to_generate(incomplete: str) -> list[str]:
    """Return the rules of the whole board, the families of clues, and irregular regions."""
    from sudoku_cp.generate.requested_rules import JIGSAW, whole_board_rules  # noqa: PLC0415
    from sudoku_cp.generate.variants.families import FAMILIES  # noqa: PLC0415

    return _complete_last(incomplete, {*whole_board_rules(), *FAMILIES, JIGSAW})


def complete_technique(incomplete: str) -> list[str]:
    """Return the techniques that something finds, by their names."""
    from sudoku_cp.logic.ladder import RUNGS  # noqa: PLC0415

    return _with_prefix(incomplete, (rung.technique.title for rung in RUNGS))


def complete_scale(incomplete: str) -> list[str]:
    """Return the scales of ratings."""
    from sudoku_cp.logic.rating.ratings import EVERY, SCALES  # noqa: PLC0415

    return _complete_last(incomplete, [*SCALES, EVERY])


def complete_difficulty(incomplete: str) -> list[str]:
    """Return the words for difficulty."""
    from sudoku_cp.generate.difficulty_mix import DIFFICULTIES  # noqa: PLC0415

    return _complete_last(incomplete, DIFFICULTIES)


def complete_symmetry(incomplete: str) -> list[str]:
    """Return the symmetries of givens."""
    from sudoku_cp.puzzle.pattern_symmetry import SYMMETRIES  # noqa: PLC0415

    return _with_prefix(incomplete, SYMMETRIES)


def complete_style(incomplete: str) -> list[str]:
    """Return the styles of clues."""
    from sudoku_cp.generate.variants.proposals import STYLES  # noqa: PLC0415

    return _with_prefix(incomplete, STYLES)


def _with_prefix(incomplete: str, names: Iterable[str]) -> list[str]:
    return [name for name in names if name.startswith(incomplete)]


def _complete_last(incomplete: str, names: Iterable[str]) -> list[str]:
    """Return the lists with their last name completed, and no name twice."""
    before, comma, last = incomplete.rpartition(",")
    earlier = set(before.split(","))
    return [f"{before}{comma}{name}" for name in sorted(names) if name.startswith(last) and name not in earlier]
