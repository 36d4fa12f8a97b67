// The pointer in design, with a tool in hand: presses and drags become drawings, and drawings rules. The ghost follows at once,
// and the service's picture of the rule takes its place as soon as it is there.

import { placeAt } from "./board_places.js";
import { cellName, rays } from "./cells.js";
import { listen, s, svgNodes } from "./dom.js";
import { replaceRule } from "./edits.js";
import { outline, route } from "./geometry.js";
import { missingField, ruleOf } from "./tools.js";
import { ruleAt, turned } from "./turning.js";

const AROUND = [[0, -1], [-1, 0], [0, 1], [1, 0], [-1, -1], [-1, 1], [1, 1], [1, -1]]; // where clues may stand beside a cell: down, right
const IN_ORDER = new Set(["line", "stem", "outside"]);
const PAINTED = new Set(["cage", "cells"]);

/** Watch the board's pointer; returns a function that ends it. */
export function watchBrush(app, designer) {
  const { board } = app;
  let last = null;

  function down(event) {
    if (event.button > 0) return;
    if (app.selection.cells.size) app.selection.none();
    document.activeElement?.blur(); // a number that was typed is that of the rule in hand, not of the next one
    const place = placeAt(board, event.clientX, event.clientY);
    board.element.setPointerCapture(event.pointerId);
    if (turn(designer, place)) return;
    if (!designer.drawing?.press(place, { extend: event.ctrlKey || event.metaKey || event.shiftKey })) {
      const known = painted(designer, place);
      const drawing = designer.startDrawing(known);
      if (!known) drawing.press(place);
      else designer.emit("tool"); // it is open now; the next press paints
    }
    last = place.cell;
    showGhost(app, designer);
  }

  function move(event) {
    if (!designer.drawing?.pressed) return;
    const place = placeAt(board, event.clientX, event.clientY);
    if (place.cell === null || place.cell === last || !place.near) return;
    last = place.cell;
    if (!designer.drawing.drag(place)) startAnother(place);
    showGhost(app, designer);
  }

  /** A drag that belongs to no drawing: it began where the last press was. */
  function startAnother(place) {
    const { began } = designer.drawing;
    const drawing = designer.startDrawing();
    drawing.press(began);
    drawing.drag(place);
  }

  function up(event) {
    const { drawing } = designer;
    if (!drawing?.pressed) return;
    drawing.release({ loop: event.shiftKey });
    showGhost(app, designer);
    designer.commit();
  }

  /** The system, or a second finger, took the pointer: what was being drawn is forgotten. */
  function cancel() {
    designer.drawing = null;
    board.overlay("ghost", null);
  }

  /** What is on the board needs no ghost. */
  function clear() {
    if ((designer.rule || designer.tool?.draws) && !designer.drawing?.pressed) board.overlay("ghost", null);
  }

  const stops = [listen(designer, { tool: clear }), listen(board.element, { pointerdown: down, pointermove: move, pointerup: up, pointercancel: cancel })];
  return () => (stops.forEach((stop) => stop()), board.overlay("ghost", null));
}

/** The presses, one after another, that mean cells that are selected in this order; none if these do not fit the tool. */
export function pressesOn({ tool, grid, rules }, cells) {
  const places = cells.map((cell) => grid.places[cell]);
  const near = (far) => places.every(([row, column]) => places.every(([r, c]) => Math.abs(r - row) <= 1 && Math.abs(c - column) <= 1 && Math.abs(r - row) + Math.abs(c - column) <= far));
  const inOrder = [...cells].sort((one, other) => one - other);
  if (tool.gesture === "edge") return cells.length === 2 && near(1) ? [{ cell: null, edge: inOrder }] : [];
  if (tool.gesture === "corner") return cells.length > 1 && near(2) ? [{ cell: null, corner: inOrder }] : [];
  if (tool.gesture !== "outside") return cells.map((cell) => ({ cell }));
  const around = AROUND.map(([down, right]) => ({ cell: null, outside: [places[0][0] + down, places[0][1] + right] }));
  const looksIn = (place) => !grid.at.has(String(place.outside)) && rays(grid, place.outside, tool.diagonal)[0]?.[0] === cells[0];
  const free = around.filter((place) => cells.length === 1 && looksIn(place) && !ruleAt(tool, grid, rules, place));
  return free.slice(0, 1);
}

/** Turn the sign or clue that is at a place to its next form, or take it away; false if there is none. */
export function turn(designer, place) {
  const { tool, grid, rules } = designer;
  const rule = ["edge", "corner", "outside"].includes(tool.gesture) && ruleAt(tool, grid, rules, place);
  if (!rule) return false;
  const next = turned(tool, grid, rule, place);
  if (next) designer.editInHand(replaceRule(rule, next), () => designer.choose(next));
  else designer.remove(rule);
  return true;
}

/** The painted rule of this kind that has the cell; undefined if there is none. */
function painted({ tool, grid, rules }, { cell }) {
  if (!PAINTED.has(tool.gesture) || cell === null) return undefined;
  const name = cellName(grid, cell);
  return rules.find((rule) => rule.kind === tool.kind && rule.cells.includes(name));
}

/** Show what is being drawn: at once as a stroke or an outline, then as the service draws the rule. */
async function showGhost(app, designer) {
  const { drawing, tool } = designer;
  if (!drawing) return app.board.overlay("ghost", null);
  const groups = drawing.groups.filter((group) => group.length && typeof group[0] === "number");
  const shown = (group) =>
    IN_ORDER.has(tool.gesture)
      ? s("path", { class: "ghost-line", d: route(app.board.placesOf(group)) || "M0 0" })
      : s("path", { class: "ghost-cells", d: outline(app.board.placesOf(group), 8) });
  app.board.overlay("ghost", groups.map(shown));
  const placed = drawing.fields();
  designer.asking?.abort();
  if (!placed || tool.gesture === "joined" || tool.draws || missingField(tool, designer.typed)) return;
  const asking = (designer.asking = new AbortController());
  const { grid, symbols } = designer.history.present;
  const puzzle = { grid, ...(symbols ? { symbols } : {}), rules: [ruleOf(tool, placed, designer.typed)] };
  const answer = await app.api.ask("picture", { puzzle, layers: true }, { signal: asking.signal }).catch(() => null);
  if (!answer || asking !== designer.asking || drawing !== designer.drawing || !drawing.pressed) return;
  app.board.overlay("ghost", [s("g", { class: "pic" }, Object.values(answer.layers.parts[0]).flatMap(svgNodes))]);
}
