// The words of the dialogs.

import { kindWords, sizeWords } from "./puzzle_words.js";
import { list, number, plural } from "./words.js";

export const HELP = {
  heading: "Keys",
  everywhere: "Everywhere",
  play: "Play",
  design: "Design",
  replay: "Replay",
  pointer: "Drag to select several cells; double click selects all the same; with nothing selected, a key of the keypad is held, and each cell that you touch takes it. A long press adds to the selection; two fingers enlarge and move the board.",
};
export const keyWords = (keys) => keys.map((key) => key.replaceAll("+", " + ").replace(/^ \+ $/, "+")).join(", ");

export const OPEN = {
  paste: "Paste a link, a grid or JSON, in any format, or drop a file",
  file: "Choose a file",
  openIt: "Open",
  shelf: "To the shelf",
  unreadable(text) {
    const expected = "Expected a grid (a sign for each cell, . or 0 for an open one: 81 for a 9 × 9), a link (to this page, f-puzzles or SudokuPad) or JSON";
    return /\s/.test(text) ? `${expected}; got a text that begins "${text.slice(0, 20)}".` : `${expected}; got ${plural(text.length, "sign")}: "${text.slice(0, 20)}".`;
  },
  without: (kinds) => `Open without ${list.format(kinds)}, which this page does not know as ${kinds.length > 1 ? "rules" : "a rule"}`,
  empty: "Expected a puzzle, got an empty text.",
  several: (count) => `${plural(count, "puzzle")}; choose one:`,
  damaged: "The game in this file is damaged; here is its puzzle.",
  nth: (number) => `Puzzle ${number}`,
  large: (size, most) => `Expected a file of at most ${number.format(most)} bytes, got ${number.format(size)}.`,
};

export const SHARE = {
  nothing: "Open a puzzle first.",
  links: { own: "Link to this page, with the whole puzzle in it", game: "The same link with your digits, marks and lines", fpuzzles: "f-puzzles", sudokupad: "SudokuPad", sudokuwiki: "SudokuWiki, with your digits" },
  open: { fpuzzles: "Open in f-puzzles", sudokupad: "Open in SudokuPad", sudokuwiki: "Open in SudokuWiki" },
  picture: "Picture (PNG)",
  leftOut: (names) => `This link does not keep: ${list.format(names)}.`,
  copy: "Copy",
  copied: "Copied.",
  notCopied: "The browser does not let the page copy; press Ctrl + C.",
  qr: "QR code of this link",
  local: "This address works only on this computer.",
  save: "Save as a file",
  plainOnly: "A text holds only givens; this puzzle has other rules too.",
  files: { json: "sudoku-cp JSON", grid: "Text" },
};

export const PRINT = {
  nothing: "Open a puzzle first.",
  title: "Title",
  preview: "The first page",
  pages: (count) => plural(count, "page"),
  labels: { per_page: "On a page", paper: "Paper", solutions: "Solution", symbols: "Values as", landscape: "Landscape", rules_in_words: "Rules in words", marks: "As played: entries and marks too", qr: "QR code with a link to play", booklet: "Booklet: a cover, contents, a section for each level" },
  file: (count) => `All ${plural(count, "puzzle")} of the opened file`,
  others: "Add new puzzles",
  fewMade: (count) => `Only ${plural(count, "new puzzle")} ${count === 1 ? "was" : "were"} found in time.`,
  level: "Level of these",
  seed: "Seed of these",
  levels: { easy: "easy", medium: "medium", hard: "hard", expert: "expert", fiendish: "fiendish", diabolical: "diabolical", extreme: "extreme" },
  values: { "": "in the puzzle", a4: "A4", a5: "A5", a3: "A3", letter: "Letter", legal: "Legal", end: "at the end", same: "small, on the same page", "upside-down": "small, upside down" },
  save: "Save PDF",
  making: "Making the PDF ...",
  saved: "The PDF is saved.",
  late: "The PDF was not ready in time.",
};

export const SETTINGS_HEADING = "Settings";
export const SETTING_WORDS = {
  theme: { label: "Theme", choices: { system: "as the system", light: "light", dark: "dark" } },
  input: { label: "Input", choices: { both: "cell first or digit first", cell: "cell, then digit", digit: "digit, then cells" } },
  timer: { label: "Time", choices: { shown: "shown", hidden: "hidden", end: "at the end" } },
  tidyMarks: "Remove a value from the marks that see it",
  validOnly: "Refuse values that clash",
  trueOnly: "Refuse values that are not in the solution, and count them",
  fixedMarks: "A fixed place for each mark",
  showClashes: "Show clashes",
  peers: "Shade the cells that the selected one sees",
  sameValues: "Shade cells with the same value",
  sameMarks: "Shade cells with the same mark",
  wasd: "Move with W A S D, unless they are values",
};

/** What is wrong, a sentence for each place; the cell is named where the service names it apart from its words. */
export const problemPlaces = (problem) => (problem.errors?.length ? problem.errors.map(({ cell, detail }) => (cell && !detail.includes(cell) ? `${cell}: ${detail}` : detail)) : [problem.message]);
export const CLOSE = "Close";
export const MORE_HEADING = "More";

/** Size, kinds of rules and number of givens. */
export function aboutPuzzle(json) {
  const givens = Object.keys(json.givens ?? {}).length;
  return [sizeWords(json), kindWords(json), givens && plural(givens, "given")].filter(Boolean).join(" · ");
}
