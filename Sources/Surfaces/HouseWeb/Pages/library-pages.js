// Pages of the library that are loaded as a whole: an album, an artist, a folder, playlists and stations.

import * as api from "./api.js";
import { h, icon, picture, setPicture } from "./dom.js";
import { ask } from "./dialogs.js";
import { albumCard } from "./items.js";
import { count, joined, span } from "./words.js";

/** Loads pages. Each method returns { title, note, tools, content }. */
export class DetailPages {
  constructor(view, store) {
    Object.assign(this, { view, store });
  }

  show(section, id) {
    const pages = {
      albums: this.album,
      artists: this.artist,
      playlists: id === undefined ? this.playlists : this.playlist,
      folders: this.folder,
      radio: this.stations,
    };
    const page = pages[section];
    if (!page) throw new api.ApiError(404, "notFound", "There is no such page.");
    return page.call(this, id);
  }

  async album(id) {
    const { adder } = this.view;
    const album = await api.get(`/library/albums/${encodeURIComponent(id)}`);
    const title = album.title || "Untitled";
    const art = picture("cover large");
    setPicture(art, api.pictureAddress(album.picture));
    const isMixed = album.tracks.some((track) => track.artist !== album.artist);
    const discs = new Set(album.tracks.map((track) => track.disc ?? 1));
    const rows = album.tracks.flatMap((track, i) => {
      const isFirst = discs.size > 1 && track.disc !== album.tracks[i - 1]?.disc;
      const row = adder.trackRow(isMixed ? track : { ...track, artist: "" }, { number: String(track.track || i + 1) });
      return isFirst ? [h("li", { class: "disc", text: `Disc ${track.disc}` }), row] : [row];
    });
    const artist = album.artistID
      ? h("a", { href: `#/library/artists/${album.artistID}`, text: album.artist || "Unknown artist" })
      : h("span", { text: album.artist });
    const facts = joined(
      album.year,
      album.tracks[0]?.genre,
      count(album.tracks.length, "track"),
      span(album.duration),
      quality(album.tracks[0]),
    );
    return {
      title,
      tools: [backLink("#/library/albums", "All albums")],
      content: [
        h(
          "div",
          { class: "album-head" },
          art,
          h("div", {}, h("p", { class: "album-artist" }, artist), h("p", { class: "panel-note", text: facts })),
        ),
        adder.buttons(title, { album: album.id }),
        h("ul", { class: "rows numbered", role: "list" }, ...rows),
      ],
    };
  }

  async artist(id) {
    const { adder } = this.view;
    const artist = await api.get(`/library/artists/${encodeURIComponent(id)}`);
    const title = artist.name || "Unknown artist";
    return {
      title,
      note: joined(count(artist.albums.length, "album"), count(artist.tracks, "track")),
      tools: [backLink("#/library/artists", "All artists")],
      content: [
        adder.buttons(title, { artist: artist.id }),
        h("ul", { class: "cards", role: "list" }, ...artist.albums.map((album) => albumCard(adder, album))),
      ],
    };
  }

  async folder(path) {
    const { adder } = this.view;
    const folder = await api.get("/library/folders", { path });
    const rows = [
      ...folder.folders.map((each) => adder.folderRow(each)),
      ...folder.tracks.map((track) => adder.trackRow(track)),
    ];
    const up =
      folder.parent === undefined
        ? path
          ? backLink("#/library/folders", "All folders")
          : null
        : backLink(`#/library/folders/${encodeURIComponent(folder.parent)}`, "Up");
    const name = path ? path.split("/").filter(Boolean).pop() : "Folders";
    return {
      title: name,
      note: path ? folder.path : "",
      tools: up ? [up] : [this.#scanButton()],
      content: [path && adder.buttons(name, { folder: folder.path }), list(rows, "This folder has no music.")].filter(
        Boolean,
      ),
    };
  }

  #scanButton() {
    const scan = () => this.store.command(() => api.post("/library/scan"));
    return h(
      "button",
      { type: "button", class: "button", on: { click: scan } },
      icon("replace", 20),
      h("span", { text: "Scan again" }),
    );
  }

