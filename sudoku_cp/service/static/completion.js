// The end of a game: a calm card, once, when the last value is right.

import { card, h, s } from "./dom.js";
import { outline } from "./geometry.js";
import { hasNext } from "./later_actions.js";
import { showNew, todaysGrade } from "./made_puzzles.js";
import { FINISHED, solvedIn } from "./playwords.js";
import { readRecords, recordsAfter, streakOf, writeRecords } from "./records.js";
import { Turns } from "./turns.js";
import { FILLED_WRONG, moves, refusals } from "./words.js";

const SECONDS = 10; // for the rating
const FRAME_TIME = 1200; // milliseconds

/** Show once, when the last value is right, that the game is over; returns a function that takes the card away. */
export function completionPanel(app, room) {
  const facts = h("p", { class: "soft" });
  const achieved = h("p", { class: "achieved" });
  const heading = h("h3");
  const replay = h("button", { class: "button", onclick: () => watch(app) }, FINISHED.watch);
  const next = h("button", { class: "button main", onclick: () => goOn(app, next) });
  const body = card(null, { class: "finished", hidden: true }, heading, achieved, facts, h("div", { class: "row" }, replay, next));
  room.append(body);
  const turns = new Turns();
  let over = false;

  function look() {
    const solved = app.game?.status === "solved";
    if (solved && !over) finish();
    if (!solved) body.hidden = true;
    if (app.game?.status === "wrong") app.say(FILLED_WRONG);
    over = solved;
  }

  /** Show the card; `now` when the last value has just been entered. */
  function finish(now = true) {
    const { history, refused } = app.game;
    const told = [moves(history.entries.length - 1), FINISHED.hints(app.hintsUsed ?? 0), ...(refused ? [refusals(refused)] : [])];
    heading.textContent = solvedIn(app.timer.milliseconds);
    facts.textContent = told.join(", ");
    next.textContent = hasNext(app) ? FINISHED.next : app.grade ? FINISHED.alike : FINISHED.shelf;
    achieved.textContent = "";
    body.hidden = false;
    if (!now) return;
    achieved.textContent = noteFinish(app);
    body.scrollIntoView({ block: "nearest" });
    frame(app.board);
    app.say([heading.textContent, achieved.textContent].filter(Boolean).join(" "));
    addRating(app, facts, turns.next(app.shown));
  }

  const begin = () => ((over = app.game?.status === "solved"), over ? finish(false) : (body.hidden = true)); // a solved game stays solved
  const stop = app.listen({ game: look, puzzle: begin });
  begin();
  return () => (stop(), body.remove());
}

/** A frame around the board that fades, once; where motion is not wanted it stands still as long. */
function frame(board) {
  const path = s("path", { class: "won-frame", d: outline(board.places, -4) });
  board.overlay("ghost", [path]);
  setTimeout(() => path.remove(), FRAME_TIME);
}

/** Keep what was achieved by the puzzle that has just been solved, in words: the best time of a grade without hints, days in a row. */
function noteFinish(app) {
  const today = todaysGrade(app.puzzle.json);
  const grade = app.grade ?? today?.grade;
  const timed = !app.hintsUsed && !app.game.history.path().some((entry) => app.game.history.entries[entry].words.kind === "restart");
  const { isBest, ...records } = recordsAfter(readRecords(), { grade, timed, milliseconds: app.timer.milliseconds, day: today?.day ?? null });
  writeRecords(records);
  const inRow = today ? streakOf(records.days, new Date()) : 0;
  const best = isBest ? FINISHED.newBest(grade) : records.best[grade] && FINISHED.best(grade, records.best[grade]);
  return [best, inRow > 1 && FINISHED.inRow(inRow)].filter(Boolean).join(" ");
}

/** Go on to the next puzzle of the file, to a new one of the same grade, or to the shelf. */
async function goOn(app, button) {
  if (hasNext(app)) return app.act("next-puzzle");
  if (!app.grade) return (location.hash = "");
  button.disabled = true;
  button.textContent = FINISHED.making;
  await showNew(app, app.grade).catch((error) => app.fail(error));
  button.disabled = false;
}

/** Tell how hard the puzzle is, as soon as that is known. */
async function addRating(app, facts, signal) {
  const answer = await app.api.ask("rate", { puzzle: app.puzzle.json, scale: "words" }, { signal, seconds: SECONDS }).catch(() => null);
  if (answer?.word) facts.append(`, ${answer.word}`);
}

/** Play the game itself from its start. */
async function watch(app) {
  try {
    await app.setMode("replay");
    app.act("walk-as", "game");
    app.act("walk-play");
  } catch (error) {
    app.fail(error);
  }
}
