// The words of the dialog for symbols, font and colours.

const ENOUGH = 4.5;

export const LOOKS = {
  heading: "Symbols, font and colours",
  values: "Values as",
  symbols: { "": "the puzzle says", digits: "digits", letters: "letters", hex: "hexadecimal", own: "signs of my own" },
  signs: "Signs",
  font: "Font",
  fonts: { page: "as the page", serif: "serif", rounded: "rounded", mono: "monospaced", narrow: "narrow" },
  size: "Size",
  colours: (theme) => `Colours of the ${theme} theme`,
  tokens: { accent: "Accent", entered: "Entered", given: "Given", paper: "Paper" },
  contrast: (ratio) => `${ratio.toFixed(1)} : 1${ratio < ENOUGH ? ", hard to read" : ""}`,
  reset: "Reset",
};
