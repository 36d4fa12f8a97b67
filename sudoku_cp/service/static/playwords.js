// The texts of play that come after the first board: hints and checks, the history, the end of a game, a cell that is read aloud, newer pages.

import { allowedValues } from "./later_entries.js";
import { clock, list, number, plural } from "./words.js";

export const UPDATED = "There is a newer version of this page.";
export const RELOAD = "Reload";
export const OTHER_GAME = "This is your own game; the link has another one.";
export const SHOW_IT = "Show it";
export const PEN_LETTER = "Letter to write where you press (empty: a cross, then a circle)";
export const STORAGE_FULL = "The browser has no room for more saved games; save this one as a file.";
/** The name of a part of a rule without that of its kind, which says the same. */
export const withoutKind = (text) => text.replace(/ \([\w-]+\)$/, "");
export const JUDGED_LATER = "Filled; this cannot be checked now.";
export const wrongCount = (count) => `${plural(count, "value")} ${count === 1 ? "is" : "are"} wrong.`;
export const BROKEN = (rules) => `Broken: ${list.format(rules)}.`;
export const CHECK = {
  right: "No value is wrong so far.",
  solved: "Everything is right.",
  possible: "There are several solutions, and your values fit at least one.",
  unknown: "Time ran out before this was known.",
};
export const HINT = {
  heading: "Hint",
  fill: "Fill marks",
  check: "Check",
  another: "Not this one",
  looking: "Looking …",
  unnamed: "no named step leads on here",
  close: "Close",
  levels: ["Where to look", "What it is", "Which cells", "The step", "Do it"],
};
export const hintSaid = (level, words) => `Hint ${level}: ${words}`;

/** The words for a level of a hint, from the service's answer. */
export function hintLevelWords(level, { named, place: where, technique, cells, step }) {
  const told = [where, named === false ? HINT.unnamed : technique, cells && list.format(cells), step?.text];
  const words = told[level - 1] ?? "";
  return level === 3 ? words : words && words[0].toUpperCase() + words.slice(1);
}

/** What a sum still needs, of its total and the values that its cells have; nothing before the first value, or where both signs are open. */
export function needWords([terms, total], value) {
  const open = terms.filter(([cell]) => value(cell) === null).map(([, factor]) => factor);
  if (open.length === terms.length || Math.abs(open[0] ?? 1) !== 1 || open.some((factor) => factor !== open[0])) return "";
  const rest = terms.reduce((left, [cell, factor]) => left - factor * (value(cell) ?? 0), total) * (open[0] ?? 1);
  if (!open.length) return rest ? `off by ${number.format(Math.abs(rest))}` : "complete";
  return rest < 0 ? `${number.format(-rest)} too much` : `${number.format(rest)} more in ${plural(open.length, "cell")}`;
}

/** A cell with its content and the values that no cell it sees has, for the key that reads it aloud. */
export function readCell(app, cell) {
  const name = app.board.nameOf(cell);
  if (app.game.value(cell) !== null) return `${name}.`;
  const allowed = allowedValues(app.game, cell).map((value) => app.sign(value));
  return `${name}; ${allowed.length ? `${list.format(allowed)} would not clash` : "every value would clash"}.`;
}

export const HISTORY = { heading: "History", checkpoint: "Set a checkpoint", name: (count) => `Checkpoint ${count}: ` };
export const LOUPE = "Magnifier";

function duration(milliseconds) {
  const seconds = Math.floor(milliseconds / 1000);
  const parts = [[Math.floor(seconds / 3600), "hour"], [Math.floor(seconds / 60) % 60, "minute"], [seconds % 60, "second"]];
  const told = parts.filter(([count]) => count).map(([count, unit]) => plural(count, unit));
  return told.join(" ") || plural(0, "second");
}

export const solvedIn = (milliseconds) => `Solved in ${duration(milliseconds)}.`;
export const FINISHED = { hints: (count) => plural(count, "hint"), newBest: (grade) => `Your best time at ${grade} puzzles so far.`, best: (grade, time) => `Your best at ${grade} puzzles: ${clock(time)}.`, inRow: (count) => `${count} days in a row.`, watch: "Watch again", next: "Next", alike: "Next like this", making: "Making the next one …", shelf: "Another puzzle" };
