// Font and colours of one's own: loaded for those who chose some.

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

/** Show the board in the font, size and colours that were chosen. */
export function applyLooks({ font, scale, colours }) {
  const { dataset, style } = document.documentElement;
  const own = colours[dataset.theme];
  for (const token of TOKENS) own[token] ? style.setProperty(`--${token}`, own[token]) : style.removeProperty(`--${token}`);
  style.setProperty("--board-font", FONTS[font]);
  style.setProperty("--board-scale", scale / 100);
  document.documentElement.toggleAttribute("data-scaled", scale !== 100);
}
