// The start of the page: joins the parts, and shows the view that the address names.

import { get, post } from "./api.js";
import { mountAlarms } from "./alarms.js";
import { mountBanner } from "./announcements.js";
import { Commands } from "./commands.js";
import { h, icon, iconButton, setAttribute, setButton, setText } from "./dom.js";
import { menu } from "./dialogs.js";
import { EventStream } from "./events.js";
import { Keys } from "./keys.js";
import { LibraryView } from "./library.js";
import { mountBar, mountPlaying } from "./playing.js";
import { afterPress } from "./presses.js";
import { mountQueue } from "./queue.js";
import { mountRooms } from "./rooms.js";
import { Store, setSetting, setting } from "./store.js";
import { joined, titleOf, zoneState } from "./words.js";

const TABS = [
  ["playing", "#/playing", "Playing"],
  ["queue", "#/queue", "Queue"],
  ["library", "#/library/albums", "Library"],
  ["rooms", "#/rooms", "Rooms"],
];
// Views without a tab, with the tab that leads to them.
const SUBVIEWS = { alarms: "rooms" };
const SEARCH_DELAY = 120;
// A short loss is not worth a word.
const QUIET_LOSS = 1200;
const THEMES = {
  system: ["light", "auto", "Theme: as in the system"],
  light: ["dark", "sun", "Theme: light"],
  dark: ["system", "moon", "Theme: dark"],
};

const byID = (id) => document.getElementById(id);
const store = new Store();
const commands = new Commands(store);
const stream = new EventStream(
  (name, data, revision) => store.receive(name, data, revision),
  (state) => {
    store.setConnection(state);
    if (state === "lost") checkAccess();
  },
);

mountPlaying(byID("playing"), store, commands);
mountBar(byID("bar"), store, commands);
mountQueue(byID("queue"), store, commands);
mountRooms(byID("rooms"), store, commands);
mountAlarms(byID("alarms"), store, commands);
mountBanner(byID("announcement"), store, commands);
const library = new LibraryView(byID("library"), store, commands);
const keys = new Keys(store, commands, focusSearch);
mountHeader();
mountSearch();
mountConnection();
window.addEventListener("hashchange", () => route(true));
window.addEventListener("tutti-access", () => checkAccess());
byID("skip").addEventListener("click", () => byID("main").focus());
route(false);
start();

async function start() {
  if (!(await checkAccess())) return;
  stream.open();
  // A server that has started anew may be another one.
  store.watch(["house"], loadAbout);
  // No event tells of a plug, but its room changes soon after.
  store.watch(["rooms"], loadCuts);
}

async function loadAbout() {
  store.about = await get("/about").catch(() => store.about);
  store.changed("demo");
  await loadCuts();
}

async function loadCuts() {
  if (!store.about.demo) return;
  const { cutPresses } = store;
  const demo = await store.cutSender.run(() => get("/demo"), "cuts").catch(() => null);
  // A press since then is loaded by itself, once the house has it.
  if (!demo || cutPresses !== store.cutPresses) return;
  store.cuts = new Map(demo.rooms.map(({ room, isCut }) => [room, isCut]));
  store.changed("demo");
}

// Views

