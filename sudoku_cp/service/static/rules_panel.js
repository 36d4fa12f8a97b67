// The rules of the puzzle in words.

import { card, h } from "./dom.js";
import { RULES_HEADING } from "./words.js";

/** Put the rules into a panel; returns a function that takes them out. */
export function rulesPanel(app, panel) {
  const words = h("div", { class: "long" });
  const body = card(RULES_HEADING, { class: "rules" }, words);
  panel.append(body);
  const patch = () => app.picture && words.replaceChildren(...app.picture.words.map((text) => h("p", {}, text)));
  const stop = app.listen({ puzzle: patch });
  patch();
  return () => (stop(), body.remove());
}
