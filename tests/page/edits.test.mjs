// Edits of a puzzle: each leaves the document before it as it was, and undo goes back over all of them.

import assert from "node:assert/strict";
import { test } from "node:test";

import { addRule, EditHistory, excludeValue, followingMarks, joinRules, mirrored, moveRule, regionsOf, removeRule, replaceRule, rulesOf, setBoxes, setGivens, setRegion, setText, SYMMETRIES } from "../../sudoku_cp/service/static/edits.js";
import { gridOf } from "../../sudoku_cp/service/static/cells.js";
import { board, numbers } from "./boards.mjs";

const FOUR = Object.freeze({ grid: Object.freeze({ rows: 4, columns: 4, boxes: [2, 2] }) });

test("rules come, change, move, join and go; a puzzle without a list has its houses", () => {
  assert.deepEqual(rulesOf(FOUR), [{ kind: "houses" }]);
  const b = { kind: "b" };
  const two = addRule(b)(FOUR);
  const [houses] = rulesOf(two);
  assert.deepEqual(rulesOf(two).map(({ kind }) => kind), ["houses", "b"]);
  assert.deepEqual(rulesOf(replaceRule(b, { kind: "c" })(two))[1], { kind: "c" });
  assert.deepEqual(rulesOf(moveRule(b, houses)(two)).map(({ kind }) => kind), ["b", "houses"]);
  assert.deepEqual(rulesOf(joinRules([b], { kind: "j" })(two)).map(({ kind }) => kind), ["houses", "j"]);
  assert.deepEqual(rulesOf(removeRule(houses)(two)), [b]);
  assert.deepEqual([replaceRule(b, { kind: "c" }), removeRule(b), moveRule(b, houses)].map((edit) => rulesOf(edit(FOUR))), Array(3).fill([houses])); // it is gone
});

test("a given is set, and taken from cells that all have it; a stated solution does not outlive it", () => {
  const set = setGivens(["r1c1", "r1c2"], 3)({ ...FOUR, solution: [1] });
  assert.deepEqual([set.givens, set.solution], [{ r1c1: 3, r1c2: 3 }, undefined]);
  assert.deepEqual(setGivens(["r1c1"], 3)(set).givens, { r1c2: 3 });
  assert.deepEqual(setGivens(["r1c1", "r1c2"], null)(set).givens, {});
  assert.deepEqual(excludeValue("r1c1", 2, [1, 2, 3, 4])(FOUR).candidates, { r1c1: [1, 3, 4] });
});

test("regions are painted over boxes, and boxes come back", () => {
  const painted = setRegion([[0, 0]], 3)(FOUR);
  assert.deepEqual(painted.grid.regions, [[3, 0, 1, 1], [0, 0, 1, 1], [2, 2, 3, 3], [2, 2, 3, 3]]);
  assert.equal(painted.grid.boxes, undefined);
  assert.deepEqual(setBoxes([2, 2])(painted).grid, FOUR.grid);
  assert.equal(regionsOf(setBoxes(null)(FOUR).grid)[0][0], null);
  assert.equal(setText("title", "")(setText("title", "A")(FOUR)).title, undefined);
});

test("a rule goes to each symmetric place that the board has", () => {
  const rule = (...cells) => ({ kind: "k", cells: [cells], n: 2 });
  const square = gridOf(board(2, 2));
  const found = Object.fromEntries(Object.keys(SYMMETRIES).map((name) => [name, mirrored(rule("r1c2", "r2c2"), square, name)]));
  assert.deepEqual(found, {
    rot180: rule("r4c3", "r3c3"),
    rot90: rule("r2c4", "r2c3"),
    mirror: rule("r1c3", "r2c3"),
    "mirror-down": rule("r4c2", "r3c2"),
    diagonal: rule("r2c1", "r2c2"),
    antidiagonal: rule("r3c4", "r3c3"),
  });
  const wide = gridOf({ cells: [[0, 0], [0, 1], [0, 2], [0, 3], [1, 0], [1, 1], [1, 2], [1, 3]], values: [1] });
  assert.deepEqual(mirrored(rule("r1c4"), wide, "rot180"), rule("r2c1"));
  assert.equal(mirrored(rule("r1c4"), wide, "diagonal"), null);
});

test("300 random edits, undone, are the beginning; redone, the end", () => {
  const random = numbers(5);
  const history = new EditHistory(FOUR);
  const edits = [
    () => addRule({ kind: `k${random(9)}` }),
    () => removeRule(rulesOf(history.present)[random(4)]),
    () => setGivens([`r${random(4) + 1}c1`], random(4) + 1),
    () => setRegion([[random(4), random(4)]], random(4)),
    () => setText("title", `t${random(5)}`),
  ];
  for (let step = 0; step < 300; step += 1) history.do(edits[random(edits.length)]()(history.present));
  const end = JSON.stringify(history.present);
  while (history.go(-1));
  assert.deepEqual([history.present, history.past.length, history.future.length], [FOUR, 0, 300]);
  while (history.go(1));
  assert.equal(JSON.stringify(history.present), end);
});

test("exempt pairs follow the marks as long as they are all of them", () => {
  const kinds = new Set(["mark"]);
  const fields = new Map([["unmarked", "exempt"]]);
  const edit = (change, json) => followingMarks(change, kinds, fields)(json);
  const first = { kind: "mark", cells: ["r1c1", "r1c2"] };
  const second = { kind: "mark", cells: ["r2c1", "r2c2"] };
  const start = { rules: [first, { kind: "unmarked", exempt: [["r1c2", "r1c1"]] }] };
  const more = edit(addRule(second), start);
  assert.deepEqual(more.rules[1].exempt, [first.cells, second.cells]);
  assert.deepEqual(edit(removeRule(first), more).rules[0].exempt, [second.cells]);
  const own = { rules: [first, { kind: "unmarked", exempt: [] }] };
  assert.deepEqual(edit(addRule(second), own).rules[1].exempt, []);
  assert.deepEqual(edit(setText("title", "A"), start).rules, start.rules);
});
