// The left panel of design: the tool in hand with its fields, and all tools by family, made from the registry.

import { cellName } from "./cells.js";
import * as words from "./designwords.js";
import { card, h, listen, s, setText, svgNodes } from "./dom.js";
import { addRule, mirrored, SYMMETRIES } from "./edits.js";
import { squares } from "./geometry.js";
import { icon } from "./icons.js";
import { regionSign } from "./regions.js";
import { byFamily, findTools, read, ruleOf, words as inWords, write } from "./tools.js";
import { CLEAR } from "./words.js";

const ENDLESS = new Set(["cage", "cells", "groups", "stages", "stem"]); // gestures that go on until somebody ends them

/** Fill the panel and keep it up to date; returns a function that ends it. */
export function toolbox(app, designer, panel) {
  const present = h("div");
  let inHand = null;
  const buttons = new Map(designer.tools.map((tool) => [tool, toolButton(designer, tool)]));
  const givens = h("button", { class: "button wide", onclick: () => designer.take(null) }, words.GIVENS);
  const regions = h("button", { class: "button wide", onclick: () => designer.takeRegions() }, words.REGIONS);
  const families = byFamily(designer.tools).map(([name, tools]) => ({ tools, room: h("div", { class: "tools" }), name }));
  const found = h("div", { class: "tools" });
  const all = h("div", {}, families.map(({ name, room }) => h("section", {}, h("h3", {}, inWords(name)), room)));
  const putHome = () => families.forEach(({ tools, room }) => room.replaceChildren(...tools.map((tool) => buttons.get(tool))));
  putHome();
  const find = h("input", { type: "search", class: "find", placeholder: words.findOne(designer.tools.length), "aria-label": words.findOne(designer.tools.length) });
  let meant = []; // the tools that fit what is typed, the best first
  find.addEventListener("input", () => {
    meant = find.value.trim() ? findTools(designer.tools, find.value) : [];
    all.hidden = Boolean(find.value.trim());
    const help = words.REGION_NAMES.test(find.value) && h("p", { class: "soft wholerow" }, words.REGION_HELP);
    if (all.hidden) found.replaceChildren(...[help, ...meant.map((tool) => buttons.get(tool))].filter(Boolean));
    else putHome();
  });
  find.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && meant.length) designer.take(meant[0]);
    if (["Enter", "Escape"].includes(event.key)) app.board.element.focus();
  });
  const patch = () => inHand.patch();
  const show = () => {
    if (inHand?.tool !== designer.tool || inHand.regions !== designer.paintsRegions) {
      inHand = toolInHand(app, designer);
      present.replaceChildren(...inHand.nodes);
    }
    patch();
    for (const [tool, button] of buttons) button.setAttribute("aria-pressed", String(tool === designer.tool));
    givens.setAttribute("aria-pressed", String(designer.tool === null && !designer.paintsRegions));
    regions.setAttribute("aria-pressed", String(designer.paintsRegions));
    regions.hidden = !app.puzzle.json.grid.rows; // several boards share cells
  };
  const problem = ({ detail }) => setText(present.querySelector(".problem"), detail);
  panel.replaceChildren(card("", {}, present), card(words.TOOLS, { class: "toolcard" }, h("div", { class: "row" }, givens, regions), find, h("div", { class: "toolbox" }, found, all)));
  show();
  const stops = [listen(designer, { tool: show, drawing: patch, problem }), app.listen({ puzzle: patch })];
  return () => stops.forEach((stop) => stop());
}

function toolButton(designer, tool) {
  return h(
    "button",
    { class: "tool", dataset: { tool: tool.kind }, title: tool.meaning, onclick: () => (designer.take(tool), document.getElementById("board").scrollIntoView({ block: "nearest" })) },
    thumb(tool) ?? h("span", { class: "sign", "aria-hidden": "true" }, tool.sign ?? words.GESTURE_WORDS[tool.gesture][0]),
    h("span", {}, tool.words),
  );
}

/** The picture of a tool's example; null if it draws nothing. */
function thumb({ thumbnail }) {
  if (!thumbnail) return null;
  const pictures = ["under", "over", "outside"].map((name) => s("g", { class: `pic ${name}` }, svgNodes(thumbnail[name])));
  return s("svg", { viewBox: thumbnail.box.join(" "), "aria-hidden": "true" }, s("path", { class: "cells", d: squares(thumbnail.cells) }), pictures);
}

/** The tool in hand with its fields; `patch` shows what its rule has now, and leaves alone what is being typed: { tool, nodes, patch }. */
function toolInHand(app, designer) {
  const { tool, paintsRegions } = designer;
  const problem = h("p", { class: "problem", role: "status" });
  if (!tool) {
    const keys = h("div", { class: "pad many across5" });
    const [heading, meaning] = paintsRegions ? [words.REGIONS, words.REGIONS_MEANING] : [words.GIVENS, words.GIVENS_MEANING];
    const patch = () => showKeys(app, keys, paintsRegions);
    return { tool, regions: paintsRegions, nodes: [h("h2", {}, heading), h("p", { class: "soft" }, meaning), keys, problem], patch };
  }
  const [sign, gesture] = words.GESTURE_WORDS[tool.gesture];
  const fields = tool.typed.map((field) => (FIELDS[field.plain] ?? typedField)(app, designer, field, problem));
  const buttons = h("div", { class: "row" });
  let hand = null;
  const patch = () => {
    const another = hand !== designer.hand;
    if (another) setText(problem, "");
    ({ hand } = designer);
    fields.forEach((field) => field.patch(another));
    buttons.replaceChildren(...actionsOf(app, designer));
  };
  const byKeys = tool.placed.some(({ plain }) => plain === "Cell") ? ` ${words.BY_KEYS}` : "";
  const about = [h("h2", {}, tool.words), h("p", {}, tool.meaning), h("p", { class: "soft" }, `${sign} ${gesture}${byKeys}`)];
  return { tool, regions: false, nodes: [...about, ...fields.map(({ element }) => element), problem, buttons], patch };
}

