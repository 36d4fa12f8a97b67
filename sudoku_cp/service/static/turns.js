// Turns: of several things of one kind that go on at the same time, only the last one counts. What is asked in a turn is asked with
// its signal, so that nothing comes of an answer when hands have gone on in the meantime.

export class Turns {
  #present = new AbortController();

  /** The signal of the present turn. */
  get signal() {
    return this.#present.signal;
  }

  /** Begin the next turn, which ends the one before; returns its signal, which `others` end too. */
  next(...others) {
    this.end();
    this.#present = new AbortController();
    return AbortSignal.any([this.signal, ...others]);
  }

  end() {
    this.#present.abort();
  }
}
