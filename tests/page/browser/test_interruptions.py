"""What comes between: a reload, a second tab on the same game, an engine that falls over, a service that goes away or changes."""

from __future__ import annotations

import itertools
import json
import os
import shutil
import signal
from pathlib import Path

import pytest

import sudoku_cp
from tests.page.browser.conftest import packed, running_service
from tests.page.browser.test_play import EASY, until, values


def enter(page, cell, value):
    """Enter a value into a cell."""
    page.evaluate("([cell, value]) => { app.selection.only(cell); app.act('enter', value); }", [cell, value])


def test_a_reload_right_after_an_entry_loses_nothing(open_page):
    """What was entered a moment ago, and not saved yet, is there after a reload, with its undo."""
    page = open_page(EASY)
    page.wait_for_selector(".hints")  # what comes after the first board
    enter(page, 2, 4)
    page.reload()
    page.wait_for_selector("html[data-ready]")
    assert values(page)[2] == "4"
    page.keyboard.press("Control+z")
    assert values(page) == EASY


def test_two_tabs_show_one_game(open_page):
    """An entry in one tab shows in the other, which goes on from there; neither overwrites what the other saved."""
    page = open_page(EASY)
    other = page.context.new_page()
    other.goto(page.url)
    other.wait_for_selector("html[data-ready]")
    enter(page, 2, 4)
    until(other, "app.game.value(2) === 4")
    enter(other, 3, 6)
    until(page, "app.game.value(3) === 6")
    page.evaluate("app.act('undo')")
    until(other, "app.game.value(3) === null")
    assert values(other)[2] == "4"


@pytest.mark.slow
def test_the_service_is_killed_and_comes_back(browser, tmp_path):
    """Play, marks, undo and other modes go on without it, one quiet line says so, and another that it is there again."""
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    page = context.new_page()
    with running_service(tmp_path) as (address, process):
        page.goto(address)
        page.wait_for_selector("html[data-ready]")
        page.evaluate("puzzle => app.open(puzzle)", EASY)
        page.evaluate("app.loadRest()")
        process.kill()
        process.wait()
    enter(page, 2, 4)
    page.keyboard.press("f")
    page.keyboard.press("Control+z")
    assert values(page)[2] == "4"
    page.keyboard.press("h")
    page.locator(".toast", has_text="The solver is unreachable; you can play on.").wait_for()
    page.get_by_role("tab", name="Replay").click()
    page.wait_for_selector("body[data-mode=replay]")
    page.get_by_role("tab", name="Play", exact=True).click()
    page.wait_for_selector("body[data-mode=play]")
    assert values(page)[2] == "4"
    with running_service(tmp_path, address.rsplit(":", 1)[1].strip("/")):
        page.locator(".toast", has_text="The solver is reachable again.").wait_for()
        page.keyboard.press("h")
        page.wait_for_selector(".step.on")
    context.close()


@pytest.mark.parametrize("verb", ["hint", "check", "replay"])
def test_what_fell_over_is_asked_again_by_a_button(open_page, verb):
    """A message says that an engine ended, and its button asks the same once more."""
    page = open_page(EASY)
    page.wait_for_selector(".hints")
    page.route("**/v1/*", lambda route: route.fulfill(json={"status": "unknown", "reason": "crashed"}))
    page.evaluate("app.setMode('replay')" if verb == "replay" else f"app.act('{verb}')")
    message = page.locator(".toast.bad", has_text="The engine crashed; your game is safe.")
    message.wait_for()
    page.unroute("**/v1/*")
    message.get_by_role("button", name="Try again").click()
    page.wait_for_selector({"hint": ".step.on", "check": ".note.ok", "replay": ".node[aria-selected=true]"}[verb])


ENDLESS = {"puzzle": 81 * ".", "timeout": 60}
"""A count of solutions that no engine ends."""


def worker_seconds(process):
    """Return the processor time of each process in which a service answers questions: those that its fork server has forked."""
    below = [pid for forks in children(process.pid) for pid in children(forks)]
    ticks = {pid: Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[11:13] for pid in below}
    return {pid: sum(map(int, spent)) / os.sysconf("SC_CLK_TCK") for pid, spent in ticks.items()}


def children(pid):
    """Return the processes that a process has begun."""
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="the system does not tell which process began another")
def test_an_engine_that_is_killed_is_asked_again(open_page, service):
    """Whoever waits for an answer while its process is killed is told so; the button asks another process, which answers."""
    address, process = service
    page = open_page(EASY)
    page.wait_for_selector(".hints")
    long = {"url": f"{address}/v1/count", "post_data": json.dumps(ENDLESS)}  # in place of a hint, which would be there too soon
    page.route("**/v1/hint", lambda route: route.continue_(**long), times=1)
    before = worker_seconds(process)
    page.evaluate("app.act('hint')")
    while not (busy := [pid for pid, spent in worker_seconds(process).items() if spent > before.get(pid, 0) + 0.1]):
        page.wait_for_timeout(10)
    for pid in busy:
        os.kill(pid, signal.SIGKILL)
    message = page.locator(".toast.bad", has_text="The engine crashed; your game is safe.")
    message.get_by_role("button", name="Try again").click()
    page.wait_for_selector(".step.on")


