// The solver beside a puzzle in the making: how many solutions, true candidates, where two differ, why not, and clues too many.
// Every edit ends the question before it, waits a moment, and asks again; the old picture stays, dimmed, until then.

import { cellName } from "./cells.js";
import * as words from "./designwords.js";
import { card, h, setText } from "./dom.js";
import { excludeValue, setGivens } from "./edits.js";
import { icon } from "./icons.js";
import { solutionsOf } from "./position.js";
import { candidateAt, candidateNodes, differenceNodes, differing } from "./solver_overlays.js";
import { addGivens, check, generate, rate, validateLayout } from "./solver_tasks.js";
import { AGAIN, problemWords } from "./words.js";

const REST = 80; // milliseconds after an edit
const SHOW_BUSY = 120;
const SECONDS = 10;
const LONGER = 50;
const MOST = 100; // solutions that are counted
const PAIRS = 8; // pairs of solutions that one can walk through
const CAP = 8; // solutions that a candidate is counted to

/** The card of the solver: { card, stop }. */
export function solverCard(app, designer) {
  const solver = new Solver(app, designer);
  const end = app.listen({ puzzle: () => solver.restart() });
  const { element } = app.board;
  const press = (event) => solver.press(event);
  element.addEventListener("pointerdown", press, { capture: true });
  solver.restart();
  document.querySelector(".bar").append(solver.pill); // in sight wherever the panels are scrolled to
  const stop = () => (end(), solver.halt(), solver.pill.remove(), element.removeEventListener("pointerdown", press, { capture: true }));
  return { card: solver.card(), stop };
}

class Solver {
  show = "none";
  counted = false; // whether the pill tells of the present puzzle
  pill = h("span", { class: "pill count", role: "status" }, words.UNASKED);
  told = h("div", { class: "told" });

  constructor(app, designer) {
    Object.assign(this, { app, designer });
  }

  card() {
    const choices = Object.entries(words.SHOWS).map(([name, text]) =>
      h("label", { class: "toggle" }, h("input", { type: "radio", name: "shown", value: name, checked: name === this.show, onchange: () => ((this.show = name), this.restart()) }), text),
    );
    const buttons = [[words.RATE, rate], [words.UNNEEDED, check], [words.LAYOUT_ASK, validateLayout], [words.GENERATE, generate]].map(([text, task]) =>
      h("button", { class: "button wide", onclick: () => this.#work(task) }, text),
    );
    return card(words.SOLVER, { class: "solver" }, this.told, ...choices, h("div", { class: "row" }, buttons));
  }

  halt() {
    this.asking?.abort();
    clearTimeout(this.timer);
    clearInterval(this.ticking);
    clearTimeout(this.dimming);
  }

  restart(seconds = SECONDS) {
    this.halt();
    this.counted = false;
    const asking = (this.asking = new AbortController());
    this.dimming = setTimeout(() => this.#dim(true), 300);
    this.timer = setTimeout(() => this.#ask(asking.signal, seconds).catch((error) => this.#failed(error)), REST);
  }

  #dim(dim) {
    for (const name of ["candidates", "solutions"]) this.app.board.layers[name].classList.toggle("old", dim);
  }

  #tell(kind, text) {
    clearInterval(this.ticking);
    this.pill.className = `pill count ${kind}`;
    setText(this.pill, text);
  }

  #failed(error, again = () => this.restart()) {
    if (error.name === "AbortError") return;
    if (!this.counted) this.#tell("", words.UNASKED);
    if (error.unreachable) this.app.fail(error);
    else this.told.replaceChildren(h("p", { class: "problem" }, problemWords(error)), error.unanswered ? h("button", { class: "button", onclick: again }, AGAIN) : "");
  }

  #tick() {
    const start = performance.now();
    clearInterval(this.ticking);
    this.ticking = setInterval(() => {
      const past = performance.now() - start;
      if (past > SHOW_BUSY) [this.pill.className, this.pill.textContent] = ["pill count busy", words.counting(past / 1000)];
    }, SHOW_BUSY);
  }

