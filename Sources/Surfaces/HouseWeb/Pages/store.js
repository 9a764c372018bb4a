// The state of the house as this page knows it: snapshots and events, with the user's own taps laid over until they are confirmed.

import * as api from "./api.js";
import { Pages } from "./pages.js";
import { afterPress } from "./presses.js";

// A tap that no event has confirmed after this time is shown as the house has it.
const GUESS_LIFETIME = 3000;

/** Reads a setting of this browser; storage may be blocked. */
export function setting(name, fallback = null) {
  try {
    return localStorage.getItem("tutti." + name) ?? fallback;
  } catch {
    return fallback;
  }
}

export function setSetting(name, value) {
  try {
    localStorage.setItem("tutti." + name, value);
  } catch {
    // Storage is blocked: the setting lasts as long as the page.
  }
}

/** The one copy of the state. Views read it, and are called once a frame after changes of the topics they watch. */
export class Store {
  #zones = new Map();
  #rooms = new Map();
  #guesses = [];
  #watchers = [];
  #dirty = new Set();
  #isScheduled = false;
  #senders = new Map();
  #alarms = [];
  #clockOffset = 0;

  constructor() {
    this.revision = 0;
    this.isKnown = false;
    this.library = { tracks: 0, albums: 0, artists: 0, isScanning: false, scanned: 0, troubles: [] };
    this.troubles = [];
    this.announcements = [];
    this.connection = "connecting";
    this.about = {};
    this.cuts = new Map();
    this.cutPresses = 0;
    this.cutSender = new api.InOrder();
    this.depths = new Map();
    this.zoneID = Number(setting("zone")) || null;
    this.queue = this.#makeQueue(null);
    // The state that is drawn. A press means this one; a newer may be there.
    this.shown = { zoneID: this.zoneID, zones: new Map(), rooms: new Map() };
  }

  // Watching

  /** Calls back after changes of any of these topics, and once now. Returns what ends it. */
  watch(topics, callback) {
    const watcher = { topics, callback };
    this.#watchers.push(watcher);
    callback(this);
    return () => (this.#watchers = this.#watchers.filter((each) => each !== watcher));
  }

  /** As watch, until a dialog closes. */
  watchWhileOpen(dialog, topics, callback) {
    dialog.addEventListener("close", this.watch(topics, callback));
  }

  /** Notes a change; the views follow in the next frame, or soon in a hidden page. */
  changed(topic) {
    this.#dirty.add(topic);
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    const flush = () => afterPress(() => this.#flush());
    if (document.hidden) setTimeout(flush, 100);
    else requestAnimationFrame(flush);
  }

  #flush() {
    this.#isScheduled = false;
    const dirty = this.#dirty;
    this.#dirty = new Set();
    if (dirty.has("zones") || dirty.has("rooms")) {
      const byID = (list) => new Map(list.map((each) => [each.id, each]));
      this.shown = { zoneID: this.zoneID, zones: byID(this.zones), rooms: byID(this.rooms) };
    }
    for (const { topics, callback } of this.#watchers) if (topics.some((topic) => dirty.has(topic))) callback(this);
  }

  // Reading

  get zones() {
    return [...this.#zones.keys()].map((id) => this.zoneWith(id));
  }

  get rooms() {
    return [...this.#rooms.keys()]
      .map((id) => this.room(id))
      .sort((a, b) => a.name.localeCompare(b.name) || (a.id < b.id ? -1 : 1));
  }

  /** The zone that this page controls; null if the house has none. */
  get zone() {
    return this.zoneWith(this.zoneID);
  }

  zoneWith(id) {
    return this.#withGuesses("zone", id, this.#zones.get(id));
  }

  room(id) {
    return this.#withGuesses("room", id, this.#rooms.get(id));
  }

  get alarms() {
    return this.#alarms.map((alarm) => this.#withGuesses("alarm", alarm.id, alarm));
  }

  roomsOf(zoneID) {
    return this.rooms.filter((room) => room.zone === zoneID);
  }

  /** The server's time in seconds. */
  now() {
    return Date.now() / 1000 + this.#clockOffset;
  }

  /** The position of a zone in its current entry, in seconds, now. */
  position(zone) {
    const passed = zone.state === "playing" ? Math.max(0, this.now() - zone.positionTime) * zone.rate : 0;
    const duration = zone.current?.track.duration ?? Infinity;
    return Math.max(0, Math.min(zone.position + passed, duration));
  }

  #withGuesses(kind, id, value) {
    if (!value) return null;
    const guesses = this.#guesses.filter((guess) => guess.kind === kind && guess.id === id);
    return guesses.length ? Object.assign({}, value, ...guesses.map((guess) => guess.change)) : value;
  }

  // Events

  /** Takes an event of the house. */
  receive(name, data, revision) {
    if (name === "house") this.#takeHouse(data);
    else this.#takeChange(name, data);
    if (revision !== null) this.#confirm(name === "house" ? data.revision : revision);
  }

  #takeHouse(house) {
    this.#clockOffset = house.time - Date.now() / 1000;
    this.revision = house.revision;
    // The snapshot does not have commands that are under way.
    this.#guesses = this.#guesses.filter(({ revision }) => revision === null || revision > house.revision);
    this.#zones = new Map(house.zones.map((zone) => [zone.id, zone]));
    this.#rooms = new Map(house.rooms.map((room) => [room.id, room]));
    this.depths.clear();
    for (const room of house.rooms) if (room.depth) this.#takeDepth(room.id, room.depth);
    this.library = house.library;
    this.troubles = house.troubles ?? [];
    this.announcements = house.announcements ?? [];
    this.#alarms = house.alarms ?? [];
    this.isKnown = true;
    this.#chooseZone();
    this.queue.setTotal(this.zone?.length ?? 0);
    this.queue.invalidate();
    for (const topic of ["zones", "rooms", "library", "troubles", "announcements", "alarms", "depths", "queue", "house"])
      this.changed(topic);
  }

  #takeChange(name, data) {
    switch (name) {
      case "zone":
        this.#sampleClock(data.positionTime);
        this.#zones.set(data.id, data);
        this.#chooseZone();
        return this.changed("zones");
      case "zoneRemoved":
        this.#zones.delete(data.zone);
        this.#chooseZone();
        return this.changed("zones");
      case "room":
        this.#rooms.set(data.id, data);
        if (!data.depth) this.depths.delete(data.id);
        return this.changed("rooms");
      case "roomRemoved":
        this.#rooms.delete(data.room);
        return this.changed("rooms");
      case "queue":
        return this.#takeQueue(data);
      case "library":
        this.library = data;
        return this.changed("library");
      case "troubles":
        this.troubles = data.troubles;
        return this.changed("troubles");
      case "announcements":
        this.announcements = data.announcements;
        return this.changed("announcements");
      case "alarms":
        this.#alarms = data.alarms;
        return this.changed("alarms");
      case "depths":
        for (const [room, depth] of Object.entries(data.depths)) this.#takeDepth(room, depth);
        return this.changed("depths");
    }
  }

  #takeQueue({ zone, length }) {
    if (zone !== this.zoneID) return;
    this.queue.setTotal(length);
    this.queue.invalidate();
    this.changed("queue");
  }

