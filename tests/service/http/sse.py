"""Server-sent events, parsed as a browser does."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


class SentEvent(NamedTuple):
    """An event: its id, its name and its data."""

    number: int
    name: str
    data: Any


def parse_events(lines: Iterable[str]) -> Iterator[SentEvent]:
    """Yield the events in the lines of a stream; comments are passed over."""
    fields: dict[str, str] = {}
    for line in lines:
        if line.startswith(":"):
            continue
        if line:
            name, _, value = line.partition(": ")
            fields[name] = value
        elif fields:
            yield SentEvent(int(fields["id"]), fields["event"], json.loads(fields["data"]))
            fields = {}
