// The end of a game: a calm card, once, when the last value is right.

import { card, h } from "./dom.js";
import { FILLED_WRONG, moves, refusals, solvedIn, timeWords } from "./words.js";

/** Show once, when the last value is right, that the game is over; returns a function that takes the card away. */
export function completionPanel(app, panel) {
  const body = card(null, { class: "finished", hidden: true });
  panel.prepend(body);
  let over = app.game?.status === "solved";

  function look() {
    const solved = app.game?.status === "solved";
    if (solved && !over) finish();
    if (!solved) body.hidden = true;
    if (app.game?.status === "wrong") app.say(FILLED_WRONG);
    over = solved;
  }

  function finish() {
    const { history, refused } = app.game;
    const facts = [moves(history.entries.length - 1), timeWords.hints(app.hintsUsed ?? 0), ...(refused ? [refusals(refused)] : [])];
    const replay = h("button", { class: "button", onclick: () => app.choose("replay") }, timeWords.watch);
    const shelf = h("button", { class: "button main", onclick: () => (location.hash = "") }, timeWords.next);
    body.replaceChildren(h("h3", {}, solvedIn(app.timer.milliseconds)), h("p", { class: "soft" }, facts.join(", ")), h("div", { class: "row" }, replay, shelf));
    body.hidden = false;
    app.board.element.classList.add("won");
    setTimeout(() => app.board.element.classList.remove("won"), 600);
    app.say(solvedIn(app.timer.milliseconds));
  }

  const stop = app.listen({ game: look, puzzle: () => ((over = app.game.status === "solved"), (body.hidden = true)) });
  return () => (stop(), body.remove());
}
