// What a player has done: days in a row, and the best time of each grade.

import assert from "node:assert/strict";
import { test } from "node:test";

import { dayName, recordsAfter, streakOf } from "../../sudoku_cp/service/static/records.js";

const TODAY = new Date(2028, 2, 1, 23, 59); // after the 29th of February

test("days in a row are counted over the ends of months, up to today or yesterday", () => {
  const days = ["2028-02-26", "2028-02-28", "2028-02-29", "2028-03-01"];
  assert.deepEqual([dayName(TODAY), dayName(TODAY, -1)], ["2028-03-01", "2028-02-29"]);
  assert.equal(streakOf(days, TODAY), 3);
  assert.equal(streakOf(days.slice(0, 3), TODAY), 2, "today is not over yet");
  assert.equal(streakOf(days.slice(0, 2), TODAY), 0);
  assert.equal(streakOf([], TODAY), 0);
});

test("a time is kept if it is the best of its grade, was not helped, and has a grade", () => {
  const none = { best: {}, days: [] };
  const solved = { grade: "easy", milliseconds: 5000, day: null, timed: true };
  const first = recordsAfter(none, solved);
  assert.deepEqual(first, { best: { easy: 5000 }, days: [], isBest: false }, "the first one beats nothing");
  assert.deepEqual(recordsAfter(first, { ...solved, milliseconds: 4000 }), { best: { easy: 4000 }, days: [], isBest: true });
  for (const other of [{ milliseconds: 6000 }, { milliseconds: 4000, timed: false }, { milliseconds: 4000, grade: undefined }]) {
    assert.deepEqual(recordsAfter(first, { ...solved, ...other }), first);
  }
});

test("a day is kept once, whatever comes first", () => {
  const solved = { grade: "hard", milliseconds: 9, day: "2028-03-01", timed: false };
  const { days } = recordsAfter({ best: {}, days: ["2028-03-02"] }, solved);
  assert.deepEqual(days, ["2028-03-01", "2028-03-02"]);
  assert.deepEqual(recordsAfter({ best: {}, days }, solved).days, days);
});
