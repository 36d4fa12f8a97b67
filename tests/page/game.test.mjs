// The rules of play: what an entry does, the order of clearing, clashes, undo with branches, and what a saved game keeps.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { gunzipSync } from "node:zlib";

import { EMPTY, Game } from "../../sudoku_cp/service/static/game.js";
import { applyStep, cellsAlike, fillMarks, nextCheckpoint, restart, takeOutWrong } from "../../sudoku_cp/service/static/later_entries.js";
import { outline } from "../../sudoku_cp/service/static/history_panel.js";
import { lastRight } from "../../sudoku_cp/service/static/mending.js";
import { act, board, numbers } from "./boards.mjs";

const SOLUTION = [1, 2, 3, 4, 3, 4, 1, 2, 2, 1, 4, 3, 4, 3, 2, 1];
const four = (givens = {}, settings = {}) => new Game(board(2, 2, givens, SOLUTION), settings);

/** What clashes, counted afresh. */
function clashing(game) {
  const same = (cell) => game.puzzle.sees[cell].filter((other) => game.value(other) === game.value(cell)).length;
  return game.states.map((_, cell) => (game.value(cell) === null ? 0 : same(cell)));
}

test("a value goes into every selected cell, and out again where all have it", () => {
  const game = four({ 0: 1 });
  assert.deepEqual(game.enter("digit", 2, [0, 1, 2]).changed, [1, 2]);
  assert.equal(game.value(0), 1);
  game.enter("digit", 2, [1, 3]);
  assert.deepEqual([game.value(1), game.value(2), game.value(3)], [2, 2, 2]);
  game.enter("digit", 2, [1, 2, 3]);
  assert.deepEqual(game.values().slice(0, 4), [1, null, null, null]);
});

test("marks go into open cells only, colours into givens too", () => {
  const game = four({ 0: 1 });
  game.enter("digit", 2, [1]);
  assert.deepEqual(game.enter("centre", 3, [0, 1, 2]).changed, [2]);
  assert.deepEqual(game.enter("colour", 5, [0, 1, 2]).changed, [0, 1, 2]);
  assert.deepEqual(game.states[2], { ...EMPTY, centre: [3], colours: [5] });
});

test("a value hides marks and gives them back", () => {
  const game = four();
  game.enter("corner", 4, [5]);
  game.enter("digit", 1, [5]);
  assert.deepEqual(game.states[5].corner, [4]);
  game.clear("digit", [5]);
  assert.deepEqual(game.states[5], { ...EMPTY, corner: [4] });
});

test("a value is removed from the marks of cells that see it, in the same step", () => {
  const game = four();
  game.enter("centre", 2, [1, 4, 15]);
  game.enter("digit", 2, [0]);
  assert.deepEqual([game.states[1].centre, game.states[4].centre, game.states[15].centre], [[], [], [2]]);
  game.undo();
  assert.deepEqual([game.value(0), game.states[1].centre], [null, [2]]);
  game.settings.tidyMarks = false;
  game.enter("digit", 2, [0]);
  assert.deepEqual(game.states[1].centre, [2]);
});

test("clearing takes the mode's kind first, then digits, centre, corner, colours, one kind a press", () => {
  const game = four();
  const full = { value: 1, corner: [2], centre: [3], colours: [4] };
  const fill = () => {
    game.enter("corner", 2, [9]);
    game.enter("centre", 3, [9]);
    game.enter("colour", 4, [9]);
    game.enter("digit", 1, [9]);
  };
  fill();
  assert.deepEqual(game.states[9], full);
  const presses = [];
  for (let press = 0; press < 5; press += 1) {
    game.clear("corner", [9]);
    presses.push(game.states[9]);
  }
  const { value, ...marks } = full;
  assert.deepEqual(presses[0], { ...full, corner: [] });
  assert.deepEqual(presses[1], { ...marks, value: null, corner: [] });
  assert.deepEqual(presses[2], { ...EMPTY, colours: [4] });
  assert.deepEqual(presses[3], EMPTY);
  assert.equal(presses[4], presses[3]);
  assert.equal(value, 1);
});

test("with valid entries only, a clash is refused and says with which cell", () => {
  const game = four({ 0: 1 }, { validOnly: true });
  assert.deepEqual(game.enter("digit", 1, [3, 10]), { changed: [10], refused: [[3, 0]] });
  assert.deepEqual(game.enter("digit", 2, [14, 15]).refused, [[15, 14]]);
  assert.equal(game.value(3), null);
});

