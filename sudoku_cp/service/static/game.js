// The rules of play: what an entry does to the cells, in which order things are cleared, what clashes, when a game is over.
//
// Nothing here knows a page; it runs under node too. The state of a cell is a frozen object that is replaced, never changed:
// { value, corner, centre, colours }, with null for no value and sorted arrays of marks. Givens are cells of the puzzle, and only
// take colours. Marks of the pen lie over the cells, and have names (see pen.js). A value hides the marks of its cell, which stay and show again when it goes.

import { History } from "./history.js";

export const EMPTY = Object.freeze({ value: null, corner: [], centre: [], colours: [] });

/** What each mode of input writes. */
export const FIELD = { digit: "value", corner: "corner", centre: "centre", colour: "colours" };
const CLEAR_ORDER = ["digit", "centre", "corner", "colour"];

export const SETTINGS = { tidyMarks: true, validOnly: false, trueOnly: false };

const same = (one, other) =>
  one.value === other.value && ["corner", "centre", "colours"].every((field) => String(one[field]) === String(other[field]));
export const without = (marks, value) => marks.filter((mark) => mark !== value);
const withValue = (marks, value) => [...without(marks, value), value].sort((one, other) => one - other);

export class Game {
  /**
   * puzzle: { cells: [...], values: [...], givens: {cell: value}, sees: [[cell, ...], ...], solution: [...] or null }.
   * `sees` lists for each cell those that must differ from it; a clash is two equal values in such cells. `hasMore` rules than
   * these: without a solution, only somebody who knows them can say that a full grid is right, by `judge`.
   */
  constructor(puzzle, settings = {}) {
    this.puzzle = puzzle;
    this.settings = { ...SETTINGS, ...settings };
    this.size = puzzle.cells.length;
    this.states = Array(this.size).fill(EMPTY);
    this.pen = new Map(); // the colour of each mark of the pen, by the mark's name
    this.history = new History();
    this.clashes = new Uint16Array(this.size); // for each cell how many cells that it sees have its value
    this.counts = new Map(puzzle.values.map((value) => [value, 0]));
    this.filled = 0;
    this.refused = 0; // values that were not those of the solution
    this.right = null; // what was said of the present full grid
    for (const [cell, value] of Object.entries(puzzle.givens)) {
      this.counts.set(value, this.counts.get(value) + 1);
      this.filled += 1;
      this.clashes[cell] = puzzle.sees[cell].filter((other) => puzzle.givens[other] === value).length;
    }
  }

  // --- reading ---------------------------------------------------------------------------------------------------

  isGiven(cell) {
    return this.puzzle.givens[cell] !== undefined;
  }

  /** The value in a cell, given or entered; null if it is open. */
  value(cell) {
    return this.puzzle.givens[cell] ?? this.states[cell].value;
  }

  values() {
    return this.states.map((_, cell) => this.value(cell));
  }

  /** Why a value clashes in a cell: a cell that it sees and that has the value; null if none has. */
  clash(cell, value) {
    return this.puzzle.sees[cell].find((other) => this.value(other) === value) ?? null;
  }

  /** How many times a value is still to be entered, where each value comes as often as any other. */
  left(value) {
    return this.size / this.puzzle.values.length - this.counts.get(value);
  }

  get isFull() {
    return this.filled === this.size;
  }

  /** The cells whose value is not that of the solution; null where no solution is known. */
  wrong() {
    const { solution } = this.puzzle;
    if (!solution) return null;
    return this.states.flatMap((state, cell) => (state.value !== null && state.value !== solution[cell] ? [cell] : []));
  }

  /** "open", "solved", "wrong" for a full grid with a mistake, or "full" for one that nobody has judged yet. */
  get status() {
    if (!this.isFull) return "open";
    const mistakes = this.wrong() ?? this.clashes.filter((number) => number);
    if (mistakes.length || this.right === false) return "wrong";
    return this.puzzle.solution || this.right || !this.puzzle.hasMore ? "solved" : "full";
  }

  /** Say whether the full grid is right. */
  judge(right) {
    this.right = right;
  }

  // --- entries: each is one gesture, and one step of undo ----------------------------------------------------------

