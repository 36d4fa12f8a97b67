// What play has beside its first board: hints, checks, the history, the loupe, and what is done behind the scenes.

import { autosave } from "./autosave.js";
import { brokenRules } from "./broken_rules.js";
import { checker, judging } from "./check.js";
import { completionPanel } from "./completion.js";
import { hintPanel } from "./hint.js";
import { historyPanel } from "./history_panel.js";
import { laterActions, speakNeeds } from "./later_actions.js";
import { loupe } from "./loupe.js";
import { pen } from "./pen.js";
import "./toasts.js"; // there when the service has gone
import { Turns } from "./turns.js";
import { STORAGE_FULL } from "./playwords.js";

/** Put the panels into their rooms; returns functions that end them. */
export function mountPanels(app, { finish, hints, history }) {
  const turns = new Turns(); // of questions about the position, which the next entry ends
  const end = () => turns.end();
  return [
    app.listen({ puzzle: end, game: end }),
    completionPanel(app, finish),
    loupe(app, hints),
    hintPanel(app, hints, turns),
    historyPanel(app, history),
    app.register({ check: checker(app, turns), ...laterActions(app) }),
    pen(app),
    speakNeeds(app),
    judging(app),
    autosave(app, () => app.toast(STORAGE_FULL, { kind: "bad" })),
    brokenRules(app),
    end,
  ];
}
