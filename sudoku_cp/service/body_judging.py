"""Bodies judged: JSON parsed and its fields validated, within a budget that no client can exceed.

Models bound every list and object that they walk, so that what does not fit makes a few problems, not one for each of its items.
Everything here is plain values and the package's own errors, so that a worker can do it too, without the web framework.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from sudoku_cp.errors import InvalidInput, ParseError, Problem, Unsupported, placed, shorten
from sudoku_cp.formats.project_json import unique_fields
from sudoku_cp.questions.question import question_named
from sudoku_cp.service.pool.tasks import MOST_PROBLEMS, Control
from sudoku_cp.service.questions.declared_models import FewFields
from sudoku_cp.service.settings import MOST_DEPTH

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from pydantic_core import ErrorDetails


_M = TypeVar("_M", bound=BaseModel)

LONGEST_PROBLEM = 300
"""Characters of a problem that are kept."""


class NotJson(ParseError):
    """The body is not JSON."""


class InvalidBody(InvalidInput):
    """The fields of a body are not as expected; there are ``more`` problems than those that are listed."""

    def __init__(self, problems: list[Problem], more: int = 0) -> None:
        """Keep the problems, each with its place in the body."""
        super().__init__(problems)
        self.more = more

    def followed_by(self, problems: Iterable[Problem]) -> InvalidBody:
        """Return the same error with more problems."""
        listed = [one if isinstance(one, Problem) else Problem(one) for one in (*self.problems, *problems)]
        return InvalidBody(listed[:MOST_PROBLEMS], self.more + max(0, len(listed) - MOST_PROBLEMS))


class JobRequest(FewFields):
    """A question that is to become a job."""

    model_config = ConfigDict(extra="forbid", defer_build=True)

    verb: str = Field(description="The name of a question, such as solve.", max_length=40)
    body: dict[str, Any] = Field(description="The body of the question, as for POST /v1/VERB.")


class JudgedBody(NamedTuple):
    """A body whose fields are as expected, and what the service itself reads in it."""

    content: bytes
    """The body as a JSON object, without ``timeout`` and ``job``."""
    timeout: float | None
    as_job: bool
    has_seed: bool
    known: str | None
    """The client's name for the series of questions to which this one belongs."""
    bare: str | None
    """The text of its puzzle, if it has nothing else."""
    digest: str
    """What stands for the content, if it was wanted."""

    def with_options(self, options: Mapping[str, str]) -> JudgedBody:
        """Return the body with options that are set where it has none; with an idempotency key it is another request."""
        if not options:
            return self
        return self._replace(content=self.with_fields(**options), digest=f"{self.digest} {sorted(options.items())}")

    def with_fields(self, **fields: Any) -> bytes:
        """Return the content with more fields, for which it is not parsed again; those that it has already stand."""
        more = json.dumps(fields).encode()
        return more[:-1] + b", " + self.content[1:] if len(self.content) > len("{}") else more


@dataclass(frozen=True)
class QuestionJudge:
    """Judges the bodies of a question."""

    name: str
    model: type[BaseModel]
    wants_digest: bool = False

    def __call__(self, content: bytes, control: Control | None = None) -> JudgedBody:
        """Return a body judged; raise `NotJson` or `InvalidBody`, in a worker with all that is wrong besides its fields."""
        body = parse_json(content)
        try:
            return _judge_fields(self.model, body, self)
        except InvalidBody as error:
            raise error if control is None else _judged_further(error, self.name, body) from None


@dataclass(frozen=True)
class JobJudge:
    """Judges the bodies with which jobs are asked for."""

    models: Mapping[str, type[BaseModel] | None]
    """The model of each question by its verb; None for one that is not supported yet."""
    wants_digest: bool = False

    def __call__(self, content: bytes, control: Control | None = None) -> tuple[str, JudgedBody]:
        """Return the verb and the body of the question; raise `NotJson`, `InvalidBody` or `Unsupported`."""
        job = parse_fields(JobRequest, parse_json(content))
        if job.verb not in self.models:
            raise InvalidBody([Problem(f"expected one of the verbs {', '.join(self.models)}, got {job.verb!r}", ["verb"])])
        model = self.models[job.verb]
        if model is None:
            raise Unsupported(f"{job.verb} is not supported yet")
        try:
            return job.verb, _judge_fields(model, job.body, self, "body")
        except InvalidBody as error:
            raise error if control is None else _judged_further(error, job.verb, job.body, "body") from None


