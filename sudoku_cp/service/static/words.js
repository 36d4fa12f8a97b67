// The texts that people read, but for those of design, replay and dialogs (designwords.js, replaywords.js, dialogwords.js).

export const number = new Intl.NumberFormat("en");
export const plural = (count, one, many = `${one}s`) => `${number.format(count)} ${count === 1 ? one : many}`;
export const list = new Intl.ListFormat("en", { type: "conjunction" });

export const MODE_NAMES = { digit: "Digit", corner: "Corner", centre: "Centre", colour: "Colour", pen: "Pen" };
export const COLOUR_NAMES = ["red", "orange", "yellow", "green", "teal", "blue", "violet", "pink", "grey"];
export const BUTTONS = {
  undo: "Undo",
  redo: "Redo",
  restart: "Restart",
  open: "Open",
  share: "Share",
  print: "Print",
  theme: "Dark or light",
  settings: "Settings",
  help: "Keys and help",
  more: "More",
};

export const UNREACHABLE = "The solver is unreachable; you can play on.";
export const SYMBOLS_UNFIT = "The signs that you chose do not fit the values of this puzzle.";
export const DAMAGED_LINK = "This link is damaged: no puzzle can be read from it.";
export const CRASHED = (request) => `The engine crashed; your game is safe. (Request ${request})`;
export const BUSY = "The service was too busy for this; nothing is lost.";
export const AGAIN = "Try again";
export const REACHABLE = "The solver is reachable again.";

export const shortName = ([row, column]) => `r${row + 1}c${column + 1}`;
/** A rule that the service names by its kind and the part that it is about. */
export const ruleWords = ({ kind, part }) => `${kind.replaceAll("-", " ")} ${part}`.trim();
export const place = ([row, column]) => `row ${row + 1} column ${column + 1}`;

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

export const PAUSE = "Pause";
export const PAUSED = "Paused.";
export const RESUME = "Resume";
export const FILLED_WRONG = "Filled, but something is wrong.";
export const SOLVED = "Solved";
export const refusals = (count) => `${number.format(count)} refused`;
export const filledOf = (filled, size) => `${number.format(filled)} of ${plural(size, "cell")}`;
export const moves = (count) => plural(count, "move");
export const clashCount = (count) => `${plural(count, "cell")} clash${count === 1 ? "es" : ""}`;
export const CLEAR = "Clear";
export const by = (author) => `by ${author}`;
export const RULES_HEADING = "Rules";
