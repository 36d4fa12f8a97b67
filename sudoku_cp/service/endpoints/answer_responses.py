"""An answer as the response that the client asked for: JSON, or a file that is in it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from starlette.responses import Response

from sudoku_cp.service.problems import HttpProblem

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sudoku_cp.service.shapes.answer_files import AnswerFile

JSON = "application/json"


def media_types_of(files: Sequence[AnswerFile]) -> tuple[str, ...]:
    """Return the media types that an answer with these files can have."""
    return (JSON, *(file.media_type for file in files))


def answer_response(answer: str, files: Sequence[AnswerFile], media_type: str) -> Response:
    """Return an answer (JSON) in a media type of `media_types_of`; raise a `HttpProblem` if it has no such file."""
    headers = {"Vary": "Accept"} if files else {}
    for file in files:
        if file.media_type == media_type:
            content = file.content(json.loads(answer))
            if content is None:
                raise HttpProblem("not-acceptable", f"expected an answer with {file.name}, got one without: see its {JSON}")
            headers |= {"Content-Disposition": f'attachment; filename="{file.name}"', "X-Content-Type-Options": "nosniff"}
            return Response(content, 200, headers, media_type)
    return Response(answer, 200, headers, JSON)
