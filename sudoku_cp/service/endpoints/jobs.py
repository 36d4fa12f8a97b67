"""``/v1/jobs``: accept a question as a job, look at it, watch it, fetch its result, cancel it."""

from __future__ import annotations

import json
from collections import Counter
from typing import TYPE_CHECKING, Annotated, Any

from fastapi import APIRouter, Header, Path, Request, Response
from fastapi.responses import StreamingResponse
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from sudoku_cp.service.body_reading import ListRoute, require_size
from sudoku_cp.service.endpoints.answer_responses import JSON, answer_response, media_types_of
from sudoku_cp.service.endpoints.api_descriptions import ACCEPTED, JobDescription, describe_files, describe_responses
from sudoku_cp.service.endpoints.negotiation import require_accepted
from sudoku_cp.service.endpoints.questions import accept_job, accepted, find_earlier, read_asked
from sudoku_cp.service.jobs.event_stream import MEDIA_TYPE, parse_last_event_id, stream_events
from sudoku_cp.service.jobs.job import job_to_json
from sudoku_cp.service.jobs.store import JobStore
from sudoku_cp.service.problems import HttpProblem, problem_of_fields

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from sudoku_cp.service.jobs.job import Job
    from sudoku_cp.service.running_service import RunningService


class JobRequest(BaseModel):
    """A question that is to become a job."""

    model_config = ConfigDict(extra="forbid")

    verb: str = Field(description="The name of a question, such as solve.", max_length=40)
    body: dict[str, Any] = Field(description="The body of the question, as for POST /v1/VERB.")


JobId = Annotated[str, Path(description="The id of a job.", max_length=40)]


def job_router(service: RunningService) -> APIRouter:
    """Return the endpoints of jobs."""
    router = APIRouter(prefix="/v1/jobs", route_class=ListRoute, tags=["jobs"])
    _add_accept(router, service)
    _add_state(router, service)
    _add_result(router, service)
    _add_events(router, service)
    _add_cancel(router, service)
    return router


def _add_accept(router: APIRouter, service: RunningService) -> None:
    example = next((one for one in service.questions.values() if one.available and one.short is None), None)
    examples = {"example": {"value": {"verb": example.name, "body": example.example}}} if example else {}

    @router.post(
        "",
        status_code=202,
        summary="Ask a question as a job",
        operation_id="job",
        response_model=None,
        responses=describe_responses({202: ACCEPTED}, 400, 401, 403, 406, 408, 409, 413, 415, 422, 429, 501, 503),
        openapi_extra={"requestBody": {"content": {"application/json": {"examples": examples}}}},
    )
    async def accept(request: Request, job: JobRequest) -> Response:
        """Accept a question as a job; it is on disk when its address is told."""
        service.require_open()
        require_accepted(request, JSON)
        question = service.questions.get(job.verb)
        if question is None:
            detail = f"expected one of the verbs {', '.join(service.questions)}, got {job.verb!r}"
            raise HttpProblem("invalid-request", detail, errors=[{"pointer": "/verb", "detail": detail}])
        require_size(len(await request.body()), service.settings.limits.most_bytes(may_list=question.may_list))
        if not question.available:
            raise HttpProblem("unsupported", f"{question.name} is not supported yet")
        try:
            ask = question.request.model_validate(job.body)
        except ValidationError as error:
            raise problem_of_fields({"loc": ("body", "body", *one["loc"]), "msg": one["msg"]} for one in error.errors()) from None
        asked = read_asked(service, question, ask, request, as_job=True)
        earlier = await find_earlier(service, asked) if asked.key is not None else None
        return accepted(earlier or await accept_job(service, asked))


def _add_state(router: APIRouter, service: RunningService) -> None:
    @router.get(
        "/{job_id}",
        summary="What has become of a job",
        operation_id="job_state",
        response_model=None,
        responses=describe_responses({200: {"model": JobDescription}}, 401, 403, 404, 406, 422, 429),
    )
    async def look(request: Request, job_id: JobId) -> Response:
        require_accepted(request, JSON)
        job = await _job_of_client(service, request, job_id)
        return _json(job_to_json(job, await service.jobs.store.call(JobStore.last_event, job_id)))


