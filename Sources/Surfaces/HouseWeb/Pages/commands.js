// The commands of the house, each with the effect that the page shows before the house has answered.

import * as api from "./api.js";

const NEXT_REPEAT = { off: "all", all: "one", one: "off" };

/** The commands for the zone that the page controls, and for rooms. */
export class Commands {
  constructor(store) {
    this.store = store;
  }

  // Playback

  /** Plays what is shown as paused, and pauses what is shown as playing. */
  toggle(id = this.store.shown.zoneID) {
    const { store } = this;
    const shown = store.shown.zones.get(id);
    if (!shown) return;
    const plays = shown.state === "playing" || shown.state === "waiting";
    const position = store.position(store.zoneWith(id) ?? shown);
    const change = { state: plays ? "paused" : "playing", position, positionTime: store.now() };
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
    const id = this.store.shown.zoneID;
    const change = { position: seconds, positionTime: this.store.now() };
    return this.#controlZone(id, "position", { seconds }, change, `zone-${id}`);
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
    const change = { rate, position: store.position(store.zone), positionTime: store.now() };
    return this.#ofZone("PUT", "/rate", { rate }, change);
  }

  toggleShuffle() {
    const on = !this.#shownZone?.shuffle;
    return this.#ofZone("PUT", "/shuffle", { on }, { shuffle: on });
  }

