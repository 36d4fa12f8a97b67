"""What hands do on the board of the page: presses and drags at places that are told in cells."""

from __future__ import annotations


def at(page, row, column):
    """Return the client's point at a place of the board, in cells: (0.5, 0.5) is the middle of the first cell."""
    return page.evaluate(
        "([r, c]) => { const m = app.board.svg.getScreenCTM(); return [m.e + 100 * c * m.a, m.f + 100 * r * m.d]; }",
        [row, column],
    )


def draw(page, *places):
    """Press at the first place, go over the others and let go; then wait for the edit."""
    page.mouse.move(*at(page, *places[0]))
    page.mouse.down()
    for place in places[1:]:
        page.mouse.move(*at(page, *place), steps=3)
    page.mouse.up()
    page.evaluate("app.designer.busy")


def middle(*cells):
    """Return the middles of cells, counted from 1."""
    return [(row - 0.5, column - 0.5) for row, column in cells]


def take(page, kind):
    """Take a tool in hand; an answer that comes meanwhile may move it away from under the pointer."""
    tool = page.locator(f'.tool[data-tool="{kind}"]')
    tool.click()
    while tool.get_attribute("aria-pressed") != "true":
        tool.click()


def rules(page):
    """Return the rules of the present puzzle, without its houses."""
    return [one for one in page.evaluate("app.designer.rules") if one["kind"] != "houses"]
