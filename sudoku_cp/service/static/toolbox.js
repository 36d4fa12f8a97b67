// The left panel of design: the tool in hand with its fields, and all tools by family, made from the registry.

import { cellName } from "./cells.js";
import * as words from "./designwords.js";
import { card, h, s, setText, svgNodes } from "./dom.js";
import { addRule, mirrored } from "./edits.js";
import { squares } from "./geometry.js";
import { icon } from "./icons.js";
import { byFamily, isMeant, read, ruleOf, words as inWords, write } from "./tools.js";
import { CLEAR } from "./words.js";

const ENDLESS = new Set(["cage", "cells", "groups", "stages", "stem"]); // gestures that go on until somebody ends them

/** Fill the panel and keep it up to date; returns a function that ends it. */
export function toolbox(app, designer, panel) {
  const present = h("div");
  const buttons = new Map(designer.tools.map((tool) => [tool, toolButton(designer, tool)]));
  const givens = h("button", { class: "button wide", onclick: () => designer.take(null) }, words.GIVENS);
  const families = byFamily(designer.tools).map(([name, tools]) =>
    h("section", {}, h("h3", {}, inWords(name)), h("div", { class: "tools" }, tools.map((tool) => buttons.get(tool)))),
  );
  const find = h("input", { type: "search", class: "find", placeholder: words.findOne(designer.tools.length), "aria-label": words.findOne(designer.tools.length) });
  find.addEventListener("input", () => {
    for (const [tool, button] of buttons) button.hidden = !isMeant(tool, find.value);
    for (const family of families) family.hidden = !family.querySelector(".tool:not([hidden])");
  });
  find.addEventListener("keydown", (event) => {
    const first = [...buttons].find(([, button]) => !button.hidden);
    if (event.key === "Enter" && first) designer.take(first[0]);
    if (["Enter", "Escape"].includes(event.key)) app.board.element.focus();
  });
  const show = () => {
    present.replaceChildren(...presentTool(app, designer));
    for (const [tool, button] of buttons) button.setAttribute("aria-pressed", String(tool === designer.tool));
    givens.setAttribute("aria-pressed", String(designer.tool === null));
  };
  const problem = ({ detail }) => present.querySelector(".problem") && setText(present.querySelector(".problem"), detail);
  panel.replaceChildren(card("", {}, present), card(words.TOOLS, { class: "toolcard" }, h("div", { class: "row" }, givens), find, h("div", { class: "toolbox" }, families)));
  designer.addEventListener("tool", show);
  designer.addEventListener("problem", problem);
  show();
  return () => (designer.removeEventListener("tool", show), designer.removeEventListener("problem", problem));
}

function toolButton(designer, tool) {
  return h(
    "button",
    { class: "tool", dataset: { tool: tool.kind }, title: tool.meaning, onclick: () => (designer.take(tool), document.getElementById("board").scrollIntoView({ block: "nearest" })) },
    thumb(tool) ?? h("span", { class: "sign", "aria-hidden": "true" }, words.GESTURE_WORDS[tool.gesture][0]),
    h("span", {}, tool.words),
  );
}

/** The picture of a tool's example; null if it draws nothing. */
function thumb({ thumbnail }) {
  if (!thumbnail) return null;
  const pictures = ["under", "over", "outside"].map((name) => s("g", { class: `pic ${name}` }, svgNodes(thumbnail[name])));
  return s("svg", { viewBox: thumbnail.box.join(" "), "aria-hidden": "true" }, s("path", { class: "cells", d: squares(thumbnail.cells) }), pictures);
}

