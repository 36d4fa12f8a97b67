// Checking: is what was entered that of the solution? The number of wrong values, and only on a second press which they are.

import { showWrong } from "./mending.js";
import { CHECK, JUDGED_LATER, wrongCount } from "./playwords.js";
import { findSolution, positionOf } from "./position.js";

const SECONDS = 10;

/** What the service says of the position, which it knows of puzzles with several solutions too. */
function askHint(app, signal) {
  return app.api.ask("hint", { puzzle: app.puzzle.json, position: positionOf(app), level: 1 }, { signal, seconds: SECONDS });
}

/** Have a full grid judged that follows rules which the page does not know; once for each such grid. */
async function judge(app) {
  const { game } = app;
  if (game.status !== "full" || game.judging) return;
  game.judging = true;
  const { at } = game.history;
  try {
    const { status } = await askHint(app, app.shown);
    if (game.history.at === at && ["solved", "wrong", "none"].includes(status)) game.judge(status === "solved");
    else if (game.history.at === at) app.act("tell", [JUDGED_LATER, ""]);
  } catch (error) {
    app.fail(error);
  }
  game.judging = false;
  if (game !== app.game) return;
  if (game.history.at !== at) await judge(app); // another full grid
  else if (game.status !== "full") app.emit("game", { cells: [] });
}

/** Have every full grid judged, and the solution known where only true values may be entered; returns a function that ends it. */
export function judging(app) {
  const begin = () => {
    if (!app.game) return;
    if (app.settings.trueOnly) findSolution(app, app.shown).catch((error) => app.fail(error));
    judge(app);
  };
  begin();
  return app.listen({ puzzle: begin, settings: begin, game: () => judge(app) });
}

/** The action "check"; turns: those of questions about the position. */
export function checker(app, turns) {
  let told = -1;
  return async () => {
    const signal = turns.next();
    try {
      if (!(await findSolution(app, signal))) return await checkPosition(app, signal);
    } catch (error) {
      return app.fail(error, () => app.act("check"));
    }
    const wrong = app.game.wrong();
    if (!wrong.length) return app.act("tell", [app.game.isFull ? CHECK.solved : CHECK.right, "ok"]);
    app.act("tell", [wrongCount(wrong.length), "bad"]);
    if (told === app.game.history.at) app.selection.replace(wrong);
    told = app.game.history.at;
  };
}

/** Where no single solution is known, say whether some solution has all that is entered. */
async function checkPosition(app, signal) {
  const answer = await askHint(app, signal);
  if (["wrong", "none"].includes(answer.status)) return showWrong(app, answer, signal);
  return app.act("tell", answer.status === "solved" ? [CHECK.solved, "ok"] : answer.status === "unknown" ? [CHECK.unknown, ""] : [CHECK.possible, "ok"]);
}
