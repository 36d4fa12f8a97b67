// The grounds of cells in play: what the selected cell sees, what is the same, what clashes, and what is selected.

/** Wash the board as the selection and the game are now. */
export function washes(app) {
  const { game, board, selection, settings, picture } = app;
  if (!game) return;
  const one = selection.single;
  const value = app.held ?? (one === null ? null : game.value(one));
  const every = [...game.states.keys()];
  const hasMark = ({ corner, centre }) => corner.includes(value) || centre.includes(value);
  const clashing = settings.showClashes ? every.filter((cell) => game.clashes[cell]) : [];
  const coloured = (cell) => game.states[cell].colours.length > 0;
  const known = value !== null && !(app.held !== null && app.inputMode === "colour");
  board.highlight({
    peer: one !== null && settings.peers ? picture.sees[one] : [],
    same: known && settings.sameValues ? every.filter((cell) => cell !== one && game.value(cell) === value) : [],
    "same faint": known && settings.sameMarks ? every.filter((cell) => game.value(cell) === null && hasMark(game.states[cell])) : [],
    clash: clashing.filter((cell) => !coloured(cell)),
    "clash ring": clashing.filter(coloured),
    chosen: selection.cells,
  });
}
