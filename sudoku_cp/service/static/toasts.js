// Sentences that pass: shown for a while above all else, with a button where something can be done about them.

import { h } from "./dom.js";

const TOAST_TIME = 6000; // milliseconds
const LONG_TIME = 6e4;

/** Show a sentence and a button: [words, what it does]; an alarm is read at once. */
export function toast(app, sentence, { kind = "quiet", button, time = button || kind === "bad" ? LONG_TIME : TOAST_TIME } = {}) {
  const offer = button && h("button", { class: "button", onclick: () => (shown.remove(), button[1]()) }, button[0]);
  const alarm = document.getElementById("alarm");
  const end = () => (shown.remove(), alarm.textContent === sentence && (alarm.textContent = ""));
  const shown = h("div", { class: `toast ${kind}`, onclick: end }, sentence, offer);
  const toasts = document.getElementById("toasts");
  toasts.replaceChildren(shown);
  toasts.hidePopover(); // shown anew, it lies above a dialog too
  toasts.showPopover();
  setTimeout(end, time);
  if (kind === "bad") alarm.textContent = sentence;
  else app.say(sentence);
}
