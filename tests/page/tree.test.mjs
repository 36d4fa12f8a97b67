// The path tree: where nodes stand, the way to each, what is on the board there, and how its picture is cut to pixels.

import assert from "node:assert/strict";
import { test } from "node:test";

import { bars, zoomed } from "../../sudoku_cp/service/static/icicle.js";
import { SearchTree } from "../../sudoku_cp/service/static/tree.js";

// 0 - 1 - 2 (dead)
//   |   ` 3 (dead)
//   ` 4 - 5 (solution)
const columns = {
  fates: ["open", "dead", "alive", "solution"],
  cells: ["r1c1", "r1c2", "r1c3", "r1c4"],
  parent: [-1, 0, 1, 1, 0, 4],
  depth: [0, 1, 2, 2, 1, 2],
  cell: [-1, 0, 1, 1, 0, 9],
  value: [-1, 1, 2, 3, 2, 1],
  fate: [2, 1, 1, 1, 2, 3],
  forced: [[3, 4, 0], [], [2, 3, 1], [], [1, 1, 0, 2, 3, 1], []],
  contradiction: [-1, -1, 0, 1, -1, -1],
  reasons: ["row 1 (houses)", "column 2 (houses)"],
  reason_cells: [[0, 1, 2, 3], [1]],
};
const tree = new SearchTree(columns);

/** A tree of many nodes: every node has two children down to a depth, in the order of a search. */
function large(levels) {
  const parent = [];
  const depth = [];
  const waiting = [[-1, 0]];
  while (waiting.length) {
    const [above, deep] = waiting.pop();
    parent.push(above);
    depth.push(deep);
    if (deep < levels) waiting.push([parent.length - 1, deep + 1], [parent.length - 1, deep + 1]);
  }
  return new SearchTree({ ...columns, parent, depth, fate: parent.map(() => 1) });
}

test("all that is below a node follows it at once", () => {
  assert.deepEqual([...tree.end], [6, 4, 3, 4, 6, 6]);
  assert.equal(tree.levels, 3);
  assert.deepEqual(tree.path(5), [0, 4, 5]);
});

test("a place of the picture is the node that is drawn there", () => {
  assert.equal(tree.nodeAt(2.5, 0), 0);
  assert.equal(tree.nodeAt(2.5, 1), 1);
  assert.equal(tree.nodeAt(2.5, 7), 2);
  assert.equal(tree.nodeAt(99, 1), 4);
});

test("siblings have the same parent", () => {
  assert.deepEqual([tree.sibling(1, 1), tree.sibling(4, -1), tree.sibling(2, 1), tree.sibling(3, -1)], [4, 1, 3, 2]);
  assert.deepEqual([tree.sibling(0, 1), tree.sibling(4, 1), tree.sibling(2, -1), tree.sibling(1, -1)], [null, null, null, null]);
});

test("solutions and dead ends are found both ways", () => {
  const dead = (node) => tree.isDeadEnd(node);
  assert.deepEqual([tree.find(0, dead), tree.find(2, dead), tree.find(3, dead), tree.find(5, dead, -1)], [2, 3, null, 3]);
  assert.equal(tree.goal, 5);
});

test("the board at a node has what was guessed and forced on the way, and no auxiliary cells", () => {
  assert.deepEqual([...tree.values(0)], [[3, { value: 4, kind: "forced" }]]);
  assert.deepEqual(tree.values(5).get(0), { value: 2, kind: "guess" });
  assert.deepEqual([...tree.values(5).keys()].sort(), [0, 1, 2, 3]);
});

test("a picture has a bar for each node where there is room, and never more than pixels", () => {
  assert.equal(bars(tree, { from: 0, to: 6 }, 600).length, 6);
  const many = large(15);
  const drawn = bars(many, { from: 0, to: many.count }, 400);
  assert.ok(drawn.length <= 401 * many.levels, `${drawn.length} bars`);
  assert.ok(drawn.every(([, x, wide]) => x >= 0 && x + wide <= 401));
});

test("a part of the picture begins with the nodes above it", () => {
  const shown = bars(tree, { from: 5, to: 6 }, 100);
  assert.deepEqual(shown.map(([node]) => node), [0, 4, 5]);
  assert.ok(shown.every(([, x, wide]) => x === 0 && wide === 100));
});

test("to zoom leaves the place under the pointer where it is, and stays inside the tree", () => {
  const many = large(10);
  const view = zoomed(many, { from: 0, to: many.count }, 4, 500);
  assert.ok(Math.abs((500 - view.from) / (view.to - view.from) - 500 / many.count) < 1e-9);
  assert.deepEqual(zoomed(many, view, 1e-9, 500), { from: 0, to: many.count });
});
