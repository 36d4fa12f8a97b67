// What to do when something that was entered is wrong: see what clashes, go back to where all was right, or take the wrong away.
// How many things are wrong is told first, and which of them only to those who ask.

import { h, s } from "./dom.js";
import { outline, squares } from "./geometry.js";
import { list, plural, shortName } from "./words.js";

const WORDS = {
  wrong: (values, marks) => `${list.format([values && plural(values, "value"), marks && `marks of ${plural(marks, "cell")}`].filter(Boolean))} ${values + marks === 1 && values ? "is" : "are"} wrong.`,
  dead: "No solution has all that is entered.",
  none: "The puzzle has no solution, whatever is entered.",
  clash: "Show the smallest clash",
  back: "Undo to where it was right",
  mend: "Take out what is wrong",
  marksOf: (name) => `the marks of ${name}`,
  clashing: (things, rules) => `${list.format(things)} cannot ${things.length > 1 ? "all " : ""}be right, by ${list.format(rules)}.`,
};

/** What is wrong with a position, of the service's answer about it, with buttons; the nodes of a note. */
export function mending(app, answer) {
  const { wrong_values: values = [], wrong_eliminations: marks = [], clash, status } = answer;
  const told = h("p", {}, status === "none" ? WORDS.none : values.length + marks.length ? WORDS.wrong(values.length, new Set(marks.map(([name]) => name)).size) : WORDS.dead);
  const button = (words, press) => h("button", { class: "button", onclick: press }, words);
  const numbered = numbering(app);
  const back = values.length + marks.length ? lastRight(app.game, numbered(values), numbered(marks)) : null;
  const buttons = [
    clash && button(WORDS.clash, () => showClash(app, clash, told)),
    back !== null && button(WORDS.back, () => app.act("jump", back)),
    answer.values && button(WORDS.mend, () => mend(app, answer)),
  ];
  return [told, h("div", { class: "row" }, buttons.filter(Boolean))];
}

const lacks = ({ value, centre }, mark) => value === null && centre.length > 0 && !centre.includes(mark);

/** The latest entry on the way here at which none of these values stood, and no cell with marks lacked these: [cell, value]. */
export function lastRight({ history, states: present }, values, marks) {
  const states = [...present];
  const isWrong = () => values.some(([cell, value]) => states[cell].value === value) || marks.some(([cell, value]) => lacks(states[cell], value));
  for (const entry of history.path().reverse()) {
    if (!isWrong()) return entry;
    for (const [cell, before] of [...history.entries[entry].changes].reverse()) states[cell] = before;
  }
  return 0;
}

const cellsByName = (app) => new Map(app.picture.cells.map((place, cell) => [shortName(place), cell]));

/** A function from lists of [name of a cell, value] to lists of [cell, value]. */
function numbering(app) {
  const named = cellsByName(app);
  return (pairs) => pairs.map(([name, value]) => [named.get(name), value]);
}

function showClash(app, { givens, rules, candidates = [] }, told) {
  const names = [...givens, ...candidates].flatMap((text) => text.match(/r\d+c\d+/g) ?? []);
  const named = cellsByName(app);
  const places = app.board.placesOf(new Set(names.map((name) => named.get(name))));
  app.board.overlay("hint", [s("path", { class: "hint-wash", d: squares(places) }), s("path", { class: "hint-cells", d: outline(places, 6) })]);
  told.textContent = WORDS.clashing([...givens, ...candidates.map(WORDS.marksOf)], rules);
  app.say(told.textContent);
}

function mend(app, { values, candidates = {} }) {
  const named = cellsByName(app);
  const byCell = (found) => new Map(Object.entries(found).map(([name, value]) => [named.get(name), value]));
  app.act("changed", app.game.mend(byCell(values), byCell(candidates)).changed);
}
