// Saved games in the browser's database: the newest 200, by the puzzle that they are of.

const [DATABASE, STORE, MOST] = ["sudoku_cp", "games", 200];
export const UNSAVED = "sudoku_cp unsaved"; // in local storage: quick enough for a page that goes

let opened = null;
let writing = null; // of the last game: readers wait for it

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

/** The key of a puzzle, as it is written. */
export async function keyOf(text) {
  const hash = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return Array.from(new Uint8Array(hash).slice(0, 12), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** A saved game, as `autosave` makes it; undefined if there is none. */
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
export const writeGame = (record) => (writing = write(record));

async function write(record) {
  record.key = await keyOf(JSON.stringify(record.puzzle));
  await settled((await store("readwrite")).put(record));
  const games = await allGames();
  const writable = await store("readwrite");
  await Promise.all(games.slice(MOST).map(({ key }) => settled(writable.delete(key))));
}

/** Put what was kept as a page went into the database, if it is newer. */
async function recover() {
  await writing?.catch(() => {});
  let kept = null;
  try {
    kept = localStorage.getItem(UNSAVED);
    localStorage.removeItem(UNSAVED);
  } catch {
    return; // forbidden
  }
  if (!kept) return;
  const record = JSON.parse(kept);
  const known = await settled((await store("readonly")).get(await keyOf(JSON.stringify(record.puzzle))));
  if (!known || known.saved < record.saved) await writeGame(record);
}
