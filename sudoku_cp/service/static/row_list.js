// A list of any length, of which only the rows in sight exist.

import { h } from "./dom.js";

const ROW = 26; // pixels
const MARGIN = 8; // rows above and below those in sight
const DEEPEST = 11; // indents

export class RowList {
  /** rowAt(index) -> { depth, tone, title, words }; pick(index) is called for a click. */
  constructor(label, rowAt, pick) {
    Object.assign(this, { rowAt, pick, count: 0, at: 0 });
    this.space = h("div", { class: "space" });
    this.element = h("div", { class: "nodes", role: "tree", tabindex: 0, "aria-label": label, onscroll: () => this.#show() }, this.space);
    this.resized = new ResizeObserver(() => this.go(this.at)); // the present row stays in sight
    this.resized.observe(this.element);
  }

  /** Begin with other rows. */
  reset(count) {
    this.count = count;
    this.space.style.height = `${ROW * count}px`;
    this.element.scrollTop = 0;
    this.#show();
  }

  /** Mark a row, and bring it into sight. */
  go(index) {
    this.at = index;
    const { element } = this;
    const top = ROW * index;
    if (top < element.scrollTop || top + ROW > element.scrollTop + element.clientHeight) element.scrollTop = top - element.clientHeight / 2;
    this.#show();
  }

  #show() {
    const { scrollTop, clientHeight } = this.element;
    const first = Math.max(0, Math.floor(scrollTop / ROW) - MARGIN);
    const last = Math.min(this.count, Math.ceil((scrollTop + clientHeight) / ROW) + MARGIN);
    this.space.replaceChildren(...Array.from({ length: Math.max(0, last - first) }, (_, index) => this.#row(first + index)));
  }

  #row(index) {
    const { depth, tone, title, words } = this.rowAt(index);
    const style = { top: `${ROW * index}px`, paddingLeft: `${8 + 13 * Math.min(DEEPEST, depth)}px` };
    const attributes = { class: "node", role: "treeitem", "aria-level": depth + 1, "aria-selected": String(index === this.at), title: words, style };
    return h("div", { ...attributes, onclick: () => this.pick(index) }, h("i", { class: `fate ${tone}` }), h("b", {}, title), h("span", {}, words));
  }
}