  /** Goes on from off to all, to one, and to off again. */
  cycleRepeat() {
    const mode = NEXT_REPEAT[this.#shownZone?.repeatMode ?? "off"];
    return this.#ofZone("PUT", "/repeat", { mode }, { repeatMode: mode });
  }

  sleep(timer) {
    const guess = timer.seconds ? { at: this.store.now() + timer.seconds } : timer.endOfTrack ? timer : undefined;
    return this.#ofZone("PUT", "/sleep", timer, { sleep: guess });
  }

  setVolume(percent) {
    return this.#controlZone(this.store.shown.zoneID, "volume", { percent }, { volume: percent });
  }

  // The queue

  jump(entry) {
    const { store } = this;
    const change = { state: "playing", current: entry, position: 0, positionTime: store.now(), streamTitle: undefined };
    const index = store.queue.placeOf(entry.id);
    if (index >= 0) change.index = index;
    return this.#ofZone("POST", `/queue/${entry.id}/play`, {}, change);
  }

  add(items, place) {
    // The house may have to read a folder; a pause does not wait for that.
    const path = api.zonePath(this.store.shown.zoneID, "/queue");
    return this.store.command(() => api.post(path, { items, place }));
  }

  removeEntries(entries, zone = this.store.shown.zoneID) {
    const gone = new Set(entries);
    const send = () => this.#ofZone("POST", "/queue/remove", { entries }, null, zone);
    if (zone !== this.store.queue.zone) return send();
    return this.#editQueue(send, (items) => {
      for (let i = items.length - 1; i >= 0; i--) if (gone.has(items[i]?.id)) items.splice(i, 1);
    });
  }

  /** Moves the entry of one place to another place, as both are in the list now. */
  moveEntry(from, to) {
    const items = this.store.queue.items;
    const entry = items[from];
    const before = items[to > from ? to + 1 : to] ?? null;
    const isEnd = to >= this.store.queue.total - 1;
    if (!entry || from === to || (!before && !isEnd)) return null;
    const body = { entries: [entry.id], before: isEnd ? null : before.id };
    const send = () => this.#ofZone("POST", "/queue/move", body, null, this.store.queue.zone);
    return this.#editQueue(send, (list) => {
      const [moved] = list.splice(from, 1);
      list.splice(to, 0, moved);
    });
  }

  clear() {
    return this.#ofZone("DELETE", "/queue", undefined);
  }

  saveQueue(name) {
    return this.#ofZone("POST", "/queue/save", { name });
  }

  /** Shows an edit at once. Answered or refused, the queue is then loaded again. */
  async #editQueue(send, edit) {
    const { queue } = this.store;
    queue.hold();
    const items = queue.items.slice();
    // Entries that are not loaded are holes, and keep their places.
    items.length = queue.total;
    edit(items);
    queue.items = items;
    queue.total = items.length;
    this.store.changed("queue");
    const answer = await send();
    queue.release();
    return answer;
  }

  // Zones and rooms

  makeZone(name, rooms) {
    return this.store.command(() => api.post("/zones", { name, rooms }));
  }

  renameZone(zone, name) {
    const guess = { kind: "zone", id: zone, change: { name } };
    return this.store.command(() => api.patch(api.zonePath(zone), { name }), guess);
  }

  removeZone(zone) {
    return this.store.command(() => api.remove(api.zonePath(zone)));
  }

  transfer(zone, to) {
    return this.store.command(() => api.post(api.zonePath(zone, "/transfer"), { to }));
  }

  moveRoom(room, zone) {
    const change = { zone: zone ?? undefined, state: zone === null ? "idle" : "connecting", trouble: undefined };
    const send = () => api.put(api.roomPath(room, "/zone"), { zone });
    return this.store.inOrder(`room-${room}`, send, [{ kind: "room", id: room, change }]);
  }

  setRoomVolume(room, percent) {
    return this.#controlRoom(room, "volume", { percent }, { volume: percent });
  }

  setRoomDelay(room, milliseconds) {
    return this.#controlRoom(room, "delay", { milliseconds }, { delay: milliseconds });
  }

  setRoomPassword(room, password) {
    return this.store.command(() => api.put(api.roomPath(room, "/password"), { password }));
  }

  setRoomEqualizer(room, body) {
    const change = body.preset ? {} : { equalizer: body.gains ? { gains: body.gains } : undefined };
    return this.#controlRoom(room, "equalizer", body, change);
  }

  setRoomMaximum(room, percent) {
    return this.#controlRoom(room, "maximum", { percent }, { maximumVolume: percent });
  }

  setRoomNight(room, on) {
    return this.#controlRoom(room, "night", { on }, { nightMode: on });
  }

  setLevelling(zone, mode) {
    return this.#ofZone("PUT", "/levelling", { mode }, { levelling: mode }, zone);
  }

  playInput(zone, name) {
    return this.#ofZone("PUT", "/input", { name }, null, zone);
  }

  setCrossfade(zone, seconds) {
    return this.#controlZone(zone, "crossfade", { seconds }, { crossfade: seconds });
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
    if (id === undefined) return this.store.command(() => api.post("/alarms", alarm));
    const guess = { kind: "alarm", id, change: alarm };
    return this.store.inOrder(`alarm-${id}`, () => api.put(`/alarms/${id}`, alarm), [guess]);
  }

  removeAlarm(id) {
    return this.store.command(() => api.remove(`/alarms/${id}`));
  }

  // The demo

  async setCut(room, isCut) {
    const { store } = this;
    store.cutPresses += 1;
    store.cuts.set(room, isCut);
    store.changed("demo");
    const send = () => api.put(`/demo/${encodeURIComponent(room)}`, { isCut });
    await store.command(() => store.cutSender.run(send));
    // Lets the page load what is true now.
    store.changed("rooms");
  }

  get #shownZone() {
    return this.store.shown.zones.get(this.store.shown.zoneID);
  }

  #ofZone(method, rest, body, change = null, id = this.store.shown.zoneID) {
    if (id === null) return null;
    const guesses = change ? [{ kind: "zone", id, change }] : [];
    return this.store.inOrder(`zone-${id}`, () => api.request(method, api.zonePath(id, rest), body), guesses);
  }

  #controlZone(id, name, body, change, target) {
    if (id === null) return null;
    const send = () => api.put(api.zonePath(id, `/${name}`), body);
    return this.store.control(`zone-${id}-${name}`, send, { kind: "zone", id, change }, target);
  }

  #controlRoom(room, name, body, change) {
    const send = () => api.put(api.roomPath(room, `/${name}`), body);
    return this.store.control(`room-${room}-${name}`, send, { kind: "room", id: room, change });
  }
}
