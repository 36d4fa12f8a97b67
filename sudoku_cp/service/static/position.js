// What the service is asked about a game: the position that it has come to, and the solution.

import { cellName } from "./cells.js";

const SECONDS = 10;

/** The position of the game as the service reads it. */
export function positionOf({ game, board }) {
  const values = {};
  const marks = {};
  game.states.forEach((state, cell) => {
    if (game.isGiven(cell)) return;
    if (state.value !== null) values[cellName(board, cell)] = state.value;
    else if (state.centre.length) marks[cellName(board, cell)] = state.centre;
  });
  return { values, marks };
}

/** Find the one solution of the puzzle once, for checks; null if there is none, or several, or it takes too long. */
export async function findSolution(app, signal) {
  const { puzzle } = app.game;
  if (puzzle.solution || app.unsolved === app.puzzle.text) return puzzle.solution;
  const ask = (verb, body) => app.api.ask(verb, body, { signal: AbortSignal.any([signal, app.shown]), seconds: SECONDS });
  const { status, found } = await solutionsOf(app, app.puzzle.json, 2, ask);
  if (status === "unique") [puzzle.solution] = found;
  else if (status !== "unknown") app.unsolved = app.puzzle.text;
  return puzzle.solution;
}

/** The first solutions of a puzzle on the present board, each as the values of its cells: { status, found }. */
export async function solutionsOf({ picture, board }, json, limit, ask) {
  const symbols = picture.signs.join(""); // the signs in which the solutions of one board come
  const { status, solutions } = await ask("solve", { puzzle: { ...json, symbols }, limit });
  const valueOf = (sign) => picture.values[picture.signs.indexOf(sign)];
  const read = (told) => (typeof told === "string" ? [...told].map(valueOf) : picture.cells.map((_, cell) => told[cellName(board, cell)]));
  return { status, found: solutions.map(read) };
}
