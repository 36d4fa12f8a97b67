// Edits of a puzzle in our JSON: each is a function from one document to the next, which leaves the old one as it was.
// A rule is meant by itself, not by its place in the list, which may be another by the time that an edit has its turn.
// Nothing here knows a page; it runs under node too.

import { cellName, cellNamed } from "./cells.js";

const NAMED = new Map(); // the rules that documents name by their kind alone

function ruleNamed(kind) {
  if (!NAMED.has(kind)) NAMED.set(kind, Object.freeze({ kind }));
  return NAMED.get(kind);
}

/** The rules of a document; without any it has its houses. */
export const rulesOf = (json) => (json.rules ?? ["houses"]).map((rule) => (typeof rule === "string" ? ruleNamed(rule) : rule));

const withRules = (rules) => (json) => ({ ...json, rules: rules(rulesOf(json)) });

export const addRule = (rule) => withRules((rules) => [...rules, rule]);
export const replaceRule = (rule, next) => withRules((rules) => rules.map((one) => (one === rule ? next : one)));
export const removeRule = (rule) => withRules((rules) => rules.filter((one) => one !== rule));

/** Move a rule to where another one is. */
export const moveRule = (rule, target) =>
  withRules((rules) => {
    const others = rules.filter((one) => one !== rule);
    const to = rules.indexOf(target);
    return others.length < rules.length && to >= 0 ? [...others.slice(0, to), rule, ...others.slice(to)] : rules;
  });

/** Put one rule in place of those that it joins. */
export const joinRules = (joined, rule) => withRules((rules) => [...rules.filter((one) => !joined.includes(one)), rule]);

/** Give cells a value, or take it from them where all have it; null clears. Cells by name. */
export function setGivens(names, value) {
  return (json) => {
    const givens = { ...json.givens };
    const taken = value === null || names.every((name) => givens[name] === value);
    for (const name of names) {
      if (taken) delete givens[name];
      else givens[name] = value;
    }
    return { ...without(json, "solution"), givens };
  };
}

/** Leave a value out of those that a cell may have; `all` are those it has without this. */
export function excludeValue(name, value, all) {
  return (json) => ({ ...json, candidates: { ...json.candidates, [name]: (json.candidates?.[name] ?? all).filter((one) => one !== value) } });
}

/** Set title, author or rules in words; an empty text takes it away. */
export const setText = (name, text) => (json) => (text ? { ...json, [name]: text } : without(json, name));

/** The pairs of cells that have a mark on their edge; `kinds` are those of marks. */
export const markedPairs = (json, kinds) => rulesOf(json).filter(({ kind }) => kinds.has(kind)).map(({ cells }) => cells);

/**
 * The same edit, after which lists of exempt pairs that held all marked pairs before hold all of them again: a new mark is exempt
 * by itself. `fields` are names of such lists by kind of rule.
 */
export const followingMarks = (change, kinds, fields) => (before) => {
  const after = change(before);
  const [old, now] = [markedPairs(before, kinds), markedPairs(after, kinds)];
  if (JSON.stringify(old) === JSON.stringify(now)) return after;
  const key = (pairs) => JSON.stringify(pairs.map((pair) => [...pair].sort()).sort());
  const follow = (rule) => {
    const field = fields.get(rule.kind);
    return field && key(rule[field] ?? []) === key(old) ? { ...rule, [field]: now } : rule;
  };
  return { ...after, rules: rulesOf(after).map(follow) };
};

/** Put cells ([row, column] of the only board) into a region. */
export function setRegion(places, label) {
  return (json) => {
    const regions = regionsOf(json.grid).map((row) => [...row]);
    for (const [row, column] of places) regions[row][column] = label;
    return { ...json, grid: { ...without(json.grid, "boxes"), regions } };
  };
}

/** Make boxes of a shape [rows, columns] the regions; null for no regions. */
export function setBoxes(boxes) {
  return (json) => ({ ...json, grid: { ...without(without(json.grid, "regions"), "boxes"), ...(boxes ? { boxes } : {}) } });
}

/** For each row of a board the region of each cell; null for a cell in none. */
export function regionsOf({ rows, columns, boxes, regions }) {
  const across = boxes ? columns / boxes[1] : 0;
  const boxed = (row, column) => (boxes ? Math.floor(row / boxes[0]) * across + Math.floor(column / boxes[1]) : null);
  return regions ?? Array.from({ length: rows }, (_, row) => Array.from({ length: columns }, (__, column) => boxed(row, column)));
}

/** The symmetries of a board, by the names that patterns of givens have; each takes a place to another, with the last row and column. */
export const SYMMETRIES = {
  rot180: ([row, column], bottom, right) => [bottom - row, right - column],
  rot90: ([row, column], bottom) => [column, bottom - row],
  mirror: ([row, column], bottom, right) => [row, right - column],
  "mirror-down": ([row, column], bottom) => [bottom - row, column],
  diagonal: ([row, column]) => [column, row],
  antidiagonal: ([row, column], bottom, right) => [right - column, bottom - row],
};

/** The same rule in the symmetric place, with every cell by its name; null if the board, which is a grid, has no such symmetry. */
export function mirrored(rule, grid, symmetry) {
  const last = [0, 1].map((axis) => Math.max(...grid.places.map((place) => place[axis])));
  const across = (place) => grid.at.get(String(SYMMETRIES[symmetry](place, ...last)));
  if (grid.places.some((place) => across(place) === undefined)) return null;
  const move = (name) => cellName(grid, across(grid.places[cellNamed(grid, name)]));
  return JSON.parse(JSON.stringify(rule, (_, value) => (typeof value === "string" && /^r\d+c\d+$/.test(value) ? move(value) : value)));
}

function without(json, name) {
  const { [name]: _, ...rest } = json;
  return rest;
}

/** The documents before and after the present one. */
export class EditHistory {
  constructor(json) {
    this.present = json;
    this.past = [];
    this.future = [];
  }

  /** Go on to a document, which is returned. */
  do(json) {
    this.past = [...this.past, this.present];
    this.future = [];
    return (this.present = json);
  }

  /** Go back (-1) or on (1); returns the document, or null if there is none. */
  go(way) {
    const [from, to] = way < 0 ? ["past", "future"] : ["future", "past"];
    if (!this[from].length) return null;
    this[to] = [...this[to], this.present];
    const json = this[from].at(-1);
    this[from] = this[from].slice(0, -1);
    return (this.present = json);
  }
}