def _add_result(router: APIRouter, service: RunningService) -> None:
    files = [file for question in service.questions.values() for file in question.files]

    @router.get(
        "/{job_id}/result",
        summary="The answer of a job",
        operation_id="job_result",
        response_model=None,
        responses=describe_responses(
            {200: {"description": "The answer, as of its question.", "content": {JSON: {}} | describe_files(files)}},
            401,
            403,
            404,
            406,
            409,
            410,
            422,
            429,
        ),
    )
    async def result(request: Request, job_id: JobId) -> Response:
        job = await _job_of_client(service, request, job_id)
        own = service.questions[job.verb].files if job.verb in service.questions else ()
        media_type = require_accepted(request, *media_types_of(own))
        if job.state == "expired":
            raise HttpProblem("job-expired", "the result of the job has been deleted; ask the question again")
        found = await service.jobs.store.call(JobStore.result, job_id)
        if found is None:
            raise HttpProblem("job-unfinished", f"expected a job that is done, got one that is {job.state}")
        return answer_response(found, own, media_type)


def _add_events(router: APIRouter, service: RunningService) -> None:
    streams: Counter[str] = Counter()

    @router.get(
        "/{job_id}/events",
        summary="The events of a job as they come (server-sent events)",
        operation_id="job_events",
        response_model=None,
        responses=describe_responses(
            {
                200: {
                    "description": "Events: progress, item, and at last done, failed or cancelled.",
                    "content": {MEDIA_TYPE: {}},
                },
                204: {"description": "The last event has been seen."},
            },
            401,
            403,
            404,
            406,
            410,
            422,
            429,
        ),
    )
    async def events(
        request: Request,
        job_id: JobId,
        last_event_id: Annotated[str | None, Header(description="The number of the last event seen.", max_length=40)] = None,
    ) -> Response:
        require_accepted(request, MEDIA_TYPE)
        job = await _job_of_client(service, request, job_id)
        if job.state == "expired":
            raise HttpProblem("job-expired", "the events of the job have been deleted")
        client, most = job.owner, service.settings.limits.streams_at_once
        if streams[client] >= most:
            raise HttpProblem("rate-limit", f"expected at most {most} event streams at once", headers={"Retry-After": "5"})
        after = parse_last_event_id(last_event_id)
        if job.ended is not None and after >= await service.jobs.store.call(JobStore.last_event, job_id):
            return Response(status_code=204)  # a browser does not come back after that
        headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}  # a proxy hands events on as they come
        return StreamingResponse(_counted(streams, client, service, job_id, after), 200, headers, MEDIA_TYPE)


def _add_cancel(router: APIRouter, service: RunningService) -> None:
    @router.delete(
        "/{job_id}",
        status_code=204,
        summary="Cancel a job",
        operation_id="job_cancel",
        response_model=None,
        responses=describe_responses(
            {204: {"description": "The job is cancelled, or had ended before."}}, 401, 403, 404, 422, 429
        ),
    )
    async def cancel(request: Request, job_id: JobId) -> Response:
        await service.jobs.cancel(await _job_of_client(service, request, job_id))
        return Response(status_code=204)


async def _counted(streams: Counter[str], client: str, service: RunningService, job_id: str, after: int) -> AsyncIterator[bytes]:
    """Yield the events of a job, and count the stream meanwhile."""
    streams[client] += 1
    try:
        async for piece in stream_events(service.jobs, job_id, after):
            yield piece
    finally:
        streams[client] -= 1


async def _job_of_client(service: RunningService, request: Request, job_id: str) -> Job:
    """Return a job of whoever asks; raise a `HttpProblem` if there is none, also if it is someone else's."""
    request.state.verb = "jobs"
    job = await service.jobs.store.call(JobStore.get, job_id)
    if job is None or (job.owner != request.state.client and service.settings.key_file is not None):
        raise HttpProblem("job-unknown", f"expected the id of a job, got {job_id!r:.60}")
    return job


def _json(told: dict[str, Any]) -> Response:
    return Response(json.dumps(told), media_type=JSON)
