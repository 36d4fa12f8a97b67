// Values that are typed: digits by the place of their keys, letters as they are, and longer values digit by digit.

const SECOND_DIGIT = 700; // milliseconds

/** The digit of a key by its place, whatever Shift and the layout make of it; null for other keys. */
function digitOf(event) {
  const found = /^(?:Digit|Numpad)(\d)$/.exec(event.code);
  return found && (event.code[0] === "D" || /^\d$|^(Insert|End|Arrow|Page|Clear|Home)/.test(event.key)) ? found[1] : null;
}

/** Reads values from keys; values that are written with several digits wait for the next one. */
export class ValueReader {
  constructor() {
    this.waiting = "";
    this.timer = null;
  }

  /** Call `enter(value)` for the value that a key means, at once or a little later; false if the key means none. */
  read(event, signs, values, enter) {
    const typed = digitOf(event) ?? this.#letter(event);
    if (typed === null) return false;
    const text = this.waiting + typed;
    const find = (one) => signs.findIndex((sign) => sign === one || sign === one.toUpperCase());
    this.#stop();
    const longer = signs.some((sign) => sign.length > text.length && sign.startsWith(text));
    if (longer) {
      this.waiting = text;
      this.timer = setTimeout(() => (this.#stop(), find(text) >= 0 && enter(values[find(text)])), SECOND_DIGIT);
      return true;
    }
    const index = find(text) >= 0 ? find(text) : find(typed);
    if (index < 0) return false;
    enter(values[index]);
    return true;
  }

  #letter(event) {
    return event.key.length === 1 && !event.ctrlKey && !event.metaKey && !event.altKey && !/\s|\d/.test(event.key) ? event.key : null;
  }

  #stop() {
    clearTimeout(this.timer);
    this.waiting = "";
  }
}
