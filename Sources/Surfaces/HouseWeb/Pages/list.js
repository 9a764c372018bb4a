// A list, or a grid, that keeps only the visible elements in the page and uses them again.

import { afterPress } from "./presses.js";

const OVERSCAN = 6;
// Milliseconds without scrolling after which the elements are put into reading order.
const SETTLE_DELAY = 120;
// Rows in one step of scrolling above which it is fast.
const FAST_ROWS = 3;

/** Shows `count` items in a scrolling element. */
export class VirtualList {
  #elements = new Map();
  #pool = [];
  #count = 0;
  #columns = 1;
  #rowHeight;
  #frame = 0;
  #settling = 0;
  #lastTop = 0;

  /**
   * @param scroller the element that scrolls
   * @param options.create makes an empty element; options.update fills it for an index
   * @param options.rowHeight pixels, or a function of the width of a column
   * @param options.minColumn the least width of a column; without it there is one column
   * @param options.onRange takes the first and the last visible index
   */
  constructor(scroller, options) {
    this.scroller = scroller;
    this.options = options;
    this.#rowHeight = typeof options.rowHeight === "number" ? options.rowHeight : 0;
    this.body = document.createElement("ul");
    this.body.className = "virtual " + (options.className ?? "");
    if (options.label) this.body.setAttribute("aria-label", options.label);
    // Some readers drop the role of a list without bullets.
    this.body.setAttribute("role", "list");
    // The item that is dragged: kept in the page, drawn at `dragY` if set, else at the place `shift.to`.
    this.pinned = null;
    this.dragY = null;
    this.shift = null;
    // Whether items pass so quickly that pictures are not worth loading; the items are filled again afterwards.
    this.isFast = false;
    scroller.addEventListener("scroll", () => this.#onScroll(), { passive: true });
    new ResizeObserver(() => this.#measure()).observe(this.body);
  }

  get rowHeight() {
    return this.#rowHeight;
  }

  get count() {
    return this.#count;
  }

  setCount(count) {
    this.#count = count;
    this.body.hidden = count === 0;
    this.#setHeight();
    this.refresh();
  }

  /** Fills the visible elements again. */
  refresh() {
    this.layout();
    for (const [index, element] of this.#elements) this.options.update(element, index);
  }

  elementAt(index) {
    return this.#elements.get(index) ?? null;
  }

  /** The index of the item that an element belongs to; null for none. */
  indexOf(element) {
    const row = element?.closest?.("[data-index]");
    return row && this.body.contains(row) ? Number(row.dataset.index) : null;
  }

  /** Makes an item visible. */
  reveal(index, isCentred = false) {
    const { scroller } = this;
    const start = this.#offset() + Math.floor(index / this.#columns) * this.#rowHeight;
    const height = scroller.clientHeight;
    if (isCentred) scroller.scrollTop = start - height / 2 + this.#rowHeight / 2;
    else if (start < scroller.scrollTop) scroller.scrollTop = start;
    else if (start + this.#rowHeight > scroller.scrollTop + height)
      scroller.scrollTop = start + this.#rowHeight - height;
    this.layout();
  }

  /** Moves the focus to a control of an item. */
  focus(index, selector) {
    if (index < 0 || index >= this.#count) return;
    this.reveal(index);
    this.elementAt(index)?.querySelector(selector)?.focus({ preventScroll: true });
  }

  /** The place that a point of the screen is over. */
  placeAt(clientY) {
    const y = clientY - this.body.getBoundingClientRect().top;
    return Math.max(0, Math.min(this.#count - 1, Math.floor(y / this.#rowHeight)));
  }

  /** Puts the elements where they belong now. */
  layout() {
    if (!this.#rowHeight || !this.body.isConnected) return;
    const top = this.scroller.scrollTop - this.#offset();
    const first = Math.max(0, Math.floor(top / this.#rowHeight) - OVERSCAN) * this.#columns;
    const last = Math.min(
      this.#count,
      (Math.ceil((top + this.scroller.clientHeight) / this.#rowHeight) + OVERSCAN) * this.#columns,
    );
    const focused = this.indexOf(document.activeElement);
    for (const [index, element] of this.#elements) {
      const isKept =
        (index >= first && index < last) || ((index === focused || index === this.pinned) && index < this.#count);
      if (!isKept) this.#release(index, element);
    }
    for (let index = first; index < last; index++) if (!this.#elements.has(index)) this.#use(index);
    if (this.pinned !== null && this.pinned < this.#count && !this.#elements.has(this.pinned)) this.#use(this.pinned);
    for (const [index, element] of this.#elements) this.#place(element, index);
    clearTimeout(this.#settling);
    this.#settling = setTimeout(() => afterPress(() => this.#settle()), SETTLE_DELAY);
    this.options.onRange?.(first, Math.max(first, last - 1));
  }

  // Puts the elements into reading order, for the tab key and screen readers. The one with the focus stays where it is, or it would
  // lose the focus.
  #sort() {
    const sorted = [...this.#elements].sort(([a], [b]) => a - b);
    const isSorted = sorted.every(
      ([, element], i) => !i || sorted[i - 1][1].compareDocumentPosition(element) & Node.DOCUMENT_POSITION_FOLLOWING,
    );
    if (isSorted) return;
    const focused = this.indexOf(document.activeElement);
    const anchor = focused === null ? null : this.#elements.get(focused);
    for (const [index, element] of sorted) {
      if (element === anchor) continue;
      if (anchor && index < focused) this.body.insertBefore(element, anchor);
      else this.body.append(element);
    }
  }

  #onScroll() {
    const top = this.scroller.scrollTop;
    this.isFast = Math.abs(top - this.#lastTop) > this.#rowHeight * FAST_ROWS;
    this.#lastTop = top;
    this.layout();
  }

  #settle() {
    if (this.isFast) {
      this.isFast = false;
      this.refresh();
    }
    this.#sort();
  }

  #use(index) {
    const element = this.#pool.pop() ?? this.#create();
    this.#elements.set(index, element);
    element.dataset.index = index;
    element.hidden = false;
    if (!element.isConnected) this.body.append(element);
    this.options.update(element, index);
  }

  #create() {
    const element = this.options.create();
    element.classList.add("virtual-item");
    return element;
  }

  #release(index, element) {
    this.#elements.delete(index);
    element.hidden = true;
    element.removeAttribute("data-held");
    this.#pool.push(element);
  }

  #place(element, index) {
    const row = Math.floor(index / this.#columns);
    let y = row * this.#rowHeight;
    if (this.shift) {
      const { from, to } = this.shift;
      if (index === from) y = this.dragY ?? to * this.#rowHeight;
      else if (index > from && index <= to) y -= this.#rowHeight;
      else if (index < from && index >= to) y += this.#rowHeight;
    }
    const x = this.#columns > 1 ? `${(index % this.#columns) * 100}%` : "0";
    const place = `translate(${x}, ${y}px)`;
    if (element.style.transform !== place) element.style.transform = place;
    element.toggleAttribute("data-held", index === this.pinned);
    if (element.ariaSetSize !== String(this.#count)) element.ariaSetSize = String(this.#count);
    if (element.ariaPosInSet !== String(index + 1)) element.ariaPosInSet = String(index + 1);
  }

  #offset() {
    return this.body.offsetTop - (this.body.offsetParent === this.scroller ? 0 : this.scroller.offsetTop);
  }

  #measure() {
    cancelAnimationFrame(this.#frame);
    this.#frame = requestAnimationFrame(() => {
      const width = this.body.clientWidth;
      if (!width) return;
      const { minColumn, rowHeight } = this.options;
      this.#columns = minColumn ? Math.max(2, Math.floor(width / minColumn)) : 1;
      this.#rowHeight = typeof rowHeight === "function" ? rowHeight(width / this.#columns) : rowHeight;
      this.body.style.setProperty("--columns", this.#columns);
      this.#setHeight();
      this.layout();
    });
  }

  #setHeight() {
    this.body.style.height = `${Math.ceil(this.#count / this.#columns) * this.#rowHeight}px`;
  }
}
