// How rooms and zones sound: sheets for the equaliser of a room and for the transitions of a zone.

import { sheet } from "./dialogs.js";
import { h, holdRange, setAttribute, setRange, setText } from "./dom.js";
import { span } from "./words.js";

const BANDS = ["31 Hz", "62 Hz", "125 Hz", "250 Hz", "500 Hz", "1 kHz", "2 kHz", "4 kHz", "8 kHz", "16 kHz"];
const PRESETS = ["flat", "bass", "treble", "voice", "loud"];
const LEVELLINGS = [
  ["off", "Off: original loudness"],
  ["track", "Same loudness for every track"],
  ["album", "Same loudness for every album"],
];
const FADES = [0, 10, 30, 60, 120, 300, 600];
let lastID = 0;

/** Says a time of seconds in words; 0 as `none`. */
export function fadeText(seconds, none = "At once") {
  if (!seconds) return none;
  return seconds < 60 ? `${Math.round(seconds)} s` : span(seconds);
}

/** A labelled choice. `choices` are pairs of value and text. */
export function choice(label, choices, chosen, onChange) {
  const id = `choice-${++lastID}`;
  const select = h("select", { id }, ...choices.map(([value, text]) => h("option", { value, text })));
  select.value = String(chosen);
  if (onChange) select.addEventListener("change", () => onChange(select.value));
  return Object.assign(h("div", { class: "field" }, h("label", { for: id, text: label }), select), { select });
}

/** A choice of a time; one that is not in the list is added to it. */
export function fadeChoice(label, chosen, none, onChange) {
  const times = [...new Set([...FADES, chosen])].sort((a, b) => a - b);
  const choices = times.map((seconds) => [String(seconds), fadeText(seconds, none)]);
  return choice(label, choices, chosen, onChange && ((value) => onChange(Number(value))));
}

/** A switch with its label. */
export function toggle(text, onChange) {
  const id = `switch-${++lastID}`;
  const input = h("input", { type: "checkbox", role: "switch", id });
  input.addEventListener("change", () => onChange(input.checked));
  return Object.assign(h("label", { class: "check switch", for: id }, h("span", { text }), input), { input });
}

/** Opens the sheet with the equaliser of a room. */
export function showEqualizer(store, commands, id) {
  const rows = BANDS.map((band, place) => {
    const input = h("input", { type: "range", class: "range", min: -12, max: 12, step: 0.5, "aria-label": band });
    const text = h("span", { class: "percent" });
    holdRange(input);
    input.addEventListener("input", () => {
      const gains = rows.map((row) => Number(row.input.value));
      commands.setRoomEqualizer(id, { gains });
    });
    return { input, text, place, element: h("div", { class: "band" }, h("span", { text: band }), input, text) };
  });
  const presets = PRESETS.map((preset) =>
    h("button", {
      type: "button",
      class: "chip",
      text: preset[0].toUpperCase() + preset.slice(1),
      on: { click: () => commands.setRoomEqualizer(id, { preset }) },
    }),
  );
  const off = h("button", {
    type: "button",
    class: "chip",
    text: "Reset",
    on: { click: () => commands.setRoomEqualizer(id, { gains: null }) },
  });
  const state = h("p", { role: "status" });
  const dialog = sheet(`Equaliser of ${store.room(id).name}`, [
    state,
    h("div", { class: "chips presets" }, ...presets, off),
    h("div", { class: "bands" }, ...rows.map((row) => row.element)),
  ]);
  store.watchWhileOpen(dialog, ["rooms", "house"], () => {
    const room = store.room(id);
    if (!room) return;
    setText(state, room.equalizer ? "On" : "Off: the sound is not changed.");
    for (const { input, text, place } of rows) {
      const gain = room.equalizer?.gains[place] ?? 0;
      setRange(input, gain);
      setText(text, `${gain > 0 ? "+" : ""}${Math.round(gain * 10) / 10} dB`);
      setAttribute(input, "aria-valuetext", text.textContent);
    }
  });
}

/** Opens the sheet with the transitions of a zone. */
export function showZoneSound(store, commands, id = store.zoneID) {
  const zone = store.zoneWith(id);
  if (!zone) return;
  const crossfade = h("input", { type: "range", class: "range", min: 0, max: 12, step: 1, id: "crossfade" });
  const seconds = h("span", { class: "percent" });
  holdRange(crossfade);
  crossfade.addEventListener("input", () => commands.setCrossfade(id, Number(crossfade.value)));
  const levelling = choice("Loudness", LEVELLINGS, zone.levelling ?? "off", (mode) => commands.setLevelling(id, mode));
  const fade = fadeChoice("Sleep timer: fade out", zone.sleepFade ?? 0, "At once", (value) =>
    commands.setSleepFade(id, value),
  );
  const dialog = sheet(`Sound of ${zone.name}`, [
    levelling,
    h(
      "div",
      { class: "field" },
      h("label", { for: "crossfade", text: "Crossfade" }),
      h("div", { class: "volume-line" }, crossfade, seconds),
    ),
    fade,
  ]);
  store.watchWhileOpen(dialog, ["zones", "house"], () => {
    const now = store.zoneWith(id);
    if (!now) return;
    setRange(crossfade, Math.round(now.crossfade ?? 0));
    setText(seconds, now.crossfade ? `${Math.round(now.crossfade)} s` : "Off");
    setAttribute(crossfade, "aria-valuetext", seconds.textContent);
    if (levelling.select.value !== now.levelling) levelling.select.value = now.levelling ?? "off";
  });
}
