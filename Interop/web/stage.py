"""What the tests stand on: the house's own interface, and pages of a browser. Only what the contract offers is used."""

import json
import time
import urllib.error
import urllib.parse
import urllib.request

TESTS = []
WAIT = 8.0
ZONE_NAME = "Web test"
# Notes the revision of the last event that the page has taken, drawn or not, and counts the snapshots among them.
NOTE_EVENTS = """
    window.heard = -1;
    window.houses = 0;
    window.EventSource = class extends EventSource {
        addEventListener(name, listener) {
            super.addEventListener(name, (event) => {
                listener(event);
                if (name === "house") window.houses += 1;
                if (event.lastEventId) window.heard = Number(event.lastEventId.split("-").pop());
            });
        }
    };
"""


class Failed(Exception):
    """An expectation does not hold; the message says which."""


class Skipped(Exception):
    """A test cannot run here; the message says why."""


def test(title, needs_mock=False, measures_time=False):
    """Registers a test under a sentence; a test gets the stage. One that measures time needs a machine with nothing else to do."""

    def register(function):
        function.title, function.needs_mock, function.measures_time = title, needs_mock, measures_time
        TESTS.append(function)
        return function

    return register


def expect(condition, message):
    if not condition:
        raise Failed(message)


def wait_for(check, message, seconds=WAIT):
    """Returns the first true answer of `check`."""
    end = time.monotonic() + seconds
    while True:
        answer = check()
        if answer:
            return answer
        if time.monotonic() > end:
            raise Failed(message)
        time.sleep(0.03)


class Api:
    """The HTTP interface of one server."""

    def __init__(self, address):
        self.address = address.rstrip("/")

    def send(self, method, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.address + path, data, {"Content-Type": "application/json"}, method=method)
        with urllib.request.urlopen(request, timeout=20) as answer:
            text = answer.read()
        return json.loads(text) if text else {}

    def get(self, path):
        return self.send("GET", "/api/v1" + path)

    def post(self, path, body=None):
        return self.send("POST", "/api/v1" + path, body or {})

    def put(self, path, body):
        return self.send("PUT", "/api/v1" + path, body)

    def delete(self, path):
        return self.send("DELETE", "/api/v1" + path)

    def zone(self, number):
        return next(zone for zone in self.get("/house")["zones"] if zone["id"] == number)

    def room(self, name):
        return next(room for room in self.get("/house")["rooms"] if room["id"] == name)

    def titles(self, zone):
        return [entry["track"]["title"] for entry in self.queue(zone)]

    def queue(self, zone):
        return self.get(f"/zones/{zone}/queue?count=1000")["entries"]


