// The modes of the page, in the order of their tabs.

import { design } from "./design.js";
import { play } from "./play.js";
import { replay } from "./replay.js";

export const MODES = [play, design, replay];
