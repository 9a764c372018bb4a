// Keys that work everywhere on the page.

import { showHelp } from "./dialogs.js";
import { setSetting, setting } from "./store.js";

const HELP = [
  ["Space", "Play or pause"],
  ["n", "Next"],
  ["p", "Previous"],
  ["← →", "Ten seconds back or forward"],
  ["↑ ↓", "Volume of the zone"],
  ["s", "Shuffle"],
  ["r", "Repeat"],
  ["/", "Search"],
  ["1 2 3 4", "Now playing, queue, library, rooms"],
  ["?", "This list"],
  ["Alt+↑ Alt+↓", "Move the entry of the queue that has the focus"],
  ["Delete", "Remove the entry of the queue that has the focus"],
];
const PAGES = { 1: "#/playing", 2: "#/queue", 3: "#/library/albums", 4: "#/rooms" };
const VOLUME_STEP = 4;

/** Listens for keys. Single keys can be turned off, for people who speak to their computer. */
export class Keys {
  constructor(store, commands, search) {
    Object.assign(this, { store, commands, search });
    this.areOn = setting("keys", "on") === "on";
    document.addEventListener("keydown", (event) => this.#take(event));
  }

  help() {
    showHelp(HELP, this.areOn, (areOn) => {
      this.areOn = areOn;
      setSetting("keys", areOn ? "on" : "off");
    });
  }

  #take(event) {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || !this.areOn) return;
    if (document.querySelector("dialog[open]") || event.target.closest("input, select, textarea, [contenteditable]"))
      return;
    const isControl = Boolean(event.target.closest("button, a, [role=slider]"));
    const action = this.#actionFor(event.key, isControl);
    if (!action) return;
    event.preventDefault();
    action();
  }

  #actionFor(key, isControl) {
    const { store, commands } = this;
    const { zone } = store;
    const volume = (step) =>
      zone?.volume !== undefined && commands.setVolume(Math.max(0, Math.min(100, zone.volume + step)));
    const actions = {
      n: () => commands.next(),
      p: () => commands.previous(),
      s: () => commands.toggleShuffle(),
      r: () => commands.cycleRepeat(),
      "/": () => this.search(),
      "?": () => this.help(),
      ArrowLeft: () => commands.skip(-10),
      ArrowRight: () => commands.skip(10),
      ArrowUp: () => volume(VOLUME_STEP),
      ArrowDown: () => volume(-VOLUME_STEP),
    };
    // A focused button takes the space bar for itself.
    if (!isControl) actions[" "] = () => commands.toggle();
    if (PAGES[key]) return () => (location.hash = PAGES[key]);
    return Object.hasOwn(actions, key) ? actions[key] : null;
  }
}
