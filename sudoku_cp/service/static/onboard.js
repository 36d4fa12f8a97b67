// "On the board" and "Puzzle": every rule with its cells, and title, author, regions and boxes.

import { cellNamed } from "./cells.js";
import * as words from "./designwords.js";
import { card, h, s, setText } from "./dom.js";
import { moveRule, regionsOf, setBoxes, setGivens, setRegion, setText as setPuzzleText } from "./edits.js";
import { outline } from "./geometry.js";
import { icon } from "./icons.js";
import { words as inWords, write } from "./tools.js";

/** The names of all cells that a rule, or a sentence, speaks of. */
export const cellsNamed = (said) => [...new Set((typeof said === "string" ? said : JSON.stringify(said)).match(/r\d+c\d+/g))];

/** Outline cells by name on the board; none clears. */
export function outlineCells(app, grid, names) {
  const cells = names.map((name) => cellNamed(grid, name)).filter((cell) => cell !== undefined);
  app.board.overlay("hint", cells.length ? [s("path", { class: "hint-cells", d: outline(app.board.placesOf(cells), 5) })] : null);
}

/** Attributes of an element that outlines cells while the pointer, or the focus, is on it. */
export function outlining(app, designer, names) {
  const show = () => outlineCells(app, designer.grid, names);
  const hide = () => outlineCells(app, designer.grid, []);
  return { onpointerenter: show, onpointerleave: hide, onfocus: show, onblur: hide };
}

/** The list of rules; returns { card, stop }. */
export function ruleList(app, designer) {
  const count = h("span");
  const list = h("ol", { class: "list" });
  const show = () => {
    const { rules, tools, index, history } = designer;
    const picked = new Set((designer.tool?.gesture === "joined" ? designer.drawing?.groups[0] : null)?.map((one) => one.index));
    const givens = Object.keys(history.present.givens ?? {});
    list.replaceChildren(...(givens.length ? [givensItem(app, designer, givens)] : []), ...rules.map((rule, at) => item(app, designer, rule, tools.find(({ kind }) => kind === rule.kind), at, at === index || picked.has(at))));
    if (!rules.length) list.append(h("li", { class: "soft" }, words.NO_RULES));
    setText(count, rules.length);
  };
  designer.addEventListener("tool", show);
  designer.addEventListener("drawing", show);
  const end = app.listen({ puzzle: show });
  show();
  return {
    card: card(words.ON_BOARD, { side: [count] }, list),
    stop: () => (end(), designer.removeEventListener("tool", show), designer.removeEventListener("drawing", show)),
  };
}

/** All givens in one line, which leads to where they are typed. */
function givensItem(app, designer, names) {
  const open = h("button", { class: "item", "aria-pressed": "false", onclick: () => designer.take(null), ...outlining(app, designer, names) }, h("b", {}, words.GIVENS), h("span", { class: "soft" }, words.givenCells(names.length)));
  const remove = h("button", { class: "strike-out", "aria-label": `${words.REMOVE}: ${words.GIVENS}`, onclick: () => designer.edit(setGivens(names, null)) }, icon("close"));
  return h("li", { class: "givens" }, open, remove);
}

function item(app, designer, rule, tool, index, chosen) {
  const numbers = tool.typed.filter(({ name, plain }) => name in rule && plain !== "Cell").map((field) => write(field, rule[field.name]).slice(0, 20));
  const names = cellsNamed(rule);
  const about = [numbers.join(" · "), names.slice(0, 5).join(" ") + (names.length > 5 ? " …" : "")].filter(Boolean).join(" · ");
  const press = () => {
    if (designer.tool?.gesture !== "joined" || designer.index !== null) return designer.choose(index);
    if (!designer.drawing) designer.startDrawing();
    designer.drawing.press({ rule, index });
    designer.drawing.release();
    return designer.emit("drawing");
  };
  const open = h("button", { class: "item", "aria-pressed": String(chosen), onclick: press, ...outlining(app, designer, names) }, h("b", {}, tool.words), h("span", { class: "soft" }, about));
  open.addEventListener("keydown", (event) => event.key === "Delete" && (event.stopPropagation(), designer.remove(index)));
  const remove = h("button", { class: "strike-out", "aria-label": `${words.REMOVE}: ${tool.words}`, onclick: () => designer.remove(index) }, icon("close"));
  const row = h("li", { draggable: "true" }, open, remove);
  row.addEventListener("dragstart", (event) => event.dataTransfer.setData("text/rule", index));
  row.addEventListener("dragover", (event) => event.preventDefault());
  row.addEventListener("drop", (event) => {
    const from = event.dataTransfer.getData("text/rule");
    if (from !== "") designer.edit(moveRule(Number(from), index)).then(() => designer.letGo());
  });
  return row;
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
  const label = h("input", { inputmode: "numeric", class: "short", "aria-label": words.REGION });
  const told = h("p", { class: "problem", role: "status" });
  const paint = async () => {
    const places = app.board.placesOf(app.selection.cells);
    const text = label.value.trim();
    if (!places.length) return;
    const draft = setRegion(places, /^\d+$/.test(text) ? Number(text) - 1 : null)({ grid: designer.regionDraft ?? designer.history.present.grid }).grid;
    if (Math.max(0, ...regionSizes(draft).values()) > app.picture.values.length) {
      showDraft(app, (designer.regionDraft = draft)); // it is not finished
      const odd = [...regionSizes(draft)].filter(([, size]) => size !== app.picture.values.length);
      return setText(told, words.unfinished(odd.map(([at, size]) => [at + 1, size]), app.picture.values.length));
    }
    setText(told, "");
    designer.regionDraft = (await designer.edit((json) => ({ ...json, grid: draft }))) ? null : draft;
    showDraft(app, designer.regionDraft);
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

/** How many cells each region has, by its label. */
function regionSizes({ regions }) {
  const counts = new Map();
  for (const label of regions.flat()) if (label !== null) counts.set(label, (counts.get(label) ?? 0) + 1);
  return counts;
}

/** Show the regions that are being painted, as long as they are not yet those of a puzzle. */
function showDraft(app, draft) {
  const label = ([row, column]) => (draft.regions[row][column] ?? -1) + 1 || "–";
  const text = ([row, column]) => s("text", { class: "candidate", x: 100 * column + 84, y: 100 * row + 92, "font-size": 24 }, String(label([row, column])));
  app.board.overlay("trace", draft && app.board.places.map(text));
}
