// Saved games in the browser's database: the newest 200, by the puzzle that they are of.

const [DATABASE, STORE, MOST] = ["sudoku_cp", "games", 200];
const REST = 300; // milliseconds after the last entry
const UNSAVED = "sudoku_cp unsaved"; // in local storage, which takes a game even while the page goes
const TABS = "sudoku_cp games"; // the channel on which tabs tell each other what they saved

let opened = null;

const settled = (request) => new Promise((done, failed) => Object.assign(request, { onsuccess: () => done(request.result), onerror: () => failed(request.error) }));

function database() {
  opened ??= new Promise((done, failed) => {
    const request = indexedDB.open(DATABASE, 1);
    request.onupgradeneeded = () => request.result.createObjectStore(STORE, { keyPath: "key" }).createIndex("saved", "saved");
    request.onsuccess = () => done(request.result);
    request.onerror = () => failed(request.error);
  });
  return opened;
}

const store = async (mode) => (await database()).transaction(STORE, mode).objectStore(STORE);

/** What stands for a puzzle: the same puzzle, written the same way, has the same key. */
export async function keyOf(text) {
  const hash = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return Array.from(new Uint8Array(hash).slice(0, 12), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** A saved game: { key, saved, puzzle, game, milliseconds, hints, refused, filled, size, solved }; undefined if there is none. */
export async function readGame(text) {
  await recover();
  return settled((await store("readonly")).get(await keyOf(text)));
}

/** All saved games, newest first. */
export async function readGames() {
  await recover();
  return allGames();
}

async function allGames() {
  const games = await settled((await store("readonly")).getAll());
  return games.sort((one, other) => other.saved - one.saved);
}

async function writeGame(record) {
  await settled((await store("readwrite")).put(record));
  const games = await allGames();
  const writable = await store("readwrite");
  await Promise.all(games.slice(MOST).map(({ key }) => settled(writable.delete(key))));
}

/** Put into the database what was kept as a page went, unless something newer is there. */
async function recover() {
  let kept = null;
  try {
    kept = localStorage.getItem(UNSAVED);
    localStorage.removeItem(UNSAVED);
  } catch {
    return; // a browser may forbid storage
  }
  if (!kept) return;
  const record = JSON.parse(kept);
  const known = await settled((await store("readonly")).get(record.key));
  if (!known || known.saved < record.saved) await writeGame(record);
}

const recordOf = ({ game, puzzle, timer, hintsUsed }, key) => ({
  key,
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
  let told = false;
  let key = null; // of the present puzzle, once it is known

  const begun = () => app.game && app.game.history.entries.length > 1;

  async function save() {
    clearTimeout(timer);
    timer = null;
    if (!begun()) return;
    const { text } = app.puzzle;
    const record = recordOf(app);
    try {
      record.key = await keyOf(text);
      await writeGame(record);
      tabs.postMessage(record.key);
    } catch {
      if (!told) failed();
      told = true;
    }
  }

  /** The database may be too slow for a page that goes; what is kept beside it is put there by the next one. */
  function keep() {
    if (timer === null || !begun() || !key) return;
    try {
      localStorage.setItem(UNSAVED, JSON.stringify(recordOf(app, key)));
    } catch {
      save();
    }
  }

  /** Show what another tab saved of this game, unless something is entered here that is still to be saved. */
  async function follow({ data }) {
    if (data !== key || timer !== null || !app.game) return;
    const record = await readGame(app.puzzle.text).catch(() => undefined);
    if (record && timer === null && record.key === key) app.takeGame(record);
  }

  const know = async () => ((key = null), app.puzzle && (key = await keyOf(app.puzzle.text)));
  const later = () => (clearTimeout(timer), (timer = setTimeout(save, REST)));
  const leave = () => timer !== null && document.hidden && save();
  tabs.onmessage = follow;
  document.addEventListener("visibilitychange", leave);
  addEventListener("pagehide", keep);
  const stop = app.listen({ game: later, puzzle: know });
  know();
  return () => {
    if (timer !== null) save();
    stop();
    tabs.close();
    document.removeEventListener("visibilitychange", leave);
    removeEventListener("pagehide", keep);
  };
}
