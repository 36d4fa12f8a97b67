// The state of design: the tool in hand, the drawing it makes, the rule whose fields are shown, and the edits of the puzzle.

import { cellNamed, gridOf } from "./cells.js";
import { Drawing } from "./drawing.js";
import { addRule, EditHistory, followingMarks, joinRules, markedPairs, removeRule, replaceRule, rulesOf } from "./edits.js";
import { ruleOf, startingValues } from "./tools.js";
import { problemWords } from "./words.js";

const OWN_NUMBERS = new Set(["cage", "outside"]); // gestures whose rules have a number each; signs on edges mostly share theirs

/** Events: "tool" (another tool, rule or value of a field), "problem" (detail: words, or "" when it is gone), "drawing". */
export class Designer extends EventTarget {
  tool = null; // null: givens are typed into selected cells
  tools = [];
  typed = {};
  index = null; // of the rule that is shown
  drawing = null;
  busy = Promise.resolve();
  #spent = false; // whether what is typed belongs to a rule that is on the board
  #refused = false; // the last edit; only what is told of it goes with the next one

  constructor(app) {
    super();
    this.app = app;
    this.begin();
  }

  /** Another puzzle: nothing to undo yet. */
  begin() {
    this.history = new EditHistory(this.app.puzzle.json);
    this.drawing = this.index = null;
  }

  get grid() {
    return gridOf(this.app.picture);
  }

  get rules() {
    return rulesOf(this.history.present);
  }

  emit(name, detail) {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }

  /** The kinds of rules that are marks on edges. */
  get marks() {
    return new Set(this.tools.filter(({ gesture }) => gesture === "edge").map(({ kind }) => kind));
  }

  /** By kind of rule the name of its field that lists pairs of cells, such as those exempt from it. */
  get pairFields() {
    const pairs = ({ typed }) => typed.find(({ plain, depth }) => plain === "Cell" && depth === 2);
    return new Map(this.tools.filter(pairs).map((tool) => [tool.kind, pairs(tool).name]));
  }

  /** All pairs of cells with a mark on their edge. */
  get markedPairs() {
    return markedPairs(this.history.present, this.marks);
  }

  // --- edits -----------------------------------------------------------------------------------------------------

  /** Do an edit after those that wait; one that makes no puzzle is refused with words. Resolves to whether it was done. */
  edit(change) {
    this.busy = this.busy.then(async () => {
      const before = { ...this.history };
      const { marks, pairFields } = this;
      this.history.do(followingMarks(change, marks, pairFields)(this.history.present));
      const shown = await this.#show(this.history.present);
      if (!shown) Object.assign(this.history, before);
      this.#tellUndo();
      return shown;
    });
    return this.busy;
  }

