// The board of a replay: values by where they come from, the cell in question, what refutes it, and the step of a person.

import { s } from "./dom.js";
import { outline } from "./geometry.js";
import { penMarks } from "./pen.js";
import { blockerMarks, linkLines, placedValue, strikeMark } from "./step_marks.js";

const RING = 41; // radius in hundredths of a cell
const BARE = { value: null, kind: "entered", corner: [], centre: [], colours: [], wrong: false };

/** Show a scene of a walk on the board in place of the game. */
export function showScene(app, scene) {
  const { board, picture } = app;
  const clashing = new Set(scene.clash);
  board.view = (cell) => {
    const given = picture.givens[cell];
    const shown = given === undefined ? { ...BARE, ...scene.cells.get(cell) } : { ...BARE, value: given, kind: "given" };
    return { ...shown, wrong: clashing.has(cell) && shown.value !== null && given === undefined };
  };
  board.patch();
  board.overlay("pen", penMarks(board, scene.inked, (cell) => board.view(cell).value === null));
  board.highlight({ peer: scene.reason, clash: scene.clash });
  board.overlay("trace", [...rings(board, scene), ...asked(board, scene), ...blockerMarks(board, scene.blockers), ...linkLines(board, scene.links), ...strikes(board, scene), ...scene.placed.flatMap(([cell, value]) => placedValue(board, cell, value))]);
}

function rings(board, { cells }) {
  const guessed = [...cells].filter(([, { kind }]) => kind === "guess");
  return board.placesOf(guessed.map(([cell]) => cell)).map(([row, column]) => s("circle", { class: "ring", cx: 100 * column + 50, cy: 100 * row + 50, r: RING }));
}

function asked(board, scene) {
  const places = board.placesOf(scene.asked);
  return places.length ? [s("path", { class: "hint-cells", d: outline(places, 6) })] : [];
}

function strikes(board, { cells, strikes: struck }) {
  return struck.map(([cell, value]) => strikeMark(board, cell, value, cells.get(cell)?.centre ?? [])).filter(Boolean);
}
