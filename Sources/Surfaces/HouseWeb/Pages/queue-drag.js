// Moving an entry of the queue by mouse, by touch, or by the keys of its grip.

import { announce, setAttribute } from "./dom.js";
import { endPress } from "./presses.js";

const MOUSE_SLACK = 6;
const TOUCH_SLACK = 10;
const LONG_PRESS = 380;
// The list scrolls by itself while an entry is held this close to its edge.
const EDGE = 56;
const EDGE_SPEED = 14;

/** Watches a list, and calls back with the old and the new place of an entry. The list may change meanwhile. */
export class QueueDrag {
  #press = null;
  #grabbed = null;
  #frame = 0;

  /**
   * @param placeOf takes an index; returns a function that tells the entry's place from then on, or null
   * @param onMove takes the old and the new place
   */
  constructor(list, placeOf, onMove, nameOf) {
    Object.assign(this, { list, placeOf, onMove, nameOf, wasDragged: false });
    const { body } = list;
    body.addEventListener("pointerdown", (event) => this.#begin(event));
    body.addEventListener(
      "focusout",
      (event) => this.#grabbed && this.list.indexOf(event.target) === this.#grabbed.from && this.#release(false),
    );
    // A held entry must not scroll the list as well.
    body.addEventListener("touchmove", (event) => this.isActive && event.preventDefault(), { passive: false });
    body.addEventListener("contextmenu", (event) => this.#press && event.preventDefault());
  }

  get isActive() {
    return Boolean(this.#press?.isHeld || this.#grabbed);
  }

  /** Follows the held entry to its place in a list that has changed; ends the drag of an entry that is gone. */
  follow() {
    const grabbed = this.#grabbed;
    if (this.#press?.isHeld) this.#draw();
    else if (grabbed && (grabbed.place() !== grabbed.from || grabbed.to >= this.list.count)) this.#carry(0);
  }

  // Pointer

  #begin(event) {
    const from = this.list.indexOf(event.target);
    const place = from === null ? null : this.placeOf(from);
    if (!place || event.button !== 0 || event.target.closest(".row-more, .row-remove") || this.#press) return;
    this.wasDragged = false;
    const isGrip = Boolean(event.target.closest(".grip"));
    const rowTop = this.list.elementAt(from).getBoundingClientRect().top;
    const press = {
      place,
      to: from,
      isHeld: false,
      startX: event.clientX,
      startY: event.clientY,
      y: event.clientY,
      offset: event.clientY - rowTop,
      id: event.pointerId,
    };
    press.isTouch = event.pointerType === "touch" && !isGrip;
    if (press.isTouch) press.timer = setTimeout(() => this.#hold(), LONG_PRESS);
    this.#press = press;
    press.listeners = {
      pointermove: (move) => this.#follow(move),
      pointerup: () => this.#end(true),
      pointercancel: () => this.#end(false),
      keydown: (key) => key.key === "Escape" && this.#end(false),
    };
    for (const [name, listener] of Object.entries(press.listeners)) window.addEventListener(name, listener, true);
  }

  #follow(event) {
    const press = this.#press;
    if (event.pointerId !== press.id) return;
    press.y = event.clientY;
    const way = Math.hypot(event.clientX - press.startX, event.clientY - press.startY);
    if (press.isHeld) this.#draw();
    else if (press.isTouch && way > TOUCH_SLACK) this.#end(false);
    else if (!press.isTouch && way > MOUSE_SLACK) this.#hold();
  }

  #hold() {
    const press = this.#press;
    // The list changes under a drag.
    endPress();
    press.isHeld = true;
    this.wasDragged = true;
    navigator.vibrate?.(12);
    setAttribute(this.list.body, "data-dragging", true);
    this.#draw();
    this.#scrollAtEdge();
  }

  #draw() {
    const press = this.#press;
    const from = press.place();
    if (from < 0) return this.#end(false);
    const bodyTop = this.list.body.getBoundingClientRect().top;
    press.to = this.list.placeAt(press.y - press.offset + this.list.rowHeight / 2);
    this.list.dragY = press.y - press.offset - bodyTop;
    this.list.pinned = from;
    this.list.shift = { from, to: press.to };
    this.list.layout();
  }

  #scrollAtEdge() {
    this.#frame = requestAnimationFrame(() => {
      if (!this.#press?.isHeld) return;
      const edge = this.list.scroller.getBoundingClientRect();
      const above = edge.top + EDGE - this.#press.y;
      const below = this.#press.y - (edge.bottom - EDGE);
      const push = above > 0 ? -above : Math.max(0, below);
      if (push) {
        this.list.scroller.scrollTop += Math.max(-1, Math.min(1, push / EDGE)) * EDGE_SPEED;
        this.#draw();
      }
      this.#scrollAtEdge();
    });
  }

  #end(isDone) {
    const press = this.#press;
    clearTimeout(press.timer);
    cancelAnimationFrame(this.#frame);
    for (const [name, listener] of Object.entries(press.listeners)) window.removeEventListener(name, listener, true);
    this.#press = null;
    if (press.isHeld) this.#settle(press, isDone);
    // The click that follows a drag must not play the entry.
    setTimeout(() => (this.wasDragged = false), 50);
  }

  #settle({ place, to }, isDone) {
    const { list } = this;
    const from = place();
    setAttribute(list.body, "data-dragging", null);
    list.pinned = list.dragY = list.shift = null;
    if (isDone && from >= 0 && from !== to) this.onMove(from, to);
    list.refresh();
  }

  // Keys: space or Enter on the grip takes the entry, arrows move it, space or Enter puts it down, Escape puts it back.

  /** Returns whether the key was for an entry that is, or now is, taken. */
  takeKey(event, index) {
    const isAction = event.key === " " || event.key === "Enter";
    if (!this.#grabbed) {
      if (!isAction || !event.target.closest(".grip")) return false;
      this.#grab(index);
    } else if (isAction) this.#release(true);
    else if (event.key === "Escape") this.#release(false);
    else if (event.key === "ArrowDown" || event.key === "ArrowUp") this.#carry(event.key === "ArrowDown" ? 1 : -1);
    else return false;
    event.preventDefault();
    event.stopPropagation();
    return true;
  }

  #grab(index) {
    const place = this.placeOf(index);
    if (!place) return;
    this.#grabbed = { place, from: index, to: index };
    this.list.pinned = index;
    this.list.layout();
    setAttribute(this.list.body, "data-dragging", true);
    announce(`${this.nameOf(index)} is picked up. Move it with the arrow keys, drop it with space, or cancel with Escape.`);
  }

  #carry(step) {
    const grabbed = this.#grabbed;
    const from = grabbed.place();
    if (from < 0) return this.#release(false);
    const last = this.list.count - 1;
    grabbed.to = Math.max(0, Math.min(last, grabbed.to + from - grabbed.from + step));
    grabbed.from = this.list.pinned = from;
    this.list.shift = { from, to: grabbed.to };
    this.list.reveal(grabbed.to);
    announce(`Number ${grabbed.to + 1} of ${last + 1}.`);
  }

  #release(isDone) {
    const grabbed = this.#grabbed;
    const isThere = grabbed.place() >= 0;
    this.#grabbed = null;
    this.#settle(grabbed, isDone);
    if (!isThere) announce("The entry is no longer in the queue.");
    else if (isDone) this.list.focus(grabbed.to, ".grip");
    else announce("Moved back.");
  }
}
