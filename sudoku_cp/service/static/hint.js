// Hints by level: where to look, the technique, its cells, the step, and doing it. A level never tells more than its own.

import { card, h, s, set, setText } from "./dom.js";
import { outline, squares } from "./geometry.js";
import { letter, strikeMark } from "./marks.js";
import { HINT, hintLevelWords, hintSaid } from "./hintwords.js";
import { shortName } from "./words.js";

const SECONDS = 10;

/** The position of the game as the service reads it. */
export function positionOf({ game, picture }) {
  const names = picture.cells.map(shortName);
  const values = {};
  const marks = {};
  game.states.forEach((state, cell) => {
    if (game.isGiven(cell)) return;
    if (state.value !== null) values[names[cell]] = state.value;
    else if (state.centre.length) marks[names[cell]] = state.centre;
  });
  return { values, marks };
}

/** Tell that something is wrong, with what can be done about it. */
export async function showWrong(app, answer) {
  const { mending } = await import("./mending.js");
  app.act("tell", [mending(app, answer), "bad"]);
}

/** The panel of hints, with checking and filling in of marks; returns a function that takes it out. */
export function hintPanel(app, panel) {
  const steps = HINT.levels.map((name, index) => {
    const told = h("span");
    const button = h("button", { class: "step", onclick: () => ask(index + 1) }, h("span", { class: "told" }, h("b", {}, name), told));
    return { button, told };
  });
  const note = h("div", { class: "note", hidden: true });
  const side = [["fill-marks", HINT.fill], ["check", HINT.check]].map(([name, words]) => h("button", { class: "button", onclick: () => app.act(name) }, words));
  const body = card(HINT.heading, { side, class: "hints" }, h("div", { class: "ladder" }, steps.map(({ button }) => button)), note);
  panel.append(body);
  const another = h("button", { class: "button", hidden: true, onclick: () => ask(1, skip + 1) }, HINT.another);
  body.append(h("div", { class: "row below" }, another));
  let level = 0;
  let skip = 0; // steps that were not wanted
  let running = null;

  async function ask(wanted, passed = skip) {
    if (wanted > level + 1 || running) return;
    running = new AbortController();
    try {
      const body = { puzzle: app.puzzle.json, position: positionOf(app), level: Math.min(wanted, 4), skip: passed };
      const answer = await app.api.ask("hint", body, { signal: running.signal, seconds: SECONDS });
      running = null;
      if (answer.status === "step") show(wanted, answer, passed);
      else if (["wrong", "none"].includes(answer.status)) await showWrong(app, answer);
      else tell(answer.text);
    } catch (error) {
      app.fail(error);
    } finally {
      running = null;
    }
  }

  function show(wanted, answer, passed) {
    [level, skip] = [wanted, passed];
    app.hintsUsed = (app.hintsUsed ?? 0) + (wanted === 1);
    steps.forEach(({ told }, index) => setText(told, index < Math.min(wanted, 4) ? hintLevelWords(index + 1, answer) : told.textContent));
    patch();
    draw(wanted, answer);
    app.say(hintSaid(wanted, hintLevelWords(Math.min(wanted, 4), answer)));
    if (wanted === HINT.levels.length) apply(answer.step);
  }

  function apply({ placements, eliminations }) {
    const named = new Map(app.picture.cells.map((place, cell) => [shortName(place), cell]));
    const cells = (list) => list.map(([name, value]) => [named.get(name), value]);
    const { changed } = app.game.applyStep(cells(placements), cells(eliminations));
    app.act("changed", changed);
  }

  function draw(wanted, { cells = [], step }) {
    const named = new Map(app.picture.cells.map((place, cell) => [shortName(place), cell]));
    const places = app.board.placesOf(cells.map((name) => named.get(name)));
    const nodes = places.length ? [s("path", { class: "hint-wash", d: squares(places) }), s("path", { class: "hint-cells", d: outline(places, 6) })] : [];
    if (wanted >= 4 && step) {
      nodes.push(...step.eliminations.map(([name, value]) => strikeMark(app.board, named.get(name), value, app.game.states[named.get(name)].centre)));
      const taken = step.placements.map(([name]) => app.picture.cells[named.get(name)]);
      nodes.push(s("path", { class: "ground", d: squares(taken) }), s("path", { class: "hint-wash", d: squares(taken) }), s("path", { class: "hint-cells", d: outline(places, 6) }));
      nodes.push(...step.placements.map(([name, value], index) => letter(taken[index], 0.5, 0.5, 66, app.sign(value), "placed")));
    }
    app.board.overlay("hint", nodes.filter(Boolean));
  }

  function patch() {
    another.hidden = level === 0 || level === HINT.levels.length;
    steps.forEach(({ button, told }, index) => {
      if (index >= level) setText(told, "");
      set(button, { class: `step ${index < level ? "on" : index === level ? "next" : ""}` });
      button.disabled = index > level;
    });
  }

  function tell(words, kind = "") {
    note.replaceChildren(...[words].flat());
    set(note, { class: `note ${kind}` });
    note.hidden = !words;
    if (words) app.say(note.firstChild.textContent);
  }

  function close() {
    level = skip = 0;
    running?.abort();
    running = null;
    tell("");
    patch();
    if (app.picture) app.board.overlay("hint", null);
  }

  const off = app.register({ hint: () => ask(Math.min(level + 1, HINT.levels.length)), "hint-close": close, tell: ([words, kind]) => tell(words, kind) });
  const stop = app.listen({ puzzle: close, game: close });
  patch();
  return () => (close(), off(), stop(), body.remove());
}
