"""docs/http.md is what the service's own description of itself makes."""

from __future__ import annotations

from tests.service.http_reference import PAGE, reference


def test_the_page_is_up_to_date() -> None:
    """The reference of HTTP is the one that the OpenAPI document makes."""
    assert PAGE.read_text(encoding="utf-8") == reference(), "run `make docs-pages`"


def test_every_type_that_is_linked_stands_on_the_page() -> None:
    """Links to types lead to a heading of the page."""
    page = PAGE.read_text(encoding="utf-8")
    headings = {line[4:].lower() for line in page.splitlines() if line.startswith("### ")}
    linked = {part.split(")")[0] for part in page.split("](#")[1:]} - {"types"}
    assert linked
    assert linked <= headings
