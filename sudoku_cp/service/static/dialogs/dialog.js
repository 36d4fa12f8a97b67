// What dialogs share: a heading, a body, and buttons that close.

import { CLOSE } from "../dialogwords.js";
import { h } from "../dom.js";
import { Turns } from "../turns.js";

const turns = new Turns();

export const closeDialog = () => document.getElementById("dialog").close();

/** Show a dialog; returns the signal that ends when it is closed, or another one takes its place. buttons stand before the one that closes. */
export function showDialog(heading, body, buttons = []) {
  const dialog = document.getElementById("dialog");
  const hasMain = [...buttons, ...[body].flat(3)].some((one) => one.matches?.(".main") || one.querySelector?.(".main")); // one accent is enough
  const close = h("button", { class: hasMain ? "button" : "button main", onclick: closeDialog }, CLOSE);
  dialog.setAttribute("aria-label", heading);
  dialog.replaceChildren(h("h2", { tabindex: -1, autofocus: true }, heading), h("div", { class: "dialog-body" }, body), h("div", { class: "row ends" }, buttons, close));
  dialog.onclick = (event) => void (event.target === dialog && dialog.close()); // false would keep ticks in the dialog from changing
  if (!dialog.open) dialog.showModal();
  dialog.onclose = () => dialog.open || turns.end(); // it may be open again by now
  return turns.next();
}
