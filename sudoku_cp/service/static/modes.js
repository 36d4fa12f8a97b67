// The modes of the page, in the order of their tabs. What the first board does not need is loaded when it is first wanted, and a
// little after that board.

import { h } from "./dom.js";

let styled = null;

/** Load the style of all but play, once; the next call tries again where it cannot be had. */
export function laterStyle() {
  styled ??= new Promise((done, failed) => {
    const link = h("link", { rel: "stylesheet", href: new URL("./later.css", import.meta.url), onload: done, onerror: () => (link.remove(), failed(new Error("no style"))) });
    document.head.append(link);
  }).catch((error) => {
    styled = null;
    throw error;
  });
  return styled;
}

const styledModule = async (load) => (await Promise.all([load(), laterStyle()]))[0];

export const MODES = new Map([
  ["play", async () => (await import("./play.js")).play],
  ["design", async () => (await styledModule(() => import("./design.js"))).design],
  ["replay", async () => (await styledModule(() => import("./replay.js"))).replay],
]);
