// What a step does, drawn on the board: its cells outlined, the marks that it strikes, the values that it places.

import { s } from "./dom.js";
import { outline, squares } from "./geometry.js";
import { centrePlace, fixedPlace, letter, valueSize } from "./marks.js";

/** Cells with a ground and an outline of their own. */
export function outlinedCells(board, cells) {
  const places = board.placesOf(cells);
  return places.length ? [s("path", { class: "hint-wash", d: squares(places) }), s("path", { class: "hint-cells", d: outline(places, 6) })] : [];
}

/** A value that a step places, over the marks of its cell. */
export function placedValue(board, cell, value) {
  const sign = board.sign(value);
  const ground = s("path", { class: "ground", d: squares(board.placesOf([cell])) });
  return [ground, ...outlinedCells(board, [cell]), letter(board.places[cell], 0.5, 0.5, valueSize(sign), sign, "placed")];
}

/** Placed values that rule out what a single needs to be ruled out: their cells with a broken outline. */
export function blockerMarks(board, cells) {
  const places = board.placesOf(cells);
  return places.length ? [s("path", { class: "hint-blockers", d: outline(places, 9) })] : [];
}

/** The links of a chain, of [cells, cells, kind], as lines between the middles of their cells; weak ones are broken. */
export function linkLines(board, links) {
  const middle = (cells) => {
    const places = board.placesOf(cells);
    return [1, 0].map((axis) => 100 * (places.reduce((sum, place) => sum + place[axis], 0) / places.length + 0.5)).join(" ");
  };
  return links.filter(([start, end]) => middle(start) !== middle(end)).map(([start, end, kind]) => s("path", { class: `hint-link ${kind}`, d: `M${middle(start)}L${middle(end)}` }));
}

/** One of the centre marks of a cell struck out, and still to be read; null where the value is not among them. */
export function strikeMark(board, cell, value, marks) {
  const index = marks.indexOf(value);
  if (index < 0) return null;
  const few = !board.fixed;
  const [x, y, size] = few ? centrePlace(index, marks.length) : fixedPlace(board.index(value), board.count, board.labelled(cell));
  const [row, column] = board.places[cell];
  const [across, down] = [100 * (column + x), 100 * (row + y)];
  const [wide, high] = [0.3 * size, 0.42 * size];
  const ground = s("rect", { class: "strike-ground", x: across - wide, y: down - high, width: 2 * wide, height: 2 * high, rx: 3 });
  const stroke = s("path", { class: "strike", d: `M${across - wide} ${down + high}L${across + wide} ${down - high}` });
  return s("g", {}, ground, letter([row, column], x, y, size, board.sign(value), "struck"), stroke);
}
