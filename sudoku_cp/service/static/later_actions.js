// Actions of play that the first board does not wait for: what is said of entries, marks, checkpoints, and the next puzzle of a file.

import { clashWords, entryWords, NO_CHECKPOINT, NO_NEXT, redone, refusal, undone } from "./entry_words.js";
import { fillMarks } from "./later_entries.js";

const SHAKE = 150; // milliseconds

export const laterActions = (app) => ({
  "fill-marks": () => app.act("changed", fillMarks(app.game)),
  "say-entry": () => sayEntry(app),
  "say-undone": (entry) => app.say(undone(entryWords(app.game.history.entries[entry], app))),
  "say-redone": (entry) => app.say(redone(entryWords(app.game.history.entries[entry], app))),
  "say-refused": ([value, cells]) => sayRefused(app, value, cells),
  "checkpoint-back": () => toCheckpoint(app, false),
  "checkpoint-on": () => toCheckpoint(app, true),
  "next-puzzle": () => nextPuzzle(app),
});

function sayEntry(app) {
  const { game, picture } = app;
  const entry = game.history.entries[game.history.at];
  const clashing = entry.changes.map(([cell]) => cell).find((cell) => game.clashes[cell]);
  const clash = clashing === undefined ? "" : ` ${clashWords(app.sign(game.value(clashing)), picture.cells[clashing], picture.cells[game.clash(clashing, game.value(clashing))])}`;
  app.say(`${entryWords(entry, app)}.${clash}`);
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
  const entry = history.checkpoint(after);
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
