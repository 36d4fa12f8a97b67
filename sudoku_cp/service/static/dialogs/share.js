// Sharing: links to this page, to f-puzzles and to SudokuPad, and files. What a format does not keep is told beside it.

import { SHARE, problemPlaces } from "../dialogwords.js";
import { h, set, setText, svgNodes } from "../dom.js";
import { packText } from "../links.js";
import { findSolution, positionOf } from "../position.js";
import { kindWords } from "../puzzle_words.js";
import { BUTTONS, UNREACHABLE } from "../words.js";
import { showDialog } from "./dialog.js";

const LINKS = ["fpuzzles", "sudokupad"];
const FILES = { json: "json", grid: "txt" };
const PICTURE_WIDTH = 1200; // pixels

export async function open(app) {
  if (!app.puzzle) return app.toast(SHARE.nothing);
  const asking = new AbortController();
  const whole = withSolution(app, asking.signal);
  const rows = LINKS.map((format) => linkRow(app, format, async () => converted(app, format, await whole)));
  const rules = kindWords(app.puzzle.json);
  const files = Object.entries(FILES).map(([format, ending]) => h("button", { class: "button", disabled: format === "grid" && rules !== "", onclick: () => save(app, format, ending) }, SHARE.files[format]));
  const picture = h("button", { class: "button", onclick: () => savePicture(app) }, SHARE.picture);
  const own = linkRow(app, "own", async () => ({ text: await ownLink(app.puzzle.json) }));
  own.append(qrCode(app));
  const game = isPlayed(app) ? [linkRow(app, "game", async () => ({ text: await ownLink(documentOf(app)) }))] : [];
  const wiki = isClassic(app) ? [linkRow(app, "sudokuwiki", () => converted(app, "sudokuwiki", withEntries(app)))] : [];
  const closed = showDialog(BUTTONS.share, [own, ...game, ...rows, ...wiki, h("h3", {}, SHARE.save), h("div", { class: "row" }, files, picture, rules && h("p", { class: "soft" }, SHARE.plainOnly))]);
  closed.addEventListener("abort", () => asking.abort());
}

/** The puzzle with its one solution, by which other programs check what people enter, if it is found soon. */
async function withSolution(app, signal) {
  const { json } = app.puzzle;
  const solution = json.solution ?? (await findSolution(app, signal).catch(() => null));
  return solution ? { ...json, solution } : json;
}

/** The address of this page with the puzzle in it: no server has to know the puzzle. */
async function ownLink(json) {
  return `${location.origin}/#play/p=${await packText(JSON.stringify(json))}`;
}

/** Whether SudokuWiki can take the puzzle: nine rows, columns and boxes of nine digits, and no other rule. */
const isClassic = ({ puzzle: { json }, picture }) => kindWords(json) === "" && String(json.grid?.boxes) === "3,3" && picture.cells.length === 81 && picture.values[0] === 1;

/** The cells of the puzzle, with the values that were entered as givens. */
function withEntries(app) {
  const { grid, givens } = app.puzzle.json;
  return { grid, givens: { ...givens, ...positionOf(app).values } };
}

/** The QR code of the link to this page; nothing for a link that is too long for one. */
function qrCode(app) {
  const figure = h("figure", { class: "qr", role: "img", "aria-label": SHARE.qr });
  const asked = ownLink(app.puzzle.json).then((link) => app.api.ask("picture", { puzzle: app.puzzle.json, link }));
  asked.then(({ svg }) => figure.append(...svgNodes(svg)), () => figure.remove());
  const local = ["localhost", "127.0.0.1", "[::1]"].includes(location.hostname);
  return h("div", { class: "row" }, figure, local && h("p", { class: "soft" }, SHARE.local));
}

async function converted(app, format, puzzle = app.puzzle.json) {
  const { text, error, left_out: leftOut = [] } = await app.api.ask("convert", { puzzle, to: format });
  if (!text) throw new Error(error);
  return { text: text.trimEnd(), leftOut };
}

/** A row with a link that is asked for now, a button that copies it, and for other programs one that opens it there. */
function linkRow(app, format, ask) {
  const field = h("input", { readonly: true, "aria-label": SHARE.links[format], onfocus: () => field.select() });
  const note = h("p", { class: "note", hidden: true });
  const copy = h("button", { class: "button", disabled: true, onclick: () => copyText(app, field) }, SHARE.copy);
  const there = SHARE.open[format] && h("a", { class: "button", target: "_blank", rel: "noopener noreferrer", hidden: true }, SHARE.open[format]);
  const tell = (words, kind = "") => (setText(note, words), set(note, { class: `note ${kind}` }), (note.hidden = !words));
  ask().then(
    ({ text, leftOut = [] }) => {
      field.value = text;
      copy.disabled = false;
      if (there) set(there, { href: text, hidden: false });
      if (leftOut.length) tell(SHARE.leftOut(leftOut));
    },
    (error) => tell(error.unreachable ? UNREACHABLE : problemPlaces(error).join(" "), "bad"),
  );
  return h("div", { class: "link", dataset: { format } }, h("h3", {}, SHARE.links[format]), h("div", { class: "row" }, field, copy, there), note);
}

/** Copy the link to this page, without a dialog. */
export async function copyLink(app) {
  const field = h("input", { value: await ownLink(app.puzzle.json), class: "unseen" });
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

const isPlayed = ({ game }) => game.history.entries.length > 1;

/** The puzzle with the game as it stands, if anything was done in it. */
function documentOf(app) {
  return isPlayed(app) ? { ...app.puzzle.json, play: app.game.toJSON() } : app.puzzle.json;
}

/** Save the puzzle as a picture, as it is printed. */
async function savePicture(app) {
  try {
    const { svg } = await app.api.ask("picture", { puzzle: app.puzzle.json });
    const image = new Image();
    image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
    await image.decode();
    const canvas = h("canvas", { width: PICTURE_WIDTH, height: Math.round((PICTURE_WIDTH * image.height) / image.width) });
    const paper = canvas.getContext("2d");
    paper.fillStyle = "#fff";
    paper.fillRect(0, 0, canvas.width, canvas.height);
    paper.drawImage(image, 0, 0, canvas.width, canvas.height);
    saveFile(await new Promise((done) => canvas.toBlob(done)), `${fileName(app)}.png`);
  } catch (error) {
    app.fail(error);
  }
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
