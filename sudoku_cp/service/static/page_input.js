// What people do to the page as a whole: keys, texts that are pasted, and files that are dropped on it.

import { dialogIsOpen, keyTarget, modeHeld, rowOf } from "./keys.js";

/** Listen from now on. */
export function watchInput(app) {
  const key = (event) => onKey(app, event);
  addEventListener("keydown", key);
  addEventListener("keyup", key);
  addEventListener("blur", () => app.setHeldMode(null));
  document.querySelector(".modes").addEventListener("keydown", turnTabs);
  takeTexts(app);
}

const typing = (event) => keyTarget(event).closest?.("input:not([type=radio]):not([type=checkbox]):not([type=range]), textarea, select, [contenteditable]");

/** Arrows by letters, where these are no values and a setting says so. */
function lettersAsArrows(app, event) {
  const way = { w: [-1, 0], a: [0, -1], s: [1, 0], d: [0, 1] }[event.key];
  if (!way || !app.settings.wasd || event.ctrlKey || event.altKey || event.metaKey) return false;
  return app.act("move", way);
}

function onKey(app, event) {
  if (event.type === "keydown" && dialogIsOpen()) return;
  if (["Shift", "Control", "Meta", "Alt"].includes(event.key)) app.setHeldMode(modeHeld(event));
  if (event.key === "Alt" && document.body.dataset.view === "board") event.preventDefault(); // no menu of the browser
  if (event.type === "keyup" || typing(event) || document.body.dataset.view !== "board") return;
  if (!app.paused && app.actions.get("key")?.(event)) return event.preventDefault();
  if (lettersAsArrows(app, event)) return event.preventDefault();
  const pressed = keyTarget(event).closest?.("button, a, summary, input") && ["Enter", " "].includes(event.key);
  const row = pressed ? null : rowOf(event, app.mode.name, app.picture.signs);
  if (row && app.act(row.action, row.detail)) event.preventDefault();
}

/** The arrows go from tab to tab of the modes. */
function turnTabs(event) {
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (!step) return;
  const tabs = [...event.currentTarget.children];
  const next = tabs[(tabs.indexOf(event.target) + step + tabs.length) % tabs.length];
  next.focus();
  next.click();
  event.stopPropagation();
}

/** Open what is pasted outside of fields, and what is dropped anywhere on the page. */
function takeTexts(app) {
  addEventListener("paste", (event) => {
    const text = event.clipboardData?.getData("text");
    if (text && !typing(event)) app.act("open", text);
  });
  addEventListener("dragover", (event) => event.preventDefault());
  addEventListener("drop", async (event) => {
    event.preventDefault();
    const [file] = event.dataTransfer.files;
    const dropped = file ?? event.dataTransfer.getData("text");
    if (dropped) app.act("open", dropped);
  });
}
