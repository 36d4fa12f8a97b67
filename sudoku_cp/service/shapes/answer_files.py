"""What of an answer can be had as a file: a certificate, a picture, printed sheets.

As JSON, an answer has it in a field; whoever asks for the file's media type (``Accept``) gets the file itself.
"""

from __future__ import annotations

from base64 import b64decode
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class AnswerFile:
    """A field of an answer that is a file."""

    field: str
    media_type: str
    name: str
    """The name under which it is saved."""
    is_text: bool = False
    """Whether the field is the text of the file; otherwise it is its bytes in base64."""
    option: tuple[str, str] | None = None
    """The option, and its value, without which there is no such file: a request for the file sets it."""

    def content(self, answer: Mapping[str, Any]) -> bytes | None:
        """Return the bytes of the file, None if this answer has none."""
        value = answer.get(self.field)
        if value is None:
            return None
        return str(value).encode() if self.is_text else b64decode(value)


CERTIFICATE = AnswerFile("certificate", "application/gzip", "certificate.tar.gz")
SHEETS = AnswerFile("pdf", "application/pdf", "sudoku.pdf")
SVG = AnswerFile("svg", "image/svg+xml", "sudoku.svg", is_text=True)
PNG = AnswerFile("png", "image/png", "sudoku.png", option=("to", "png"))
TEXT = AnswerFile("text", "text/plain", "sudoku.txt", is_text=True, option=("to", "text"))
