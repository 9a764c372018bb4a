"""The commands of the house on all surfaces: each form of the program's table, sent by a real client, has the same effect."""

import json
import os
import threading

from cases import PIPE, case, expect
from player import Failed
from surfaces import INPUT, Sender, Surfaces

COLUMNS = ("http", "shell", "mpd", "mqtt", "mpris")
NEW, RENAMED = "Attic", "Loft"
BASS = [6, 6, 5, 3, 1, 0, 0, 0, 0, 0]


def start(t, count=4, seconds=40):
    source = t.sounds.noise(f"commands-{seconds}", seconds, seed=700)
    tracks = [t.sounds.encoded(f"commands-{number}.flac", source, title=f"Song {number}") for number in range(1, count + 1)]
    network = os.path.join("/run/netns", t.lab.namespace("s1"))
    return Surfaces(t.program, os.path.join(t.folder, "house"), tracks, t.lab.sender_command(), network)


class Table:
    """The preparation and the effect of each command, the same for all surfaces but where the table has a note."""

    def __init__(self, surfaces):
        self.house, self.sender = surfaces, Sender(surfaces)
        self.other = surfaces.api("POST", "/zones", {"name": "Other"})["zone"]
        expect(self.other == 2, f"the second zone has the number {self.other}")
        self.files = sorted(os.path.join(surfaces.music, name) for name in os.listdir(surfaces.music))
        room = surfaces.room
        self.room = room["id"]
        state = surfaces.get("/house")
        level = next(
            (name for name in (self.room, self.room.replace(":", "").lower()) if name.isalnum()), None)
        self.names = {
            "zone": 1, "zone name": state["zones"][0]["name"], "room": self.room, "room name": room["name"],
            "level": level or self.level_by_topics(), "file": self.files[0],
        }

    def level_by_topics(self):
        """The level of the room's topics, as the broker has it."""
        text = self.house.run("mosquitto_sub", "-p", "1883", "-t", "tutti/surfaces/state", "-C", "1", "-W", "5")
        return next(room["id"] for room in json.loads(text)["rooms"] if room["name"] == self.house.room["name"])

    def api(self, method, path, body=None):
        return self.house.api(method, path, body)

    def path(self, rest):
        return f"/rooms/{self.room}{rest}"

    def prepare(self, plays=True):
        """Four entries in the first zone, the first of them current; the room belongs to it."""
        self.sender.names = dict(self.names)
        self.api("PUT", self.path("/zone"), {"zone": 1})
        items = [{"location": path} for path in self.files]
        self.api("POST", "/zones/1/queue", {"items": items, "place": "replace"})
        for word, body in (
            ("shuffle", {"on": False}), ("repeat", {"mode": "off"}), ("rate", {"rate": 1}), ("sleep", {}), ("volume", {"percent": 50}),
            ("levelling", {"mode": "off"}), ("crossfade", {"seconds": 0}), ("sleep-fade", {"seconds": 0}),
        ):
            self.api("PUT", f"/zones/1/{word}", body)
        if not plays:
            self.api("POST", "/zones/1/pause")
        state = "playing" if plays else "paused"
        self.house.wait(f"the zone is {state}", lambda house: house["zones"][0]["state"] == state)
        self.before = [entry["id"] for entry in self.house.entries()]

    def check(self, name, column, form):
        """Sends one command by one surface, and waits for its effect."""
        plays = name not in ("play", "toggle")
        self.prepare(plays)
        getattr(self, "prepare_" + name, lambda: None)()
        try:
            self.sender.send(column, form)
            effect = getattr(self, f"effect_{name}_{column}", None) or getattr(self, "effect_" + name)
            self.house.wait_until(f"{name} by {column}: `{form}`", effect, 6)
        finally:
            getattr(self, "clean_" + name, lambda: None)()

    # Effects: true once the command is carried out. Playback

    def zone(self):
        return self.house.zone()

    def state(self, wanted):
        return self.zone()["state"] == wanted

    def effect_play(self):
        return self.state("playing")

    effect_toggle = effect_play

    def effect_pause(self):
        return self.state("paused")

    def effect_stop(self):
        return self.state("stopped")

    def index(self):
        current = self.zone().get("current")
        return current and self.before.index(current["id"])

    def effect_next(self):
        return self.index() == 1

    def prepare_previous(self):
        self.api("POST", f"/zones/1/queue/{self.before[2]}/play")
        self.house.wait_until("the third entry plays", lambda: self.index() == 2)
        self.api("PUT", "/zones/1/position", {"seconds": 10})
        self.house.wait_until("the zone is at 10 s", lambda: 9 < self.position() < 20)

    def effect_previous(self):
        return self.index() == 2 and self.position() < 8

    def effect_previous_mpd(self):
        # MPD's goes to the song before from any second.
        return self.index() == 1

    def position(self):
        return self.zone()["position"]

    def effect_seek(self):
        return 29 < self.position() < 36

    def prepare_skip(self):
        self.api("PUT", "/zones/1/position", {"seconds": 5})
        self.house.wait_until("the zone is at 5 s", lambda: 4 < self.position() < 8)

    def effect_skip(self):
        return 13 < self.position() < 24

    def effect_setRate(self):
        return self.zone()["rate"] == 1.5

    def effect_setShuffle(self):
        return self.zone()["shuffle"]

    def effect_setRepeat(self):
        return self.zone()["repeatMode"] == "all"

    def effect_sleep(self):
        return "at" in self.zone().get("sleep", {})

    def effect_sleepAtEndOfTrack(self):
        return self.zone().get("sleep") == {"endOfTrack": True}

    def effect_setZoneVolume(self):
        return round(self.zone().get("volume", 0)) == 35

    def effect_setLevelling(self):
        return self.zone()["levelling"] == "track"

    def effect_setCrossfade(self):
        return self.zone()["crossfade"] == 4

    def effect_setSleepFade(self):
        return self.zone()["sleepFade"] == 30

    def effect_playInput(self):
        return (self.zone().get("input") or {}).get("name") == INPUT

    def clean_playInput(self):
        self.api("POST", f"/zones/1/queue/{self.before[0]}/play")

    # The queue

    def ids(self):
        return [entry["id"] for entry in self.house.entries()]

    def effect_add(self):
        return len(self.ids()) == len(self.before) + 1

    def prepare_jump(self):
        self.sender.names.update(ids=[self.before[1]], entry=self.before[1])

    def effect_jump(self):
        return self.index() == 1

    def prepare_remove(self):
        self.sender.names["ids"] = [self.before[1]]

    def effect_remove(self):
        return self.ids() == [self.before[0], *self.before[2:]]

    def prepare_move(self):
        self.sender.names["ids"] = [self.before[2], self.before[0]]

    def effect_move(self):
        return self.ids() == [self.before[2], *self.before[:2], *self.before[3:]]

    def effect_clear(self):
        return not self.ids() and self.state("stopped")

    # Zones

    def named(self, name):
        return next((zone for zone in self.house.get("/house")["zones"] if zone["name"] == name), None)

    def effect_makeZone(self):
        return self.named(NEW)

    def clean_makeZone(self):
        for name in (NEW, RENAMED):
            if zone := self.named(name):
                self.api("DELETE", f"/zones/{zone['id']}")

    clean_renameZone = clean_removeZone = clean_makeZone

    def prepare_removeZone(self):
        made = self.api("POST", "/zones", {"name": NEW})["zone"]
        self.sender.names.update({"zone": made, "zone name": NEW})

    prepare_renameZone = prepare_removeZone

    def effect_renameZone(self):
        return self.named(RENAMED) and not self.named(NEW)

    def effect_removeZone(self):
        return not self.named(NEW)

    def own_room(self):
        return next(room for room in self.house.get("/house")["rooms"] if room["id"] == self.room)

    def prepare_moveRoom(self):
        self.api("PUT", self.path("/zone"), {"zone": None})

    def effect_moveRoom(self):
        return self.own_room().get("zone") == 1

    def effect_transfer(self):
        return not self.ids() and len(self.house.entries(2)) == len(self.before)

    def clean_transfer(self):
        self.api("DELETE", "/zones/2/queue")

    # Rooms

    def effect_setRoomVolume(self):
        return round(self.own_room().get("volume", 0)) == 25

    def effect_setRoomDelay(self):
        return self.own_room()["delay"] == 20

    def clean_setRoomDelay(self):
        self.api("PUT", self.path("/delay"), {"milliseconds": 0})

    def effect_setRoomPassword(self):
        # The house tells a password to nobody; the client has its answer.
        with open(os.path.join(self.house.folder, "service.log"), errors="replace") as file:
            expect("4711" not in file.read(), "the log has the password")
        expect("4711" not in json.dumps(self.house.get("/house")), "the house tells the password")
        return True

    def effect_setRoomEqualizer(self):
        return (self.own_room().get("equalizer") or {}).get("gains") == BASS

    def clean_setRoomEqualizer(self):
        self.api("PUT", self.path("/equalizer"), {"gains": None})

    def effect_setRoomMaximumVolume(self):
        return self.own_room()["maximumVolume"] == 60

    def clean_setRoomMaximumVolume(self):
        self.api("PUT", self.path("/maximum"), {"percent": 100})

    def effect_setRoomNightMode(self):
        return self.own_room()["nightMode"]

    def clean_setRoomNightMode(self):
        self.api("PUT", self.path("/night"), {"on": False})

    # Announcements and alarms

    def announcements(self):
        return self.house.get("/announcements")["announcements"]

    def effect_announce(self):
        return self.announcements()

    def clean_announce(self):
        for each in reversed(self.announcements()):
            self.api("DELETE", f"/announcements/{each['id']}")

    clean_cancelAnnouncement = clean_announce

    def prepare_cancelAnnouncement(self):
        number = self.api("POST", "/announcements", {"location": self.files[0]})["announcement"]
        self.sender.names.update(ids=[number], announcement=number)

    def effect_cancelAnnouncement(self):
        return not self.announcements()

    def alarms(self):
        return self.house.get("/alarms")["alarms"]

    def effect_setAlarm(self):
        return [alarm for alarm in self.alarms() if alarm["minute"] == 390 and alarm["zone"] == 1]

    def clean_setAlarm(self):
        for alarm in self.alarms():
            self.api("DELETE", f"/alarms/{alarm['id']}")

    clean_removeAlarm = clean_setAlarm

    def prepare_removeAlarm(self):
        number = self.api("POST", "/alarms", {"zone": 1, "minute": 5, "isOn": False})["alarm"]
        self.house.wait_until("the alarm is there", self.alarms)
        self.sender.names.update(ids=[number], alarm=number)

    def effect_removeAlarm(self):
        return not self.alarms()


