// "On the board" and "Puzzle": givens, regions and every rule with its cells; title, author, regions and boxes.

import { OF_SERVICE } from "./board.js";
import { cellNamed } from "./cells.js";
import * as words from "./designwords.js";
import { arrange, card, h, listen, s, set, setText, svgNodes } from "./dom.js";
import { dropDrawings } from "./drawing_tools.js";
import { moveRule, regionsOf, rulesOf, setBoxes, setGivens, setText as setPuzzleText } from "./edits.js";
import { outline } from "./geometry.js";
import { icon } from "./icons.js";
import { paintRegion } from "./regions.js";
import { words as inWords, write } from "./tools.js";

/** The names of all cells that a rule, or a sentence, speaks of. */
export const cellsNamed = (said) => [...new Set((typeof said === "string" ? said : JSON.stringify(said)).match(/r\d+c\d+/g))];

/** Attributes of an element that outlines groups of cells, by name, while the pointer, or the focus, is on it. */
export function outlining(app, ...groups) {
  const { board } = app;
  const show = () => {
    const known = groups.map((names) => names.map((name) => cellNamed(board, name)).filter((cell) => cell !== undefined));
    board.overlay("hint", known.filter((cells) => cells.length).map((cells) => s("path", { class: "hint-cells", d: outline(board.placesOf(cells), 5) })));
  };
  const hide = () => board.overlay("hint", null);
  return { onpointerenter: show, onpointerleave: hide, onfocus: show, onblur: hide };
}

/** The list of all that is on the board; returns { card, stop }. */
export function boardList(app, designer) {
  const count = h("span");
  const list = h("ol", { class: "list" });
  const rows = new WeakMap(); // by rule: one that stays keeps its row, and the focus in it
  const rowOf = (rule) => {
    if (!rows.has(rule)) rows.set(rule, ruleRow(app, designer, rule, show));
    return rows.get(rule);
  };
  function show() {
    const { rules, rule: shown, hidden, history, tool, drawing } = designer;
    const picked = tool?.gesture === "joined" ? (drawing?.groups[0] ?? []) : [];
    const drawn = new Map(rulesOf(app.puzzle.json).map((rule, index) => [rule, app.picture.parts[index]])); // an edit may still be awaited
    for (const rule of rules) rowOf(rule).patch({ chosen: rule === shown || picked.includes(rule), drawn: Object.keys(drawn.get(rule) ?? {}).length > 0 });
    const others = [givensRow(app, designer), regionsRow(app, designer, history.present.grid), drawingsRow(designer, history.present), !rules.length && h("li", { class: "soft" }, words.NO_RULES)];
    arrange(list, [...others.filter(Boolean), ...rules.map((rule) => rowOf(rule).element)]);
    setText(count, rules.length);
    hideParts(app.board, [...drawn].flatMap(([rule, part]) => (hidden.has(rule) ? [part] : [])));
  }
  const stops = [listen(designer, { tool: show, drawing: show }), app.listen({ puzzle: show })];
  show();
  return {
    card: card(words.ON_BOARD, { side: [count] }, list),
    stop: () => (stops.forEach((stop) => stop()), hideParts(app.board, [])),
  };
}

/** Leave out what some parts of the picture draw, each with the elements of a layer by its name; none shows all again. */
function hideParts({ layers }, parts) {
  for (const name of OF_SERVICE) {
    const gone = parts.flatMap((part) => svgNodes(part[name] ?? ""));
    for (const element of layers[name].children) {
      set(element, { hidden: false });
      const at = gone.findIndex((one) => one.isEqualNode(element));
      set(element, { hidden: at >= 0 });
      if (at >= 0) gone.splice(at, 1);
    }
  }
}

/** A line of the list: its name and more about it as a button that opens it, then what can be done with it. */
function row(name, about, { press, remove, ...attributes }, eye = null) {
  const open = h("button", { class: "item", onclick: press, ...attributes }, h("b", {}, name), h("span", { class: "soft" }, about));
  open.addEventListener("keydown", (event) => event.key === "Delete" && (event.stopPropagation(), remove()));
  return h("li", {}, open, eye, h("button", { class: "strike-out", "aria-label": `${words.REMOVE}: ${name}`, onclick: remove }, icon("close")));
}

/** All givens in one line, which leads to where they are typed. */
function givensRow(app, designer) {
  const names = Object.keys(designer.history.present.givens ?? {});
  const does = { press: () => designer.take(null), remove: () => designer.edit(setGivens(names, null)) };
  return names.length > 0 && set(row(words.GIVENS, words.givenCells(names.length), { ...does, ...outlining(app, names) }), { class: "givens" });
}

/** All regions of a single board in one line, which leads to where they are painted. */
function regionsRow(app, designer, grid) {
  if (!grid?.boxes && !grid?.regions) return null;
  const groups = new Map();
  regionsOf(grid).forEach((labels, down) => labels.forEach((label, right) => label !== null && groups.set(label, [...(groups.get(label) ?? []), `r${down + 1}c${right + 1}`])));
  const does = { press: () => designer.takeRegions(), remove: () => designer.edit(setBoxes(null)) };
  const about = [words.regionCount(groups.size), grid.boxes?.join(" × ")].filter(Boolean).join(" · ");
  return set(row(words.REGIONS, about, { ...does, ...outlining(app, ...groups.values()) }), { class: "regions" });
}

