// The commands of the house, each with the effect that the page shows before the house has answered.

import * as api from "./api.js";

const NEXT_REPEAT = { off: "all", all: "one", one: "off" };

/** The commands for the zone that the page controls, and for rooms. */
export class Commands {
  constructor(store) {
    this.store = store;
  }

  // Playback

  toggle(id = this.store.zoneID) {
    const { store } = this;
    const zone = store.zoneWith(id);
    if (!zone) return;
    const plays = zone.state === "playing" || zone.state === "waiting";
    const change = { state: plays ? "paused" : "playing", position: store.position(zone), positionTime: store.now() };
    return this.#ofZone("POST", plays ? "/pause" : "/play", {}, change, id);
  }

  next() {
    return this.#ofZone("POST", "/next", {});
  }

  previous() {
    const { store } = this;
    const zone = store.zone;
    if (!zone) return;
    const isEarly = store.position(zone) <= 3;
    return this.#ofZone("POST", "/previous", {}, isEarly ? null : { position: 0, positionTime: store.now() });
  }

  seek(seconds) {
    return this.#controlZone(
      "position",
      "/position",
      { seconds },
      { position: seconds, positionTime: this.store.now() },
    );
  }

  skip(by) {
    const zone = this.store.zone;
    if (!zone?.current?.track.duration) return;
    const target = Math.max(0, Math.min(this.store.position(zone) + by, zone.current.track.duration - 1));
    return this.seek(target);
  }

  setRate(rate) {
    const { store } = this;
    if (!store.zone) return;
    return this.#ofZone(
      "PUT",
      "/rate",
      { rate },
      { rate, position: store.position(store.zone), positionTime: store.now() },
    );
  }

  setShuffle(on) {
    return this.#ofZone("PUT", "/shuffle", { on }, { shuffle: on });
  }

  /** Goes on from off to all, to one, and to off again. */
  cycleRepeat() {
    const mode = NEXT_REPEAT[this.store.zone?.repeatMode ?? "off"];
    return this.#ofZone("PUT", "/repeat", { mode }, { repeatMode: mode });
  }

  sleep(timer) {
    const guess = timer.seconds ? { at: this.store.now() + timer.seconds } : timer.endOfTrack ? timer : undefined;
    return this.#ofZone("PUT", "/sleep", timer, { sleep: guess });
  }

  setVolume(percent) {
    return this.#controlZone("volume", "/volume", { percent }, { volume: percent });
  }

  // The queue

  jump(entry) {
    const { store } = this;
    const change = { state: "playing", current: entry, position: 0, positionTime: store.now(), streamTitle: undefined };
    return this.#ofZone("POST", `/queue/${entry.id}/play`, {}, change);
  }

  add(items, place) {
    return this.#ofZone("POST", "/queue", { items, place });
  }

  removeEntries(entries, zone = this.store.zoneID) {
    const gone = new Set(entries);
    if (zone === this.store.zoneID)
      this.#editQueue((items) => {
        for (let i = items.length - 1; i >= 0; i--) if (gone.has(items[i]?.id)) items.splice(i, 1);
      });
    return this.#refreshAfter(this.#ofZone("POST", "/queue/remove", { entries }, null, zone));
  }

  /** Moves the entry of one place to another place, as both are in the list now. */
  moveEntry(from, to) {
    const items = this.store.queue.items;
    const entry = items[from];
    const before = items[to > from ? to + 1 : to] ?? null;
    const isEnd = to >= this.store.queue.total - 1;
    if (!entry || from === to || (!before && !isEnd)) return null;
    this.#editQueue((list) => {
      const [moved] = list.splice(from, 1);
      list.splice(to, 0, moved);
    });
    return this.#refreshAfter(
      this.#ofZone("POST", "/queue/move", { entries: [entry.id], before: isEnd ? null : before.id }),
    );
  }

  clear() {
    return this.#ofZone("DELETE", "/queue", undefined);
  }

  saveQueue(name) {
    return this.#ofZone("POST", "/queue/save", { name });
  }

  #editQueue(edit) {
    const { queue } = this.store;
    const items = queue.items.slice();
    // Entries that are not loaded are holes, and keep their places.
    items.length = queue.total;
    edit(items);
    queue.items = items;
    queue.total = items.length;
    this.store.changed("queue");
  }

  // A refused change of the queue is undone by loading it again.
  async #refreshAfter(sending) {
    const answer = await sending;
    if (!answer) this.store.queue.invalidate();
    return answer;
  }

  // Zones and rooms

  makeZone(name, rooms) {
    return this.store.command(() => api.post("/zones", { name, rooms }));
  }

  renameZone(zone, name) {
    return this.store.command(() => api.patch(api.zonePath(zone), { name }), {
      kind: "zone",
      id: zone,
      change: { name },
    });
  }

  removeZone(zone) {
    return this.store.command(() => api.remove(api.zonePath(zone)));
  }

  transfer(zone, to) {
    return this.store.command(() => api.post(api.zonePath(zone, "/transfer"), { to }));
  }

  moveRoom(room, zone) {
    const change = { zone: zone ?? undefined, state: zone === null ? "idle" : "connecting", trouble: undefined };
    return this.store.command(() => api.put(api.roomPath(room, "/zone"), { zone }), { kind: "room", id: room, change });
  }

  setRoomVolume(room, percent) {
    return this.#controlRoom(room, "volume", "/volume", { percent }, { volume: percent });
  }

  setRoomDelay(room, milliseconds) {
    return this.#controlRoom(room, "delay", "/delay", { milliseconds }, { delay: milliseconds });
  }

  setRoomPassword(room, password) {
    return this.store.command(() => api.put(api.roomPath(room, "/password"), { password }));
  }

  setRoomEqualizer(room, body) {
    return this.store.control(`room-${room}-equalizer`, () => api.put(api.roomPath(room, "/equalizer"), body), {
      kind: "room",
      id: room,
      change: body.preset ? {} : { equalizer: body.gains ? { gains: body.gains } : undefined },
    });
  }

  setRoomMaximum(room, percent) {
    return this.#controlRoom(room, "maximum", "/maximum", { percent }, { maximumVolume: percent });
  }

  setRoomNight(room, on) {
    return this.#controlRoom(room, "night", "/night", { on }, { nightMode: on });
  }

  setLevelling(zone, mode) {
    return this.#ofZone("PUT", "/levelling", { mode }, { levelling: mode }, zone);
  }

  playInput(zone, name) {
    return this.#ofZone("PUT", "/input", { name }, null, zone);
  }

  setCrossfade(zone, seconds) {
    return this.store.control(`zone-${zone}-crossfade`, () => api.put(api.zonePath(zone, "/crossfade"), { seconds }), {
      kind: "zone",
      id: zone,
      change: { crossfade: seconds },
    });
  }

  setSleepFade(zone, seconds) {
    return this.#ofZone("PUT", "/sleep-fade", { seconds }, { sleepFade: seconds }, zone);
  }

  forgetRoom(room) {
    return this.store.command(() => api.remove(api.roomPath(room)));
  }

  // Announcements and alarms

  announce(file, fields) {
    return this.store.command(() => api.upload("/announcements", file, fields));
  }

  cancelAnnouncement(id) {
    return this.store.command(() => api.remove(`/announcements/${id}`));
  }

  setAlarm({ id, ...alarm }) {
    return this.store.command(() => (id === undefined ? api.post("/alarms", alarm) : api.put(`/alarms/${id}`, alarm)));
  }

  removeAlarm(id) {
    return this.store.command(() => api.remove(`/alarms/${id}`));
  }

  // The demo

  async setCut(room, isCut) {
    const { store } = this;
    store.cuts.set(room, isCut);
    store.changed("demo");
    const answer = await store.command(() => api.put(`/demo/${encodeURIComponent(room)}`, { isCut }));
    store.cuts.set(room, answer ? isCut : !isCut);
    store.changed("demo");
  }

  #ofZone(method, rest, body, change = null, id = this.store.zoneID) {
    if (id === null) return null;
    const guesses = change ? [{ kind: "zone", id, change }] : [];
    return this.store.command(() => api.request(method, api.zonePath(id, rest), body), ...guesses);
  }

  #controlZone(name, rest, body, change) {
    const id = this.store.zoneID;
    if (id === null) return null;
    return this.store.control(`zone-${id}-${name}`, () => api.put(api.zonePath(id, rest), body), {
      kind: "zone",
      id,
      change,
    });
  }

  #controlRoom(room, name, rest, body, change) {
    const send = () => api.put(api.roomPath(room, rest), body);
    return this.store.control(`room-${room}-${name}`, send, { kind: "room", id: room, change });
  }
}
