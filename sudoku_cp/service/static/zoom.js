// Larger and smaller: a part of the board fills the stage. What fits is the whole; the part in sight follows the cursor. Two
// fingers enlarge and move it, Ctrl and the wheel enlarge it; the wheel alone, or a drag while Space is held, moves what is larger
// than the stage.

import { listen } from "./dom.js";
import { dialogIsOpen, keyTarget } from "./keys.js";

const STEP = 1.25;
const MOST = 6;
const LEAST_CELL = { coarse: 34, fine: 26 }; // pixels; a board whose cells would be smaller opens enlarged

/** Watch wheel and fingers, and register the actions of zooming. */
export function zooming(app) {
  const { board } = app;
  let scale = 1;
  let middle = null; // of what is in sight, in hundredths of a cell

  function show() {
    if (!app.picture) return;
    const [left, top, width, height] = app.picture.box;
    const [wide, high] = [width / scale, height / scale];
    const within = (at, start, whole, part) => Math.max(start + part / 2, Math.min(start + whole - part / 2, at));
    const [x, y] = middle ?? [left + width / 2, top + height / 2];
    middle = [within(x, left, width, wide), within(y, top, height, high)];
    board.look([middle[0] - wide / 2, middle[1] - high / 2, wide, high]);
  }

  function zoom(factor, around) {
    scale = Math.max(1, Math.min(MOST, scale * factor));
    middle = scale === 1 ? null : (around ?? middle);
    show();
  }

  /** Move the board so that a place of it lies under a point of the screen. */
  function carry(place, x, y) {
    const now = pointed(x, y);
    middle = middle.map((at, axis) => at + place[axis] - now[axis]);
    show();
  }

  const pointed = (x, y) => board.point(x, y).map((length) => 100 * length);
  const cursorPlace = () => {
    const place = app.picture.cells[app.selection.cursor];
    return place ? [100 * place[1] + 50, 100 * place[0] + 50] : null;
  };

  function wheel(event) {
    if (!event.ctrlKey && scale === 1) return;
    event.preventDefault();
    const place = pointed(event.clientX, event.clientY);
    if (event.ctrlKey) {
      zoom(event.deltaY < 0 ? STEP : 1 / STEP);
      return carry(place, event.clientX, event.clientY);
    }
    move(event.deltaX, event.deltaY);
  }

  /** Bring into sight what lies further by as many pixels. */
  function move(right, down) {
    middle = [middle[0] + (100 * right) / board.unit, middle[1] + (100 * down) / board.unit];
    show();
  }

  /** Bring the cursor back into sight. */
  function follow() {
    if (scale === 1 || !cursorPlace()) return;
    const [left, top, wide, high] = board.box;
    const [x, y] = cursorPlace();
    if (x < left + 50 || x > left + wide - 50 || y < top + 50 || y > top + high - 50) {
      middle = [x, y];
      show();
    }
  }

  /** Begin with the whole board, or with its first cells where all of them would be too small. */
  function begin({ detail }) {
    if (detail.edited) return show();
    [scale, middle] = [1, null];
    show();
    const least = LEAST_CELL[matchMedia("(pointer: coarse)").matches ? "coarse" : "fine"];
    if (board.unit && board.unit < least) zoom(least / board.unit, [0, 0]);
  }

  board.element.addEventListener("wheel", wheel, { passive: false });
  watchSpace(board.element, () => scale > 1, move);
  watchFingers(board.element, (factor) => zoom(factor), pointed, carry);
  app.listen({ selection: follow, puzzle: begin });
  if (app.picture) begin({ detail: {} });
  app.register({
    "zoom-in": () => zoom(STEP, cursorPlace()),
    "zoom-out": () => zoom(1 / STEP, cursorPlace()),
    "zoom-fit": () => zoom(0),
  });
}

/**
 * Tell of drags while Space is held on a board that `isLarge`: `move(right, down)` in pixels. Space alone means what it always does,
 * but only when it is lifted.
 */
function watchSpace(element, isLarge, move) {
  let held = false;
  let dragged = false;
  let last = null; // where the pointer was

  function key(event) {
    const ours = event.code === "Space" && event.isTrusted && (held || isLarge());
    const taken = dialogIsOpen() || keyTarget(event).closest?.("button, a, summary, input, textarea, select");
    if (!ours || (taken && !held)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    if (event.type === "keydown" && !held) [held, dragged] = [true, false];
    if (event.type === "keyup") {
      letGo();
      const { key, code, shiftKey } = event;
      if (!dragged) event.target.dispatchEvent(new KeyboardEvent("keydown", { key, code, shiftKey, bubbles: true }));
    }
    element.classList.toggle("grabbed", held);
  }

  function letGo() {
    [held, last] = [false, null];
    element.classList.remove("grabbed");
  }

  function drag(event) {
    if (!held) return;
    event.stopImmediatePropagation();
    const { clientX: x, clientY: y } = event;
    if (event.type === "pointerdown") element.setPointerCapture(event.pointerId);
    else if (last) move(last[0] - x, last[1] - y);
    dragged ||= last !== null;
    last = ["pointerdown", "pointermove"].includes(event.type) && (last || event.type === "pointerdown") ? [x, y] : null;
  }

  listen(window, { keydown: key, keyup: key, blur: ({ target }) => target === window && letGo() }, { capture: true });
  listen(element, { pointerdown: drag, pointermove: drag, pointerup: drag, pointercancel: drag }, { capture: true });
}

/**
 * Tell of two fingers: `zoom(factor)` as they part, then `carry(place, x, y)`, so that what lay between them at first stays there.
 * What one finger had begun is called off, and nobody else hears of either until all are lifted.
 */
function watchFingers(element, zoom, pointed, carry) {
  const fingers = new Map();
  let pinch = null; // { place, apart } of the two at first, with `apart` as it was last

  function measure() {
    const [[x, y], [otherX, otherY]] = [...fingers.values()];
    return { apart: Math.hypot(x - otherX, y - otherY), at: [(x + otherX) / 2, (y + otherY) / 2] };
  }

  function down(event) {
    if (event.pointerType !== "touch") return;
    fingers.set(event.pointerId, [event.clientX, event.clientY]);
    if (fingers.size !== 2) return pinch && event.stopImmediatePropagation();
    event.stopImmediatePropagation();
    element.dispatchEvent(new PointerEvent("pointercancel", { pointerType: "none" }));
    const { apart, at } = measure();
    pinch = { apart, place: pointed(...at) };
  }

  function move(event) {
    if (!pinch || !fingers.has(event.pointerId)) return;
    event.stopImmediatePropagation();
    fingers.set(event.pointerId, [event.clientX, event.clientY]);
    if (fingers.size !== 2) return;
    const { apart, at } = measure();
    zoom(apart / pinch.apart);
    carry(pinch.place, ...at);
    pinch.apart = apart;
  }

  function up(event) {
    if (!fingers.delete(event.pointerId) || !pinch) return;
    event.stopImmediatePropagation();
    if (!fingers.size) pinch = null;
  }

  listen(element, { pointerdown: down, pointermove: move, pointerup: up, pointercancel: up }, { capture: true });
}