function route(byUser) {
  const [path, query = ""] = location.hash.replace(/^#\/?/, "").split("?");
  const [view = "", ...rest] = path.split("/").map(decode);
  const name = TABS.some(([tab]) => tab === view) || view in SUBVIEWS ? view : "playing";
  const isChange = document.body.dataset.view !== name;
  document.body.dataset.view = name;
  for (const link of byID("tabs").children)
    setAttribute(link, "aria-current", link.dataset.tab === (SUBVIEWS[name] ?? name) ? "page" : null);
  if (name === "library") library.show(rest, new URLSearchParams(query));
  const field = byID("search-field");
  const isTyping = document.activeElement === field;
  if (rest[0] !== "search") field.value = "";
  else if (!isTyping) field.value = new URLSearchParams(query).get("q") ?? "";
  if (byUser && !isTyping && (isChange || name === "library"))
    byID(`${name}-heading`).focus({ preventScroll: true });
}

function decode(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

// Header

function mountHeader() {
  byID("tabs").append(
    ...TABS.map(([name, address, text]) =>
      h("a", { href: address, "data-tab": name }, icon(name), h("span", { text })),
    ),
  );
  const theme = iconButton("auto", "Theme", () => {
    const [next] = THEMES[setting("theme", "system")] ?? THEMES.system;
    setSetting("theme", next);
    document.documentElement.dataset.theme = next;
    showTheme();
  });
  const showTheme = () => setButton(theme, ...(THEMES[setting("theme", "system")] ?? THEMES.system).slice(1));
  showTheme();
  const search = iconButton("search", "Search", focusSearch, { class: "search-open", "aria-keyshortcuts": "/" });
  byID("top-actions").append(
    search,
    theme,
    iconButton("help", "Keys", () => keys.help(), { class: "help-open", "aria-keyshortcuts": "?" }),
  );

  const button = byID("zone-button");
  const name = h("span", { class: "zone-name" });
  const note = h("span", { class: "row-note" });
  button.append(h("span", { class: "two-lines" }, name, note), icon("down", 18));
  button.addEventListener("click", () => showZones(button));
  store.watch(["zones", "rooms", "selection", "house"], () => {
    const rooms = store.zone ? store.roomsOf(store.zoneID).map((room) => room.name) : [];
    setText(name, store.zone?.name ?? (store.isKnown ? "No zone" : "…"));
    setText(
      note,
      rooms.length > 2
        ? `${rooms[0]} + ${rooms.length - 1} rooms`
        : rooms.join(", ") || (store.isKnown ? "No rooms" : ""),
    );
    setAttribute(button, "aria-label", `Zone: ${name.textContent}`);
  });
}

function showZones(anchor) {
  menu(anchor, "Control", [
    ...store.zones.map((zone) => ({
      text: zone.name,
      note: joined(zoneState(zone), zone.current && titleOf(zone.current.track)),
      isChosen: zone.id === store.zoneID,
      run: () => store.select(zone.id),
    })),
    null,
    { text: "Rooms and zones", icon: "rooms", run: () => (location.hash = "#/rooms") },
  ]);
}

// Search

function mountSearch() {
  const field = byID("search-field");
  let timer = 0;
  const search = () => {
    clearTimeout(timer);
    const text = field.value.trim();
    const address = text ? `#/library/search?${new URLSearchParams({ q: text })}` : "#/library/albums";
    if (location.hash === address) return;
    // One step of the history for a whole search.
    if (location.hash.startsWith("#/library/search")) {
      history.replaceState(null, "", address);
      route(false);
    } else location.hash = address;
  };
  field.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(search, SEARCH_DELAY);
  });
  field.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && field.value === "") field.blur();
  });
  byID("search").addEventListener("submit", (event) => {
    event.preventDefault();
    search();
  });
}

function focusSearch() {
  if (document.body.dataset.view !== "library" && getComputedStyle(byID("search")).display === "none")
    location.hash = "#/library/albums";
  // The field is shown by the view's style, which applies after the address has changed.
  requestAnimationFrame(() => requestAnimationFrame(() => byID("search-field").focus()));
}

// Connection

function mountConnection() {
  const notice = byID("connection");
  let timer = 0;
  const show = () => store.connection === "lost" && setText(notice, "The house is not connected. Trying again…");
  store.watch(["connection"], () => {
    clearTimeout(timer);
    if (store.connection !== "lost") return setText(notice, "");
    timer = setTimeout(() => afterPress(show), QUIET_LOSS);
  });
}

// Access

/** Asks for the code if the house wants one. Returns whether the page may go on. */
async function checkAccess() {
  const access = await get("/access").catch(() => null);
  const isAllowed = !access || access.isAllowed !== false;
  if (!isAllowed) showAccess();
  return isAllowed;
}

function showAccess() {
  const section = byID("access");
  if (!section.hidden) return;
  stream.close();
  document.body.dataset.locked = "";
  const error = h("p", { class: "trouble", role: "alert", hidden: true });
  const field = h("input", {
    id: "code",
    type: "text",
    inputmode: "numeric",
    autocomplete: "one-time-code",
    required: true,
    maxlength: 64,
    "aria-describedby": "code-hint",
  });
  const form = h(
    "form",
    { class: "access-card", "aria-labelledby": "access-heading" },
    h("img", { src: "/icon.svg", alt: "", width: 56, height: 56 }),
    h("h1", { id: "access-heading", text: "Welcome to the house" }),
    h("label", { for: "code", text: "Code" }),
    field,
    h("p", {
      id: "code-hint",
      class: "panel-note",
      text: "Run “tutti serve --code” on the machine of the service.",
    }),
    error,
    h("button", { type: "submit", class: "button primary", text: "Connect" }),
  );
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    try {
      await post("/access", { code: field.value.trim() });
      location.reload();
    } catch (problem) {
      error.hidden = false;
      setText(error, problem.message);
      field.select();
    }
  });
  section.replaceChildren(form);
  section.hidden = false;
  field.focus();
}
