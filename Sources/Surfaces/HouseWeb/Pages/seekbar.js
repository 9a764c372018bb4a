// The seek bar, and below it one lane for each room: how far the room's buffer is filled ahead of the playhead, in the same scale.

import { h, keyed, setAttribute, setText } from "./dom.js";
import { clock, spoken } from "./words.js";

const KEY_STEPS = { ArrowLeft: -5, ArrowDown: -5, ArrowRight: 5, ArrowUp: 5, PageDown: -30, PageUp: 30 };
// With more rooms than this, lanes lose their captions, so that the controls stay in sight.
const CAPTIONED_LANES = 4;
// Below this, a room that plays is about to fall silent.
const LOW_SECONDS = 5;

/** Draws position and buffers of the store's zone. */
export class SeekBar {
  #drag = null;
  #frame = 0;
  #shown = { head: -1, second: -1 };

  constructor(store, commands) {
    this.store = store;
    this.commands = commands;
    this.slider = h(
      "div",
      { class: "seek", role: "slider", tabindex: "0", "aria-label": "Position", "aria-valuemin": "0" },
      h("div", { class: "seek-track" }, h("div", { class: "seek-played" })),
      h("div", { class: "seek-thumb" }),
      (this.bubble = h("output", { class: "seek-bubble", "aria-hidden": "true" })),
    );
    this.elapsed = h("span", { class: "elapsed" });
    this.remaining = h("span", { class: "remaining" });
    this.lanes = h("ul", { class: "lanes", "aria-label": "Buffers of the rooms", role: "list" });
    this.element = h(
      "div",
      { class: "seek-area" },
      this.slider,
      h("div", { class: "times" }, this.elapsed, this.remaining),
      this.lanes,
    );
    this.slider.addEventListener("pointerdown", (event) => this.#startDrag(event));
    this.slider.addEventListener("keydown", (event) => this.#step(event));
    document.addEventListener("visibilitychange", () => this.update());
    store.watch(["zones", "selection", "house"], () => this.update());
    store.watch(["depths", "rooms", "zones", "demo"], () => this.#updateLanes());
  }

  /** Follows a change of the zone; runs by itself while the zone plays and the page is visible. */
  update() {
    this.#shown = { head: -1, second: -1 };
    this.#draw();
    cancelAnimationFrame(this.#frame);
    if (this.store.zone?.state === "playing" && !document.hidden) this.#run();
  }

  #run() {
    this.#frame = requestAnimationFrame(() => {
      this.#draw();
      this.#run();
    });
  }

  get #duration() {
    const track = this.store.zone?.current?.track;
    return track && !track.isLive && track.duration > 0 ? track.duration : null;
  }

  #draw() {
    const { zone } = this.store;
    const duration = this.#duration;
    setAttribute(this.slider, "hidden", duration === null);
    setAttribute(this.remaining, "hidden", duration === null);
    const position = this.#drag ?? (zone ? this.store.position(zone) : 0);
    this.#drawHead(duration ? position / duration : 0);
    const second = Math.floor(position);
    if (second === this.#shown.second) return;
    this.#shown.second = second;
    setText(this.elapsed, zone?.current ? clock(position) : "");
    if (duration === null) return;
    setText(this.remaining, `−${clock(Math.ceil(duration - position))}`);
    setAttribute(this.slider, "aria-valuemax", Math.round(duration));
    setAttribute(this.slider, "aria-valuenow", second);
    setAttribute(this.slider, "aria-valuetext", `${spoken(position)} of ${spoken(duration)}`);
  }

  // A step that cannot be seen is not drawn.
  #drawHead(part) {
    const head = Math.round(part * 4000) / 40;
    if (head === this.#shown.head) return;
    this.#shown.head = head;
    this.element.style.setProperty("--head", `${head}%`);
  }

  // Lanes

