// The words of the shelf.

const dayOf = new Intl.DateTimeFormat("en-GB", { weekday: "long", day: "numeric", month: "long" });

export const SHELF = {
  heading: "Puzzles",
  goOn: "Continue",
  open: "Open",
  paste: "Paste a link, a grid or JSON, in any format",
  openIt: "Open",
  fresh: "An empty board",
  examples: "Examples",
  noExamples: "The examples cannot be loaded now.",
  play: "Play",
  playWords: "A new sudoku with exactly one solution.",
  grades: { easy: "Easy", medium: "Medium", hard: "Hard", expert: "Expert", fiendish: "Fiendish", diabolical: "Diabolical", extreme: "Extreme" },
  titles: { easy: "An easy puzzle", medium: "A medium puzzle", hard: "A hard puzzle", expert: "An expert puzzle", fiendish: "A fiendish puzzle", diabolical: "A diabolical puzzle", extreme: "An extreme puzzle" },
  today: (day) => `Today, ${dayOf.format(day)}`,
  todayTitle: (day, grade) => `${dayOf.format(day)}, ${grade}`,
  todayWords: "The same three for everybody.",
  best: (time) => `best ${time}`,
  inRow: (count) => `You have solved one on ${count} days in a row.`,
  making: "A puzzle is being made. The very first one on a machine takes a minute.",
  notMade: "No puzzle was found in time; please try again.",
  share: (filled, size) => `${Math.floor((100 * filled) / size)} % filled`,
  solved: "solved",
};
