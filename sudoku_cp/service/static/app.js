// The state of the page: one puzzle, its picture, its game, what is selected and how it is shown. Modes listen to its events.
//
// Events: "puzzle" (another puzzle, or an edit of it: detail.edited), "game" (detail.cells changed), "selection", "input" (the
// mode of input, or the value held), "refused", "settings", "mode", "undoable".

import { Api, Problem } from "./api.js";
import { Board } from "./board.js";
import { listen } from "./dom.js";
import { Game, SETTINGS } from "./game.js";
import { packText, unpackText } from "./links.js";
import { Selection } from "./selection.js";
import { Timer } from "./about.js";
import { kindWords, nameOf } from "./puzzle_words.js";
import { readGame } from "./store.js";
import { readSettings, writeSettings } from "./settings.js";
import { Turns } from "./turns.js";
import { AGAIN, BUSY, DAMAGED_LINK, problemWords, REACHABLE, SYMBOLS_UNFIT, UNREACHABLE } from "./words.js";

const SAY_PAUSE = 1000; // milliseconds between sentences read aloud
const WHILE_PAUSED = new Set(["pause", "help", "open", "share", "print", "settings", "looks", "more", "theme"]); // actions

export class App extends EventTarget {
  api = new Api();
  settings = readSettings();
  actions = new Map();
  puzzle = null; // { text, json }
  picture = null;
  game = null;
  mode = null; // the present mode
  paused = false;
  held = null; // the value that is held for cells to come
  penColour = 6;
  grade = null; // of a puzzle made at a press
  #inputMode = "digit";
  #heldMode = null; // the mode that Shift and Ctrl ask for
  #said = { time: 0, timer: null };
  #wanted = null; // the name of the mode that is being loaded
  #opening = new Turns(); // of what is being opened
  #shown = new Turns(); // of the puzzles on the board
  #redrawing = new Turns();