/** The buttons for the tool in hand and its rule. */
function actionsOf(app, designer) {
  const { tool, rule, drawing } = designer;
  const button = (text, onclick, main = false) => h("button", { class: `button${main ? " main" : ""}`, onclick }, text);
  return [
    tool.gesture === "switch" && !rule && button(words.ADD, () => designer.add(), true),
    tool.gesture === "joined" && !rule && button(words.JOIN, () => designer.join(), true),
    drawing && ENDLESS.has(tool.gesture) && button(words.NEXT, () => app.act("close-shape"), true),
    rule && button(words.REMOVE, () => designer.remove(rule)),
    rule && tool.placed.length > 0 && copies(designer),
  ].filter(Boolean);
}

/** A key for each value, and one that clears, for those who have no keyboard at hand. */
function showKeys(app, room, regions) {
  const { values } = app.picture;
  const signs = values.map((value, index) => (regions ? regionSign(index) : app.sign(value)));
  if (signs.join() === room.dataset.signs) return;
  room.dataset.signs = signs.join();
  const press = (value, index) => app.act("give", regions ? index : value);
  const keys = values.map((value, index) => h("button", { class: "key", onclick: () => press(value, index) }, signs[index]));
  room.replaceChildren(...keys, h("button", { class: "key act", "aria-label": CLEAR, onclick: () => app.act("clear") }, icon("erase")));
}

/** A field of yes and no: { element, patch }. */
function tick(app, designer, { name }) {
  const box = h("input", { type: "checkbox", onchange: () => designer.setField(name, box.checked) });
  return { element: h("label", { class: "toggle" }, box, inWords(name)), patch: () => (box.checked = designer.typed[name]) };
}

/** A colour: { element, patch }. */
function colourField(app, designer, { name }) {
  const input = h("input", { type: "color", onchange: () => designer.setField(name, input.value.toUpperCase()) });
  return { element: h("label", { class: "asked" }, h("span", {}, inWords(name)), input), patch: () => (input.value = designer.typed[name].toLowerCase()) };
}

/** One of few words: { element, patch }. */
function choiceField(app, designer, { name, choices }) {
  const box = h("select", { onchange: () => designer.setField(name, box.value) }, choices.map((choice) => h("option", { value: choice }, words.CHOICES[choice])));
  return { element: h("label", { class: "asked" }, h("span", {}, inWords(name)), box), patch: () => (box.value = designer.typed[name]) };
}

const FIELDS = { bool: tick, colour: colourField, choice: choiceField };

/** A field whose text is read when it is left or with Enter: { element, patch }. */
function typedField(app, designer, field, problem) {
  const input = h("input", { inputmode: field.plain === "int" && !field.depth ? "numeric" : null, dataset: { field: field.name } });
  let known = "";
  const patch = (another) => {
    if (input.value !== known || (!another && input.ariaInvalid === "true")) return;
    known = input.value = write(field, designer.typed[field.name]);
    input.ariaInvalid = null;
  };
  const commit = () => {
    if (input.value === known) return;
    known = input.value;
    try {
      setText(problem, "");
      input.ariaInvalid = null;
      const typed = read(field, input.value);
      if (JSON.stringify(typed) !== JSON.stringify(designer.typed[field.name])) designer.setField(field.name, typed);
    } catch (error) {
      input.ariaInvalid = "true";
      setText(problem, `${inWords(field.name)}: ${error.message}`);
    }
  };
  input.addEventListener("change", commit);
  input.addEventListener("blur", commit); // a digit that a key on the board put in is no change for the browser
  input.addEventListener("keydown", (event) => {
    if (!["Enter", "Escape"].includes(event.key)) return;
    input.blur();
    if (event.key === "Enter" && input.ariaInvalid === "true") return input.select(); // what cannot be read stays, to be mended
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
  const label = h("label", { class: "asked" }, h("span", {}, inWords(field.name)), input);
  return { element: h("div", { class: "asked" }, label, h("div", { class: "row" }, marked, cells)), patch };
}

/** Buttons that put a copy of the rule that is shown into another place, one for each symmetry of the board that moves it. */
function copies(designer) {
  const { grid, rule, tool } = designer;
  const places = Object.keys(SYMMETRIES).map((symmetry) => [symmetry, mirrored(rule, grid, symmetry)]);
  const others = places.filter(([, copy]) => copy && JSON.stringify(copy) !== JSON.stringify(rule));
  if (!others.length) return null;
  const button = ([symmetry, copy]) => h("button", { class: "button", onclick: () => designer.edit(addRule(ruleOf(tool, copy, copy))) }, words.SYMMETRY_NAMES[symmetry]);
  return h("div", { class: "asked", role: "group", "aria-label": words.COPY }, h("span", {}, words.COPY), h("div", { class: "row" }, others.map(button)));
}
