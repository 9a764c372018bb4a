// Now playing: the large view, and the bar below the other views.

import { pictureAddress } from "./api.js";
import {
  chip,
  h,
  holdRange,
  icon,
  iconButton,
  drawIcon,
  keyed,
  picture,
  setAttribute,
  setButton,
  setPicture,
  setRange,
  setText,
} from "./dom.js";
import { menu } from "./dialogs.js";
import { showZoneSound } from "./sound.js";
import { SeekBar } from "./seekbar.js";
import { tint } from "./tint.js";
import { clock, joined, titleOf } from "./words.js";

const RATES = [0.5, 0.75, 0.9, 1, 1.1, 1.25, 1.5, 2];
const REPEATS = {
  off: ["repeat", "Repeat is off"],
  all: ["repeat", "Repeat all"],
  one: ["repeatOne", "Repeat one"],
};

function isPlaying(zone) {
  return zone?.state === "playing" || zone?.state === "waiting";
}

/** The line below the title: the artist, or what a station announces. */
function artistOf(zone) {
  const { track } = zone.current;
  return track.isLive ? (zone.streamTitle ?? "") : (track.artist ?? "");
}

function transport(commands, isLarge) {
  const size = isLarge ? "large" : "";
  const play = iconButton("play", "Play", () => commands.toggle(), {
    class: `play ${size}`,
    "aria-keyshortcuts": "Space",
  });
  const buttons = [
    iconButton("previous", "Previous", () => commands.previous(), { class: size, "aria-keyshortcuts": "p" }),
    play,
    iconButton("next", "Next", () => commands.next(), { class: size, "aria-keyshortcuts": "n" }),
  ];
  return { play, buttons };
}

function updateTransport({ play, buttons }, zone) {
  const isEmpty = !zone || zone.length === 0;
  // An input plays and pauses without a queue.
  const canPlay = !isEmpty || Boolean(zone?.input);
  setButton(play, isPlaying(zone) ? "pause" : "play", isPlaying(zone) ? "Pause" : "Play");
  for (const button of buttons) button.disabled = button === play ? !canPlay : isEmpty;
}

/** A slider for percents, with a label for screen readers. */
export function volumeSlider(label, send) {
  const input = h("input", { type: "range", min: 0, max: 100, step: 1, "aria-label": label, class: "range" });
  holdRange(input);
  input.addEventListener("input", () => send(Number(input.value)));
  return input;
}

/** Shows a volume on its slider and in percent; undefined is unknown. */
export function showVolume(slider, percent, volume) {
  const isKnown = volume !== undefined;
  setRange(slider, Math.round(volume ?? 0));
  setAttribute(slider, "aria-valuetext", isKnown ? null : "Unknown");
  setAttribute(percent, "data-unknown", !isKnown);
  setText(percent, isKnown ? `${Math.round(volume)} %` : "–");
}