  /** Do an edit, then `follow(done)`, unless another tool or drawing has been taken in hand while the answer was awaited. */
  async #editInHand(change, follow) {
    const { tool, drawing } = this;
    const done = await this.edit(change);
    if (this.tool === tool && this.drawing === drawing) follow(done);
    return done;
  }

  /** Undo (-1) or redo (1). */
  go(way) {
    this.busy = this.busy.then(async () => {
      this.letGo();
      const json = this.history.go(way);
      if (json) await this.#show(json);
      this.#tellUndo();
      return Boolean(json);
    });
    return this.busy;
  }

  async #show(json) {
    try {
      await this.app.setPuzzle(json);
      if (this.#refused) this.emit("problem", "");
      this.#refused = false;
      return true;
    } catch (error) {
      this.#refused = true;
      if (error.unreachable) this.app.fail(error);
      this.emit("problem", problemWords(error));
      return false;
    }
  }

  #tellUndo() {
    this.app.setUndo(this.history.past.length > 0, this.history.future.length > 0);
  }

  // --- the tool and its rule -------------------------------------------------------------------------------------

  /** Take a tool in hand; null for none. */
  take(tool) {
    this.drawing = this.index = null;
    this.tool = tool;
    this.typed = tool ? startingValues(tool) : {};
    this.#spent = false;
    if (tool?.gesture === "switch") this.#choose(this.rules.findIndex((rule) => rule.kind === tool.kind));
    this.emit("tool");
    this.emit("drawing");
  }

  /** Show the fields of a rule, with its tool in hand. */
  choose(index) {
    const rule = this.rules[index];
    this.drawing = null;
    this.tool = this.tools.find((tool) => tool.kind === rule.kind);
    this.#choose(index);
    this.emit("tool");
    this.emit("drawing");
  }

  #choose(index) {
    this.index = index < 0 ? null : index;
    if (this.index === null) return;
    this.#spent = true;
    const rule = this.rules[index];
    this.typed = Object.fromEntries(this.tool.typed.map((field) => [field.name, rule[field.name] ?? field.default]));
  }

  /** A number that was typed for one rule is not that of the next. */
  #refresh() {
    if (this.#spent && OWN_NUMBERS.has(this.tool?.gesture)) this.typed = startingValues(this.tool);
    this.#spent = false;
  }

  /** Change a typed field; the rule that is shown changes with it. */
  setField(name, value) {
    this.typed = { ...this.typed, [name]: value };
    this.#spent = this.index !== null;
    if (this.index === null) return Promise.resolve(false);
    const rule = this.rules[this.index];
    const placed = Object.fromEntries(this.tool.placed.map((field) => [field.name, rule[field.name]]));
    return this.edit(replaceRule(this.index, ruleOf(this.tool, placed, this.typed)));
  }

  // --- drawing ---------------------------------------------------------------------------------------------------

  /** Begin a drawing, or go on with that of a rule whose cells are painted. */
  startDrawing(index = null) {
    this.#refresh();
    this.drawing = new Drawing(this.tool, this.grid);
    this.index = null;
    if (index !== null) {
      this.#choose(index);
      this.drawing.groups = [this.rules[index].cells.map((name) => cellNamed(this.grid, name))];
    }
    return this.drawing;
  }

  /** Put what is drawn into the puzzle: a new rule, or the one that grows with the drawing. */
  async commit() {
    const { drawing, tool } = this;
    const placed = drawing.fields();
    this.emit("drawing");
    if (!placed) return drawing.groups[0]?.length === 0 && this.index !== null ? this.remove(this.index) : false;
    const typed = drawing.loop && tool.fields.some(({ name }) => name === "loop") ? { ...this.typed, loop: true } : this.typed;
    const rule = ruleOf(tool, placed, typed);
    if (this.index !== null) return this.edit(replaceRule(this.index, rule));
    this.index = this.rules.length;
    return this.#editInHand(addRule(rule), (done) => {
      if (!done) this.index = null;
      this.#spent = done;
      this.emit("tool");
    });
  }

  /** Join the picked rules into one. */
  async join() {
    const picked = this.drawing?.groups[0] ?? [];
    const placed = this.drawing?.fields();
    if (!placed) return false;
    return this.#editInHand(joinRules(picked.map(({ index }) => index), ruleOf(this.tool, placed, this.typed)), () => this.letGo());
  }

  /** Put a rule without cells on the board. */
  add() {
    const index = this.rules.length;
    const pairs = this.pairFields.get(this.tool.kind);
    if (pairs && !this.typed[pairs]?.length) this.typed = { ...this.typed, [pairs]: this.markedPairs };
    return this.#editInHand(addRule(ruleOf(this.tool, {}, this.typed)), (done) => {
      if (done) this.#choose(index);
      this.emit("tool");
    });
  }

  remove(index) {
    return this.#editInHand(removeRule(index), () => this.letGo());
  }

  /** End the present drawing; the next press begins a new one. */
  letGo() {
    this.drawing = this.index = null;
    this.#refresh();
    this.emit("drawing");
    this.emit("tool");
  }
}
