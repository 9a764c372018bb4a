// The library: which page of it is shown, its long lists, and the search.

import { get } from "./api.js";
import { h, setAttribute, setText } from "./dom.js";
import { Adder, albumCard, emptyAlbumCard, fillAlbumCard } from "./items.js";
import { VirtualList } from "./list.js";
import { DetailPages } from "./library-pages.js";
import { Pages } from "./pages.js";
import { afterPress } from "./presses.js";
import { setSetting, setting } from "./store.js";
import { count } from "./words.js";

const SECTIONS = [
  ["albums", "Albums"],
  ["artists", "Artists"],
  ["tracks", "Tracks"],
  ["folders", "Folders"],
  ["playlists", "Playlists"],
  ["radio", "Radio"],
];
const SORTS = {
  albums: [
    ["artist", "By artist"],
    ["title", "By title"],
    ["year", "By year"],
    ["added", "Newest first"],
  ],
  tracks: [
    ["title", "By title"],
    ["artist", "By artist"],
    ["album", "By album"],
    ["added", "Newest first"],
  ],
};
const SEARCH_LIMIT = 20;
const CARD_TEXT_HEIGHT = 64;
const ROW_HEIGHT = 60;

/** Fills the section of the library. */
export class LibraryView {
  #turn = 0;
  #reload = () => {};

  constructor(root, store, commands) {
    Object.assign(this, { root, store });
    this.adder = new Adder(store, commands);
    this.details = new DetailPages(this, store);
    this.heading = h("h2", { id: "library-heading", tabindex: "-1", class: "library-title" });
    this.tools = h("div", { class: "library-tools" });
    this.note = h("p", { class: "panel-note", role: "status" });
    this.links = SECTIONS.map(([name, text]) => h("a", { href: `#/library/${name}`, text }));
    this.scroller = h("div", { class: "scroller" });
    root.append(
      h("nav", { class: "sections", "aria-label": "Library" }, ...this.links),
      h("div", { class: "panel-head library-head" }, this.heading, this.note, this.tools),
      this.scroller,
    );
    store.watch(["library"], () => this.#showSummary());
    store.watch(["connection"], () => this.hasFailed && store.connection === "live" && this.#reload());
    // A scan changes the library many times a second.
    store.watch(["library", "house"], () => {
      clearTimeout(this.reloading);
      this.reloading = setTimeout(() => this.#reload(), 400);
    });
  }

  #showSummary() {
    const { library } = this.store;
    const scanning = library.isScanning ? `Reading folders: ${count(library.scanned, "file")}` : "";
    this.summary = library.troubles[0]?.message ?? scanning;
    if (this.total !== undefined) this.showNote(this.total);
  }

  showNote(text) {
    this.total = text;
    setText(this.note, this.summary || text);
  }

  /** Shows a page: the parts of its address, decoded. */
  show([section = "albums", id], query) {
    const turn = ++this.#turn;
    this.isCurrent = () => turn === this.#turn;
    for (const link of this.links)
      setAttribute(link, "aria-current", link.hash === `#/library/${section}` ? "page" : null);
    this.clear(SECTIONS.find(([name]) => name === section)?.[1] ?? "Search");
    this.#reload = () => {};
    if (section === "search") return this.#search(query.get("q") ?? "");
    if (id !== undefined && section !== "folders") return this.#load(() => this.details.show(section, id));
    if (section === "albums") return this.#showAlbums();
    if (section === "tracks" || section === "artists") return this.#showRows(section);
    return this.#load(() => this.details.show(section, id));
  }

  /** Empties the page. */
  clear(title) {
    setText(this.heading, title);
    this.showNote("");
    this.hasFailed = false;
    this.tools.replaceChildren();
    this.scroller.replaceChildren();
    this.scroller.scrollTop = 0;
  }

  /** Shows what `load` makes, again after each change of the library; a page that was left meanwhile is not shown. */
  async #load(load) {
    const { isCurrent } = this;
    this.#reload = () => isCurrent() && this.#fill(load, isCurrent);
    await this.#fill(load, isCurrent);
  }

  async #fill(load, isCurrent) {
    try {
      const { title, note = "", tools = [], content } = await load();
      await new Promise(afterPress);
      if (!isCurrent()) return;
      this.hasFailed = false;
      const top = this.scroller.scrollTop;
      setText(this.heading, title);
      this.showNote(note);
      this.tools.replaceChildren(...tools);
      this.scroller.replaceChildren(...content);
      this.scroller.scrollTop = top;
    } catch (error) {
      if (isCurrent()) this.#showError(error);
    }
  }

