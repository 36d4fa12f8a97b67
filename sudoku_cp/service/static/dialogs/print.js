// Printing: a PDF of the service, with its options.

import { PRINT } from "../dialogwords.js";
import { h, set, setText } from "../dom.js";
import { BUTTONS, problemPlaces, UNREACHABLE } from "../words.js";
import { showDialog } from "./dialog.js";
import { fileName, saveFile } from "./share.js";

const SECONDS = 30;
const CHOICES = { paper: ["a4", "letter", "a5", "a3", "legal"], solutions: ["none", "end", "same", "upside-down"], symbols: ["", "digits", "letters", "hex"] };
const SWITCHES = ["landscape", "rules_in_words", "qr"];

export function open(app) {
  if (!app.puzzle) return app.toast(PRINT.nothing);
  const choices = Object.entries(CHOICES).map(([name, values]) => [name, h("select", {}, values.map((value) => h("option", { value }, PRINT.values[value] ?? value)))]);
  const title = h("input", { value: app.puzzle.json.title ?? "", maxlength: 200 });
  const switches = SWITCHES.map((name) => [name, h("input", { type: "checkbox" })]);
  const note = h("p", { class: "note", hidden: true, role: "status" });
  const save = h("button", { class: "button", onclick: () => saving() }, PRINT.save);
  showDialog(
    BUTTONS.print,
    [
      h("label", { class: "field" }, PRINT.title, title),
      choices.map(([name, box]) => h("label", { class: "field" }, PRINT.labels[name], box)),
      switches.map(([name, box]) => h("label", { class: "toggle" }, box, PRINT.labels[name])),
      note,
    ].flat(2),
    [save],
  );

  /** The body of the question: the options that say something. */
  function asked() {
    const chosen = choices.filter(([, box]) => box.value).map(([name, box]) => [name, box.value]);
    const on = switches.filter(([, box]) => box.checked).map(([name]) => [name, true]);
    return { puzzles: [app.puzzle.json], title: title.value, ...Object.fromEntries([...chosen, ...on]) };
  }

  async function saving() {
    save.disabled = true;
    tell(PRINT.making);
    try {
      const { pdf } = await app.api.ask("print", asked(), { seconds: SECONDS });
      if (!pdf) throw new Error(PRINT.late);
      const bytes = Uint8Array.from(atob(pdf), (letter) => letter.charCodeAt(0));
      saveFile(new Blob([bytes], { type: "application/pdf" }), `${fileName(app)}.pdf`);
      tell(PRINT.saved, "ok");
    } catch (error) {
      tell(error.unreachable ? UNREACHABLE : problemPlaces(error).join(" "), "bad");
    } finally {
      save.disabled = false;
    }
  }

  function tell(words, kind = "") {
    setText(note, words);
    set(note, { class: `note ${kind}` });
    note.hidden = false;
  }
}
