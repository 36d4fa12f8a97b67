// The solver beside a puzzle in the making: how many solutions, true candidates, where two differ, why not, and clues too many.
// Every edit ends the question before it, waits a moment, and asks again; the old picture stays, dimmed, until then.

import { cellName, cellNamed } from "./cells.js";
import * as words from "./designwords.js";
import { card, h, s, setText } from "./dom.js";
import { excludeValue, removeRule, rulesOf, setGivens } from "./edits.js";
import { outline } from "./geometry.js";
import { outlining } from "./onboard.js";
import { chips, whyCard } from "./why.js";
import { problemWords } from "./words.js";

const REST = 80; // milliseconds after an edit
const SHOW_BUSY = 120;
const SECONDS = 10;
const LONGER = 50;
const MOST = 100; // solutions that are counted
const CAP = 8; // solutions that a candidate is counted to

/** The cards of the solver: { main, why, stop }. */
export function solverCards(app, designer) {
  const solver = new Solver(app, designer);
  const end = app.listen({ puzzle: () => solver.restart() });
  const { element } = app.board;
  const press = (event) => solver.press(event);
  element.addEventListener("pointerdown", press, { capture: true });
  solver.restart();
  const stop = () => (end(), solver.halt(), element.removeEventListener("pointerdown", press, { capture: true }));
  return { main: solver.card(), why: whyCard(app, designer), stop };
}

class Solver {
  show = "none";
  pill = h("span", { class: "pill", role: "status" }, words.UNASKED);
  told = h("div", { class: "told" });

  constructor(app, designer) {
    Object.assign(this, { app, designer });
  }

