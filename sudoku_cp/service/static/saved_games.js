// Saved games in the browser's database: the newest 200 are kept.

import { OTHER_GAME, SHOW_IT } from "./playwords.js";
import { gameStore, keyOf, last, readGame, recover, settled } from "./store.js";
import { DAMAGED_LINK } from "./words.js";

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

/** Show a puzzle with the game of a link. A game that is saved here is not lost to it: it is shown, and the other one offered. */
export async function showLinked(app, json, game, signal) {
  const own = await readGame(JSON.stringify(json)).catch(() => undefined);
  try {
    await app.show(json, { signal, ...(!own && { saved: game }) });
  } catch (error) {
    throw signal.aborted || error.status !== undefined ? error : new Error(DAMAGED_LINK); // the service reads puzzles, and no games
  }
  if (own) app.toast(OTHER_GAME, { button: [SHOW_IT, () => app.show(json, { saved: game })] });
}
