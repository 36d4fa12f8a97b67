"""An answer as the response that the client asked for: JSON, or a file that is in it."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from starlette.responses import Response

from sudoku_cp.service.pool.tasks import Answered, Task
from sudoku_cp.service.problems import HttpProblem, busy
from sudoku_cp.service.question_runs import submit
from sudoku_cp.service.questions.encoded_answers import file_of_answer

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sudoku_cp.service.pool.supervised_pool import Pool
    from sudoku_cp.service.shapes.answer_files import AnswerFile

JSON = "application/json"
SMALL = 1 << 19
"""The most bytes of an answer whose files are decoded here, in 5 ms; those of larger ones are left to a worker."""
FILE_SECONDS = 30.0
"""Seconds that a worker may take for that."""


def media_types_of(files: Sequence[AnswerFile]) -> tuple[str, ...]:
    """Return the media types that an answer with these files can have."""
    return (JSON, *(file.media_type for file in files))


async def answer_response(answer: bytes, files: Sequence[AnswerFile], media_type: str, pool: Pool) -> Response:
    """Return an answer (JSON) in a media type of `media_types_of`; raise a `HttpProblem` if it has no such file."""
    headers = {"Vary": "Accept"} if files else {}
    for file in files:
        if file.media_type == media_type:
            content = file_of_answer(answer, file) if len(answer) <= SMALL else await _file_of_large(answer, file, pool)
            if content is None:
                raise HttpProblem("not-acceptable", f"expected an answer with {file.name}, got one without: see its {JSON}")
            headers |= {"Content-Disposition": f'attachment; filename="{file.name}"', "X-Content-Type-Options": "nosniff"}
            return Response(content, 200, headers, media_type)
    return Response(answer, 200, headers, JSON)


async def _file_of_large(answer: bytes, file: AnswerFile, pool: Pool) -> bytes | None:
    """Return a file of a large answer, which a worker decodes; raise a `HttpProblem` if none has time for it."""
    running = submit(pool, Task(file_of_answer, (answer, file)), asyncio.get_running_loop().time() + FILE_SECONDS)
    match await running.outcome():
        case Answered(content):
            found: bytes | None = content
            return found
        case _:
            raise busy("the file took too long to make", 5)