  #showError(error) {
    this.hasFailed = true;
    this.scroller.replaceChildren(h("p", { class: "empty-note", text: error.message ?? "This page cannot be shown." }));
  }

  // Long lists

  #showAlbums() {
    this.#showList("albums", "album", {
      className: "grid",
      minColumn: 150,
      rowHeight: (width) => Math.round(width + CARD_TEXT_HEIGHT),
      create: () => emptyAlbumCard(this.adder),
      fill: (card, album, isFast) => fillAlbumCard(card, album, !isFast),
    });
  }

  #showRows(section) {
    this.#showList(section, section.slice(0, -1), {
      rowHeight: ROW_HEIGHT,
      create: () => h("li", { class: "row-holder" }),
      // A row is made anew only for another item.
      fill: (holder, item) => {
        if (holder.item === item) return;
        holder.item = item;
        const row = item && (section === "tracks" ? this.adder.trackRow(item) : this.adder.artistRow(item));
        holder.replaceChildren(...(row ? row.childNodes : []));
        holder.className = "row virtual-item";
      },
    });
  }

  #showList(section, noun, { fill, ...options }) {
    const { isCurrent, scroller } = this;
    let sort = setting(`sort-${section}`, SORTS[section]?.[0][0]);
    const pages = new Pages(
      (start, number) => get(`/library/${section}`, { start, count: number, sort }),
      () => afterPress(() => isCurrent() && update()),
    );
    const list = new VirtualList(scroller, {
      ...options,
      label: SECTIONS.find(([name]) => name === section)[1],
      update: (element, index) => fill(element, pages.items[index], list.isFast),
      onRange: (first, last) => pages.want(first, last),
    });
    const update = () => {
      if (pages.error) return this.#showError(pages.error);
      if (pages.total === 0) return this.#showEmpty();
      if (!list.body.isConnected) scroller.replaceChildren(list.body);
      this.showNote(count(pages.total, noun));
      list.setCount(pages.total);
    };
    if (SORTS[section]) {
      this.tools.replaceChildren(
        sortField(SORTS[section], sort, (value) => {
          sort = value;
          setSetting(`sort-${section}`, value);
          pages.invalidate();
        }),
      );
    }
    this.#reload = () => isCurrent() && pages.invalidate();
    pages.want(0, 60);
  }

  #showEmpty() {
    this.scroller.replaceChildren(
      h("p", {
        class: "empty-note",
        text: "The library is empty. Start the service with --music FOLDER, or add the folder to its settings.",
      }),
    );
  }

  // Search

  #search(text) {
    setText(this.heading, text ? `“${text}”` : "Search");
    if (!text)
      return this.scroller.replaceChildren(
        h("p", { class: "empty-note", text: "Type a title, an artist, an album or a station." }),
      );
    return this.#load(async () => {
      const found = await get("/library/search", { q: text, limit: SEARCH_LIMIT });
      const { adder } = this;
      const groups = [
        group("Artists", found.artists, (artist) => adder.artistRow(artist)),
        group("Albums", found.albums, (album) => albumCard(adder, album), "cards"),
        group("Tracks", found.tracks, (track) => adder.trackRow(track)),
        group("Playlists", found.playlists, (playlist) => adder.playlistRow(playlist)),
        group("Radio", found.stations, (station) => adder.stationRow(station)),
      ].filter(Boolean);
      const number = ["artists", "albums", "tracks", "playlists", "stations"].reduce(
        (sum, name) => sum + (found[name]?.length ?? 0),
        0,
      );
      const none = h("p", { class: "empty-note", text: "Nothing was found. Try fewer letters." });
      return {
        title: `“${text}”`,
        note: number ? count(number, "result") : "No results",
        content: groups.length ? groups : [none],
      };
    });
  }
}

function group(title, items = [], make, className = "rows") {
  if (!items.length) return null;
  return h(
    "section",
    { class: "group" },
    h("h3", { text: title }),
    h("ul", { class: className, role: "list" }, ...items.map(make)),
  );
}

function sortField(choices, chosen, onChange) {
  const select = h(
    "select",
    { "aria-label": "Order", on: { change: () => onChange(select.value) } },
    ...choices.map(([value, text]) => h("option", { value, text })),
  );
  select.value = chosen;
  return select;
}
