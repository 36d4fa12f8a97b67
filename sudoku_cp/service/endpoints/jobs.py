"""``/v1/jobs``: accept a question as a job, look at it, watch it, fetch its result, cancel it."""

from __future__ import annotations

import json
from collections import Counter
from typing import TYPE_CHECKING

from starlette.exceptions import HTTPException
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from sudoku_cp.service.body_judging import JobJudge
from sudoku_cp.service.body_reading import judge_body, read_body, require_size
from sudoku_cp.service.endpoints.questions import (
    JSON,
    accept_job,
    accepted,
    answer_response,
    find_earlier,
    idempotency_key,
    make_request,
    media_types_of,
    require_accepted,
)
from sudoku_cp.service.jobs.job_runner import MEDIA_TYPE, parse_last_event_id, stream_events
from sudoku_cp.service.jobs.store import Job, JobStore, job_to_json
from sudoku_cp.service.problems import HttpProblem

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

    from starlette.requests import Request
    from starlette.types import Receive, Scope, Send

    from sudoku_cp.service.running_service import RunningService


PATH = "/v1/jobs/{job_id}"


def job_routes(service: RunningService) -> list[Route]:
    """Return the endpoints of jobs."""
    jobs = _JobEndpoints(service)
    return [
        Route("/v1/jobs", jobs.accept, methods=["POST"]),
        Route(PATH, jobs.state_or_cancel, methods=["GET", "DELETE"]),  # one route, so that a refusal allows both
        Route(f"{PATH}/result", jobs.result, methods=["GET"]),
        Route(f"{PATH}/events", jobs.events, methods=["GET"]),
    ]


class _EventResponse(StreamingResponse):
    """Events as they come; ``at_end`` is called however the response ends, also before its first event."""

    def __init__(self, events: AsyncIterator[bytes], at_end: Callable[[], None]) -> None:
        headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}  # a proxy hands events on as they come
        super().__init__(events, 200, headers, MEDIA_TYPE)
        self._at_end = at_end

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._at_end()


class _JobEndpoints:
    """What is answered about the jobs of a service."""

    def __init__(self, service: RunningService) -> None:
        self._service = service
        self._streams: Counter[str] = Counter()

    async def accept(self, request: Request) -> Response:
        """Accept a question as a job; it is on disk before its address is sent."""
        with self._service.bodies.share() as take:
            return await self._accept_within(take, request)

    async def _accept_within(self, take: Callable[[int], None], request: Request) -> Response:
        service, limits = self._service, self._service.settings.limits
        content = await read_body(request, limits, take, may_be_large=True)
        has_key = idempotency_key(request) is not None
        models = {name: question.request if question.available else None for name, question in service.questions.items()}
        verb, body = await judge_body(request, service.pool, JobJudge(models, has_key), content)
        service.require_open()
        require_accepted(request, JSON)
        question = service.questions[verb]
        require_size(len(content), limits.most_bytes(may_be_large=question.may_be_large))
        asked = make_request(service, question, body, request, as_job=True)
        earlier = await find_earlier(service, asked) if asked.key is not None else None
        return accepted(earlier or await accept_job(service, asked, "body"))

    async def state_or_cancel(self, request: Request) -> Response:
        """Answer what is asked of a job by its address alone."""
        return await (self.cancel if request.method == "DELETE" else self.state)(request)

    async def state(self, request: Request) -> Response:
        """Return the state of a job."""
        require_accepted(request, JSON)
        job = await self._job_of_client(request)
        told = job_to_json(job, await self._service.jobs.store.call(JobStore.last_event, job.id))
        return Response(json.dumps(told), media_type=JSON)

    async def result(self, request: Request) -> Response:
        """Return the answer of a job."""
        job = await self._job_of_client(request)
        questions = self._service.questions
        own = questions[job.verb].files if job.verb in questions else ()
        media_type = require_accepted(request, *media_types_of(own))
        if job.state == "expired":
            raise HttpProblem("job-expired", "the result of the job has been deleted; ask the question again")
        found = await self._service.jobs.store.call(JobStore.result, job.id)
        if found is None and job.ended is not None:
            raise HttpProblem("job-failed", f"expected a job that is done, got one that is {job.state}; it will have no result")
        if found is None:
            raise HttpProblem("job-unfinished", f"expected a job that is done, got one that is {job.state}")
        return await answer_response(found, own, media_type, self._service.pool)

    async def events(self, request: Request) -> Response:
        """Send the events of a job as they come; HEAD, which Starlette has answered as GET, would wait until the job ends."""
        if request.method == "HEAD":
            raise HTTPException(405, headers={"Allow": "GET"})
        require_accepted(request, MEDIA_TYPE)
        job = await self._job_of_client(request)
        if job.state == "expired":
            raise HttpProblem("job-expired", "the events of the job have been deleted")
        after = parse_last_event_id(request.headers.get("last-event-id"))
        if job.ended is not None and after >= await self._service.jobs.store.call(JobStore.last_event, job.id):
            return Response(status_code=204)  # a browser does not come back after that
        return _EventResponse(stream_events(self._service.jobs, job.id, after), self._admit_stream(job.owner))

    def _admit_stream(self, owner: str) -> Callable[[], None]:
        """Count a stream of a client, which may be one too many, and return what is called at its end."""
        most = self._service.settings.limits.streams_at_once
        if self._streams[owner] >= most:
            detail = f"expected at most {most} event streams at once, got one more"
            raise HttpProblem("rate-limit", detail, headers={"Retry-After": "5"})
        self._streams[owner] += 1

        def end() -> None:
            self._streams[owner] -= 1
            if not self._streams[owner]:
                del self._streams[owner]

        return end

    async def cancel(self, request: Request) -> Response:
        """Cancel a job; one that has ended stays as it is."""
        await self._service.jobs.cancel(await self._job_of_client(request))
        return Response(status_code=204)

    async def _job_of_client(self, request: Request) -> Job:
        """Return the job that is asked for; raise a `HttpProblem` if there is none, also if it is someone else's."""
        request.state.verb = "jobs"
        job_id: str = request.path_params["job_id"]
        job = await self._service.jobs.get(job_id)
        if job is None or (job.owner != request.state.client and self._service.settings.key_file is not None):
            raise HttpProblem("job-unknown", f"expected the id of a job, got {job_id!r:.60}")
        return job
