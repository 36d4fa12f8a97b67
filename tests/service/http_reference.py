"""Writes docs/http.md, the reference of HTTP, from the service's OpenAPI document: ``make docs-pages`` runs this file."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sudoku_cp.service.application import make_document
from sudoku_cp.service.questions import LISTINGS, QUESTIONS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

PAGE = Path(__file__).parents[2] / "docs" / "http.md"
ADDRESS = "http://127.0.0.1:8080"
HEAD = """# HTTP reference

Every address of `sudoku-cp serve`, with what it takes and what it answers. `make docs-pages` writes this page from the OpenAPI
document, which the service offers at `/openapi.json`. [The service](service.md) explains jobs, limits and deployment.

Every error is a [problem](#problemdetails) as `application/problem+json`. A type in *italics* is described [below](#types). The
kinds of rules and their fields are in [the gallery](rules.md), puzzles on [the page about their JSON](puzzle-json.md).
Certificates in examples are shortened.
"""
GROUPS = {"questions": "Questions", "listings": "Lists", "jobs": "Jobs", "operation": "Operation"}
LONG = 300
"""The most letters of a text in an example that is shown whole."""
ELSEWHERE = {"PuzzleDocument": "puzzle-json.md", "RuleDocument": "rules.md", "BoardDocument": "puzzle-json.md#grid"}
"""Types that have pages of their own."""

Schema = dict[str, Any]


def reference() -> str:
    """Return the page, made from the OpenAPI document."""
    nobody: Any = None  # who runs questions; the document asks none
    document = make_document(QUESTIONS, LISTINGS, nobody)
    schemas: dict[str, Schema] = document["components"]["schemas"]
    parts = [HEAD]
    for tag, title in GROUPS.items():
        parts.append(f"## {title}\n")
        for path, operations in document["paths"].items():
            parts += (
                "\n".join(_operation(method.upper(), path, operation, schemas))
                for method, operation in operations.items()
                if tag in operation["tags"]
            )
    parts += ["## Types\n", *("\n".join(_type(name, schemas[name])) for name in sorted(_shared_types(document, schemas)))]
    return "\n".join(parts).rstrip() + "\n"


def _operation(method: str, path: str, operation: Schema, schemas: Mapping[str, Schema]) -> Iterator[str]:
    """Yield the lines about an operation: what it does, an example, what is sent and what comes back."""
    yield f"### {method} {path}\n"
    yield _plain(operation["summary"]).rstrip(".") + ".\n"
    body = operation.get("requestBody", {}).get("content", {}).get("application/json", {})
    for example in body.get("examples", {}).values():
        yield f"```sh\ncurl --json '{json.dumps(_cut(example['value']))}' {ADDRESS}{path}\n```\n"
    for parameter in operation.get("parameters", ()):
        yield f"`{parameter['name']}` ({parameter['in']}): {_plain(parameter['description'])}\n"
    if asked := _named(body.get("schema", {}), schemas):
        yield from ("Sent:\n", *_fields(asked), "")
    answered = operation["responses"].get("200", {}).get("content", {})
    if told := _named(answered.get("application/json", {}).get("schema", {}), schemas):
        yield from ("Answered:\n", *_fields(told), "")
    if others := [kind for kind in answered if kind != "application/json"]:
        yield f"With `Accept`, also {', '.join(f'`{kind}`' for kind in others)}.\n"
    yield f"Status: {', '.join(operation['responses'])}.\n"


def _cut(body: dict[str, Any]) -> dict[str, Any]:
    """Return a body with the beginnings of long texts: a certificate differs from release to release, and nobody reads it."""
    return {name: f"{value[:60]}..." if isinstance(value, str) and len(value) > LONG else value for name, value in body.items()}


def _type(name: str, schema: Schema) -> Iterator[str]:
    """Yield the lines about a type that several answers share."""
    yield f"### {name}\n"
    if about := schema.get("description"):
        yield _plain(about) + "\n"
    yield from (*_fields(schema), "")


def _fields(schema: Schema) -> Iterator[str]:
    """Yield a table of the fields of an object."""
    yield from ("| field | type | default | meaning |", "|:---|:---|:---|:---|")
    required = schema.get("required", ())
    for name, field in schema.get("properties", {}).items():
        default = "required" if name in required else f"`{json.dumps(field['default'])}`" if "default" in field else ""
        yield f"| `{name}` | {_kind(field)} | {default} | {_plain(field.get('description', '')).replace('|', '&#124;')} |"


def _kind(schema: Schema) -> str:  # noqa: PLR0911  # a table of forms
    """Return the type of a field in words."""
    match schema:
        case {"$ref": ref}:
            return _link(ref.rsplit("/", 1)[-1])
        case {"anyOf": kinds} | {"oneOf": kinds}:
            words = list(dict.fromkeys(_kind(one) for one in kinds))
            return " or ".join(words) if len(words) < 12 else "one of many"
        case {"enum": values}:
            return ", ".join(f"`{json.dumps(value)}`" for value in values)
        case {"const": value}:
            return f"`{json.dumps(value)}`"
        case {"type": "array", "prefixItems": items}:
            return f"[{', '.join(map(_kind, items))}]"
        case {"type": "array"}:
            return f"array of {_kind(schema.get('items', {}))}"
        case {"type": "object", "additionalProperties": {**values}}:
            return f"object of {_kind(values)}"
        case {"type": kind}:
            return {"string": "text", "integer": "whole number", "boolean": "true, false"}.get(kind, kind)
        case _:
            return "anything"


def _link(name: str) -> str:
    """Return a link to a type; what is sent and what is answered have one page."""
    plain = name.removesuffix("-Input").removesuffix("-Output")
    if plain.endswith("Rule"):
        return "[rule](rules.md)"
    return f"*[{plain}]({ELSEWHERE.get(plain, f'#{name.lower()}')})*"


def _named(schema: Schema, schemas: Mapping[str, Schema]) -> Schema | None:
    """Return the schema that another one refers to."""
    return schemas[schema["$ref"].rsplit("/", 1)[-1]] if "$ref" in schema else None


def _shared_types(document: Schema, schemas: Mapping[str, Schema]) -> set[str]:
    """Return the types that fields refer to, and those below them; bodies and answers stand with their operations."""
    found: set[str] = {"ProblemDetails"}
    ahead = [schemas[name] for name in schemas if name.endswith(("Ask", "Answer"))]
    ahead += [schemas["ProblemDetails"], *_bodies(document, schemas)]
    while ahead:
        for name in _references(ahead.pop()):
            plain = name.removesuffix("-Input").removesuffix("-Output")
            if name not in found and plain not in ELSEWHERE and not plain.endswith("Rule"):
                found.add(name)
                ahead.append(schemas[name])
    return found


def _bodies(document: Schema, schemas: Mapping[str, Schema]) -> Iterator[Schema]:
    """Yield the schemas of what is answered."""
    for operations in document["paths"].values():
        for operation in operations.values():
            content = operation["responses"].get("200", {}).get("content", {}).get("application/json", {})
            if named := _named(content.get("schema", {}), schemas):
                yield named


def _references(part: Any) -> Iterator[str]:
    """Yield the names of the types that a schema refers to."""
    ahead = [part]
    while ahead:
        one = ahead.pop()
        if isinstance(one, dict):
            if isinstance(one.get("$ref"), str):
                yield one["$ref"].rsplit("/", 1)[-1]
            ahead += one.values()
        elif isinstance(one, list):
            ahead += one


def _plain(text: str | Iterable[str]) -> str:
    """Return a description on one line, with Markdown's single backticks and no placeholders that would be read as tags."""
    return " ".join(str(text).split()).replace("``", "`").replace("<", "&lt;")


if __name__ == "__main__":
    PAGE.write_text(reference(), encoding="utf-8")
