// The words for entries of a game, in the list of the history and aloud.

import { FIELD } from "./game.js";
import { COLOUR_NAMES, MODE_NAMES, place, plural } from "./words.js";

const WRITES = { digit: "", corner: "corner mark ", centre: "centre mark ", colour: "" };
const what = (mode, value, sign) => (mode === "colour" ? COLOUR_NAMES[value - 1] : WRITES[mode] + sign(value));

/** Which cells an entry is about: the one by name, or how many. */
function entryCells({ words, changes }, app, name) {
  const field = FIELD[words.mode];
  const [first, ...others] = changes.filter(([, before, after]) => !field || String(before[field]) !== String(after[field]));
  return first && !others.length ? name(app.picture.cells[first[0]]) : plural(words.count ?? 0, "cell");
}

/** What the pen did: one mark by its place, or how many came and went. */
function penWords({ words, pen }, app, name) {
  const does = { line: "line", cross: "cross", circle: "circle", letter: `letter ${words.letter}` }[words.shape] ?? "drawing";
  const gone = pen.every(([, , after]) => after === null);
  const cells = (words.cells ?? []).map((cell) => name(app.picture.cells[cell])).join(" – ");
  return `${does} ${gone ? "erased" : "drawn"}${cells ? `, ${cells}` : ""}`;
}

/** What an entry of the history did, as words; `name` names a cell by its place. */
export function entryWords(entry, app, name = place) {
  const { words } = entry;
  if (!words) return "the start";
  const cells = entryCells(entry, app, name);
  const kinds = {
    enter: () => `${what(words.mode, words.value, (value) => app.sign(value))} in ${cells}`,
    "take out": () => `${what(words.mode, words.value, (value) => app.sign(value))} out of ${cells}`,
    clear: () => `${MODE_NAMES[words.mode].toLowerCase()} cleared in ${cells}`,
    "fill marks": () => `marks filled in ${cells}`,
    step: () => "a step of a hint",
    pen: () => penWords(entry, app, name),
    restart: () => "restart",
    mend: () => `what was wrong taken out of ${cells}`,
  };
  return kinds[words.kind]?.() ?? String(words.kind ?? words);
}

export const NO_CHECKPOINT = (after) => `There is no checkpoint ${after ? "after" : "before"} this.`;
export const NOTHING_ENTERED = "Nothing has been entered yet.";
export const NO_NEXT = "No further puzzle was opened with this one.";
export const undone = (words) => `Undone: ${words}.`;
export const redone = (words) => `Done again: ${words}.`;

/** Where another cell is, seen from one: the line that they share, or its place. */
const whereWords = ([row, column], other) => (other[0] === row ? `row ${row + 1}` : other[1] === column ? `column ${column + 1}` : place(other));

/** Why a value was refused: it stands in a cell that this one sees, or is not that of the solution. */
export const refusal = (sign, at, other) => (other ? `${sign} is in ${whereWords(at, other)} already.` : `${sign} is not right in ${place(at)}.`);

/** That a value clashes with another cell. */
export const clashWords = (sign, at, other) => `${sign} clashes with ${whereWords(at, other)}.`;
