// The state of design: the tool in hand, the drawing it makes, the rule whose fields are shown, and the edits of the puzzle.

import { cellNamed, gridOf } from "./cells.js";
import { Drawing } from "./drawing.js";
import { addRule, EditHistory, followingMarks, joinRules, markedPairs, removeRule, replaceRule, rulesOf } from "./edits.js";
import { addDrawings } from "./drawing_tools.js";
import { numberWanted } from "./designwords.js";
import { missingField, ruleOf, startingValues } from "./tools.js";
import { problemWords } from "./words.js";

const OWN_NUMBERS = new Set(["cage", "outside"]); // gestures whose rules have a number each; signs on edges mostly share theirs

/**
 * Events: "tool" (another tool, rule or value of a field), "problem" (detail: words, or "" when it is gone), "drawing", "history"
 * (there may be something else to undo).
 */
export class Designer extends EventTarget {
  tool = null; // null: what is typed into selected cells are givens, or regions
  paintsRegions = false;
  tools = [];
  typed = {};
  hand = { rule: null, board: null }; // the rule that is shown, and as it is on the board: its last change may still be awaited
  drawing = null;
  regionDraft = null; // regions that are being painted, as long as they are not yet those of a puzzle
  hidden = new WeakSet(); // the rules whose pictures are not shown
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
    this.drawing = this.regionDraft = null;
    this.#hold(null);
  }

  /** The rule that is shown; null if there is none. */
  get rule() {
    return this.hand.rule;
  }

  #hold(rule) {
    this.hand = { rule, board: rule };
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
    const { marks, pairFields } = this;
    return this.#change((history) => history.do(followingMarks(change, marks, pairFields)(history.present)));
  }

  /** Do an edit, then `follow()`, unless another tool or rule has been taken in hand while the answer was awaited. */
  async editInHand(change, follow) {
    const { hand } = this;
    const done = await this.edit(change);
    if (done && hand === this.hand) follow();
    return done;
  }

  /** Put a puzzle that was made of `before` in its place; nothing is done if it is another one by now. */
  replace(before, json) {
    return this.edit((now) => (now === before ? json : now));
  }

  /** Undo (-1) or redo (1). */
  go(way) {
    this.letGo();
    return this.#change((history) => history.go(way));
  }

  /** Change the history and show its present document; what cannot be shown is taken back. */
  #change(step) {
    const { history } = this;
    this.busy = this.busy.then(async () => {
      const before = { ...history };
      const shown = history === this.history && Boolean(step(history)) && (await this.#show(history.present));
      if (!shown) Object.assign(history, before);
      this.emit("history");
      return shown;
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
      if (error.name === "AbortError") return false; // another puzzle took its place
      this.#refused = true;
      if (error.unreachable) this.app.fail(error);
      this.emit("problem", problemWords(error));
      return false;
    }
  }

  // --- the tool and its rule -------------------------------------------------------------------------------------

  /** Take a tool in hand; null for none. */
  take(tool) {
    this.drawing = null;
    this.tool = tool;
    this.paintsRegions = false;
    this.#hold(null);
    this.typed = tool ? startingValues(tool) : {};
    this.#spent = false;
    const shown = tool?.gesture === "switch" && this.rules.find(({ kind }) => kind === tool.kind);
    if (shown) this.#choose(shown);
    this.emit("tool");
    this.emit("drawing");
  }

  /** Paint regions into selected cells from now on. */
  takeRegions() {
    this.take(null);
    this.paintsRegions = true;
    this.emit("tool");
  }

  /** Show the fields of a rule, with its tool in hand. */
  choose(rule) {
    this.drawing = null;
    this.tool = this.tools.find(({ kind }) => kind === rule.kind);
    this.#choose(rule);
    this.emit("tool");
    this.emit("drawing");
  }

  #choose(rule) {
    this.#hold(rule);
    this.#spent = true;
    this.typed = Object.fromEntries(this.tool.typed.map((field) => [field.name, rule[field.name] ?? field.default]));
  }

  /** A number that was typed for one rule is not that of the next. */
  #refresh() {
    if (this.#spent && OWN_NUMBERS.has(this.tool?.gesture)) this.typed = startingValues(this.tool);
    this.#spent = false;
  }

  /** Change a typed field; the rule that is shown changes with it. */
  setField(name, value) {
    const { rule, tool } = this;
    this.typed = { ...this.typed, [name]: value };
    const awaited = !rule && this.drawing?.complete;
    this.#spent = rule !== null || awaited;
    if (awaited) return this.commit();
    return rule ? this.#put(Object.fromEntries(tool.placed.map((field) => [field.name, rule[field.name]])), this.typed) : Promise.resolve(false);
  }

  /** Put a rule with these fields on the board, in place of the one in hand; it may change again before the answer is there. */
  async #put(placed, typed) {
    const { hand } = this;
    const rule = (hand.rule = ruleOf(this.tool, placed, typed));
    const done = await this.edit((json) => (hand.board ? replaceRule(hand.board, rule) : addRule(rule))(json));
    if (done) hand.board = rule;
    else if (hand.rule === rule) hand.rule = hand.board;
    if (hand === this.hand) {
      this.#spent = hand.rule !== null;
      this.emit("tool");
    }
    return done;
  }

  // --- drawing ---------------------------------------------------------------------------------------------------

  /** Begin a drawing, or go on with that of a rule whose cells are painted. */
  startDrawing(rule = null) {
    this.#refresh();
    this.drawing = new Drawing(this.tool, this.grid);
    this.#hold(null);
    if (rule) {
      this.#choose(rule);
      this.drawing.open(rule.cells.map((name) => cellNamed(this.grid, name)));
    }
    return this.drawing;
  }

  /** Put what is drawn into the puzzle: a new rule, or the one that grows with the drawing. */
  async commit() {
    const { drawing, tool } = this;
    const placed = drawing.fields();
    this.emit("drawing");
    if (!placed) return drawing.groups[0]?.length === 0 && this.rule ? this.remove(this.rule) : false;
    if (tool.draws) return this.editInHand(addDrawings(tool, this.grid, placed.cells, this.typed), () => this.letGo());
    const missing = missingField(tool, this.typed);
    this.emit("problem", missing ? numberWanted(missing.name) : "");
    if (missing) return false;
    const closed = drawing.loop && tool.fields.some(({ name }) => name === "loop");
    return this.#put(placed, closed ? { ...this.typed, loop: true } : this.typed);
  }

  /** Join the picked rules into one. */
  async join() {
    const placed = this.drawing?.fields();
    if (!placed) return false;
    return this.editInHand(joinRules(this.drawing.groups[0], ruleOf(this.tool, placed, this.typed)), () => this.letGo());
  }

  /** Put a rule without cells on the board. */
  add() {
    const pairs = this.pairFields.get(this.tool.kind);
    if (pairs && !this.typed[pairs]?.length) this.typed = { ...this.typed, [pairs]: this.markedPairs };
    return this.#put({}, this.typed);
  }

  remove(rule) {
    return this.editInHand(removeRule(rule), () => this.letGo());
  }

  /** End the present drawing; the next press begins a new one. */
  letGo() {
    this.drawing = null;
    this.#hold(null);
    this.#refresh();
    this.emit("drawing");
    this.emit("tool");
  }
}
