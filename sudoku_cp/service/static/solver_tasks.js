// What the solver does when a button is pressed. A task gets the app with its designer, `ask(verb, body)`, and `tell(words)` for how
// far it has come; it returns nodes to show, or null where the board shows enough.

import { cellName } from "./cells.js";
import * as words from "./designwords.js";
import { h } from "./dom.js";
import { removeRule, rulesOf, setGivens } from "./edits.js";
import { cellsNamed, outlining } from "./onboard.js";
import { solutionsOf } from "./position.js";
import { differing } from "./solver_overlays.js";
import { chips } from "./why.js";
import { withoutKind } from "./playwords.js";
import { ruleWords } from "./words.js";

const KEPT = ["title", "author", "ruleset", "symbols", "drawings"]; // what stays the setter's when a puzzle is made of the rules

/** The ratings of both Explainers are shown if they differ by two tenths or more. */
const APART = 0.15;

const paragraph = (text) => [h("p", {}, text)];

/** Why there is no solution, or which clues could be left out. */
export async function check({ app, designer }, ask) {
  const known = designer.rules;
  const { conflict, unnecessary = [], unnecessary_rules: rules = [], status, reason } = await ask("check", { puzzle: designer.history.present });
  if (conflict) {
    const parts = [...conflict.givens, ...conflict.rules.map(withoutKind), ...(conflict.candidates ?? [])];
    return [...paragraph(words.clash(parts.length)), chips(app, parts)];
  }
  if (reason || status !== "unique") return paragraph(words.STATUS[status] ?? words.UNSETTLED);
  const strike = (text, change) => {
    const button = h("button", { class: "button", onclick: () => designer.edit(change) }, words.STRIKE);
    return h("li", { class: "row spread", ...outlining(app, cellsNamed(text)) }, h("span", {}, text), button);
  };
  const givens = unnecessary.map((text) => strike(text, setGivens([text.split("=")[0]], null)));
  const others = rules.map((rule) => strike(ruleWords(rule), removeRule(known[rule.index])));
  return givens.length + others.length ? [h("ul", { class: "list" }, givens, others)] : paragraph(words.NONE_UNNEEDED);
}

/** Give cells of one solution in which another one differs, until there is no other. */
export async function addGivens({ app, designer }, ask, tell) {
  const before = designer.history.present;
  let json = before;
  for (let count = 1; ; count += 1) {
    const { status, found } = await solutionsOf(app, json, 2, ask);
    if (status === "unknown") return paragraph(words.UNSETTLED);
    if (status !== "multiple") break;
    const [one, other] = found;
    const cells = differing(one, other);
    const cell = cells[Math.floor(cells.length * Math.random())];
    json = setGivens([cellName(designer.grid, cell)], one[cell])(json);
    tell(words.adding(count));
  }
  await designer.replace(before, json);
  return null;
}

/** How hard the puzzle is for a person: in a word, then on the scales that take longer, as far as they know its rules. */
export async function rate({ designer }, ask, tell) {
  const puzzle = designer.history.present;
  const first = await ask("rate", { puzzle, scale: "words" });
  if (first.status !== "ok") return paragraph(first.status === "unknown" ? words.UNSETTLED : words.UNRATED);
  if (first.word) tell(words.HARDNESS.word(first.word));
  const found = { ...first, ...(await ask("rate", { puzzle, scale: ["se", "sukaku", "hodoku"] })) };
  if (found.se && found.sukaku && Math.abs(found.se.er - found.sukaku.er) < APART) delete found.sukaku;
  return Object.keys(words.HARDNESS).filter((scale) => found[scale]).flatMap((scale) => paragraph(words.HARDNESS[scale](found[scale])));
}

/** Whether the rules alone, without givens, can be obeyed. */
export async function validateLayout({ designer }, ask) {
  const { givens: _, candidates: __, ...layout } = designer.history.present;
  const { status } = await ask("solve", { puzzle: layout, limit: 1 });
  return paragraph(words.LAYOUT_STATUS[status] ?? words.UNSETTLED);
}

/** A new puzzle with the same rules, in place of this one. */
export async function generate({ designer }, ask) {
  const before = designer.history.present;
  const { grid } = before;
  if (!grid.boxes || grid.rows !== grid.columns) return paragraph(words.ONLY_BOXES);
  const usual = new Set(rulesOf({}).map(({ kind }) => kind));
  const rules = designer.rules.filter(({ kind }) => !usual.has(kind));
  const { puzzles } = await ask("generate", { count: 1, size: grid.rows, boxes: grid.boxes.join("x"), rules });
  if (!puzzles.length) return paragraph(words.NOT_MADE);
  const { text } = await ask("convert", { puzzle: puzzles[0].puzzle, to: "json" });
  const kept = Object.fromEntries(KEPT.filter((name) => before[name] !== undefined).map((name) => [name, before[name]]));
  await designer.replace(before, { ...JSON.parse(text.split("\n")[0]), ...kept });
  return null;
}
