// What the solver shows on the board: values that may stand in each cell, and where two solutions differ.

import { cellNamed } from "./cells.js";
import { s } from "./dom.js";
import { outline } from "./geometry.js";
import { fixedPlace, RISE } from "./marks.js";

const CANDIDATE = 0.78; // the size of a candidate, in that of a mark at its place

/** The values that may stand in each cell; those that a limit left undecided are faint, and then no count is exact. */
export function candidateNodes({ board, picture }, { candidates, undecided, counts, complete }) {
  return Object.keys({ ...candidates, ...undecided }).flatMap((name) => {
    const cell = cellNamed(board, name);
    if (picture.givens[cell] !== undefined) return [];
    const [found, open] = [candidates[name] ?? [], undecided[name] ?? []];
    const values = [...found, ...open];
    const [row, column] = board.places[cell];
    return values.map((value) => {
      const [across, down, room] = fixedPlace(board.index(value), picture.values.length, board.labelled(cell));
      const [left, top, size] = values.length === 1 ? [0.5, 0.5, 58] : [across, down, CANDIDATE * room];
      const single = complete && values.length > 1 && counts?.[name]?.[value] === 1;
      const tone = open.includes(value) ? "undecided" : single ? "single" : values.length === 1 ? "forced" : "";
      return s("text", { x: 100 * (column + left), y: 100 * (row + top) + RISE * size, "font-size": size, class: `candidate ${tone}` }, board.sign(value));
    });
  });
}

/** The value whose place in a cell is the nearest to a point of the board, in cells. */
export function candidateAt({ board, picture }, cell, [x, y]) {
  const [row, column] = board.places[cell];
  const away = picture.values.map((_, index) => {
    const [left, top] = fixedPlace(index, picture.values.length, board.labelled(cell));
    return Math.hypot(x - column - left, y - row - top);
  });
  return picture.values[away.indexOf(Math.min(...away))];
}

/** The cells in which two solutions differ. */
export const differing = (one, other) => [...one.keys()].filter((cell) => one[cell] !== other[cell]);

/** Both values of each cell in which two solutions differ, with an outline around these. */
export function differenceNodes(board, one, other) {
  const cells = differing(one, other);
  const pairs = cells.flatMap((cell) => pairNodes(board.places[cell], board.sign(one[cell]), board.sign(other[cell])));
  return [s("path", { class: "hint-cells", d: outline(board.placesOf(cells), 5) }), ...pairs];
}

/** Both values of a cell in which two solutions differ, with a slash between. */
function pairNodes([row, column], one, other) {
  const [x, y] = [100 * column, 100 * row];
  return [
    s("rect", { class: "pair", x: x + 4, y: y + 4, width: 92, height: 92 }),
    s("path", { class: "slash", d: `M${x + 22} ${y + 82}L${x + 78} ${y + 18}` }),
    s("text", { class: "solA", x: x + 28, y: y + 46, "font-size": 40 }, one),
    s("text", { class: "solB", x: x + 72, y: y + 86, "font-size": 40 }, other),
  ];
}