def _judged_further(error: InvalidBody, name: str, body: Any, *place: str) -> InvalidBody:
    """Return an error about fields of a question's body with what else is wrong with the body."""
    from sudoku_cp.questions.plain_call import further_problems  # noqa: PLC0415  # the service's own process reads no puzzles
    from sudoku_cp.service.questions.declared_run import strangers  # noqa: PLC0415  # as above

    wrong = {str(one.path[len(place)]) for one in error.problems if isinstance(one, Problem) and len(one.path) > len(place)}
    if not isinstance(body, dict) or not wrong:
        return error
    own = {key: value for key, value in body.items() if key not in {"timeout", "job"}}
    found = further_problems(question_named(name), own, wrong, strangers())
    return error.followed_by(placed(problem, *place) for problem in found)


def _judge_fields(model: type[BaseModel], body: Any, judge: QuestionJudge | JobJudge, *place: str) -> JudgedBody:
    ask = parse_fields(model, body, *place)
    fields = ask.model_dump(mode="json", exclude_unset=True)
    timeout, as_job = fields.pop("timeout", None), bool(fields.pop("job", False))
    has_seed = fields.get("seed") is not None
    if not has_seed:
        fields.pop("seed", None)  # one that is drawn later must be the only one
    puzzle = fields.get("puzzle")
    return JudgedBody(
        content=json.dumps(fields).encode(),
        timeout=timeout,
        as_job=as_job,
        has_seed=has_seed,
        known=fields.get("known"),
        bare=puzzle if len(fields) == 1 and isinstance(puzzle, str) else None,
        digest=hashlib.sha256(json.dumps(fields, sort_keys=True).encode()).hexdigest() if judge.wants_digest else "",
    )


# --- fields -----------------------------------------------------------------------------------------------------


def parse_fields(model: type[_M], body: Any, *place: str) -> _M:
    """Return a body, or what stands at a ``place`` in it, as a model; raise `InvalidBody` with the first misfits."""
    if not isinstance(body, dict):
        raise InvalidBody([Problem(f"expected a JSON object, got {_kind_name(body)}", place)])
    try:
        return model.model_validate(body)
    except ValidationError as error:
        found = error.errors(include_url=False, include_input=False)
        misfits = list(_listed_misfits([_misfit_of(one, body, model) for one in found]))
        problems = [_problem_of(words, (*place, *path)) for path, words in misfits[:MOST_PROBLEMS]]
        raise InvalidBody(problems, len(misfits) - len(problems)) from None


class _Misfit(NamedTuple):
    """An error of pydantic with its place in the body; ``forks`` are those on the way where a value may be of several kinds."""

    path: tuple[str | int, ...]
    forks: frozenset[tuple[str | int, ...]]
    kind: str
    """The kind of value that was expected; empty if the kind was right and something else was wrong."""
    words: str
    got: Any


def _misfit_of(error: ErrorDetails, body: Any, model: type[BaseModel]) -> _Misfit:
    """Return an error whose path leads through the body alone: pydantic's names members of unions and keys on its way, too."""
    path: tuple[str | int, ...] = ()
    forks, value = [], body
    for index, step in enumerate(error["loc"]):
        is_within = step in value if isinstance(value, dict) else isinstance(value, list) and isinstance(step, int)
        if is_within:
            path, value = (*path, step), value[step]
        elif error["type"] == "missing" and index == len(error["loc"]) - 1:
            path = (*path, step)
        else:
            forks.append(path)
    return _Misfit(path, frozenset(forks), _KINDS.get(error["type"], ""), _words_of(error, path, value, model), value)


def _words_of(error: ErrorDetails, path: tuple[str | int, ...], value: Any, model: type[BaseModel]) -> str:
    """Return what was expected and what came, in the words of the plain call; in those of pydantic for what only it refuses."""
    match error["type"]:
        case "missing":
            return f"expected a field {path[-1]}, got none"
        case "extra_forbidden":
            return f"expected one of {_field_names(model)}" if len(path) == 1 else "expected no field of this name"
        case "greater_than_equal" | "less_than_equal" as kind:
            (bound,) = error["ctx"].values()
            return f"expected at {'least' if kind.startswith('greater') else 'most'} {bound:g}, got {_shown(value)}"
    return error["msg"]


