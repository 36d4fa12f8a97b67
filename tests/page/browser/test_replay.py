"""Replay: a search and the path of a person are walked on the board, by keys, by pointer and by themselves."""

from __future__ import annotations

import re

import pytest

HARD = "6....894.9....61...7..4....2..61..........2...89..2.......6...5.......3.8....16.."
EASY = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"


@pytest.fixture
def walk(open_page):
    """The page with the search of a hard puzzle."""
    page = open_page(HARD, mode="replay")
    page.wait_for_selector(".node[aria-selected=true]")
    return page


def test_a_search_begins_at_the_givens(walk):
    """Only the givens are there until someone goes forward or to the solution; the list has only the rows in sight."""
    assert walk.locator("#board .content .value").count() == 81 - HARD.count(".")
    assert "nodes to walk through" in walk.locator(".note").inner_text()
    walk.keyboard.press("ArrowRight")
    assert "Start" in walk.locator(".node[aria-selected=true]").inner_text()
    walk.keyboard.press("End")
    assert walk.locator("#board .content .value").count() == 81
    assert "solution" in walk.locator(".node[aria-selected=true]").inner_text()
    assert walk.locator(".node").count() < 60
    assert walk.locator("#board .ring").count() > 0


def test_a_puzzle_is_asked_about_once(open_page):
    """A puzzle that opens in replay, by a link or in place of another one, is searched once."""
    page = open_page()
    asked = []
    page.route("**/v1/trace", lambda route: asked.append(route.request.post_data_json["puzzle"]) or route.continue_())
    for text in (HARD, EASY):
        page.evaluate("text => app.open(text, { mode: 'replay' })", text)
        page.wait_for_selector(".node[aria-selected=true]")
    assert [len(puzzle["givens"]) for puzzle in asked] == [81 - text.count(".") for text in (HARD, EASY)]


def test_note_and_present_row_are_in_sight(walk):
    """Nothing has to be scrolled for: the note and the row of the solution lie on the screen, and the solution is green."""
    walk.keyboard.press("End")
    for selector in (".walking .note", ".node[aria-selected=true]"):
        box = walk.locator(selector).bounding_box()
        assert 0 < box["y"] < box["y"] + box["height"] <= walk.viewport_size["height"]
    green = """() => {
        const canvas = document.querySelector('.icicle');
        const [red, green, blue] = [0x0d, 0x6e, 0x50];
        const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
        return data.some((value, at) => at % 4 === 0 && value === red && data[at + 1] === green && data[at + 2] === blue);
    }"""
    assert walk.evaluate(green)


def test_a_path_that_is_late_is_asked_for_again(walk):
    """No step in time is told as that, and whoever wants to asks for longer."""
    late = {"status": "ok", "steps": [], "complete": False, "solutions": "unknown", "reason": "deadline"}
    asked = []
    walk.route("**/v1/steps", lambda route: asked.append(route.request.post_data_json) or route.fulfill(json=late))
    walk.get_by_role("button", name="As a person").click()
    walk.locator(".note", has_text="before the first step").wait_for()
    with walk.expect_response("**/v1/steps"):
        walk.get_by_role("button", name="Search longer").click()
    assert [(one["timeout"], one.get("job", False)) for one in asked] == [(60, False), (300, True)]
    assert walk.locator(".node").count() == 0


def test_keys_walk_the_nodes(walk):
    """Home is the root, where the givens and what they force stand; right and left go one node on and back."""
    walk.keyboard.press("Home")
    assert "Start" in walk.locator(".node[aria-selected=true]").inner_text()
    assert walk.locator("#board .ring").count() == 0
    walk.keyboard.press("ArrowRight")
    assert walk.locator("#board .ring").count() == 1
    walk.keyboard.press("ArrowLeft")
    assert walk.locator("#board .ring").count() == 0
    walk.keyboard.press("End")
    assert walk.locator("#board .content .value").count() == 81


