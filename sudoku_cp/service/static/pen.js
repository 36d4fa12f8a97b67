// The pen: lines through cells or along their edges, crosses and circles on cells and edges, letters in cells. They mean nothing to
// the rules.
//
// A mark has a name: its shape and its points, such as "line 1,1 1,3", "cross 2,1" or "letter A 1,1". Points count half cells down and right from
// the board's corner: cells have odd numbers, corners even ones, the middle of an edge one of each. `play.py` reads them too.

import { path } from "./cells.js";
import { h, listen, s } from "./dom.js";
import { letter as signAt } from "./marks.js";
import { PEN_LETTER } from "./playwords.js";

const MIDDLE = 0.27; // how far from the middle of a cell a press still means the cell, and not its edge, in cells
const NEAR_CORNER = 0.35; // how near a drag along edges must come to a corner
const SPOTS = ["cross", "circle"]; // what presses on one spot bring, in order; then nothing
const SIZES = { cell: { cross: 26, circle: 34 }, edge: { cross: 11, circle: 13 } }; // half of their width, in hundredths of a cell

const order = ([row, column], [otherRow, otherColumn]) => row - otherRow || column - otherColumn;
const lineMark = (...points) => `line ${points.sort(order).join(" ")}`;
const spotMark = (shape, point) => `${shape} ${point}`;
const pointsOf = (mark) => mark.match(/\d+,\d+/g).map((point) => point.split(",").map(Number));
const middleOf = ([row, column]) => [2 * row + 1, 2 * column + 1];

/** Where a press or a drag is, in cells: the spot that a press means, the node of each kind of line that is near enough, or null. */
function placeOf({ at, places }, across, down) {
  const [row, column] = [Math.floor(down), Math.floor(across)];
  const [aside, away] = [across - column - 0.5, down - row - 0.5];
  const cell = at.get(`${row},${column}`) ?? null;
  const inside = Math.max(Math.abs(aside), Math.abs(away)) < MIDDLE;
  const edge = Math.abs(aside) > Math.abs(away) ? [2 * row + 1, 2 * column + 1 + Math.sign(aside)] : [2 * row + 1 + Math.sign(away), 2 * column + 1];
  const corner = [Math.round(down), Math.round(across)];
  const atCorner = Math.hypot(across - corner[1], down - corner[0]) < NEAR_CORNER;
  return { cell, inside, spot: inside ? middleOf(places[cell] ?? [row, column]) : edge, corner: corner.map((axis) => 2 * axis), atCorner };
}

/** The corners on the way from one to another along edges, without the first. */
function cornersBetween([row, column], [lastRow, lastColumn]) {
  const found = [];
  while (row !== lastRow || column !== lastColumn) {
    if (Math.abs(lastRow - row) >= Math.abs(lastColumn - column)) row += 2 * Math.sign(lastRow - row);
    else column += 2 * Math.sign(lastColumn - column);
    found.push([row, column]);
  }
  return found;
}

/** The colours that a press on a spot brings: a cross, then a circle, then nothing; one in another colour takes this one first. */
function turnSpot(pen, point, colour) {
  const [cross, circle] = SPOTS.map((shape) => spotMark(shape, point));
  const present = [cross, circle].find((mark) => pen.has(mark));
  if (present === undefined || pen.get(present) !== colour) return new Map([[present ?? cross, colour]]);
  return new Map([[present, null], ...(present === cross ? [[circle, colour]] : [])]);
}

/** The colours by which cells, by their middles, get a letter in place of another; it goes where all of them have it in this colour. */
function turnLetter(pen, sign, points, colour) {
  const mark = (point) => `letter ${sign} ${point}`;
  const gone = points.every((point) => pen.get(mark(point)) === colour);
  const others = [...pen.keys()].filter((name) => name.startsWith("letter ") && points.some((point) => name.endsWith(` ${point}`)));
  return new Map([...others.map((name) => [name, null]), ...points.map((point) => [mark(point), gone ? null : colour])]);
}

/** A stroke of the pen, from node to node; what it meets first in its own colour it erases, all the way. */
class Stroke {
  marks = new Map(); // the next colours

  constructor(pen, colour, node) {
    Object.assign(this, { pen, colour, nodes: [node], erasing: null });
  }

