// Every text that people read. A second language is a second file like this one.

const number = new Intl.NumberFormat("en");
const plural = (count, one, many = `${one}s`) => `${number.format(count)} ${count === 1 ? one : many}`;
const list = new Intl.ListFormat("en", { type: "conjunction" });

export const MODE_NAMES = { digit: "Digit", corner: "Corner", centre: "Centre", colour: "Colour" };
export const COLOUR_NAMES = ["red", "orange", "yellow", "green", "teal", "blue", "violet", "pink", "grey"];
export const BUTTONS = {
  undo: "Undo",
  redo: "Redo",
  open: "Open",
  share: "Share a link",
  print: "Print",
  theme: "Dark or light",
  settings: "Settings",
  help: "Keys and help",
  more: "More",
};

export const UNREACHABLE = "The solver is not reachable; play goes on.";
export const REACHABLE = "The solver is reachable again.";
export const CHANGE_HINT = "Change the symbols, fonts and colours";
export const UNTITLED = "Untitled";

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
