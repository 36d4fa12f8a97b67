// The board: pictures in SVG, with a canvas between for marks of many values. It draws what the service said in layers, and itself
// only what the player makes; it knows no rule.

import { h, s, set, svgNodes } from "./dom.js";
import { outline, squares } from "./geometry.js";
import { coloursOf, contentOf, FEW } from "./marks.js";
import { cellName } from "./words.js";

/** The layers, lowest first: the service's are pictures, overlays are replaced by name. Marks of many values lie below the last. */
const BASE = ["paper", "colours", "under", "wash"];
const DRAWN = ["lines", "over", "outside", "broken", "legend", "solutions", "pen", "content"]; // apart, since most keys change washes and no line
const ABOVE = ["candidates", "hint", "ghost", "trace", "selection"];
const LAYERS = [...BASE, ...DRAWN, ...ABOVE];
export const OF_SERVICE = new Set(["under", "lines", "over", "outside", "legend"]);
const RING = "clash ring"; // the wash that is an outline, and leaves colours as they are
const NEAR_MIDDLE = 0.42; // how near to the middle of a cell a drag must come to count

const NOTHING = { value: null, kind: "entered", corner: [], centre: [], colours: [], wrong: false };

export class Board {
  /** What a cell shows: { value, kind, corner, centre, colours, wrong }, where kind is a class name; a mode may replace it. */
  view = () => NOTHING;
  /** The sign of a value; symbols of one's own replace it. */
  sign = (value) => this.picture.signs[this.index(value)];

