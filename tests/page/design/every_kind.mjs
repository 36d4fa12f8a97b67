// Every kind of the registry (the file RULES) is drawn by its gesture at the places of its example, and gives the example back.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { cellNamed, gridOf } from "../../../sudoku_cp/service/static/cells.js";
import { Drawing } from "../../../sudoku_cp/service/static/drawing.js";
import { findTools, missingField, read, ruleOf, startingValues, toolOf, write } from "../../../sudoku_cp/service/static/tools.js";
import { ruleAt, turned } from "../../../sudoku_cp/service/static/turning.js";

const tools = JSON.parse(readFileSync(process.env.RULES, "utf8")).map(toolOf);
const cells = Array.from({ length: 81 }, (_, cell) => [Math.floor(cell / 9), cell % 9]);
const grid = gridOf({ cells, values: [1, 2, 3, 4, 5, 6, 7, 8, 9] });

const at = (name) => ({ cell: cellNamed(grid, name), edge: null, corner: null, outside: null });

function stroke(drawing, [first, ...rest]) {
  assert.ok(drawing.press(first));
  rest.forEach((place) => drawing.drag(place));
  drawing.release();
}

const strokes = (drawing, all) => all.forEach((places) => stroke(drawing, places));

/** Where a clue stands that looks along these cells. */
function before(names) {
  const [[row, column], [nextRow, nextColumn]] = names.map((name) => grid.places[cellNamed(grid, name)]);
  return { cell: null, outside: [2 * row - nextRow, 2 * column - nextColumn] };
}

/** What a hand does for each gesture, told apart from how the page understands it. */
const HANDS = {
  line: (drawing, { cells: names }) => stroke(drawing, names.map(at)),
  cage: (drawing, { cells: names }) => strokes(drawing, names.map((name) => [at(name)])),
  cells: (drawing, { cells: names }) => strokes(drawing, names.map((name) => [at(name)])),
  edge: (drawing, { cells: names }) => stroke(drawing, [{ edge: names.map((name) => cellNamed(grid, name)) }]),
  corner: (drawing, { cells: names }) => stroke(drawing, [{ corner: names.map((name) => cellNamed(grid, name)) }]),
  outside: (drawing, { cells: names }) => stroke(drawing, [before(names)]),
  stem(drawing, { bulb, shafts }) {
    const whole = [bulb].flat();
    if (Array.isArray(bulb)) stroke(drawing, whole.map(at));
    shafts.forEach((shaft) => stroke(drawing, [whole.at(-1), ...shaft].map(at)));
  },
  groups(drawing, example) {
    const [first, ...others] = example.groups ?? (example.arms ? [[example.cell], ...example.arms] : [example.cells]);
    stroke(drawing, first.map(at));
    others.forEach((group) => (drawing.swept || drawing.next(), stroke(drawing, group.map(at))));
    (example.copies ?? []).forEach(([corner]) => (drawing.stage || drawing.next(), stroke(drawing, [at(corner)])));
  },
  stages: (drawing, example) => drawing.tool.placed.forEach(({ name }) => stroke(drawing, [example[name]].flat().map(at))),
  joined: (drawing, { rules }) => rules.forEach((rule) => stroke(drawing, [{ rule }])),
};

test("the registry is all there", () => assert.ok(tools.length >= 87));

for (const tool of tools) {
  test(`${tool.kind} is drawn`, () => {
    const { kind, ...example } = tool.example;
    const drawing = new Drawing(tool, grid);
    HANDS[tool.gesture]?.(drawing, example);
    const placed = drawing.fields();
    const typed = Object.fromEntries(
      tool.typed.map((field) => [field.name, read(field, write(field, example[field.name] ?? field.default))]),
    );
    if (tool.gesture === "outside") for (let tries = 0; tries < 8 && String(placed.cells) !== String(example.cells); tries += 1) {
      Object.assign(placed, turned(tool, grid, { kind, ...placed }, before(example.cells)));
      delete placed.kind;
    }
    assert.deepEqual(ruleOf(tool, placed ?? {}, typed), tool.example);
    assert.equal(findTools(tools, tool.words)[0], tool);
  });
}

