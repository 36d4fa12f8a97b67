// Play: a person solves. Here are the actions of play, and how what they change is shown.

import { aboutPanel, keepTime, Timer } from "./about.js";
import { h } from "./dom.js";
import { keypad } from "./keypad.js";
import { ValueReader } from "./keys.js";
import { laterStyle } from "./modes.js";
import { watchPointer } from "./pointer.js";
import { rulesPanel } from "./rules_panel.js";
import { autosave } from "./store.js";
import { washes } from "./wash.js";
import { clashWords, entryWords, redone, refusal, STORAGE_FULL, undone, UNREACHABLE } from "./words.js";

const ORDER = ["digit", "corner", "centre", "colour"];
const SHAKE = 150; // milliseconds

/** What the first board does not wait for; keys may ask for its actions before it is there. */
const LATER = {
  load: () => Promise.all([...["hint", "history_panel", "completion", "check", "loupe"].map((name) => import(`./${name}.js`)), laterStyle()]),
  actions: ["hint", "hint-close", "check", "tell"],
};

const mountLater = (app, { panel, hints, history }, [{ hintPanel }, { historyPanel }, { completionPanel }, { checker, judging }, { loupe }]) => [
  loupe(app, hints),
  hintPanel(app, hints),
  historyPanel(app, history),
  completionPanel(app, panel),
  app.register({ check: checker(app) }),
  judging(app),
];

export const play = {
  name: "play",
  mount(app) {
    const panel = document.getElementById("right");
    const [hints, history] = [h("div", { class: "room" }), h("div", { class: "room" })];
    app.held = null;
    const stops = [
      keepTime(app),
      aboutPanel(app, panel),
      keypad(app, panel),
      place(panel, hints),
      rulesPanel(app, panel),
      place(panel, history),
      followUp(app, { panel, hints, history }),
      watchPointer(app),
      autosave(app, () => app.toast(STORAGE_FULL, { kind: "bad" })),
      app.register(actionsOf(app)),
      app.listen({ puzzle: () => begin(app), selection: () => washes(app), settings: () => app.game && begin(app) }),
    ];
    if (app.game) begin(app);
    return () => stops.forEach((stop) => stop());
  },
};

/** Put an element into a panel; returns a function that takes it out. */
function place(panel, element) {
  panel.append(element);
  return () => element.remove();
}

/** Load what comes later, and put it into its rooms; returns a function that ends it. */
function followUp(app, rooms) {
  let stops = [];
  let over = false;
  const loaded = new Promise(requestAnimationFrame).then(LATER.load).then((modules) => over || (stops = mountLater(app, rooms, modules)));
  loaded.catch(() => app.toast(UNREACHABLE));
  const early = LATER.actions.map((name) => [name, (detail) => loaded.then(() => over || app.act(name, detail), () => {})]);
  const forget = app.register(Object.fromEntries(early));
  return () => ((over = true), stops.forEach((stop) => stop()), forget());
}

function actionsOf(app) {
  const reader = new ValueReader();
  const enter = (value) => enterValue(app, value);
  const selected = () => app.selection.list();
  const turn = (step) => app.setInputMode(ORDER[(ORDER.indexOf(app.inputMode) + step) % ORDER.length]);
  return {
    enter,
    press: (value) => (app.settings.input === "digit" || !app.selection.cells.size ? hold(app, value) : enter(value)),
    "enter-held": (cells) => change(app, app.game.enter(app.inputMode, app.held, cells), app.held),
    changed: (cells) => change(app, { changed: cells, refused: [] }),
    clear: () => change(app, app.game.clear(app.inputMode, selected())),
    undo: () => jump(app, app.game.undo(), undone),
    redo: () => jump(app, app.game.redo(), redone),
    jump: (entry) => jump(app, app.game.jump(entry)),
    "checkpoint-back": () => toCheckpoint(app, false),
    "checkpoint-on": () => toCheckpoint(app, true),
    "fill-marks": () => change(app, app.game.fillMarks()),
    escape: () => (app.held === null ? app.selection.none() : hold(app, null)),
    ...Object.fromEntries(ORDER.map((mode) => [`mode-${mode}`, () => app.setInputMode(mode)])),
    "mode-next": () => turn(1),
    "mode-previous": () => turn(ORDER.length - 1),
    key: (event) => reader.read(event, app.picture.signs, app.picture.values, enter),
  };
}

/** Show the game from its beginning or after an edit of the puzzle. */
function begin(app) {
  const { game, settings } = app;
  app.board.view = (cell) => ({
    ...game.states[cell],
    value: game.value(cell),
    kind: game.isGiven(cell) ? "given" : "entered",
    wrong: settings.showClashes && game.clashes[cell] > 0 && !game.isGiven(cell),
  });
  app.timer ??= new Timer();
  app.board.patch();
  washes(app);
  app.setUndo(game.history.canUndo, game.history.canRedo);
}

/** Enter a value into the selection. Without one it is held for the cells to come, unless a setting says cell first. */
function enterValue(app, value) {
  const cells = app.selection.list();
  if (!cells.length || app.settings.input === "digit") return hold(app, value);
  change(app, app.game.enter(app.inputMode, value, cells), value);
}

/** Hold a value, or let it go. */
function hold(app, value) {
  if (value !== null && app.settings.input === "cell") return;
  app.held = app.held === value ? null : value;
  app.board.element.classList.toggle("holding", app.held !== null);
  app.emit("input");
  washes(app);
}

/** Show what an entry changed: { changed, refused }; `value` is what was entered. */
function change(app, { changed, refused = [] }, value = null) {
  show(app, changed);
  if (refused.length) refuse(app, value, refused[0]);
  else if (changed.length) sayEntry(app);
}

function show(app, changed) {
  const touched = new Set(changed);
  for (const cell of changed) for (const other of app.picture.sees[cell]) if (app.game.value(other) !== null) touched.add(other);
  app.board.patch(touched);
  washes(app);
  const { history } = app.game;
  app.setUndo(history.canUndo, history.canRedo);
  app.emit("game", { cells: changed });
}

function sayEntry(app) {
  const { words, changes } = app.game.history.entries[app.game.history.at];
  const clashing = changes.map(([cell]) => cell).find((cell) => app.game.clashes[cell]);
  const other = clashing === undefined ? null : app.game.clash(clashing, app.game.value(clashing));
  const places = app.picture.cells;
  const told = entryWords(words, app);
  app.say(other === null ? `${told}.` : `${told}. ${clashWords(app.sign(app.game.value(other)), places[clashing], places[other])}`);
}

function refuse(app, value, [cell, other]) {
  const { element } = app.board;
  element.classList.add("shake");
  setTimeout(() => element.classList.remove("shake"), SHAKE);
  app.toast(refusal(app.sign(value), app.picture.cells[cell], app.picture.cells[other]));
  if (app.settings.trueOnly) app.emit("refused");
}

function jump(app, moved, words) {
  if (!moved) return;
  const { history } = app.game;
  show(app, moved.changed);
  app.selection.replace(moved.selected);
  const entry = words === undone ? history.next : history.at;
  if (words && entry !== null) app.say(words(entryWords(history.entries[entry].words, app)));
}

function toCheckpoint(app, after) {
  const entry = app.game.history.checkpoint(after);
  if (entry !== null) jump(app, app.game.jump(entry));
}
