// The rules of the puzzle in words.

import { card, h } from "./dom.js";
import { kindWords, nameOf } from "./puzzle_words.js";
import { by, RULES_HEADING } from "./words.js";

/** Put the rules into a panel; returns a function that takes them out. */
export function rulesPanel(app, panel) {
  const words = h("div", { class: "long" });
  const name = h("p", { class: "name" }); // where the bar has no room for it
  const body = card(RULES_HEADING, { class: "rules" }, name, words);
  panel.append(body);
  const patch = () => {
    if (!app.picture) return;
    const { json } = app.puzzle;
    name.replaceChildren(h("b", {}, nameOf(json)), json.author ? ` ${by(json.author)}` : "");
    words.replaceChildren(...app.picture.words.map((text) => h("p", {}, text)));
    body.classList.toggle("plain", kindWords(json) === "" && !json.ruleset);
  };
  const stop = app.listen({ puzzle: patch });
  patch();
  return () => (stop(), body.remove());
}
