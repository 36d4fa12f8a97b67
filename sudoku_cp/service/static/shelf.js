// What stands there before a puzzle is open: games to go on with, today's puzzle, a place to paste, new boards, and examples.

import { card, h } from "./dom.js";
import { History } from "./history.js";
import { laterStyle } from "./modes.js";
import { kindWords, nameOf, sizeWords } from "./puzzle_words.js";
import { SHELF } from "./shelfwords.js";
import { readGames } from "./store.js";
import { thumbnail } from "./thumbnail.js";
import { todaysPuzzle } from "./today.js";

const SHOWN = 6; // saved games
const BOXES = { 9: [3, 3], 4: [2, 2], 6: [2, 3], 8: [2, 4], 12: [3, 4], 16: [4, 4], 25: [5, 5] };

const emptyPuzzle = (grid) => ({ format: "sudoku-cp puzzle", version: 1, grid });

/** Fill the shelf. */
export async function fillShelf(app) {
  await laterStyle();
  const shelf = document.getElementById("shelf");
  const [boards, examples] = [h("div", { class: "tiles small" }), h("div", { class: "tiles" })];
  for (const [size, boxes] of Object.entries(BOXES)) {
    const [rows, columns] = [Number(size), Number(size)];
    boards.append(boardTile(app, `${size} × ${size}`, { rows, columns, boxes, values: [1, rows] }));
  }
  const games = await readGames().catch(() => []);
  const first = [pasting(app), card(SHELF.today, {}, h("div", { class: "tiles one" }, todayTile(app)))];
  shelf.replaceChildren(
    h("h1", { class: "unseen" }, SHELF.heading),
    ...(games.length ? [card(SHELF.goOn, {}, h("div", { class: "tiles" }, games.slice(0, SHOWN).map((game) => gameTile(app, game))))] : []),
    h("div", { class: "pair-of-cards" }, first),
    card(SHELF.fresh, {}, boards),
    card(SHELF.examples, {}, examples),
  );
  addExamples(app, boards, examples).catch(() => examples.append(h("p", { class: "soft" }, SHELF.noExamples)));
}

async function addExamples(app, boards, examples) {
  const offered = await app.api.file("examples.json");
  boards.append(...offered.boards.map(({ name, grid }) => boardTile(app, name, grid)));
  examples.append(...offered.puzzles.map((puzzle) => exampleTile(app, puzzle)));
}

/** The values that stand in the cells of a saved game, by cell; null where one was taken out again. */
function enteredIn({ history }) {
  const saved = History.from(history);
  const changes = saved.path().flatMap((entry) => saved.entries[entry].changes);
  return new Map(changes.map(([cell, , after]) => [cell, after.value]));
}

const attempt = (app, doing) => doing.catch((error) => app.fail(error));

/** A picture with a name and a few words, which does something when it is pressed. */
function tile(picture, name, words, press) {
  return h("button", { class: "tile", onclick: press }, picture, h("b", {}, name), words && h("span", { class: "soft" }, words));
}

const exampleTile = (app, puzzle) => tile(thumbnail(app, puzzle), nameOf(puzzle), [sizeWords(puzzle), kindWords(puzzle)].filter(Boolean).join(" · "), () => attempt(app, app.show(puzzle)));

const boardTile = (app, name, grid) => tile(thumbnail(app, emptyPuzzle(grid)), name, "", () => attempt(app, app.show(emptyPuzzle(grid), { mode: "design" })));

function gameTile(app, { puzzle, game, filled, size, solved }) {
  const told = solved ? SHELF.solved : SHELF.share(filled, size);
  return tile(thumbnail(app, puzzle, enteredIn(game)), nameOf(puzzle), told, () => attempt(app, app.show(puzzle)));
}

/** Today's puzzle is made when it is wanted, the same for all who ask on this day. */
function todayTile(app) {
  const day = new Date();
  const sign = h("span", { class: "thumbnail day", "aria-hidden": "true" }, h("i", {}, SHELF.month(day)), h("b", {}, day.getDate()));
  const button = tile(sign, SHELF.todayName(day), SHELF.todayWords, async () => {
    button.disabled = true;
    button.lastChild.textContent = SHELF.making;
    const signal = app.opening(); // whoever opens something else does not wait for it
    await attempt(app, todaysPuzzle(app, day, signal).then((json) => app.show(json, { signal })));
    button.disabled = false;
    button.lastChild.textContent = SHELF.todayWords;
  });
  return button;
}

function pasting(app) {
  const field = h("textarea", { "aria-label": SHELF.paste, placeholder: SHELF.paste, spellcheck: "false" });
  const button = h("button", { class: "button main", onclick: () => app.act("open", field.value) }, SHELF.openIt);
  return card(SHELF.open, {}, field, h("div", { class: "row ends" }, button));
}
