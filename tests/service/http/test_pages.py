"""The pages work offline, and the OpenAPI document says what they show."""

from __future__ import annotations

import re
from importlib.resources import files

import pytest

PAGES = ["/", "/docs", "/static/docs.js", "/static/front.js", "/static/pages.css"]


@pytest.mark.parametrize("path", PAGES)
def test_a_page_names_no_other_host(client, path):
    """Nothing is fetched from anywhere else: no page names another host, and the browser is told to load from none."""
    response = client.get(path)
    assert response.status_code == 200
    hosts = set(re.findall(r"(?:https?:)?//([\w.-]+\.[a-z]+)", response.text))
    assert hosts == set()
    assert "default-src 'none'" in response.headers["content-security-policy"]


def test_whatever_a_page_links_to_is_there(client):
    """Scripts, styles and links lead somewhere."""
    for page in ("/", "/docs"):
        for path in re.findall(r'(?:href|src)="(/[^"]*)"', client.get(page).text):
            if not path.startswith("/v1/"):
                assert client.get(path).status_code == 200, path


def test_every_file_of_the_pages_is_known(client):
    """Files have a media type each."""
    for path in (files("sudoku_cp.service") / "pages").iterdir():
        assert client.get(f"/static/{path.name}").status_code == 200


def test_the_document_refers_to_what_it_has(client):
    """Every reference of the OpenAPI document leads to a schema."""
    document = client.get("/openapi.json")
    schemas = document.json()["components"]["schemas"]
    references = set(re.findall(r'"#/components/schemas/([^"]+)"', document.text))
    assert references <= set(schemas)
    assert "ProblemDetails" in references