test("clashes are counted as entries come and go", () => {
  const game = four({ 0: 1, 1: 1 });
  assert.deepEqual([...game.clashes], clashing(game));
  game.enter("digit", 1, [2, 3]);
  assert.deepEqual([...game.clashes], clashing(game));
  game.undo();
  assert.deepEqual([...game.clashes], clashing(game));
});

test("values that are left are counted", () => {
  const game = four({ 0: 1 });
  game.enter("digit", 1, [6, 9]);
  assert.deepEqual([game.left(1), game.left(2)], [1, 4]);
});

test("marks are filled in with what the cells that see a cell leave", () => {
  const game = four({ 0: 1, 6: 2 });
  fillMarks(game);
  assert.deepEqual(game.states[2].centre, [3, 4]);
  assert.deepEqual(game.states[0], EMPTY);
  game.undo();
  assert.ok(game.states.every((state) => state === EMPTY));
});

test("filling in marks again brings nothing back that was struck out", () => {
  const game = four({ 0: 1, 6: 2 });
  fillMarks(game);
  game.enter("centre", 3, [2]);
  assert.deepEqual(game.states[2].centre, [4]);
  game.enter("digit", 2, [9]);
  fillMarks(game);
  assert.deepEqual(game.states[2].centre, [4]);
  assert.deepEqual(game.states[3].centre, [3, 4]);
});

test("a step of a hint is one entry", () => {
  const game = four();
  fillMarks(game);
  applyStep(game, [[0, 1]], [[15, 4]]);
  assert.deepEqual([game.value(0), game.states[15].centre, game.states[1].centre], [1, [1, 2, 3], [2, 3, 4]]);
  game.undo();
  assert.deepEqual([game.value(0), game.states[15].centre], [null, [1, 2, 3, 4]]);
});

test("what is wrong is taken out, what marks lack is given back, and undo knows where all was right", () => {
  const game = four({ 0: 1 });
  fillMarks(game);
  game.enter("digit", 2, [1]);
  game.enter("centre", 4, [3]);
  game.enter("digit", 4, [12]);
  const wrong = game.history.at;
  game.enter("digit", 1, [15]);
  game.enter("digit", 3, [3]);
  assert.equal(lastRight(game, [[3, 3]], []), wrong + 1);
  assert.equal(lastRight(game, [[3, 3]], [[3, 4]]), 2);
  takeOutWrong(game, new Map([[0, 1], [1, 2], [12, 4], [15, 1]]), new Map([[3, [4]]]));
  assert.deepEqual([game.value(3), game.states[3].centre, game.value(15)], [null, [4], 1]);
  game.undo();
  assert.equal(game.value(3), 3);
});

test("by a setting only the solution's values are taken, and what is refused is counted", () => {
  const game = four({}, { trueOnly: true });
  assert.deepEqual(game.enter("digit", 1, [0, 1]), { changed: [0], refused: [[1, null]] });
  assert.deepEqual(game.enter("digit", 1, [4]).refused, [[4, 0]]);
  assert.equal(game.refused, 2);
});

test("a full grid of rules that nobody here knows waits to be judged", () => {
  const game = new Game({ ...board(2, 2, {}, null), hasMore: true });
  SOLUTION.forEach((value, cell) => game.enter("digit", value, [cell]));
  assert.equal(game.status, "full");
  game.judge(false);
  assert.equal(game.status, "wrong");
  game.undo();
  game.redo();
  game.judge(true);
  assert.equal(game.status, "solved");
});

test("a full grid is solved or wrong", () => {
  const game = four({ 0: 1 });
  assert.equal(game.status, "open");
  SOLUTION.forEach((value, cell) => cell && game.enter("digit", value, [cell]));
  assert.equal(game.status, "solved");
  game.enter("digit", 1, [15]);
  game.enter("digit", 3, [15]);
  assert.equal(game.status, "wrong");
  assert.deepEqual(game.wrong(), [15]);
  game.puzzle.solution = null;
  assert.deepEqual([game.wrong(), game.status], [null, "wrong"]);
});

test("cells alike have the same value, or the same marks, or the same colours", () => {
  const game = four({ 0: 1 });
  game.enter("digit", 1, [6]);
  game.enter("centre", 2, [1, 9]);
  game.enter("colour", 3, [1, 2, 12]);
  assert.deepEqual(cellsAlike(game, 0), [0, 6]);
  assert.deepEqual(cellsAlike(game, 1), [1, 9]);
  assert.deepEqual(cellsAlike(game, 2), [1, 2, 12]);
  assert.deepEqual(cellsAlike(game, 15), [15]);
});

