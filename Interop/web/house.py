"""A simulated house: zones that play, rooms with buffers that fill and drain. Time is an argument; nothing here waits."""

import random
import time

from collection import Collection

# Seconds of sound that a room's buffer gains in a second of a good network.
FILL_RATE = 14.0
KEPT_CHANGES = 1024
QUEUE_LIMIT = 10_000


class Refusal(Exception):
    """A command that was not carried out, with the kind of the contract and a sentence."""

    STATUS = {"notFound": 404, "invalid": 400, "conflict": 409, "limit": 409, "unavailable": 503}

    def __init__(self, code, detail):
        super().__init__(detail)
        self.code, self.detail, self.status = code, detail, self.STATUS[code]


class House:
    """The state and the rules. The caller holds one lock around each call."""

    def __init__(self, is_hostile=False):
        self.library = Collection(is_hostile)
        self.revision, self.changes = 0, []
        self.zones, self.rooms, self.queues, self.cut, self.capacity = {}, {}, {}, {}, {}
        self.announcements, self.alarms = [], []
        self.next_entry, self.next_zone, self.next_announcement, self.next_alarm, self.last_tick = 1, 1, 1, 1, time.time()
        self.dice = random.Random(3)
        self.add_room("kitchen", "Kitchen", "HomePod mini", "airPlay", 62, 64)
        self.add_room("living", "Living Room", "Beosound Stage", "airPlay", 118, 48)
        self.add_room("study", "Study", "Built-in output", "local", 9, 55)
        self.add_room("bedroom", "Bedroom", "AirPort Express", "airPlay", 30, 30)
        self.add_room("bath", "Bathroom", "Sonos One SL", "airPlay", 60, 25)
        self.rooms["bedroom"]["needsPassword"] = True
        self.rooms["bath"].update(isPresent=False, state="lost", trouble={
            "code": "unreachable",
            "message": "Bathroom was last seen 12 minutes ago and does not answer. Is its power on? `tutti doctor Bathroom` checks.",
        })
        self.make_zone("Downstairs", ["kitchen", "living"])
        self.make_zone("Study", ["study"])
        self.add(1, [{"playlist": 1}, {"album": 9}, {"playlist": 2}, {"station": 2}], "end")
        self.add(2, [{"album": 3}], "end")
        self.play(1)
        self.zones[1]["position"] = 61.0

    # Construction

    def add_room(self, room, name, model, kind, capacity, volume):
        self.rooms[room] = {
            "id": room, "name": name, "model": model, "kind": kind, "isPresent": True, "state": "idle",
            "volume": float(volume), "delay": 0.0, "needsPassword": False, "maximumVolume": 100.0, "nightMode": False,
        }
        self.cut[room], self.capacity[room] = False, capacity

    # Announcements and alarms

    def announce(self, title, rooms, volume, pauses):
        known = sorted(rooms) or sorted(r["id"] for r in self.rooms.values() if r["isPresent"])
        for room in known:
            self.room(room)
        number, self.next_announcement = self.next_announcement, self.next_announcement + 1
        fields = {"id": number, "title": title, "rooms": known, "state": "waiting" if self.announcements else "playing",
                  "volume": volume, "pausesMusic": pauses}
        self.announcements.append({key: value for key, value in fields.items() if value is not None})
        self.emit("announcements", {"announcements": list(self.announcements)})
        return number

    def cancel(self, number):
        if not any(each["id"] == number for each in self.announcements):
            raise Refusal("notFound", f"There is no announcement {number}.")
        self.announcements = [dict(each) for each in self.announcements if each["id"] != number]
        if self.announcements:
            self.announcements[0]["state"] = "playing"
        self.emit("announcements", {"announcements": list(self.announcements)})

    def set_alarm(self, number, alarm):
        self.zone(alarm["zone"])
        if not isinstance(alarm["minute"], int) or not 0 <= alarm["minute"] < 1440:
            raise Refusal("invalid", "The time of an alarm must be a minute of the day, from 0 to 1439.")
        if number is None:
            number, self.next_alarm = self.next_alarm, self.next_alarm + 1
        elif not any(each["id"] == number for each in self.alarms):
            raise Refusal("notFound", f"There is no alarm {number}.")
        new = {"days": [], "items": [], "fadeSeconds": 0.0, "isOn": True, **alarm, "id": number}
        self.alarms = sorted([each for each in self.alarms if each["id"] != number] + [new], key=lambda each: each["id"])
        self.emit("alarms", {"alarms": self.alarms})
        return number

    def remove_alarm(self, number):
        self.alarms = [each for each in self.alarms if each["id"] != number]
        self.emit("alarms", {"alarms": self.alarms})

    # Looking up

    def zone(self, number):
        if number not in self.zones:
            raise Refusal("notFound", f"There is no zone {number}.")
        return self.zones[number]

    def room(self, room):
        if room not in self.rooms:
            raise Refusal("notFound", f"There is no room “{room}”.")
        return self.rooms[room]

    def place(self, number, entry):
        for place, each in enumerate(self.queues[number]):
            if each["id"] == entry:
                return place
        raise Refusal("notFound", f"Entry {entry} is no longer in the queue.")

    # Changes

    def emit(self, name, data):
        self.revision += 1
        self.changes.append((self.revision, name, data))
        del self.changes[:-KEPT_CHANGES]

    def emit_zone(self, number):
        self.emit("zone", self.zone_snapshot(number))

    def emit_room(self, room):
        self.emit("room", dict(self.rooms[room]))

    def queue_changed(self, number, current=None):
        zone, queue = self.zones[number], self.queues[number]
        zone["queueRevision"] += 1
        zone["length"] = len(queue)
        if current is not None:
            zone["index"] = next((i for i, each in enumerate(queue) if each["id"] == current), None)
        self.emit("queue", {"zone": number, "revision": zone["queueRevision"], "length": len(queue)})
        self.emit_zone(number)

    def zone_snapshot(self, number):
        zone, queue = dict(self.zones[number]), self.queues[number]
        zone["rooms"] = sorted(r["id"] for r in self.rooms.values() if r.get("zone") == number)
        volumes = [self.rooms[r]["volume"] for r in zone["rooms"] if "volume" in self.rooms[r]]
        if volumes:
            zone["volume"] = max(volumes)
        if zone.get("input"):
            name = zone["input"]["name"]
            zone.pop("index")
            zone["current"] = {"id": 0, "track": {"location": f"input:{name}", "title": name, "isLive": True, "start": 0.0}}
        elif zone["index"] is not None and zone["index"] < len(queue):
            zone["current"] = queue[zone["index"]]
            if zone["current"]["track"]["isLive"] and zone["state"] == "playing":
                zone["streamTitle"] = "Ella Strand — Nocturne for Two Pianos"
        else:
            zone.pop("index")
        return {key: value for key, value in zone.items() if value is not None}

    def snapshot(self, now):
        return {
            "revision": self.revision, "time": now, "zones": [self.zone_snapshot(z) for z in sorted(self.zones)],
            "rooms": sorted((dict(r) for r in self.rooms.values()), key=lambda r: r["name"]),
            "library": self.summary(), "troubles": [], "announcements": list(self.announcements), "alarms": list(self.alarms),
        }

    def summary(self):
        library = self.library
        return {
            "tracks": len(library.tracks), "albums": len(library.albums), "artists": len(library.artists),
            "isScanning": False, "scanned": 0, "troubles": [],
        }

    # Time

    def settle(self, zone, now):
        """Brings the position of a zone up to now."""
        if zone["state"] == "playing":
            zone["position"] += (now - zone["positionTime"]) * zone["rate"]
        zone["positionTime"] = now

    def tick(self, now):
        """Moves time on: tracks end, timers end, buffers change. Returns the fill of the rooms, or None."""
        step, self.last_tick = now - self.last_tick, now
        for number, zone in self.zones.items():
            sleep = zone.get("sleep")
            if sleep and "at" in sleep and now >= sleep["at"]:
                zone["sleep"] = None
                self.pause(number, now)
            if zone["state"] == "playing":
                self.advance(number, zone, now)
        return self.fill_buffers(step)

    def advance(self, number, zone, now):
        if zone.get("input"):
            return
        queue = self.queues[number]
        track = queue[zone["index"]]["track"]
        position = zone["position"] + (now - zone["positionTime"]) * zone["rate"]
        if not track["isLive"] and position >= track["duration"]:
            if zone.get("sleep"):
                zone["sleep"] = None
                self.settle(zone, now)
                self.pause(number, now)
            else:
                self.step(number, 1, now, False)

    def fill_buffers(self, step):
        depths = {}
        for room in self.rooms.values():
            zone = self.zones.get(room.get("zone"))
            if not zone or not room["isPresent"] or zone["state"] not in ("playing", "paused"):
                continue
            plays = zone["state"] == "playing"
            capacity = self.capacity[room["id"]]
            before = room.get("depth", {"seconds": 0.0})["seconds"]
            gain = 0 if self.cut[room["id"]] else FILL_RATE
            after = max(0.0, min(capacity, before + step * (gain - (zone["rate"] if plays else 0))))
            if plays and gain and after >= capacity - 1:
                after = capacity - self.dice.random() * 0.8
            room["depth"] = {"seconds": round(after, 2), "fraction": round(after / capacity, 3)}
            depths[room["id"]] = room["depth"]
            self.update_room(room, zone, after)
        return depths or None

    def update_room(self, room, zone, seconds):
        is_cut = self.cut[room["id"]]
        state, trouble = ("playing" if zone["state"] == "playing" else "ready"), None
        if is_cut and seconds <= 0:
            state = "lost"
            trouble = {"code": "unreachable", "message": f"{room['name']} does not answer any more. Is its plug in? Tutti retries every second."}
        elif is_cut:
            state = "starved"
            trouble = {"code": "starved", "message": f"No sound reaches {room['name']} over the network; it plays from its buffer."}
        if (room["state"], room.get("trouble")) != (state, trouble):
            room["state"] = state
            room["trouble"] = trouble
            if trouble is None:
                del room["trouble"]
            self.emit_room(room["id"])

    # Playback

    def play(self, number, now=None):
        now = now or time.time()
        zone = self.zone(number)
        if not self.queues[number] and not zone.get("input"):
            raise Refusal("conflict", f"The queue of {zone['name']} is empty. Add music first.")
        self.settle(zone, now)
        if self.queues[number]:
            zone["index"] = zone["index"] or 0
        if zone["state"] != "playing":
            zone["state"] = "playing"
            for room in self.rooms.values():
                if room.get("zone") == number and room["isPresent"]:
                    room["state"] = "playing"
                    room.setdefault("depth", {"seconds": 2.0, "fraction": 0.02})
                    self.emit_room(room["id"])
        self.emit_zone(number)

    def pause(self, number, now=None, state="paused"):
        zone = self.zone(number)
        self.settle(zone, now or time.time())
        if zone["state"] in ("playing", "waiting") or state == "stopped":
            zone["state"] = state
        self.emit_zone(number)

    def toggle(self, number, now=None):
        (self.pause if self.zone(number)["state"] == "playing" else self.play)(number, now)

    def stop(self, number, now=None):
        self.pause(number, now, "stopped")
        self.zones[number]["position"] = 0.0
        self.emit_zone(number)

    def seek(self, number, now, seconds=None, by=None):
        zone = self.zone(number)
        self.settle(zone, now)
        target = zone["position"] + by if by is not None else seconds
        if not isinstance(target, (int, float)):
            raise Refusal("invalid", "A position is a number of seconds.")
        current = self.zone_snapshot(number).get("current")
        length = (current or {"track": {}})["track"].get("duration") or 0
        zone["position"] = float(max(0, min(target, length)))
        self.rebuffer(number)
        self.emit_zone(number)

    def rebuffer(self, number):
        for room in self.rooms.values():
            if room.get("zone") == number and "depth" in room and not self.cut[room["id"]]:
                room["depth"] = {"seconds": 1.5, "fraction": 0.02}

    def step(self, number, direction, now, by_user=True):
        zone, queue = self.zone(number), self.queues[number]
        self.settle(zone, now)
        if not queue:
            raise Refusal("conflict", f"The queue of {zone['name']} is empty.")
        if direction < 0 and zone["position"] > 3:
            direction = 0
        if zone["repeatMode"] == "one" and not by_user:
            direction = 0
        place = (zone["index"] or 0) + direction
        if place >= len(queue):
            place = 0
            if zone["repeatMode"] != "all":
                zone["state"] = "stopped"
        self.jump_to(number, max(0, place), now, by_user)

    def jump_to(self, number, place, now, flushes=True):
        zone = self.zones[number]
        zone.update(index=place, position=0.0, positionTime=now)
        if flushes:
            self.rebuffer(number)
        self.emit_zone(number)

    def set_zone_volume(self, number, percent):
        rooms = [r for r in self.rooms.values() if r.get("zone") == number]
        loudest = max((r.get("volume", 0) for r in rooms), default=0)
        for room in rooms:
            room["volume"] = percent * room.get("volume", loudest) / loudest if loudest else percent
            self.emit_room(room["id"])
        self.emit_zone(number)

    # Queue

    def tracks_of(self, item):
        library = self.library
        ((kind, value),) = item.items()
        if kind == "track" and value in library.tracks:
            return [library.tracks[value]]
        if kind == "album" and value in library.albums:
            return library.album_tracks(value)
        if kind == "artist" and value in library.artists:
            return [t for t in library.tracks.values() if t["artistID"] == value]
        if kind == "playlist" and value in library.playlists:
            return [library.tracks[t] for t in library.playlists[value]["tracks"] if t in library.tracks]
        if kind == "folder":
            return [t for t in library.tracks.values() if t["location"].startswith(str(value) + "/")]
        if kind == "station" and value in library.stations:
            station = library.stations[value]
            return [{"location": station["address"], "title": station["name"], "isLive": True, "picture": station.get("picture")}]
        if kind == "location":
            return [t for t in library.tracks.values() if t["location"] == value]
        raise Refusal("notFound", f"There is no {kind} {value}.")

    def add(self, number, items, place, now=None):
        zone, queue = self.zone(number), self.queues[number]
        entries = []
        for track in (track for item in items for track in self.tracks_of(item)):
            fields = {
                "location": track["location"], "title": track["title"] or track["location"], "artist": track.get("artist"),
                "album": track.get("album"), "duration": track.get("duration"), "libraryID": track.get("id"),
                "picture": track.get("picture"), "isLive": track.get("isLive", False), "start": 0.0,
            }
            entries.append({"id": self.next_entry, "track": {k: v for k, v in fields.items() if v is not None}})
            self.next_entry += 1
        if len(queue) + len(entries) > QUEUE_LIMIT:
            raise Refusal("limit", f"A queue holds at most {QUEUE_LIMIT} entries.")
        current = queue[zone["index"]]["id"] if queue and zone["index"] is not None else None
        after = 0 if zone["index"] is None else zone["index"] + 1
        start = {"end": len(queue), "next": after, "now": after, "replace": 0}.get(place if isinstance(place, str) else None)
        if start is None:
            start = self.place(number, place["before"])
        if place == "replace":
            queue.clear()
        queue[start:start] = entries
        self.queue_changed(number, current)
        if place in ("now", "replace") and entries:
            self.jump_to(number, start, now or time.time())
            self.play(number, now)
        elif zone["index"] is None:
            zone["index"] = 0
            self.emit_zone(number)
        return [entry["id"] for entry in entries]

    def remove(self, number, entries, now):
        zone, queue, gone = self.zone(number), self.queues[number], set(entries)
        current = queue[zone["index"]]["id"] if queue and zone["index"] is not None else None
        if current in gone:
            after = [e["id"] for e in queue[zone["index"]:] if e["id"] not in gone]
            zone.update(position=0.0, positionTime=now)
            current = after[0] if after else None
        queue[:] = [entry for entry in queue if entry["id"] not in gone]
        if current is None:
            zone.update(state="stopped", index=0 if queue else None, position=0.0)
        self.queue_changed(number, current)

    def move(self, number, entries, before):
        zone, queue = self.zone(number), self.queues[number]
        current = queue[zone["index"]]["id"] if queue and zone["index"] is not None else None
        chosen = [queue[self.place(number, entry)] for entry in entries]
        if before is not None and before not in entries:
            self.place(number, before)
        rest = [entry for entry in queue if entry["id"] not in set(entries)]
        start = next((i for i, entry in enumerate(rest) if entry["id"] == before), len(rest))
        queue[:] = rest[:start] + chosen + rest[start:]
        self.queue_changed(number, current)

    # Zones and rooms

    def make_zone(self, name, rooms):
        number, self.next_zone = self.next_zone, self.next_zone + 1
        self.zones[number] = {
            "id": number, "name": name, "state": "stopped", "index": None, "position": 0.0, "positionTime": time.time(),
            "rate": 1.0, "length": 0, "queueRevision": 0, "shuffle": False, "repeatMode": "off", "sleep": None,
            "levelling": "off", "crossfade": 0.0, "sleepFade": 0.0,
        }
        self.queues[number] = []
        self.emit_zone(number)
        for room in rooms:
            self.move_room(room, number)
        return number

    def remove_zone(self, number):
        self.zone(number)
        for room in self.rooms.values():
            if room.get("zone") == number:
                self.move_room(room["id"], None)
        del self.zones[number], self.queues[number]
        self.emit("zoneRemoved", {"zone": number})

    def move_room(self, name, number):
        room = self.room(name)
        before = room.pop("zone", None)
        room.pop("depth", None)
        if number is not None:
            room["zone"] = self.zone(number)["id"]
        if room["isPresent"]:
            plays = number is not None and self.zones[number]["state"] == "playing"
            room["state"] = "playing" if plays else "idle"
            if room["needsPassword"] and number is not None:
                room["state"], room["trouble"] = "lost", {
                    "code": "password", "message": f"{room['name']} needs a password. Enter it to let the room play."}
        self.emit_room(name)
        for each in {before, number} - {None}:
            self.emit_zone(each)

    def transfer(self, number, target):
        source, goal = self.zone(number), self.zone(target)
        for key in ("state", "index", "position", "positionTime", "rate", "shuffle", "repeatMode"):
            goal[key] = source[key]
        self.queues[target][:] = self.queues[number]
        self.queues[number].clear()
        source.update(state="stopped", index=None, position=0.0)
        self.queue_changed(target)
        self.queue_changed(number)
