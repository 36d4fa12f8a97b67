// Opening: a link, a grid or JSON in any format, pasted, dropped, chosen or from an address; of several puzzles, one is chosen.

import { aboutPuzzle, OPEN, problemPlaces } from "../dialogwords.js";
import { h, setText } from "../dom.js";
import { ownPuzzle } from "../links.js";
import { thumbnail } from "../thumbnail.js";
import { BUTTONS, UNREACHABLE } from "../words.js";
import { closeDialog, showDialog } from "./dialog.js";

const LARGEST = 1_000_000; // bytes of a text that the service takes
const LONGEST_LINE = 20_000; // signs; browsers lay out longer lines for minutes

const PATIENCE = 600; // milliseconds until the dialog shows what is being read

/** Show the dialog; `text`, or the file, is read at once, and only what does not open by itself brings the dialog up. */
export function open(app, text = "") {
  const field = h("textarea", { "aria-label": OPEN.paste, placeholder: OPEN.paste, spellcheck: "false", rows: 7 });
  const told = h("ul", { class: "problems", role: "alert" });
  const found = h("div", { class: "tiles" });
  const file = h("input", { type: "file", hidden: true, onchange: () => file.files[0] && take(file.files[0]) });
  const choose = h("button", { class: "button", onclick: () => file.click() }, OPEN.file);
  const read = h("button", { class: "button main", onclick: () => reading(typed()) }, OPEN.openIt);
  const shelf = h("button", { class: "button", onclick: () => (closeDialog(), (location.hash = "")) }, OPEN.shelf);
  const given = new AbortController(); // up when the dialog is closed
  let closed = null; // the signal of the dialog, once it is there
  const appear = () => {
    clearTimeout(waiting);
    if (closed) return;
    closed = showDialog(BUTTONS.open, [field, file, told, found], [shelf, choose, read]);
    closed.addEventListener("abort", () => given.abort());
  };
  const waiting = text ? setTimeout(() => document.getElementById("dialog").open || appear(), PATIENCE) : null;
  const opening = () => AbortSignal.any([app.opening(), given.signal]);
  field.addEventListener("keydown", (event) => event.key === "Enter" && (event.ctrlKey || event.metaKey) && reading(typed()));
  field.addEventListener("paste", (event) => {
    const pasted = event.clipboardData.getData("text");
    if (pasted.length > LONGEST_LINE) (event.preventDefault(), take(new Blob([pasted])));
  });
  let whole = {}; // what stands for a text that is too long to be shown
  if (text) take(text instanceof File ? text : new Blob([text]));
  else (appear(), field.focus());

  const typed = () => (field.value === whole.shown ? whole.written : field.value);

  async function take(taken) {
    if (taken.size > LARGEST) return tell([OPEN.large(taken.size, LARGEST)]);
    const written = await taken.text();
    const isLong = written.length > LONGEST_LINE && !written.slice(0, LONGEST_LINE).includes("\n");
    field.value = isLong ? `${written.slice(0, LONGEST_LINE)} …` : written;
    whole = { shown: field.value, written };
    await reading(written);
  }

  async function reading(written) {
    tell([]);
    found.replaceChildren();
    if (!written.trim()) return tell([OPEN.empty]);
    const signal = opening();
    try {
      const saved = await savedGame(written);
      if (saved) return await showGame(saved, signal);
      const { puzzles, warnings } = await readPuzzles(app, written, signal);
      if (puzzles.length === 1) await show(puzzles[0], puzzles, signal, warnings);
      else (appear(), found.replaceChildren(h("p", { class: "soft" }, OPEN.several(puzzles.length)), ...puzzles.map(tile)));
    } catch (error) {
      if (error.name === "AbortError") return;
      const rest = withoutUnknown(error, written);
      tell(error.unreachable ? [UNREACHABLE] : /got one that begins/.test(error.message) ? [OPEN.unreadable(written.trim())] : problemPlaces(error));
      if (rest) told.append(h("li", {}, h("button", { class: "button", onclick: () => reading(rest.text) }, OPEN.without(rest.kinds))));
      selectLine(field, error.message);
    }
  }

  const tile = (json, index, all) => h("button", { class: "tile", onclick: () => showOne(json, all) }, thumbnail(app, json), h("b", {}, json.title ?? OPEN.nth(index + 1)), h("span", { class: "soft" }, aboutPuzzle(json)));

  const showOne = (json, all) => show(json, all, opening()).catch((error) => error.name === "AbortError" || tell(problemPlaces(error)));

  async function show(json, all, signal, warnings) {
    await app.show(json, { signal, warnings });
    app.file = all;
    leave();
  }

  /** Show a puzzle with the game that was saved with it, or alone if that game is damaged. */
  async function showGame({ json, play }, signal) {
    try {
      await app.show(json, { saved: play, signal });
    } catch (error) {
      if (signal.aborted || error.status !== undefined) throw error; // the puzzle itself is wrong, or the service away
      await app.show(json, { signal });
      app.toast(OPEN.damaged, { kind: "bad" });
    }
    leave();
  }

  function leave() {
    clearTimeout(waiting);
    if (closed) closeDialog();
  }

  function tell(sentences) {
    if (sentences.length) appear();
    told.replaceChildren(...sentences.map((sentence) => h("li", {}, sentence)));
    setText(document.getElementById("alarm"), sentences.join(" "));
  }
}

/** The puzzle and the game of a file that the page saved, or of a link; null for other texts. */
async function savedGame(text) {
  try {
    const { play, ...json } = (await ownPuzzle(text)) ?? JSON.parse(text);
    return play ? { json, play } : null;
  } catch {
    return null;
  }
}

/** Our JSON without its rules of unknown kinds, if these are all that is wrong with it: { text, kinds }; null otherwise. */
function withoutUnknown({ errors = [] }, text) {
  const unknown = errors.map(({ pointer, detail }) => /expected a rule/.test(detail) && /^\/puzzle\/rules\/(\d+)$/.exec(pointer)?.[1]);
  if (!unknown.length || !unknown.every(Boolean)) return null;
  const json = JSON.parse(text);
  const isUnknown = (index) => unknown.includes(String(index));
  const kinds = json.rules.filter((_, index) => isUnknown(index)).map((rule) => String(rule.kind ?? rule));
  return { text: JSON.stringify({ ...json, rules: json.rules.filter((_, index) => !isUnknown(index)) }), kinds };
}

/** Select the line that a problem names, so that it is in sight. */
function selectLine(field, problem) {
  const number = Number(/\bline (\d+)/.exec(problem)?.[1]);
  if (!number) return;
  const lines = field.value.split("\n");
  const start = lines.slice(0, number - 1).join("\n").length + (number > 1 ? 1 : 0);
  field.focus();
  field.setSelectionRange(start, start + (lines[number - 1]?.length ?? 0));
}

/** The puzzles of a text in our JSON, and what of it could not be read: { puzzles, warnings }. Raises a `Problem` that says where the text is wrong. */
async function readPuzzles(app, text, signal) {
  const own = await ownPuzzle(text);
  if (own) return { puzzles: [own] };
  const { text: written, error, warnings } = await app.api.ask("convert", { puzzle: text, to: "json" }, { signal });
  if (!written) throw new Error(error);
  return { puzzles: written.trim().split("\n").map((line) => JSON.parse(line)), warnings };
}