  /** Ask how many solutions there are, then what is shown on the board. */
  async #ask(signal, seconds) {
    const puzzle = this.designer.history.present;
    const ask = (verb, more) => this.app.api.ask(verb, { puzzle, ...more }, { signal, seconds });
    this.#tick();
    const answer = await ask("solve", { limit: 2 });
    this.#tellStatus(answer.status, seconds);
    if (answer.status === "multiple") await this.#differences(ask, signal);
    else this.app.board.overlay("solutions", null);
    if (this.show === "candidates" && answer.status !== "none") await this.#candidates(ask, signal);
    else this.app.board.overlay("candidates", null);
    clearTimeout(this.dimming);
    this.#dim(false);
    if (answer.status === "multiple") {
      const { count, exact } = await ask("count", { limit: MOST });
      if (!signal.aborted) this.#tell("warn", words.atLeast(count, exact));
    }
  }

  #tellStatus(status, seconds) {
    this.counted = true;
    const kind = { unique: "ok", solved: "ok", multiple: "warn", none: "bad" }[status] ?? "";
    this.#tell(kind, words.STATUS[status] ?? words.unsettled(seconds));
    this.app.say(words.STATUS[status] ?? words.unsettled(seconds));
    const goOn = status === "unknown" && h("button", { class: "button", onclick: () => this.restart(LONGER) }, words.GO_ON);
    const why = status === "none" && h("button", { class: "button", onclick: () => this.#work(check) }, words.WHY_NONE);
    const add = status === "multiple" && h("button", { class: "button", onclick: () => this.#work(addGivens) }, words.ADD_GIVENS);
    this.told.replaceChildren(...[goOn, why, add].filter(Boolean));
  }

  // --- what is shown on the board --------------------------------------------------------------------------------

  async #differences(ask, signal) {
    if (this.show !== "two") return this.app.board.overlay("solutions", null);
    const { board } = this.app;
    const { found } = await solutionsOf(this.app, this.designer.history.present, PAIRS + 1, ask);
    if (signal.aborted || found.length < 2) return null;
    const [one, ...others] = found;
    const text = h("span", { class: "soft" });
    const turn = (step) => h("button", { class: "button", "aria-label": words.PAIR_STEPS[step], onclick: () => show(at + step) }, icon(step < 0 ? "prev" : "next"));
    const turns = others.length > 1 && [turn(-1), turn(1)];
    let at = 0;
    const show = (index) => {
      at = (index + others.length) % others.length;
      board.overlay("solutions", differenceNodes(board, one, others[at]));
      setText(text, words.differing(differing(one, others[at]).length));
    };
    show(0);
    const legend = words.PAIR.map((name, index) => h("b", { style: { color: `var(--sol${"AB"[index]})` } }, name));
    this.told.append(h("div", { class: "row soft" }, legend, turns || []), text);
    return null;
  }

  async #candidates(ask, signal) {
    let complete = true;
    for (const cap of [1, CAP]) {
      const answer = await ask("candidates", { cap, known: "design" });
      if (signal.aborted) return;
      this.app.board.overlay("candidates", candidateNodes(this.app, answer));
      ({ complete } = answer);
    }
    this.told.append(h("p", { class: "soft" }, complete ? words.CANDIDATES_HELP : words.UNDECIDED));
  }

  /** Ctrl and a press on a candidate makes it a given, Alt takes it away. */
  press(event) {
    if (this.show !== "candidates" || !(event.ctrlKey || event.metaKey || event.altKey)) return;
    const { board, picture } = this.app;
    const { cell } = board.cellAt(event.clientX, event.clientY);
    if (cell === null) return;
    const value = candidateAt(this.app, cell, board.point(event.clientX, event.clientY));
    event.stopImmediatePropagation();
    const name = cellName(this.designer.grid, cell);
    this.designer.edit(event.altKey ? excludeValue(name, value, picture.values) : setGivens([name], value));
  }

  // --- buttons ---------------------------------------------------------------------------------------------------

  /** Do something that may last, with a line that says so and a button that stops it. */
  async #work(task) {
    this.halt();
    if (!this.counted) this.#tell("", words.UNASKED);
    const working = (this.asking = new AbortController());
    const stop = h("button", { class: "button", onclick: () => (working.abort(), this.told.replaceChildren(words.STOPPED)) }, words.STOP);
    const line = h("span", { role: "status" }, words.WORKING);
    const offered = [...this.told.querySelectorAll(":scope > .button")]; // what can be done about the number of solutions
    this.told.replaceChildren(h("p", { class: "row" }, line, stop));
    try {
      const ask = (verb, body) => this.app.api.ask(verb, body, { signal: working.signal, seconds: LONGER });
      const found = await task(this, ask, (text) => setText(line, text));
      if (found) this.told.replaceChildren(...found, ...offered);
      else this.told.replaceChildren();
      if (this.pill.classList.contains("busy")) this.restart();
    } catch (error) {
      this.#failed(error, () => this.#work(task));
    }
  }
}
