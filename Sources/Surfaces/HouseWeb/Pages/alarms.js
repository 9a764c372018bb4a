// Alarms: music that begins by itself at a time of the day.

import { get } from "./api.js";
import { sheet } from "./dialogs.js";
import { fillRange, h, iconButton, keyed, setAttribute, setText } from "./dom.js";
import { choice, fadeChoice, fadeText, toggle } from "./sound.js";
import { joined } from "./words.js";

const DAYS = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];
const ALBUM_LIMIT = 500;

function timeText(minute) {
  return `${Math.floor(minute / 60)}:${String(minute % 60).padStart(2, "0")}`;
}

function daysText(days) {
  const places = DAYS.flatMap((day, place) => (days.includes(day) ? [place] : []));
  const all = places.join("");
  const known = { "": "Once", "0123456": "Every day", "01234": "Weekdays", 56: "Weekends" }[all];
  return known ?? places.map((place) => DAYS[place][0].toUpperCase() + DAYS[place].slice(1, 3)).join(", ");
}

/** Fills the section of the alarms. */
export function mountAlarms(root, store, commands) {
  const list = h("ul", { class: "rows alarm-list", role: "list" });
  const none = h("p", { class: "empty-note", text: "No alarm yet. An alarm starts music at a time of the day." });
  root.append(
    h(
      "div",
      { class: "panel-head" },
      h("h2", { id: "alarms-heading", tabindex: "-1", text: "Alarms" }),
      iconButton("plus", "New alarm", () => edit(null)),
    ),
    h("div", { class: "scroller" }, list, none),
  );

  function edit(id) {
    showAlarm(store, commands, id === null ? null : store.alarms.find((alarm) => alarm.id === id));
  }

  store.watch(["alarms", "zones", "house"], () => {
    none.hidden = store.alarms.length > 0 || !store.isKnown;
    keyed(
      list,
      store.alarms,
      (alarm) => alarm.id,
      (alarm) => makeRow(alarm.id),
      (row, alarm) => {
        const { parts } = row;
        const zone = store.zoneWith(alarm.zone)?.name ?? "A removed zone";
        setAttribute(row, "data-off", !alarm.isOn);
        setText(parts.time, timeText(alarm.minute));
        setText(
          parts.note,
          joined(
            daysText(alarm.days),
            zone,
            alarm.volume === undefined ? "" : `${Math.round(alarm.volume)} %`,
            alarm.fadeSeconds ? `rises in ${fadeText(alarm.fadeSeconds)}` : "",
          ),
        );
        setAttribute(parts.isOn.input, "aria-label", `Alarm at ${timeText(alarm.minute)}`);
        parts.isOn.input.checked = alarm.isOn;
      },
    );
  });

  function makeRow(id) {
    const parts = { time: h("span", { class: "alarm-time" }), note: h("span", { class: "row-note" }) };
    parts.isOn = toggle("", (isOn) => {
      const alarm = store.alarms.find((each) => each.id === id);
      if (alarm) commands.setAlarm({ ...alarm, isOn });
    });
    const main = h(
      "button",
      { type: "button", class: "row-main", on: { click: () => edit(id) } },
      h("span", { class: "two-lines" }, parts.time, parts.note),
    );
    return Object.assign(h("li", { class: "row alarm" }, main, parts.isOn), { parts });
  }
}

