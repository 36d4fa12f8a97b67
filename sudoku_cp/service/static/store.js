// Saved games in the browser's database: the newest 200, by the puzzle that they are of.

const [DATABASE, STORE, MOST] = ["sudoku_cp", "games", 200];
const REST = 300; // milliseconds after the last entry

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
  return settled((await store("readonly")).get(await keyOf(text)));
}

/** All saved games, newest first. */
export async function readGames() {
  const games = await settled((await store("readonly")).getAll());
  return games.sort((one, other) => other.saved - one.saved);
}

async function writeGame(record) {
  await settled((await store("readwrite")).put(record));
  const games = await readGames();
  const writable = await store("readwrite");
  await Promise.all(games.slice(MOST).map(({ key }) => settled(writable.delete(key))));
}

/** Save the game after a rest, and when the page is left; returns a function that ends it. `failed` is called once. */
export function autosave(app, failed) {
  let timer = null;
  let told = false;

  async function save() {
    clearTimeout(timer);
    timer = null;
    const { game, puzzle } = app;
    if (!game || game.history.entries.length < 2) return;
    const record = { puzzle: puzzle.json, game: game.toJSON(), milliseconds: app.timer?.milliseconds ?? 0, hints: app.hintsUsed ?? 0, refused: game.refused, filled: game.filled, size: game.size, solved: game.status === "solved", saved: Date.now() };
    try {
      await writeGame({ key: await keyOf(puzzle.text), ...record });
    } catch {
      if (!told) failed();
      told = true;
    }
  }

  const later = () => (clearTimeout(timer), (timer = setTimeout(save, REST)));
  const leave = () => timer !== null && document.hidden && save();
  document.addEventListener("visibilitychange", leave);
  addEventListener("pagehide", save);
  const stop = app.listen({ game: later });
  return () => {
    if (timer !== null) save();
    stop();
    document.removeEventListener("visibilitychange", leave);
    removeEventListener("pagehide", save);
  };
}
