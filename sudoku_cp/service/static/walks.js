// What can be replayed: the search of an engine, the path of a person, and the game. All are rows, and a position of the board at each.
//
// A walk has `count`, `start` (the row to begin at), `row(index)` -> { depth, tone, title, words }, and `scene(index)` ->
// { cells: Map of cell -> { value, kind } or { centre }, asked: cells, clash: cells, strikes: [[cell, value]], placed, blockers, links, inked };
// `told(index)` -> [title, words], the longer words of the note below.

import { cellName, cellNamed } from "./cells.js";
import { entryWords } from "./entry_words.js";
import { EMPTY } from "./game.js";
import { withoutKind } from "./playwords.js";
import { REPLAY } from "./replaywords.js";
import { NONE } from "./tree.js";
import { list, shortName } from "./words.js";

const MOST_FORCED = 6; // that are said with their reasons
/** A scene of the givens alone. */
export const BARE = { cells: new Map(), asked: [], reason: [], clash: [], strikes: [], placed: [], blockers: [], links: [], inked: new Map() };

export class SearchWalk {
  constructor(tree, app) {
    Object.assign(this, { tree, app, count: tree.count, start: 0 });
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
    return tree.isDeadEnd(node) ? this.#deadEnd(node) : REPLAY.follows(tree.forced[node].length / 3, tree.end[node] - node);
  }

  #deadEnd(node) {
    const reason = this.tree.contradiction[node];
    return reason === NONE ? REPLAY.deadEnd : this.#refutation(node, reason);
  }

  /** What there is to say of a node: the values that it forces, each with its reason, and why it is a dead end. */
  told(node) {
    const { tree } = this;
    const forced = tree.forced[node];
    const each = Array.from({ length: forced.length / 3 }, (_, index) => forced.slice(3 * index, 3 * index + 3)).filter(([cell]) => cell < tree.cells.length);
    const shown = each.slice(0, MOST_FORCED).map(([cell, value, reason]) => REPLAY.by(REPLAY.placed(tree.cells[cell], this.app.sign(value)), withoutKind(tree.reasons[reason])));
    const ends = tree.fateOf(node) === "solution" ? [REPLAY.solution] : tree.isDeadEnd(node) ? [this.#deadEnd(node)] : [];
    return [this.title(node), [...(shown.length ? [REPLAY.forced(shown, each.length - shown.length)] : []), ...ends]];
  }

  /** Why a dead end is one: the cell without a value, the value without a place or twice, or else what cannot hold. */
  #refutation(node, reason) {
    const { tree, app } = this;
    const { sees, values } = app.picture;
    const cells = tree.values(node);
    const value = (cell) => app.picture.givens[cell] ?? cells.get(cell)?.value ?? null;
    const told = tree.reason_cells[reason];
    const fits = (cell, one) => value(cell) === one || (value(cell) === null && !sees[cell].some((other) => value(other) === one));
    const empty = told.find((cell) => values.every((one) => !fits(cell, one)));
    if (empty !== undefined) return REPLAY.emptied(cellName(app.board, empty));
    const differ = told.every((cell) => told.every((other) => other === cell || sees[cell].includes(other)));
    const twice = differ ? values.find((one) => told.filter((cell) => value(cell) === one).length > 1) : undefined;
    const name = withoutKind(tree.reasons[reason]);
    if (twice !== undefined) return REPLAY.twice(name, app.sign(twice));
    const lacked = differ && told.length === values.length ? values.find((one) => told.every((cell) => !fits(cell, one))) : undefined;
    return lacked === undefined ? REPLAY.refuted(name) : REPLAY.lacks(name, app.sign(lacked));
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
    return { ...BARE, cells, asked, reason: refuted, clash: refuted.filter((cell) => emptied(cell) || twice(cell)) };
  }
}

export class HumanWalk {
  /** answer: that of /v1/steps. */
  constructor(answer, app) {
    const numbered = (list) => list.map(([name, value]) => [cellNamed(app.board, name), value]);
    this.steps = answer.steps.map((step) => ({
      ...step,
      cells: step.cells.map((name) => cellNamed(app.board, name)),
      placements: numbered(step.placements),
      eliminations: numbered(step.eliminations),
      blockers: (step.blockers ?? []).map(([name]) => cellNamed(app.board, name)),
      links: (step.links ?? []).map(({ start, end, kind }) => [...[start, end].map(({ cells }) => cells.map((name) => cellNamed(app.board, name))), kind]),
    }));
    Object.assign(this, { app, end: answer.end ?? (answer.complete ? null : "limit"), count: this.steps.length + 1, start: 0 });
  }

  row(index) {
    if (index === this.steps.length) return { depth: 0, tone: this.end === "solved" ? "solution" : "open", title: REPLAY.ends[this.end] ?? REPLAY.end, words: "" };
    const { technique, text, placements } = this.steps[index];
    const { board } = this.app;
    const placed = placements.map(([cell, value]) => REPLAY.placed(cellName(board, cell), board.sign(value)));
    const capital = technique[0].toUpperCase() + technique.slice(1);
    const reason = text.startsWith(`${capital}: `) ? text.slice(capital.length + 2) : text;
    if (!placed.length) return { depth: 0, tone: "open", title: capital, words: reason };
    return { depth: 0, tone: "alive", title: list.format(placed), words: text.replace(/, so r\d+c\d+ is [^ ,]+\.$/, ".") }; // which the title says
  }

  told(index) {
    const { title } = this.row(index);
    return [title, this.steps[index]?.text ?? ""];
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
    return { ...BARE, cells, asked: step?.cells ?? [], strikes: step?.eliminations ?? [], placed: step?.placements ?? [], blockers: step?.blockers ?? [], links: step?.links ?? [] };
  }
}

/** The game from its start to where it is, without the branches that were left. */
export class GameWalk {
  constructor(app) {
    const { history } = app.game;
    this.entries = history.path().map((entry) => history.entries[entry]);
    Object.assign(this, { app, count: this.entries.length, start: 0 });
  }

  row(index) {
    const solved = index === this.count - 1 && this.app.game.status === "solved";
    return { depth: 0, tone: solved ? "solution" : "open", title: entryWords(this.entries[index], this.app, shortName), words: "" };
  }

  told(index) {
    return [this.row(index).title, ""];
  }

  scene(index) {
    const [states, inked] = [new Map(), new Map()];
    for (const { changes, pen = [] } of this.entries.slice(0, index + 1)) {
      for (const [cell, , after] of changes) states.set(cell, after);
      for (const [mark, , after] of pen) inked.set(mark, after);
    }
    const cells = new Map([...states].map(([cell, state]) => [cell, { ...EMPTY, ...state, kind: "entered" }]));
    return { ...BARE, cells, inked, asked: this.entries[index].changes.map(([cell]) => cell).slice(0, 1) };
  }
}
