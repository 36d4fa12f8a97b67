// The help page: the table of keys, as it is.

import { h } from "../dom.js";
import { KEYS } from "../keys.js";
import { HELP, keyWords } from "../dialogwords.js";
import { showDialog } from "./dialog.js";

export function open(app) {
  const groups = [
    [HELP.everywhere, (row) => ["any", "board"].includes(row.mode)],
    ...[...app.modes.keys()].map((name) => [HELP[name], (row) => row.mode === name]),
  ];
  const body = groups.map(([heading, holds]) => {
    const rows = KEYS.filter((row) => holds(row) && row.shown !== null);
    return rows.length ? [h("h3", {}, heading), h("dl", { class: "keys" }, rows.map((row) => h("div", {}, h("dt", {}, row.does), h("dd", {}, h("kbd", {}, row.shown ?? keyWords(row.keys))))))] : [];
  });
  showDialog(HELP.heading, [body, h("p", { class: "soft" }, HELP.pointer)].flat(2));
}
