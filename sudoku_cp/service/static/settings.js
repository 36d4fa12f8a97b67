// What people may choose, and where it is kept.

const STORE = "sudoku_cp settings";

/** Every setting with its default. Those with a sentence in words.js are in the settings dialog. */
export const DEFAULTS = {
  theme: "system", // or "light", "dark"
  input: "both", // "cell" first, "digit" first, or both
  tidyMarks: true,
  validOnly: false,
  trueOnly: false,
  showClashes: true,
  peers: true,
  sameValues: true,
  sameMarks: true,
  timer: "shown", // or "hidden", "end"
  wasd: false,
  symbols: "", // in the puzzle's own, or an alphabet, or signs
  font: "page", // one of FONTS
  scale: 100, // percent of the usual size of digits
  colours: { light: {}, dark: {} }, // of TOKENS, by theme
};

/** Fonts of the board, by name. */
export const FONTS = {
  page: "var(--font)",
  serif: 'Charter, "Bitstream Charter", Cambria, Georgia, serif',
  rounded: 'ui-rounded, "Hiragino Maru Gothic ProN", Quicksand, Comfortaa, "Arial Rounded MT Bold", var(--font)',
  mono: 'ui-monospace, "Cascadia Code", "DejaVu Sans Mono", Menlo, Consolas, monospace',
  narrow: '"Avenir Next Condensed", "Roboto Condensed", "Arial Narrow", "Liberation Sans Narrow", "DejaVu Sans Condensed", sans-serif',
};

/** The colours that people may choose: names of the style sheet's tokens. */
export const TOKENS = ["accent", "entered", "given", "paper"];

export function readSettings() {
  try {
    return { ...DEFAULTS, ...JSON.parse(localStorage.getItem(STORE) ?? "{}") };
  } catch {
    return { ...DEFAULTS }; // a browser may forbid storage, and what is stored may be damaged
  }
}

export function writeSettings(settings) {
  try {
    localStorage.setItem(STORE, JSON.stringify(settings));
  } catch {
    // The settings hold for this visit.
  }
}

/** Set the theme of the page, that of the system unless one is chosen, with font and colours of one's own. */
export function applyTheme({ theme, font, scale, colours }) {
  const dark = theme === "dark" || (theme === "system" && matchMedia("(prefers-color-scheme: dark)").matches);
  const { dataset, style } = document.documentElement;
  dataset.theme = dark ? "dark" : "light";
  const own = colours[dataset.theme];
  for (const token of TOKENS) own[token] ? style.setProperty(`--${token}`, own[token]) : style.removeProperty(`--${token}`);
  style.setProperty("--board-font", FONTS[font]);
  style.setProperty("--board-scale", scale / 100);
  document.documentElement.toggleAttribute("data-scaled", scale !== 100);
}
