// The texts of design.

import { list, number, plural } from "./words.js";

/** What a hand does for each gesture, and a sign for tools without a picture. */
export const GESTURE_WORDS = {
  line: ["╱", "Draw along the cells; Shift on letting go closes a loop."],
  cage: ["▣", "Drag over the cells, or press one after another and then Enter; Ctrl or Shift adds to the last one."],
  cells: ["▦", "Drag over the cells, or press one after another and then Enter; Ctrl or Shift adds to the last ones."],
  edge: ["•", "Press the edge of two cells; press again to turn it, then to remove it."],
  corner: ["◦", "Press where cells meet; press again to remove it."],
  outside: ["◁", "Press outside the board; press again for the next direction."],
  stem: ["○", "Press the bulb, or draw it; then draw lines that begin in it."],
  groups: ["⧉", "Drag over one set of cells, then the next; Enter ends. Single presses paint a set until Enter."],
  stages: ["⋯", "Press the first cell, then the next; drag over the last cells."],
  joined: ["∨", "Press rules in the list of the board, then join them."],
  switch: ["⊞", "On or off for the whole board."],
};

export const numberWanted = (field) => `Type the ${field.replaceAll("_", " ")}: with it the clue is put on the board.`;
export const CHOICES = { ellipse: "circle", rectangle: "square" };
export const DRAWINGS = "Drawings";
export const drawingCount = (count) => plural(count, "drawing");
export const GIVENS = "Givens";
export const givenCells = (count) => plural(count, "cell");
export const GIVENS_MEANING = "Select cells and type or press a value; the same value again, or Delete, removes it.";
export const TOOLS = "Tools";
export const findOne = (count) => `Search ${count} tools`;
export const REGION_NAMES = /jigsaw|irregular|region/i;
export const REGION_HELP = "For the regions of a jigsaw press Regions above; then drag over cells and type the number of their region.";
export const REGIONS_MEANING = "Drag over the cells of a region, then type or press its number; 0 or Delete takes cells out. A whole region replaces the old one, fewer cells join it.";
export const BY_KEYS = "By keyboard: select cells with Shift and the arrows, then Enter.";
export const NOT_THESE = "These cells do not fit this tool: signs need two neighbours, corners the cells that meet there, clues a cell at the border.";
export const ADD = "Put on the board";
export const REMOVE = "Remove";
export const HIDE = "Hide";
export const SHOW = "Show";
export const REGIONS = "Regions";
export const regionCount = (count) => plural(count, "region");
export const NEXT = "Next one";
export const COPY = "Copy to the symmetric place";
export const SYMMETRY_NAMES = {
  rot180: "Half turn", rot90: "Quarter turn", mirror: "Left-right", "mirror-down": "Up-down", diagonal: "Diagonal ↘", antidiagonal: "Diagonal ↙",
};
export const JOIN = "Join the pressed rules";
export const TAKE_CELLS = "Use the selected cells";
export const TAKE_MARKED = "Use all marked pairs";
export const ON_BOARD = "On the board";
export const NO_RULES = "Nothing yet: choose a tool.";
export const LAYOUT = "Puzzle";
export const TEXTS = { title: "Title", author: "Author" };
export const RULESET = "Rules in words";
export const TAKE_WORDS = "Start from these words";
export const REGION = "Region of the selected cells";
export const unfinished = (sizes, most) => `${list.format(sizes.map(([label, size]) => `region ${label} has ${plural(size, "cell")}`))}; regions are used as soon as none has more than ${number.format(most)}.`.replace(/^r/, "R");
export const BOXES = "Boxes";
export const NO_BOXES = "none";
export const SET = "Set";

export const SOLVER = "Solver";
export const SHOWS = { none: "Nothing", candidates: "True candidates (green: in one solution only)", two: "Where two solutions differ" };
export const CANDIDATES_HELP = "Ctrl + press makes a candidate a given; Alt + press removes it.";
export const UNDECIDED = "The limit was reached: it is not decided whether the faint values occur in a solution.";
export const counting = (seconds) => `counting, ${seconds.toFixed(1)} s`;
export const UNASKED = "not asked";
export const STATUS = { unique: "✓ exactly one solution", solved: "✓ solved", multiple: "2 or more solutions", none: "no solution" };
export const atLeast = (count, exact) => (exact ? plural(count, "solution") : `${count} or more solutions`);
export const UNSETTLED = "Not decided in time.";
export const unsettled = (seconds) => `not decided after ${seconds} s`;
export const GO_ON = "Continue";
export const differing = (count) => `Two solutions differ in ${plural(count, "cell")}; one more given in any outlined cell rules out one of them.`;
export const PAIR = ["the first", "the second"];
export const PAIR_STEPS = { "-1": "Previous pair", 1: "Next pair" };
export const WHY_NONE = "Why is there none?";
export const clash = (count) => (count === 1 ? "This cannot hold:" : "These cannot all hold:");
export const ADD_GIVENS = "Add givens until there is one";
export const RATE = "How hard is it?";
export const HARDNESS = {
  word: (word) => `It is ${word} for a person.`,
  se: ({ er, hardest }) => `Sudoku Explainer 1.2.1: ${er} (${hardest}).`,
  sukaku: ({ er, hardest }) => `Sukaku Explainer 1.18.1: ${er} (${hardest}).`,
  hodoku: ({ score, level }) => `HoDoKu 2.2: ${number.format(score)} (${level}).`,
};
export const UNRATED = "Only a puzzle with one solution can be rated.";
export const LAYOUT_ASK = "Is the layout possible?";
export const LAYOUT_STATUS = { solved: "Without any given, the rules have a solution.", none: "The rules alone have no solution." };
export const adding = (count) => `${plural(count, "given")} so far …`;
export const UNNEEDED = "Unneeded clues";
export const NONE_UNNEEDED = "Every clue is needed.";
export const WHY_NOT = "Why not?";
export const WHY_HELP = "Select a cell, and ask why it cannot hold a value.";
export const ASK = "Ask";
export const STRIKE = "Take away";
export const STOP = "Stop";
export const STOPPED = "Stopped.";
export const GENERATE = "New puzzle with these rules";
export const WORKING = "Working …";
export const ONLY_BOXES = "New puzzles can be made here only for square boards with boxes.";
export const NOT_MADE = "None was found in time; there may still be one.";
