// Questions to the service: answers, problems, jobs, and whether the service can be reached at all.

import { BUSY, CRASHED } from "./words.js";

/** What the service says is wrong with a request (problem+json), or that it cannot be reached (status 0). */
export class Problem extends Error {
  constructor({ title = "", detail = "", status = 0, errors = [], instance = "" }) {
    super(detail || title);
    Object.assign(this, { title, status, errors, instance });
  }

  get unreachable() {
    return this.status === 0;
  }

  /** Whether an engine had no answer, or no time for one; asked again, it may. */
  get unanswered() {
    return this.title === "unanswered";
  }
}

/** Whether something was found: a crash leaves no answer, and a reason alone is none. */
const isAnswer = ({ reason, ...found }) => !reason || (reason !== "crashed" && Object.keys(found).length > 0);

const LONGEST_ANSWER = 60; // seconds for which a question may take without being a job
const LONGEST_PAUSE = 30;
const JOB_PAUSE = 500; // milliseconds between looks at a job
const CONFLICT = 409; // the status of a result that is not there

export class Api extends EventTarget {
  reachable = true;
  #pause = 1;
  #timer = null;

  /** The answer of a question. A question that becomes a job is followed until it ends; `signal` ends either. */
  async ask(verb, body, { signal, seconds } = {}) {
    const sent = seconds === undefined ? body : { ...body, timeout: seconds, ...(seconds > LONGEST_ANSWER && { job: true }) };
    const response = await this.#fetch(`/v1/${verb}`, { method: "POST", body: JSON.stringify(sent), signal });
    const first = await response.json();
    const answer = response.status === 202 ? await this.#finished(first.id, signal) : first;
    if (isAnswer(answer)) return answer;
    const instance = response.headers.get("X-Request-Id");
    throw new Problem({ title: "unanswered", detail: answer.reason === "crashed" ? CRASHED(instance) : BUSY, status: CONFLICT, instance });
  }

  /** One of the listings: rules, formats, backends, limits. */
  async listing(name) {
    return (await this.#fetch(`/v1/${name}`, {})).json();
  }

  /** A file of JSON that the page has beside its scripts. */
  async file(name) {
    return (await this.#fetch(new URL(name, import.meta.url), {})).json();
  }

  /** What changes whenever the page of the service does. */
  async pageTag() {
    return (await this.#fetch("/", { method: "HEAD", cache: "no-store" })).headers.get("ETag");
  }

  async #finished(id, signal) {
    const give = () => this.#fetch(`/v1/jobs/${id}`, { method: "DELETE" }).catch(() => {});
    signal?.addEventListener("abort", give, { once: true });
    let job;
    do {
      await new Promise((done) => setTimeout(done, JOB_PAUSE));
      signal?.throwIfAborted();
      job = await (await this.#fetch(`/v1/jobs/${id}`, { signal })).json();
    } while (["queued", "running"].includes(job.state));
    signal?.removeEventListener("abort", give);
    if (job.reason === "crashed") return job;
    if (job.state !== "done") throw new Problem({ title: job.state, detail: job.reason, status: CONFLICT });
    return (await this.#fetch(`/v1/jobs/${id}/result`, { signal })).json();
  }

  async #fetch(path, options) {
    const headers = options.body ? { "Content-Type": "application/json" } : {};
    let response;
    try {
      response = await fetch(path, { ...options, headers });
    } catch (error) {
      if (error.name === "AbortError") throw error;
      this.#lost();
      throw new Problem({ title: "unreachable", detail: error.message });
    }
    this.#found();
    if (!response.ok) throw new Problem({ status: response.status, ...(await response.json().catch(() => ({}))) });
    return response;
  }

  #lost() {
    if (this.reachable) {
      this.reachable = false;
      this.#pause = 1;
      this.dispatchEvent(new Event("reachable"));
    }
    this.#timer ??= setTimeout(() => this.#tryAgain(), 1000 * this.#pause);
  }

  async #tryAgain() {
    this.#timer = null;
    this.#pause = Math.min(2 * this.#pause, LONGEST_PAUSE);
    await this.#fetch("/healthz", {}).catch(() => {});
  }

  #found() {
    if (this.reachable) return;
    this.reachable = true;
    this.dispatchEvent(new Event("reachable"));
  }
}
