// Whether the service has another page than this one by now: asked when the page is seen again, and when the service is back.

import { RELOAD, UPDATED } from "./playwords.js";

/** Offer once to load the page again when it has changed. */
export function watchUpdates(app) {
  let known = null;
  let told = false;

  async function look() {
    if (told || document.hidden || !app.api.reachable) return;
    const tag = await app.api.pageTag().catch(() => null);
    known ??= tag;
    if (told || !tag || tag === known) return;
    told = true;
    app.toast(UPDATED, { button: [RELOAD, () => location.reload()] });
  }

  document.addEventListener("visibilitychange", look);
  app.api.addEventListener("reachable", look);
  look();
}
