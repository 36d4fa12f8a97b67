// The modes of the page, in the order of their tabs; the code of each is loaded when it is first wanted.

export const MODES = new Map([
  ["play", async () => (await import("./play.js")).play],
  ["design", async () => (await import("./design.js")).design],
  ["replay", async () => (await import("./replay.js")).replay],
]);
