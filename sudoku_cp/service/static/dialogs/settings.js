// The settings: each is a choice that holds at once, and is kept.

import { h } from "../dom.js";
import { SETTING_WORDS, SETTINGS_HEADING } from "../dialogwords.js";
import { LOOKS } from "../lookwords.js";
import { showDialog } from "./dialog.js";

export function open(app) {
  const rows = Object.entries(SETTING_WORDS).map(([name, words]) => (words.choices ? choices(app, name, words) : toggle(app, name, words)));
  showDialog(SETTINGS_HEADING, rows, [h("button", { class: "button", onclick: () => app.act("looks") }, LOOKS.heading)]);
}

function toggle(app, name, words) {
  const box = h("input", { type: "checkbox", onchange: () => app.setSetting(name, box.checked) });
  box.checked = app.settings[name];
  return h("label", { class: "toggle" }, box, words);
}

function choices(app, name, { label, choices: options }) {
  const box = h("select", { onchange: () => app.setSetting(name, box.value) }, Object.entries(options).map(([value, words]) => h("option", { value }, words)));
  box.value = app.settings[name];
  return h("label", { class: "field" }, label, box);
}