test("what is undone stays as a branch, and redo follows the branch visited last", () => {
  const game = four();
  game.enter("digit", 1, [0]);
  const first = game.history.at;
  game.undo();
  game.enter("digit", 2, [0]);
  const second = game.history.at;
  assert.deepEqual(outline(game.history), [[0, 0], [first, 1], [second, 0]]);
  game.jump(first);
  assert.equal(game.value(0), 1);
  game.undo();
  game.redo();
  assert.equal(game.history.at, first);
});

test("undo gives back the selection of the entry", () => {
  const game = four();
  game.enter("digit", 1, [0, 5]);
  game.enter("digit", 2, [7]);
  assert.deepEqual(game.undo().selected, [7]);
  assert.deepEqual(game.undo().selected, [0, 5]);
  assert.deepEqual(game.redo().selected, [0, 5]);
  assert.equal(four().undo(), null);
});

test("what was wrong and is gone again counts where the solution is known", () => {
  const game = four({}, { solution: [1, 2, 3, 4, 3, 4, 1, 2, 2, 1, 4, 3, 4, 3, 2, 1] });
  game.enter("digit", 3, [0]);
  game.enter("digit", 2, [1]);
  game.enter("digit", 4, [0]);
  assert.equal(lastRight(game, [[0, 4]], [], game.puzzle.solution), 0);
});

test("checkpoints are found on the way back and forth", () => {
  const game = four();
  game.enter("digit", 1, [0]);
  game.history.here.name = "before the guess";
  const named = game.history.at;
  game.enter("digit", 2, [1]);
  game.enter("digit", 3, [2]);
  assert.equal(nextCheckpoint(game.history), named);
  game.undo();
  game.jump(named);
  assert.equal(nextCheckpoint(game.history), null, "the start has no name");
  game.jump(0);
  assert.equal(nextCheckpoint(game.history, true), named);
  assert.equal(nextCheckpoint(game.history), null);
});

test("a new start clears all but the givens in one step, and undo brings everything back", () => {
  const game = four({ 0: 1 });
  game.enter("digit", 2, [1]);
  game.enter("centre", 3, [2, 3]);
  game.enter("colour", 4, [0, 5]);
  const before = game.states.slice();
  game.apply([], [], { kind: "pen" }, [["cross 1,1", 6]]);
  restart(game, 5000);
  assert.deepEqual([game.states, game.pen.size], [Array(16).fill(EMPTY), 0]);
  assert.deepEqual([game.filled, game.history.here.words], [1, { kind: "restart", milliseconds: 5000 }]);
  game.undo();
  assert.deepEqual([game.states, game.pen.get("cross 1,1")], [before, 6]);
  assert.deepEqual(restart(four(), 0), [], "there is nothing to clear");
});

test("300 random actions are undone to the start, and counts are right at each", () => {
  for (const [height, width, seed] of [[2, 2, 1], [2, 3, 2], [3, 3, 3]]) {
    const game = new Game(board(height, width, { 0: 1, 7: 3 }));
    const next = numbers(seed);
    for (let action = 0; action < 300; action += 1) {
      act(game, next);
      assert.deepEqual([...game.clashes], clashing(game));
      assert.equal(game.filled, game.values().filter((value) => value !== null).length);
    }
    while (game.undo());
    assert.equal(game.pen.size, 0);
    assert.ok(game.states.every((state) => state.value === null && ![...state.corner, ...state.centre, ...state.colours].length));
    assert.deepEqual([...game.clashes], clashing(game));
  }
});

test("a saved game is the same game", () => {
  const game = new Game(board(3, 3, { 0: 1 }), { validOnly: true });
  const next = numbers(7);
  for (let action = 0; action < 100; action += 1) act(game, next);
  const again = Game.from(game.puzzle, JSON.parse(JSON.stringify(game)));
  assert.deepEqual(again.states, game.states);
  assert.deepEqual(JSON.parse(JSON.stringify(again)), JSON.parse(JSON.stringify(game)));
  assert.deepEqual([...again.clashes], [...game.clashes]);
  game.undo();
  again.undo();
  assert.deepEqual(again.states, game.states);
});

test("recorded games lead to the recorded cells", () => {
  const lines = gunzipSync(readFileSync(new URL("../play/histories.jsonl.gz", import.meta.url))).toString().trim().split("\n");
  assert.equal(lines.length, 200);
  for (const { height, width, givens, saved, states } of lines.map((line) => JSON.parse(line))) {
    assert.deepEqual(Game.from(board(height, width, givens), saved).states, states);
  }
});
