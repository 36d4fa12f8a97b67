// The history as a list: one row an entry, branches deeper; a click goes there. Only the rows in sight are made.

import { card, h, set } from "./dom.js";
import { entryWords } from "./entry_words.js";
import { HISTORY } from "./playwords.js";
import { shortName } from "./words.js";

const ROW = 28; // pixels
const MARGIN = 6; // rows above and below those in sight

/** The panel of the history; returns a function that takes it out. */
export function historyPanel(app, panel) {
  const space = h("div", { class: "space" });
  const list = h("div", { class: "entries", role: "tree", tabindex: 0, "aria-label": HISTORY.heading, onscroll: show }, space);
  const mark = h("button", { class: "button", onclick: checkpoint }, HISTORY.checkpoint);
  const body = h("details", { class: "card history", ontoggle: later }, h("summary", {}, HISTORY.heading), list, h("div", { class: "row" }, mark));
  panel.append(body);
  let rows = [];
  let waiting = 0;

  function later() {
    if (body.open && !waiting) waiting = requestAnimationFrame(() => ((waiting = 0), patch()));
  }

  function patch() {
    if (!app.game || !body.open) return;
    const { history } = app.game;
    rows = outline(history);
    space.style.height = `${ROW * rows.length}px`;
    const at = rows.findIndex(([entry]) => entry === history.at);
    if (ROW * at < list.scrollTop || ROW * (at + 1) > list.scrollTop + list.clientHeight) list.scrollTop = ROW * at - list.clientHeight / 2;
    show();
  }

  function show() {
    const first = Math.max(0, Math.floor(list.scrollTop / ROW) - MARGIN);
    const last = Math.min(rows.length, Math.ceil((list.scrollTop + list.clientHeight) / ROW) + MARGIN);
    space.replaceChildren(...rows.slice(first, last).map((row, index) => rowOf(row, first + index)));
  }

  function rowOf([entry, depth], index) {
    const { history } = app.game;
    const { name } = history.entries[entry];
    const row = h("button", { class: "entry", role: "treeitem", tabindex: -1, "aria-level": depth + 1, onclick: () => app.act("jump", entry) }, name ? h("b", {}, name) : null, entryWords(history.entries[entry], app, shortName));
    set(row, { "aria-selected": String(entry === history.at), style: { top: `${ROW * index}px`, paddingLeft: `${10 + 14 * depth}px` } });
    return row;
  }

  function checkpoint() {
    const names = app.game.history.entries.filter((entry) => entry.name).length;
    app.game.history.here.name = HISTORY.name(names + 1);
    app.emit("game", { cells: [] });
    later();
  }

  const stop = app.listen({ puzzle: later, game: later });
  return () => (stop(), body.remove());
}

/** Entries in the order of a list for people: [entry, depth]; a branch stands deeper, before the line that it leaves goes on. */
export function outline({ entries, last }) {
  const children = entries.map(() => []);
  entries.forEach((entry, index) => entry.parent !== null && children[entry.parent].push(index));
  const found = [];
  const waiting = [[0, 0]];
  while (waiting.length) {
    const [entry, depth] = waiting.pop();
    found.push([entry, depth]);
    const main = last[entry] ?? children[entry].at(-1);
    const others = children[entry].filter((child) => child !== main);
    if (main !== undefined && main !== null) waiting.push([main, depth]);
    for (const child of others.reverse()) waiting.push([child, depth + 1]);
  }
  return found;
}
