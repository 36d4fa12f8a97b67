"""``POST /v1/VERB``: an endpoint for each question of the registry."""

from __future__ import annotations

import asyncio
import hashlib
import json
import logging
import re
from contextlib import contextmanager
from dataclasses import dataclass, replace
from secrets import randbelow
from typing import TYPE_CHECKING, NamedTuple

from starlette.responses import Response
from starlette.routing import Route

from sudoku_cp.errors import placed
from sudoku_cp.service.batching import is_plain_grid
from sudoku_cp.service.body_judging import JudgedBody, QuestionJudge
from sudoku_cp.service.body_reading import judge_body, read_body
from sudoku_cp.service.jobs.store import Job, KeyConflict, job_path, job_to_json
from sudoku_cp.service.pool.tasks import Answered, Failed, Outcome, Refused, Running, Task
from sudoku_cp.service.problems import HttpProblem, busy, problem_of_outcome, request_id
from sudoku_cp.service.question_runs import refused_as_busy, submit, unknown_answer, wait_for_outcome
from sudoku_cp.service.questions.declared_run import AnswerFile, EncodedAnswer, EncodedRun, file_of_answer

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterator, Sequence

    from starlette.requests import Request

    from sudoku_cp.service.pool.supervised_pool import Pool
    from sudoku_cp.service.questions import ServedQuestion
    from sudoku_cp.service.running_service import RunningService


SEEDS = 10**9
"""Seeds that are drawn are less than this, so that they are quick to type."""
CHECK_SECONDS = 10.0
"""Seconds that a worker may take to judge the options of a job."""
LATE = 10.0
"""Seconds after its deadline for which the outcome of a question is waited for: the pool is never so late."""
_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class QuestionRequest:
    """A question with its body, who asks, and how long it may take."""

    question: ServedQuestion
    body: JudgedBody
    seconds: float
    client: str
    key: str | None
    """The idempotency key."""
    as_job: bool

    @property
    def digest(self) -> str:
        """What stands for verb and body, so that two requests with one idempotency key can be compared."""
        return hashlib.sha256(f"{self.question.name} {self.seconds} {self.body.digest}".encode()).hexdigest()

    @property
    def content(self) -> bytes:
        """The body as JSON, with the ``timeout`` that holds for it."""
        return self.body.with_fields(timeout=self.seconds)


def question_routes(service: RunningService) -> list[Route]:
    """Return the endpoints of all questions."""
    return [
        Route(f"/v1/{question.name}", _endpoint(service, question), methods=["POST"]) for question in service.questions.values()
    ]


def _endpoint(service: RunningService, question: ServedQuestion) -> Callable[..., Awaitable[Response]]:
    """Return the function that answers a question over HTTP."""

    async def answer(request: Request) -> Response:
        with service.bodies.share() as take:
            return await answer_within(take, request)

    async def answer_within(take: Callable[[int], None], request: Request) -> Response:
        arrived = asyncio.get_running_loop().time()
        request.state.verb = question.name
        content = await read_body(request, service.settings.limits, take, may_be_large=question.may_be_large)
        has_key = idempotency_key(request) is not None
        body = await judge_body(request, service.pool, QuestionJudge(question.name, question.request, has_key), content)
        require_available(question)
        service.require_open()
        media_type = require_accepted(request, *media_types_of(question.files))
        body = body.with_options(options_for(question.files, media_type))
        asked = make_request(service, question, body, request, as_job=question.short is None)
        if asked.key is not None and (earlier := await find_earlier(service, asked)) is not None:
            return accepted(earlier)
        if asked.as_job:
            return accepted(await accept_job(service, asked))
        outcome = await _answer_or_adopt(service, asked, request, arrived + asked.seconds)
        if isinstance(outcome, Job):
            return accepted(outcome)
        answer = await _answer_of(service, asked, request, outcome, arrived)
        return await answer_response(answer, question.files, media_type, service.pool)

    return answer


