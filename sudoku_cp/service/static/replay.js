// Replay: the search of an engine, or the path of a person, walked on the board.

import { card, h, set, setText } from "./dom.js";
import { Icicle } from "./icicle.js";
import { showScene } from "./replay_board.js";
import { REPLAY } from "./replaywords.js";
import { RowList } from "./row_list.js";
import { Transport } from "./transport.js";
import { SearchTree } from "./tree.js";
import { BARE, GameWalk, HumanWalk, SearchWalk } from "./walks.js";

const SECONDS = { search: 10, human: 60 }; // a path needs what a new machine compiles first
const LONGER = 5; // times as long
const CRUMBS = 9;

export const replay = {
  name: "replay",
  mount(app) {
    const view = new Replay(app);
    const stops = [app.register(view.actions()), app.listen({ puzzle: () => view.puzzle !== app.puzzle && view.ask(), settings: () => view.icicle.draw() })];
    if (app.game) view.ask();
    return () => (view.end(), stops.forEach((stop) => stop()));
  },
};

class Replay {
  kind = "search";
  puzzle = null; // what is walked, or asked about
  walk = null;
  at = 0;

  constructor(app) {
    this.app = app;
    this.canvas = h("canvas", { class: "icicle", role: "img", "aria-label": REPLAY.picture });
    this.icicle = new Icicle(this.canvas, (node) => this.go(node));
    this.list = new RowList(REPLAY.list, (index) => this.walk.row(index), (index) => this.go(index));
    this.transport = new Transport({ move: (name) => this.move(name), go: (index) => this.go(index), next: () => this.next() });
    this.size = h("span", { class: "soft" });
    this.crumbs = h("nav", { class: "crumbs", "aria-label": REPLAY.crumbs });
    this.reason = h("p", { class: "note" });
    this.more = h("button", { class: "button", hidden: true, onclick: () => this.ask(LONGER * SECONDS[this.kind]) }, REPLAY.longer);
    document.getElementById("right").append(...this.#panels());
  }

  #panels() {
    const choose = (kind) => h("button", { "aria-pressed": String(kind === this.kind), dataset: { kind }, onclick: () => this.choose(kind) }, REPLAY.kinds[kind]);
    this.kinds = h("div", { class: "segments", role: "group", "aria-label": REPLAY.heading }, Object.keys(REPLAY.kinds).map(choose));
    const legend = h("div", { class: "legend" }, Object.entries(REPLAY.legend).map(([tone, words]) => h("span", {}, h("i", { class: `fate ${tone}` }), words)));
    this.overview = h("div", {}, this.canvas, legend, this.crumbs);
    const button = (name) => h("button", { class: "button", onclick: () => this.move(name) }, REPLAY.buttons[name]);
    this.seeks = h("div", { class: "row below" }, button("solution"), button("dead end"));
    return [card(REPLAY.heading, { side: [this.size], class: "walk" }, this.kinds, this.overview, this.list.element), card("", { class: "walking" }, this.transport.element, this.seeks, this.reason, this.more)];
  }

  choose(kind) {
    this.kind = kind;
    for (const button of this.kinds.children) set(button, { "aria-pressed": String(button.dataset.kind === kind) });
    this.ask();
  }

  /** Ask for what is to be walked; a question before it is given up. */
  async ask(seconds = SECONDS[this.kind]) {
    this.#forget();
    this.puzzle = this.app.puzzle;
    if (this.kind === "game") return this.#begin(new GameWalk(this.app), {});
    const running = (this.running = new AbortController());
    const options = { signal: running.signal, seconds };
    const body = { puzzle: this.puzzle.json };
    setText(this.reason, REPLAY.asking);
    try {
      const search = this.kind === "search";
      const answer = await this.app.api.ask(search ? "trace" : "steps", search ? { ...body, limit: 1 } : body, options);
      if (running.signal.aborted) return;
      if (search && !answer.tree) this.#tellLate(REPLAY.noTree);
      else if (!search && !answer.steps.length && answer.complete === false) this.#tellLate(REPLAY.noSteps);
      else this.#begin(search ? new SearchWalk(new SearchTree(answer.tree), this.app) : new HumanWalk(answer, this.app), answer);
    } catch (error) {
      if (running.signal.aborted) return;
      setText(this.reason, REPLAY.failed);
      this.app.fail(error, () => this.ask(seconds));
    }
  }

