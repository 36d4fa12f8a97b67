// Symbols, font and colours of one's own. The board behind the dialog is the preview: everything holds at once.

import { LOOKS } from "../lookwords.js";
import { h, setText } from "../dom.js";
import { applyLooks, FONTS, TOKENS } from "../looks.js";
import { DEFAULTS } from "../settings.js";
import { showDialog } from "./dialog.js";

const SUGGESTED = ["♠♥♦♣", "○△□☆", "αβγδεζηθι", "①②③④⑤⑥⑦⑧⑨", "一二三四五六七八九"];
const ALPHABETS = ["", "digits", "letters", "hex"];
const OWN = "own";
const SIZES = { min: 80, max: 120, step: 5 };
const GROUND = { accent: "--panel", entered: "--paper", given: "--paper", paper: "--ink" }; // what a colour must stand out from

export function open(app) {
  const body = h("div", {}, symbols(app), fonts(app), colours(app));
  const reset = h("button", { class: "button", onclick: () => (asItWas(app), open(app)) }, LOOKS.reset);
  const closed = showDialog(LOOKS.heading, body, [reset]);
  const { classList } = document.getElementById("dialog");
  classList.add("beside");
  closed.addEventListener("abort", () => classList.remove("beside"));
}

function asItWas(app) {
  for (const name of ["font", "scale"]) app.setSetting(name, DEFAULTS[name]);
  app.setSetting("colours", { light: {}, dark: {} });
  applyLooks(app.settings);
  setSymbols(app, DEFAULTS.symbols);
}

/** Write values in other signs; the service draws them, so the picture is asked for again. */
function setSymbols(app, chosen) {
  app.setSetting("symbols", chosen);
  if (app.puzzle) app.redraw().catch((error) => app.fail(error));
}

function symbols(app) {
  const chosen = app.settings.symbols;
  const isOwn = !ALPHABETS.includes(chosen);
  const box = h("select", {}, [...ALPHABETS, OWN].map((name) => h("option", { value: name }, LOOKS.symbols[name])));
  const typed = h("input", { value: isOwn ? chosen : "", "aria-label": LOOKS.signs, placeholder: LOOKS.signs, maxlength: 200 });
  const suggestions = SUGGESTED.map((signs) => h("button", { class: "button", onclick: () => ((typed.value = signs), setSymbols(app, signs)) }, signs));
  const own = h("div", { hidden: !isOwn }, h("label", { class: "field" }, LOOKS.signs, typed), h("div", { class: "suggestions" }, suggestions));
  box.value = isOwn ? OWN : chosen;
  box.addEventListener("change", () => {
    own.hidden = box.value !== OWN;
    setSymbols(app, box.value === OWN ? typed.value.trim() : box.value);
  });
  typed.addEventListener("change", () => setSymbols(app, typed.value.trim()));
  return [h("label", { class: "field" }, LOOKS.values, box), own];
}

function fonts(app) {
  const box = h("select", { onchange: () => app.setSetting("font", box.value) }, Object.keys(FONTS).map((name) => h("option", { value: name }, LOOKS.fonts[name])));
  box.value = app.settings.font;
  const size = h("input", { type: "range", ...SIZES, value: app.settings.scale, "aria-label": LOOKS.size, oninput: () => app.setSetting("scale", Number(size.value)) });
  return [h("label", { class: "field" }, LOOKS.font, box), h("label", { class: "field" }, LOOKS.size, size)];
}

/** A colour each, with the contrast to what it stands on told beside it. */
function colours(app) {
  const { theme } = document.documentElement.dataset;
  const told = new Map(TOKENS.map((token) => [token, h("span", { role: "status" })]));
  const tell = () => told.forEach((span, token) => setText(span, LOOKS.contrast(contrast(tokenColour(token), present(GROUND[token])))));
  const choose = (token, colour) => {
    const own = app.settings.colours;
    app.setSetting("colours", { ...own, [theme]: { ...own[theme], [token]: colour } });
    applyLooks(app.settings);
    tell();
  };
  const rows = TOKENS.flatMap((token) => {
    const box = h("input", { type: "color", value: tokenColour(token), "aria-label": LOOKS.tokens[token], oninput: () => choose(token, box.value) });
    return [h("span", {}, LOOKS.tokens[token]), box, told.get(token)];
  });
  tell();
  return [h("h3", {}, LOOKS.colours(theme)), h("div", { class: "swatches" }, rows)];
}

const present = (name) => asHex(getComputedStyle(document.documentElement).getPropertyValue(name).trim());
const tokenColour = (token) => present(`--${token}`);

/** A colour of the style sheet as #rrggbb. */
const asHex = (text) => (/^#...$/.test(text) ? `#${[...text.slice(1)].map((digit) => digit + digit).join("")}` : text);

/** How far two colours differ in brightness, 1 to 21, as WCAG counts it. */
function contrast(one, other) {
  const [light, dark] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

function luminance(colour) {
  const parts = [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16) / 255);
  const linear = parts.map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2];
}
