// Saved games in the browser's database: the newest 200, by the puzzle that they are of.

const [DATABASE, STORE, MOST] = ["sudoku_cp", "games", 200];
export const UNSAVED = "sudoku_cp unsaved"; // in local storage, which takes a game even while the page goes

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

/** Save a game; only the newest stay. */
export async function writeGame(record) {
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
