// The texts that people read, but for those of design, replay and dialogs (designwords.js, replaywords.js, dialogwords.js).

export const number = new Intl.NumberFormat("en");
export const plural = (count, one, many = `${one}s`) => `${number.format(count)} ${count === 1 ? one : many}`;
export const list = new Intl.ListFormat("en", { type: "conjunction" });

export const MODE_NAMES = { digit: "Digit", corner: "Corner", centre: "Centre", colour: "Colour" };
export const COLOUR_NAMES = ["red", "orange", "yellow", "green", "teal", "blue", "violet", "pink", "grey"];
export const BUTTONS = {
  undo: "Undo",
  redo: "Redo",
  open: "Open",
  share: "Share",
  print: "Print",
  theme: "Dark or light",
  settings: "Settings",
  help: "Keys and help",
  more: "More",
};

export const UNREACHABLE = "The solver is not reachable; play goes on.";
export const SYMBOLS_UNFIT = "The signs that you chose do not fit the values of this puzzle.";
export const REACHABLE = "The solver is reachable again.";

export const place = ([row, column]) => `row ${row + 1} column ${column + 1}`;
export const shortName = ([row, column]) => `r${row + 1}c${column + 1}`;

/** The name of a cell for readers of the screen. */
export function cellName(at, view, sign) {
  const parts = [place(at)];
  if (view.value !== null) parts.push(`${view.kind === "given" ? "given " : ""}${sign(view.value)}${view.wrong ? ", clashes" : ""}`);
  else {
    parts.push("empty");
    if (view.centre.length) parts.push(`centre marks ${view.centre.map(sign).join(" ")}`);
    if (view.corner.length) parts.push(`corner marks ${view.corner.map(sign).join(" ")}`);
  }
  if (view.colours.length) parts.push(list.format(view.colours.map((colour) => COLOUR_NAMES[colour - 1])));
  return parts.join(", ");
}

export const problemWords = (problem) => (problem.errors?.length ? problem.errors.map((one) => one.detail).join(" ") : problem.message);

// --- play ------------------------------------------------------------------------------------------------------------

const two = (value) => String(value).padStart(2, "0");

/** Milliseconds as 04:37 or 1:04:37. */
export function clock(milliseconds) {
  const seconds = Math.floor(milliseconds / 1000);
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  return `${hours ? `${hours}:` : ""}${two(minutes)}:${two(seconds % 60)}`;
}

function duration(milliseconds) {
  const seconds = Math.round(milliseconds / 1000);
  const parts = [[Math.floor(seconds / 3600), "hour"], [Math.floor(seconds / 60) % 60, "minute"], [seconds % 60, "second"]];
  const told = parts.filter(([count]) => count).map(([count, unit]) => plural(count, unit));
  return told.join(" ") || plural(0, "second");
}

export const PAUSE = "Pause";
export const PAUSED = "Paused.";
export const RESUME = "Go on";
export const CLOSE = "Close";
export const FILLED_WRONG = "Filled, but something is wrong.";
export const STORAGE_FULL = "The browser keeps no more saved games; save this one as a file.";
export const solvedIn = (milliseconds) => `Solved in ${duration(milliseconds)}.`;
export const timeWords = { solved: "Solved", hints: (count) => plural(count, "hint"), watch: "Watch it again", next: "Next" };
export const refusals = (count) => `${number.format(count)} refused`;
export const filledOf = (filled, size) => `${number.format(filled)} of ${plural(size, "cell")}`;
export const moves = (count) => plural(count, "move");
export const clashCount = (count) => `${plural(count, "cell")} clash${count === 1 ? "es" : ""}`;
export const CLEAR = "Clear";
export const RULES_HEADING = "Rules";
export const LOUPE = "Loupe";

const WRITES = { digit: "", corner: "corner mark ", centre: "centre mark ", colour: "" };
const what = (mode, value, sign) => (mode === "colour" ? COLOUR_NAMES[value - 1] : WRITES[mode] + sign(value));

/** What an entry of the history did, as words of a list. */
export function entryWords(words, app) {
  if (!words) return "the start";
  const cells = plural(words.count ?? 0, "cell");
  const kinds = {
    enter: () => `${what(words.mode, words.value, (value) => app.sign(value))} in ${cells}`,
    "take out": () => `${what(words.mode, words.value, (value) => app.sign(value))} out of ${cells}`,
    clear: () => `${MODE_NAMES[words.mode].toLowerCase()} cleared in ${cells}`,
    "fill marks": () => `marks filled in ${cells}`,
    step: () => "a step of a hint",
    mend: () => `what was wrong taken out of ${cells}`,
  };
  return kinds[words.kind]?.() ?? String(words.kind ?? words);
}

export const undone = (words) => `Undone: ${words}.`;
export const redone = (words) => `Done again: ${words}.`;

/** Why a value was refused: it stands in a cell that this one sees, or is not that of the solution. */
export function refusal(sign, [row, column], other) {
  if (!other) return `${sign} is not right in ${place([row, column])}.`;
  const where = other[0] === row ? `row ${row + 1}` : other[1] === column ? `column ${column + 1}` : place(other);
  return `${sign} is in ${where} already.`;
}

export const HISTORY = { heading: "History", checkpoint: "Set a checkpoint", name: (count) => `Checkpoint ${count}: ` };

/** That a value clashes with another cell. */
export function clashWords(sign, [row, column], other) {
  const where = other[0] === row ? `row ${row + 1}` : other[1] === column ? `column ${column + 1}` : place(other);
  return `${sign} clashes with ${where}.`;
}