# A room that is there cannot be forgotten: all surfaces must refuse it with the house's sentence.
REFUSED = {"forgetRoom": "cannot be forgotten"}


def run_table(house, only=()):
    """Sends all forms; returns their number. All failures are collected."""
    table, failures, count = Table(house), [], 0
    for row in house.table():
        name = row["name"]
        if only and name not in only:
            continue
        for column in COLUMNS:
            form = row["surfaces"].get(column)
            if form is None:
                continue
            count += 1
            try:
                if name in REFUSED:
                    table.prepare()
                    try:
                        table.sender.send(column, form)
                    except Failed as error:
                        expect(REFUSED[name] in str(error), f"{name} by {column}: {error}")
                    else:
                        raise Failed(f"{name} by {column} was not refused")
                else:
                    table.check(name, column, form)
            except (Failed, AttributeError, KeyError, ValueError) as error:
                failures.append(f"{name} by {column}: {error!r}")
    expect(not failures, f"{len(failures)} of {count} forms: " + " || ".join(failures[:8]))
    return count


@case("commands.each-has-one-meaning-on-all-surfaces", lab=PIPE, timeout=480)
def one_meaning(t):
    """Every row of the table, by curl, the shell, MPD, mosquitto_pub and playerctl, has the effect of its command."""
    with start(t) as house:
        t.notes.append(f"{run_table(house)} forms")