class Stage:
    """A zone of its own for each test, and pages that control it. `close` puts the rooms back and removes the zone."""

    def __init__(self, address, browser, is_mock, errors):
        self.api, self.browser, self.is_mock, self.errors = Api(address), browser, is_mock, errors
        self.address, self.contexts, self.requests, self.notes = self.api.address, [], [], []
        if is_mock:
            self.api.send("POST", "/mock/reset")
        self.rooms_before = {room["id"]: room.get("zone") for room in self.api.get("/house")["rooms"]}
        self.zone = self.api.post("/zones", {"name": ZONE_NAME, "rooms": []})["zone"]

    def close(self):
        for context in self.contexts:
            context.close()
        try:
            for room, zone in self.rooms_before.items():
                if self.api.room(room).get("zone") != zone:
                    self.api.put(f"/rooms/{urllib.parse.quote(room)}/zone", {"zone": zone})
            self.api.delete(f"/zones/{self.zone}")
        except (urllib.error.URLError, StopIteration):
            # A test may have removed them itself.
            pass

    # Preparing the house

    def usable_rooms(self, count=1):
        """Rooms that can join at once."""
        rooms = [r["id"] for r in self.api.get("/house")["rooms"] if r["isPresent"] and not r["needsPassword"]]
        if len(rooms) < count:
            raise Skipped(f"the house has {len(rooms)} rooms that can play; {count} are needed")
        return rooms[:count]

    def tracks(self, count):
        """Tracks with different, harmless titles that last at least a minute."""
        seen, chosen = set(), []
        for track in self.api.get("/library/tracks?count=1000&sort=added")["items"]:
            is_plain = track["title"].replace(" ", "").isalnum() and track["title"].isascii() and len(track["title"]) < 60
            if track["title"] not in seen and is_plain and (track.get("duration") or 0) >= 60:
                seen.add(track["title"])
                chosen.append(track)
        if len(chosen) < count:
            raise Skipped(f"the library has {len(chosen)} fitting tracks; {count} are needed")
        return chosen[:count]

    def fill(self, count=8, plays=False):
        """Queues tracks in the zone; with `plays` a room joins and plays them. Returns the titles."""
        tracks = self.tracks(count)
        self.api.post(f"/zones/{self.zone}/queue", {"items": [{"track": t["id"]} for t in tracks], "place": "end"})
        if plays:
            self.join(self.usable_rooms()[0])
            self.api.post(f"/zones/{self.zone}/play")
            wait_for(lambda: self.state() == "playing", "the zone does not begin to play", 20)
        return [track["title"] for track in tracks]

    def join(self, room):
        self.api.put(f"/rooms/{urllib.parse.quote(room)}/zone", {"zone": self.zone})

    def state(self):
        return self.api.zone(self.zone)["state"]

    def titles(self):
        return self.api.titles(self.zone)

    # Pages

    def open(self, hash_="#/playing", width=1280, height=800, theme="light", touch=False, scripts=()):
        """Opens a page that controls the zone, and waits until it knows the house."""
        context = self.browser.new_context(
            viewport={"width": width, "height": height}, color_scheme=theme, has_touch=touch, is_mobile=touch, reduced_motion="no-preference",
        )
        self.contexts.append(context)
        context.add_init_script(f"try {{ localStorage.getItem('tutti.zone') ?? localStorage.setItem('tutti.zone', '{self.zone}') }} catch {{}}")
        for script in (NOTE_EVENTS, *scripts):
            context.add_init_script(script)
        page = context.new_page()
        page.set_default_timeout(WAIT * 1000)
        page.on("console", lambda message: message.type == "error" and self.errors.append(message.text))
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("request", lambda request: self.requests.append(request.url))
        page.goto(f"{self.address}/{hash_}")
        page.wait_for_selector("#zone-button .zone-name:text-matches('[^…]')", state="attached")
        return page

    def wait_until_heard(self, page):
        """Returns once the page has taken all events of the house so far; it may not have drawn them."""
        revision = self.api.get("/house")["revision"]
        wait_for(lambda: page.evaluate("heard") >= revision, "the page does not get the events")

    def allow_errors(self):
        """Forgets errors of a test that takes the server away on purpose."""
        self.errors.clear()

    def note(self, text):
        """Adds a measured figure to the line of the test."""
        self.notes.append(text)


def wait_until_drawn(page):
    """Returns once the page has drawn what it has taken, unless it waits for the end of a press."""
    page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")


class Held:
    """The page's requests to an address, which the house does not get until they are let go."""

    def __init__(self, page, pattern):
        self.page, self.routes = page, []
        page.route(pattern, lambda route: self.routes.append(route))

    def wait_for(self, count):
        # Routes are taken within calls of the page only.
        wait_for(lambda: self.page.evaluate("true") and len(self.routes) >= count, f"the page does not send {count} requests")

    def let_go(self, place=0):
        self.wait_for(place + 1)
        self.routes[place].continue_()


def row(page, title):
    """The row of the queue with a title."""
    return page.locator("#queue .queue-row:not([hidden])").filter(has=page.get_by_text(title, exact=True)).first


def shown_titles(page):
    """The titles in the queue's panel, in the order in which they are seen."""
    return page.evaluate(
        """() => [...document.querySelectorAll('#queue .queue-row:not([hidden])')]
            .sort((a, b) => a.getBoundingClientRect().top - b.getBoundingClientRect().top)
            .map(row => row.querySelector('.row-title').textContent).filter(Boolean)"""
    )
