// Rules that what was entered breaks: the service says which, a moment after the last entry, and their pictures get a red outline.

import { s, svgNodes } from "./dom.js";
import { BROKEN } from "./playwords.js";
import { positionOf } from "./position.js";
import { ruleWords } from "./words.js";

const REST = 150; // milliseconds after the last entry
const SECONDS = 2;
const WIDTH = 5; // of the outline, in hundredths of a cell

/** Watch the game; returns a function that ends it. */
export function brokenRules(app) {
  let timer = null;
  let asking = null;
  let told = ""; // what was read aloud last

  function later() {
    clearTimeout(timer);
    asking?.abort();
    timer = setTimeout(ask, REST);
  }

  async function ask() {
    const drawn = Object.values(app.picture?.parts ?? {}).some((layers) => Object.keys(layers).length);
    const { values } = app.game ? positionOf(app) : { values: {} };
    if (!app.settings.showClashes || !drawn || !Object.keys(values).length) return show([]);
    const { signal } = (asking = new AbortController());
    const answer = await app.api.ask("validate", { puzzle: app.puzzle.json, position: { values } }, { signal, seconds: SECONDS }).catch(() => null);
    if (answer && !signal.aborted) show(answer.broken);
  }

  function show(broken) {
    const nodes = broken.flatMap(({ index }) => Object.values(app.picture.parts[index]).flatMap(svgNodes));
    app.board.overlay("broken", nodes.length ? [ring(app.picture.box), s("g", { filter: "url(#ring)" }, nodes)] : null);
    const words = broken.length ? BROKEN(broken.map(ruleWords)) : "";
    if (words && words !== told) app.say(words);
    told = words;
  }

  const stop = app.listen({ game: later, puzzle: later, settings: later });
  later();
  return () => (clearTimeout(timer), asking?.abort(), stop(), app.board.overlay("broken", null));
}

/** A filter that leaves of any picture a ring around it. */
function ring([x, y, width, height]) {
  const wider = s("feMorphology", { in: "SourceAlpha", operator: "dilate", radius: WIDTH, result: "wider" });
  const steps = [wider, s("feFlood", { class: "broken-ring" }), s("feComposite", { operator: "in", in2: "wider" }), s("feComposite", { operator: "out", in2: "SourceAlpha" })];
  return s("filter", { id: "ring", filterUnits: "userSpaceOnUse", x, y, width, height }, steps);
}
