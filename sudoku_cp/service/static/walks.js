// What can be replayed: the search of an engine, and the path of a person. Both are rows, and a position of the board at each.
//
// A walk has `count`, `start` (the row to begin at), `row(index)` -> { depth, tone, title, words }, and `scene(index)` ->
// { cells: Map of cell -> { value, kind } or { centre }, asked: cells, clash: cells, strikes: [[cell, value]], placed }.

import { REPLAY } from "./replaywords.js";
import { NONE } from "./tree.js";
import { shortName } from "./words.js";

export class SearchWalk {
  constructor(tree, app) {
    Object.assign(this, { tree, app, count: tree.count, start: tree.goal });
  }

  title(node) {
    const { cell, value, cells } = this.tree;
    if (cell[node] === NONE) return REPLAY.root;
    return cell[node] < cells.length ? REPLAY.placed(cells[cell[node]], this.app.sign(value[node])) : REPLAY.auxiliary(cell[node] - cells.length, value[node]);
  }

  row(node) {
    const { tree } = this;
    return { depth: tree.depth[node], tone: tree.fateOf(node), title: this.title(node), words: this.#words(node) };
  }

  #words(node) {
    const { tree } = this;
    if (tree.fateOf(node) === "solution") return REPLAY.solution;
    if (tree.isDeadEnd(node)) return tree.contradiction[node] === NONE ? REPLAY.deadEnd : REPLAY.refuted(tree.reasons[tree.contradiction[node]]);
    return REPLAY.follows(tree.forced[node].length / 3, tree.end[node] - node);
  }

  scene(node) {
    const { tree, app } = this;
    const cells = tree.values(node);
    const { sees, values } = app.picture;
    const value = (cell) => app.picture.givens[cell] ?? cells.get(cell)?.value ?? null;
    const refuted = tree.isDeadEnd(node) && tree.contradiction[node] !== NONE ? tree.reason_cells[tree.contradiction[node]] : [];
    const emptied = (cell) => value(cell) === null && values.every((one) => sees[cell].some((other) => value(other) === one));
    const twice = (cell) => value(cell) !== null && sees[cell].some((other) => value(other) === value(cell));
    const asked = tree.cell[node] >= 0 && tree.cell[node] < tree.cells.length ? [tree.cell[node]] : [];
    return { cells, asked, reason: refuted, clash: refuted.filter((cell) => emptied(cell) || twice(cell)), strikes: [], placed: [] };
  }
}

export class HumanWalk {
  /** answer: that of /v1/steps. */
  constructor(answer, app) {
    const named = new Map(app.picture.cells.map((place, cell) => [shortName(place), cell]));
    const numbered = (list) => list.map(([name, value]) => [named.get(name), value]);
    this.steps = answer.steps.map((step) => ({
      ...step,
      cells: step.cells.map((name) => named.get(name)),
      placements: numbered(step.placements),
      eliminations: numbered(step.eliminations),
    }));
    Object.assign(this, { app, end: answer.end ?? (answer.complete ? null : "limit"), count: this.steps.length + 1, start: 0 });
  }

  row(index) {
    if (index === this.steps.length) return { depth: 0, tone: this.end === "solved" ? "solution" : "open", title: REPLAY.ends[this.end] ?? REPLAY.end, words: "" };
    const { technique, text, placements } = this.steps[index];
    return { depth: 0, tone: placements.length ? "alive" : "open", title: technique, words: text };
  }

  /** The board before a step, with that step drawn; behind the last one the board at the end. */
  scene(index) {
    const { sees, values, givens, cells: places } = this.app.picture;
    const done = this.steps.slice(0, index);
    const entered = new Map(done.flatMap(({ placements }) => placements));
    const struck = new Set(done.flatMap(({ eliminations }) => eliminations.map(String)));
    const value = (cell) => givens[cell] ?? entered.get(cell) ?? null;
    const cells = new Map();
    places.forEach((_, cell) => {
      if (entered.has(cell)) cells.set(cell, { value: entered.get(cell), kind: "forced" });
      else if (value(cell) === null) {
        const seen = new Set(sees[cell].map(value));
        cells.set(cell, { centre: values.filter((one) => !seen.has(one) && !struck.has(String([cell, one]))) });
      }
    });
    const step = this.steps[index];
    return { cells, asked: step?.cells ?? [], reason: [], clash: [], strikes: step?.eliminations ?? [], placed: step?.placements ?? [] };
  }
}
