// Design: a setter makes a puzzle. Tools on the left, the solver and what is on the board on the right.

import { pressesOn, turn, watchBrush } from "./brush.js";
import { cellName } from "./cells.js";
import { Designer } from "./designer.js";
import * as words from "./designwords.js";
import { listen } from "./dom.js";
import { DRAWING_TOOLS, dropDrawings } from "./drawing_tools.js";
import { setGivens } from "./edits.js";
import { rowOf } from "./keys.js";
import { boardList, puzzleCard } from "./onboard.js";
import { watchPointer } from "./pointer.js";
import { paintRegion, regionOfKey } from "./regions.js";
import { solverCard } from "./solver.js";
import { toolbox } from "./toolbox.js";
import { toolOf } from "./tools.js";
import { ValueReader } from "./value_reader.js";
import { whyCard } from "./why.js";

const MARGIN = 94; // what a clue outside takes in the service's pictures, in hundredths of a cell

export const design = {
  name: "design",
  mount(app) {
    const session = { over: false, stops: [] };
    start(app, session).catch((error) => app.fail(error));
    return () => {
      session.over = true;
      session.stops.forEach((stop) => stop());
    };
  },
};

/** Fetch the registry once, and make the panels unless the mode was left in the meantime. */
async function start(app, session) {
  app.tools ??= [...(await app.api.listing("rules")).rules.map(toolOf), ...DRAWING_TOOLS];
  if (session.over || !app.puzzle) return;
  const designer = (app.designer ??= new Designer(app));
  designer.tools = app.tools;
  if (designer.history.present !== app.puzzle.json) designer.begin();
  const tellUndo = () => app.setUndo(designer.history.past.length > 0, designer.history.future.length > 0);
  const cards = [solverCard, boardList, whyCard, puzzleCard].map((make) => make(app, designer));
  document.getElementById("right").replaceChildren(...cards.map((one) => one.card));
  session.stops.push(
    ...cards.map((one) => one.stop),
    toolbox(app, designer, document.getElementById("left")),
    followTool(app, designer),
    makeRoom(app, designer),
    app.register(actions(app, designer)),
    listen(designer, { history: tellUndo }),
    app.listen({
      puzzle: ({ detail }) => (detail.edited || (designer.begin(), designer.take(null)), showBoard(app)),
      selection: () => wash(app),
    }),
  );
  showBoard(app);
  designer.take(null);
  tellUndo();
}

/** The board shows givens alone. */
function showBoard(app) {
  const { givens } = app.picture;
  app.board.view = (cell) => ({ value: givens[cell] ?? null, kind: "given", corner: [], centre: [], colours: [], wrong: false });
  app.board.patch();
  wash(app);
}

/** The grounds of cells: givens that clash, and what is selected. */
function wash({ board, picture, selection }) {
  const { givens, sees } = picture;
  const clash = Object.keys(givens).map(Number).filter((cell) => sees[cell].some((other) => givens[other] === givens[cell]));
  board.highlight({ clash, chosen: selection.cells });
}

/** The pointer selects without a tool, and draws with one whose gesture is on the board. */
function followTool(app, designer) {
  let stop = null;
  let watch = null;
  const follow = () => {
    const { tool } = designer;
    const wanted = tool && tool.placed.some(({ plain }) => plain === "Cell") ? watchBrush : watchPointer;
    if (wanted === watch) return;
    stop?.();
    watch = wanted;
    stop = watch(app, designer);
  };
  const clear = () => designer.drawing || app.board.overlay("ghost", null);
  const end = listen(designer, { tool: follow, drawing: clear });
  return () => (end(), stop?.());
}