  /** Go on to the next node, but over no gap; going back takes the last part back. */
  to(node) {
    if (node.some((axis, index) => Math.abs(axis - this.nodes.at(-1)[index]) > 2)) return false;
    const mark = lineMark(this.nodes.at(-1), node);
    if (String(node) === String(this.nodes.at(-2))) {
      this.nodes.pop();
      return this.marks.delete(mark);
    }
    this.erasing ??= this.pen.get(mark) === this.colour;
    this.nodes.push(node);
    return this.marks.set(mark, this.erasing ? null : this.colour);
  }
}

/** Let the pen draw while it is chosen; returns a function that ends it. */
export function pen(app) {
  const { board } = app;
  const { element } = board;
  let drag = null; // { place, stroke }
  const field = h("input", { maxlength: 1, autocomplete: "off", autocapitalize: "characters", oninput: () => (field.value = field.value.replace(/[^a-z]/gi, "").toUpperCase()) });
  const asked = h("label", { class: "pen-letter", hidden: true }, field, PEN_LETTER);
  document.querySelector(".padcard").append(asked);
  const followMode = () => (asked.hidden = app.inputMode !== "pen");

  const show = () => board.overlay("pen", app.game ? penMarks(board, new Map([...app.game.pen, ...(drag?.stroke?.marks ?? [])]), (cell) => app.game.value(cell) === null) : null);

  /** Add an entry with the next colours of marks. */
  function draw(marks, shape, cells = [], sign = "") {
    const { game, selection } = app;
    const before = game.history.at;
    game.apply([], selection.list(), { kind: "pen", shape, cells, ...(sign && { letter: sign }) }, marks);
    if (game.history.at === before) return show();
    app.act("changed", []);
    app.act("say-entry");
  }

  const placeAt = (event) => placeOf(board, ...board.point(event.clientX, event.clientY));

  function down(event) {
    if (event.button > 0 || app.inputMode !== "pen" || !app.game || app.paused) return;
    element.focus({ preventScroll: true });
    element.setPointerCapture(event.pointerId);
    drag = { place: placeAt(event), stroke: null };
  }

  function move(event) {
    if (!drag) return;
    const begun = drag.place;
    const place = placeAt(event);
    if (begun.inside) along(board.cellAt(event.clientX, event.clientY).near ? place.cell : null, begun.cell);
    else if (place.atCorner && touched(board, begun.corner)) through([place.corner], begun.corner, (from, to) => cornersBetween(from, to).filter((corner) => touched(board, corner)));
  }

  /** Go on to a cell. */
  function along(cell, first) {
    if (cell === null || first === null) return;
    drag.cell ??= first;
    if (cell === drag.cell) return;
    const way = path(board, drag.cell, cell);
    drag.cell = cell;
    through(way.map((one) => middleOf(board.places[one])), middleOf(board.places[first]), (_, to) => [to]);
  }

  /** Go on to nodes, each by the way that leads there. */
  function through(nodes, first, way) {
    for (const node of nodes) {
      const steps = way(drag.stroke?.nodes.at(-1) ?? first, node);
      if (steps.length) drag.stroke ??= new Stroke(app.game.pen, app.penColour, first);
      for (const step of steps) drag.stroke.to(step);
    }
    show();
  }

  function up() {
    if (!drag) return;
    const { place, stroke, cell } = drag;
    drag = null;
    if (stroke) draw(stroke.marks, "line", cell === undefined ? [] : [place.cell, cell]);
    else if (field.value && place.inside && place.cell !== null) write(field.value, [place.cell]);
    else if (touched(board, place.spot)) turn(place.spot, place.cell === null ? [] : [place.cell]);
  }

  function turn(spot, cells) {
    const marks = turnSpot(app.game.pen, spot, app.penColour);
    draw(marks, [...marks.keys()].at(-1).split(" ")[0], cells);
  }

  /** Write a letter into cells, or take it out. */
  function write(sign, cells) {
    draw(turnLetter(app.game.pen, sign, cells.map((cell) => middleOf(board.places[cell])), app.penColour), "letter", cells.slice(0, 2), sign);
  }

  const cancel = () => ((drag = null), show());

  /** Erase the marks that touch cells, or all where there are none. */
  function clear(cells) {
    const places = cells.map((cell) => middleOf(board.places[cell]));
    const touches = (mark) => !places.length || pointsOf(mark).some(([row, column]) => places.some(([r, c]) => Math.abs(r - row) < 2 && Math.abs(c - column) < 2));
    draw([...app.game.pen.keys()].filter(touches).map((mark) => [mark, null]));
  }

  const stops = [
    listen(element, { pointerdown: down, pointermove: move, pointerup: up, pointercancel: cancel }),
    app.listen({ game: show, puzzle: cancel, input: followMode }),
    app.register({ "pen-clear": clear, "pen-key": (event) => onLetter(app, event, write) || onKey(app, event, draw, turn) }),
  ];
  show();
  followMode();
  return () => (stops.forEach((stop) => stop()), asked.remove(), board.overlay("pen", null));
}