/** Opens the sheet that makes an alarm, or changes one. */
function showAlarm(store, commands, alarm) {
  const time = h("input", { type: "time", id: "alarm-time", required: true });
  time.value = alarm ? timeText(alarm.minute).padStart(5, "0") : "07:00";
  const zones = store.zones.map((zone) => [String(zone.id), zone.name]);
  const zone = choice("Zone", zones, alarm?.zone ?? store.zoneID);
  const music = choice("Music", [["", "Continue the queue"]], "");
  const days = DAYS.map((day) => {
    const box = h("input", { type: "checkbox", id: `alarm-${day}`, value: day });
    box.checked = Boolean(alarm?.days.includes(day));
    const name = day[0].toUpperCase() + day.slice(1);
    const short = h("span", { "aria-hidden": "true", text: name.slice(0, 2) });
    return { box, element: h("label", { class: "chip day", for: box.id }, box, short, h("span", { class: "hidden", text: name })) };
  });
  const isSet = h("input", { type: "checkbox", id: "alarm-is-set" });
  isSet.checked = alarm ? alarm.volume !== undefined : true;
  const volume = h("input", { type: "range", class: "range", id: "alarm-volume", min: 0, max: 100, step: 1 });
  volume.value = Math.round(alarm?.volume ?? 30);
  const percent = h("span", { class: "percent" });
  const showVolume = () => {
    volume.disabled = !isSet.checked;
    fillRange(volume);
    setText(percent, isSet.checked ? `${volume.value} %` : "–");
  };
  volume.addEventListener("input", showVolume);
  isSet.addEventListener("change", showVolume);
  showVolume();
  const fade = fadeChoice("Volume rises", alarm?.fadeSeconds ?? 30, "At once");
  fillMusic(music.select, alarm?.items ?? []);
  const form = h(
    "form",
    {},
    h("div", { class: "field" }, h("label", { for: "alarm-time", text: "Time" }), time),
    h(
      "fieldset",
      { class: "field" },
      h("legend", { text: "Days" }),
      h("div", { class: "chips days" }, ...days.map((day) => day.element)),
      h("small", { text: "Without days, the alarm rings once." }),
    ),
    zone,
    music,
    h("label", { class: "check", for: "alarm-is-set" }, isSet, "Set the volume"),
    h(
      "div",
      { class: "volume-line" },
      h("label", { class: "hidden", for: "alarm-volume", text: "Volume of the alarm" }),
      volume,
      percent,
    ),
    fade,
    h(
      "div",
      { class: "buttons" },
      alarm &&
        h("button", {
          type: "button",
          class: "primary dangerous",
          text: "Remove",
          on: { click: async () => (await commands.removeAlarm(alarm.id)) && dialog.close() },
        }),
      h("button", { type: "submit", class: "primary", text: alarm ? "Save" : "Make alarm" }),
    ),
  );
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const [hour, minute] = time.value.split(":").map(Number);
    const changed = {
      id: alarm?.id,
      zone: Number(zone.select.value),
      minute: hour * 60 + minute,
      days: days.filter(({ box }) => box.checked).map(({ box }) => box.value),
      items: music.select.value ? JSON.parse(music.select.value) : [],
      volume: isSet.checked ? Number(volume.value) : undefined,
      fadeSeconds: Number(fade.select.value),
      isOn: true,
    };
    // One that is off stays off, unless it rings once and has rung: with another time it is to ring again.
    const known = alarm && store.alarms?.find((one) => one.id === alarm.id);
    const isMoved = alarm && !changed.days.length && alarm.minute !== changed.minute;
    if (known && !isMoved) changed.isOn = known.isOn;
    if (await commands.setAlarm(changed)) dialog.close();
  });
  const dialog = sheet(alarm ? "Alarm" : "New alarm", [form]);
  time.focus();
}

/** Fills the choice of music with what the library has; the items of the alarm stay among them. */
async function fillMusic(select, items) {
  const own = items.length ? JSON.stringify(items) : "";
  if (own) {
    select.append(h("option", { value: own, text: "The previously chosen music" }));
    select.value = own;
  }
  const lists = [
    ["Playlists", "playlist", "/library/playlists", {}],
    ["Radio", "station", "/library/stations", {}],
    ["Albums", "album", "/library/albums", { count: ALBUM_LIMIT }],
  ];
  for (const [label, kind, path, fields] of lists) {
    // A library that does not answer leaves the queue as the choice.
    const found = (await get(path, fields).catch(() => ({}))).items ?? [];
    if (!found.length) continue;
    const options = found.map((item) =>
      h("option", {
        value: JSON.stringify([{ [kind]: item.id }]),
        text: joined(item.name ?? item.title, item.artist) || "Untitled",
      }),
    );
    select.append(h("optgroup", { label }, ...options));
  }
  if (!own) return;
  const same = [...select.querySelectorAll("optgroup option")].find((option) => option.value === own);
  if (!same) return;
  const isUntouched = select.value === own;
  const chosen = select.value;
  select.querySelector(":scope > option:nth-child(2)").remove();
  if (isUntouched) same.selected = true;
  else select.value = chosen;
}
