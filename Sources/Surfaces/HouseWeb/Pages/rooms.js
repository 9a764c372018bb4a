// Rooms, grouped by zone.

import {
  announce,
  chip,
  drawIcon,
  h,
  holdRange,
  icon,
  iconButton,
  keyed,
  setAttribute,
  setButton,
  setRange,
  setText,
} from "./dom.js";
import { ask, menu, toast } from "./dialogs.js";
import { plugButton, showVolume, updatePlug, volumeSlider } from "./playing.js";
import { showSay } from "./announcements.js";
import { showEqualizer, showZoneSound, toggle } from "./sound.js";
import { joined, roomNote, roomSession, roomTrouble, titleOf, zoneState } from "./words.js";

// The fill of a buffer whose size is unknown is shown against this.
const USUAL_SECONDS = 60;

/** Fills the rooms' panel. */
export function mountRooms(root, store, commands) {
  return new RoomsView(root, store, commands);
}

class RoomsView {
  constructor(root, store, commands) {
    Object.assign(this, { store, commands });
    this.zones = h("div", { class: "zones" });
    this.free = h("ul", { class: "room-list", role: "list" });
    this.freeCard = h(
      "section",
      { class: "zone-card free", "aria-labelledby": "free-heading" },
      h("h3", { id: "free-heading", class: "free-heading", text: "Not in a zone" }),
      this.free,
    );
    this.none = h("p", {
      class: "empty-note",
      text: "No room was found yet. Speakers on this network appear here automatically.",
    });
    root.append(
      h(
        "div",
        { class: "panel-head" },
        h("h2", { id: "rooms-heading", tabindex: "-1", text: "Rooms" }),
        h(
          "div",
          { class: "panel-actions" },
          iconButton("megaphone", "Announcement", () => showSay(store, commands)),
          h(
            "a",
            { class: "icon-button", href: "#/alarms", "aria-label": "Alarms", title: "Alarms" },
            icon("alarm"),
          ),
          iconButton("plus", "New zone", () => this.#makeZone()),
        ),
      ),
      h(
        "div",
        { class: "scroller" },
        (this.troubles = h("div", { class: "house-troubles" })),
        this.zones,
        this.freeCard,
        this.none,
      ),
    );
    store.watch(["zones", "rooms", "selection", "house", "demo"], () => this.#update());
    store.watch(["depths"], () => this.#updateDepths());
    store.watch(["troubles"], () =>
      keyed(
        this.troubles,
        store.troubles,
        (trouble) => trouble.code + trouble.message,
        (trouble) => h("p", { class: "trouble" }, icon("warning", 18), h("span", { text: trouble.message })),
        () => {},
      ),
    );
  }

  #update() {
    const { store } = this;
    const rooms = store.rooms;
    keyed(
      this.zones,
      store.zones,
      (zone) => zone.id,
      (zone) => this.#makeZoneCard(zone.id),
      (card, zone) => this.#updateZoneCard(card, zone),
    );
    const free = rooms.filter((room) => room.zone === undefined || !store.zoneWith(room.zone));
    this.freeCard.hidden = free.length === 0;
    this.none.hidden = rooms.length > 0 || !store.isKnown;
    this.#updateRooms(this.free, free);
  }

  // Zones

  #makeZoneCard(id) {
    const name = h("span", { class: "zone-name" });
    const note = h("span", { class: "row-note" });
    const choose = h(
      "button",
      { type: "button", class: "zone-choose", on: { click: () => this.store.select(id) } },
      h("span", { class: "two-lines" }, name, note),
    );
    const play = iconButton("play", "Play", () => this.commands.toggle(id));
    const more = iconButton("more", "More", () => this.#showZoneMenu(more, id), { "aria-haspopup": "menu" });
    const list = h("ul", { class: "room-list", role: "list" });
    const empty = h("p", { class: "empty-note small", text: "No room yet: choose this zone, then tap a room." });
    const card = h(
      "section",
      { class: "zone-card", "data-zone": id },
      h("div", { class: "zone-head" }, choose, play, more),
      list,
      empty,
    );
    return Object.assign(card, { parts: { name, note, choose, play, more, list, empty } });
  }

  #updateZoneCard(card, zone) {
    const { parts } = card;
    const isChosen = zone.id === this.store.zoneID;
    const plays = zone.state === "playing" || zone.state === "waiting";
    setAttribute(card, "aria-label", `Zone ${zone.name}`);
    setAttribute(card, "data-chosen", isChosen);
    setAttribute(parts.choose, "aria-pressed", String(isChosen));
    setText(parts.name, zone.name);
    setText(parts.note, joined(zoneState(zone), zone.current && titleOf(zone.current.track)));
    setButton(parts.play, plays ? "pause" : "play", `${plays ? "Pause" : "Play"} ${zone.name}`);
    setAttribute(parts.more, "aria-label", `More for ${zone.name}`);
    parts.play.disabled = zone.length === 0 && !zone.input;
    const rooms = this.store.roomsOf(zone.id);
    parts.empty.hidden = rooms.length > 0;
    this.#updateRooms(parts.list, rooms);
  }

  #showZoneMenu(anchor, id) {
    const { store, commands } = this;
    const zone = store.zoneWith(id);
    const others = store.zones.filter((each) => each.id !== id);
    menu(anchor, zone.name, [
      { text: "Rename…", icon: "edit", run: () => this.#rename(zone) },
      ...(zone.inputs ?? []).map((input) => ({
        text: `Play ${input.name}`,
        icon: "radio",
        isChosen: zone.input?.name === input.name,
        run: () => commands.playInput(id, input.name),
      })),
      { text: "Sound…", icon: "equalizer", run: () => showZoneSound(store, commands, id) },
      ...(zone.length
        ? others.map((other) => ({
            text: `Move playback to ${other.name}`,
            icon: "move",
            run: async () => {
              if (await commands.transfer(id, other.id)) store.select(other.id);
            },
          }))
        : []),
      null,
      { text: "Remove the zone", icon: "trash", isDangerous: true, run: () => this.#removeZone(zone) },
    ]);
  }

  async #rename(zone) {
    const answer = await ask({
      title: "Rename the zone",
      fields: [{ name: "name", label: "Name", value: zone.name }],
      confirm: "Rename",
    });
    if (answer) this.commands.renameZone(zone.id, answer.name);
  }

  async #removeZone(zone) {
    const isSure = await ask({
      title: `Remove ${zone.name}?`,
      text: "Its queue is removed too. Its rooms then belong to no zone.",
      confirm: "Remove",
      isDangerous: true,
    });
    if (isSure) this.commands.removeZone(zone.id);
  }

