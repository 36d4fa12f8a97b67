// What a puzzle is called where it has no title, and what there is to say of it in a few words.

import { list, number } from "./words.js";

const MOST_NAMED = 2; // kinds of rules
const USUAL = "houses"; // the rule that every board has
const OVERLAPPING = "overlapping boards";

/** The size of a puzzle's board: "9 × 9", or how many boards overlap. */
export const sizeWords = ({ grid = {} }) => (grid.boards ? `${grid.boards.length} ${OVERLAPPING}` : `${grid.rows ?? 9} × ${grid.columns ?? 9}`);

/** The kinds of rules besides rows, columns and boxes, as words: "killer cage and 3 more"; empty if there are none. */
export function kindWords(json) {
  const kinds = [...new Set((json.rules ?? []).map((rule) => rule.kind ?? rule))].filter((kind) => kind !== USUAL);
  const names = kinds.slice(0, MOST_NAMED).map((kind) => kind.replaceAll("-", " "));
  if (kinds.length > MOST_NAMED) names.push(`${number.format(kinds.length - MOST_NAMED)} more`);
  return list.format(names);
}

/** The title of a puzzle, or what it is. */
export function nameOf(json) {
  if (json.title) return json.title;
  const kinds = kindWords(json);
  return kinds ? `${kinds[0].toUpperCase()}${kinds.slice(1)}` : `Sudoku, ${sizeWords(json)}`;
}
