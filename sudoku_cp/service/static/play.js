// Play: a person solves.

import { keypad } from "./keypad.js";
import { watchPointer } from "./pointer.js";
import { ValueReader } from "./keys.js";

const ORDER = ["digit", "corner", "centre", "colour"];

export const play = {
  name: "play",
  mount(app) {
    const reader = new ValueReader();
    const enter = (value) => enterValue(app, value);
    const stops = [
      keypad(app, document.getElementById("right")),
      watchPointer(app),
      app.register({
        enter,
        clear: () => change(app, app.game.clear(app.inputMode, app.selection.list())),
        undo: () => jump(app, app.game.undo()),
        redo: () => jump(app, app.game.redo()),
        "fill-marks": () => change(app, app.game.fillMarks()),
        ...Object.fromEntries(ORDER.map((mode) => [`mode-${mode}`, () => app.setInputMode(mode)])),
        "mode-next": () => app.setInputMode(ORDER[(ORDER.indexOf(app.inputMode) + 1) % 4]),
        "mode-previous": () => app.setInputMode(ORDER[(ORDER.indexOf(app.inputMode) + 3) % 4]),
        key: (event) => reader.read(event, app.picture.signs, app.picture.values, enter),
      }),
      app.listen({ puzzle: () => begin(app), selection: () => wash(app) }),
    ];
    if (app.game) begin(app);
    return () => stops.forEach((stop) => stop());
  },
};

function begin(app) {
  const { game } = app;
  app.board.view = (cell) => ({
    ...game.states[cell],
    value: game.value(cell),
    kind: game.isGiven(cell) ? "given" : "entered",
    wrong: game.clashes[cell] > 0 && !game.isGiven(cell),
  });
  app.board.patch();
  wash(app);
  app.setUndo(game.history.canUndo, game.history.canRedo);
}

/** Enter a value into the selection; without one it is held for the cells to come. */
export function enterValue(app, value) {
  const cells = app.selection.list();
  if (cells.length) change(app, app.game.enter(app.inputMode, value, cells));
}

/** Show what an entry changed: { changed, refused }. */
export function change(app, { changed }) {
  const seen = new Set(changed);
  for (const cell of changed) for (const other of app.picture.sees[cell]) seen.add(other);
  app.board.patch(seen);
  wash(app);
  app.setUndo(app.game.history.canUndo, app.game.history.canRedo);
  app.emit("game", { cells: changed });
}

function jump(app, moved) {
  if (!moved) return;
  change(app, moved);
  app.selection.replace(moved.selected);
}

/** Wash the grounds: peers, same values, clashes, and what is selected. */
export function wash(app) {
  const { game, board, selection, settings, picture } = app;
  const one = selection.single;
  const value = one === null ? null : game.value(one);
  const every = [...game.states.keys()];
  board.highlight({
    peer: one !== null && settings.peers ? picture.sees[one] : [],
    same: value !== null && settings.sameValues ? every.filter((cell) => cell !== one && game.value(cell) === value) : [],
    clash: settings.showClashes ? every.filter((cell) => game.clashes[cell]) : [],
    chosen: selection.cells,
  });
}
