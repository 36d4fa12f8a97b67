// The words of the shelf.

const dayOf = new Intl.DateTimeFormat("en-GB", { weekday: "long", day: "numeric", month: "long" });
const monthOf = new Intl.DateTimeFormat("en-GB", { month: "short" });

export const SHELF = {
  heading: "Puzzles",
  goOn: "Continue",
  open: "Open",
  paste: "Paste a link, a grid or JSON, in any format",
  openIt: "Open",
  fresh: "An empty board",
  examples: "Examples",
  noExamples: "The examples cannot be loaded now.",
  today: "Today",
  todayName: (day) => dayOf.format(day),
  todayWords: "9 × 9, medium; the same for everybody",
  month: (day) => monthOf.format(day),
  making: "The puzzle is being made; on a new machine this takes a minute or two ...",
  notMade: "No puzzle was found in time; please try again.",
  share: (filled, size) => `${Math.floor((100 * filled) / size)} % filled`,
  solved: "solved",
};
