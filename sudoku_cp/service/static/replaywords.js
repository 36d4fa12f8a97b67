// The words of replay.

import { list, number, plural } from "./words.js";

const limit = (limited) => (limited ? ", cut at the limit" : "");

export const REPLAY = {
  heading: "Walk",
  kinds: { search: "Search", human: "As a person", game: "My game" },
  picture: "The search as a picture: across in its order, downwards by guesses",
  list: "Nodes of the walk",
  crumbs: "The last guesses on the way here",
  legend: { way: "the way here", alive: "leads to a solution", dead: "dead end", solution: "solution", open: "not searched" },
  buttons: { first: "First", prev: "Back", play: "Play", pause: "Pause", next: "Forward", last: "To the solution", solution: "Next solution", "dead end": "Next dead end" },
  slider: "Place in the walk",
  speedLabel: "Speed",
  speed: (rows) => `${rows} a second`,
  size: {
    search: (count, limited) => `${plural(count, "node")}${limit(limited)}`,
    human: (count, limited) => `${plural(count, "step")}${limit(limited)}`,
    game: (count) => plural(count, "move"),
  },
  asking: "Asking the solver ...",
  failed: "There is nothing to replay: the question was not answered.",
  noTree: "Time ran out before the search began.",
  noSteps: "Time ran out before the first step was found.",
  longer: "Search longer",
  root: "Start",
  placed: (cell, sign) => `${cell} = ${sign}`,
  auxiliary: (index, value) => `helper ${index + 1} = ${value}`,
  solution: "solution",
  deadEnd: "dead end",
  refuted: (reason) => `dead end: ${reason} cannot hold`,
  emptied: (cell) => `dead end: no value is left for ${cell}`,
  twice: (reason, sign) => `dead end: ${reason} would have ${sign} twice`,
  lacks: (reason, sign) => `dead end: ${reason} has no place for ${sign}`,
  ready: (count) => `${plural(count, "node")} to walk through. Forward takes the first: what the givens alone force.`,
  follows: (forced, below) => `${number.format(forced)} forced, ${plural(below, "node")}`,
  by: (placed, reason) => `${placed} (${reason})`,
  forced: (placed, more) => `forced: ${list.format(more ? [...placed, `${number.format(more)} more`] : placed)}`,
  ends: { solved: "Solved", none: "No solution", wrong: "Something entered is wrong", contradiction: "A contradiction", limit: "The limit was reached", ambiguous: "More than one solution", stuck: "No step is known" },
  end: "The end",
  here: {
    search: (index, title, words) => `Node ${number.format(index)}: ${[title, ...words].join("; ")}.`,
    human: (index, title, words) => `Step ${number.format(index + 1)}: ${words || `${title}.`}`,
    game: (index, title) => `Move ${number.format(index)}: ${title}.`,
  },
  none: { up: "No other value was tried here before this.", down: "No other value was tried here after this.", solution: "No solution comes after this.", "dead end": "No dead end comes after this." },
};
