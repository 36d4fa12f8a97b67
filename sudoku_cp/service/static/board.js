// The board: one SVG. It draws what the service said in layers, and itself only what the player makes; it knows no rule.

import { s, set, svgNodes } from "./dom.js";
import { outline, squares } from "./geometry.js";
import { coloursOf, contentOf } from "./marks.js";
import { cellName } from "./words.js";

/** The layers, lowest first; those of the service are pictures, overlays are replaced by name. */
const LAYERS = ["paper", "colours", "under", "wash", "lines", "over", "outside", "legend", "solutions", "content", "candidates", "hint", "ghost", "trace", "selection"];
const OF_SERVICE = new Set(["under", "lines", "over", "outside", "legend"]);
const NEAR_MIDDLE = 0.42; // how near to the middle of a cell a drag must come to count
const NEAR_EDGE = 0.25;
const NEAR_CORNER = 0.22;

const NOTHING = { value: null, kind: "entered", corner: [], centre: [], colours: [], wrong: false };

export class Board {
  /** What a cell shows: { value, kind, corner, centre, colours, wrong }, where kind is a class name; a mode may replace it. */
  view = () => NOTHING;
  /** The sign of a value; symbols of one's own replace it. */
  sign = (value) => this.picture.signs[this.index(value)];

  constructor(svg) {
    this.svg = svg;
    this.layers = Object.fromEntries(LAYERS.map((name) => [name, s("g", { class: OF_SERVICE.has(name) ? `pic ${name}` : name })]));
    this.grid = s("g", { class: "names" });
    this.resized = new ResizeObserver(() => this.#measure());
    this.resized.observe(svg);
  }

  /** Draw a puzzle from the beginning. picture: the layers of /v1/picture. */
  draw(picture) {
    this.picture = picture;
    this.places = picture.cells;
    this.count = picture.signs.length;
    this.at = new Map(this.places.map((place, cell) => [String(place), cell]));
    this.indices = new Map(picture.values.map((value, index) => [value, index]));
    this.labels = new Set(picture.labelled);
    this.unit = 0;
    set(this.svg, { viewBox: picture.box.join(" ") });
    this.svg.style.setProperty("--shape", `${picture.box[2]} / ${picture.box[3]}`);
    this.layers.paper.replaceChildren(s("path", { d: squares(this.places), class: "ground" }));
    for (const name of OF_SERVICE) this.layers[name].replaceChildren(...svgNodes(picture[name]));
    for (const name of LAYERS) if (!OF_SERVICE.has(name) && name !== "paper") this.layers[name].replaceChildren();
    this.contents = this.places.map(() => s("g"));
    this.colours = this.places.map(() => s("g"));
    this.layers.content.append(...this.contents);
    this.layers.colours.append(...this.colours);
    this.svg.replaceChildren(...LAYERS.map((name) => this.layers[name]), this.#names());
    this.#measure();
    this.patch();
  }

  /** Show in place of one layer of the service other elements of its kind, such as after an edit. */
  redraw(picture) {
    for (const name of OF_SERVICE) {
      if (this.picture[name] !== picture[name]) this.layers[name].replaceChildren(...svgNodes(picture[name]));
    }
    this.picture = picture;
    this.labels = new Set(picture.labelled);
    set(this.svg, { viewBox: picture.box.join(" ") });
    this.patch();
  }

  index(value) {
    return this.indices.get(value);
  }

  labelled(cell) {
    return this.labels.has(cell);
  }

  /** Draw the content of some cells again, or of all. */
  patch(cells = this.places.keys()) {
    for (const cell of cells) {
      const view = this.view(cell);
      const place = this.places[cell];
      this.contents[cell].replaceChildren(...contentOf(this, cell, place, view));
      if (view.colours.length || this.colours[cell].firstChild) this.colours[cell].replaceChildren(...coloursOf(place, view.colours));
      set(this.names[cell], { "aria-label": cellName(place, view, this.sign) });
    }
  }

  /** Wash grounds of cells; groups: { class name: cells }, those of the last call go. */
  highlight(groups) {
    const paths = Object.entries(groups)
      .map(([name, cells]) => [name, [...cells]])
      .filter(([, cells]) => cells.length)
      .map(([name, cells]) => s("path", { class: name, d: squares(this.placesOf(cells)) }));
    this.layers.wash.replaceChildren(...paths);
  }

  /** Put nodes of SVG into one of the overlays (solutions, candidates, hint, ghost, trace), or clear it. */
  overlay(name, nodes) {
    this.layers[name].replaceChildren(...(nodes ?? []));
  }

  /** Outline the selected cells, and mark that of the cursor. */
  select(cells, cursor) {
    const nodes = cells.size ? [s("path", { class: "outline", d: outline(this.placesOf(cells), 4.5) })] : [];
    if (cursor !== null && cells.size > 1) nodes.push(s("path", { class: "cursor", d: outline(this.placesOf([cursor]), 13) }));
    this.layers.selection.replaceChildren(...nodes);
    for (const cell of this.selected ?? []) if (!cells.has(cell)) set(this.names[cell], { "aria-selected": null });
    for (const cell of cells) set(this.names[cell], { "aria-selected": "true" });
    this.selected = [...cells];
    set(this.svg, { "aria-activedescendant": cursor === null ? null : `cell${cursor}` });
  }

  placesOf(cells) {
    return [...cells].map((cell) => this.places[cell]);
  }

  /** Where the client's point lies on the board, in cells. */
  point(x, y) {
    const inverse = this.svg.getScreenCTM().inverse();
    const found = new DOMPoint(x, y).matrixTransform(inverse);
    return [found.x / 100, found.y / 100];
  }

  /** The cell at the client's point: { cell, near } (null if there is none; near: close to its middle). */
  cellAt(x, y) {
    const [across, down] = this.point(x, y);
    const cell = this.at.get(`${Math.floor(down)},${Math.floor(across)}`) ?? null;
    return { cell, near: Math.hypot((across % 1) - 0.5, (down % 1) - 0.5) < NEAR_MIDDLE };
  }

  /**
   * Everything that lies at the client's point: { x, y, row, column, cell, near, edge: [cell, cell], corner: [cells], outside },
   * each null where it does not apply; `outside` is the [row, column] of a place without a cell.
   */
  placeAt(x, y) {
    const [across, down] = this.point(x, y);
    const [row, column] = [Math.floor(down), Math.floor(across)];
    const here = { x: across, y: down, row, column, ...this.cellAt(x, y) };
    const cellOf = (r, c) => this.at.get(`${r},${c}`) ?? null;
    const [meetRow, meetColumn] = [Math.round(down), Math.round(across)];
    const [aside, away] = [Math.abs(across - meetColumn), Math.abs(down - meetRow)];
    const around = [[-1, -1], [-1, 0], [0, -1], [0, 0]].map(([r, c]) => cellOf(meetRow + r, meetColumn + c)).filter((cell) => cell !== null);
    const corner = Math.hypot(aside, away) < NEAR_CORNER && around.length > 1 ? around : null;
    const sides = aside < away ? [cellOf(row, meetColumn - 1), cellOf(row, meetColumn)] : [cellOf(meetRow - 1, column), cellOf(meetRow, column)];
    const edge = Math.min(aside, away) < NEAR_EDGE && !sides.includes(null) ? sides : null;
    return { ...here, corner, edge, outside: here.cell === null ? [row, column] : null };
  }

  /** The cells as a grid for readers of the screen: unseen squares with names, in rows. */
  #names() {
    this.names = this.places.map(([row, column], cell) => {
      const square = { x: 100 * column, y: 100 * row, width: 100, height: 100, role: "gridcell", id: `cell${cell}` };
      return s("rect", { ...square, "aria-colindex": column + 1 });
    });
    const rows = new Map();
    this.places.forEach(([row], cell) => {
      if (!rows.has(row)) rows.set(row, s("g", { role: "row", "aria-rowindex": row + 1 }));
      rows.get(row).append(this.names[cell]);
    });
    this.grid.replaceChildren(...rows.values());
    return this.grid;
  }

  /** Measure the pixels of a cell; marks change their form with them. */
  #measure() {
    if (!this.picture) return;
    const matrix = this.svg.getScreenCTM();
    const unit = matrix ? 100 * matrix.a : 0;
    const before = this.unit;
    this.unit = unit;
    if (this.count > 9 && Math.abs(unit - before) > 1 && this.contents) this.patch();
  }
}
