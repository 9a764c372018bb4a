// Rows, cards and menus of what the library holds.

import { pictureAddress } from "./api.js";
import { h, icon, iconButton, picture, setPicture } from "./dom.js";
import { menu, toast } from "./dialogs.js";
import { clock, count, joined, titleOf } from "./words.js";

/** Adds items of the library to the queue, and says so. */
export class Adder {
  constructor(store, commands) {
    Object.assign(this, { store, commands });
  }

  async add(title, item, place) {
    const { store, commands } = this;
    const zone = store.shown.zoneID;
    if (!store.zone) return toast("There is no zone yet. Make one under Rooms.", { isError: true });
    const answer = await commands.add([item].flat(), place);
    if (!answer) return;
    const where = { now: "Playing", next: "Playing next", end: "Added to the end", replace: "Playing" }[place];
    const entries = answer.entries ?? [];
    const undo = place !== "replace" && entries.length ? () => commands.removeEntries(entries, zone) : null;
    toast(`${where}: ${title}`, { undo });
  }

  /** The four ways to add, as items of a menu. */
  choices(title, item) {
    const way = (text, name, place) => ({ text, icon: name, run: () => this.add(title, item, place) });
    return [
      way("Play now", "play", "now"),
      way("Play next", "playNext", "next"),
      way("Add to the end", "addEnd", "end"),
      way("Replace the queue", "replace", "replace"),
    ];
  }

  /** A button that opens these choices; `extra` adds items below. */
  moreButton(title, item, extra = () => []) {
    const button = iconButton(
      "more",
      `More for ${title}`,
      () => {
        const below = extra();
        menu(button, title, [...this.choices(title, item), ...(below.length ? [null, ...below] : [])]);
      },
      { "aria-haspopup": "menu", class: "row-more" },
    );
    return button;
  }

  /** The large buttons of an album's page, and of others. */
  buttons(title, item) {
    const [now, next, end, replace] = this.choices(title, item);
    const button = (choice, className, text) =>
      h(
        "button",
        { type: "button", class: className, on: { click: choice.run } },
        icon(choice.icon, 20),
        h("span", { text }),
      );
    return h(
      "div",
      { class: "actions" },
      button(now, "button primary", "Play"),
      button(next, "button", "Next"),
      button(end, "button", "Add"),
      button(replace, "button", "Replace"),
    );
  }

  track(track) {
    return track.id === undefined ? { location: track.location } : { track: track.id };
  }

  /** A row of a track. `number` shows its place instead of its picture. */
  trackRow(track, { number = null, extra } = {}) {
    const title = titleOf(track);
    const note = number === null ? joined(track.artist, track.album) : track.artist;
    const main = h(
      "button",
      { type: "button", class: "row-main", on: { click: () => this.add(title, this.track(track), "now") } },
      number === null ? small(track.picture) : h("span", { class: "row-number", text: number }),
      lines(title, note ?? ""),
    );
    return h(
      "li",
      { class: "row" },
      main,
      h("span", { class: "row-time", text: clock(track.duration) }),
      this.moreButton(title, this.track(track), extra),
    );
  }

  /** A row that leads to a page, with the menu of an item. */
  linkRow(title, note, address, item, stand, extra) {
    return h(
      "li",
      { class: "row" },
      h("a", { class: "row-main", href: address }, stand, lines(title, note)),
      item && this.moreButton(title, item, extra),
    );
  }

  stationRow(station, extra) {
    const art = picture("small");
    setPicture(art, pictureAddress(station.picture), true);
    const main = h(
      "button",
      {
        type: "button",
        class: "row-main",
        on: { click: () => this.add(station.name, { station: station.id }, "now") },
      },
      art,
      lines(station.name || station.address, station.address),
    );
    return h("li", { class: "row" }, main, this.moreButton(station.name, { station: station.id }, extra));
  }

  artistRow(artist) {
    return this.linkRow(
      artist.name || "Unknown artist",
      joined(count(artist.albums, "album"), count(artist.tracks, "track")),
      `#/library/artists/${artist.id}`,
      { artist: artist.id },
      small(artist.picture, "round"),
    );
  }

  playlistRow(playlist, extra) {
    const note = joined(count(playlist.count, "track"), playlist.isOwn ? "" : "File");
    return this.linkRow(
      playlist.name || "Untitled",
      note,
      `#/library/playlists/${playlist.id}`,
      { playlist: playlist.id },
      stand("list"),
      extra,
    );
  }

  folderRow(folder) {
    return this.linkRow(
      folder.name,
      "Folder",
      `#/library/folders/${encodeURIComponent(folder.path)}`,
      { folder: folder.path },
      stand("folder"),
    );
  }
}

/** A card of an album that is filled later, for grids. */
export function emptyAlbumCard(adder) {
  const art = picture("cover");
  const title = h("span", { class: "card-title" });
  const artist = h("span", { class: "row-note" });
  const link = h("a", { class: "card-link" }, art, title, artist);
  const play = iconButton("play", "Play", () => adder.add(card.album.title, { album: card.album.id }, "now"), {
    class: "card-play",
  });
  const card = h("li", { class: "card" }, link, play);
  return Object.assign(card, { parts: { art, title, artist, link, play } });
}

/** Fills a card; without an album the card is a stand-in. */
export function fillAlbumCard(card, album, hasPicture = true) {
  const { art, title, artist, link, play } = card.parts;
  card.album = album;
  card.classList.toggle("loading", !album);
  title.textContent = album ? album.title || "Untitled" : "";
  artist.textContent = album ? joined(album.artist, album.year) : "";
  setPicture(art, hasPicture ? pictureAddress(album?.picture) : null);
  if (!album) return link.removeAttribute("href");
  link.href = `#/library/albums/${album.id}`;
  play.setAttribute("aria-label", `Play ${album.title}`);
}

export function albumCard(adder, album) {
  const card = emptyAlbumCard(adder);
  fillAlbumCard(card, album);
  return card;
}

function lines(title, note) {
  const name = h("span", { class: "row-title", text: title });
  return h("span", { class: "two-lines" }, name, h("span", { class: "row-note", text: note }));
}

function small(name, className = "") {
  const box = picture(`small ${className}`);
  setPicture(box, pictureAddress(name));
  return box;
}

function stand(name) {
  return h("span", { class: "picture small stand" }, icon(name));
}
