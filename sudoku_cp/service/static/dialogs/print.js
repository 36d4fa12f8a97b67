// Printing: a PDF of the service, with its options and its first page to look at; new puzzles beside this one make a booklet.

import { PRINT, problemPlaces } from "../dialogwords.js";
import { h, set, setText, svgNodes } from "../dom.js";
import { rulesOf } from "../edits.js";
import { positionOf } from "../position.js";
import { Turns } from "../turns.js";
import { BUTTONS, UNREACHABLE } from "../words.js";
import { showDialog } from "./dialog.js";
import { fileName, saveFile } from "./share.js";

const SECONDS = 30;
const MAKING = 60; // seconds; a new machine compiles what makes puzzles first
const REST = 250; // milliseconds after a change until the page is asked for
const MOST_NEW = 60;
const CHOICES = {
  per_page: ["1", "2", "4", "6", "9"],
  paper: ["a4", "letter", "a5", "a3", "legal"],
  solutions: ["none", "end", "same", "upside-down"],
  symbols: ["", "digits", "letters", "hex"],
};
const SWITCHES = ["landscape", "rules_in_words", "marks", "qr", "booklet"];
const OF_SEVERAL = new Set(["per_page", "booklet"]); // what one puzzle alone has no use for
const LONGEST_TITLE = 200; // letters
const LEVELS = ["easy", "medium", "hard", "expert", "fiendish", "diabolical", "extreme"];

export function open(app) {
  if (!app.puzzle) return app.toast(PRINT.nothing);
  const choices = Object.entries(CHOICES).map(([name, values]) => [name, h("select", {}, values.map((value) => h("option", { value }, PRINT.values[value] ?? value)))]);
  const title = h("input", { value: (app.puzzle.json.title ?? "").slice(0, LONGEST_TITLE), maxlength: LONGEST_TITLE });
  const switches = SWITCHES.map((name) => [name, h("input", { type: "checkbox" })]);
  const others = newPuzzles(app);
  const file = h("input", { type: "checkbox" }); // all puzzles of the file that this one came from
  const whole = (app.file?.length ?? 0) > 1 && h("label", { class: "toggle" }, file, PRINT.file(app.file.length));
  const note = h("p", { class: "note", role: "status" });
  const sheet = h("figure", { class: "sheet-preview", role: "img", "aria-label": PRINT.preview });
  const save = h("button", { class: "button main", onclick: () => saving() }, PRINT.save);
  const options = h(
    "div",
    { oninput: () => (narrow(), later()) },
    h("label", { class: "field" }, PRINT.title, title),
    choices.map(([name, box]) => h("label", { class: "field" }, PRINT.labels[name], box)),
    whole,
    others.fields,
    switches.map(([name, box]) => h("label", { class: "toggle" }, box, PRINT.labels[name])),
    note,
  );
  const given = ([, box]) => !box.parentElement.hidden;
  const narrow = () => {
    const several = file.checked || others.wanted() > 0;
    for (const [name, box] of [...choices, ...switches]) if (OF_SEVERAL.has(name)) box.parentElement.hidden = !several;
    for (const field of others.fields.slice(1)) field.hidden = others.wanted() === 0;
  };
  narrow();
  const closed = showDialog(BUTTONS.print, h("div", { class: "print" }, options, sheet), [save]);
  const looking = new Turns(); // at the first page
  let timer = null;
  closed.addEventListener("abort", () => clearTimeout(timer));
  look();

  /** The body of the question: the options that say something. */
  async function asked(signal) {
    const chosen = choices.filter(given).filter(([, box]) => box.value).map(([name, box]) => [name, name === "per_page" ? Number(box.value) : box.value]);
    const on = switches.filter(given).filter(([, box]) => box.checked).map(([name]) => [name, true]);
    const puzzles = [...(file.checked ? app.file : [app.puzzle.json]), ...(await others.make(signal))];
    const here = puzzles.findIndex((json) => JSON.stringify(json) === app.puzzle.text);
    const heading = puzzles.length > 1 ? { title: title.value } : { numbering: "none" }; // a single puzzle has its title above it
    if (puzzles.length === 1) puzzles[0] = { ...puzzles[0], title: title.value || undefined };
    const positions = puzzles.slice(0, here + 1).map((_, index) => (index === here ? positionOf(app) : null));
    return { puzzles, positions, ...heading, ...Object.fromEntries([...chosen, ...on]) };
  }

  function later() {
    clearTimeout(timer);
    timer = setTimeout(look, REST);
  }

  /** Show the first page as it is now; a question before this one is given up. */
  async function look() {
    const signal = looking.next(closed);
    sheet.classList.add("old");
    try {
      const { svg, pages } = await app.api.ask("print", { ...(await asked(signal)), preview: true }, { signal, seconds: SECONDS });
      if (!svg) throw new Error(PRINT.late);
      sheet.replaceChildren(...svgNodes(svg));
      sheet.classList.remove("old");
      if (save.ariaBusy !== "true") tell(PRINT.pages(pages)); // a file in the making is what people wait for
    } catch (error) {
      fail(error);
    }
  }

  async function saving() {
    if (save.ariaBusy === "true") return;
    save.ariaBusy = "true"; // a disabled button would lose the focus
    tell(PRINT.making);
    try {
      const { pdf } = await app.api.ask("print", await asked(closed), { signal: closed, seconds: SECONDS });
      if (!pdf) throw new Error(PRINT.late);
      const bytes = Uint8Array.from(atob(pdf), (letter) => letter.charCodeAt(0));
      saveFile(new Blob([bytes], { type: "application/pdf" }), `${fileName(app)}.pdf`);
      tell(PRINT.saved, "ok");
    } catch (error) {
      fail(error);
    } finally {
      save.ariaBusy = "false";
    }
  }

  function fail(error) {
    if (error.name !== "AbortError") tell(error.unreachable ? UNREACHABLE : problemPlaces(error).join(" "), "bad");
  }

  function tell(words, kind = "") {
    setText(note, words);
    set(note, { class: `note ${kind}` });
  }
}

