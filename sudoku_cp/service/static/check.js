// Checking: is what was entered that of the solution? The number of wrong values, and only on a second press which they are.

import { CHECK, wrongCount } from "./words.js";

const SECONDS = 10;

/** Find the one solution of the puzzle once, for checks; null if there is none, or several, or it takes too long. */
export async function findSolution(app) {
  const { puzzle } = app.game;
  if (puzzle.solution || app.unsolved === app.puzzle.text) return puzzle.solution;
  const answer = await app.api.ask("solve", { puzzle: app.puzzle.json, limit: 2 }, { seconds: SECONDS });
  if (answer.status === "unique") puzzle.solution = answer.solutions[0].cells ?? answer.solutions[0];
  else if (answer.status !== "unknown") app.unsolved = app.puzzle.text;
  return puzzle.solution;
}

/** The action "check". */
export function checker(app) {
  let told = -1;
  return async () => {
    try {
      if (!(await findSolution(app))) return app.act("tell", [CHECK.unknown, ""]);
    } catch (error) {
      return app.fail(error);
    }
    const wrong = app.game.wrong();
    if (!wrong.length) return app.act("tell", [app.game.isFull ? CHECK.solved : CHECK.right, "ok"]);
    app.act("tell", [wrongCount(wrong.length), "bad"]);
    if (told === app.game.history.at) app.selection.replace(wrong);
    told = app.game.history.at;
  };
}
