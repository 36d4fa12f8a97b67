// The keys: one table, which the help page shows and the tests walk. Modes register what the actions do.

/**
 * keys: chords such as "Ctrl+Z", with Ctrl for Cmd too; a single letter needs Alt where the puzzle's alphabet has it.
 * mode: where the row holds, or "any"; action: its name in `app.actions`; shown: what the help page shows for the keys.
 */
export const KEYS = [
  { keys: [], shown: "1–9, A–Z", mode: "play", does: "enter a value, as the mode says", action: "enter" },
  { keys: [], shown: "Shift + digit", mode: "play", does: "corner mark, once", action: "enter" },
  { keys: [], shown: "Ctrl + digit", mode: "play", does: "centre mark, once", action: "enter" },
  { keys: [], shown: "Alt or Ctrl + Shift + digit", mode: "play", does: "colour, once", action: "enter" },
  { keys: ["Z"], mode: "play", does: "write digits", action: "mode-digit" },
  { keys: ["X"], mode: "play", does: "write corner marks", action: "mode-corner" },
  { keys: ["C"], mode: "play", does: "write centre marks", action: "mode-centre" },
  { keys: ["V"], mode: "play", does: "write colours", action: "mode-colour" },
  { keys: ["B"], mode: "play", does: "draw with the pen", action: "mode-pen" },
  { keys: [], shown: "Shift or Ctrl + arrows, Enter", mode: "play", does: "with the pen: line, edge, cross or circle", action: "mode-pen" },
  { keys: [], shown: "Shift + letter", mode: "play", does: "with the pen: a letter in the selected cells", action: "mode-pen" },
  { keys: ["Space"], mode: "play", does: "next of the first four", action: "mode-next" },
  { keys: ["Shift+Space"], mode: "play", does: "previous of them", action: "mode-previous" },
  ...arrows("", "Arrows", "move, round the edges", "move"),
  ...arrows("Shift+", "Shift + arrows", "extend the selection", "extend"),
  ...arrows("Ctrl+", "Ctrl + arrows", "extend the selection", "extend"),
  { keys: ["Ctrl+A"], mode: "any", does: "select all", action: "select-all" },
  { keys: ["Ctrl+I"], mode: "any", does: "invert the selection", action: "select-invert" },
  { keys: ["Escape"], shown: "Esc", mode: "any", does: "close, let go, select nothing", action: "escape" },
  { keys: ["Delete", "Backspace"], mode: "any", does: "clear, one kind a press", action: "clear" },
  { keys: ["Ctrl+Z"], mode: "any", does: "undo", action: "undo" },
  { keys: ["Ctrl+Y", "Ctrl+Shift+Z"], mode: "any", does: "redo", action: "redo" },
  { keys: ["["], mode: "play", does: "back to the last checkpoint", action: "checkpoint-back" },
  { keys: ["]"], mode: "play", does: "on to the next checkpoint", action: "checkpoint-on" },
  { keys: ["H"], mode: "play", does: "next level of hint", action: "hint" },
  { keys: ["Shift+H"], mode: "play", does: "close the hint", action: "hint-close" },
  { keys: ["F"], mode: "play", does: "fill in marks", action: "fill-marks" },
  { keys: ["Enter"], mode: "play", does: "check", action: "check" },
  { keys: ["P"], mode: "play", does: "pause", action: "pause" },
  { keys: ["N"], mode: "play", does: "next puzzle of the file", action: "next-puzzle" },
  { keys: ["T"], mode: "design", does: "find a tool", action: "find-tool" },
  { keys: ["R"], mode: "design", does: "the last tool again", action: "repeat-tool" },
  { keys: ["Enter"], mode: "design", does: "draw over the selected cells, or end the shape", action: "close-shape" },
  { keys: ["ArrowRight"], shown: "Right", mode: "replay", does: "one node on", action: "walk-next" },
  { keys: ["ArrowLeft"], shown: "Left", mode: "replay", does: "one node back", action: "walk-prev" },
  { keys: ["ArrowDown"], shown: "Down", mode: "replay", does: "the next value of the same guess", action: "walk-down" },
  { keys: ["ArrowUp"], shown: "Up", mode: "replay", does: "the value before of the same guess", action: "walk-up" },
  { keys: ["Home"], mode: "replay", does: "to the start", action: "walk-first" },
  { keys: ["End"], mode: "replay", does: "to the solution", action: "walk-last" },
  { keys: ["Space"], mode: "replay", does: "play, or stop", action: "walk-play" },
  { keys: ["I"], mode: "any", does: "read the cell aloud", action: "read-cell" },
  { keys: [], shown: "Space + drag", mode: "any", does: "move what is larger than the stage", action: "zoom-fit" },
  { keys: ["+", "="], mode: "any", does: "larger", action: "zoom-in" },
  { keys: ["-"], mode: "any", does: "smaller", action: "zoom-out" },
  { keys: ["0"], mode: "any", does: "as large as fits", action: "zoom-fit" },
  { keys: ["Ctrl+O"], mode: "any", does: "open another puzzle", action: "open" },
  { keys: ["Ctrl+S"], mode: "any", does: "share, or save as a file", action: "share" },
  { keys: ["Ctrl+Shift+C"], mode: "any", does: "copy the link", action: "copy-link" },
  { keys: ["Ctrl+P"], mode: "any", does: "print", action: "print" },
  { keys: ["?"], mode: "any", does: "this page", action: "help" },
];

