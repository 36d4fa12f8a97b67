// Boards for the tests of the page's rules of play: plain squares with boxes, and a source of numbers that repeats.

import { fillMarks } from "../../sudoku_cp/service/static/later_entries.js";

/** A square board with boxes of so many rows and columns, and these givens. */
export function board(height, width, givens = {}, solution = null) {
  const side = height * width;
  const cells = Array.from({ length: side * side }, (_, cell) => [Math.floor(cell / side), cell % side]);
  const box = ([row, column]) => Math.floor(row / height) * height + Math.floor(column / width);
  const sees = cells.map((one, cell) =>
    [...cells.keys()].filter((at) => {
      const other = cells[at];
      return at !== cell && (one[0] === other[0] || one[1] === other[1] || box(one) === box(other));
    }),
  );
  return { cells, values: Array.from({ length: side }, (_, value) => value + 1), givens, sees, solution };
}

/** A function that returns whole numbers below its argument, the same for the same seed (mulberry32). */
export function numbers(seed) {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296) * below);
  };
}

/** Draw with the pen, or erase: letters, crosses and circles, a line to the next cell. */
function draw(game, next) {
  const [row, column] = game.puzzle.cells[next(game.size)].map((axis) => 2 * axis + 1);
  const marks = [`letter ${"ABZ"[next(3)]} ${row},${column}`, `cross ${row},${column}`, `circle ${row - 1},${column}`, ...(column > 1 ? [`line ${row},${column - 2} ${row},${column}`] : [])];
  const colour = [null, 1, 1, 6][next(4)];
  return game.apply([], [], { kind: "pen" }, marks.slice(next(marks.length)).map((mark) => [mark, colour]));
}

/** Do something at random in a game: enter, clear, draw, fill in marks, undo, redo, jump. */
export function act(game, next) {
  const cells = Array.from({ length: 1 + next(4) }, () => next(game.size));
  const mode = ["digit", "digit", "corner", "centre", "colour"][next(5)];
  const kind = next(12);
  if (next(6) === 0) return draw(game, next);
  if (kind < 7) return game.enter(mode, game.puzzle.values[next(game.puzzle.values.length)], [...new Set(cells)]);
  if (kind < 9) return game.clear(mode, cells);
  if (kind === 9) return next(4) ? game.undo() : fillMarks(game);
  if (kind === 10) return game.redo();
  return game.jump(next(game.history.entries.length));
}