/** Whether a point lies on a cell, its edge or its corner. */
function touched({ at }, [row, column]) {
  const around = (axis) => (axis % 2 ? [(axis - 1) / 2] : [axis / 2 - 1, axis / 2]);
  return around(row).some((r) => around(column).some((c) => at.has(`${r},${c}`)));
}

/** Shift and a letter writes it into the selected cells while the pen is chosen. */
function onLetter(app, event, write) {
  const fits = app.chosenMode === "pen" && event.shiftKey && !event.ctrlKey && !event.metaKey && !event.altKey && /^[a-z]$/i.test(event.key);
  if (!fits || !app.selection.cells.size || app.paused) return false;
  write(event.key.toUpperCase(), app.selection.list());
  return true;
}

/** The pen by keyboard: Shift and an arrow draws a line to the next cell, Ctrl and an arrow along the edge, Enter a cross or a circle. */
function onKey(app, event, draw, turn) {
  const { cursor, places } = app.selection;
  if (app.chosenMode !== "pen" || cursor === null || app.paused || event.altKey) return false;
  const middle = middleOf(places[cursor]);
  if (event.key === "Enter") return turn(middle, [cursor]), true;
  const way = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[event.key];
  const [shift, ctrl] = [event.shiftKey, event.ctrlKey || event.metaKey];
  if (!way || shift === ctrl) return false;
  const ends = ctrl ? [-1, 1].map((side) => middle.map((axis, index) => axis + (way[index] || side))) : [middle, middle.map((axis, index) => axis + 2 * way[index])];
  const next = app.selection.at.get(String(places[cursor].map((axis, index) => axis + way[index])));
  if (shift && next === undefined) return true;
  const mark = lineMark(...ends);
  draw(new Map([[mark, app.game.pen.get(mark) === app.penColour ? null : app.penColour]]), "line", shift ? [cursor, next] : [cursor]);
  if (shift) app.selection.only(next);
  return true;
}

/** Marks of the pen, by name, in their colours: a path for each colour, and letters, which make room where a cell is not free. */
export function penMarks(board, marks, isFree) {
  const paths = new Map();
  const letters = [];
  for (const [mark, colour] of marks) {
    if (colour === null) continue;
    if (mark.startsWith("letter ")) letters.push(letterOf(board, isFree, mark, colour));
    else paths.set(colour, `${paths.get(colour) ?? ""}${pathOf(mark)}`);
  }
  return [...[...paths].map(([colour, d]) => s("path", { class: `ink c${colour}`, d })), ...letters];
}

function letterOf(board, isFree, mark, colour) {
  const [row, column] = pointsOf(mark)[0].map((axis) => (axis - 1) / 2);
  const [x, y, size] = isFree(board.at.get(`${row},${column}`)) ? [0.5, 0.5, 56] : [0.82, 0.19, 26];
  return signAt([row, column], x, y, size, mark.split(" ")[1], `ink-letter c${colour}`);
}

/** A mark as the data of a path, in hundredths of a cell. */
function pathOf(mark) {
  const shape = mark.split(" ")[0];
  const points = pointsOf(mark);
  const [[y, x]] = points.map(([row, column]) => [50 * row, 50 * column]);
  if (shape === "line") return `M${x} ${y}L${50 * points[1][1]} ${50 * points[1][0]}`;
  const size = SIZES[points[0].every((axis) => axis % 2) ? "cell" : "edge"][shape];
  if (shape === "circle") return `M${x - size} ${y}a${size} ${size} 0 1 0 ${2 * size} 0a${size} ${size} 0 1 0 ${-2 * size} 0z`;
  return `M${x - size} ${y - size}l${2 * size} ${2 * size}m0 ${-2 * size}l${-2 * size} ${2 * size}`;
}