  /** modes: a map from the names of modes to functions that load them. */
  constructor(modes) {
    super();
    this.modes = modes;
    this.board = new Board(document.getElementById("board"));
    this.selection = new Selection(() => this.#selected());
    this.api.addEventListener("reachable", () => this.toast(this.api.reachable ? REACHABLE : UNREACHABLE, { kind: "quiet" }));
  }

  emit(name, detail = {}) {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }

  /** Listen to several events; returns a function that ends it. */
  listen(listeners) {
    return listen(this, listeners);
  }

  // --- actions ---------------------------------------------------------------------------------------------------

  /** Add actions by name; returns a function that takes them away. */
  register(actions) {
    const before = Object.keys(actions).map((name) => [name, this.actions.get(name)]);
    for (const [name, action] of Object.entries(actions)) this.actions.set(name, action);
    return () => before.forEach(([name, action]) => (action ? this.actions.set(name, action) : this.actions.delete(name)));
  }

  /** Do an action; false if nobody registered it. While a game is paused, nothing is done in it. */
  act(name, detail) {
    const action = this.actions.get(name);
    if (!action) return false;
    if (this.paused && !WHILE_PAUSED.has(name)) return true;
    action(detail);
    return true;
  }

  /** Say whether there is something to undo and redo. */
  setUndo(canUndo, canRedo) {
    if (this.canUndo === canUndo && this.canRedo === canRedo) return;
    Object.assign(this, { canUndo, canRedo });
    this.emit("undoable");
  }

  // --- the puzzle ------------------------------------------------------------------------------------------------

  /** Begin to open something: what was being opened is given up. Returns the signal of that, which the next one ends. */
  opening() {
    return this.#opening.next();
  }

  /** The signal of the puzzle on the board, for whoever asks about it: another puzzle ends it. */
  get shown() {
    return this.#shown.signal;
  }

  /** Open a puzzle in any format that the service reads. Raises a `Problem`. */
  async open(text, { mode = "play", signal = this.opening() } = {}) {
    const { text: written, error, warnings } = await this.api.ask("convert", { puzzle: text, to: "json" }, { signal });
    if (!written) throw new Error(error ?? BUSY);
    await this.show(JSON.parse(written.split("\n")[0]), { mode, signal, warnings });
  }

  /** Show a puzzle in our JSON; `saved` is the data of a game of it, `warnings` what of its text is lost. */
  async show(json, { mode = "play", saved, signal = this.opening(), warnings = [], grade = null } = {}) {
    this.modes.get(mode)?.().catch(() => {}); // its code comes while the picture is made
    const layers = await this.#pictureOf(json, { signal });
    const known = saved ? { game: saved } : await readGame(JSON.stringify(json)).catch(() => undefined);
    signal.throwIfAborted();
    this.#shown.next();
    document.body.dataset.view = "board";
    this.timer = new Timer(known?.milliseconds);
    this.hintsUsed = known?.hints ?? 0;
    this.#take(json, layers, known?.game);
    this.grade = grade;
    this.game.refused = known?.refused ?? 0;
    await this.setMode(mode);
    this.emit("puzzle", { edited: false });
    document.getElementById("lost").hidden = true;
    if (warnings.length) import("./lost.js").then(({ tellLost }) => tellLost(warnings));
    scrollTo(0, 0);
    performance.mark("board"); // what is loaded or shown after that is told apart from what the board needed
    await this.writeHash();
  }

  /** Show a saved game of the present puzzle, such as another tab has gone on with. */
  takeGame({ game, milliseconds, hints }) {
    this.timer = new Timer(milliseconds);
    this.hintsUsed = hints;
    this.#take(this.puzzle.json, this.picture, game, true);
    this.emit("puzzle", { edited: true });
  }

  /** Replace the puzzle by an edited one; entries stay where the cells do. */
  async setPuzzle(json) {
    this.#takeEdited(json, await this.#pictureOf(json, { signal: this.shown }));
    clearTimeout(this.hashTimer);
    this.hashTimer = setTimeout(() => this.writeHash({ replace: true }), 300);
  }

  /** Draw the puzzle again, such as with other signs; the picture is that of the last edit, which may come in between. */
  async redraw() {
    const signal = this.#redrawing.next(this.shown);
    let [json, picture] = [];
    do {
      ({ json } = this.puzzle);
      picture = await this.#pictureOf(json, { signal });
    } while (json !== this.puzzle.json);
    this.#takeEdited(json, picture);
  }

  #takeEdited(json, picture) {
    const sameCells = String(picture.cells) === String(this.picture?.cells) && String(picture.values) === String(this.picture.values);
    this.#take(json, picture, sameCells ? this.game.toJSON() : null, sameCells);
    this.emit("puzzle", { edited: true });
  }