def edit_together(house, rounds=25):
    """Four clients add to one queue and remove from it at the same time; returns the titles that must be left."""
    house.api("DELETE", "/zones/1/queue")
    files = sorted(os.listdir(house.music))
    kept = {"mpd": [], "http": [], "mqtt": [], "shell": []}
    errors = []

    def mpd():
        connection = house.connect(6600)
        file = connection.makefile("rb")
        file.readline()
        for number in range(rounds):
            connection.sendall(f"addid {files[0]}\n".encode())
            line = file.readline()
            expect(line.startswith(b"Id: "), f"MPD: {line}")
            file.readline()
            entry = int(line.split()[1])
            if number % 2:
                connection.sendall(f"deleteid {entry}\n".encode())
                expect(file.readline() == b"OK\n", "MPD cannot remove its own song")
            else:
                kept["mpd"].append(entry)
        connection.close()

    def http():
        for number in range(rounds):
            item = {"items": [{"location": os.path.join(house.music, files[1])}], "place": "end" if number % 3 else "next"}
            (entry,) = house.api("POST", "/zones/1/queue", item)["entries"]
            if number % 2:
                house.api("POST", "/zones/1/queue/remove", {"entries": [entry]})
            else:
                kept["http"].append(entry)

    def mqtt():
        for _ in range(rounds):
            house.publish("zone/1/add/set", os.path.join(house.music, files[2]))
            kept["mqtt"].append(None)

    def shell():
        for _ in range(rounds // 5):
            house.tutti("queue", "add", os.path.join(house.music, files[3]), "--zone", "#1")
            kept["shell"].append(None)

    def guarded(work):
        try:
            work()
        except Exception as error:  # shown below
            errors.append(f"{work.__name__}: {error!r}")

    threads = [threading.Thread(target=guarded, args=(work,)) for work in (mpd, http, mqtt, shell)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(120)
    expect(not errors, " || ".join(errors))
    return kept, files


def check_edits(house, kept, files):
    wanted = [len(kept[name]) for name in ("mpd", "http", "mqtt", "shell")]

    def counts():
        found = [os.path.basename(entry["track"]["location"]) for entry in house.entries()]
        return [found.count(name) for name in files]

    house.wait_until(f"the queue has {wanted}, not {counts()}", lambda: counts() == wanted, 10)
    ids = [entry["id"] for entry in house.entries()]
    expect(set(kept["mpd"] + kept["http"]) <= set(ids) and len(set(ids)) == len(ids), "entries were lost, or have one id twice")
    seen = [int(line.split()[1]) for line in house.mpd("playlistinfo") if line.startswith("Id: ")]
    expect(seen == ids, f"MPD sees {len(seen)} entries in another order than HTTP's {len(ids)}")
    length = house.zone()["length"]
    text = house.run("mosquitto_sub", "-p", "1883", "-t", "tutti/surfaces/zone/1/length", "-C", "1", "-W", "5")
    expect(int(text) == length == len(ids), f"the broker has {text} entries, the house {length}")
    return len(ids)


@case("commands.clients-of-four-kinds-edit-one-queue", lab=PIPE, timeout=120)
def together(t):
    """MPD, HTTP, MQTT and the shell add and remove at the same time; nothing is lost, and all see the same queue in the end."""
    with start(t, seconds=5) as house:
        kept, files = edit_together(house)
        t.notes.append(f"{check_edits(house, kept, files)} entries left")
