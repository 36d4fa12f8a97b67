// The picture of a path tree: across, the order of the search; downwards, the depth; the colour tells the fate.

const LEAST = 8; // nodes across at the most enlarged
const WIDE_SOLUTION = 6; // pixels

/**
 * The bars of a part of the tree, at most one for each depth and pixel: [node, x, width] in pixels. view: { from, to }.
 * Solutions come last and are wide enough to see.
 */
export function bars(tree, { from, to }, width) {
  const scale = width / (to - from);
  const reached = new Float64Array(tree.levels).fill(-1); // for each depth the last pixel that has a bar
  const found = [];
  const solutions = [];
  const first = Math.max(0, Math.floor(from));
  const last = Math.min(tree.count, Math.ceil(to));
  const add = (node) => {
    const x = Math.max(0, (node - from) * scale);
    const end = Math.min(width, (tree.end[node] - from) * scale);
    if (tree.fateOf(node) === "solution") solutions.push([node, Math.max(0, Math.min(x, width - WIDE_SOLUTION)), Math.max(WIDE_SOLUTION, end - x)]);
    else if (Math.floor(end - 0.001) > reached[tree.depth[node]]) {
      reached[tree.depth[node]] = Math.floor(end - 0.001);
      found.push([node, x, Math.max(0.7, end - x)]);
    }
  };
  tree.path(first).forEach(add);
  for (let node = first + 1; node < last; node += 1) add(node);
  return [...found, ...solutions];
}

/** A view enlarged by a factor about a place, which stays where it is. */
export function zoomed(tree, { from, to }, factor, place) {
  const span = Math.min(tree.count, Math.max(Math.min(LEAST, tree.count), (to - from) / factor));
  const share = (place - from) / (to - from);
  const start = Math.max(0, Math.min(tree.count - span, place - share * span));
  return { from: start, to: start + span };
}

/** Draws a tree on a canvas, and tells which node is pointed at. */
export class Icicle {
  constructor(canvas, pick) {
    this.canvas = canvas;
    this.pick = pick;
    canvas.addEventListener("pointerdown", (event) => (canvas.setPointerCapture(event.pointerId), this.#point(event)));
    canvas.addEventListener("pointermove", (event) => event.buttons && this.#point(event));
    canvas.addEventListener("dblclick", () => this.show(this.tree));
    canvas.addEventListener("wheel", (event) => this.#wheel(event), { passive: false });
    this.resized = new ResizeObserver(() => this.draw());
    this.resized.observe(canvas);
  }

  show(tree, at = this.at ?? 0) {
    Object.assign(this, { tree, at, view: { from: 0, to: tree.count } });
    this.draw();
  }

  /** Mark the way to a node, which comes into view. */
  go(node) {
    this.at = node;
    const { from, to } = this.view;
    if (node < from || node >= to) this.view = zoomed(this.tree, { from: node - (to - from) / 2, to: node + (to - from) / 2 }, 1, node);
    this.draw();
  }

  draw() {
    const { canvas, tree, view } = this;
    if (!tree || !canvas.clientWidth) return;
    const ratio = devicePixelRatio || 1;
    const [width, height] = [canvas.clientWidth * ratio, canvas.clientHeight * ratio];
    Object.assign(canvas, { width, height });
    const paper = canvas.getContext("2d");
    const style = getComputedStyle(canvas);
    const colours = { alive: "--accent", open: "--thin", dead: "--bad", solution: "--ok", way: "--ink" };
    const colour = Object.fromEntries(Object.entries(colours).map(([name, token]) => [name, style.getPropertyValue(token)]));
    const row = height / tree.levels;
    const way = new Set(tree.path(this.at));
    for (const [node, x, wide] of bars(tree, view, width)) {
      paper.fillStyle = colour[tree.fateOf(node)];
      paper.fillRect(x, tree.depth[node] * row, wide > 3 * ratio ? wide - ratio : wide, Math.max(1, row - ratio));
    }
    for (const node of way) {
      const solved = tree.fateOf(node) === "solution"; // it stays as green as it was
      paper.fillStyle = solved ? colour.solution : colour.way;
      const least = (solved ? WIDE_SOLUTION : 2) * ratio;
      const x = Math.max(0, Math.min(((node - view.from) / (view.to - view.from)) * width, width - least));
      const end = Math.min(width, ((tree.end[node] - view.from) / (view.to - view.from)) * width);
      paper.fillRect(x, tree.depth[node] * row, Math.max(least, end - x), Math.max(1, row - ratio));
    }
  }

  #place(event) {
    const { left, top, width, height } = this.canvas.getBoundingClientRect();
    const { from, to } = this.view;
    return [from + ((event.clientX - left) / width) * (to - from), Math.floor(((event.clientY - top) / height) * this.tree.levels)];
  }

  #point(event) {
    if (this.tree) this.pick(this.tree.nodeAt(...this.#place(event)));
  }

  #wheel(event) {
    if (!this.tree) return;
    event.preventDefault();
    this.view = zoomed(this.tree, this.view, event.deltaY < 0 ? 1.25 : 0.8, this.#place(event)[0]);
    this.draw();
  }
}
