// The loupe: the cells around the cursor, large enough to read all marks, where those of the board are too small.

import { DenseMarks, readable } from "./dense_marks.js";
import { card, h, s, set } from "./dom.js";
import { outline } from "./geometry.js";
import { contentOf } from "./marks.js";
import { LOUPE } from "./playwords.js";

const REACH = 1; // cells on each side of the cursor
const WAIT = 30; // milliseconds, so that a key is shown on the board first

/** Put the loupe into a panel, seen only while it is needed; returns a function that takes it out. */
export function loupe(app, panel) {
  const { board } = app;
  const copies = ["paper", "colours", "under", "wash", "lines", "over", "outside", "pen"].map((name) => s("use", { href: `#layer-${name}` }));
  const content = s("g", { class: "content" });
  const svg = s("svg", { "aria-hidden": "true" }, copies, content);
  const canvas = h("canvas", { "aria-hidden": "true" });
  const glass = h("div", { class: "glass" }, svg, canvas);
  const body = card(LOUPE, { class: "loupe", hidden: true }, glass);
  panel.append(body);
  const marks = new DenseMarks(canvas, board, Infinity);
  let timer = null;

  function show() {
    timer = null;
    const { cursor } = app.selection;
    body.hidden = !app.game || cursor === null || readable(board);
    if (body.hidden) return;
    const [row, column] = board.places[cursor];
    const [left, top, across] = [column - REACH, row - REACH, 1 + 2 * REACH];
    const side = glass.clientWidth / across;
    set(svg, { viewBox: [left, top, across, across].map((length) => 100 * length).join(" ") });
    marks.fit({ left: -side * left, top: -side * top, side, width: glass.clientWidth, height: glass.clientWidth });
    const seen = [...board.places.keys()].filter((cell) => Math.abs(board.places[cell][0] - row) <= REACH && Math.abs(board.places[cell][1] - column) <= REACH);
    const chosen = s("path", { class: "outline", d: outline([board.places[cursor]], 3) });
    content.replaceChildren(...seen.flatMap((cell) => contentOf(board, cell, board.places[cell], board.view(cell))), chosen);
    for (const cell of seen) marks.draw(cell, board.view(cell));
  }

  const later = () => (timer ??= setTimeout(show, WAIT));
  const stop = app.listen({ puzzle: later, game: later, selection: later, settings: later });
  later();
  return () => (clearTimeout(timer), stop(), body.remove());
}
