// The browser's database of saved games, as far as the first board needs it: one game is read by the puzzle that it is of.

const [DATABASE, STORE] = ["sudoku_cp", "games"];
export const UNSAVED = "sudoku_cp unsaved"; // in local storage: quick enough for a page that goes
export const last = { write: null }; // of a game: readers wait for it

let opened = null;

export const settled = (request) => new Promise((done, failed) => Object.assign(request, { onsuccess: () => done(request.result), onerror: () => failed(request.error) }));

function database() {
  opened ??= new Promise((done, failed) => {
    const request = indexedDB.open(DATABASE, 1);
    request.onupgradeneeded = () => request.result.createObjectStore(STORE, { keyPath: "key" }).createIndex("saved", "saved");
    request.onsuccess = () => done(request.result);
    request.onerror = () => failed(request.error);
  });
  return opened;
}

export const gameStore = async (mode) => (await database()).transaction(STORE, mode).objectStore(STORE);

/** The key of a puzzle, as it is written. */
export async function keyOf(text) {
  const hash = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return Array.from(new Uint8Array(hash).slice(0, 12), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** A saved game, as `autosave` makes it; undefined if there is none. */
export async function readGame(text) {
  await recover();
  return settled((await gameStore("readonly")).get(await keyOf(text)));
}

/** Put what was kept as a page went into the database, if it is newer. */
export async function recover() {
  await last.write?.catch(() => {});
  let kept = null;
  try {
    kept = localStorage.getItem(UNSAVED);
    localStorage.removeItem(UNSAVED);
  } catch {
    return; // forbidden
  }
  if (kept) last.write = import("./saved_games.js").then(({ writeNewer }) => writeNewer(JSON.parse(kept)));
  await last.write?.catch(() => {}); // another reader's, too
}
