// The puzzle of a day: made with the date as its seed, and kept by the browser until the next one.

import { SHELF } from "./shelfwords.js";

const STORE = "sudoku_cp today";
const SECONDS = 240; // a new machine compiles what makes puzzles first

/** The puzzle of a day in our JSON. Raises a `Problem`, or an Error if none was found in time. */
export async function todaysPuzzle(app, day, signal) {
  const seed = 10000 * day.getFullYear() + 100 * (day.getMonth() + 1) + day.getDate();
  const kept = readKept();
  if (kept.seed === seed) return kept.json;
  const { puzzles } = await app.api.ask("generate", { count: 1, seed, difficulty: "medium" }, { signal, seconds: SECONDS });
  if (!puzzles.length) throw new Error(SHELF.notMade);
  const { text } = await app.api.ask("convert", { puzzle: puzzles[0].puzzle, to: "json" }, { signal });
  const json = { ...JSON.parse(text.split("\n")[0]), title: SHELF.todayName(day) };
  keep({ seed, json });
  return json;
}

function readKept() {
  try {
    return JSON.parse(localStorage.getItem(STORE)) ?? {};
  } catch {
    return {};
  }
}

function keep(puzzle) {
  try {
    localStorage.setItem(STORE, JSON.stringify(puzzle));
  } catch {
    // It is made again the next time.
  }
}
