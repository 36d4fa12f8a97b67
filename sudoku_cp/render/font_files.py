"""The fonts that the package carries, because no font is on every machine: DejaVu Sans Condensed, about as wide as Helvetica."""

from __future__ import annotations

from pathlib import Path

FOLDER = Path(__file__).parent / "fonts"
REGULAR, BOLD = FOLDER / "DejaVuSansCondensed.ttf", FOLDER / "DejaVuSansCondensed-Bold.ttf"
FAMILY = "DejaVu Sans"
"""The name by which both files call themselves."""