  #takeDepth(room, { seconds, fraction }) {
    this.depths.set(room, { seconds, fraction, time: this.now() });
  }

  // A time of the server cannot lie in the future of its clock: a later one shows that the estimate was late by the network's delay.
  #sampleClock(time) {
    const offset = time - Date.now() / 1000;
    if (offset > this.#clockOffset && offset - this.#clockOffset < 5) this.#clockOffset = offset;
  }

  setConnection(state) {
    this.connection = state;
    if (state === "live") this.queue.retry();
    this.changed("connection");
  }

  // The chosen zone and its queue

  /** Makes this page control another zone. */
  select(id) {
    if (id === this.zoneID) return;
    setSetting("zone", String(id));
    this.#setZone(id);
  }

  #chooseZone() {
    if (this.#zones.has(this.zoneID)) {
      if (this.queue.zone !== this.zoneID) this.#setZone(this.zoneID);
      return;
    }
    const zones = [...this.#zones.values()];
    const best = zones.find((zone) => zone.state === "playing") ?? zones.find((zone) => zone.rooms.length) ?? zones[0];
    this.#setZone(best?.id ?? null);
  }

  #setZone(id) {
    this.zoneID = id;
    this.queue = this.#makeQueue(id);
    for (const topic of ["zones", "rooms", "queue", "depths", "selection"]) this.changed(topic);
  }

  #makeQueue(id) {
    const queue = new Pages(
      async (start, count) => {
        if (id === null) return { total: 0, items: [] };
        const page = await api.get(api.zonePath(id, "/queue"), { start, count });
        return { total: page.length, items: page.entries };
      },
      () => this.changed("queue"),
    );
    queue.zone = id;
    queue.setTotal(this.#zones.get(id)?.length ?? 0);
    return queue;
  }

  // Commands

  /**
   * Sends a command, and shows its expected effect at once.
   *
   * @param send returns the promise of a request
   * @param guesses are { kind: "zone", "room" or "alarm", id, change }
   * @returns the answer, or null if the command was refused; the refusal is shown
   */
  async command(send, ...guesses) {
    const own = guesses.map((guess) => ({ ...guess, revision: null }));
    this.#guesses.push(...own);
    this.#changedGuesses(own);
    try {
      const answer = await send();
      for (const guess of own) guess.revision = answer?.revision ?? 0;
      // Without a connection, the revision may be one of a server before.
      if (this.connection === "live") this.#confirm(this.revision);
      if (own.length) setTimeout(() => this.#drop(own), GUESS_LIFETIME);
      return answer ?? {};
    } catch (error) {
      this.#drop(own);
      this.report(error);
      return null;
    }
  }

  /** As command; the commands for one target are sent in their order. */
  inOrder(target, send, guesses = [], key = null) {
    let sender = this.#senders.get(target);
    if (!sender) this.#senders.set(target, (sender = new api.InOrder()));
    return this.command(() => sender.run(send, key), ...guesses);
  }

  /** As inOrder, for a control that sends many values, such as a slider: of those that wait, only the latest is sent. */
  control(key, send, guess, target = key) {
    this.#guesses = this.#guesses.filter((each) => each.key !== key);
    return this.inOrder(target, send, [{ ...guess, key }], key);
  }

  /** Shows an error to the user. */
  report(error) {
    if (error.status !== 401)
      window.dispatchEvent(new CustomEvent("tutti-toast", { detail: { text: error.message, isError: true } }));
  }

  #confirm(revision) {
    this.revision = Math.max(this.revision, revision);
    this.#drop(this.#guesses.filter((guess) => guess.revision !== null && guess.revision <= this.revision));
  }

  #drop(guesses) {
    const gone = guesses.filter((guess) => this.#guesses.includes(guess));
    if (!gone.length) return;
    this.#guesses = this.#guesses.filter((guess) => !gone.includes(guess));
    this.#changedGuesses(gone);
  }

  #changedGuesses(guesses) {
    for (const { kind } of guesses) this.changed(`${kind}s`);
  }
}
