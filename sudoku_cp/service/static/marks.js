// What stands in one cell: a value, or marks in the places that fit their number; and its colours.

import { s } from "./dom.js";

const CORNERS = [[0.17, 0.2], [0.83, 0.2], [0.17, 0.83], [0.83, 0.83], [0.5, 0.2], [0.5, 0.83], [0.17, 0.52], [0.83, 0.52], [0.5, 0.52]];
const BESIDE_LABEL = { 0: 0.51, 4: 0.67 }; // where marks at the top stand, by their index, beside a label in the top left corner
const DIGIT = 0.635; // the width of a digit, in its size
const MARK = 25; // the size of marks, the same for corners and centres, however many there are
export const RISE = 0.355; // from the middle of a digit down to its base line, in its size
export const FEW = 9; // with more values than these, each mark has a place of its own

const inLines = (count) => (count <= 5 ? [count] : [Math.ceil(count / 2), Math.floor(count / 2)]);

/** Where the centre mark of an index stands among as many: x, y (in cells) and the size of its letter. */
export function centrePlace(index, count, wide = 1) {
  const [first, second] = inLines(count);
  const line = index < first ? 0 : 1;
  const [position, many] = line ? [index - first, second] : [index, first];
  const size = wide > 1 ? Math.min(MARK, 134 / first / wide) : MARK;
  const x = 0.5 + (position - (many - 1) / 2) * size * 0.01 * DIGIT * wide;
  return [x, second ? 0.5 + (line - 0.5) * size * 0.0115 : 0.5, size];
}

/** Where the mark of the value of an index stands where each value has a place of its own: x, y and the size of its letter. */
export function fixedPlace(index, count, labelled) {
  const across = Math.ceil(Math.sqrt(count));
  const top = labelled ? 27 : 7;
  const size = Math.min(86, (93 - top) * 1.1) / across;
  const x = 0.07 + (0.86 * ((index % across) + 0.5)) / across;
  return [x, (top + ((93 - top) * (Math.floor(index / across) + 0.5)) / across) / 100, size];
}

/** The size of the letters of a value. */
export const valueSize = (sign) => (sign.length > 2 ? 38 : sign.length > 1 ? 50 : 66);

/**
 * The text of a value or mark, with its middle at a point of a cell.
 * place: [row, column]; x, y in cells; size in hundredths of a cell.
 */
export function letter([row, column], x, y, size, sign, name) {
  const at = { x: 100 * (column + x), y: 100 * (row + y) + RISE * size, "font-size": size, class: name };
  const text = s("text", at);
  text.textContent = sign;
  return text;
}

/**
 * The nodes of a cell's content, but for marks of many values, which `DenseMarks` draws.
 * board: { fixed, sign(value), labelled(cell) }; view: see Board.view.
 */
export function contentOf(board, cell, place, view) {
  if (view.value !== null) {
    const sign = board.sign(view.value);
    const name = `value ${view.kind}${view.wrong ? " wrong" : ""}`;
    return [letter(place, 0.5, 0.5, valueSize(sign), sign, name)];
  }
  return board.fixed ? [] : fewMarks(board, cell, place, view);
}

function fewMarks(board, cell, place, { corner, centre }) {
  const labelled = board.labelled(cell);
  const wide = Math.max(1, ...centre.map((value) => board.sign(value).length));
  return [
    ...corner.map((value, index) => {
      const [x, y] = CORNERS[index % CORNERS.length];
      return letter(place, labelled ? (BESIDE_LABEL[index] ?? x) : x, y, MARK, board.sign(value), "mark corner");
    }),
    ...centre.map((value, index) => {
      const [x, y, size] = centrePlace(index, centre.length, wide);
      return letter(place, x, y, size, board.sign(value), "mark centre");
    }),
  ];
}

/** The colours of a cell: one fills it, several are wedges around its middle. */
export function coloursOf([row, column], colours) {
  const [left, top] = [100 * column, 100 * row];
  if (colours.length === 1) return [s("rect", { x: left, y: top, width: 100, height: 100, class: `c${colours[0]}` })];
  return colours.map((colour, index) => {
    const corners = wedge(index / colours.length, (index + 1) / colours.length);
    return s("polygon", { points: corners.map(([x, y]) => `${left + x},${top + y}`).join(" "), class: `c${colour}` });
  });
}

/** The corners of a wedge of a square of side 100 between two shares of a turn. */
function wedge(from, to) {
  const turn = (share) => 2 * Math.PI * (share - 0.2);
  const corners = [0.125, 0.375, 0.625, 0.875, 1.125].map((share) => share + 0.2 - (share > 0.8 ? 1 : 0)); // as shares of turns
  const between = corners.filter((share) => share > from && share < to).sort((one, other) => one - other);
  const onEdge = (share) => {
    const [x, y] = [Math.cos(turn(share)), Math.sin(turn(share))];
    const far = 50 / Math.max(Math.abs(x), Math.abs(y));
    return [50 + far * x, 50 + far * y];
  };
  return [[50, 50], onEdge(from), ...between.map(onEdge), onEdge(to)];
}