  #updateLanes() {
    const { store } = this;
    const zone = store.zone;
    const rooms = zone?.current ? store.roomsOf(zone.id) : [];
    setAttribute(this.lanes, "data-compact", rooms.length > CAPTIONED_LANES);
    // The picture above gets the height that the lanes leave.
    this.element.closest(".stage")?.style.setProperty("--lanes", Math.min(rooms.length, CAPTIONED_LANES));
    keyed(
      this.lanes,
      rooms,
      (room) => room.id,
      () => this.#makeLane(),
      (lane, room) => this.#updateLane(lane, zone, room),
    );
  }

  #makeLane() {
    const fill = h("div", { class: "lane-fill" });
    const name = h("span", { class: "lane-name" });
    const depth = h("span", { class: "lane-depth" });
    const meter = h("div", { class: "lane-track", role: "meter", "aria-valuemin": "0" }, fill);
    return Object.assign(h("li", { class: "lane" }, meter, h("div", { class: "lane-caption" }, name, depth)), {
      parts: { fill, name, depth, meter },
    });
  }

  #updateLane(lane, zone, room) {
    const { fill, name, depth, meter } = lane.parts;
    const known = this.store.depths.get(room.id);
    const seconds = known?.seconds ?? 0;
    const duration = this.#duration;
    const end = duration ? (this.#positionAt(zone, known) + seconds * zone.rate) / duration : (known?.fraction ?? 0);
    const isLow =
      room.state === "starved" ||
      room.state === "lost" ||
      (zone.state === "playing" && known && seconds < LOW_SECONDS && room.kind !== "local");
    setAttribute(lane, "data-low", Boolean(isLow));
    setAttribute(lane, "data-live", duration === null);
    fill.style.setProperty("--end", `${(Math.min(1, Math.max(0, end)) * 100).toFixed(2)}%`);
    setText(name, room.name);
    const caption = known ? `${Math.floor(seconds)} s ahead` : room.state === "connecting" ? "connecting…" : "no sound";
    setText(depth, room.state === "starved" ? `${Math.floor(seconds)} s left in its buffer` : caption);
    setAttribute(meter, "aria-label", `${room.name}, seconds of sound in its buffer`);
    setAttribute(meter, "aria-valuemax", Math.max(120, Math.ceil(seconds)));
    setAttribute(meter, "aria-valuenow", Math.floor(seconds));
    setAttribute(meter, "aria-valuetext", `${Math.floor(seconds)} seconds`);
    setAttribute(lane, "title", `${room.name}: ${caption}`);
  }

  // The end of the buffer stays where it is until the next report, while the playhead moves towards it.
  #positionAt(zone, known) {
    if (!known) return 0;
    const position = this.store.position(zone);
    return zone.state === "playing" ? position - (this.store.now() - known.time) * zone.rate : position;
  }

  // Seeking

  #startDrag(event) {
    if (event.button !== 0 || this.#duration === null) return;
    event.preventDefault();
    this.slider.focus({ preventScroll: true });
    this.slider.setPointerCapture(event.pointerId);
    const edge = this.slider.getBoundingClientRect();
    const follow = (move) => {
      const part = Math.max(0, Math.min(1, (move.clientX - edge.left) / edge.width));
      this.#drag = part * this.#duration;
      setText(this.bubble, clock(this.#drag));
      setAttribute(this.slider, "data-dragging", true);
      this.#draw();
    };
    const end = (isDone) => {
      for (const [name, listener] of Object.entries(listeners)) this.slider.removeEventListener(name, listener);
      const target = this.#drag;
      this.#drag = null;
      setAttribute(this.slider, "data-dragging", false);
      if (isDone) this.commands.seek(target);
      this.update();
    };
    const listeners = {
      pointermove: follow,
      pointerup: () => end(true),
      pointercancel: () => end(false),
      keydown: (key) => key.key === "Escape" && end(false),
    };
    for (const [name, listener] of Object.entries(listeners)) this.slider.addEventListener(name, listener);
    follow(event);
  }

  #step(event) {
    const duration = this.#duration;
    if (duration === null || event.altKey || event.ctrlKey || event.metaKey) return;
    const position = this.store.position(this.store.zone);
    const step = KEY_STEPS[event.key];
    const target = step ? position + step : { Home: 0, End: duration - 1 }[event.key];
    if (target === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    this.commands.seek(Math.max(0, Math.min(target, duration - 1)));
  }
}