/** With a tool for clues outside in hand the board has the margins of such clues on every side, so that no clue moves it. */
function makeRoom(app, designer) {
  const frames = new WeakMap(); // of pictures as the service sent them
  const grow = (roomy) => {
    const { board, picture } = app;
    if (!frames.has(picture)) frames.set(picture, picture.box);
    const box = roomy ? withMargins(frames.get(picture), picture.cells) : frames.get(picture);
    if (String(box) === String(picture.box)) return;
    picture.box = box;
    board.redraw(picture);
  };
  const follow = () => grow(designer.tool?.gesture === "outside");
  const stops = [listen(designer, { tool: follow }), app.listen({ puzzle: follow })];
  return () => (stops.forEach((stop) => stop()), app.picture && grow(false));
}

/** The box of a picture, made as large as one clue on each side of the cells needs. */
function withMargins([left, top, width, height], cells) {
  const ends = (axis) => [Math.min(...cells.map((place) => place[axis])), 1 + Math.max(...cells.map((place) => place[axis]))];
  const span = (start, length, axis) => {
    const [first, last] = ends(axis);
    const from = Math.min(start, 100 * first - MARGIN);
    return [from, Math.max(start + length, 100 * last + MARGIN) - from];
  };
  const [[x, wide], [y, high]] = [span(left, width, 1), span(top, height, 0)];
  return [x, y, wide, high];
}

function actions(app, designer) {
  const reader = new ValueReader();
  const selected = () => app.selection.list().map((cell) => cellName(designer.grid, cell));
  const tell = (sentence) => designer.emit("problem", sentence);
  const give = (value) => (designer.paintsRegions ? paintRegion(app, designer, value, tell) : selected().length && designer.edit(setGivens(selected(), value)));
  return {
    give,
    undo: () => designer.go(-1),
    redo: () => designer.go(1),
    clear: () => (designer.tool?.draws ? designer.edit(dropDrawings(1)) : designer.rule ? designer.remove(designer.rule) : give(null)),
    escape: () => (designer.tool || (designer.paintsRegions && !app.selection.cells.size) ? designer.take(null) : app.selection.none()),
    "find-tool": () => document.querySelector("#left .find")?.focus(),
    "repeat-tool": () => designer.tool && designer.take(designer.tool),
    "close-shape": () => closeShape(app, designer),
    key: (event) => typeNumber(designer, event) || typeRegion(app, designer, event, give) || (!designer.tool && reader.read(event, app.picture.signs, app.picture.values, give)),
  };
}

/** Draw with the tool in hand over the selected cells; without any, end the present shape. */
function closeShape(app, designer) {
  const { tool, drawing } = designer;
  const cells = app.selection.list();
  if (tool && cells.length) return drawOver(app, designer, cells);
  if (drawing) drawing.next();
  if (drawing?.closed) designer.letGo();
}

/** Draw as a hand does that presses and drags over the cells in their order. */
function drawOver(app, designer, cells) {
  const places = pressesOn(designer, cells);
  const [first] = places;
  if (!first) return designer.emit("problem", words.NOT_THESE);
  app.selection.none();
  if (turn(designer, first)) return;
  if (!designer.drawing?.press(first)) designer.startDrawing().press(first);
  places.forEach((place) => designer.drawing.drag(place)); // a drag, even over one cell, is a whole shape
  designer.drawing.release();
  designer.commit();
}

/** While regions are painted, keys are their numbers. */
function typeRegion(app, designer, event, give) {
  const label = designer.paintsRegions ? regionOfKey(event, app.picture.values.length) : undefined;
  if (label === undefined) return false;
  give(label);
  return true;
}

/** With a tool in hand a digit goes to its first field, and so does a letter that is no command: there it is named as what it is. */
function typeNumber(designer, event) {
  const field = designer.tool?.typed.find(({ plain }) => plain === "int");
  const input = field && document.querySelector(`#left [data-field="${field.name}"]`);
  if (!input || event.key.length > 1 || event.ctrlKey || event.metaKey || event.altKey) return false;
  if (!/^\d$/.test(event.key) && (!/^\p{L}$/u.test(event.key) || rowOf(event, "design", []))) return false;
  input.value = event.key;
  input.focus();
  return true;
}
