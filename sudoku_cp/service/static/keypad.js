// The keypad: modes of input, a key for each value, and clear, undo, redo. Keys are made once a puzzle, and patched after.

import { card, h, set, setText } from "./dom.js";
import { icon } from "./icons.js";
import { BUTTONS, CLEAR, COLOUR_NAMES, MODE_NAMES } from "./words.js";

const SHORTCUTS = { digit: "Z", corner: "X", centre: "C", colour: "V", pen: "B" };

/** Put a keypad into a panel; returns a function that takes it out. */
export function keypad(app, panel) {
  const modes = h("div", { class: "segments", role: "group", "aria-label": "What keys write" });
  const keys = h("div", { class: "pad" });
  const body = card(null, { class: "padcard" }, modes, keys);
  panel.append(body);
  let shown = {};

  function make() {
    if (!app.picture) return;
    shown = {};
    makeModes();
    makeKeys();
    patch();
  }

  function makeModes() {
    const letters = app.picture.signs.join("").toUpperCase();
    modes.replaceChildren(
      ...Object.entries(MODE_NAMES).map(([mode, name]) => {
        const key = `${letters.includes(SHORTCUTS[mode]) ? "Alt " : ""}${SHORTCUTS[mode]}`;
        return h("button", { dataset: { input: mode }, onclick: () => app.setInputMode(mode) }, name, h("kbd", { "aria-hidden": "true" }, key));
      }),
    );
  }

  function makeKeys() {
    const mode = app.inputMode;
    const { values } = app.picture;
    const ground = { colour: "ground", pen: "ink" }[mode];
    const count = ground ? COLOUR_NAMES.length : values.length;
    const made = Array.from({ length: count }, (_, index) => (ground ? colourKey(index + 1, ground) : valueKey(values[index], mode)));
    set(keys, { class: `pad ${mode} ${count > 9 ? "many" : count > 4 ? "" : "few"}` });
    keys.replaceChildren(...made, actionKey("clear", "erase"), ...["undo", "redo"].map((name) => actionKey(name, name, "roomy")));
    shown = { mode };
  }

  function valueKey(value, mode) {
    const sign = app.sign(value);
    const label = `${MODE_NAMES[mode]} ${sign}`;
    const left = mode === "digit" ? h("small", { "aria-hidden": "true" }) : null;
    return h("button", { class: "key", dataset: { value }, "aria-label": label, onclick: () => app.act("press", value) || app.act("enter", value) }, sign, left);
  }

  function colourKey(colour, ground) {
    const swatch = [h("i", { class: `swatch ${ground}-c${colour}` }), h("small", { "aria-hidden": "true" }, colour)];
    return h("button", { class: "key", dataset: { value: colour }, "aria-label": COLOUR_NAMES[colour - 1], onclick: () => app.act("press", colour) || app.act("enter", colour) }, swatch);
  }

  function actionKey(name, picture, extra = "") {
    return h("button", { class: `key act ${extra}`, dataset: { act: name }, "aria-label": BUTTONS[name] ?? CLEAR, onclick: () => app.act(name) }, icon(picture));
  }

  function patch() {
    if (!app.game) return;
    if (shown.mode !== app.inputMode) makeKeys();
    for (const button of modes.children) set(button, { "aria-pressed": String(button.dataset.input === app.inputMode) });
    for (const key of keys.children) if (key.dataset.value) patchKey(key, Number(key.dataset.value));
    for (const button of keys.querySelectorAll("[data-act=undo], [data-act=redo]")) button.disabled = !(button.dataset.act === "undo" ? app.canUndo : app.canRedo);
  }

  function patchKey(key, value) {
    set(key, { "aria-pressed": String((app.inputMode === "pen" ? app.penColour : app.held) === value) });
    if (app.inputMode !== "digit") return;
    const left = app.game.left(value);
    key.classList.toggle("done", left <= 0);
    setText(key.lastChild, left > 0 && Number.isInteger(left) ? left : "");
  }

  const stop = app.listen({ puzzle: make, game: patch, input: patch, undoable: patch });
  make();
  return () => (stop(), body.remove());
}