def require_available(question: ServedQuestion) -> None:
    """Raise a `HttpProblem` for a question that the library cannot answer yet."""
    if not question.available:
        raise HttpProblem("unsupported", f"{question.name} is not supported yet")


def make_request(
    service: RunningService, question: ServedQuestion, body: JudgedBody, request: Request, *, as_job: bool
) -> QuestionRequest:
    """Return a validated body with what else the request asks for; raise a `HttpProblem` if it asks for too many seconds."""
    as_job = body.as_job or prefers_async(request) or as_job
    limits = service.settings.limits
    most, default = (limits.job_seconds,) * 2 if as_job else (limits.timeout_most, limits.timeout_default)
    seconds = default if body.timeout is None else body.timeout
    if seconds > most:
        detail = f"expected at most {most:g} seconds{'' if as_job else ' (a job may take longer)'}, got {seconds:g}"
        raise HttpProblem("invalid-request", detail, errors=[{"pointer": "/timeout", "detail": detail}])
    return QuestionRequest(question, body, seconds, request.state.client, idempotency_key(request), as_job)


async def find_earlier(service: RunningService, asked: QuestionRequest) -> Job | None:
    """Return the job that the idempotency key stands for; raise a `HttpProblem` if that was for another body."""
    with _conflict_as_problem():
        return await service.jobs.earlier(asked.client, asked.key or "", asked.digest)


async def accept_job(service: RunningService, asked: QuestionRequest, *place: str) -> Job:
    """Accept a question as a job, with a seed if it needs one; raise a `HttpProblem` for wrong options, those at ``place``."""
    await _require_sound(service, asked, EncodedRun(asked.question.check), place)
    content = asked.content
    if asked.question.needs_seed and not asked.body.has_seed:
        content = asked.body.with_fields(timeout=asked.seconds, seed=randbelow(SEEDS))
    with _conflict_as_problem():
        return await service.jobs.accept(asked.question.name, content, asked.client, asked.key, asked.digest)


async def _require_sound(service: RunningService, asked: QuestionRequest, check: EncodedRun, place: tuple[str, ...]) -> None:
    """Raise a `HttpProblem` if a worker refuses the options; what it cannot say now, the job will."""
    deadline = asyncio.get_running_loop().time() + CHECK_SECONDS
    outcome = await submit(service.pool, Task(check, (asked.content,), is_quick=True), deadline).outcome()
    if isinstance(outcome, Refused):
        raise problem_of_outcome(replace(outcome, problems=tuple(placed(problem, *place) for problem in outcome.problems)))


@contextmanager
def _conflict_as_problem() -> Iterator[None]:
    """Raise a `HttpProblem` where an idempotency key came with another body before."""
    try:
        yield
    except KeyConflict:
        raise HttpProblem("key-conflict", "expected the body that came with this Idempotency-Key before, got another") from None


def accepted(job: Job) -> Response:
    """Return the response with the address of a job."""
    headers = {"Location": job_path(job.id), "Retry-After": "1", "Preference-Applied": "respond-async"}
    return Response(json.dumps(job_to_json(job)), 202, headers, JSON)


async def _answer_or_adopt(service: RunningService, asked: QuestionRequest, request: Request, deadline: float) -> Outcome | Job:
    """Return what came of a question, or the job that it becomes if it takes longer than a client is kept waiting."""
    question, short = asked.question, asked.question.short
    patience = asked.seconds + LATE if short is None or short >= asked.seconds else short
    running = _begin(service, asked, deadline)
    outcome = await wait_for_outcome(running, patience, request.receive)
    if outcome is not None:
        return outcome
    with _conflict_as_problem():
        return await service.jobs.adopt(question.name, asked.content, asked.client, running, asked.key, asked.digest)


def _begin(service: RunningService, asked: QuestionRequest, deadline: float) -> Running:
    """Hand a question to the pool; a plain grid that is to be solved, and nothing more, goes together with others."""
    grid = asked.body.bare
    if service.batcher and asked.question.name == "solve" and grid is not None and is_plain_grid(grid):
        with refused_as_busy():
            return service.batcher.submit(grid, deadline=deadline)
    return submit(service.pool, service.memory.task(asked.question, asked.content, asked.body.known, asked.client), deadline)