/** Fields for new puzzles on the same board, and a function that makes them once for each answer: { fields, make }. */
function newPuzzles(app) {
  const { grid } = app.puzzle.json;
  if (!grid?.boxes || grid.rows !== grid.columns) return { fields: [], wanted: () => 0, make: async () => [] };
  const count = h("input", { type: "number", min: 0, max: MOST_NEW, value: 0 });
  const level = h("select", {}, LEVELS.map((name) => h("option", { value: name }, PRINT.levels[name])));
  const seed = h("input", { type: "number", min: 0, value: 1 });
  const fields = [[PRINT.others, count], [PRINT.level, level], [PRINT.seed, seed]].map(([words, box]) => h("label", { class: "field" }, words, box));
  const anywhere = rulesOf(app.puzzle.json).filter((rule) => rule.kind !== rulesOf({})[0].kind && !/r\d+c\d+/.test(JSON.stringify(rule)));
  let made = { key: "", puzzles: [] };

  const wanted = () => Math.min(MOST_NEW, Math.max(0, Math.trunc(Number(count.value))));

  async function make(signal) {
    const many = wanted();
    const key = [many, level.value, seed.value].join(" ");
    if (many && key !== made.key) {
      const body = { count: many, size: grid.rows, boxes: grid.boxes.join("x"), difficulty: level.value, seed: Number(seed.value), rules: anywhere };
      const { puzzles } = await app.api.ask("generate", body, { signal, seconds: MAKING });
      if (puzzles.length < many) throw new Error(PRINT.fewMade(puzzles.length));
      made = { key, puzzles: puzzles.map(({ puzzle }) => puzzle) };
    }
    return many ? made.puzzles : [];
  }
  return { fields, wanted, make };
}
