// Mouse, pen and touch on the board in play: selecting, dragging, and entering a held value.

import { listen } from "./dom.js";

const DOUBLE = 350; // milliseconds between the presses of a double click
const LONG = 400; // milliseconds of a long press, which is as good as Ctrl
const BUZZ = 10; // milliseconds

/** Watch the board's pointer; returns a function that ends it. */
export function watchPointer(app) {
  const { board } = app;
  let drag = null;
  let last = { time: -DOUBLE, cell: null };
  let pressed = null; // the timer of a long press

  function down(event) {
    if (event.button > 0 || !app.picture || app.inputMode === "pen") return;
    const { cell } = board.cellAt(event.clientX, event.clientY);
    board.element.focus({ preventScroll: true });
    if (cell === null) return app.selection.none();
    board.element.setPointerCapture(event.pointerId);
    const at = [event.clientX, event.clientY];
    if (app.held !== null) return (drag = { cell, at, taking: [cell] });
    const more = event.ctrlKey || event.metaKey || event.shiftKey;
    drag = { cell, at, remove: more && app.selection.has(cell), before: app.selection.list(), cursor: app.selection.cursor };
    clearTimeout(pressed);
    if (event.pointerType === "touch") pressed = setTimeout(() => long(cell), LONG);
    if (event.timeStamp - last.time < DOUBLE && last.cell === cell) return alike(cell, more);
    last = { time: event.timeStamp, cell };
    if (more || app.selection.single === cell) app.selection.toggle(cell);
    else app.selection.only(cell);
  }

  /** A long press adds the cell to what was selected before, or removes it. */
  function long(cell) {
    navigator.vibrate?.(BUZZ);
    app.selection.replace(drag.before, cell);
    app.selection.toggle(cell);
    drag.remove = !app.selection.has(cell);
  }

  function alike(cell, more) {
    clearTimeout(pressed);
    drag = null;
    last = { time: -DOUBLE, cell: null };
    app.act("select-alike", { cell, more });
  }

  /** Go on to where the pointer is; one that is quick jumps over cells, which are visited too. */
  function move({ clientX, clientY }) {
    if (!drag) return;
    const [x, y] = drag.at;
    drag.at = [clientX, clientY];
    const steps = Math.ceil((4 * Math.hypot(clientX - x, clientY - y)) / board.unit) || 1;
    for (let step = 1; step <= steps; step += 1) visit(x + ((clientX - x) * step) / steps, y + ((clientY - y) * step) / steps);
  }

  function visit(x, y) {
    const { cell, near } = board.cellAt(x, y);
    if (cell === null || !near || cell === drag.cell) return;
    clearTimeout(pressed);
    drag.cell = cell;
    if (drag.taking) return drag.taking.includes(cell) || drag.taking.push(cell);
    if (drag.remove) app.selection.remove(cell);
    else app.selection.add(cell);
  }

  /** A value held goes into all the cells of a drag in one step of undo. */
  function up(event) {
    clearTimeout(pressed);
    if (drag?.taking && event.type === "pointerup") app.act("enter-held", drag.taking);
    if (drag?.before && event.type === "pointercancel") app.selection.replace(drag.before, drag.cursor); // a second finger came
    drag = null;
  }

  return listen(board.element, { pointerdown: down, pointermove: move, pointerup: up, pointercancel: up });
}
