// The queue of the zone: a list of any length that is edited while it plays.

import { pictureAddress } from "./api.js";
import { announce, h, icon, iconButton, picture, setAttribute, setPicture, setText } from "./dom.js";
import { ask, menu, toast } from "./dialogs.js";
import { VirtualList } from "./list.js";
import { QueueDrag } from "./queue-drag.js";
import { clock, count, joined, titleOf } from "./words.js";

const ROW_HEIGHT = 60;

/** Fills the queue's panel. */
export function mountQueue(root, store, commands) {
  return new QueueView(root, store, commands);
}

class QueueView {
  constructor(root, store, commands) {
    Object.assign(this, { store, commands });
    this.summary = h("p", { class: "panel-note" });
    this.scroller = h("div", { class: "scroller" });
    this.empty = h("p", { class: "empty-note", text: "Nothing is queued. Add music from the library." });
    this.more = iconButton("more", "More for the queue", () => this.#showQueueMenu(), { "aria-haspopup": "menu" });
    root.append(
      h(
        "div",
        { class: "panel-head" },
        h("h2", { id: "queue-heading", tabindex: "-1", text: "Queue" }),
        this.summary,
        this.more,
      ),
      this.empty,
      this.scroller,
    );
    this.list = new VirtualList(this.scroller, {
      rowHeight: ROW_HEIGHT,
      className: "queue-list",
      label: "Queue",
      create: () => this.#makeRow(),
      update: (row, index) => this.#updateRow(row, index),
      onRange: (first, last) => store.queue.want(first, last),
    });
    this.scroller.append(this.list.body);
    this.drag = new QueueDrag(
      this.list,
      (index) => this.#placeOf(this.#shown(index)),
      (from, to) => this.#move(from, to),
      (index) => titleOf(this.#shown(index)?.track ?? {}),
    );
    this.list.body.addEventListener("keydown", (event) => this.#onKey(event));
    this.shownEntry = null;
    store.watch(["queue", "zones", "selection", "house"], () => this.#update());
    store.watch(["depths"], () => this.#updateHeld());
  }

  #entry(index) {
    return this.store.queue.items[index];
  }

  // The entry that a row shows; the queue may have another one there already.
  #shown(index) {
    return this.list.elementAt(index)?.entry;
  }

  // Returns a function that tells the present place of an entry, or -1 once the entry or this whole queue is gone.
  // Returns null for an entry that is not loaded.
  #placeOf(entry) {
    const { queue } = this.store;
    return entry ? () => (this.store.queue === queue ? queue.placeOf(entry.id) : -1) : null;
  }

  #update() {
    const { store } = this;
    const { queue, zone } = store;
    this.empty.hidden = queue.total > 0 || !store.isKnown;
    this.more.disabled = queue.total === 0;
    this.heldUntil = this.#lastHeld();
    this.#updateList();
    const place =
      zone?.index !== undefined && zone.length ? `${zone.index + 1} of ${queue.total.toLocaleString("en")}` : "";
    setText(this.summary, queue.total ? place || count(queue.total, "track") : "");
    // Follows the music, unless the user looks elsewhere in the list.
    const key = `${store.zoneID}/${zone?.current?.id}`;
    if (key !== this.shownEntry && zone?.index !== undefined && this.list.rowHeight && this.scroller.clientHeight) {
      const isFirst = this.shownEntry === null || !this.shownEntry.startsWith(`${store.zoneID}/`);
      this.shownEntry = key;
      if (isFirst) this.list.reveal(zone.index, true);
      else if (!this.drag.isActive && !this.scroller.matches(":hover, :focus-within")) this.list.reveal(zone.index);
    }
  }

  // The focus stays with its entry, and a drag as well: another browser may have moved the entry to another row.
  #updateList() {
    const { queue } = this.store;
    const focused = document.activeElement;
    const row = focused?.closest(".queue-row");
    const entry = row?.dataset.entry;
    this.list.setCount(queue.total);
    this.drag.follow();
    const place = entry ? queue.placeOf(Number(entry)) : -1;
    if (place < 0 || place === Number(row.dataset.index)) return;
    this.list.elementAt(place)?.querySelector(selectorOf(focused))?.focus({ preventScroll: true });
  }

