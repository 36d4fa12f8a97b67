// The history of a game: a tree of entries, so that nothing undone is ever lost.
//
// An entry is one gesture: the cells that it changed, each with its state before and after, what was selected, and words for
// people. Undo goes to the parent. Redo goes to the child visited last. A new entry is a new child of the present one; futures
// that were undone before stay as branches beside it. Entry 0 is the start and changes nothing.

export class History {
  constructor() {
    this.entries = [{ parent: null, changes: [], selected: [], words: "" }];
    this.at = 0;
    this.last = [null]; // for each entry the child visited last
  }

  /** Add an entry after the present one, and go there. */
  add(entry) {
    this.entries.push({ parent: this.at, ...entry });
    this.last.push(null);
    this.last[this.at] = this.entries.length - 1;
    this.at = this.entries.length - 1;
  }

  get canUndo() {
    return this.entries[this.at].parent !== null;
  }

  get canRedo() {
    return this.last[this.at] !== null;
  }

  /** The present entry. */
  get here() {
    return this.entries[this.at];
  }

  /** The entry that redo would go to, or null. */
  get next() {
    return this.last[this.at];
  }

  /** The entries from the start to one, both included. */
  path(to = this.at) {
    const found = [];
    for (let entry = to; entry !== null; entry = this.entries[entry].parent) found.push(entry);
    return found.reverse();
  }

  /** What to take back, and then what to do, on the way from the present entry to another; the way is remembered for redo. */
  route(to) {
    const here = this.path();
    const there = this.path(to);
    let shared = 0;
    while (shared < here.length && here[shared] === there[shared]) shared += 1;
    for (let step = 1; step < there.length; step += 1) this.last[there[step - 1]] = there[step];
    this.at = to;
    return { back: here.slice(shared).reverse(), forth: there.slice(shared) };
  }

  toJSON() {
    return { entries: this.entries, at: this.at, last: this.last };
  }

  static from({ entries, at, last }) {
    return Object.assign(new History(), { entries, at, last: last ?? entries.map(() => null) });
  }
}
