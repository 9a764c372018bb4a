"""A generated library for the mock: artists, albums, tracks, playlists and stations, the same on each run."""

import random

ARTISTS = (
    "Harbour Lights", "Mara Lindqvist", "The Slow Trains", "Okonjo Quartet", "Field Notes", "Júlia Ferrer", "Night Ferry",
    "Tomasz Wilk Trio", "Paper Lanterns", "Ada & the Engines", "Kitano", "Northern Choir", "Salt Meadow", "Leroy Fontaine",
)
ALBUM_WORDS = (
    "Tidewater", "A Room with Rain", "Long Exposure", "Winter Garden", "Letters Home", "Half Moon Bay", "Small Hours",
    "Copper and Glass", "The Quiet Mile", "Open Windows", "Paper Boats", "Late Trains", "Evergreen", "Low Country",
    "Sundial", "First Light", "Postcards", "Undertow", "Cartography", "Blue Hour", "Embers", "Passing Places",
)
TRACK_WORDS = (
    "Arrival", "Slow Dissolve", "Lantern", "Under the Bridge Road", "Weather", "Two Chairs", "Copper Wire", "September",
    "A Good Place to Stop", "Kitchen Light", "Marginalia", "Northbound", "Seventh Wave", "Static and Honey", "Driftwood",
    "Half Asleep", "Interlude", "Glass House", "The Long Way", "Parallel Lines", "Ferry", "Open Fields", "Signal Fire", "Home",
)
GENRES = ("Jazz", "Ambient", "Folk", "Electronic", "Classical", "Soul")

# Texts as somebody may have put them into tags; they must not do harm anywhere.
HOSTILE = (
    "<script>window.hacked = 1</script>",
    "<img src=x onerror=\"window.hacked = 2\">",
    "مرحبا بالعالم — أغنية طويلة",
    "\u202egnirts desrever a\u202c",
    "🎷🎺🥁 " * 6,
    "Supercalifragilistic" * 24,
    "a\u0000b\u0007c\nd\te",
    "Z̸̧̛a̴͢l̷g̶o̵̕ " * 8,
    "\"'`;--{{7*7}}${7*7}",
    "",
)


class Collection:
    """Everything of the library, as the contract's JSON objects."""

    def __init__(self, is_hostile, seed=7, albums=42):
        dice = random.Random(seed)
        self.artists, self.albums, self.tracks, self.playlists, self.stations = {}, {}, {}, {}, {}
        for number, name in enumerate(ARTISTS, 1):
            self.artists[number] = {"id": number, "name": name, "albums": 0, "tracks": 0, "picture": f"p{number}"}
        for number in range(1, albums + 1):
            artist = self.artists[1 + (number * 5) % len(ARTISTS)]
            count = dice.randint(7, 12)
            title = ALBUM_WORDS[(number - 1) % len(ALBUM_WORDS)]
            title += "" if number <= len(ALBUM_WORDS) else " " + ("II", "III")[(number - 1) // len(ALBUM_WORDS) - 1]
            self.add_album(title, artist, dice.randint(1968, 2025), dice.sample(TRACK_WORDS, count), dice)
        if is_hostile:
            self.add_hostile(dice)
        own = list(self.tracks)
        self.add_playlist("Sunday morning", [own[i] for i in (3, 40, 77, 101, 150, 188, 230)], True)
        self.add_playlist("Dinner", own[60:84], True)
        self.add_playlist("From the old disc", own[200:240], False)
        for name in ("Radio Meridian", "Klassik am Abend", "FIP Autour du Jazz", "Night Desk 88.4"):
            self.add_station({"name": name, "address": f"http://radio.example/{len(self.stations) + 1}.aac"})

    def add_hostile(self, dice):
        artist = {"id": len(self.artists) + 1, "name": "<b>Mallory</b>", "albums": 0, "tracks": 0}
        self.artists[artist["id"]] = artist
        self.add_album("<u>Zzz</u> & friends", artist, 2020, HOSTILE, dice)

    def add_album(self, title, artist, year, titles, dice):
        number = len(self.albums) + 1
        album = {
            "id": number, "title": title, "artist": artist["name"], "artistID": artist["id"], "year": year,
            "picture": f"p{number}", "tracks": len(titles), "duration": 0,
        }
        genre = dice.choice(GENRES)
        for place, name in enumerate(titles, 1):
            track = {
                "id": len(self.tracks) + 1, "title": name, "artist": artist["name"], "album": title, "albumID": number,
                "artistID": artist["id"], "track": place, "disc": 1, "year": year, "genre": genre,
                "duration": float(dice.randint(140, 380)), "picture": album["picture"], "codec": "flac",
                "location": f"/music/{artist['name']}/{title}/{place:02} {name}.flac", "sampleRate": 44100, "bitDepth": 16,
            }
            album["duration"] += track["duration"]
            self.tracks[track["id"]] = track
        self.albums[number] = album
        artist["albums"] += 1
        artist["tracks"] += len(titles)

    def add_playlist(self, name, tracks, is_own):
        number = max(self.playlists, default=0) + 1
        self.playlists[number] = {"id": number, "name": name, "isOwn": is_own, "tracks": list(tracks)}
        return number

    def add_station(self, station):
        number = max(self.stations, default=0) + 1
        self.stations[number] = dict(station, id=number)
        return number

    def album_tracks(self, number):
        return [track for track in self.tracks.values() if track["albumID"] == number]

    def search(self, text, limit):
        words = text.lower().split()

        def matches(*fields):
            joined = " ".join(str(field) for field in fields).lower()
            return bool(words) and all(word in joined for word in words)

        def cut(values):
            return list(values)[:limit]

        return {
            "tracks": cut(t for t in self.tracks.values() if matches(t["title"], t["artist"], t["album"])),
            "albums": cut(a for a in self.albums.values() if matches(a["title"], a["artist"])),
            "artists": cut(a for a in self.artists.values() if matches(a["name"])),
            "playlists": cut(self.playlist_line(p) for p in self.playlists.values() if matches(p["name"])),
            "stations": cut(s for s in self.stations.values() if matches(s["name"])),
        }

    @staticmethod
    def playlist_line(playlist):
        return {"id": playlist["id"], "name": playlist["name"], "count": len(playlist["tracks"]), "isOwn": playlist["isOwn"]}

    def folder(self, path):
        """Returns a folder's parts; folders exist only as prefixes of locations."""
        prefix = (path or "/music").rstrip("/") + "/"
        folders, tracks = {}, []
        for track in self.tracks.values():
            if track["location"].startswith(prefix):
                rest = track["location"][len(prefix):].split("/")
                if len(rest) > 1 and "<" not in prefix + rest[0]:
                    folders[rest[0]] = {"name": rest[0], "path": prefix + rest[0]}
                elif len(rest) == 1:
                    tracks.append(track)
        answer = {"path": prefix[:-1], "folders": sorted(folders.values(), key=lambda f: f["name"]), "tracks": tracks}
        if path and path != "/music":
            answer["parent"] = prefix[:-1].rsplit("/", 1)[0]
        return answer
