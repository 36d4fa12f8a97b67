// Gestures: how presses and drags on the board become the cells of a rule. Pure: places in, groups of cells out.
//
// A place is what `Board.placeAt` gives: { cell, edge, corner, outside }, or { rule } for one of the list. Every gesture
// collects groups: lists of cells (or of rules).

import { cellName, path, rays } from "./cells.js";

/** Lengthen a line to a cell; going back to the cell before the last takes the last away. */
function extend(grid, line, cell, anchor) {
  const whole = anchor === undefined ? line : [anchor, ...line];
  if (cell === whole.at(-2)) line.pop();
  else if (!whole.includes(cell)) line.push(...path(grid, whole.at(-1), cell).filter((one) => !whole.includes(one)));
}

export class Drawing {
  constructor(tool, grid) {
    Object.assign(this, { tool, grid, groups: [], stage: 0, pressed: null, closed: false, opened: false, swept: false, strokeLength: 0 });
    this.gesture = GESTURES[tool.gesture];
  }

  /** Take a press; false if it does not belong to this drawing, which is then over. A drag is a shape of its own unless the next one is to `extend` it. */
  press(place, { extend = false } = {}) {
    if (this.closed) return false;
    const before = [...this.groups];
    const belongs = this.gesture.press(this, place, extend) !== false;
    this.pressed = belongs ? place : null;
    Object.assign(this, { strokeLength: 1, extending: extend, before, began: place });
    return belongs;
  }

  /** Go on with a stroke. False if it does not belong to this drawing: a drag over other cells is no part of a rule that was opened. */
  drag(place) {
    if (!this.pressed) return true;
    if (this.opened && this.adding && !this.extending && this.strokeLength === 1) {
      this.groups = this.before;
      this.pressed = null;
      return false;
    }
    this.strokeLength += 1;
    this.gesture.drag?.(this, place);
    return true;
  }

  /** Go on with the cells of a rule that is on the board: presses, and drags that extend it, paint it until Enter. */
  open(cells) {
    this.groups = [cells];
    this.opened = true;
  }

  /** End a stroke; `loop` closes a line. */
  release({ loop = false } = {}) {
    if (this.pressed) this.gesture.release?.(this, loop);
    this.pressed = null;
  }

  /** Enter: the next group, or the end. */
  next() {
    if (!this.gesture.next?.(this)) this.closed = true;
  }

  /** Whether the groups fill all the fields that are placed. */
  get complete() {
    const groups = this.groups.filter((group) => group.length);
    const least = this.tool.gesture === "line" ? 2 : 1;
    return groups.length >= this.tool.placed.length && groups.every((group) => group.length >= least);
  }

  /** The placed fields, with cells by name and rules as they are; null while something is missing. */
  fields() {
    if (!this.complete) return null;
    const rest = this.groups.filter((group) => group.length).map((group) => this.#told(group));
    const found = {};
    for (const { name, depth } of this.tool.placed) {
      if (depth === 2) found[name] = rest.splice(0);
      else found[name] = depth ? rest.shift() : rest.shift()[0];
    }
    return found;
  }

  #told(group) {
    return this.tool.gesture === "joined" ? group : group.map((cell) => cellName(this.grid, cell));
  }
}

// --- the gestures: press, drag and release add to the groups; next says whether there is a next group ----------------

/** Add a cell or take it out; the rest of the drag does the same. After a drag other cells are another shape, unless they extend it. */
function paint(drawing, { cell }, extend = false) {
  if (cell === null || cell === undefined) return false;
  const group = (drawing.groups[drawing.stage] ??= []);
  if (drawing.swept && !extend && !group.includes(cell)) return false;
  drawing.adding = !group.includes(cell);
  brush(drawing, { cell });
  return true;
}

function brush(drawing, { cell }) {
  const group = drawing.groups[drawing.stage];
  if (cell === null || cell === undefined || group.includes(cell) === drawing.adding) return;
  drawing.groups[drawing.stage] = drawing.adding ? [...group, cell] : group.filter((one) => one !== cell);
}

const line = {
  press: (drawing, { cell }) => cell !== null && drawing.groups.length === 0 && Boolean(drawing.groups.push([cell])),
  drag: (drawing, { cell }) => cell !== null && extend(drawing.grid, drawing.groups[0], cell),
  release(drawing, loop) {
    const [cells] = drawing.groups;
    drawing.loop = loop && cells.length > 2;
    if (drawing.loop && !drawing.tool.fields.some(({ name }) => name === "loop")) cells.push(cells[0]);
    drawing.closed = true;
  },
};

/** One press at a place that names its cells. */
const spot = (name) => ({
  press(drawing, place) {
    if (!place[name] || drawing.groups.length) return false;
    drawing.groups = [[...place[name]]];
    return true;
  },
  release: (drawing) => (drawing.closed = true),
});

