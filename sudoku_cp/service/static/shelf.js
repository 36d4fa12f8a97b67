// What stands there before a puzzle is open: games to go on with, examples, and a place to paste.

import { card, h } from "./dom.js";

const FIRST = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";

export function showShelf(app) {
  document.body.dataset.view = "shelf";
  const open = (text) => app.open(text).catch((error) => app.fail(error));
  document.getElementById("shelf").replaceChildren(card("New", {}, h("button", { class: "button main", onclick: () => open(FIRST) }, "9 × 9")));
}
