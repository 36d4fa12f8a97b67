// Regions that are painted: cells are selected by a drag, and a number makes them a region, which is outlined at once.

import { s } from "./dom.js";
import { regionsOf, setRegion } from "./edits.js";
import { outline, squares } from "./geometry.js";
import { RISE } from "./marks.js";
import { unfinished } from "./designwords.js";

const SIZE = 30; // of the numbers, in hundredths of a cell

/** The region that a key means: 1 to 9 and then letters, counted from 0; null for none (0, Delete); undefined for other keys. */
export function regionOfKey({ key, code, ctrlKey, metaKey, altKey }, count) {
  if (ctrlKey || metaKey || altKey) return undefined;
  if (key === "0" || key === "Delete" || key === "Backspace") return null;
  const digit = /^(?:Digit|Numpad)([1-9])$/.exec(code)?.[1];
  const label = digit ? Number(digit) - 1 : /^[a-z]$/i.test(key) ? key.toUpperCase().charCodeAt(0) - 56 : -1;
  return label >= 0 && label < count ? label : undefined;
}

/** The sign of the key for a region. */
export const regionSign = (label) => (label < 9 ? String(label + 1) : String.fromCharCode(label + 56));

/**
 * Put the selected cells into a region, or into none (null). As many cells as a region has are all of it; fewer join it. As long as a
 * region is too large, the whole is a draft on the board, and words say so: `tell`.
 */
export function paintRegion(app, designer, label, tell) {
  const places = app.board.placesOf(app.selection.cells);
  if (!places.length) return;
  const most = app.picture.values.length;
  const before = designer.regionDraft ?? designer.history.present.grid;
  const cleared = places.length === most && label !== null ? setRegion(membersOf(before, label), null)({ grid: before }).grid : before;
  const draft = setRegion(places, label)({ grid: cleared }).grid;
  const odd = [...regionSizes(draft)].filter(([, size]) => size !== most);
  const tooLarge = odd.some(([, size]) => size > most);
  showDraft(app, (designer.regionDraft = tooLarge ? draft : null));
  tell(tooLarge ? unfinished(odd.map(([at, size]) => [at + 1, size]), most) : "");
  if (!tooLarge) designer.edit((json) => ({ ...json, grid: draft }));
}

function membersOf(grid, label) {
  return regionsOf(grid).flatMap((labels, row) => labels.flatMap((one, column) => (one === label ? [[row, column]] : [])));
}

/** How many cells each region has, by its label. */
function regionSizes({ regions }) {
  const counts = new Map();
  for (const label of regions.flat()) if (label !== null) counts.set(label, (counts.get(label) ?? 0) + 1);
  return counts;
}

/** Show regions that are not yet those of a puzzle in place of the lines of the board, with their numbers. */
function showDraft(app, draft) {
  const { board } = app;
  if (!draft) return board.overlay("trace", null);
  const labels = [...new Set(draft.regions.flat())].filter((label) => label !== null);
  const thin = board.places.map(([row, column]) => `M${100 * column} ${100 * row}h100v100h-100z`).join("");
  const lines = labels.map((label) => s("path", { class: "draft-region", d: outline(membersOf(draft, label), 3) }));
  const signs = board.places.map(([row, column]) => {
    const label = draft.regions[row][column];
    const text = s("text", { class: "candidate", x: 100 * column + 50, y: 100 * row + 50 + RISE * SIZE, "font-size": SIZE });
    text.textContent = label === null ? "–" : String(label + 1);
    return text;
  });
  return board.overlay("trace", [s("path", { class: "ground", d: squares(board.places) }), s("path", { class: "draft-cells", d: thin }), ...lines, ...signs]);
}