for (const tool of tools.filter(({ gesture }) => ["edge", "corner", "outside"].includes(gesture))) {
  test(`${tool.kind} is found again, goes round and goes away`, () => {
    const place = tool.gesture === "outside" ? before(tool.example.cells) : { [tool.gesture]: tool.example.cells.map((name) => cellNamed(grid, name)) };
    let rule = tool.example;
    const seen = new Set();
    while (rule) {
      assert.equal(ruleAt(tool, grid, [{ kind: "another" }, rule], place), rule);
      assert.ok(!seen.has(JSON.stringify(rule)) && seen.size < 40);
      seen.add(JSON.stringify(rule));
      rule = turned(tool, grid, rule, place);
    }
  });
}

test("going back takes back, a cage's painted cell goes out, and a quick pointer skips nothing", () => {
  const line = tools.find(({ gesture, typed }) => gesture === "line" && !typed.length);
  const drawing = new Drawing(line, grid);
  stroke(drawing, ["r1c1", "r1c2", "r1c3", "r1c2", "r5c2"].map(at));
  assert.deepEqual(drawing.fields().cells, ["r1c1", "r1c2", "r2c2", "r3c2", "r4c2", "r5c2"]);
  assert.equal(drawing.press(at("r9c9")), false);
  const cage = new Drawing(tools.find(({ gesture }) => gesture === "cage"), grid);
  strokes(cage, [["r1c1", "r1c2"].map(at), [at("r1c1")]]);
  assert.deepEqual(cage.fields().cells, ["r1c2"]);
});

test("a line of one cell, an arrow without a shaft and nothing at all are no rules yet", () => {
  for (const gesture of ["line", "stem", "stages"]) {
    const drawing = new Drawing(tools.find((tool) => tool.gesture === gesture), grid);
    assert.equal(drawing.fields(), null);
    stroke(drawing, [at("r5c5")]);
    assert.equal(drawing.fields(), null);
  }
});

test("what cannot be read is named", () => {
  const number = { plain: "int", depth: 0, required: true };
  assert.throws(() => read(number, "x"), /expected a whole number, got "x"/);
  assert.throws(() => read(number, ""), /got nothing/);
  assert.equal(read({ ...number, optional: true }, " "), null);
  assert.throws(() => read({ plain: "Cell", depth: 1 }, "r1c1, z"), /expected a cell such as r4c7, got "z"/);
});

// --- the search for tools -----------------------------------------------------------------------------------------

const MEANT = {
  arrow: "arrow", thermometer: "thermometer", xv: "pair-sum", odd: "odd", even: "even", skyscraper: "skyscraper", ratio: "ratio",
  indexer: "indexer", "x sum": "x-sum", "X-Sums": "x-sum", "numbered rooms": "numbered-room", windows: "windoku", thermo: "thermometer",
  "German whispers": "whisper", killer: "killer-cage", "little killer": "little-killer", "sandwich sum": "sandwich", hyper: "windoku",
};

for (const [typed, kind] of Object.entries(MEANT)) {
  test(`"${typed}" finds ${kind} first`, () => assert.equal(findTools(tools, typed)[0].kind, kind));
}

test("a name elsewhere finds its tool before all that only mention it", () => {
  for (const tool of tools) {
    for (const name of Object.values(tool.elsewhere).flatMap((names) => names.split(", "))) {
      const found = findTools(tools, name);
      const sharing = found.findIndex((one) => one === tool);
      assert.ok(found.slice(0, sharing).every((one) => [one.title, ...Object.values(one.elsewhere)].join(" ").toLowerCase().includes(name.toLowerCase().split(/[^a-z0-9]/)[0])), `${name}: ${found.slice(0, sharing + 1).map(({ kind }) => kind)}`);
    }
  }
});

// --- a drag is a shape of its own ---------------------------------------------------------------------------------

