// Puzzles that the service makes at one press: a new one of a grade, and today's, which has the date as its seed and is kept here.

import { dayName } from "./records.js";
import { SHELF } from "./shelfwords.js";

const STORE = "sudoku_cp today";
const SECONDS = 240; // a new machine compiles what makes puzzles first

/** The levels of difficulty that are offered. */
export const GRADES = ["easy", "medium", "hard", "expert", "fiendish", "diabolical", "extreme"];

/** Show a new puzzle of a grade; the next one like it is a press away. Raises a `Problem`, or an Error if none was found in time. */
export async function showNew(app, grade, signal = app.opening()) {
  const json = await make(app, { difficulty: grade, seed: Math.floor(Math.random() * 2 ** 31) }, SHELF.titles[grade], signal);
  await app.show(json, { signal, grade });
}

/** The puzzle of a day and a grade in our JSON. Raises like `showNew`. */
export async function todaysPuzzle(app, day, grade, signal) {
  const seed = Number(dayName(day).replaceAll("-", ""));
  const kept = readKept();
  if (kept.seed === seed && kept[grade]) return kept[grade];
  const json = await make(app, { difficulty: grade, seed }, SHELF.todayTitle(day, grade), signal);
  keep({ ...(kept.seed === seed ? kept : {}), seed, [grade]: json });
  return json;
}

/** The day and the grade of a puzzle that is one of the last day's: { day: "2026-11-27", grade }; undefined for any other. */
export function todaysGrade(json) {
  const { seed, ...kept } = readKept();
  const text = JSON.stringify(json);
  const grade = Object.keys(kept).find((one) => JSON.stringify(kept[one]) === text);
  return grade && { grade, day: String(seed).replace(/(....)(..)(..)/, "$1-$2-$3") };
}

async function make(app, wanted, title, signal) {
  const { puzzles } = await app.api.ask("generate", { count: 1, ...wanted }, { signal, seconds: SECONDS });
  if (!puzzles.length) throw new Error(SHELF.notMade);
  const { text } = await app.api.ask("convert", { puzzle: puzzles[0].puzzle, to: "json" }, { signal });
  return { ...JSON.parse(text.split("\n")[0]), title };
}

function readKept() {
  try {
    return JSON.parse(localStorage.getItem(STORE)) ?? {};
  } catch {
    return {};
  }
}

function keep(puzzles) {
  try {
    localStorage.setItem(STORE, JSON.stringify(puzzles));
  } catch {
    // They are made again the next time.
  }
}