/** Fills the section of the large view. */
export function mountPlaying(root, store, commands) {
  const art = picture("art");
  const title = h("h2", { id: "playing-heading", class: "title", tabindex: "-1" });
  const artist = h("p", { class: "artist" });
  const album = h("p", { class: "album" });
  const state = h("p", { class: "state", role: "status" });
  const keys = transport(commands, true);
  const shuffle = iconButton("shuffle", "Shuffle", () => commands.toggleShuffle(), {
    class: "toggle",
  });
  const repeat = iconButton("repeat", "Repeat", () => commands.cycleRepeat(), { class: "toggle" });
  const volume = volumeSlider("Volume of the zone", (percent) => commands.setVolume(percent));
  const percent = h("span", { class: "percent" });
  const opensMenu = { "aria-haspopup": "menu" };
  const sleep = chip("moon", "", () => sleepMenu(sleep, store, commands), opensMenu);
  const rate = chip("speed", "", () => rateMenu(rate, store, commands), opensMenu);
  const sound = chip("equalizer", "Sound", () => showZoneSound(store, commands), { "aria-label": "Sound" });
  const seekBar = new SeekBar(store, commands);
  const empty = h(
    "div",
    { class: "empty" },
    h("p", { text: "The queue is empty." }),
    h("a", { class: "button primary", href: "#/library/albums", text: "Choose music" }),
  );
  root.append(
    demoPanel(store, commands),
    h(
      "div",
      { class: "stage" },
      art,
      h(
        "div",
        { class: "console" },
        h("div", { class: "names" }, title, artist, album, state),
        empty,
        seekBar.element,
        h("div", { class: "transport" }, shuffle, ...keys.buttons, repeat),
        h("div", { class: "volume-line" }, icon("quiet", 20), volume, icon("volume", 20), percent),
        h("div", { class: "chips" }, sleep, rate, sound),
      ),
    ),
  );

  store.watch(["zones", "selection", "house"], () => {
    const { zone } = store;
    const track = zone?.current?.track;
    setAttribute(root, "data-state", zone?.state ?? "stopped");
    setAttribute(root, "data-empty", !track);
    setAttribute(root, "data-known", store.isKnown);
    setPicture(art, pictureAddress(track?.picture), track?.isLive);
    tint(pictureAddress(track?.picture));
    setAttribute(sound, "data-on", Boolean(zone && (zone.crossfade || (zone.levelling ?? "off") !== "off")));
    setText(title, zone?.input ? inputName(zone) : track ? titleOf(track) : store.isKnown ? "Nothing to play" : "Looking for the house…");
    setText(artist, zone?.input ? "" : track ? artistOf(zone) : "");
    setText(album, zone?.input ? joined("Live", zone.input.kind) : track?.isLive ? "Live radio" : (track?.album ?? ""));
    setText(
      state,
      zone?.state === "waiting"
        ? (zone.trouble?.message ?? "Waiting for the rooms…")
        : (zone?.trouble?.message ?? noRooms(zone)),
    );
    updateTransport(keys, zone);
    setAttribute(shuffle, "aria-pressed", String(Boolean(zone?.shuffle)));
    setButton(repeat, ...REPEATS[zone?.repeatMode ?? "off"]);
    setAttribute(repeat, "aria-pressed", String((zone?.repeatMode ?? "off") !== "off"));
    volume.disabled = !zone || zone.rooms.length === 0;
    showVolume(volume, percent, zone?.volume);
    setText(rate.lastElementChild, `${zone?.rate ?? 1} ×`);
    setAttribute(rate, "aria-label", `Speed: ${zone?.rate ?? 1}`);
    setAttribute(rate, "data-on", Boolean(zone && zone.rate !== 1));
    updateSleep(sleep, store);
    setText(
      document.head.querySelector("title"),
      joined(track && titleOf(track), track && artistOf(zone), store.about.name ?? "Tutti"),
    );
  });
  setInterval(() => updateSleep(sleep, store), 1000);
}

/** The name of a live input, which plays in place of the queue. */
function inputName({ input }) {
  return input.name || input.kind || "Live input";
}

function noRooms(zone) {
  return zone && zone.rooms.length === 0 ? "No room belongs to this zone. Choose one under Rooms." : "";
}

function updateSleep(button, store) {
  const timer = store.zone?.sleep;
  const text = !timer ? "Sleep" : timer.endOfTrack ? "End of track" : clock(timer.at - store.now());
  setText(button.lastElementChild, text);
  setAttribute(button, "aria-label", timer ? `Sleep timer: ${text}` : "Sleep timer");
  setAttribute(button, "data-on", Boolean(timer));
}

function sleepMenu(anchor, store, commands) {
  const timer = store.zone?.sleep;
  const minutes = [15, 30, 45, 60].map((n) => ({
    text: `In ${n} minutes`,
    icon: "moon",
    run: () => commands.sleep({ seconds: n * 60 }),
  }));
  menu(anchor, "Stop playing", [
    ...minutes,
    {
      text: "At the end of the track",
      icon: "note",
      isChosen: Boolean(timer?.endOfTrack),
      run: () => commands.sleep({ endOfTrack: true }),
    },
    ...(timer ? [null, { text: "Turn the timer off", icon: "close", run: () => commands.sleep({}) }] : []),
  ]);
}