  async playlists() {
    const { items } = await api.get("/library/playlists");
    const rows = items.map((playlist) =>
      this.view.adder.playlistRow(playlist, () => (playlist.isOwn ? this.#changesOfPlaylist(playlist) : [])),
    );
    return {
      title: "Playlists",
      note: count(items.length, "playlist"),
      content: [list(rows, "No playlists yet. Save a queue as a playlist, or put M3U files into your music folders.")],
    };
  }

  #changesOfPlaylist(playlist) {
    const path = `/library/playlists/${playlist.id}`;
    return [
      {
        text: "Rename…",
        icon: "edit",
        run: async () => {
          const answer = await ask({
            title: "Rename the playlist",
            fields: [{ name: "name", label: "Name", value: playlist.name }],
            confirm: "Rename",
          });
          if (answer) await this.store.command(() => api.put(path, { name: answer.name }));
        },
      },
      {
        text: "Delete",
        icon: "trash",
        isDangerous: true,
        run: async () => {
          if (
            await ask({
              title: `Delete “${playlist.name}”?`,
              text: "The music files are not deleted.",
              confirm: "Delete",
              isDangerous: true,
            })
          )
            await this.store.command(() => api.remove(path));
        },
      },
    ];
  }

  async playlist(id) {
    const { adder } = this.view;
    const playlist = await api.get(`/library/playlists/${encodeURIComponent(id)}`);
    const without = (place) => playlist.tracks.filter((_, i) => i !== place).map((track) => track.id);
    const canEdit = playlist.isOwn && playlist.tracks.every((track) => track.id !== undefined);
    const extra = (place) => () =>
      canEdit
        ? [
            {
              text: "Remove from the playlist",
              icon: "trash",
              isDangerous: true,
              run: () =>
                this.store.command(() => api.put(`/library/playlists/${playlist.id}`, { tracks: without(place) })),
            },
          ]
        : [];
    const seconds = playlist.tracks.reduce((sum, track) => sum + (track.duration ?? 0), 0);
    return {
      title: playlist.name || "Untitled",
      note: joined(count(playlist.tracks.length, "track"), span(seconds)),
      tools: [backLink("#/library/playlists", "All playlists")],
      content: [
        adder.buttons(playlist.name, { playlist: playlist.id }),
        list(
          playlist.tracks.map((track, i) => adder.trackRow(track, { extra: extra(i) })),
          "This playlist is empty.",
        ),
      ],
    };
  }

  async stations() {
    const { items } = await api.get("/library/stations");
    const rows = items.map((station) =>
      this.view.adder.stationRow(station, () => [
        { text: "Change…", icon: "edit", run: () => this.#editStation(station) },
        {
          text: "Remove",
          icon: "trash",
          isDangerous: true,
          run: () => this.store.command(() => api.remove(`/library/stations/${station.id}`)),
        },
      ]),
    );
    const add = h(
      "button",
      { type: "button", class: "button", on: { click: () => this.#editStation(null) } },
      icon("plus", 20),
      h("span", { text: "Add a station" }),
    );
    return {
      title: "Radio",
      note: count(items.length, "station"),
      tools: [add],
      content: [list(rows, "No stations yet. Add one with the address of its stream.")],
    };
  }

  async #editStation(station) {
    const answer = await ask({
      title: station ? "Change the station" : "Add a station",
      confirm: station ? "Save" : "Add",
      fields: [
        { name: "name", label: "Name", value: station?.name },
        {
          name: "address",
          label: "Address of the stream",
          value: station?.address,
          type: "url",
          placeholder: "https://…",
          hint: "Begins with http:// or https://; playlists (M3U, PLS) are allowed.",
        },
        {
          name: "picture",
          label: "Address of a picture (optional)",
          value: station?.picture,
          type: "url",
          required: false,
        },
      ],
    });
    if (!answer) return;
    if (!answer.picture) delete answer.picture;
    await this.store.command(() =>
      station ? api.put(`/library/stations/${station.id}`, answer) : api.post("/library/stations", answer),
    );
  }
}

function list(rows, emptyText) {
  return rows.length
    ? h("ul", { class: "rows", role: "list" }, ...rows)
    : h("p", { class: "empty-note", text: emptyText });
}

function backLink(address, text) {
  return h("a", { class: "button plain", href: address }, icon("back", 20), h("span", { text }));
}

function quality(track) {
  if (!track?.codec) return "";
  const rate = track.sampleRate ? `${track.sampleRate / 1000} kHz` : "";
  return [track.codec.toUpperCase(), rate, track.bitDepth && `${track.bitDepth} bit`].filter(Boolean).join(" ");
}
