// "Why not?": the service's reasons in words, with chips of the parts that they rest on.

import { cellName } from "./cells.js";
import * as words from "./designwords.js";
import { card, h } from "./dom.js";
import { cellsNamed, outlining } from "./onboard.js";
import { Turns } from "./turns.js";
import { problemWords } from "./words.js";

const SECONDS = 10;

/** Parts of a puzzle as chips that outline their cells. */
export function chips(app, texts) {
  return h("div", { class: "row" }, texts.map((text) => h("span", { class: "pill bad", tabindex: 0, ...outlining(app, cellsNamed(text)) }, text)));
}

/** "Why not?": why the selected cell cannot hold a value; an answer goes with the puzzle that it is about. Returns { card, stop }. */
export function whyCard(app, designer) {
  const input = h("input", { class: "short", "aria-label": words.WHY_NOT });
  const answer = h("div", { role: "status" });
  const turns = new Turns();
  const ask = async () => {
    const { single } = app.selection;
    if (single === null || !input.value.trim()) return answer.replaceChildren(h("p", { class: "soft" }, words.WHY_HELP));
    const sign = input.value.trim();
    const value = app.picture.values[app.picture.signs.indexOf(sign)] ?? sign;
    const body = { puzzle: designer.history.present, cell: cellName(designer.grid, single), value };
    try {
      const { answers } = await app.api.ask("explain", body, { signal: turns.next(), seconds: SECONDS });
      answer.replaceChildren(...answers.flatMap(({ text, proof = [] }) => [...text.map((line) => h("p", {}, line)), chips(app, proof)]));
    } catch (error) {
      if (error.name !== "AbortError") answer.replaceChildren(h("p", { class: "problem" }, problemWords(error)));
    }
    return null;
  };
  input.addEventListener("keydown", (event) => event.key === "Enter" && ask());
  const button = h("button", { class: "button", onclick: ask }, words.ASK);
  const forget = () => (turns.end(), answer.replaceChildren());
  const stop = app.listen({ puzzle: forget });
  const body = card(words.WHY_NOT, { class: "why" }, h("p", { class: "soft" }, words.WHY_HELP), h("div", { class: "row" }, input, button), answer);
  return { card: body, stop: () => (turns.end(), stop()) };
}
