// Mouse, pen and touch on the board in play: selecting, dragging, and entering a held value.

const DOUBLE = 350; // milliseconds between the presses of a double click

/** Watch the board's pointer; returns a function that ends it. */
export function watchPointer(app) {
  const { board } = app;
  let drag = null;
  let last = { time: -DOUBLE, cell: null };

  function down(event) {
    if (event.button > 0 || !app.picture) return;
    const { cell } = board.cellAt(event.clientX, event.clientY);
    board.svg.focus({ preventScroll: true });
    if (cell === null) return app.selection.none();
    board.svg.setPointerCapture(event.pointerId);
    const more = event.ctrlKey || event.metaKey || event.shiftKey;
    drag = { cell, remove: more && app.selection.has(cell) };
    if (event.timeStamp - last.time < DOUBLE && last.cell === cell) return alike(cell);
    last = { time: event.timeStamp, cell };
    if (more || app.selection.single === cell) app.selection.toggle(cell);
    else app.selection.only(cell);
  }

  function alike(cell) {
    drag = null;
    last = { time: -DOUBLE, cell: null };
    app.selection.replace(app.game.alike(cell), cell);
  }

  function move(event) {
    if (!drag) return;
    const { cell, near } = board.cellAt(event.clientX, event.clientY);
    if (cell === null || !near || cell === drag.cell) return;
    drag.cell = cell;
    if (drag.remove) app.selection.remove(cell);
    else app.selection.add(cell);
  }

  const up = () => (drag = null);
  const listeners = { pointerdown: down, pointermove: move, pointerup: up, pointercancel: up };
  for (const [name, listener] of Object.entries(listeners)) board.svg.addEventListener(name, listener);
  return () => Object.entries(listeners).forEach(([name, listener]) => board.svg.removeEventListener(name, listener));
}
