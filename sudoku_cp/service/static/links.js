// Puzzles in the address of the page: compressed text in letters that addresses may have. No server is needed.

async function through(stream, bytes) {
  return new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());
}

/** A text as letters for an address. */
export async function packText(text) {
  const bytes = await through(new CompressionStream("deflate-raw"), new TextEncoder().encode(text));
  const binary = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** The text that letters of an address stand for. */
export async function unpackText(packed) {
  const binary = atob(packed.replaceAll("-", "+").replaceAll("_", "/"));
  const bytes = await through(new DecompressionStream("deflate-raw"), Uint8Array.from(binary, (letter) => letter.charCodeAt(0)));
  return new TextDecoder().decode(bytes);
}

/** The puzzle of a link to this page, wherever that page is; null for other texts, and for what is damaged. */
export async function ownPuzzle(text) {
  const found = /^\s*(?:\S*)#\w+\/p=([\w-]+)\s*$/.exec(text);
  return found && unpackText(found[1]).then(JSON.parse).catch(() => null);
}
