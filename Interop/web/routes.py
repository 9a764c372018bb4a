"""The requests of the contract and what the simulated house does about them.

Each action gets the server, the parts of the path, the query and the body; it returns the answer, or None for a bare success.
"""

import time

from house import Refusal


def page(values, fields):
    values = list(values)
    start, count = int(fields.get("start", 0)), min(int(fields.get("count", 100)), 1000)
    return {"total": len(values), "start": start, "items": values[start:start + count]}


def ordered(values, fields, keys):
    key = keys.get(fields.get("sort"))
    return sorted(values, key=key) if key else list(values)


def albums(server, parts, fields, body):
    values = server.house.library.albums.values()
    if "artist" in fields:
        values = [a for a in values if a["artistID"] == int(fields["artist"])]
    keys = {
        "title": lambda a: a["title"].lower(), "artist": lambda a: a["artist"].lower(),
        "year": lambda a: -a["year"], "added": lambda a: -a["id"],
    }
    return page(ordered(values, fields, keys), fields)


def tracks(server, parts, fields, body):
    keys = {name: (lambda t, name=name: t[name].lower()) for name in ("title", "artist", "album")}
    keys["added"] = lambda t: -t["id"]
    return page(ordered(server.house.library.tracks.values(), fields, keys), fields)


def find(table, number, kind):
    if number not in table:
        raise Refusal("notFound", f"There is no {kind} {number}.")
    return table[number]


def album(server, parts, fields, body):
    library = server.house.library
    return {**find(library.albums, parts[0], "album"), "tracks": library.album_tracks(parts[0])}


def artist(server, parts, fields, body):
    library = server.house.library
    own = [a for a in library.albums.values() if a["artistID"] == parts[0]]
    return {**find(library.artists, parts[0], "artist"), "albums": own}


def playlist(server, parts, fields, body):
    library = server.house.library
    found = find(library.playlists, parts[0], "playlist")
    return {**found, "tracks": [library.tracks[t] for t in found["tracks"]]}


def change_playlist(server, parts, fields, body):
    found = find(server.house.library.playlists, parts[0], "playlist")
    if not found["isOwn"]:
        raise Refusal("conflict", "This playlist is a file. Change the file, or save a copy.")
    found.update({key: body[key] for key in ("name", "tracks") if key in body})
    server.house.emit("library", server.house.summary())


def remove_playlist(server, parts, fields, body):
    server.house.library.playlists.pop(parts[0], None)
    server.house.emit("library", server.house.summary())


def add_playlist(server, parts, fields, body):
    number = server.house.library.add_playlist(body["name"], body.get("tracks", []), True)
    server.house.emit("library", server.house.summary())
    return {"playlist": number}


def save_queue(server, parts, fields, body):
    entries = server.house.queues[server.house.zone(parts[0])["id"]]
    own = [e["track"]["libraryID"] for e in entries if "libraryID" in e["track"]]
    return add_playlist(server, parts, fields, {"name": body["name"], "tracks": own})


def add_station(server, parts, fields, body):
    if not str(body["address"]).startswith(("http://", "https://")):
        raise Refusal("invalid", "The address of a station begins with http:// or https://.")
    number = server.house.library.add_station(body)
    server.house.emit("library", server.house.summary())
    return {"station": number}


def change_station(server, parts, fields, body):
    find(server.house.library.stations, parts[0], "station").update(body)
    server.house.emit("library", server.house.summary())


def remove_station(server, parts, fields, body):
    server.house.library.stations.pop(parts[0], None)
    server.house.emit("library", server.house.summary())


def queue(server, parts, fields, body):
    house = server.house
    zone = house.zone(parts[0])
    start, count = int(fields.get("start", 0)), min(int(fields.get("count", 200)), 1000)
    entries = house.queues[parts[0]]
    return {"revision": zone["queueRevision"], "length": len(entries), "start": start, "entries": entries[start:start + count]}


def clear(server, parts, fields, body):
    house = server.house
    house.remove(parts[0], [e["id"] for e in house.queues[house.zone(parts[0])["id"]]], time.time())


def act(server, parts, fields, body):
    house, (number, action), now = server.house, parts, time.time()
    if action in ("next", "previous"):
        house.step(number, 1 if action == "next" else -1, now)
    else:
        {"play": house.play, "pause": house.pause, "toggle": house.toggle, "stop": house.stop}[action](number, now)


def jump(server, parts, fields, body):
    house, now = server.house, time.time()
    house.jump_to(parts[0], house.place(house.zone(parts[0])["id"], parts[1]), now)
    house.play(parts[0], now)


def number_between(value, low, high, name):
    if not isinstance(value, (int, float)) or not low <= value <= high:
        raise Refusal("invalid", f"{name} must be between {low} and {high}.")
    return float(value)


