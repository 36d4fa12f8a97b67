// Entries of many cells that the first board does not wait for: filling in marks, a hint's step, and what mends a game.

import { without } from "./game.js";

/** Write into every open cell, as centre marks, the values that no cell it sees has; what was struck there stays struck. */
export function fillMarks(game) {
  const open = [...game.states.keys()].filter((cell) => game.value(cell) === null);
  const left = (cell, { centre }) => game.allowed(cell).filter((value) => !centre.length || centre.includes(value));
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
