// Which cells are selected, and the cell of the cursor. Selecting never changes the game.

export class Selection {
  cells = new Set();
  cursor = null;

  /** changed: a function that is called after each change. */
  constructor(changed) {
    this.changed = changed;
    this.places = [];
  }

  /** Begin anew on a board whose cells are at these places. */
  reset(places) {
    this.places = places;
    this.at = new Map(places.map((place, cell) => [String(place), cell]));
    this.rows = 1 + Math.max(...places.map(([row]) => row));
    this.columns = 1 + Math.max(...places.map(([, column]) => column));
    this.cursor = null;
    this.cells = new Set();
    this.changed();
  }

  has(cell) {
    return this.cells.has(cell);
  }

  /** The selected cells, in their order of selection. */
  list() {
    return [...this.cells];
  }

  /** The one selected cell, or null. */
  get single() {
    return this.cells.size === 1 ? this.list()[0] : null;
  }

  only(cell) {
    this.replace([cell], cell);
  }

  replace(cells, cursor = [...cells].at(-1) ?? this.cursor) {
    this.cells = new Set(cells);
    this.cursor = cursor;
    this.changed();
  }

  add(cell) {
    this.cells.add(cell);
    this.cursor = cell;
    this.changed();
  }

  remove(cell) {
    this.cells.delete(cell);
    this.cursor = cell;
    this.changed();
  }

  toggle(cell) {
    if (this.has(cell)) this.remove(cell);
    else this.add(cell);
  }

  none() {
    this.replace([], this.cursor);
  }

  all() {
    this.replace(this.places.keys(), this.cursor);
  }

  invert() {
    this.replace([...this.places.keys()].filter((cell) => !this.has(cell)), this.cursor);
  }

  /** Go to the next cell in a direction, round the edges and over places without a cell. */
  move(down, right, extend = false) {
    if (!this.places.length) return;
    let [row, column] = this.places[this.cursor ?? 0];
    let cell = this.cursor === null ? 0 : undefined;
    while (cell === undefined) {
      row = (row + down + this.rows) % this.rows;
      column = (column + right + this.columns) % this.columns;
      cell = this.at.get(`${row},${column}`);
    }
    if (extend && this.cells.size) this.add(cell);
    else this.only(cell);
  }
}
