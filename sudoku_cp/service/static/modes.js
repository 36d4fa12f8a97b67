// The modes of the page, in the order of their tabs.

import { play } from "./play.js";
import { replay } from "./replay.js";

export const MODES = [play, replay];
