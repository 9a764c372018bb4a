// Announcements: a sheet that sends a sound to rooms, and a banner while one is heard.

import { sheet, toast } from "./dialogs.js";
import { announce, fillRange, h, icon, iconButton, keyed, setAttribute, setText } from "./dom.js";

// Of the house; a browser would send the whole file in vain.
const SIZE_LIMIT = 32 * 1024 * 1024;

function roomNames(store, announcement) {
  return announcement.rooms.map((id) => store.room(id)?.name ?? id).join(", ");
}

/** The rooms as values of the query: an id with a comma stands alone. */
function roomValues(ids) {
  return [ids.filter((id) => !id.includes(",")).join(","), ...ids.filter((id) => id.includes(","))];
}

/** Opens the sheet. */
export function showSay(store, commands) {
  const file = h("input", { type: "file", id: "say-file", accept: "audio/*", required: true });
  const volume = h("input", { type: "range", class: "range", id: "say-volume", min: 0, max: 100, step: 1, value: 50 });
  const percent = h("span", { class: "percent" });
  const isSet = h("input", { type: "checkbox", id: "say-is-set" });
  const pauses = h("input", { type: "checkbox", id: "say-pause" });
  const rooms = store.rooms
    .filter((room) => room.isPresent)
    .map((room, place) => {
      const box = h("input", { type: "checkbox", id: `say-room-${place}`, value: room.id });
      return { box, element: h("label", { class: "chip", for: box.id }, box, h("span", { text: room.name })) };
    });
  const showVolume = () => {
    volume.disabled = !isSet.checked;
    fillRange(volume);
    setText(percent, isSet.checked ? `${volume.value} %` : "–");
  };
  volume.addEventListener("input", showVolume);
  isSet.addEventListener("change", showVolume);
  showVolume();
  const send = h("button", { type: "submit", class: "primary", text: "Play" });
  const form = h(
    "form",
    {},
    h("div", { class: "field" }, h("label", { for: "say-file", text: "Sound" }), file),
    h(
      "fieldset",
      { class: "field", "aria-describedby": "say-rooms-hint" },
      h("legend", { text: "Rooms" }),
      h("div", { class: "chips" }, ...rooms.map((room) => room.element)),
      h("small", { id: "say-rooms-hint", text: "If you choose no room, all rooms play it." }),
    ),
    h("label", { class: "check", for: "say-is-set" }, isSet, "Set the volume during the announcement"),
    h(
      "div",
      { class: "volume-line" },
      h("label", { class: "hidden", for: "say-volume", text: "Volume of the announcement" }),
      volume,
      percent,
    ),
    h("label", { class: "check", for: "say-pause" }, pauses, "Let the music wait"),
    h("div", { class: "buttons" }, send),
  );
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const [sound] = file.files;
    if (!sound) return;
    if (sound.size > SIZE_LIMIT) return toast("The file has more than 32 MB. Choose a shorter one.", { isError: true });
    send.disabled = true;
    const answer = await commands.announce(sound, {
      title: sound.name.replace(/\.[^.]+$/, "").slice(0, 100) || undefined,
      rooms: roomValues(rooms.filter(({ box }) => box.checked).map(({ box }) => box.value)),
      volume: isSet.checked ? volume.value : undefined,
      pause: pauses.checked ? "true" : undefined,
    });
    send.disabled = false;
    if (answer) form.reset();
    showVolume();
  });
  const list = h("ul", { class: "rows", role: "list" });
  const waiting = h("section", { class: "group", "aria-label": "Announcements" }, list);
  const dialog = sheet("Announcement", [form, waiting]);
  store.watchWhileOpen(dialog, ["announcements", "rooms", "house"], () => {
    waiting.hidden = store.announcements.length === 0;
    keyed(
      list,
      store.announcements,
      (each) => each.id,
      (each) => makeRow(each, commands),
      (row, each) => {
        setText(row.parts.title, each.title);
        setText(row.parts.note, `${each.state === "playing" ? "Playing now" : "Waiting"} · ${roomNames(store, each)}`);
      },
    );
  });
}

function makeRow({ id, title }, commands) {
  const parts = { title: h("span", { class: "row-title" }), note: h("span", { class: "row-note" }) };
  const row = h(
    "li",
    { class: "row" },
    h("span", { class: "row-main" }, h("span", { class: "two-lines" }, parts.title, parts.note)),
    iconButton("close", `Cancel ${title}`, () => commands.cancelAnnouncement(id)),
  );
  return Object.assign(row, { parts });
}

/** Fills the banner that is there while an announcement is heard. */
export function mountBanner(root, store, commands) {
  const text = h("span");
  const end = h("button", { type: "button", class: "chip", text: "End" });
  let current = null;
  end.addEventListener("click", () => current && commands.cancelAnnouncement(current.id));
  root.append(icon("megaphone", 20), text, end);
  store.watch(["announcements", "rooms", "house"], () => {
    const before = current?.id;
    current = store.announcements.find((each) => each.state === "playing") ?? null;
    root.hidden = !current;
    if (!current) return;
    setText(text, `${current.title} · ${roomNames(store, current)}`);
    setAttribute(end, "aria-label", `End the announcement ${current.title}`);
    if (before !== current.id) announce(`Announcement: ${current.title}`);
  });
}