function presentTool(app, designer) {
  const { tool, index } = designer;
  const problem = h("p", { class: "problem", role: "status" });
  if (!tool) return [h("h2", {}, words.GIVENS), h("p", { class: "soft" }, words.GIVENS_MEANING), valueKeys(app), problem];
  const [sign, gesture] = words.GESTURE_WORDS[tool.gesture];
  const button = (text, onclick, main = false) => h("button", { class: `button${main ? " main" : ""}`, onclick }, text);
  const actions = [
    tool.gesture === "switch" && index === null && button(words.ADD, () => designer.add(), true),
    tool.gesture === "joined" && index === null && button(words.JOIN, () => designer.join(), true),
    designer.drawing && ENDLESS.has(tool.gesture) && button(words.NEXT, () => app.act("close-shape"), true),
    index !== null && button(words.REMOVE, () => designer.remove(index)),
    index !== null && tool.placed.length > 0 && button(words.MIRROR, () => copyAcross(designer)),
  ];
  return [
    h("h2", {}, tool.words),
    h("p", {}, tool.meaning),
    h("p", { class: "soft" }, `${sign} ${gesture}`),
    ...tool.typed.map((field) => fieldInput(app, designer, field, problem)),
    problem,
    h("div", { class: "row" }, actions),
  ];
}

/** A key for each value, and one that clears, for those who have no keyboard at hand. */
function valueKeys(app) {
  const { values } = app.picture;
  const key = (value) => h("button", { class: "key", onclick: () => app.act("give", value) }, app.sign(value));
  const clear = h("button", { class: "key act", "aria-label": CLEAR, onclick: () => app.act("clear") }, icon("erase"));
  return h("div", { class: "pad many across5" }, values.map(key), clear);
}

/** The input of a field: a tick, or a text that is read when it is left or with Enter. */
function fieldInput(app, designer, field, problem) {
  const value = designer.typed[field.name];
  if (field.plain === "bool") {
    const box = h("input", { type: "checkbox", checked: value, onchange: () => designer.setField(field.name, box.checked) });
    return h("label", { class: "toggle" }, box, inWords(field.name));
  }
  const input = h("input", { value: write(field, value), inputmode: field.plain === "int" && !field.depth ? "numeric" : null, dataset: { field: field.name } });
  let known = input.value;
  const commit = () => {
    if (input.value === known) return;
    known = input.value;
    try {
      setText(problem, "");
      input.removeAttribute("aria-invalid");
      const typed = read(field, input.value);
      if (JSON.stringify(typed) !== JSON.stringify(designer.typed[field.name])) designer.setField(field.name, typed);
    } catch (error) {
      input.setAttribute("aria-invalid", "true");
      setText(problem, `${inWords(field.name)}: ${error.message}`);
    }
  };
  input.addEventListener("change", commit);
  input.addEventListener("blur", commit); // a digit that a key on the board put in is no change for the browser
  input.addEventListener("keydown", (event) => {
    if (!["Enter", "Escape"].includes(event.key)) return;
    input.blur();
    app.board.element.focus();
    if (event.key === "Enter" && designer.drawing?.complete) app.act("close-shape"); // the next press begins another
  });
  const take = () => {
    const names = app.selection.list().map((cell) => cellName(designer.grid, cell));
    const before = input.value.trim();
    input.value = field.depth > 1 && before ? `${before}; ${names.join(", ")}` : names.join(", ");
    input.dispatchEvent(new Event("change"));
  };
  const takeMarked = () => {
    input.value = write(field, designer.markedPairs);
    input.dispatchEvent(new Event("change"));
  };
  const cells = field.plain === "Cell" && h("button", { class: "button", onclick: take }, words.TAKE_CELLS);
  const marked = field.plain === "Cell" && field.depth === 2 && h("button", { class: "button", onclick: takeMarked }, words.TAKE_MARKED);
  return h("div", { class: "asked" }, h("label", { class: "asked" }, h("span", {}, inWords(field.name)), input), h("div", { class: "row" }, marked, cells));
}

/** Put a copy of the rule that is shown on the other side of the board's middle. */
function copyAcross(designer) {
  const { grid, rules, index, tool } = designer;
  const [rows, columns] = [0, 1].map((axis) => Math.max(...grid.places.map((place) => place[axis])));
  const across = (name) => {
    const [row, column] = /^r(\d+)c(\d+)$/.exec(name).slice(1).map((text) => Number(text) - 1);
    const cell = grid.at.get(`${rows - row},${columns - column}`);
    return cell === undefined ? undefined : cellName(grid, cell);
  };
  const copy = mirrored(rules[index], across);
  if (copy) designer.edit(addRule(ruleOf(tool, copy, copy)));
  else designer.emit("problem", words.cannotMirror);
}
