// The path tree of a search, of any size: arrays over its nodes in the order of the search.
//
// A parent comes before its children, and everything below a node follows it at once; so the nodes below node `i` are those up
// to `end[i]`, and where a node stands in the order is where it stands in the picture.

export const NONE = -1;

export class SearchTree {
  /** columns: the `tree` of an answer of /v1/trace. */
  constructor(columns) {
    Object.assign(this, columns);
    this.count = columns.parent.length;
    this.end = Int32Array.from({ length: this.count }, (_, node) => node + 1);
    for (let node = this.count - 1; node > 0; node -= 1) this.end[this.parent[node]] = Math.max(this.end[this.parent[node]], this.end[node]);
    this.levels = 1 + this.depth.reduce((most, depth) => Math.max(most, depth), 0);
  }

  /** "open", "dead", "alive" or "solution". */
  fateOf(node) {
    return this.fates[this.fate[node]];
  }

  isDeadEnd(node) {
    return this.end[node] === node + 1 && this.fateOf(node) === "dead";
  }

  /** The nodes from the root to one, both included. */
  path(node) {
    const found = [];
    for (let at = node; at !== NONE; at = this.parent[at]) found.push(at);
    return found.reverse();
  }

  /** The node at a place of the order, as high up as `depth`: what the picture shows there. */
  nodeAt(place, depth) {
    let node = Math.max(0, Math.min(this.count - 1, Math.floor(place)));
    while (this.depth[node] > depth) node = this.parent[node];
    return node;
  }

  /** The next node, or with step -1 the one before, for which `wanted(node)` is true; null if there is none. */
  find(from, wanted, step = 1) {
    for (let node = from + step; node >= 0 && node < this.count; node += step) if (wanted(node)) return node;
    return null;
  }

  /** The node with the same parent after this one, or with step -1 before it; null if there is none. */
  sibling(node, step) {
    if (node <= 0) return null;
    const parent = this.parent[node];
    if (step > 0) return this.end[node] < this.end[parent] ? this.end[node] : null;
    return node - 1 > parent ? this.nodeAt(node - 1, this.depth[node]) : null;
  }

  /** The first solution, else the last node. */
  get goal() {
    const solution = this.fates.indexOf("solution");
    const found = this.fate.indexOf(solution);
    return found < 0 ? this.count - 1 : found;
  }

  /** The values on the board at a node: a Map from cells to { value, kind }, where kind is "guess" or "forced". */
  values(node) {
    const found = new Map();
    for (const step of this.path(node)) {
      if (this.cell[step] !== NONE) found.set(this.cell[step], { value: this.value[step], kind: "guess" });
      const forced = this.forced[step];
      for (let index = 0; index < forced.length; index += 3) {
        if (!found.has(forced[index])) found.set(forced[index], { value: forced[index + 1], kind: "forced" });
      }
    }
    for (const cell of found.keys()) if (cell >= this.cells.length) found.delete(cell); // auxiliary cells are on no board
    return found;
  }
}
