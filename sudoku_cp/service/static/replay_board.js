// The board of a replay: values by where they come from, the cell in question, what refutes it, and the step of a person.

import { s } from "./dom.js";
import { outline, squares } from "./geometry.js";
import { centrePlace, fixedPlace, letter, valueSize } from "./marks.js";

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
  board.highlight({ peer: scene.reason, clash: scene.clash });
  board.overlay("trace", [...rings(board, scene), ...asked(board, scene), ...strikes(board, scene), ...placed(app, scene)]);
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
  return struck.flatMap(([cell, value]) => {
    const marks = cells.get(cell)?.centre ?? [];
    const index = marks.indexOf(value);
    if (index < 0) return [];
    const [x, y, size] = board.count <= 9 ? centrePlace(index, marks.length) : fixedPlace(board.index(value), board.count, board.labelled(cell));
    const [row, column] = board.places[cell];
    const [across, down, reach] = [100 * (column + x), 100 * (row + y), 0.34 * size];
    return [s("line", { class: "strike", x1: across - reach, y1: down + reach, x2: across + reach, y2: down - reach })];
  });
}

function placed(app, { placed: values }) {
  const { board } = app;
  return values.flatMap(([cell, value]) => {
    const place = board.places[cell];
    const sign = app.sign(value);
    const ground = squares([place]);
    return [s("path", { class: "ground", d: ground }), s("path", { class: "hint-wash", d: ground }), s("path", { class: "hint-cells", d: outline([place], 6) }), letter(place, 0.5, 0.5, valueSize(sign), sign, "placed")];
  });
}
