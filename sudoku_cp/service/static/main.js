// Begins: makes the app, the bar and the listeners of keys, and opens what the address says.

import { App } from "./app.js";
import { h, set } from "./dom.js";
import { icon } from "./icons.js";
import { modeHeld, rowOf } from "./keys.js";
import { laterStyle, MODES } from "./modes.js";
import { applyTheme } from "./settings.js";
import { BUTTONS, UNREACHABLE } from "./words.js";

const LATER = 2000; // milliseconds from the first board until the other modes are loaded
const TOOLBAR = ["undo", "redo", null, "open", "share", "print", "theme", "settings", "help", "more"];

const app = new App(MODES);
window.app = app; // for tests, and for those who look
const dialogs = new Map([
  ["help", () => import("./dialogs/help.js")],
  ["looks", () => import("./dialogs/looks.js")],
  ["more", () => import("./dialogs/more.js")],
  ["open", () => import("./dialogs/open.js")],
  ["print", () => import("./dialogs/print.js")],
  ["settings", () => import("./dialogs/settings.js")],
  ["share", () => import("./dialogs/share.js")],
]);

for (const [name, load] of dialogs) app.actions.set(name, (detail) => Promise.all([load(), laterStyle()]).then(([one]) => one.open(app, detail)).catch(() => app.toast(UNREACHABLE)));
app.actions.set("theme", () => app.setSetting("theme", document.documentElement.dataset.theme === "dark" ? "light" : "dark"));
app.actions.set("select-all", () => app.selection.all());
app.actions.set("select-invert", () => app.selection.invert());
app.actions.set("move", ([down, right]) => app.selection.move(down, right));
app.actions.set("extend", ([down, right]) => app.selection.move(down, right, true));
app.actions.set("read-cell", () => app.selection.cursor !== null && import("./hintwords.js").then(({ readCell }) => app.say(readCell(app, app.selection.cursor)), () => {}));
app.actions.set("escape", () => app.selection.none());

function makeToolbar() {
  const buttons = TOOLBAR.map((name) =>
    name === null ? h("i") : h("button", { dataset: { act: name }, "aria-label": BUTTONS[name], title: BUTTONS[name], onclick: () => app.act(name) }, icon(name)),
  );
  document.getElementById("toolbar").replaceChildren(...buttons);
}

function showUndoable() {
  for (const [name, can] of [["undo", app.canUndo], ["redo", app.canRedo]]) {
    for (const button of document.querySelectorAll(`[data-act=${name}]`)) button.disabled = !can;
  }
}

function showMode() {
  for (const tab of document.querySelectorAll("[data-tab]")) {
    const chosen = tab.dataset.tab === app.mode?.name;
    set(tab, { "aria-selected": String(chosen), tabindex: chosen ? 0 : -1 });
  }
  showUndoable();
}

const typing = (target) => target.closest?.("input:not([type=radio]):not([type=checkbox]):not([type=range]), textarea, select, [contenteditable]");

/** Arrows by letters, where these are no values and a setting says so. */
function lettersAsArrows(event) {
  const way = { w: [-1, 0], a: [0, -1], s: [1, 0], d: [0, 1] }[event.key];
  if (!way || !app.settings.wasd || event.ctrlKey || event.altKey || event.metaKey) return false;
  return app.act("move", way);
}

function onKey(event) {
  if (event.type === "keydown" && event.target.closest?.("dialog")) return;
  if (["Shift", "Control", "Meta"].includes(event.key)) app.setHeldMode(event.type === "keydown" || event.shiftKey || event.ctrlKey ? modeHeld(event) : null);
  if (event.type === "keyup" || typing(event.target) || document.body.dataset.view !== "board") return;
  if (app.actions.get("key")?.(event)) return event.preventDefault();
  if (lettersAsArrows(event)) return event.preventDefault();
  const pressed = event.target.closest?.("button, a, summary, input") && ["Enter", " "].includes(event.key);
  const row = pressed ? null : rowOf(event, app.mode.name, app.picture.signs);
  if (row && app.act(row.action, row.detail)) event.preventDefault();
}

/** Load the other modes and what larger boards need, so that they are there when the service has gone. */
function loadModes() {
  for (const load of [...MODES.values(), () => import("./dense_marks.js")]) load().catch(() => {}); // whoever asks later is told
}

let zooming = null;
const loadZoom = () => (zooming ??= import("./zoom.js").then((zoom) => zoom.zooming(app)).catch(() => (zooming = null)));
for (const name of ["zoom-in", "zoom-out", "zoom-fit"]) app.actions.set(name, () => loadZoom().then(() => zooming && app.act(name)));

/** Open what is pasted outside of fields, and what is dropped anywhere on the page. */
function takeTexts() {
  addEventListener("paste", (event) => {
    const text = event.clipboardData?.getData("text");
    if (text && !typing(event.target)) app.act("open", text);
  });
  addEventListener("dragover", (event) => event.preventDefault());
  addEventListener("drop", async (event) => {
    event.preventDefault();
    const [file] = event.dataTransfer.files;
    const text = file ? await file.text() : event.dataTransfer.getData("text");
    if (text) app.act("open", text);
  });
}

/** Show the shelf in place of the board. */
async function showShelf() {
  document.body.dataset.view = "shelf";
  document.title = "sudoku_cp";
  app.timer?.stop();
  const { fillShelf } = await import("./shelf.js");
  await fillShelf(app);
}

async function route() {
  try {
    if (!(await app.openHash())) await showShelf();
  } catch (error) {
    app.fail(error);
    await showShelf();
  }
}

makeToolbar();
takeTexts();
applyTheme(app.settings);
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => applyTheme(app.settings));
app.addEventListener("settings", () => applyTheme(app.settings));
app.addEventListener("mode", showMode);
app.addEventListener("undoable", showUndoable);
for (const tab of document.querySelectorAll("[data-tab]")) tab.addEventListener("click", () => app.puzzle && app.choose(tab.dataset.tab));
document.querySelector(".modes").addEventListener("keydown", (event) => {
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (!step) return;
  const tabs = [...event.currentTarget.children];
  const next = tabs[(tabs.indexOf(event.target) + step + tabs.length) % tabs.length];
  next.focus();
  next.click();
  event.stopPropagation();
});
app.addEventListener("puzzle", () => (requestAnimationFrame(loadZoom), setTimeout(loadModes, LATER)), { once: true });
addEventListener("keydown", onKey);
addEventListener("keyup", onKey);
addEventListener("blur", () => app.setHeldMode(null));
addEventListener("popstate", route);
showMode();
await route();
document.documentElement.dataset.ready = "true";
