// The sheet of a phone: what has no room in the bar.

import { h } from "../dom.js";
import { icon } from "../icons.js";
import { MORE_HEADING } from "../dialogwords.js";
import { BUTTONS } from "../words.js";
import { closeDialog, showDialog } from "./dialog.js";

const ACTIONS = ["restart", "open", "share", "print", "theme", "settings", "help"];

export function open(app) {
  const act = (name) => (closeDialog(), app.act(name));
  showDialog(MORE_HEADING, h("div", { class: "sheet" }, ACTIONS.filter((name) => app.actions.has(name)).map((name) => h("button", { onclick: () => act(name) }, icon(name), BUTTONS[name]))));
}