@pytest.mark.parametrize("job", [False, True], ids=["at once", "as a job"])
def test_a_count_whose_engine_fell_over_is_asked_again(open_page, job):
    """Beside a puzzle in the making that is no answer: the panel says so, and asks again when it is told to."""
    page = open_page(EASY)
    fallen = {"status": "unknown", "solutions": [], "reason": "crashed"}
    accepted = {"status": 202, "json": {"id": "one", "state": "running"}}
    page.route("**/v1/solve", lambda route: route.fulfill(**(accepted if job else {"json": fallen})))
    page.route("**/v1/jobs/one", lambda route: route.fulfill(json={"id": "one", "state": "failed", "reason": "crashed"}))
    page.evaluate("app.setMode('design')")
    page.locator(".solver .problem", has_text="The engine crashed").wait_for()
    assert page.locator(".bar .pill").first.inner_text() == "not asked"
    page.unroute("**/v1/solve")
    page.locator(".solver").get_by_role("button", name="Try again").click()
    page.locator(".pill.ok", has_text="exactly one solution").wait_for()


def test_what_the_service_was_too_busy_for_is_told(open_page):
    """An edit whose picture does not come in time is taken back with a reason, and can be made again."""
    page = open_page(EASY)
    page.evaluate("app.setMode('design')")
    page.wait_for_selector(".tool")
    give = "app.designer.edit((json) => ({ ...json, givens: { ...json.givens, r1c3: 4 } }))"
    page.route("**/v1/picture", lambda route: route.fulfill(json={"reason": "deadline"}))
    assert page.evaluate(give) is False
    page.locator("#left .problem", has_text="The service was too busy for this; nothing is lost.").wait_for()
    assert page.evaluate("app.designer.history.present.givens.r1c3 ?? null") is None
    page.unroute("**/v1/picture")
    assert page.evaluate(give) is True
    page.locator("#left .problem", has_text="too busy").wait_for(state="detached")


def serve_tags(page, tags):
    """Answer with these tags, one after the other, which page the service has."""

    def answer(route):
        if route.request.method == "HEAD":
            route.fulfill(headers={"ETag": f'"{next(tags)}"'})
        else:
            route.continue_()

    page.route(page.url.split("#")[0], answer)


def test_a_newer_page_is_offered_once(open_page):
    """When the page is seen again and the service has another one, a button loads it; nobody is asked twice."""
    page = open_page(EASY)
    until(page, "performance.getEntriesByType('resource').some(({ name }) => name.endsWith('/updates.js'))")
    seen = "document.dispatchEvent(new Event('visibilitychange'))"
    with page.expect_response(lambda answer: answer.request.method == "HEAD"):
        page.evaluate(seen)
    assert page.locator(".toast").count() == 0
    serve_tags(page, itertools.repeat("another"))
    page.evaluate(seen)
    page.locator(".toast", has_text="There is a newer version of this page.").wait_for()
    page.evaluate("app.toast('Something else.')")
    page.evaluate(seen)
    page.evaluate("fetch('/v1/limits').then((answer) => answer.text())")
    assert page.locator(".toast").inner_text() == "Something else."


def test_a_newer_page_is_loaded(open_page):
    """The button loads the page anew, and the game is there."""
    page = open_page(EASY)
    page.wait_for_selector(".hints")
    enter(page, 2, 4)
    serve_tags(page, itertools.count())
    while not page.locator(".toast").count():
        page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
        page.wait_for_timeout(50)
    with page.expect_navigation():
        page.get_by_role("button", name="Reload").click()
    page.wait_for_selector("html[data-ready]")
    assert values(page)[2] == "4"


def test_a_game_on_its_way_into_the_database_survives_a_reload(open_page):
    """Whoever reloads while the database is still busy with the last entry finds it: it is kept beside the database."""
    page = open_page(EASY)
    page.wait_for_selector(".hints")
    page.evaluate("IDBObjectStore.prototype.put = () => ((app.written = true), {}); 0")  # it never ends
    enter(page, 2, 4)
    until(page, "app.written === true")
    page.reload()
    page.wait_for_selector("html[data-ready]")
    assert values(page)[2] == "4"


def test_a_service_with_other_files_has_a_newer_page(browser, tmp_path):
    """Where a service comes back with another file of the page, a page that stayed open offers to load it, and then has it."""
    package = shutil.copytree(Path(sudoku_cp.__file__).parent, tmp_path / "sudoku_cp")
    page = browser.new_page()
    with running_service(tmp_path, folder=tmp_path) as (address, process):
        page.goto(f"{address}/#play/p={packed(EASY)}")
        until(page, "performance.getEntriesByType('resource').some(({ name }) => name.endsWith('/updates.js'))")
        page.evaluate("app.loadRest()")
        process.kill()
        process.wait()
    page.evaluate("app.act('hint')")
    page.locator(".toast", has_text="The solver is unreachable").wait_for()
    words = package / "service/static/words.js"
    words.write_text(words.read_text(encoding="utf-8") + "\nwindow.another = true;\n", encoding="utf-8")
    with running_service(tmp_path, address.rsplit(":", 1)[1].strip("/"), folder=tmp_path):
        page.get_by_role("button", name="Reload").click()
        until(page, "window.another === true && document.documentElement.dataset.ready === 'true'")
        assert values(page) == EASY
    page.context.close()
