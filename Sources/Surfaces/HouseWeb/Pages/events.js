// The stream of changes. It resumes after the last change that was seen, and heals itself with back-off.

import { eventsAddress } from "./api.js";

const NAMES = [
  "house", "zone", "zoneRemoved", "room", "roomRemoved", "queue", "library", "troubles", "announcements", "alarms", "depths",
];
const FIRST_DELAY = 250;
const LONGEST_DELAY = 8000;
// A page that was asleep this long may hold a connection that is dead without a sign.
const SUSPICIOUS_SILENCE = 30_000;
// A browser keeps few connections to one host: a page that nobody looks at gives its own back.
const HIDDEN_LIFETIME = 60_000;

/** Follows the events of the house until closed. */
export class EventStream {
  #source = null;
  #timer = null;
  #delay = FIRST_DELAY;
  #lastID = "";
  #lastHeard = 0;
  #hiding = null;
  #isWanted = false;

  /**
   * @param onEvent takes the name, the data and the revision (null if the event has none)
   * @param onState takes "live" or "lost"
   */
  constructor(onEvent, onState) {
    this.onEvent = onEvent;
    this.onState = onState;
    document.addEventListener("visibilitychange", () => this.#checkAfterSleep());
    window.addEventListener("online", () => this.#reopen());
  }

  open() {
    this.#disconnect();
    this.#isWanted = true;
    const source = new EventSource(eventsAddress(this.#lastID));
    this.#source = source;
    for (const name of NAMES) source.addEventListener(name, (event) => this.#receive(name, event));
    source.addEventListener("open", () => {
      this.#delay = FIRST_DELAY;
      this.#lastHeard = Date.now();
      this.onState("live");
    });
    // EventSource would retry after a fixed time, and never after a refusal; one way for both is simpler and faster.
    source.addEventListener("error", () => this.#retry());
  }

  /** Ends the stream for good; that of a hidden page comes back by itself. */
  close() {
    this.#isWanted = false;
    this.#disconnect();
  }

  #disconnect() {
    clearTimeout(this.#timer);
    this.#source?.close();
    this.#source = null;
  }

  #receive(name, event) {
    this.#lastHeard = Date.now();
    let data;
    try {
      data = JSON.parse(event.data);
    } catch {
      return;
    }
    // Events without an id repeat the id of the event before.
    const isNew = event.lastEventId !== "" && event.lastEventId !== this.#lastID;
    if (isNew || name === "house") this.#lastID = event.lastEventId;
    const revision = Number(event.lastEventId.split("-").pop());
    this.onEvent(name, data, name !== "depths" && Number.isFinite(revision) ? revision : null);
  }

  #retry() {
    this.#disconnect();
    this.onState("lost");
    const jitter = 0.8 + Math.random() * 0.4;
    this.#timer = setTimeout(() => this.open(), this.#delay * jitter);
    this.#delay = Math.min(this.#delay * 2, LONGEST_DELAY);
  }

  #reopen() {
    if (!this.#isWanted) return;
    this.#delay = FIRST_DELAY;
    this.open();
  }

  #checkAfterSleep() {
    clearTimeout(this.#hiding);
    if (document.hidden) {
      this.#hiding = setTimeout(() => this.#disconnect(), HIDDEN_LIFETIME);
      return;
    }
    if (!this.#source || Date.now() - this.#lastHeard > SUSPICIOUS_SILENCE) this.#reopen();
  }
}