/** All drawings in one line, which leads to a tool that draws. */
function drawingsRow(designer, { drawings = [] }) {
  const does = { press: () => designer.take(designer.tools.find((tool) => tool.draws)), remove: () => designer.edit(dropDrawings(drawings.length)) };
  return drawings.length > 0 && set(row(words.DRAWINGS, words.drawingCount(drawings.length), does), { class: "drawings" });
}

let dragged = null; // the rule whose row is

function ruleRow(app, designer, rule, show) {
  const tool = designer.tools.find(({ kind }) => kind === rule.kind);
  const numbers = tool.typed.filter(({ name, plain }) => name in rule && plain !== "Cell").map((field) => write(field, rule[field.name]).slice(0, 20));
  const names = cellsNamed(rule);
  const about = [numbers.join(" · "), names.slice(0, 5).join(" ") + (names.length > 5 ? " …" : "")].filter(Boolean).join(" · ");
  const press = () => {
    if (designer.tool?.gesture !== "joined" || designer.rule) return designer.choose(rule);
    if (!designer.drawing) designer.startDrawing();
    designer.drawing.press({ rule });
    designer.drawing.release();
    return designer.emit("drawing");
  };
  const turn = () => {
    if (!designer.hidden.delete(rule)) designer.hidden.add(rule);
    show();
  };
  const eye = h("button", { class: "strike-out", onclick: turn });
  const element = row(tool.words, about, { press, remove: () => designer.remove(rule), ...outlining(app, names) }, eye);
  set(element, {
    draggable: "true",
    ondragstart: (event) => (event.dataTransfer.setData("text/rule", rule.kind), (dragged = rule)),
    ondragover: (event) => event.preventDefault(),
    ondrop: () => dragged && designer.editInHand(moveRule(dragged, rule), () => designer.letGo()),
    ondragend: () => (dragged = null),
  });
  const patch = ({ chosen, drawn }) => {
    const hidden = designer.hidden.has(rule);
    set(element.firstChild, { "aria-pressed": String(chosen) });
    eye.hidden = !drawn;
    set(eye, { "aria-label": `${hidden ? words.SHOW : words.HIDE}: ${tool.words}` });
    eye.replaceChildren(icon(hidden ? "hidden" : "eye"));
  };
  return { element, patch };
}

/** Title, author, rules in words, regions and boxes; returns { card, stop }. */
export function puzzleCard(app, designer) {
  const body = h("div");
  const typing = () => body.querySelector("input:focus, textarea:focus");
  const show = () => typing() || body.replaceChildren(...textFields(designer), rulesetField(app, designer), ...layoutFields(app, designer));
  show();
  return { card: card(words.LAYOUT, {}, body), stop: app.listen({ puzzle: show }) };
}

function textFields(designer) {
  return Object.entries(words.TEXTS).map(([name, label]) => {
    const input = h("input", { value: designer.history.present[name] ?? "", onchange: () => designer.edit(setPuzzleText(name, input.value.trim())) });
    return h("label", { class: "asked" }, h("span", {}, label), input);
  });
}

/** The rules in the setter's own words; until there are any, ours stand there faintly, and can be taken to begin with. */
function rulesetField(app, designer) {
  const written = designer.history.present.ruleset ?? "";
  const ours = written ? "" : app.picture.words.join("\n");
  const field = h("textarea", { rows: 4, placeholder: ours, onchange: () => designer.edit(setPuzzleText("ruleset", field.value.trim())) });
  field.value = written;
  const take = h("button", { class: "button", hidden: Boolean(written), onclick: () => begin() }, words.TAKE_WORDS);
  const begin = () => {
    field.value = ours;
    take.hidden = true;
    field.dispatchEvent(new Event("change"));
    field.focus();
  };
  return h("div", { class: "asked" }, h("label", { class: "asked" }, h("span", {}, words.RULESET), field), h("div", { class: "row" }, take));
}

/** Regions and boxes, of puzzles with one board. */
function layoutFields(app, designer) {
  const { grid } = designer.history.present;
  if (!grid?.rows) return [];
  const label = h("input", { id: "region", inputmode: "numeric", class: "short", "aria-label": words.REGION });
  const told = h("p", { class: "problem", role: "status" });
  const paint = () => {
    const text = label.value.trim();
    paintRegion(app, designer, /^\d+$/.test(text) ? Number(text) - 1 : null, (sentence) => setText(told, sentence));
  };
  app.selection.single !== null && (label.value = (regionsOf(grid)[app.board.places[app.selection.single][0]][app.board.places[app.selection.single][1]] ?? -1) + 1);
  const shapes = [];
  for (let down = 1; down <= grid.rows; down += 1) {
    const wide = grid.rows / down;
    if (grid.rows % down === 0 && grid.columns % wide === 0 && down > 1 && wide > 1) shapes.push([down, wide]);
  }
  const boxes = h("select", { onchange: () => designer.edit(setBoxes(boxes.value ? JSON.parse(boxes.value) : null)) },
    h("option", { value: "" }, grid.regions ? inWords("regions") : words.NO_BOXES),
    shapes.map((shape) => h("option", { value: JSON.stringify(shape), selected: String(shape) === String(grid.boxes) }, shape.join(" × "))));
  return [
    h("label", { class: "asked" }, h("span", {}, words.REGION), h("span", { class: "row" }, label, h("button", { class: "button", onclick: paint }, words.SET))),
    told,
    h("label", { class: "asked" }, h("span", {}, words.BOXES), boxes),
  ];
}
