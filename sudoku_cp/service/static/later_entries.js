// What the first board does not wait for: entries of many cells (filling in marks, a hint's step, what mends a game, a new start),
// and what is asked of a game on demand.

import { EMPTY, without } from "./game.js";

/** The values that no cell that this one sees has. */
export function allowedValues(game, cell) {
  const seen = new Set(game.puzzle.sees[cell].map((other) => game.value(other)));
  return game.puzzle.values.filter((value) => !seen.has(value));
}

/** The cells like this one: with the same value, else the same centre marks, corner marks or colours. */
export function cellsAlike(game, cell) {
  const value = game.value(cell);
  const every = [...game.states.keys()];
  if (value !== null) return every.filter((other) => game.value(other) === value);
  const state = game.states[cell];
  const field = ["centre", "corner", "colours"].find((name) => state[name].length);
  if (!field) return [cell];
  return every.filter((other) => game.value(other) === null && String(game.states[other][field]) === String(state[field]));
}

/** The nearest entry with a name before the present one (or after it, as redo goes); null if there is none. */
export function nextCheckpoint({ entries, last, at }, after = false) {
  const step = (entry) => (after ? last[entry] : entries[entry].parent);
  let entry = step(at);
  while (entry !== null && !entries[entry].name) entry = step(entry);
  return entry;
}

/** Clear the whole board, as one entry that undo takes back; `milliseconds` are what the clock showed. */
export function restart(game, milliseconds) {
  const next = [...game.states.keys()].map((cell) => [cell, EMPTY]);
  return game.apply(new Map(next), [], { kind: "restart", milliseconds }, [...game.pen.keys()].map((mark) => [mark, null]));
}

/** Write into every open cell, as centre marks, the values that no cell it sees has; what was struck there stays struck. */
export function fillMarks(game) {
  const open = [...game.states.keys()].filter((cell) => game.value(cell) === null);
  const left = (cell, { centre }) => allowedValues(game, cell).filter((value) => !centre.length || centre.includes(value));
  const next = open.map((cell) => [cell, { ...game.states[cell], centre: left(cell, game.states[cell]) }]);
  return game.apply(new Map(next), [], { kind: "fill marks", count: next.length });
}

/** Do what a hint's step says: place values, and strike candidates from centre marks. */
export function applyStep(game, placements, eliminations) {
  const next = new Map();
  const now = (cell) => next.get(cell) ?? game.states[cell];
  for (const [cell, value] of eliminations) next.set(cell, { ...now(cell), centre: without(now(cell).centre, value) });
  for (const [cell, value] of placements) {
    next.set(cell, { ...now(cell), value });
    if (game.settings.tidyMarks) game.tidy(next, value, [cell]);
  }
  const selected = [...placements, ...eliminations].map(([cell]) => cell);
  return game.apply(next, selected, { kind: "step", count: placements.length + eliminations.length });
}

/** Take out entered values that are not among the right ones, and write marks as they should be: both Maps by cell. */
export function takeOutWrong(game, values, marks) {
  const wrong = [...game.states.keys()].filter((cell) => game.states[cell].value !== null && !game.isGiven(cell) && !values.has(cell));
  const next = new Map(wrong.map((cell) => [cell, { ...game.states[cell], value: null }]));
  for (const [cell, right] of marks) {
    const state = next.get(cell) ?? game.states[cell];
    if (state.value === null && state.centre.length) next.set(cell, { ...state, centre: right });
  }
  return game.apply(next, wrong, { kind: "mend", count: next.size });
}