def set_of_zone(key, read):
    def action(server, parts, fields, body):
        zone = server.house.zone(parts[0])
        server.house.settle(zone, time.time())
        zone[key] = read(body)
        server.house.emit_zone(parts[0])

    return action


def set_of_room(key, read):
    def action(server, parts, fields, body):
        server.house.room(parts[0])[key] = read(body)
        server.house.emit_room(parts[0])
        zone = server.house.rooms[parts[0]].get("zone")
        if zone:
            server.house.emit_zone(zone)

    return action


def sleep(body):
    if body.get("endOfTrack"):
        return {"endOfTrack": True}
    return {"at": time.time() + body["seconds"]} if "seconds" in body else None


def set_password(server, parts, fields, body):
    room = server.house.room(parts[0])
    if not body["password"]:
        raise Refusal("invalid", "The password is empty.")
    room["needsPassword"] = False
    room.pop("trouble", None)
    server.house.move_room(parts[0], room.get("zone"))


def forget_room(server, parts, fields, body):
    if server.house.room(parts[0])["isPresent"]:
        raise Refusal("conflict", "The room is on the network. Only a room that is not there can be forgotten.")
    del server.house.rooms[parts[0]]
    server.house.emit("roomRemoved", {"room": parts[0]})


PRESETS = {
    "flat": [0] * 10, "bass": [6, 6, 5, 3, 1, 0, 0, 0, 0, 0], "treble": [0, 0, 0, 0, 0, 1, 2, 4, 5, 6],
    "voice": [-6, -4, -2, 0, 2, 4, 4, 3, 1, -1], "loud": [5, 4, 3, 1, 0, -1, 0, 2, 4, 5],
}


def set_equalizer(server, parts, fields, body):
    gains = PRESETS[body["preset"]] if "preset" in body else body["gains"]
    room = server.house.room(parts[0])
    room.pop("equalizer", None)
    if gains is not None:
        if len(gains) != 10 or not all(-12 <= gain <= 12 for gain in gains):
            raise Refusal("invalid", "An equaliser needs ten gains from -12 to 12.")
        room["equalizer"] = {"gains": gains}
    server.house.emit_room(parts[0])


def announce(server, parts, fields, body):
    if isinstance(body, bytes):
        volume = float(fields["volume"]) if "volume" in fields else None
        rooms = [room for room in fields.get("rooms", "").split(",") if room]
        number = server.house.announce(fields.get("title", "Announcement"), rooms, volume, fields.get("pause") == "true")
    else:
        title = body.get("title") or body["location"].rsplit("/", 1)[-1]
        number = server.house.announce(title, body.get("rooms", []), body.get("volume"), body.get("pausesMusic", False))
    return {"revision": server.house.revision, "announcement": number}


def set_alarm(server, parts, fields, body):
    number = server.house.set_alarm(parts[0] if parts else None, body)
    return {"revision": server.house.revision, "alarm": number}


def demo(server, parts, fields, body):
    return {"rooms": [{"room": room, "isCut": is_cut} for room, is_cut in server.house.cut.items()]}


def cut_room(server, parts, fields, body):
    server.house.room(parts[0])
    server.house.cut[parts[0]] = bool(body["isCut"])


def make_zone(server, parts, fields, body):
    name = str(body.get("name", "")).strip()
    if not name:
        raise Refusal("invalid", "A zone needs a name.")
    number = server.house.make_zone(name, body.get("rooms", []))
    return {"revision": server.house.revision, "zone": number}


def rename_zone(server, parts, fields, body):
    server.house.zone(parts[0])["name"] = body["name"]
    server.house.emit_zone(parts[0])


