// Play: a person solves. Here are the actions of play, and how what they change is shown.

import { aboutPanel, keepTime, Timer } from "./about.js";
import { h } from "./dom.js";
import { keypad } from "./keypad.js";
import { laterStyle } from "./modes.js";
import { watchPointer } from "./pointer.js";
import { rulesPanel } from "./rules_panel.js";
import { ValueReader } from "./value_reader.js";
import { washes } from "./wash.js";
import { UNREACHABLE } from "./words.js";

const ORDER = ["digit", "corner", "centre", "colour"];

/** What the first board does not wait for; keys may ask for its actions before it is there. */
const LATER = {
  load: async () => (await Promise.all([import("./play_panels.js"), laterStyle()]))[0],
  actions: ["fill-marks", "hint", "hint-close", "check", "tell", "checkpoint-back", "checkpoint-on", "next-puzzle", "say-entry", "say-undone", "say-redone", "say-refused", "select-alike", "restart", "pen-clear"],
};

export const play = {
  name: "play",
  mount(app) {
    const panel = document.getElementById("right");
    const [finish, hints, history] = Array.from({ length: 3 }, () => h("div", { class: "room" }));
    app.held = null;
    const stops = [
      keepTime(app),
      aboutPanel(app, panel),
      keypad(app, panel),
      rulesPanel(app, panel),
      place(panel, finish),
      place(panel, hints),
      place(panel, history),
      followUp(app, { finish, hints, history }),
      watchPointer(app),
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
  let entered = false; // before it was there
  const watch = app.listen({ game: () => (entered = true) });
  const loaded = new Promise(requestAnimationFrame).then(LATER.load).then(({ mountPanels }) => {
    watch();
    if (over) return;
    stops = mountPanels(app, rooms);
    if (entered) app.emit("game", { cells: [] });
  });
  loaded.catch(() => app.toast(UNREACHABLE));
  const early = (name) => (detail) => {
    const { shown } = app;
    return loaded.then(() => over || shown.aborted || app.act(name, detail), () => {});
  };
  const forget = app.register(Object.fromEntries(LATER.actions.map((name) => [name, early(name)])));
  return () => ((over = true), watch(), stops.forEach((stop) => stop()), forget());
}

function actionsOf(app) {
  const reader = new ValueReader();
  const enter = (value) => enterValue(app, value);
  const selected = () => app.selection.list();
  const turn = (step) => app.setInputMode(ORDER[(ORDER.indexOf(app.chosenMode) + step) % ORDER.length]);
  return {
    enter,
    press: (value) => (app.settings.input === "digit" ? hold(app, value) : enter(value)),
    "pen-colour": (colour) => ((app.penColour = colour), app.emit("input")),
    "enter-held": (cells) => change(app, app.game.enter(app.inputMode, app.held, cells), app.held),
    changed: (cells) => change(app, { changed: cells, refused: [] }),
    clear: () => (app.inputMode === "pen" ? app.act("pen-clear", selected()) : change(app, app.game.clear(app.inputMode, selected()))),
    undo: () => jump(app, app.game.undo(), "say-undone"),
    redo: () => jump(app, app.game.redo(), "say-redone"),
    jump: (entry) => jump(app, app.game.jump(entry)),
    escape: () => (app.held === null ? app.selection.none() : hold(app, null)),
    ...Object.fromEntries([...ORDER, "pen"].map((mode) => [`mode-${mode}`, () => app.setInputMode(mode)])),
    "mode-next": () => turn(1),
    "mode-previous": () => turn(ORDER.length - 1),
    key: (event) => app.actions.get("pen-key")?.(event) || reader.read(event, app.picture.signs, app.picture.values, enter),
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
  if (app.board.fixedMarks !== settings.fixedMarks) app.board.fixMarks(settings.fixedMarks);
  app.board.patch();
  washes(app);
  app.setUndo(game.history.canUndo, game.history.canRedo);
}

/** Enter a value into the selection. Without one it is held for the cells to come, unless a setting says cell first. */
function enterValue(app, value) {
  const cells = app.selection.list();
  if (!cells.length || app.inputMode === "pen" || app.settings.input === "digit") return hold(app, value);
  change(app, app.game.enter(app.inputMode, value, cells), value);
}

/** Hold a value, or let it go. A colour of the pen is held for good. */
function hold(app, value) {
  if (value !== null && app.inputMode === "pen") return app.act("pen-colour", value);
  if (value !== null && app.settings.input === "cell") return;
  app.held = app.held === value ? null : value;
  app.board.element.classList.toggle("holding", app.held !== null);
  app.emit("input");
  washes(app);
}

/** Show what an entry changed: { changed, refused }; `value` is what was entered. */
function change(app, { changed, refused = [] }, value = null) {
  if (refused.length) app.act("say-refused", [value, refused[0]]);
  else if (changed.length) app.act("say-entry");
  if (refused.length && app.settings.trueOnly) app.emit("refused");
  show(app, changed); // whoever hears of the game may have more to say
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

function jump(app, moved, told) {
  if (!moved) return;
  const { history } = app.game;
  show(app, moved.changed);
  app.selection.replace(moved.selected);
  const entry = told === "say-undone" ? history.next : history.at;
  if (told && entry !== null) app.act(told, entry);
}