function rateMenu(anchor, store, commands) {
  const now = store.zone?.rate ?? 1;
  menu(
    anchor,
    "Speed",
    RATES.map((rate) => ({
      text: rate === 1 ? "Normal" : `${rate} ×`,
      isChosen: rate === now,
      run: () => commands.setRate(rate),
    })),
  );
}

// The demo

function demoPanel(store, commands) {
  const plugs = h("div", { class: "plugs", role: "group", "aria-label": "Plugs of the rooms" });
  const line = h("div", { class: "plug-line" }, h("span", { text: "Pull the plug:" }), plugs);
  const text = h("p", {
    id: "demo-text",
    text: "These rooms are real receivers that run inside this machine, and they play the same music at the same moment. Each thin bar below the seek bar shows how much sound a room already holds. Pull a plug, and watch the room play on from its buffer until you plug it in again.",
  });
  const fold = iconButton(
    "close",
    "Hide the explanation",
    () => {
      text.hidden = !text.hidden;
      setButton(fold, text.hidden ? "help" : "close", text.hidden ? "Show the explanation" : "Hide the explanation");
    },
    { "aria-controls": "demo-text" },
  );
  const panel = h(
    "section",
    { class: "demo", "aria-labelledby": "demo-heading", hidden: true },
    h("div", { class: "demo-head" }, h("h2", { id: "demo-heading", text: "A house to try" }), fold),
    text,
    line,
  );
  store.watch(["demo", "rooms", "house"], () => {
    const isDemo = Boolean(store.about.demo);
    panel.hidden = !isDemo;
    const rooms = isDemo ? store.rooms.filter((room) => store.cuts.has(room.id) && room.zone !== undefined) : [];
    keyed(
      plugs,
      rooms,
      (room) => room.id,
      () => plugButton(store, commands),
      (button, room) => updatePlug(button, store, room, true),
    );
  });
  return panel;
}

/** A button that pulls the plug of a room of the demo, or plugs it in. */
export function plugButton(store, commands) {
  const button = chip("plug", "", () => commands.setCut(button.room, !button.isCut), { class: "chip plug" });
  return button;
}

export function updatePlug(button, store, room, isNamed) {
  const isCut = Boolean(store.cuts.get(room.id));
  Object.assign(button, { room: room.id, isCut });
  const action = isCut ? "Plug in" : "Pull the plug";
  setText(button.lastElementChild, isNamed ? (isCut ? `Plug in ${room.name}` : room.name) : action);
  setAttribute(button, "aria-label", `${action}: ${room.name}`);
  setAttribute(button, "data-on", isCut);
  drawIcon(button.firstElementChild, isCut ? "unplugged" : "plug");
}

/** Fills the bar that is below the other views. */
export function mountBar(root, store, commands) {
  const art = picture("small");
  const title = h("span", { class: "bar-title" });
  const artist = h("span", { class: "bar-artist" });
  const keys = transport(commands, false);
  const line = h("div", { class: "bar-line" }, h("div"));
  root.append(
    line,
    h("a", { class: "bar-names", href: "#/playing" }, art, h("span", { class: "two-lines" }, title, artist)),
    h("div", { class: "bar-keys" }, ...keys.buttons),
  );
  const update = () => {
    const { zone } = store;
    const track = zone?.current?.track;
    root.hidden = !track;
    if (!track) return;
    setPicture(art, pictureAddress(track.picture), track.isLive);
    setText(title, titleOf(track));
    setText(artist, joined(artistOf(zone), zone.name));
    updateTransport(keys, zone);
    drawLine();
  };
  const drawLine = () => {
    const { zone } = store;
    const track = zone?.current?.track;
    const part = track?.duration && !track.isLive ? store.position(zone) / track.duration : 0;
    line.firstElementChild.style.transform = `scaleX(${part.toFixed(4)})`;
  };
  store.watch(["zones", "selection", "house"], update);
  setInterval(() => !document.hidden && store.zone?.state === "playing" && drawLine(), 1000);
}