@cache
def _field_names(model: type[BaseModel]) -> str:
    """Return the names of a body's fields; a body may have hundreds of thousands of others."""
    return ", ".join(field.alias or name for name, field in model.model_fields.items())


def _listed_misfits(misfits: list[_Misfit]) -> Iterator[tuple[tuple[str | int, ...], str]]:
    """Yield what is wrong at each place, in a sentence: of a value that may be of several kinds, what its own kind says of it."""
    entered = {fork for one in misfits for fork in one.forks if one.path != fork}
    by_place: dict[tuple[str | int, ...], list[_Misfit]] = {}
    for one in misfits:
        if one.path not in entered or one.path not in one.forks:
            by_place.setdefault(one.path, []).append(one)
    for path, several in by_place.items():
        others = [one.words for one in several if not one.kind]
        *most, last = dict.fromkeys(one.kind for one in several)
        kinds = f"{', '.join(most)} or {last}" if most else last
        for words in dict.fromkeys(others) or [f"expected {kinds}, got {_shown(several[0].got)}"]:
            yield path, words


def _shown(value: Any) -> str:
    """Return a value as JSON, or what it is if it may be too large to show."""
    return _kind_name(value) if isinstance(value, dict | list) else shorten(json.dumps(value, ensure_ascii=False), 40)


def _problem_of(message: str, place: tuple[str | int, ...]) -> Problem:
    return Problem(shorten(message, LONGEST_PROBLEM), [step if isinstance(step, int) else step[:80] for step in place])


_KINDS = {
    "string_type": "text",
    "int_type": "a whole number",
    "float_type": "a number",
    "bool_type": "true or false",
    "list_type": "an array",
    "dict_type": "an object",
    "model_type": "an object",
    "model_attributes_type": "an object",
}
"""The kinds of values, by the errors that pydantic has for what is of another kind."""


def _kind_name(data: Any) -> str:
    """Return what a value is, which may be too large to show."""
    return {dict: "an object", list: "an array", str: "a text", type(None): "null"}.get(type(data), "a number or a truth value")


# --- JSON -------------------------------------------------------------------------------------------------------


def parse_json(body: bytes, deepest: int = MOST_DEPTH) -> Any:
    """Return JSON parsed; raise `NotJson` for anything else: numbers that are none, half characters, a field that comes twice."""
    try:
        parsed = _DECODER.decode(body.decode())
    except UnicodeDecodeError as error:
        raise NotJson(f"expected JSON as UTF-8, got byte 0x{body[error.start]:02x} at {error.start}") from None
    except json.JSONDecodeError as error:
        raise NotJson(f"expected JSON: {error.msg} at line {error.lineno}, column {error.colno}") from None
    except RecursionError:
        raise _too_deep(deepest) from None
    except NotJson:
        raise
    except ValueError as error:  # a whole number of more digits than Python reads
        raise NotJson(f"expected JSON with numbers of a moderate length: {error}".partition(";")[0]) from None
    if body.count(b"[") + body.count(b"{") > deepest and _is_deeper(parsed, deepest):
        raise _too_deep(deepest)
    if b"\\ud" in body or b"\\uD" in body:
        _require_whole_characters(parsed)
    return parsed


def _refuse_constant(name: str) -> NoReturn:
    raise NotJson(f"expected JSON, got {name}, which is no number of JSON")


def _require_unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return an object; raise `NotJson` if it has a field twice."""
    try:
        return unique_fields(pairs)
    except ParseError as error:
        raise NotJson(error.problems[0]) from None


_DECODER = json.JSONDecoder(parse_constant=_refuse_constant, object_pairs_hook=_require_unique)


def _too_deep(deepest: int) -> NotJson:
    return NotJson(f"expected arrays and objects at most {deepest} deep, got deeper ones")


def _is_deeper(data: Any, deepest: int) -> bool:
    """Return whether arrays and objects lie within each other at more than ``deepest`` levels."""
    level = [data] if isinstance(data, dict | list) else []
    for _ in range(deepest):
        inner = (value for one in level for value in (one.values() if isinstance(one, dict) else one))
        level = [value for value in inner if isinstance(value, dict | list)]
    return bool(level)


def _require_whole_characters(parsed: Any) -> None:
    """Raise `NotJson` for half of a surrogate pair, which no text can hold."""
    try:
        json.dumps(parsed, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        raise NotJson("expected text, got half of a surrogate pair") from None
