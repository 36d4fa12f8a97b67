// Actions of play that the first board does not wait for: what is said of entries, marks, checkpoints, and the next puzzle of a file.

import { clashWords, entryWords, NO_CHECKPOINT, NO_NEXT, NOTHING_ENTERED, redone, refusal, undone } from "./entry_words.js";
import { set } from "./dom.js";
import { cellsAlike, fillMarks, nextCheckpoint, restart } from "./later_entries.js";
import { needWords } from "./playwords.js";

const SHAKE = 150; // milliseconds

export const laterActions = (app) => ({
  "fill-marks": () => app.act("changed", fillMarks(app.game)),
  "say-entry": () => sayEntry(app),
  "select-alike": ({ cell, more }) => app.selection.replace(new Set([...(more ? app.selection.cells : []), ...cellsAlike(app.game, cell)]), cell),
  restart: () => startAgain(app),
  "say-undone": (entry) => (turnClock(app, entry, 1), app.say(undone(entryWords(app.game.history.entries[entry], app)))),
  "say-redone": (entry) => (turnClock(app, entry, -1), app.say(redone(entryWords(app.game.history.entries[entry], app)))),
  "say-refused": ([value, cells]) => sayRefused(app, value, cells),
  "checkpoint-back": () => toCheckpoint(app, false),
  "checkpoint-on": () => toCheckpoint(app, true),
  "next-puzzle": () => nextPuzzle(app),
});

/** Empty the board and set the clock to nought; undo brings both back, so nothing is asked. */
function startAgain(app) {
  const { history } = app.game;
  const before = history.at;
  const changed = restart(app.game, app.timer.milliseconds);
  if (history.at === before) return app.toast(NOTHING_ENTERED); // neither an entry nor a mark of the pen
  turnClock(app, history.at, -1);
  app.act("changed", changed);
}

/** Give the clock back the time that a new start took from it (1), or take it again (-1); other entries leave the clock alone. */
function turnClock({ game, timer }, entry, way) {
  const { words } = game.history.entries[entry];
  if (words.kind === "restart") timer.turn(way * words.milliseconds);
}

/** The rules that speak of a cell, with what their sums need now */
function spokenOf({ game, picture: { spoken, sums, summed } }, cell) {
  const needs = (at) => (summed[cell]?.[at] ?? []).map((index) => needWords(sums[index], (one) => game.value(one)));
  return (spoken[cell] ?? []).map((text, at) => [text, ...needs(at)].filter(Boolean).join(", "));
}

/** What the sums of a cell need now, as sentences. */
function needsOf({ game, picture: { sums, summed } }, cell) {
  const needs = (summed[cell] ?? []).flat().map((index) => needWords(sums[index], (one) => game.value(one)));
  return needs.filter(Boolean).map((words) => ` ${words[0].toUpperCase()}${words.slice(1)}.`).join("");
}

/** Say with each cell what its rules still need; after an entry the other cells of a sum are named anew. Returns what ends it. */
export function speakNeeds(app) {
  const { board } = app;
  const usual = board.spoken;
  const rename = (cells) => cells.forEach((cell) => set(board.names[cell], { "aria-label": board.nameOf(cell) }));
  const touched = (cells) => {
    const { sums, summed } = app.picture;
    const numbers = new Set(cells.flatMap((cell) => (summed[cell] ?? []).flat()));
    return new Set([...numbers].flatMap((index) => sums[index][0].map(([cell]) => cell)));
  };
  board.spoken = (cell) => spokenOf(app, cell);
  const begin = () => rename(Object.keys(app.picture.summed));
  begin();
  const stop = app.listen({ puzzle: begin, game: ({ detail }) => rename([...touched(detail.cells)]) });
  return () => (stop(), (board.spoken = usual));
}

function sayEntry(app) {
  const { game, picture } = app;
  const entry = game.history.here;
  const clashing = entry.changes.map(([cell]) => cell).find((cell) => game.clashes[cell]);
  const clash = clashing === undefined ? "" : ` ${clashWords(app.sign(game.value(clashing)), picture.cells[clashing], picture.cells[game.clash(clashing, game.value(clashing))])}`;
  const needed = entry.words.mode === "digit" && entry.changes.length ? needsOf(app, entry.changes[0][0]) : "";
  app.say(`${entryWords(entry, app)}.${clash}${needed}`);
}

/** Shake the selection, and say why a value was not entered; `other` is the cell that it clashes with, or null. */
function sayRefused(app, value, [cell, other]) {
  const { element } = app.board;
  element.classList.add("shake");
  setTimeout(() => element.classList.remove("shake"), SHAKE);
  app.toast(refusal(app.sign(value), app.picture.cells[cell], app.picture.cells[other]));
}

function toCheckpoint(app, after) {
  const { history } = app.game;
  const entry = nextCheckpoint(history, after);
  if (entry === null) return app.toast(NO_CHECKPOINT(after));
  app.act("jump", entry);
  app.say(history.entries[entry].name);
}

/** The next puzzle of the file that this one came from; undefined if there is none. */
function nextOf({ file = [], puzzle }) {
  const at = file.findIndex((json) => JSON.stringify(json) === puzzle.text);
  return at < 0 ? undefined : file[at + 1];
}

export const hasNext = (app) => nextOf(app) !== undefined;

function nextPuzzle(app) {
  if (!hasNext(app)) return app.toast(NO_NEXT);
  app.show(nextOf(app)).catch((error) => app.fail(error));
}