ZONE, ROOM, NUMBER = r"/zones/(\d+)", r"/rooms/([^/]+)", r"(\d+)"
ROUTES = (
    ("GET", "/house", lambda s, p, f, b: s.house.snapshot(time.time())),
    ("GET", "/about", lambda s, p, f, b: {"program": "Tutti", "name": "Mock house", "version": "mock", "host": "mock", **({"demo": True} if s.is_demo else {})}),
    ("POST", "/zones", make_zone),
    ("PATCH", ZONE, rename_zone),
    ("DELETE", ZONE, lambda s, p, f, b: s.house.remove_zone(p[0])),
    ("POST", ZONE + "/(play|pause|toggle|stop|next|previous)", act),
    ("PUT", ZONE + "/position", lambda s, p, f, b: s.house.seek(p[0], time.time(), b.get("seconds"), b.get("by"))),
    ("PUT", ZONE + "/rate", set_of_zone("rate", lambda b: number_between(b["rate"], 0.5, 2, "A rate"))),
    ("PUT", ZONE + "/shuffle", set_of_zone("shuffle", lambda b: bool(b["on"]))),
    ("PUT", ZONE + "/repeat", set_of_zone("repeatMode", lambda b: b["mode"])),
    ("PUT", ZONE + "/sleep", set_of_zone("sleep", sleep)),
    ("PUT", ZONE + "/volume", lambda s, p, f, b: s.house.set_zone_volume(p[0], number_between(b["percent"], 0, 100, "The volume"))),
    ("POST", ZONE + "/transfer", lambda s, p, f, b: s.house.transfer(p[0], b["to"])),
    ("GET", ZONE + "/queue", queue),
    ("POST", ZONE + "/queue", lambda s, p, f, b: s.house.add(p[0], b["items"], b.get("place", "end"), time.time())),
    ("DELETE", ZONE + "/queue", clear),
    ("POST", ZONE + "/queue/remove", lambda s, p, f, b: s.house.remove(p[0], b["entries"], time.time())),
    ("POST", ZONE + "/queue/move", lambda s, p, f, b: s.house.move(p[0], b["entries"], b.get("before"))),
    ("POST", ZONE + rf"/queue/{NUMBER}/play", jump),
    ("POST", ZONE + "/queue/save", save_queue),
    ("PUT", ROOM + "/zone", lambda s, p, f, b: s.house.move_room(p[0], b["zone"])),
    ("PUT", ROOM + "/volume", set_of_room("volume", lambda b: number_between(b["percent"], 0, 100, "The volume"))),
    ("PUT", ROOM + "/delay", set_of_room("delay", lambda b: number_between(b["milliseconds"], -1000, 1000, "The delay"))),
    ("PUT", ZONE + "/input", set_of_zone("input", lambda b: {"name": b["name"], "kind": "desktop"})),
    ("PUT", ZONE + "/levelling", set_of_zone("levelling", lambda b: b["mode"])),
    ("PUT", ZONE + "/crossfade", set_of_zone("crossfade", lambda b: number_between(b["seconds"], 0, 12, "The crossfade"))),
    ("PUT", ZONE + "/sleep-fade", set_of_zone("sleepFade", lambda b: number_between(b["seconds"], 0, 600, "The fade-out of the sleep timer"))),
    ("PUT", ROOM + "/equalizer", set_equalizer),
    ("PUT", ROOM + "/maximum", set_of_room("maximumVolume", lambda b: number_between(b["percent"], 1, 100, "The maximum volume"))),
    ("PUT", ROOM + "/night", set_of_room("nightMode", lambda b: bool(b["on"]))),
    ("GET", "/announcements", lambda s, p, f, b: {"announcements": s.house.announcements}),
    ("POST", "/announcements", announce),
    ("DELETE", f"/announcements/{NUMBER}", lambda s, p, f, b: s.house.cancel(p[0])),
    ("GET", "/alarms", lambda s, p, f, b: {"alarms": s.house.alarms}),
    ("POST", "/alarms", set_alarm),
    ("PUT", f"/alarms/{NUMBER}", set_alarm),
    ("DELETE", f"/alarms/{NUMBER}", lambda s, p, f, b: s.house.remove_alarm(p[0])),
    ("PUT", ROOM + "/password", set_password),
    ("DELETE", ROOM, forget_room),
    ("GET", "/library", lambda s, p, f, b: s.house.summary()),
    ("GET", "/library/search", lambda s, p, f, b: s.house.library.search(f.get("q", ""), int(f.get("limit", 20)))),
    ("GET", "/library/albums", albums),
    ("GET", f"/library/albums/{NUMBER}", album),
    ("GET", "/library/artists", lambda s, p, f, b: page(sorted(s.house.library.artists.values(), key=lambda a: a["name"]), f)),
    ("GET", f"/library/artists/{NUMBER}", artist),
    ("GET", "/library/tracks", tracks),
    ("GET", "/library/folders", lambda s, p, f, b: s.house.library.folder(f.get("path"))),
    ("GET", "/library/playlists", lambda s, p, f, b: {"items": [s.house.library.playlist_line(x) for x in s.house.library.playlists.values()]}),
    ("POST", "/library/playlists", add_playlist),
    ("GET", f"/library/playlists/{NUMBER}", playlist),
    ("PUT", f"/library/playlists/{NUMBER}", change_playlist),
    ("DELETE", f"/library/playlists/{NUMBER}", remove_playlist),
    ("GET", "/library/stations", lambda s, p, f, b: {"items": list(s.house.library.stations.values())}),
    ("POST", "/library/stations", add_station),
    ("PUT", f"/library/stations/{NUMBER}", change_station),
    ("DELETE", f"/library/stations/{NUMBER}", remove_station),
    ("POST", "/library/scan", lambda s, p, f, b: s.house.emit("library", s.house.summary())),
    ("GET", "/demo", demo),
    ("PUT", "/demo/([^/]+)", cut_room),
)
