// What stands there before a puzzle is open: games to go on with, a place to paste, new boards, and the service's examples.

import { card, h } from "./dom.js";
import { readGames } from "./store.js";
import { SHELF, UNTITLED } from "./words.js";

const SHOWN = 8; // saved games
const SIZES = [4, 6, 8, 9, 12, 16, 25];

const boxes = { 4: [2, 2], 6: [2, 3], 8: [2, 4], 9: [3, 3], 12: [3, 4], 16: [4, 4], 25: [5, 5] };
const emptyPuzzle = (size) => ({ format: "sudoku-cp puzzle", version: 1, grid: { rows: size, columns: size, boxes: boxes[size], values: [1, size] } });

/** Show the shelf in place of the board. */
export async function showShelf(app) {
  document.body.dataset.view = "shelf";
  document.title = "sudoku_cp";
  const shelf = document.getElementById("shelf");
  shelf.replaceChildren(pasting(app), fresh(app));
  const games = await readGames().catch(() => []);
  if (games.length) shelf.prepend(goOn(app, games.slice(0, SHOWN)));
}

const attempt = (app, doing) => doing.catch((error) => app.fail(error));

function goOn(app, games) {
  const tiles = games.map((record) => {
    const { puzzle, filled, size, solved } = record;
    const told = solved ? SHELF.solved : SHELF.share(filled, size);
    return h("button", { class: "tile", onclick: () => attempt(app, app.show(puzzle)) }, h("b", {}, puzzle.title ?? UNTITLED), h("span", { class: "soft" }, told));
  });
  return card(SHELF.goOn, {}, h("div", { class: "tiles" }, tiles));
}

function pasting(app) {
  const field = h("textarea", { "aria-label": SHELF.paste, placeholder: SHELF.paste, spellcheck: "false" });
  const button = h("button", { class: "button main", onclick: () => field.value.trim() && attempt(app, app.open(field.value)) }, SHELF.openIt);
  return card(SHELF.open, {}, field, h("div", { class: "row ends" }, button));
}

function fresh(app) {
  const tiles = SIZES.map((size) => h("button", { class: "tile", onclick: () => attempt(app, app.show(emptyPuzzle(size), { mode: "design" })) }, `${size} × ${size}`));
  return card(SHELF.fresh, {}, h("div", { class: "tiles" }, tiles));
}