const outside = {
  press(drawing, { outside: place }) {
    const found = place ? rays(drawing.grid, place, drawing.tool.diagonal) : [];
    if (!found.length || drawing.groups.length) return false;
    drawing.groups = [found[0]];
    return true;
  },
  release: (drawing) => (drawing.closed = true),
};

/** A bulb, of several cells where its field takes them; then lines that begin in it. */
const stem = {
  press(drawing, { cell }) {
    const [bulb, ...shafts] = drawing.groups;
    if (cell === null || (shafts.length && !bulb.includes(cell))) return false;
    const begins = !bulb?.includes(cell);
    if (begins) drawing.groups = [[cell]];
    drawing.anchor = begins && drawing.tool.placed[0].depth ? null : cell;
    if (drawing.anchor !== null) drawing.groups.push([]);
    return true;
  },
  drag(drawing, { cell }) {
    if (cell === null) return;
    const [bulb, ...shafts] = drawing.groups;
    if (drawing.anchor === null) extend(drawing.grid, bulb, cell);
    else if (bulb.includes(cell)) [drawing.anchor, shafts.at(-1).length] = [cell, 0];
    else extend(drawing.grid, shafts.at(-1), cell, drawing.anchor);
  },
  release: (drawing) => (drawing.groups = drawing.groups.filter((group) => group.length)),
};

/** Where a copy of the first group lies whose cell `from` is moved to another; null if it leaves the grid. */
function moved(drawing, cell, from = drawing.groups[0][0]) {
  const { places, at } = drawing.grid;
  const [row, column] = places[from];
  const [down, right] = [places[cell][0] - row, places[cell][1] - column];
  const copy = drawing.groups[0].map((one) => at.get(`${places[one][0] + down},${places[one][1] + right}`));
  return copy.includes(undefined) || !(down || right) ? null : copy;
}

/** The copy that covers most of the cells that were dragged over; among equals the one whose first cell was pressed. */
function copyOver(drawing, swept) {
  const copies = drawing.groups[0].map((from) => moved(drawing, swept[0], from)).filter(Boolean);
  const covered = (copy) => swept.filter((cell) => copy.includes(cell)).length;
  return copies.reduce((best, copy) => (best && covered(best) >= covered(copy) ? best : copy), null);
}

/** Whether a press is for a copy of the first group: a tool for several fields, the first of them a list of cells, has copies. */
const isCopy = ({ stage, tool: { placed } }) => stage > 0 && placed.length > 1 && Boolean(placed[0].depth);

/** A drag paints a whole shape: note that it is done, unless it changes one that is on the board. */
const sweep = (drawing) => (drawing.swept = !drawing.opened && (drawing.swept || drawing.strokeLength > 1));

const groups = {
  press(drawing, place, extend) {
    if (drawing.swept && extend) drawing.stage -= 1;
    else drawing.swept = false;
    if (!isCopy(drawing)) return paint(drawing, place, extend);
    drawing.covering = [place.cell];
    const copy = place.cell === null ? null : copyOver(drawing, drawing.covering);
    if (copy) drawing.groups[drawing.stage] = copy;
    return Boolean(copy);
  },
  drag(drawing, place) {
    if (!isCopy(drawing)) return brush(drawing, place);
    if (place.cell !== null) drawing.covering.push(place.cell);
    drawing.groups[drawing.stage] = copyOver(drawing, drawing.covering) ?? drawing.groups[drawing.stage];
  },
  release(drawing) {
    if (isCopy(drawing) || sweep(drawing)) drawing.stage += 1;
  },
  /** After presses Enter begins the next group. After a drag that has begun already, so that Enter ends, unless there is one group alone. */
  next(drawing) {
    const pressed = Boolean(drawing.groups[drawing.stage]?.length);
    const alone = drawing.swept && drawing.stage < 2;
    if (pressed) drawing.stage += 1;
    drawing.swept = false;
    return pressed || alone;
  },
};

/** One field after another: a single cell takes one press, the last field is painted until Enter. */
const stages = {
  press: paint,
  drag: (drawing, place) => drawing.tool.placed[drawing.stage].depth && brush(drawing, place),
  release(drawing) {
    if (drawing.stage === drawing.tool.placed.length - 1) sweep(drawing);
    else if (drawing.groups[drawing.stage].length) drawing.stage += 1;
  },
};

const joined = {
  press(drawing, place) {
    if (!place.rule) return false;
    const group = drawing.groups[0] ?? [];
    drawing.groups[0] = group.includes(place.rule) ? group.filter((rule) => rule !== place.rule) : [...group, place.rule];
    return true;
  },
};

const painted = { press: paint, drag: brush, release: sweep };

const GESTURES = {
  line, cage: painted, cells: painted, edge: spot("edge"), corner: spot("corner"), outside, stem, groups, stages, joined, switch: { press: () => false },
};