  async #makeZone() {
    const answer = await ask({
      title: "New zone",
      text: "Rooms of one zone play the same queue together.",
      fields: [{ name: "name", label: "Name", placeholder: "Upstairs" }],
      confirm: "Make zone",
    });
    if (!answer) return;
    const made = await this.commands.makeZone(answer.name, []);
    if (!made?.zone) return;
    this.store.select(made.zone);
    toast(`Tap the rooms that belong to ${answer.name}.`);
  }

  // Rooms

  #updateRooms(list, rooms) {
    keyed(
      list,
      rooms,
      (room) => room.id,
      (room) => this.#makeRoom(room.id),
      (item, room) => this.#updateRoom(item, room),
    );
  }

  #makeRoom(id) {
    const parts = {
      name: h("span", { class: "room-name" }),
      note: h("span", { class: "row-note" }),
      mark: h("span", { class: "room-mark" }, icon("check", 18)),
      battery: h("span", { class: "battery" }, h("span", { class: "battery-fill" })),
      seconds: h("span", { class: "battery-text" }),
      trouble: h("p", { class: "trouble" }, icon("warning", 18), h("span")),
      plug: plugButton(this.store, this.commands),
      volume: volumeSlider("Volume", (percent) => this.commands.setRoomVolume(id, percent)),
      percent: h("span", { class: "percent" }),
      delay: h("input", { type: "range", class: "range", min: -1000, max: 1000, step: 10 }),
      delayText: h("span", { class: "percent" }),
      password: chip("lock", "Enter password", () => this.#askPassword(id)),
      maximum: volumeSlider("Loudest volume", (value) => this.commands.setRoomMaximum(id, Math.max(1, value))),
      maximumText: h("span", { class: "percent" }),
      night: toggle("Night mode: no loud passages", (isOn) => this.commands.setRoomNight(id, isOn)),
      equalizer: chip("equalizer", "Equaliser", () => showEqualizer(this.store, this.commands, id)),
      forget: chip("trash", "Forget this room", () => this.commands.forgetRoom(id)),
    };
    holdRange(parts.delay);
    parts.delay.addEventListener("input", () => this.commands.setRoomDelay(id, Number(parts.delay.value)));
    parts.join = h(
      "button",
      { type: "button", class: "room-join", on: { click: () => this.#join(id) } },
      parts.mark,
      h("span", { class: "two-lines" }, parts.name, parts.note),
    );
    parts.settings = iconButton(
      "settings",
      "Settings",
      () => {
        parts.details.hidden = !parts.details.hidden;
        setAttribute(parts.settings, "aria-expanded", String(!parts.details.hidden));
      },
      { "aria-expanded": "false" },
    );
    parts.meter = h("span", { class: "depth" }, parts.seconds, parts.battery);
    parts.volumeLine = h("div", { class: "volume-line" }, icon("volume", 18), parts.volume, parts.percent);
    parts.delayLine = h(
      "div",
      { class: "delay-line" },
      h("span", { class: "delay-label", text: "Delay" }),
      parts.delay,
      parts.delayText,
    );
    parts.maximumLine = h(
      "div",
      { class: "maximum-line" },
      h("span", { class: "delay-label", text: "Loudest" }),
      parts.maximum,
      parts.maximumText,
    );
    parts.details = h(
      "div",
      { class: "room-details", hidden: true },
      parts.delayLine,
      parts.maximumLine,
      parts.night,
      (parts.model = h("p", { class: "panel-note" })),
      h("div", { class: "chips" }, parts.equalizer, parts.forget),
    );
    const item = h(
      "li",
      { class: "room", "data-room": id },
      h("div", { class: "room-head" }, parts.join, parts.meter, parts.settings),
      parts.trouble,
      parts.volumeLine,
      h("div", { class: "chips" }, parts.password, parts.plug),
      parts.details,
    );
    return Object.assign(item, { parts, room: id });
  }

  #updateRoom(item, room) {
    const { parts } = item;
    const { store } = this;
    const isHere = room.zone !== undefined && room.zone === store.zoneID;
    setAttribute(item, "data-state", room.isPresent ? room.state : "absent");
    setAttribute(item, "data-here", isHere);
    setText(parts.name, room.name);
    setText(parts.note, roomNote(room));
    setAttribute(parts.join, "aria-pressed", String(isHere));
    setAttribute(parts.join, "title", joinHint(store, room, isHere));
    setAttribute(parts.settings, "aria-label", `Settings of ${room.name}`);
    drawIcon(parts.mark.firstElementChild, isHere ? "check" : "plus");
    const trouble = roomTrouble(room);
    parts.trouble.hidden = !trouble;
    setText(parts.trouble.lastElementChild, trouble ?? "");
    parts.volumeLine.hidden = room.zone === undefined;
    setAttribute(parts.volume, "aria-label", `Volume of ${room.name}`);
    showVolume(parts.volume, parts.percent, room.volume);
    setAttribute(parts.delay, "aria-label", `Delay of ${room.name} in milliseconds`);
    setRange(parts.delay, Math.round(room.delay));
    setText(parts.delayText, `${Math.round(room.delay)} ms`);
    setAttribute(parts.maximum, "aria-label", `Loudest volume of ${room.name}`);
    showVolume(parts.maximum, parts.maximumText, room.maximumVolume ?? 100);
    setAttribute(parts.night.input, "aria-label", `Night mode of ${room.name}`);
    parts.night.input.checked = Boolean(room.nightMode);
    setAttribute(parts.equalizer, "aria-label", `Equaliser of ${room.name}`);
    setAttribute(parts.equalizer, "data-on", Boolean(room.equalizer));
    setText(
      parts.model,
      joined(
        room.model,
        { airPlay: "AirPlay", local: "Output of this machine", bluetooth: "Bluetooth" }[room.kind],
        roomSession(room),
      ),
    );
    parts.password.hidden = !room.needsPassword;
    parts.forget.hidden = room.isPresent || room.zone !== undefined;
    parts.plug.hidden = !store.about.demo || !store.cuts.has(room.id);
    updatePlug(parts.plug, store, room, false);
    this.#updateDepth(item);
  }

  #updateDepths() {
    for (const item of this.zones.querySelectorAll(".room")) this.#updateDepth(item);
  }

  #updateDepth(item) {
    const depth = this.store.depths.get(item.room);
    const room = this.store.room(item.room);
    const { meter, battery, seconds } = item.parts;
    meter.hidden = !depth || !room;
    if (meter.hidden) return;
    const part = depth.fraction || Math.min(1, depth.seconds / USUAL_SECONDS);
    battery.style.setProperty("--part", `${Math.round(part * 100)}%`);
    setAttribute(battery, "data-low", room.state === "starved" || room.state === "lost" || part < 0.1);
    setText(seconds, `${Math.floor(depth.seconds)} s`);
    setAttribute(meter, "title", `${Math.floor(depth.seconds)} seconds of sound in the buffer of ${room.name}`);
  }

  async #join(id) {
    const { commands } = this;
    const { zones, rooms, zoneID } = this.store.shown;
    const room = rooms.get(id);
    const zone = zones.get(zoneID);
    if (!zone) return this.#makeZone();
    const isHere = room.zone === zone.id;
    if (!isHere && room.needsPassword && !(await this.#askPassword(id))) return;
    if (await commands.moveRoom(id, isHere ? null : zone.id))
      announce(`${room.name} ${isHere ? "left" : "joined"} ${zone.name}.`);
  }

  async #askPassword(id) {
    const room = this.store.room(id);
    const answer = await ask({
      title: `Password of ${room.name}`,
      confirm: "Send",
      fields: [
        {
          name: "password",
          label: "Password or PIN",
          type: "password",
          hint: "The device shows the PIN. The house stores it for later.",
        },
      ],
    });
    return answer ? this.commands.setRoomPassword(id, answer.password) : null;
  }
}

function joinHint(store, room, isHere) {
  const zone = store.zone?.name;
  if (!zone) return null;
  if (isHere) return `Take ${room.name} out of ${zone}`;
  return `Let ${room.name} play with ${zone}`;
}
