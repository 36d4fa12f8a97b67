"""Names of files that pictures are written to."""

from __future__ import annotations

from pathlib import Path

ENDINGS = (".svg",)
"""How such names end; nothing else is drawn, so a name that ends otherwise would say what the file is not."""


def name_problems(name: str | Path | None) -> tuple[str, ...]:
    """Return what is wrong with the name of a picture, where one is wanted: that it says another kind of file."""
    if name is None or Path(name).suffix.lower() in ENDINGS:
        return ()
    return (f"expected a picture that ends in {', '.join(ENDINGS)}, got {str(name)[:200]!r}",)