  /**
   * Enter a value, a mark or a colour into cells; where all of them have it already, take it out.
   * Returns { changed: [cells], refused: [[cell, cell that it clashes with, or null where it is not the solution's], ...] }.
   */
  enter(mode, value, cells) {
    const fit = cells.filter((cell) => this.#takes(mode, cell));
    const field = FIELD[mode];
    const has = (cell) => (mode === "digit" ? this.states[cell].value === value : this.states[cell][field].includes(value));
    const out = fit.length > 0 && fit.every(has);
    const refused = mode === "digit" && !out ? this.#refusals(value, fit) : [];
    const barred = new Set(refused.map(([cell]) => cell));
    const next = new Map();
    for (const cell of fit) {
      if (barred.has(cell)) continue;
      const state = this.states[cell];
      const after = mode === "digit" ? (out ? null : value) : (out ? without : withValue)(state[field], value);
      next.set(cell, { ...state, [field]: after });
    }
    if (mode === "digit" && !out && this.settings.tidyMarks) this.tidy(next, value);
    const words = { kind: out ? "take out" : "enter", mode, value, count: fit.length - barred.size };
    return { changed: this.apply(next, cells, words), refused };
  }

  /** Clear one kind of thing from cells: that of the mode if there is any, else the first of digits, centre, corner, colours. */
  clear(mode, cells) {
    const has = (kind, cell) => {
      const content = this.states[cell][FIELD[kind]];
      return kind === "digit" ? content !== null : content.length > 0;
    };
    const kind = [mode, ...CLEAR_ORDER].find((one) => cells.some((cell) => has(one, cell)));
    if (!kind) return { changed: [], refused: [] };
    const blank = kind === "digit" ? null : [];
    const next = cells.filter((cell) => has(kind, cell)).map((cell) => [cell, { ...this.states[cell], [FIELD[kind]]: blank }]);
    return { changed: this.apply(new Map(next), cells, { kind: "clear", mode: kind, count: next.length }), refused: [] };
  }

  // --- undo ------------------------------------------------------------------------------------------------------

  undo() {
    return this.history.canUndo ? this.jump(this.history.entries[this.history.at].parent) : null;
  }

  redo() {
    return this.history.canRedo ? this.jump(this.history.next) : null;
  }

  /** Go to any entry of the history; returns { changed, selected }. */
  jump(to) {
    const { entries } = this.history;
    const from = this.history.at;
    const { back, forth } = this.history.route(to);
    const changed = new Set();
    const put = (cell, state) => changed.add(cell) && this.#put(cell, state);
    for (const entry of back) {
      for (const [cell, before] of [...entries[entry].changes].reverse()) put(cell, before);
      for (const [mark, before] of entries[entry].pen ?? []) this.#ink(mark, before);
    }
    for (const entry of forth) {
      for (const [cell, , after] of entries[entry].changes) put(cell, after);
      for (const [mark, , after] of entries[entry].pen ?? []) this.#ink(mark, after);
    }
    return { changed: [...changed], selected: entries[back.length ? from : to].selected };
  }

  // --- saving ----------------------------------------------------------------------------------------------------

  /** The game as plain data: its history, from which everything else follows. */
  toJSON() {
    return { version: 1, settings: this.settings, history: this.history.toJSON() };
  }

  /** The game of saved data; the puzzle must be the one that it was saved with. */
  static from(puzzle, saved) {
    const game = new Game(puzzle, saved.settings);
    const history = History.from(saved.history);
    const at = history.at;
    history.at = 0;
    game.history = history;
    game.jump(at);
    return game;
  }

  // --- inside ----------------------------------------------------------------------------------------------------

  #takes(mode, cell) {
    if (mode === "colour") return true;
    return !this.isGiven(cell) && (mode === "digit" || this.states[cell].value === null);
  }

  /** The cells in which a value would clash, with cells that have it or with each other; or, by a setting, is not the solution's. */
  #refusals(value, cells) {
    const { solution } = this.puzzle;
    if (this.settings.trueOnly && solution) {
      const untrue = cells.filter((cell) => solution[cell] !== value);
      this.refused += untrue.length;
      return untrue.map((cell) => [cell, this.clash(cell, value)]);
    }
    if (!this.settings.validOnly) return [];
    const found = [];
    const taking = new Set();
    for (const cell of cells) {
      const other = this.clash(cell, value) ?? this.puzzle.sees[cell].find((seen) => taking.has(seen)) ?? null;
      if (other === null) taking.add(cell);
      else found.push([cell, other]);
    }
    return found;
  }

  /** Remove a value that is being entered from the marks of all cells that see it. */
  tidy(next, value, entered = [...next.keys()]) {
    for (const cell of entered) {
      for (const other of this.puzzle.sees[cell]) {
        const state = next.get(other) ?? this.states[other];
        if (this.isGiven(other) || !(state.corner.includes(value) || state.centre.includes(value))) continue;
        next.set(other, { ...state, corner: without(state.corner, value), centre: without(state.centre, value) });
      }
    }
  }

  /** Add an entry: the next states of cells, and the next colours of marks of the pen (null: none). Returns the cells that it changes. */
  apply(next, selected, words, inked = []) {
    const pen = [...inked].map(([mark, after]) => [mark, this.pen.get(mark) ?? null, after]).filter(([, before, after]) => before !== after);
    const changes = [...next]
      .filter(([cell, after]) => !same(this.states[cell], after))
      .map(([cell, after]) => [cell, this.states[cell], Object.freeze(after)]);
    if (changes.length || pen.length) this.history.add({ changes, selected: [...selected], words, ...(pen.length && { pen }) });
    for (const [mark, , after] of pen) this.#ink(mark, after);
    for (const [cell, , after] of changes) this.#put(cell, after);
    return changes.map(([cell]) => cell);
  }

  #ink(mark, colour) {
    if (colour === null) this.pen.delete(mark);
    else this.pen.set(mark, colour);
  }

  /** Set the state of a cell, and keep the counts and clashes. */
  #put(cell, state) {
    const before = this.states[cell].value;
    this.right = null;
    this.states[cell] = state;
    if (before === state.value || this.isGiven(cell)) return;
    if (before !== null) this.#count(cell, before, -1, before);
    if (state.value !== null) this.#count(cell, state.value, 1);
  }

  #count(cell, value, change) {
    this.counts.set(value, (this.counts.get(value) ?? 0) + change);
    this.filled += change;
    let own = 0;
    for (const other of this.puzzle.sees[cell]) {
      if (other === cell || this.value(other) !== value) continue;
      this.clashes[other] += change;
      own += 1;
    }
    this.clashes[cell] = change > 0 ? own : 0;
  }
}