async def _answer_of(
    service: RunningService, asked: QuestionRequest, request: Request, outcome: Outcome, arrived: float
) -> bytes:
    """Return the answer to a question that ``arrived`` at that time of the event loop.

    Raises the `HttpProblem` that kept it from being answered.
    """
    if isinstance(outcome, Refused | Failed):
        problem = problem_of_outcome(outcome)
        if isinstance(outcome, Failed):
            _log.error("question failed: %s", outcome.traceback, extra={"request": request_id(request.scope)})
        raise problem
    answer: EncodedAnswer
    if isinstance(outcome, Answered):
        answer = outcome.value
    else:
        seconds = asyncio.get_running_loop().time() - arrived
        answer = await unknown_answer(service.pool.submit, asked.question, asked.content, outcome.reason, seconds)
    if answer.engine is not None:
        request.state.engine = answer.engine
    return answer.content


# An answer as the response that the client asked for: JSON, or a file that is in it.


JSON = "application/json"
SMALL = 1 << 19
"""The most bytes of an answer whose files are decoded here, in 5 ms; those of larger ones are left to a worker."""
FILE_SECONDS = 30.0
"""Seconds that a worker may take for that."""


def media_types_of(files: Sequence[AnswerFile]) -> tuple[str, ...]:
    """Return the media types that an answer with these files can have."""
    return (JSON, *(file.media_type for file in files))


def options_for(files: Sequence[AnswerFile], media_type: str) -> dict[str, str]:
    """Return the options without which an answer would not hold the file of a media type."""
    return dict(file.option for file in files if file.option and file.media_type == media_type)


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


# What a client says about the answer that it wants: ``Accept``, ``Prefer``, ``Idempotency-Key``.


LONGEST_KEY = 200
"""Characters of an idempotency key, at most."""
_WEIGHT = re.compile(r"[01](?:\.\d{0,3})?", re.ASCII)


class _MediaRange(NamedTuple):
    """A media type that a client takes, or a group of them, and how much it likes them: from 0 to 1."""

    name: str
    weight: float


def require_accepted(request: Request, *media_types: str) -> str:
    """Return which of the media types the client likes best, the first among equals; raise a `HttpProblem` if it takes none."""
    accept = request.headers.get("accept", "*/*")
    ranges = sorted(map(_media_range, accept.lower().split(",")), key=lambda one: -one.weight)
    for wanted in ranges:
        for media_type in media_types:
            if wanted.weight > 0 and wanted.name in {"*/*", f"{media_type.partition('/')[0]}/*", media_type}:
                return media_type
    raise HttpProblem("not-acceptable", f"expected an Accept field that takes {' or '.join(media_types)}, got {accept!r:.80}")


def _media_range(piece: str) -> _MediaRange:
    """Return one piece of an Accept field (RFC 9110, 12.5.1); a weight that is no number is as good as none."""
    name, *parameters = (word.strip() for word in piece.split(";"))
    weights = [text.partition("=")[2] for text in parameters if text.startswith("q=")]
    return _MediaRange(name, float(weights[0]) if weights and _WEIGHT.fullmatch(weights[0]) else 1.0)


def prefers_async(request: Request) -> bool:
    """Return whether the client would rather have a job than wait (RFC 7240)."""
    preferences = ",".join(request.headers.getlist("prefer")).lower().split(",")
    return any(preference.partition(";")[0].strip() == "respond-async" for preference in preferences)


def idempotency_key(request: Request) -> str | None:
    """Return the idempotency key; raise a `HttpProblem` if it is too long."""
    key = request.headers.get("idempotency-key")
    if key is not None and not 1 <= len(key) <= LONGEST_KEY:
        raise HttpProblem("bad-request", f"expected an Idempotency-Key of 1 to {LONGEST_KEY} characters, got {len(key)}")
    return key
