// Small pictures of puzzles on tiles: drawn when they come into sight, from the layers that boards are made of.

import { h, s, svgNodes } from "./dom.js";
import { squares } from "./geometry.js";
import { letter, valueSize } from "./marks.js";

const NEAR = "300px"; // how far below the screen pictures are made
const PICTURES = ["under", "lines", "over", "outside"];

/** A picture of a puzzle, empty until it comes into sight; `entered` are values by cell, beside the givens. */
export function thumbnail(app, json, entered = new Map()) {
  const box = h("span", { class: "thumbnail", "aria-hidden": "true" });
  watch(box, async () => {
    const { layers } = await app.api.ask("picture", { puzzle: json, layers: true });
    box.replaceChildren(drawn(layers, entered));
  });
  return box;
}

function watch(element, seen) {
  const watching = new IntersectionObserver(
    ([entry]) => {
      if (!entry.isIntersecting) return;
      watching.disconnect();
      seen().catch(() => {}); // a tile without a picture says enough
    },
    { rootMargin: NEAR },
  );
  watching.observe(element);
}

function drawn(picture, entered) {
  const { box, cells, signs, values, givens } = picture;
  const sign = (value) => signs[values.indexOf(value)];
  const value = (cell, shown, kind) => letter(cells[cell], 0.5, 0.5, valueSize(sign(shown)), sign(shown), `value ${kind}`);
  const digits = [
    ...Object.entries(givens).map(([cell, given]) => value(cell, given, "given")),
    ...[...entered].filter(([cell, one]) => one !== null && givens[cell] === undefined).map(([cell, one]) => value(cell, one, "entered")),
  ];
  const layers = PICTURES.map((name) => s("g", { class: `pic ${name}` }, svgNodes(picture[name])));
  return s("svg", { viewBox: box.join(" ") }, s("path", { d: squares(cells), class: "ground" }), ...layers, s("g", { class: "content" }, digits), s("g", { class: "pic legend" }, svgNodes(picture.legend)));
}