def test_a_dead_end_names_what_refutes_it(walk):
    """At a dead end the note says which value lacks a place or which cell a value, and its cells are washed."""
    walk.keyboard.press("Home")
    walk.get_by_role("button", name="Next dead end").click()
    assert re.search(r"has no place for \d|no value is left for r\dc\d|would have \d twice", walk.locator(".note").inner_text())
    assert walk.locator("#board .wash .peer").count() == 1


def test_the_picture_goes_where_it_is_clicked(walk):
    """A click at the top of the picture goes to the root."""
    walk.locator(".icicle").click(position={"x": 100, "y": 3})
    assert "Start" in walk.locator(".node[aria-selected=true]").inner_text()


@pytest.mark.slow
def test_the_path_of_a_person(open_page):
    """The steps of a person begin at the givens, name their technique, and end at the solved board."""
    page = open_page(EASY)
    page.get_by_role("tab", name="Replay").click()
    page.wait_for_selector(".node[aria-selected=true]")
    page.get_by_role("button", name="As a person").click()
    page.locator(".note", has_text="Step 1.").wait_for()
    assert page.locator("#board .content .given").count() == 30
    assert re.fullmatch(r"r\d+c\d+ = \d(naked|hidden) single.*", page.locator(".node").first.inner_text().replace("\n", ""))
    page.keyboard.press("End")
    assert "Solved" in page.locator(".note").inner_text()
    assert page.locator("#board .content .value").count() == 81


def test_play_shows_the_game_again(walk):
    """Back in play, the board shows the game and nothing of the search."""
    walk.get_by_role("tab", name="Play", exact=True).click()
    walk.wait_for_selector("body[data-mode=play]")
    assert walk.locator("#board .content .value").count() == walk.locator("#board .content .given").count()
    assert walk.locator("#board .ring").count() == 0


def test_a_node_of_the_search_names_values_and_reasons(walk):
    """Each forced value is said with the row, column or box that forces it; a dead end after the values that lead to it."""
    told = []
    for _ in range(12):
        walk.keyboard.press("ArrowRight")
        told.append(walk.locator(".walking .note").inner_text())
    forced = [note for note in told if "forced: " in note]
    assert len(forced) > 2
    assert all(re.search(r"forced: r\dc\d = \d \((row|column|box) \d\)", note) for note in forced)
    assert any(re.search(r"; dead end: .*\.$", note) for note in told)
    assert not any("houses" in note for note in told)


def test_no_row_of_a_path_says_itself_twice(open_page):
    """A row has the value that a step places or its technique, then the reason; the technique and the value come once."""
    page = open_page(HARD, mode="replay")
    page.evaluate("app.act('walk-as', 'human')")
    page.wait_for_selector(".node[aria-selected=true]")
    rows = [row.split("\n") for row in page.locator(".node").all_inner_texts() if "\n" in row]
    assert {bool(re.match(r"r\dc\d = \d", title)) for title, _ in rows} == {True, False}
    for title, words in rows:
        assert not words.lower().startswith(title.lower())
        assert not words.endswith(f"so {title.replace('=', 'is')}.")


def test_struck_marks_are_as_large_as_the_others_and_can_be_read(open_page):
    """Marks have one size, however many a cell has; one that a step strikes is written in red under a thin stroke."""
    page = open_page(HARD, mode="replay")
    page.evaluate("app.act('walk-as', 'human')")
    page.wait_for_selector(".node[aria-selected=true]")
    page.get_by_role("treeitem").filter(has_not_text="=").first.click()
    sizes = page.locator("#board .mark, #board .struck").evaluate_all("all => all.map((one) => one.getAttribute('font-size'))")
    assert len(set(sizes)) == 1
    assert page.locator("#board .struck").count() > 0
    width = page.locator("#board .strike").first.evaluate("(stroke) => parseFloat(getComputedStyle(stroke).strokeWidth)")
    assert width < 2
