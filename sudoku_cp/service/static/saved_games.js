// Saved games in the browser's database: the newest 200 are kept.

import { gameStore, keyOf, last, recover, settled } from "./store.js";

const MOST = 200;

/** All saved games, newest first. */
export async function readGames() {
  await recover();
  return allGames();
}

async function allGames() {
  const games = await settled((await gameStore("readonly")).getAll());
  return games.sort((one, other) => other.saved - one.saved);
}

/** Save a game; only the newest stay. */
export const writeGame = (record) => (last.write = write(record));

async function write(record) {
  record.key = await keyOf(JSON.stringify(record.puzzle));
  await settled((await gameStore("readwrite")).put(record));
  const games = await allGames();
  const writable = await gameStore("readwrite");
  await Promise.all(games.slice(MOST).map(({ key }) => settled(writable.delete(key))));
}

/** Save a game unless the one that is there is as new. */
export async function writeNewer(record) {
  const known = await settled((await gameStore("readonly")).get(await keyOf(JSON.stringify(record.puzzle))));
  if (!known || known.saved < record.saved) await writeGame(record);
}