const drag = (drawing, cells, options) => {
  if (!drawing.press({ cell: cells[0] }, options)) return false;
  const goesOn = cells.slice(1).every((cell) => drawing.drag({ cell }));
  drawing.release();
  return goesOn;
};
const toolOfKind = (kind) => tools.find((tool) => tool.kind === kind);

test("a second drag is a second cage, unless it extends the first", () => {
  const drawing = new Drawing(toolOfKind("killer-cage"), grid);
  assert.ok(drag(drawing, [0, 1, 2]));
  assert.ok(!drag(drawing, [10, 11]));
  assert.ok(drag(drawing, [10, 11], { extend: true }));
  assert.deepEqual(drawing.groups, [[0, 1, 2, 10, 11]]);
  assert.ok(!drag(drawing, [20]));
});

test("single presses make one cage until Enter", () => {
  const drawing = new Drawing(toolOfKind("killer-cage"), grid);
  for (const cell of [0, 1, 9]) assert.ok(drag(drawing, [cell]));
  assert.deepEqual(drawing.groups, [[0, 1, 9]]);
  drawing.next();
  assert.ok(!drag(drawing, [40]));
});

test("a rule that was opened takes presses; a drag is another one, unless it extends it", () => {
  const opened = new Drawing(toolOfKind("killer-cage"), grid);
  opened.open([0, 1]);
  assert.ok(drag(opened, [9]));
  assert.deepEqual(opened.groups, [[0, 1, 9]]);
  assert.ok(!drag(opened, [40, 41]));
  assert.deepEqual(opened.groups, [[0, 1, 9]]);
  assert.ok(drag(opened, [40, 41], { extend: true }));
  assert.deepEqual(opened.groups, [[0, 1, 9, 40, 41]]);
  assert.ok(drag(opened, [41, 40]));
  assert.deepEqual(opened.groups, [[0, 1, 9]], "a drag that begins on a painted cell takes cells out");
});

test("a copy lies where it is dragged over, from whichever of its cells", () => {
  for (const swept of [[45, 46], [46, 45], [45]]) {
    const drawing = new Drawing(toolOfKind("clone"), grid);
    drag(drawing, [16, 17]);
    drag(drawing, swept);
    assert.deepEqual(drawing.fields().copies, [["r6c1", "r6c2"]]);
  }
  const corner = new Drawing(toolOfKind("clone"), grid);
  drag(corner, [0, 1, 9]);
  drag(corner, [49, 40, 41]);
  assert.deepEqual(corner.fields().copies, [["r5c5", "r5c6", "r6c5"]]);
});

test("each drag is a group, and Enter ends at once", () => {
  const drawing = new Drawing(toolOfKind("equal-sums"), grid);
  for (const cells of [[0, 1], [9, 10, 11], [40, 41]]) assert.ok(drag(drawing, cells));
  assert.deepEqual(drawing.fields().groups.map((group) => group.length), [2, 3, 2]);
  assert.ok(drag(drawing, [42], { extend: true }));
  assert.deepEqual(drawing.groups.at(-1), [40, 41, 42]);
  drawing.next();
  assert.ok(drawing.closed);
});

test("Enter after the only drag, or after presses, begins the next group; then it ends", () => {
  const drawing = new Drawing(toolOfKind("equal-sums"), grid);
  drag(drawing, [0, 1]);
  drawing.next();
  for (const cell of [9, 18]) drag(drawing, [cell]);
  drawing.next();
  assert.deepEqual([drawing.fields().groups.map((group) => group.length), drawing.closed], [[2, 2], false]);
  drawing.next();
  assert.ok(drawing.closed);
});

test("numbers of clues, cages and lines are awaited; signs that presses turn begin with one", () => {
  const awaited = tools.filter((tool) => missingField(tool, startingValues(tool)));
  assert.ok(["sandwich", "skyscraper", "little-killer", "x-sum", "sum-cage"].every((kind) => awaited.some((tool) => tool.kind === kind)));
  assert.ok(awaited.every(({ gesture }) => !["edge", "corner", "switch"].includes(gesture)));
  for (const tool of awaited) assert.equal(missingField(tool, tool.example), undefined);
});