function arrows(prefix, shown, does, action) {
  const ways = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
  return Object.entries(ways).map(([key, way], index) => ({
    keys: [prefix + key],
    shown: index ? null : shown, // the help page shows the four in one line
    mode: action === "move" || action === "extend" ? "board" : "any",
    does,
    action,
    detail: way,
  }));
}

/** The chord of an event, such as "Ctrl+Shift+Z"; Shift is not told where it makes another sign. */
function chordOf(event) {
  const { key, code } = event;
  const latin = /^[a-z]$/i.test(key) ? key.toUpperCase() : null;
  const letter = latin ?? (/^Key[A-Z]$/.test(code) && key.length === 1 ? code[3] : null);
  const name = letter ?? (key === " " ? "Space" : key);
  const shift = event.shiftKey && (letter !== null || name.length > 1);
  return `${event.ctrlKey || event.metaKey ? "Ctrl+" : ""}${shift ? "Shift+" : ""}${name}`;
}

/** The row of the table for an event, or null. signs: the alphabet, whose letters need Alt to be commands. */
export function rowOf(event, mode, signs, table = KEYS) {
  const chord = chordOf(event);
  const single = chord.replace("Shift+", "").length === 1;
  const isSign = single && signs.some((sign) => sign.toUpperCase() === chord.at(-1));
  if ((isSign && !event.altKey) || (event.altKey && !single)) return null;
  const holds = (row) => row.mode === "any" || row.mode === mode || (row.mode === "board" && mode !== "replay");
  return table.find((row) => holds(row) && row.keys.includes(chord)) ?? null;
}

/** The mode that modifiers ask for, for as long as they are held; null if none is. */
export function modeHeld({ ctrlKey, metaKey, shiftKey, altKey }) {
  const ctrl = ctrlKey || metaKey;
  return altKey || (ctrl && shiftKey) ? "colour" : ctrl ? "centre" : shiftKey ? "corner" : null;
}

/** Where a key goes: to the element in focus; to the page if nobody can use that any more, which browsers notice only when they paint. */
export function keyTarget({ target }) {
  const left = target.checkVisibility?.({ visibilityProperty: true }) === false || target.closest?.(":disabled, [inert]");
  return left ? document.body : target;
}

/** Whether a dialog is open, whatever has the focus: what lies behind it takes no keys. */
export const dialogIsOpen = () => document.querySelector("dialog[open]") !== null;
