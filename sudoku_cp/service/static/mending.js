// What to do when something that was entered is wrong: see what clashes, go back to where all was right, or take the wrong away.
// How many things are wrong is told first, and which of them only to those who ask.

import { cellNamed } from "./cells.js";
import { h } from "./dom.js";
import { takeOutWrong } from "./later_entries.js";
import { findSolution } from "./position.js";
import { outlinedCells } from "./step_marks.js";
import { withoutKind } from "./playwords.js";
import { list, plural } from "./words.js";

const WORDS = {
  wrong: (values, marks) => `${list.format([values && plural(values, "value"), marks && `marks of ${plural(marks, "cell")}`].filter(Boolean))} ${values + marks === 1 && values ? "is" : "are"} wrong.`,
  dead: "No solution has all that is entered.",
  none: "The puzzle has no solution, whatever is entered.",
  clash: "Show the smallest clash",
  back: "Undo to where it was right",
  mend: "Remove what is wrong",
  marksOf: (name) => `the marks of ${name}`,
  clashing: (things, rules) => `${list.format(things)} cannot ${["", "", "both "][things.length] ?? "all "}be right: ${list.format(rules)}.`,
};

/** Tell that something is wrong, of the service's answer about a position, with what can be done about it. */
export async function showWrong(app, answer, signal) {
  const solution = await findSolution(app, signal).catch(() => null);
  if (!signal.aborted) app.act("tell", [mending(app, answer, solution), "bad"]);
}

/** What is wrong with a position, with buttons; the nodes of a note. */
function mending(app, answer, solution) {
  const { wrong_values: values = [], wrong_eliminations: marks = [], clash, status } = answer;
  const told = h("p", {}, status === "none" ? WORDS.none : values.length + marks.length ? WORDS.wrong(values.length, new Set(marks.map(([name]) => name)).size) : WORDS.dead);
  const button = (words, press) => h("button", { class: "button", onclick: press }, words);
  const numbered = (pairs) => pairs.map(([name, value]) => [cellNamed(app.board, name), value]);
  const back = values.length + marks.length ? lastRight(app.game, numbered(values), numbered(marks), solution) : null;
  const buttons = [
    clash && button(WORDS.clash, () => showClash(app, clash, told)),
    back !== null && button(WORDS.back, () => app.act("jump", back)),
    answer.values && button(WORDS.mend, () => mend(app, answer)),
  ];
  return [told, h("div", { class: "row" }, buttons.filter(Boolean))];
}

const lacks = ({ value, centre }, mark) => value === null && centre.length > 0 && !centre.includes(mark);

/**
 * The latest entry on the way here at which nothing was wrong: every value that of the solution, and among the marks of its cell.
 * Where no single solution is known, one at which none of these values stood and no marks lacked these: [cell, value].
 */
export function lastRight({ history, states: present }, values, marks, solution = null) {
  const states = [...present];
  const strays = (state, cell) => (state.value !== null && state.value !== solution[cell]) || lacks(state, solution[cell]);
  const isWrong = () =>
    solution ? states.some(strays) : values.some(([cell, value]) => states[cell].value === value) || marks.some(([cell, value]) => lacks(states[cell], value));
  for (const entry of history.path().reverse()) {
    if (!isWrong()) return entry;
    for (const [cell, before] of [...history.entries[entry].changes].reverse()) states[cell] = before;
  }
  return 0;
}

function showClash(app, { givens, rules, candidates = [] }, told) {
  const names = [...givens, ...candidates].flatMap((text) => text.match(/r\d+c\d+/g) ?? []);
  app.board.overlay("hint", outlinedCells(app.board, new Set(names.map((name) => cellNamed(app.board, name)))));
  told.textContent = WORDS.clashing([...givens, ...candidates.map(WORDS.marksOf)], rules.map(withoutKind));
  app.say(told.textContent);
}

function mend(app, { values, candidates = {} }) {
  const byCell = (found) => new Map(Object.entries(found).map(([name, value]) => [cellNamed(app.board, name), value]));
  app.act("changed", takeOutWrong(app.game, byCell(values), byCell(candidates)));
}