  /** Say that nothing was found in time, and offer to ask again. */
  #tellLate(words) {
    setText(this.reason, words);
    this.more.hidden = false;
  }

  #begin(walk, { truncated, tree, complete }) {
    this.walk = walk;
    const limited = truncated || complete === false || ["nodes", "deadline"].includes(tree?.stopped);
    this.more.hidden = !limited;
    setText(this.size, REPLAY.size[this.kind](walk.tree ? walk.count : walk.count - 1, limited));
    this.overview.hidden = this.seeks.hidden = !walk.tree;
    if (walk.tree) this.icicle.show(walk.tree, walk.start);
    this.list.reset(walk.count);
    if (walk.tree) this.#wait();
    else this.go(walk.start);
    if (!document.activeElement?.matches(":focus-visible")) this.list.element.focus({ preventScroll: true }); // arrows walk, not tabs
  }

  /** Before the first node: the board as it is given, since what follows may be the solution already. */
  #wait() {
    this.at = -1;
    showScene(this.app, BARE);
    this.list.go(0);
    this.transport.show(0, this.walk.count);
    this.icicle.go(0);
    setText(this.reason, REPLAY.ready(this.walk.count));
  }

  /** Show a row, which becomes the present one. */
  go(index) {
    if (!this.walk) return;
    this.at = Math.max(0, Math.min(this.walk.count - 1, index));
    showScene(this.app, this.walk.scene(this.at));
    this.list.go(this.at);
    this.transport.show(this.at, this.walk.count);
    const told = REPLAY.here[this.kind](this.at, ...this.walk.told(this.at));
    setText(this.reason, told);
    this.app.say(told);
    if (this.walk.tree) {
      this.icicle.go(this.at);
      this.#showCrumbs();
    }
  }

  #showCrumbs() {
    const way = this.walk.tree.path(this.at).slice(1).slice(-CRUMBS);
    this.crumbs.replaceChildren(...way.map((node) => h("button", { class: "pill", onclick: () => this.go(node) }, this.walk.title(node))));
  }

  next() {
    if (!this.walk || this.at === this.walk.count - 1) return false;
    this.go(this.at + 1);
    return true;
  }

  /** Walk: first, prev, next, last, up and down among siblings, solution, dead end. */
  move(name) {
    if (!this.walk) return;
    const { tree, count } = this.walk;
    const ways = {
      first: () => 0,
      prev: () => this.at - 1,
      next: () => this.at + 1,
      last: () => tree?.goal ?? count - 1,
      up: () => (tree ? tree.sibling(this.at, -1) : this.at - 1),
      down: () => (tree ? tree.sibling(this.at, 1) : this.at + 1),
      solution: () => tree.find(this.at, (node) => tree.fateOf(node) === "solution"),
      "dead end": () => tree.find(this.at, (node) => tree.isDeadEnd(node)),
    };
    const to = ways[name]();
    if (to === null) this.app.toast(REPLAY.none[name]);
    else this.go(to);
  }

  actions() {
    const names = ["first", "prev", "next", "last", "up", "down"];
    return { ...Object.fromEntries(names.map((name) => [`walk-${name}`, () => this.move(name)])), "walk-play": () => this.transport.play(), "walk-as": (kind) => this.choose(kind) };
  }

  #forget() {
    this.running?.abort();
    this.transport.stop();
    this.walk = null;
    this.more.hidden = true;
    setText(this.size, "");
    this.list.reset(0);
    showScene(this.app, BARE);
  }

  end() {
    this.running?.abort();
    this.transport.stop();
    if (this.app.picture) this.app.board.highlight({});
  }
}
