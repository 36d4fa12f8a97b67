// What stands there before a puzzle is open: games to go on with, new puzzles and today's, a place to paste, new boards, examples.

import { card, h } from "./dom.js";
import { History } from "./history.js";
import { GRADES, showNew, todaysPuzzle } from "./made_puzzles.js";
import { laterStyle } from "./modes.js";
import { kindWords, nameOf, sizeWords } from "./puzzle_words.js";
import { SHELF } from "./shelfwords.js";
import { readGames } from "./saved_games.js";
import { readRecords, streakOf } from "./records.js";
import { thumbnail } from "./thumbnail.js";
import { clock } from "./words.js";

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
  shelf.replaceChildren(
    h("h1", { class: "unseen" }, SHELF.heading),
    ...(games.length ? [card(SHELF.goOn, {}, h("div", { class: "tiles" }, games.slice(0, SHOWN).map((game) => gameTile(app, game))))] : []),
    h("div", { class: "pair-of-cards" }, newPuzzles(app), todaysPuzzles(app)),
    pasting(app),
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

/** Buttons for puzzles that are made when they are wanted; `make(grade, signal)` makes and shows one. */
function graded(app, grades, make) {
  const told = h("p", { class: "soft", role: "status" });
  const press = async (grade) => {
    for (const button of buttons) button.disabled = true;
    told.textContent = SHELF.making;
    await attempt(app, make(grade, app.opening())); // whoever opens something else does not wait for it
    for (const button of buttons) button.disabled = false;
    told.textContent = "";
  };
  const { best } = readRecords();
  const time = (grade) => best[grade] && h("small", {}, SHELF.best(clock(best[grade])));
  const buttons = grades.map((grade) => h("button", { class: "button grade", onclick: () => press(grade) }, SHELF.grades[grade], time(grade)));
  return [h("div", { class: "grades" }, buttons), told];
}

const newPuzzles = (app) => card(SHELF.play, { class: "new" }, h("p", { class: "soft" }, SHELF.playWords), ...graded(app, GRADES, (grade, signal) => showNew(app, grade, signal)));

/** The puzzles of this day, the same for all who ask. */
function todaysPuzzles(app) {
  const day = new Date();
  const show = (grade, signal) => todaysPuzzle(app, day, grade, signal).then((json) => app.show(json, { signal }));
  const inRow = streakOf(readRecords().days, day);
  return card(SHELF.today(day), { class: "today" }, h("p", { class: "soft" }, SHELF.todayWords, inRow > 1 && ` ${SHELF.inRow(inRow)}`), ...graded(app, ["easy", "medium", "hard"], show));
}

function pasting(app) {
  const field = h("textarea", { "aria-label": SHELF.paste, placeholder: SHELF.paste, spellcheck: "false" });
  const button = h("button", { class: "button main", onclick: () => app.act("open", field.value) }, SHELF.openIt);
  return card(SHELF.open, {}, field, h("div", { class: "row ends" }, button));
}
