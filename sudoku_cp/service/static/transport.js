// The buttons that walk: first, back, play, on, last; a slider of all rows, and the speed.

import { h, set } from "./dom.js";
import { icon } from "./icons.js";
import { REPLAY } from "./replaywords.js";

const FASTEST = 50; // rows a second
const USUAL = 5;

export class Transport {
  #timer = null;

  /** move(name) walks: "first", "prev", "next", "last"; go(index) jumps; next() goes on and is false at the end. */
  constructor({ move, go, next }) {
    this.next = next;
    const button = (name, does) => h("button", { class: "button", "aria-label": REPLAY.buttons[name], title: REPLAY.buttons[name], onclick: does }, icon(name));
    this.toggle = button("play", () => this.play());
    this.slider = h("input", { type: "range", min: 0, "aria-label": REPLAY.slider, oninput: () => go(Number(this.slider.value)) });
    this.speed = h("input", { type: "range", min: 1, max: FASTEST, value: USUAL, "aria-label": REPLAY.speedLabel, oninput: () => this.#tellSpeed() });
    this.told = h("span", { class: "soft" });
    const walk = (name) => button(name, () => move(name));
    this.element = h("div", { class: "transport" }, h("div", { class: "row" }, walk("first"), walk("prev"), this.toggle, walk("next"), walk("last"), this.slider));
    this.element.append(h("label", { class: "row speed" }, REPLAY.speedLabel, this.speed, this.told));
    this.#tellSpeed();
  }

  show(at, count) {
    set(this.slider, { max: count - 1 });
    this.slider.value = at;
  }

  /** Begin to play, or stop. */
  play() {
    if (this.#timer !== null) return this.stop();
    this.#face("pause");
    const step = () => {
      this.#timer = setTimeout(step, 1000 / this.speed.value);
      if (!this.next()) this.stop();
    };
    this.#timer = setTimeout(step, 0);
  }

  stop() {
    clearTimeout(this.#timer);
    this.#timer = null;
    this.#face("play");
  }

  #face(name) {
    this.toggle.replaceChildren(icon(name));
    set(this.toggle, { "aria-label": REPLAY.buttons[name], title: REPLAY.buttons[name] });
  }

  #tellSpeed() {
    this.told.textContent = REPLAY.speed(Number(this.speed.value));
  }
}
