// The panel of a game in play: the time, how much is filled, and what is wrong.

import { card, h, set, setText } from "./dom.js";
import { icon } from "./icons.js";
import { clashCount, clock, FILLED_WRONG, filledOf, moves, PAUSE, PAUSED, refusals, RESUME, SOLVED } from "./words.js";

const TICK = 250; // milliseconds

/** Counts while the page is seen and not paused. */
export class Timer {
  #since = null;

  constructor(milliseconds = 0) {
    this.before = milliseconds;
  }

  get milliseconds() {
    return Math.max(0, this.before + (this.#since === null ? 0 : performance.now() - this.#since));
  }

  /** Move the clock on or back. */
  turn(milliseconds) {
    this.before += milliseconds;
  }

  start() {
    this.#since ??= performance.now();
  }

  stop() {
    this.before = this.milliseconds;
    this.#since = null;
  }
}

/** Put the panel in; returns { stop, finish }: `finish` shows that the game is over. */
export function aboutPanel(app, panel) {
  const time = h("button", { class: "clock", title: PAUSE, onclick: () => app.act("pause") });
  const pill = h("span", { class: "pill", hidden: true });
  const bar = h("b");
  const meter = h("div", { class: "meter", role: "progressbar", "aria-label": "Cells filled", "aria-valuemin": 0 }, bar);
  const [filled, count] = [h("span"), h("span")];
  const body = card(null, { class: "about" }, h("div", { class: "row spread" }, time, pill), meter, h("div", { class: "row spread soft below" }, filled, count));
  panel.append(body);

  function tick() {
    const { timer, settings, game } = app;
    if (!game) return;
    const shown = settings.timer === "shown" || game.status === "solved";
    setText(time, shown ? clock(timer.milliseconds) : "");
    time.hidden = !shown;
  }

  function patch() {
    const { game, settings } = app;
    if (!game) return;
    set(meter, { "aria-valuenow": game.filled, "aria-valuemax": game.size });
    bar.style.width = `${(100 * game.filled) / game.size}%`;
    setText(filled, filledOf(game.filled, game.size));
    setText(count, [moves(game.history.entries.length - 1), game.refused && refusals(game.refused)].filter(Boolean).join(", "));
    const clashing = settings.showClashes ? game.clashes.reduce((sum, one) => sum + (one > 0), 0) : 0;
    const { status } = game;
    const [kind, words] = status === "solved" ? ["ok", SOLVED] : status === "wrong" ? ["bad", FILLED_WRONG] : clashing ? ["bad", clashCount(clashing)] : ["", ""];
    set(pill, { class: `pill ${kind}` });
    pill.hidden = !words;
    setText(pill, words);
    tick();
  }

  const beat = setInterval(tick, TICK);
  const stop = app.listen({ puzzle: patch, game: patch, refused: patch, settings: patch });
  patch();
  return () => (clearInterval(beat), stop(), body.remove());
}

/** Keep the time: count while the page is seen and nobody paused. Returns a function that ends it. */
export function keepTime(app) {
  const cover = document.getElementById("cover");
  app.timer ??= new Timer();
  const board = document.getElementById("board");

  function run() {
    const counts = app.game && !app.paused && !document.hidden && app.game.status !== "solved";
    if (counts) app.timer.start();
    else app.timer.stop();
    cover.hidden = !app.paused;
    board.inert = app.paused;
    document.body.toggleAttribute("data-paused", app.paused);
  }

  let focused = null; // before the pause

  function pause() {
    if (!app.paused) focused = document.activeElement;
    app.paused = !app.paused && app.game?.status !== "solved";
    cover.replaceChildren(h("p", {}, PAUSED), h("button", { class: "button main", onclick: pause }, icon("play"), RESUME));
    run();
    (app.paused ? cover.lastChild : focused?.closest("aside, #toolbar") ? focused : board).focus();
    app.say(app.paused ? PAUSED : RESUME);
  }

  document.addEventListener("visibilitychange", run);
  const stops = [app.register({ pause }), app.listen({ puzzle: () => ((app.paused = false), run()), game: run })];
  run();
  return () => {
    document.removeEventListener("visibilitychange", run);
    app.paused = false;
    run();
    app.timer.stop();
    stops.forEach((stop) => stop());
  };
}