  /** The layers of a puzzle, with values in signs of one's own where these suffice. */
  async #pictureOf(json, options) {
    const ask = async (puzzle) => (await this.api.ask("picture", { puzzle, layers: true }, options)).layers;
    const { symbols } = this.settings;
    const layers = await ask(symbols ? { ...json, symbols } : json).catch((error) => {
      if (!symbols || !error.status) throw error;
      return ask(json).then((plain) => (this.toast(SYMBOLS_UNFIT), plain));
    });
    return symbols === this.settings.symbols ? layers : this.#pictureOf(json, options);
  }

  #take(json, picture, saved, edited = false) {
    this.puzzle = { text: JSON.stringify(json), json };
    this.picture = picture;
    const puzzle = { ...picture, solution: json.solution ?? null, hasMore: kindWords(json) !== "" };
    this.game = saved ? Game.from(puzzle, saved) : new Game(puzzle, this.settings);
    for (const name of Object.keys(SETTINGS)) this.game.settings[name] = this.settings[name];
    if (edited) this.board.redraw(picture);
    else {
      this.board.draw(picture);
      this.selection.reset(picture.cells);
    }
    document.getElementById("title").textContent = nameOf(json);
    document.getElementById("author").textContent = json.author ?? "";
    document.title = `${nameOf(json)} · sudoku_cp`;
  }

  /** Go to a mode by its name; its panels take the place of those before. The last one asked for wins. */
  async setMode(name) {
    const wanted = (this.#wanted = this.modes.has(name) ? name : "play");
    const mode = await this.modes.get(wanted)().catch((error) => {
      throw new Problem({ title: "unreachable", detail: error.message });
    });
    if (wanted !== this.#wanted || mode === this.mode) return;
    this.unmount?.();
    this.unmount = null;
    for (const id of ["left", "right"]) document.getElementById(id).replaceChildren();
    for (const overlay of ["broken", "solutions", "pen", "candidates", "hint", "ghost", "trace"]) if (this.picture) this.board.overlay(overlay, null);
    this.mode = mode;
    document.body.dataset.mode = mode.name;
    this.setUndo(false, false);
    this.unmount = mode.mount(this);
    this.emit("mode");
    if (this.picture) {
      this.board.patch();
      this.#selected();
      this.writeHash();
    }
  }

  /** Go to a mode because a person asks, who is told if its code cannot be had. */
  choose(name) {
    this.setMode(name).catch((error) => this.fail(error));
  }

  /** Put mode and puzzle into the address, so that Back works and a link is the whole puzzle. */
  async writeHash({ replace = false } = {}) {
    const { text } = this.puzzle;
    const packed = await packText(text);
    if (text !== this.puzzle.text || document.body.dataset.view !== "board") return;
    const hash = `#${this.mode.name}/p=${packed}`;
    if (hash === location.hash) return;
    const known = replace || location.hash.endsWith(`/p=${packed}`);
    history[known ? "replaceState" : "pushState"](null, "", hash);
  }

  /** Open what the address says; false if it names no puzzle. */
  async openHash() {
    const signal = this.opening();
    const found = /^#(\w+)\/p=(.+)$/.exec(location.hash);
    if (!found) return false;
    const text = await unpackText(found[2]).catch(() => "");
    if (!/^\s*\{/.test(text)) throw new Error(DAMAGED_LINK);
    if (text === this.puzzle?.text && document.body.dataset.view === "board") await this.setMode(found[1]);
    else {
      const { play, ...json } = JSON.parse(text);
      const shows = play ? (await import("./saved_games.js")).showLinked : () => this.show(json, { mode: found[1], signal });
      await shows(this, json, play, signal);
    }
    return true;
  }

  // --- input -----------------------------------------------------------------------------------------------------

  /** The mode of input that holds now: that of the keys held, else the one chosen. */
  get inputMode() {
    return this.#heldMode ?? this.#inputMode;
  }

  /** The mode of input that was chosen, whatever keys are held. */
  get chosenMode() {
    return this.#inputMode;
  }

  setInputMode(mode) {
    this.#inputMode = mode;
    this.emit("input");
  }

  /** Another mode for as long as keys are held; null for none. */
  setHeldMode(mode) {
    if (mode === this.#heldMode) return;
    this.#heldMode = mode;
    this.emit("input");
  }

  setSetting(name, value) {
    this.settings[name] = value;
    writeSettings(this.settings);
    if (this.game && name in this.game.settings) this.game.settings[name] = value;
    this.emit("settings", { name });
  }

  sign(value) {
    return this.board.sign(value);
  }

  #selected() {
    if (!this.picture) return;
    this.board.select(this.selection.cells, this.selection.cursor);
    this.emit("selection");
  }

  // --- telling ---------------------------------------------------------------------------------------------------

  /** Say a sentence to readers of the screen, at most one a second; the last one wins. */
  say(sentence) {
    clearTimeout(this.#said.timer);
    const wait = Math.max(0, this.#said.time + SAY_PAUSE - performance.now());
    this.#said.timer = setTimeout(() => {
      this.#said.time = performance.now();
      document.getElementById("live").textContent = sentence;
    }, wait);
  }

  /** Show a sentence that passes; see toasts.js. */
  toast(...told) {
    return import("./toasts.js").then(({ toast }) => toast(this, ...told), () => {});
  }

  /** Show an error; `again` asks again where an engine crashed. */
  fail(error, again) {
    if (error.name === "AbortError") return;
    const button = error.unanswered && again ? [AGAIN, again] : undefined;
    this.toast(error.unreachable ? UNREACHABLE : problemWords(error), { kind: error.unreachable ? "quiet" : "bad", button });
  }
}
