// Sharing: links to this page, to f-puzzles and to SudokuPad, and files. What a format does not keep is told beside it.

import { SHARE, problemPlaces } from "../dialogwords.js";
import { h, set, setText, svgNodes } from "../dom.js";
import { packText } from "../links.js";
import { kindWords } from "../puzzle_words.js";
import { BUTTONS, UNREACHABLE } from "../words.js";
import { showDialog } from "./dialog.js";

const LINKS = ["fpuzzles", "sudokupad"];
const FILES = { json: "json", grid: "txt" };

export async function open(app) {
  if (!app.puzzle) return app.toast(SHARE.nothing);
  const rows = LINKS.map((format) => linkRow(app, format, () => converted(app, format)));
  const rules = kindWords(app.puzzle.json);
  const files = Object.entries(FILES).map(([format, ending]) => h("button", { class: "button", disabled: format === "grid" && rules !== "", onclick: () => save(app, format, ending) }, SHARE.files[format]));
  const own = linkRow(app, "own", async () => ({ text: await ownLink(app) }));
  own.append(qrCode(app));
  showDialog(BUTTONS.share, [own, ...rows, h("h3", {}, SHARE.save), h("div", { class: "row" }, files, rules && h("p", { class: "soft" }, SHARE.plainOnly))]);
}

/** The address of this page with the puzzle in it: no server has to know the puzzle. */
async function ownLink(app) {
  return `${location.origin}/#play/p=${await packText(app.puzzle.text)}`;
}

/** The QR code of the link to this page; nothing for a link that is too long for one. */
function qrCode(app) {
  const figure = h("figure", { class: "qr", role: "img", "aria-label": SHARE.qr });
  const asked = ownLink(app).then((link) => app.api.ask("picture", { puzzle: app.puzzle.json, link }));
  asked.then(({ svg }) => figure.append(...svgNodes(svg)), () => figure.remove());
  const local = ["localhost", "127.0.0.1", "[::1]"].includes(location.hostname);
  return h("div", { class: "row" }, figure, local && h("p", { class: "soft" }, SHARE.local));
}

async function converted(app, format) {
  const { text, error, left_out: leftOut = [] } = await app.api.ask("convert", { puzzle: app.puzzle.json, to: format });
  if (!text) throw new Error(error);
  return { text: text.trimEnd(), leftOut };
}

/** A row with a link that is asked for now, and a button that copies it. */
function linkRow(app, format, ask) {
  const field = h("input", { readonly: true, "aria-label": SHARE.links[format], onfocus: () => field.select() });
  const note = h("p", { class: "note", hidden: true });
  const copy = h("button", { class: "button", disabled: true, onclick: () => copyText(app, field) }, SHARE.copy);
  const tell = (words, kind = "") => (setText(note, words), set(note, { class: `note ${kind}` }), (note.hidden = !words));
  ask().then(
    ({ text, leftOut = [] }) => {
      field.value = text;
      copy.disabled = false;
      if (leftOut.length) tell(SHARE.leftOut(leftOut));
    },
    (error) => tell(error.unreachable ? UNREACHABLE : problemPlaces(error).join(" "), "bad"),
  );
  return h("div", { class: "link", dataset: { format } }, h("h3", {}, SHARE.links[format]), h("div", { class: "row" }, field, copy), note);
}

/** Copy the link to this page, without a dialog. */
export async function copyLink(app) {
  const field = h("input", { value: await ownLink(app), class: "unseen" });
  const before = document.activeElement;
  document.body.append(field);
  await copyText(app, field);
  field.remove();
  before.focus();
}

async function copyText(app, field) {
  field.focus();
  field.select();
  try {
    await navigator.clipboard.writeText(field.value);
  } catch {
    if (!document.execCommand("copy")) return app.toast(SHARE.notCopied, { kind: "bad" }); // a page without TLS has no clipboard
  }
  app.toast(SHARE.copied);
}

/** The puzzle with the game as it stands, if anything was done in it. */
function documentOf({ puzzle, game }) {
  return game.history.entries.length > 1 ? { ...puzzle.json, play: game.toJSON() } : puzzle.json;
}

async function save(app, format, ending) {
  try {
    const text = format === "json" ? `${JSON.stringify(documentOf(app), null, 1)}\n` : (await converted(app, format)).text;
    saveFile(new Blob([text], { type: format === "json" ? "application/json" : "text/plain" }), `${fileName(app)}.${ending}`);
  } catch (error) {
    app.fail(error);
  }
}

/** A name for files of the puzzle. */
export const fileName = (app) => (app.puzzle.json.title ?? "sudoku").replace(/[^\p{L}\p{N}]+/gu, "-").slice(0, 60) || "sudoku";

/** Let the browser save what is in a blob. */
export function saveFile(blob, name) {
  const link = h("a", { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
