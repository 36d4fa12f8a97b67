// Begins: makes the app and the bar, opens what the address says, and then listens to keys.

import { App } from "./app.js";
import { h, set } from "./dom.js";
import { icon } from "./icons.js";
import { laterStyle, MODES } from "./modes.js";
import { applyTheme } from "./settings.js";
import { BUTTONS, UNREACHABLE } from "./words.js";

const LATER = 2000; // milliseconds from the first board until the rest of the page is loaded
const TOOLBAR = ["undo", "redo", "restart", null, "open", "share", "print", "theme", "settings", "help", "more"];
const DIALOGS = ["help", "looks", "more", "open", "print", "settings", "share"];

const app = new App(MODES);
window.app = app; // for tests, and for those who look
let asked = null; // the name of the dialog that was asked for last
const loadDialog = (name) => Promise.all([import(`./dialogs/${name}.js`), laterStyle()]).then(([dialog]) => dialog);

function openDialog(name, detail) {
  asked = name;
  return loadDialog(name).then((dialog) => asked === name && dialog.open(app, detail)).catch(() => app.toast(UNREACHABLE));
}

for (const name of DIALOGS) app.actions.set(name, (detail) => openDialog(name, detail));
app.actions.set("copy-link", () => app.puzzle && loadDialog("share").then((share) => share.copyLink(app)).catch(() => app.toast(UNREACHABLE)));
app.actions.set("theme", () => app.setSetting("theme", document.documentElement.dataset.theme === "dark" ? "light" : "dark"));
app.actions.set("select-all", () => app.selection.all());
app.actions.set("select-invert", () => app.selection.invert());
app.actions.set("move", ([down, right]) => app.selection.move(down, right));
app.actions.set("extend", ([down, right]) => app.selection.move(down, right, true));
app.actions.set("read-cell", () => app.selection.cursor !== null && import("./playwords.js").then(({ readCell }) => app.say(readCell(app, app.selection.cursor)), () => {}));
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

/** Load all that may be wanted later, so that it is there when the service has gone; whoever asks for what is not is told. */
app.loadRest = () => Promise.allSettled([...[...MODES.values()].map((load) => load()), import("./dense_marks.js"), import("./shelf.js"), ...DIALOGS.map(loadDialog)]);

let zooming = null;
const loadZoom = () => (zooming ??= import("./zoom.js").then((zoom) => zoom.zooming(app)).catch(() => (zooming = null)));
for (const name of ["zoom-in", "zoom-out", "zoom-fit"]) app.actions.set(name, () => loadZoom().then(() => zooming && app.act(name)));

/** Show the shelf in place of the board. */
async function showShelf() {
  await laterStyle().catch(() => {}); // before anything of it is shown
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
    if (error.name === "AbortError") return; // something else is being opened
    app.fail(error);
    await showShelf();
  }
}

makeToolbar();
applyTheme(app.settings);
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => applyTheme(app.settings));
app.addEventListener("settings", () => applyTheme(app.settings));
app.addEventListener("mode", showMode);
app.addEventListener("undoable", showUndoable);
for (const tab of document.querySelectorAll("[data-tab]")) tab.addEventListener("click", () => app.puzzle && app.choose(tab.dataset.tab));
app.addEventListener("puzzle", () => (requestAnimationFrame(loadZoom), setTimeout(app.loadRest, LATER)), { once: true });
addEventListener("popstate", route);
showMode();
await route();
(await import("./page_input.js")).watchInput(app); // nobody presses a key before there is something to see
document.documentElement.dataset.ready = "true";
(await import("./updates.js")).watchUpdates(app);
