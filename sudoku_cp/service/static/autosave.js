// Saving the game as it is played, and following what other tabs save of it.

import { writeGame } from "./saved_games.js";
import { keyOf, readGame, UNSAVED } from "./store.js";

const REST = 300; // milliseconds after the last entry
const TABS = "sudoku_cp games"; // the channel on which tabs tell each other what they saved

const recordOf = ({ game, puzzle, timer, hintsUsed }) => ({
  puzzle: puzzle.json,
  game: game.toJSON(),
  milliseconds: timer?.milliseconds ?? 0,
  hints: hintsUsed ?? 0,
  refused: game.refused,
  filled: game.filled,
  size: game.size,
  solved: game.status === "solved",
  saved: Date.now(),
});

/**
 * Save the game after a rest, and when the page is left; follow what other tabs save of it. Returns a function that ends it.
 * `failed` is called once.
 */
export function autosave(app, failed) {
  const tabs = new BroadcastChannel(TABS);
  let timer = null;
  let unsaved = null; // the game that is to be saved: by the time that it is, another one may be played
  let saving = null; // the record that is on its way into the database
  let told = false;
  let key = null; // of the present puzzle, once it is known

  async function save() {
    clearTimeout(timer);
    if (!unsaved) return;
    const record = (saving = recordOf(unsaved));
    unsaved = null;
    try {
      await writeGame(record);
      tabs.postMessage(record.key);
    } catch {
      if (!told) failed();
      told = true;
    } finally {
      if (saving === record) saving = null;
    }
  }

  /** The database may be too slow for a page that goes, also for what is on its way; the next page puts there what is kept beside it. */
  function keep() {
    const record = unsaved ? recordOf(unsaved) : saving;
    if (!record) return;
    try {
      localStorage.setItem(UNSAVED, JSON.stringify(record));
    } catch {
      save();
    }
  }

  /** Show what another tab saved of this game, unless something is entered here that is still to be saved. */
  async function follow({ data }) {
    if (data !== key || unsaved || !app.game) return;
    const record = await readGame(app.puzzle.text).catch(() => undefined);
    if (record && !unsaved && record.key === key) app.takeGame(record);
  }

  async function know() {
    if (unsaved && unsaved.puzzle !== app.puzzle) save();
    key = null;
    const { text } = app.puzzle ?? {};
    const found = text && (await keyOf(text));
    if (text === app.puzzle?.text) key = found;
  }

  function later() {
    if (app.game.history.entries.length < 2) return;
    const { game, puzzle, timer: time, hintsUsed } = app;
    unsaved = { game, puzzle, timer: time, hintsUsed };
    clearTimeout(timer);
    timer = setTimeout(save, REST);
  }

  const leave = () => document.hidden && save();
  tabs.onmessage = follow;
  document.addEventListener("visibilitychange", leave);
  addEventListener("pagehide", keep);
  const stop = app.listen({ game: later, puzzle: know });
  know();
  return () => {
    save().finally(() => (tabs.close(), removeEventListener("pagehide", keep))); // the other tabs hear of the last entry too
    stop();
    document.removeEventListener("visibilitychange", leave);
  };
}
