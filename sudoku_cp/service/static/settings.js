// What people may choose, and where it is kept.

const STORE = "sudoku_cp settings";

/** Every setting with its default. Those with a sentence in words.js are in the settings dialog. */
export const DEFAULTS = {
  theme: "system", // or "light", "dark"
  input: "both", // "cell" first, "digit" first, or both
  tidyMarks: true,
  validOnly: false,
  trueOnly: false,
  fixedMarks: false,
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

const LOOKS = ["font", "scale", "colours"];
let looked = false; // whether anything of these was chosen

/** Set the theme of the page, that of the system unless one is chosen, with font and colours of one's own. */
export function applyTheme(settings) {
  const { theme } = settings;
  const dark = theme === "dark" || (theme === "system" && matchMedia("(prefers-color-scheme: dark)").matches);
  document.documentElement.dataset.theme = dark ? "dark" : "light";
  if (LOOKS.some((name) => JSON.stringify(settings[name]) !== JSON.stringify(DEFAULTS[name])) || looked) {
    looked = true;
    import("./looks.js").then(({ applyLooks }) => applyLooks(settings));
  }
}