  #updateHeld() {
    const held = this.#lastHeld();
    if (held === this.heldUntil) return;
    this.heldUntil = held;
    this.list.refresh();
  }

  // The last place of which a room holds sound already. In random order the house alone knows what is next.
  #lastHeld() {
    const { zone } = this.store;
    if (zone?.index === undefined || zone.shuffle || zone.state === "stopped") return -1;
    const depths = this.store.roomsOf(zone.id).map((room) => this.store.depths.get(room.id)?.seconds ?? 0);
    let left = Math.max(0, ...depths) * zone.rate + this.store.position(zone);
    let index = zone.index;
    for (let duration = this.#duration(index); duration && left > duration; duration = this.#duration(++index))
      left -= duration;
    return index;
  }

  #duration(index) {
    return this.#entry(index)?.track.duration;
  }

  // Rows

  #makeRow() {
    const parts = {
      art: picture("small"),
      title: h("span", { class: "row-title" }),
      note: h("span", { class: "row-note" }),
      held: h(
        "span",
        { class: "held", title: "The speakers hold this already; you can still change it" },
        h("span", { class: "hidden", text: "In the speakers already" }),
      ),
      time: h("span", { class: "row-time" }),
    };
    parts.main = h(
      "button",
      { type: "button", class: "row-main" },
      parts.art,
      h("span", { class: "two-lines" }, parts.title, parts.note),
    );
    parts.grip = h("button", { type: "button", class: "icon-button grip" }, icon("grip", 20));
    parts.more = iconButton("more", "More", () => {}, { "aria-haspopup": "menu", class: "row-more" });
    parts.remove = iconButton("close", "Remove", () => {}, { class: "row-remove" });
    const row = h(
      "li",
      { class: "row queue-row", role: "listitem" },
      parts.grip,
      parts.main,
      parts.held,
      parts.time,
      parts.remove,
      parts.more,
    );
    parts.main.addEventListener("click", () => row.entry && !this.drag.wasDragged && this.commands.jump(row.entry));
    parts.more.addEventListener("click", () => row.entry && this.#showRowMenu(parts.more, row.entry));
    parts.remove.addEventListener("click", () => this.#remove(row.entry));
    row.parts = parts;
    return row;
  }

  #updateRow(row, index) {
    const { parts } = row;
    const entry = this.#entry(index);
    row.entry = entry;
    setAttribute(row, "data-loading", !entry);
    if (!entry) {
      setText(parts.title, "");
      setText(parts.note, "");
      setText(parts.time, "");
      setAttribute(row, "data-entry", null);
      return setPicture(parts.art, null);
    }
    const { zone } = this.store;
    const { track, failure } = entry;
    const title = titleOf(track);
    const isCurrent = zone?.current?.id === entry.id;
    setAttribute(row, "data-entry", entry.id);
    setAttribute(row, "data-current", isCurrent ? zone.state : null);
    setAttribute(row, "data-failed", Boolean(failure));
    setAttribute(parts.main, "aria-current", isCurrent ? "true" : null);
    setText(parts.title, title);
    setText(parts.note, failure ?? (track.isLive ? "Live radio" : joined(track.artist, track.album)));
    setAttribute(parts.note, "title", failure ?? null);
    setText(parts.time, track.isLive ? "" : clock(track.duration));
    setPicture(parts.art, this.list.isFast ? null : pictureAddress(track.picture), track.isLive);
    parts.held.hidden = !(zone?.index !== undefined && index >= zone.index && index <= this.heldUntil);
    setAttribute(parts.grip, "aria-label", `Move ${title}`);
    setAttribute(parts.more, "aria-label", `More for ${title}`);
    setAttribute(parts.remove, "aria-label", `Remove ${title}`);
  }

  // Actions

  async #move(from, to) {
    const title = titleOf(this.#entry(from)?.track ?? {});
    if (!(await this.commands.moveEntry(from, to))) return;
    announce(`${title} is now number ${to + 1} of ${this.store.queue.total}.`);
  }

  async #remove(entry) {
    if (!entry) return;
    const index = this.store.queue.placeOf(entry.id);
    const focused = document.activeElement;
    const hadFocus = focused?.closest(".queue-row")?.entry?.id === entry.id;
    const removing = this.commands.removeEntries([entry.id]);
    if (hadFocus && index >= 0)
      requestAnimationFrame(() => {
        // The user may have gone elsewhere since.
        if (document.activeElement !== focused && document.activeElement !== document.body) return;
        this.list.focus(Math.min(index, this.store.queue.total - 1), ".row-main");
      });
    if (await removing) announce(`${titleOf(entry.track)} was removed.`);
  }

  #showRowMenu(anchor, entry) {
    const placeNow = this.#placeOf(entry);
    // The queue may change while the menu is open.
    const at = (act) => () => {
      const place = placeNow();
      if (place >= 0) act(place);
    };
    menu(anchor, entry.failure ?? titleOf(entry.track), [
      { text: "Play now", icon: "play", run: at(() => this.commands.jump(entry)) },
      { text: "Play next", icon: "playNext", run: at((place) => this.#move(place, this.#nextFor(place))) },
      { text: "Move to the end", icon: "addEnd", run: at((place) => this.#move(place, this.store.queue.total - 1)) },
      null,
      { text: "Remove", icon: "trash", isDangerous: true, run: at(() => this.#remove(entry)) },
    ]);
  }

  // The place after the current entry, for an entry that leaves its own place.
  #nextFor(place) {
    const current = this.store.zone?.index ?? -1;
    return place > current ? current + 1 : current;
  }

  #showQueueMenu() {
    const { store, commands } = this;
    const { queue, zone } = store;
    menu(this.more, "Queue", [
      { text: "Show the current entry", icon: "playing", run: () => this.list.focus(store.zone?.index ?? 0, ".row-main") },
      { text: "Save as a playlist…", icon: "save", run: () => this.#save() },
      null,
      {
        text: "Clear",
        icon: "trash",
        isDangerous: true,
        run: async () => {
          const isSure = await ask({
            title: "Clear the queue?",
            text: `Removes ${count(queue.total, "track")}, and stops ${zone.name}.`,
            confirm: "Clear",
            isDangerous: true,
          });
          if (isSure && store.queue === queue) commands.clear();
        },
      },
    ]);
  }

  async #save() {
    const answer = await ask({
      title: "Save as a playlist",
      fields: [{ name: "name", label: "Name", value: "" }],
      confirm: "Save",
    });
    if (answer && (await this.commands.saveQueue(answer.name))) toast(`Saved as “${answer.name}”.`);
  }

  #onKey(event) {
    const index = this.list.indexOf(event.target);
    if (index === null) return;
    if (this.drag.takeKey(event, index)) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const selector = selectorOf(event.target);
    if (step && event.altKey) this.#moveByKey(this.#shown(index), step, selector);
    else if (step) this.list.focus(index + step, selector);
    else if (event.key === "Home") this.list.focus(0, selector);
    else if (event.key === "End") this.list.focus(this.store.queue.total - 1, selector);
    else if (event.key === "Delete") this.#remove(this.#shown(index));
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  #moveByKey(entry, step, selector) {
    const place = this.#placeOf(entry)?.() ?? -1;
    const to = place + step;
    if (place < 0 || to < 0 || to >= this.store.queue.total) return;
    this.#move(place, to);
    this.list.refresh();
    this.list.focus(to, selector);
  }
}

// Selects the same control in another row.
function selectorOf(control) {
  return "." + [...control.classList].find((name) => name.startsWith("row-") || name === "grip");
}
