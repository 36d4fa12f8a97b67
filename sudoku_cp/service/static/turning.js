// Signs and clues that are on the board already: found by where they stand, and turned to what comes next by a press.

import { cellName, cellNamed, rays } from "./cells.js";

/**
 * What a press on a place that has a rule already makes of its fields: the next direction or order, a greater number;
 * null when all have been shown and the rule goes.
 */
export function turned(tool, grid, rule, place) {
  if (tool.gesture === "outside") {
    const found = rays(grid, place.outside, tool.diagonal).map((cells) => cells.map((cell) => cellName(grid, cell)));
    const next = found[found.findIndex((cells) => String(cells) === String(rule.cells)) + 1];
    return next ? { ...rule, cells: next } : null;
  }
  const number = tool.typed.find((field) => field.plain === "int" && field.depth === 0);
  if (number) {
    const value = (rule[number.name] ?? number.default) + 1;
    return value <= 2 * grid.longest - 1 ? { ...rule, [number.name]: value } : null;
  }
  const [first, second] = rule.cells.map((name) => cellNamed(grid, name));
  return tool.gesture === "edge" && first < second ? { ...rule, cells: [...rule.cells].reverse() } : null;
}

/** The rule of that tool at a spot: with the same cells, or seen from the same place outside; undefined if there is none. */
export function ruleAt(tool, grid, rules, place) {
  const spotted = place[tool.gesture];
  if (!spotted) return undefined;
  const key = (names) => [...names].sort().join(" ");
  const keys =
    tool.gesture === "outside"
      ? rays(grid, spotted, tool.diagonal).map((cells) => cells.map((cell) => cellName(grid, cell)).join(" "))
      : [key(spotted.map((cell) => cellName(grid, cell)))];
  return rules.find((rule) => rule.kind === tool.kind && keys.includes(tool.gesture === "outside" ? rule.cells.join(" ") : key(rule.cells)));
}
