// A long list of the house of which only the parts that were looked at are loaded.

const PAGE = 200;

/** Loads a list by pages. Old items stay visible until the new ones are there. */
export class Pages {
  #load;
  #onChange;
  #fresh = new Set();
  #generation = 0;
  #isLoading = false;
  #holds = 0;
  #wanted = [0, 0];

  /**
   * @param load takes start and count, and returns { total, items } by a promise
   * @param onChange takes nothing; called after items have changed
   */
  constructor(load, onChange) {
    this.#load = load;
    this.#onChange = onChange;
    this.items = [];
    this.total = 0;
    this.isKnown = false;
    this.error = null;
  }

  /** Marks all as old, and loads again what is looked at. */
  invalidate() {
    this.#generation += 1;
    this.#fresh.clear();
    this.error = null;
    this.#fill();
  }

  /** Keeps the items, with the edits of the user: until release(), the house may tell a state before them. */
  hold() {
    this.#holds += 1;
    this.#generation += 1;
  }

  release() {
    this.#holds -= 1;
    this.invalidate();
  }

  /** Loads what failed before, for example after the connection was lost. */
  retry() {
    if (this.error) this.invalidate();
  }

  /** Makes sure that these places are loaded, or will be soon. */
  want(start, end) {
    this.#wanted = [start, end];
    this.#fill();
  }

  /** Takes a new length that was told before the items are there. */
  setTotal(total) {
    if (this.#holds) return;
    this.total = total;
    this.items.length = Math.min(this.items.length, total);
  }

  /** The place of the item with an id; -1 if the item is gone, or not loaded. */
  placeOf(id) {
    return this.items.findIndex((item) => item?.id === id);
  }

  async #fill() {
    // After an error only a caller that knows better tries again; otherwise each look at the list would send a request.
    if (this.#isLoading || this.error) return;
    this.#isLoading = true;
    for (let page = this.#nextPage(); page !== null && !this.#holds; page = this.#nextPage()) {
      const generation = this.#generation;
      try {
        const answer = await this.#load(page * PAGE, PAGE);
        if (generation === this.#generation) this.#take(page, answer);
      } catch (error) {
        if (generation !== this.#generation) continue;
        this.error = error;
        break;
      }
      this.#onChange();
    }
    this.#isLoading = false;
    if (this.error) this.#onChange();
  }

  #take(page, { total, items }) {
    this.error = null;
    this.isKnown = true;
    this.setTotal(total);
    for (let i = 0; i < items.length; i++) this.items[page * PAGE + i] = items[i];
    this.#fresh.add(page);
  }

  #nextPage() {
    // The first page of an empty list is loaded as well: it tells that the list has grown.
    const last = this.isKnown ? Math.max(0, Math.min(this.#wanted[1], this.total - 1)) : 0;
    for (let page = Math.floor(Math.min(this.#wanted[0], last) / PAGE); page * PAGE <= last; page++) {
      if (!this.#fresh.has(page)) return page;
    }
    return null;
  }
}
