// Tools that draw what means nothing to the puzzle: lines, shapes, texts, coloured cells and cages, which `drawings` of our JSON hold.
//
// Such a tool is like those of rules (see tools.js), but `draws` makes drawings of the cells and the typed fields.

import { cellNamed } from "./cells.js";

const cellsField = { name: "cells", plain: "Cell", depth: 1, optional: false, required: true };
const field = (name, plain, usual, more = {}) => ({ name, plain, depth: 0, optional: false, required: false, default: usual, ...more });
const middle = ([row, column]) => [row + 0.5, column + 0.5];
const share = (hundredths) => Math.min(5000, Math.max(1, hundredths)) / 100;

const TOOLS = [
  {
    kind: "drawn-line", words: "Line", sign: "╱", gesture: "line", meaning: "A line through cells, in a colour of your own.",
    typed: [field("colour", "colour", "#CFCFCF"), field("width", "int", 25)],
    draws: (places, { colour, width }) => [{ kind: "line", points: places.map(middle), colour, width: share(width) }],
  },
  {
    kind: "drawn-shape", words: "Shape", sign: "●", gesture: "cells", meaning: "A circle or a square in each cell.",
    typed: [field("shape", "choice", "ellipse", { choices: ["ellipse", "rectangle"] }), field("fill", "colour", "#CFCFCF"), field("size", "int", 80)],
    draws: (places, { shape, fill, size }) => places.map((place) => ({ kind: "shape", at: middle(place), shape, width: share(size), height: share(size), fill })),
  },
  {
    kind: "drawn-text", words: "Text", sign: "T", gesture: "cells", meaning: "A text in each cell.",
    typed: [field("text", "str", "?"), field("colour", "colour", "#000000"), field("size", "int", 50)],
    draws: (places, { text, colour, size }) => places.map((place) => ({ kind: "text", at: middle(place), text, size: share(size), colour })),
  },
  {
    kind: "drawn-colour", words: "Colour", sign: "■", gesture: "cells", meaning: "A ground for cells, in a colour of your own.",
    typed: [field("fill", "colour", "#F9D59C")],
    draws: (places, { fill }) => places.map((place) => ({ kind: "shape", at: middle(place), fill })),
  },
  {
    kind: "drawn-cage", words: "Outline", sign: "▣", gesture: "cage", meaning: "A dashed outline around cells, with a text in its corner, that is no cage of a rule.",
    typed: [field("text", "str", ""), field("colour", "colour", "#000000")],
    draws: (_, { text, colour }, cells) => [{ kind: "cage", cells, ...(text && { text }), colour }],
  },
];

/** The tools, as those of rules are. */
export const DRAWING_TOOLS = TOOLS.map((tool) => ({
  ...tool, family: "drawings", elsewhere: { setters: "cosmetics" }, thumbnail: null, diagonal: false, placed: [cellsField], fields: [cellsField, ...tool.typed],
}));

/** The edit that adds what a tool draws over cells, by name. */
export function addDrawings(tool, grid, names, typed) {
  const places = names.map((name) => grid.places[cellNamed(grid, name)]);
  return (json) => ({ ...json, drawings: [...(json.drawings ?? []), ...tool.draws(places, typed, names)] });
}

/** The edit that takes the last drawings away, as many as are asked for. */
export const dropDrawings = (count) => (json) => {
  const { drawings = [], ...rest } = json;
  const left = drawings.slice(0, Math.max(0, drawings.length - count));
  return left.length ? { ...rest, drawings: left } : rest;
};
