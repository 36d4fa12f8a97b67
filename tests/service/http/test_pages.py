"""The pages work offline, and the OpenAPI document says what they show."""

from __future__ import annotations

import re
from dataclasses import replace
from importlib.resources import files

import pytest

from sudoku_cp.rules import RULES
from sudoku_cp.service.endpoints.pages import PageFile, page_version

STATIC = files("sudoku_cp.service") / "static"
FILES = {f"{folder}{path.name}": path for folder in ("", "dialogs/") for path in (STATIC / folder).iterdir() if path.is_file()}
"""The files of the page, by their paths below the folder of static files."""
SCRIPTS = [f"/static/{name}" for name in FILES]
PAGES = ["/", "/docs", "/static/docs.js", "/static/pages.css", *SCRIPTS]
NAMES = {"http://www.w3.org/2000/svg"}
"""Names that look like addresses and are never fetched."""


@pytest.mark.parametrize("path", PAGES)
def test_a_page_names_no_other_host(client, path):
    """Nothing is fetched from anywhere else: no page names another host, and the browser is told to load from none."""
    response = client.get(path)
    assert response.status_code == 200
    text = response.text
    for name in NAMES:
        text = text.replace(name, "")
    hosts = set(re.findall(r"(?:https?:)//([\w.-]+\.[a-z]+)", text))
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


def test_a_file_that_is_as_it_was_is_not_sent_again(client):
    """A browser that has a file asks with its ETag, and gets nothing but that it is as it was."""
    first = client.get("/static/game.js")
    again = client.get("/static/game.js", headers={"If-None-Match": first.headers["etag"]})
    assert (first.status_code, again.status_code, again.content) == (200, 304, b"")


def test_a_file_is_sent_as_gzip_to_those_who_take_it(client):
    """Both forms are the same text, and caches on the way are told that there are two."""
    plain, packed = (client.get("/static/game.js", headers={"Accept-Encoding": one}) for one in ("identity", "gzip"))
    assert plain.text == packed.text
    assert ("content-encoding" in plain.headers, packed.headers["content-encoding"]) == (False, "gzip")
    assert plain.headers["vary"] == packed.headers["vary"] == "Accept-Encoding"


@pytest.mark.parametrize("path", ["/", "/docs", "/healthz", "/readyz", "/static/game.js", "/metrics"])
def test_head_tells_what_get_would(client, path):
    """Whoever asks with HEAD, as load balancers do, gets the status and the fields, and no body."""
    told, whole = client.head(path), client.get(path)
    assert (told.status_code, told.content) == (200, b"")
    assert told.headers["content-type"] == whole.headers["content-type"]
    assert client.head("/v1/jobs/none").status_code == 404


def test_a_refused_method_names_those_that_are_allowed(client):
    """`Allow` has every method that the address takes: a job can be looked at and cancelled."""
    for path, methods in client.get("/openapi.json").json()["paths"].items():
        taken = {method.upper() for method in methods} | ({"HEAD"} if "get" in methods else set())
        answer = client.patch(re.sub(r"{\w+}", "none", path))
        assert (answer.status_code, set(answer.headers["allow"].split(", "))) == (405, taken), path


def test_head_is_not_for_what_must_be_posted(client):
    """Nor for events, which would go on until their job has ended."""
    assert [client.head(path).status_code for path in ("/v1/quick", "/v1/jobs", "/v1/jobs/none/events")] == [405] * 3


def test_the_page_names_no_kind_of_rule():
    """A new kind of rule needs no change of the page, since the page knows none."""
    for name, path in FILES.items():
        words = set(re.findall(r"[a-z]+(?:-[a-z]+)+", path.read_text(encoding="utf-8")))
        assert words.isdisjoint(kind for kind in RULES if "-" in kind), name


def test_the_document_refers_to_what_it_has(client):
    """Every reference of the OpenAPI document leads to a schema."""
    document = client.get("/openapi.json")
    schemas = document.json()["components"]["schemas"]
    references = set(re.findall(r'"#/components/schemas/([^"]+)"', document.text))
    assert references <= set(schemas)
    assert "ProblemDetails" in references


def test_a_browser_asks_once_for_what_the_front_page_names(client):
    """Scripts and styles lie in a folder named after their contents, and last; by any other name they are asked for each time."""
    named = re.findall(r'"(/static/[^"]*)"', client.get("/").text)
    assert named
    for path in named:
        version, name = re.fullmatch(r"/static/([0-9a-f]{16})/(.*)", path).groups()
        lasting, asked, old = (client.get(f"/static/{folder}{name}") for folder in (f"{version}/", "", f"{'0' * 16}/"))
        assert lasting.content == asked.content == old.content
        assert "immutable" in lasting.headers["cache-control"]
        assert asked.headers["cache-control"] == old.headers["cache-control"] == "no-cache"
    assert client.get("/").headers["cache-control"] == "no-cache"


def test_no_script_names_a_file_from_the_root():
    """What a script loads comes from its own folder, so that an open page keeps to the version that it was loaded with."""
    assert [name for name, path in FILES.items() if name.endswith(".js") and "/static/" in path.read_text(encoding="utf-8")] == []


def test_the_front_page_has_another_tag_when_any_file_is_another(client):
    """A page that is open asks by the tag of the front page whether the service has another page by now, without its content."""
    known = {"index.html": PageFile(b"", b"", "text/html", "a"), "game.js": PageFile(b"", b"", "text/javascript", "b")}
    other = known | {"game.js": replace(known["game.js"], tag="c")}
    assert page_version(known) == page_version(dict(reversed(known.items()))) != page_version(other)
    shown, asked = client.get("/"), client.head("/")
    assert (asked.status_code, asked.content, asked.headers["etag"]) == (200, b"", shown.headers["etag"])
