// Record 200 games of random gestures, a line of JSON each: the board, the game as a page saves it, and what is in the cells and drawn.
//
// node tests/page/record_histories.mjs | gzip -9n > tests/play/histories.jsonl.gz

import { Game } from "../../sudoku_cp/service/static/game.js";
import { act, board, numbers } from "./boards.mjs";

const BOXES = [[2, 2], [2, 3], [3, 2], [3, 3]];

for (let seed = 0; seed < 200; seed += 1) {
  const next = numbers(seed);
  const [height, width] = BOXES[seed % BOXES.length];
  const givens = Object.fromEntries(Array.from({ length: 4 }, (_, value) => [next((height * width) ** 2), value + 1]));
  const game = new Game(board(height, width, givens), { tidyMarks: seed % 3 > 0, validOnly: seed % 5 === 0 });
  for (let action = 0; action < 12 + next(20); action += 1) act(game, next);
  console.log(JSON.stringify({ height, width, givens, saved: game, states: game.states, pen: [...game.pen] }));
}
