// What of a text could not be read: a strip above the board until it is dismissed, or another puzzle is there.

import { h } from "./dom.js";
import { laterStyle } from "./modes.js";

const LOST = (warnings) => `Part of this puzzle is missing here: ${warnings.join("; ")}. If its rules speak of that, solve it where it came from.`;
const DISMISS = "Dismiss";

/** Show what is lost. */
export async function tellLost(warnings) {
  await laterStyle();
  const strip = document.getElementById("lost");
  strip.replaceChildren(h("p", {}, LOST(warnings)), h("button", { class: "button", onclick: () => (strip.hidden = true) }, DISMISS));
  strip.hidden = false;
}