  /** element: the focus of the keyboard, which holds the pictures. */
  constructor(element) {
    this.element = element;
    this.layers = Object.fromEntries(LAYERS.map((name) => [name, s("g", { id: `layer-${name}`, class: OF_SERVICE.has(name) ? `pic ${name}` : name })]));
    const sheet = (name, layers) => s("svg", { class: name, "aria-hidden": "true" }, layers.map((layer) => this.layers[layer]));
    [this.svg, this.drawn, this.above] = [sheet("base", BASE), sheet("drawn", DRAWN), sheet("above", ABOVE)];
    this.grid = s("svg", { class: "names", role: "presentation" });
    this.canvas = h("canvas", { "aria-hidden": "true" });
    element.append(this.svg, this.drawn, this.canvas, this.above, this.grid);
    new ResizeObserver(() => this.measure()).observe(element);
    new MutationObserver(() => this.#drawDense()).observe(document.documentElement, { attributeFilter: ["data-theme"] });
  }

  /** Draw a puzzle from the beginning. picture: the layers of /v1/picture. */
  draw(picture) {
    this.picture = picture;
    this.view = () => NOTHING; // until the mode has one for this puzzle
    this.places = picture.cells;
    this.count = picture.signs.length;
    this.at = new Map(this.places.map((place, cell) => [String(place), cell]));
    this.indices = new Map(picture.values.map((value, index) => [value, index]));
    this.labels = new Set(picture.labelled);
    this.element.style.setProperty("--shape", `${picture.box[2]} / ${picture.box[3]}`);
    this.element.style.setProperty("--across", picture.box[2] / 100);
    this.layers.paper.replaceChildren(s("path", { d: squares(this.places), class: "ground" }));
    for (const name of OF_SERVICE) this.layers[name].replaceChildren(...svgNodes(picture[name]));
    for (const name of LAYERS) if (!OF_SERVICE.has(name) && name !== "paper") this.layers[name].replaceChildren();
    this.contents = this.places.map(() => s("g"));
    this.colours = this.places.map(() => s("g"));
    this.layers.content.append(...this.contents);
    this.layers.colours.append(...this.colours);
    this.#makeNames();
    this.measures = null;
    if (this.fixed) this.#loadDense();
    this.patch();
    this.look(picture.box);
  }

  /** Show a part of the board, or all of it; box: [left, top, width, height] in hundredths of a cell. */
  look(box) {
    this.box = box;
    for (const svg of [this.svg, this.drawn, this.above, this.grid]) set(svg, { viewBox: box.join(" ") });
    this.measure();
  }

  /** Show in place of one layer of the service other elements of its kind, such as after an edit. */
  redraw(picture) {
    for (const name of OF_SERVICE) {
      if (this.picture[name] !== picture[name]) this.layers[name].replaceChildren(...svgNodes(picture[name]));
    }
    this.picture = picture;
    this.labels = new Set(picture.labelled);
    this.patch();
    this.look(picture.box);
  }

  /** The pixels of a cell; 0 while nothing is shown. */
  get unit() {
    return this.measures?.side ?? 0;
  }

  /** Whether each mark has a place of its own, as with many values it must. */
  get fixed() {
    return this.fixedMarks || this.count > FEW;
  }

  /** Give each mark a place of its own, or not; the next patch of all shows it. */
  fixMarks(fixed) {
    this.fixedMarks = fixed;
    if (this.fixed) this.#loadDense();
  }

  index(value) {
    return this.indices.get(value);
  }

  labelled(cell) {
    return this.labels.has(cell);
  }

  /** What is said of a cell besides its content; play adds what the rules still need. */
  spoken = (cell) => this.picture.spoken[cell] ?? [];

  /** A cell as it is read aloud, with the rules that speak of it. */
  nameOf(cell, view = this.view(cell)) {
    return [cellName(this.places[cell], view, this.sign), ...this.spoken(cell)].join("; ");
  }

  /** Draw the content of some cells again, or of all. */
  patch(cells) {
    if (!cells) this.dense?.begin();
    for (const cell of cells ?? this.places.keys()) {
      const view = this.view(cell);
      const place = this.places[cell];
      this.contents[cell].replaceChildren(...contentOf(this, cell, place, view));
      if (view.colours.length || this.colours[cell].firstChild) this.colours[cell].replaceChildren(...coloursOf(place, view.colours));
      set(this.names[cell], { "aria-label": this.nameOf(cell, view) });
      this.dense?.draw(cell, view);
    }
  }

  /** Wash grounds of cells; groups: { class name: cells }, those of the last call go. What stays the same is not painted again. */
  highlight(groups) {
    const before = new Map([...this.layers.wash.children].map((path) => [path.getAttribute("class"), path]));
    const paths = Object.entries(groups)
      .map(([name, cells]) => [name, [...cells]])
      .filter(([, cells]) => cells.length)
      .map(([name, cells]) => set(before.get(name) ?? s("path", { class: name }), { d: (name === RING ? outline : squares)(this.placesOf(cells), 6) }));
    const stay = paths.length === before.size && paths.every((path, index) => path === this.layers.wash.children[index]);
    if (!stay) this.layers.wash.replaceChildren(...paths);
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
    set(this.element, { "aria-activedescendant": cursor === null ? null : `cell${cursor}` });
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

  /** The cells as a grid for readers of the screen: unseen squares with names, in rows. */
  #makeNames() {
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
  }

  /** Measure where the board lies on the screen; dense marks are drawn for just that. */
  measure() {
    const matrix = this.picture && this.svg.getScreenCTM();
    if (!matrix) return;
    const { left, top, width, height } = this.element.getBoundingClientRect();
    const measures = { left: matrix.e - left, top: matrix.f - top, side: 100 * matrix.a, width, height };
    if (JSON.stringify(measures) === JSON.stringify(this.measures)) return;
    this.measures = measures;
    this.dense?.fit(measures);
    this.#drawDense();
  }

  /** Load what draws the marks of many values, once; where it cannot be had, the next board tries again. */
  async #loadDense() {
    const loaded = this.dense ? null : await import("./dense_marks.js").catch(() => null);
    if (loaded) this.dense ??= new loaded.DenseMarks(this.canvas, this);
    if (!this.dense) return;
    this.measures = null;
    this.measure();
  }

  #drawDense() {
    if (!this.dense?.used) return;
    this.dense.begin();
    for (const cell of this.places.keys()) this.dense.draw(cell, this.view(cell));
  }
}
