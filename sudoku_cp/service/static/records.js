// What a player has done, kept in this browser alone: the best time of each grade, and the days on which a puzzle of the day was solved.

const STORE = "sudoku_cp records";
const MOST_DAYS = 1000;

/** { best: milliseconds by grade, days: such as "2026-11-27" }. */
export function readRecords() {
  try {
    const { best = {}, days = [] } = JSON.parse(localStorage.getItem(STORE)) ?? {};
    return { best, days };
  } catch {
    return { best: {}, days: [] }; // forbidden, or damaged
  }
}

export function writeRecords(records) {
  try {
    localStorage.setItem(STORE, JSON.stringify(records));
  } catch {
    // They hold for this visit.
  }
}

/** A day of the calendar by its name, some days later. */
export function dayName(day, later = 0) {
  const date = new Date(day.getFullYear(), day.getMonth(), day.getDate() + later);
  const two = (number) => String(number).padStart(2, "0");
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

/** On how many days in a row a puzzle of the day was solved, up to this day, or up to the one before as long as this one lasts. */
export function streakOf(days, today) {
  const solved = new Set(days);
  const last = solved.has(dayName(today)) ? 0 : -1;
  let count = 0;
  while (solved.has(dayName(today, last - count))) count += 1;
  return count;
}

/** The records after a puzzle was solved; `day` is the name of the day whose puzzle it was, or null; `timed` whether its time counts. */
export function recordsAfter({ best, days }, { grade, milliseconds, day, timed }) {
  const known = best[grade] ?? Infinity;
  const isBest = Boolean(grade) && timed && milliseconds < known;
  return {
    best: isBest ? { ...best, [grade]: milliseconds } : best,
    days: day && !days.includes(day) ? [...days, day].sort().slice(-MOST_DAYS) : days,
    isBest: isBest && known < Infinity,
  };
}
