// Hints by level: where to look, the technique, its cells, the step, and doing it. A level never tells more than its own.

import { cellNamed } from "./cells.js";
import { card, h, set, setText } from "./dom.js";
import { applyStep } from "./later_entries.js";
import { showWrong } from "./mending.js";
import { HINT, hintLevelWords, hintSaid } from "./playwords.js";
import { positionOf } from "./position.js";
import { blockerMarks, linkLines, outlinedCells, placedValue, strikeMark } from "./step_marks.js";

const SECONDS = 10;

/** The panel of hints, with checking and filling in of marks; turns: those of questions about the position. Returns what takes it out. */
export function hintPanel(app, panel, turns) {
  const steps = HINT.levels.map((name, index) => {
    const told = h("span");
    const button = h("button", { class: "step", onclick: () => ask(index + 1) }, h("span", { class: "told" }, h("b", {}, name), told));
    return { button, told };
  });
  const note = h("div", { class: "note", hidden: true });
  const tools = [["fill-marks", HINT.fill], ["check", HINT.check]].map(([name, words]) => h("button", { class: "button", onclick: () => app.act(name) }, words));
  const another = h("button", { class: "button", onclick: () => ask(1, skip + 1) }, HINT.another);
  const dismiss = h("button", { class: "button", onclick: () => close() }, HINT.close);
  const ladder = h("div", { class: "ladder" }, steps.map(({ button }) => button));
  const body = card(HINT.heading, { side: [...tools, another, dismiss], class: "hints" }, ladder, note);
  panel.append(body);
  let level = 0;
  let skip = 0; // steps that were not wanted
  let running = null; // the signal of the hint that is awaited

  async function ask(wanted, passed = skip) {
    if (wanted > level + 1 || running?.aborted === false) return;
    const signal = (running = turns.next());
    if (wanted > level) setText(steps[Math.min(wanted, 4) - 1].told, HINT.looking);
    body.classList.add("sheet"); // at once, so that nothing moves when the answer comes
    try {
      const body = { puzzle: app.puzzle.json, position: positionOf(app), level: Math.min(wanted, 4), skip: passed };
      const answer = await app.api.ask("hint", body, { signal, seconds: SECONDS });
      running = null;
      if (answer.status === "step") show(wanted, answer, passed);
      else if (["wrong", "none"].includes(answer.status)) await showWrong(app, answer, signal);
      else tell(answer.text);
    } catch (error) {
      if (running === signal) running = null;
      if (!running) patch();
      app.fail(error, () => ask(wanted, passed));
    }
  }

  function show(wanted, answer, passed) {
    [level, skip] = [wanted, passed];
    app.hintsUsed = (app.hintsUsed ?? 0) + (wanted === 1);
    steps.forEach(({ told }, index) => setText(told, index < Math.min(wanted, 4) ? hintLevelWords(index + 1, answer) : told.textContent));
    patch();
    draw(wanted, answer);
    bringIntoSight(steps[Math.min(wanted, 4) - 1].button);
    app.say(hintSaid(wanted, hintLevelWords(Math.min(wanted, 4), answer)));
    if (wanted === HINT.levels.length) apply(answer.step);
  }

  const numbered = (pairs) => pairs.map(([name, value]) => [cellNamed(app.board, name), value]);

  function apply({ placements, eliminations }) {
    app.act("changed", applyStep(app.game, numbered(placements), numbered(eliminations)));
  }

  function draw(wanted, { cells = [], step }) {
    const { board, game } = app;
    const nodes = outlinedCells(board, cells.map((name) => cellNamed(board, name)));
    if (wanted >= 4 && step) {
      nodes.push(...numbered(step.eliminations).map(([cell, value]) => strikeMark(board, cell, value, game.states[cell].centre)));
      nodes.push(...numbered(step.placements).flatMap(([cell, value]) => placedValue(board, cell, value)));
      nodes.push(...blockerMarks(board, numbered(step.blockers ?? []).map(([cell]) => cell)));
      const ends = ({ cells: names }) => names.map((name) => cellNamed(board, name));
      nodes.push(...linkLines(board, (step.links ?? []).map(({ start, end, kind }) => [ends(start), ends(end), kind])));
    }
    board.overlay("hint", nodes.filter(Boolean));
  }

  function patch() {
    for (const button of tools) button.hidden = level > 0;
    another.hidden = level === 0 || level === HINT.levels.length;
    dismiss.hidden = level === 0 && note.hidden;
    body.classList.toggle("sheet", !dismiss.hidden); // on a phone it lies over the keys, so that the board stays in sight
    steps.forEach(({ button, told }, index) => {
      if (index >= level) setText(told, "");
      set(button, { class: `step ${index < level ? "on" : index === level ? "next" : ""}` });
      button.hidden = index > level; // a level that nobody can ask for yet needs no room
    });
  }

  function tell(words, kind = "") {
    note.replaceChildren(...[words].flat());
    set(note, { class: `note ${kind}` });
    note.hidden = !words;
    patch();
    if (words) bringIntoSight(note);
    if (words) app.say(note.firstChild.textContent);
  }

  function bringIntoSight(element) {
    const isSheet = getComputedStyle(body).position === "fixed";
    (isSheet ? app.board.element : element).scrollIntoView({ block: "nearest" });
  }

  function close() {
    level = skip = 0;
    turns.end();
    tell("");
    if (app.picture) app.board.overlay("hint", null);
  }

  const off = app.register({ hint: () => ask(Math.min(level + 1, HINT.levels.length)), "hint-close": close, tell: ([words, kind]) => tell(words, kind) });
  const stop = app.listen({ puzzle: close, game: close });
  patch();
  return () => (close(), off(), stop(), body.remove());
}
