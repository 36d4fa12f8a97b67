// Marks that have a place of their own each: on boards of many values, and on others by a setting. There are thousands, so they are drawn on a canvas: a sheet
// of signs is made once for a size, and a mark is a piece of it. Elements of SVG took a tenth of a second for each key.

import { FEW, fixedPlace, RISE } from "./marks.js";

const READABLE = 7; // the smallest letter in pixels
const MOST_IN_CELLS = 25; // with more values than these, marks show in the loupe only
const WEIGHTS = { centre: 450, corner: 700 };
const HALO = 0.3; // the width of the ground around a letter, in its size
const BAR = { left: 0.14, top: 0.81, width: 0.72, height: 0.08, alpha: 0.75 };

/** The smallest cell, in pixels, in which marks of so many values can be read. */
const leastCell = (count) => (100 * READABLE) / fixedPlace(0, count, false)[2];

/** Whether all marks can be read on the board as it is shown now. */
export const readable = ({ count, unit }) => count <= FEW || (count <= MOST_IN_CELLS && unit >= leastCell(count));

export class DenseMarks {
  /** board: { picture, places, count, sign(value), index(value), labelled(cell) }; with more values than `most` nothing is drawn. */
  constructor(canvas, board, most = MOST_IN_CELLS) {
    Object.assign(this, { canvas, board, most, paper: canvas.getContext("2d") });
  }

  /** Whether the present puzzle has marks of this kind. */
  get used() {
    return this.board.fixed && this.board.count <= this.most;
  }

  /**
   * Take other measures: `side` of a cell and `left` and `top` of the board's origin, in pixels of the page within the canvas.
   * All marks are gone, and are to be drawn again.
   */
  fit({ left, top, side, width, height }) {
    const ratio = devicePixelRatio || 1;
    Object.assign(this.canvas, this.used ? { width: Math.round(ratio * width), height: Math.round(ratio * height) } : { width: 0, height: 0 });
    Object.assign(this, { left: ratio * left, top: ratio * top, side: ratio * side, ratio });
    this.begin();
  }

  /** Forget the signs, which may have another form or colour now. */
  begin() {
    this.sheets = new Map();
    const style = getComputedStyle(this.canvas);
    this.look = { ink: style.getPropertyValue("--mark"), ground: style.getPropertyValue("--paper"), family: style.fontFamily };
    this.paper.clearRect(0, 0, this.canvas.width, this.canvas.height);
  }

  /** Draw the marks of a cell in place of those before; view: see `Board.view`. */
  draw(cell, { value, corner, centre }) {
    if (!this.used || !this.side) return;
    const [row, column] = this.board.places[cell];
    const [x, y] = [this.left + this.side * column, this.top + this.side * row];
    this.paper.clearRect(Math.floor(x), Math.floor(y), Math.ceil(this.side) + 1, Math.ceil(this.side) + 1);
    const marks = value === null ? [...new Set([...corner, ...centre])] : [];
    if (!marks.length) return;
    if (this.side / this.ratio < leastCell(this.board.count)) return this.#bar(x, y, marks.length);
    for (const mark of marks) this.#mark(x, y, cell, mark, corner.includes(mark) ? "corner" : "centre", marks.length === 1 && this.board.count > FEW);
  }

  /** A bar as long as the share of values that is left. */
  #bar(x, y, count) {
    const { paper, side, look } = this;
    const height = BAR.height * side;
    paper.globalAlpha = BAR.alpha;
    paper.fillStyle = look.ink;
    paper.beginPath();
    paper.roundRect(x + BAR.left * side, y + BAR.top * side, (BAR.width * side * count) / this.board.count, height, height / 2);
    paper.fill();
    paper.globalAlpha = 1;
  }

  /** A mark at its place; one that is alone stands in the middle, twice as large. */
  #mark(x, y, cell, value, kind, alone) {
    const { board, side } = this;
    const index = board.index(value);
    const [across, down, size] = fixedPlace(index, board.count, board.labelled(cell));
    const { picture, tile } = this.#sheet(kind, (alone ? 2 : 1) * size);
    const [middle, height] = alone ? [0.5, 0.5] : [across, down];
    const at = [Math.round(x + side * middle - tile / 2), Math.round(y + side * height - tile / 2)];
    this.paper.drawImage(picture, tile * index, 0, tile, tile, ...at, tile, tile);
  }

  /** All signs in a row, each in the middle of a square of `tile` pixels; size in hundredths of a cell. */
  #sheet(kind, size) {
    const key = `${kind} ${size}`;
    if (this.sheets.has(key)) return this.sheets.get(key);
    const { values } = this.board.picture;
    const pixels = (size * this.side) / 100;
    const tile = Math.ceil(1.5 * pixels);
    const picture = Object.assign(document.createElement("canvas"), { width: tile * values.length, height: tile });
    const paper = picture.getContext("2d");
    Object.assign(paper, { textAlign: "center", lineJoin: "round", lineWidth: HALO * pixels, fillStyle: this.look.ink, strokeStyle: this.look.ground });
    values.forEach((value, index) => this.#sign(paper, this.board.sign(value), WEIGHTS[kind], pixels, tile * (index + 0.5), tile / 2));
    this.sheets.set(key, { picture, tile });
    return { picture, tile };
  }

  /** A sign with its middle at a point, on a ground of its own; longer ones are smaller. */
  #sign(paper, sign, weight, pixels, x, y) {
    const size = pixels / Math.max(1, 0.68 * sign.length);
    paper.font = `${weight} ${size}px ${this.look.family}`;
    paper.globalAlpha = 0.72;
    paper.strokeText(sign, x, y + RISE * size);
    paper.globalAlpha = 1;
    paper.fillText(sign, x, y + RISE * size);
  }
}