  card() {
    const choices = Object.entries(words.SHOWS).map(([name, text]) =>
      h("label", { class: "toggle" }, h("input", { type: "radio", name: "shown", value: name, checked: name === this.show, onchange: () => ((this.show = name), this.restart()) }), text),
    );
    const unneeded = h("button", { class: "button wide", onclick: () => this.#details() }, words.UNNEEDED);
    const renew = h("button", { class: "button wide", onclick: () => this.#generate() }, words.GENERATE);
    return card(words.SOLVER, { class: "solver" }, h("p", {}, this.pill), this.told, ...choices, h("div", { class: "row" }, unneeded, renew));
  }

  halt() {
    this.asking?.abort();
    clearTimeout(this.timer);
    clearInterval(this.ticking);
    clearTimeout(this.dimming);
  }

  restart(seconds = SECONDS) {
    this.halt();
    const asking = (this.asking = new AbortController());
    this.dimming = setTimeout(() => this.#dim(true), 300);
    this.timer = setTimeout(() => this.#ask(asking.signal, seconds).catch((error) => this.#failed(error)), REST);
  }

  #dim(dim) {
    for (const name of ["candidates", "solutions"]) this.app.board.layers[name].classList.toggle("old", dim);
  }

  #tell(kind, text) {
    clearInterval(this.ticking);
    this.pill.className = `pill ${kind}`;
    setText(this.pill, text);
  }

  #failed(error) {
    if (error.name === "AbortError") return;
    this.#tell("", words.UNASKED);
    if (error.unreachable) this.app.fail(error);
    else this.told.replaceChildren(h("p", { class: "problem" }, problemWords(error)));
  }

  #tick() {
    const start = performance.now();
    clearInterval(this.ticking);
    this.ticking = setInterval(() => {
      const past = performance.now() - start;
      if (past > SHOW_BUSY) [this.pill.className, this.pill.textContent] = ["pill busy", words.counting(past / 1000)];
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
    const kind = { unique: "ok", solved: "ok", multiple: "warn", none: "bad" }[status] ?? "";
    this.#tell(kind, words.STATUS[status] ?? words.unsettled(seconds));
    this.app.say(words.STATUS[status] ?? words.unsettled(seconds));
    const goOn = status === "unknown" && h("button", { class: "button", onclick: () => this.restart(LONGER) }, words.GO_ON);
    const why = status === "none" && h("button", { class: "button", onclick: () => this.#details() }, words.WHY_NONE);
    const add = status === "multiple" && h("button", { class: "button", onclick: () => this.#addGivens() }, words.ADD_GIVENS);
    this.told.replaceChildren(...[goOn, why, add].filter(Boolean));
  }

  // --- what is shown on the board --------------------------------------------------------------------------------

  async #differences(ask, signal) {
    if (this.show !== "two") return this.app.board.overlay("solutions", null);
    const { differ = {} } = await ask("check", {});
    if (signal.aborted) return null;
    const { board } = this.app;
    const cells = Object.keys(differ).map((name) => cellNamed(this.designer.grid, name));
    const places = board.placesOf(cells);
    const pairs = Object.values(differ).flatMap(([one, other], index) => pairNodes(places[index], board.sign(one), board.sign(other)));
    board.overlay("solutions", [s("path", { class: "hint-cells", d: outline(places, 5) }), ...pairs]);
    this.told.append(h("p", { class: "soft" }, words.differing(cells.length)));
    return null;
  }

  async #candidates(ask, signal) {
    let complete = true;
    for (const cap of [1, CAP]) {
      const answer = await ask("candidates", { cap, known: "design" });
      if (signal.aborted) return;
      this.app.board.overlay("candidates", this.#candidateNodes(answer));
      ({ complete } = answer);
    }
    this.told.append(h("p", { class: "soft" }, complete ? words.CANDIDATES_HELP : words.UNDECIDED));
  }

  /** The values that may stand in each cell; those that a limit left undecided are faint, and then no count is exact. */
  #candidateNodes({ candidates, undecided, counts, complete }) {
    const { board, picture } = this.app;
    const across = Math.ceil(Math.sqrt(picture.values.length));
    return Object.keys({ ...candidates, ...undecided }).flatMap((name) => {
      const cell = cellNamed(this.designer.grid, name);
      if (picture.givens[cell] !== undefined) return [];
      const [found, open] = [candidates[name] ?? [], undecided[name] ?? []];
      const values = [...found, ...open];
      const [row, column] = board.places[cell];
      return values.map((value) => {
        const index = board.index(value);
        const [x, y] = [((index % across) + 0.5) / across, (Math.floor(index / across) + 0.5) / across];
        const size = values.length === 1 ? 58 : 66 / across;
        const [left, top] = values.length === 1 ? [0.5, 0.5] : [x, y];
        const single = complete && values.length > 1 && counts?.[name]?.[value] === 1;
        const tone = open.includes(value) ? "undecided" : single ? "single" : values.length === 1 ? "forced" : "";
        return s("text", { x: 100 * (column + left), y: 100 * (row + top) + 0.36 * size, "font-size": size, class: `candidate ${tone}` }, board.sign(value));
      });
    });
  }

  /** Ctrl and a press on a candidate makes it a given, Alt takes it away. */
  press(event) {
    if (this.show !== "candidates" || !(event.ctrlKey || event.metaKey || event.altKey)) return;
    const { board, picture } = this.app;
    const { cell } = board.cellAt(event.clientX, event.clientY);
    if (cell === null) return;
    const [x, y] = board.point(event.clientX, event.clientY);
    const across = Math.ceil(Math.sqrt(picture.values.length));
    const [row, column] = board.places[cell];
    const value = picture.values[Math.floor((y - row) * across) * across + Math.floor((x - column) * across)];
    if (value === undefined) return;
    event.stopImmediatePropagation();
    const name = cellName(this.designer.grid, cell);
    this.designer.edit(event.altKey ? excludeValue(name, value, picture.values) : setGivens([name], value));
  }

  // --- buttons ---------------------------------------------------------------------------------------------------

  /** Do something that may last, with a line that says so and a button that stops it. */
  async #work(act) {
    this.halt();
    const working = (this.asking = new AbortController());
    const stop = h("button", { class: "button", onclick: () => (working.abort(), this.told.replaceChildren(words.STOPPED)) }, words.STOP);
    this.told.replaceChildren(h("p", { class: "row" }, words.WORKING, stop));
    try {
      const ask = (verb, body) => this.app.api.ask(verb, body, { signal: working.signal, seconds: LONGER });
      this.told.replaceChildren(...((await act(ask)) ?? []));
    } catch (error) {
      this.#failed(error);
    }
  }

  #details() {
    return this.#work(async (ask) => {
      const { conflict, unnecessary = [], unnecessary_rules: rules = [], status, reason } = await ask("check", { puzzle: this.designer.history.present });
      if (conflict) return [h("p", {}, words.CLASH), chips(this.app, this.designer, [...conflict.givens, ...conflict.rules, ...conflict.candidates ?? []])];
      if (reason || status !== "unique") return [h("p", {}, words.STATUS[status] ?? words.unsettled(LONGER))];
      const givens = unnecessary.map((text) => this.#strike(text, setGivens([text.split("=")[0]], null)));
      const others = rules.map(({ kind, part, index }) => this.#strike(`${kind} ${part}`, removeRule(index)));
      return givens.length + others.length ? [h("ul", { class: "list" }, givens, others)] : [h("p", {}, words.NONE_UNNEEDED)];
    });
  }

  #strike(text, change) {
    const button = h("button", { class: "button", onclick: () => this.designer.edit(change) }, words.STRIKE);
    return h("li", { class: "row spread", ...outlining(this.app, this.designer, text.match(/r\d+c\d+/g) ?? []) }, h("span", {}, text), button);
  }

  #addGivens() {
    return this.#work(async (ask) => {
      const { additions = [] } = await ask("check", { puzzle: this.designer.history.present });
      const changes = additions.map((text) => text.split("="));
      const signs = this.app.picture.signs;
      const valueOf = (sign) => this.app.picture.values[signs.indexOf(sign)] ?? Number(sign);
      await this.designer.edit((json) => changes.reduce((now, [name, sign]) => setGivens([name], valueOf(sign))(now), json));
    });
  }

  #generate() {
    return this.#work(async (ask) => {
      const { grid } = this.designer.history.present;
      if (!grid.boxes || grid.rows !== grid.columns) return [h("p", {}, words.ONLY_BOXES)];
      const usual = new Set(rulesOf({}).map(({ kind }) => kind));
      const rules = this.designer.rules.filter(({ kind }) => !usual.has(kind));
      const { puzzles } = await ask("generate", { count: 1, size: grid.rows, boxes: grid.boxes.join("x"), rules });
      if (!puzzles.length) return [h("p", {}, words.NOT_MADE)];
      const { text } = await this.app.api.ask("convert", { puzzle: puzzles[0].puzzle, to: "json" });
      await this.designer.edit(() => JSON.parse(text.split("\n")[0]));
      return null;
    });
  }
}

/** Both values of a cell in which two solutions differ, with a slash between. */
function pairNodes([row, column], one, other) {
  const [x, y] = [100 * column, 100 * row];
  return [
    s("rect", { class: "pair", x: x + 4, y: y + 4, width: 92, height: 92 }),
    s("path", { class: "slash", d: `M${x + 22} ${y + 82}L${x + 78} ${y + 18}` }),
    s("text", { class: "solA", x: x + 28, y: y + 46, "font-size": 40 }, one),
    s("text", { class: "solB", x: x + 72, y: y + 86, "font-size": 40 }, other),
  ];
}
