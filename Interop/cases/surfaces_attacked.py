"""All surfaces attacked while three rooms play: the page, MPD, MQTT, MPRIS and the shell's socket, in turn and then together."""

import http.client
import os
import signal
import socket
import subprocess
import threading
import time

from cases import OURS, PASSWORD, case, expect, house as web, mpd, mpris, mqtt
from cases.house import API, noise
from house import House
from player import Failed

ROOMS = (1, 2, 3)
SECONDS = 170  # of music, in which all of this happens
TURN = 6.0  # seconds of each surface's attack, and of all together
LIFE = 1.5  # seconds until a surface's client is killed
FIRST = 20.0  # seconds until a client that was started anew has an answer, in the middle of an attack
AFTERWARDS = 1.0  # seconds until a command of each surface is carried out after the attacks
MEMORY = 250e6  # bytes at most
GROWTH = 30e6  # bytes that the same attacks may cost a second time
DEAF = 1000  # listeners of the page


class Surface:
    """A surface under attack. `attack` does harm once and returns; `client` is a program of its users that says something at its start."""

    name, client = "", ()

    def __init__(self, t, house, broker, bus):
        self.t, self.house, self.broker, self.bus = t, house, broker, bus
        self.rounds, self.error, self.deaf = 0, None, []

    def attack(self):
        raise NotImplementedError

    def close(self):
        """Closes the connections that read nothing."""
        for connection in self.deaf:
            connection.close()
        self.deaf = []

    def run_until(self, end):
        """Attacks until a moment."""
        try:
            while time.monotonic() < end:
                self.attack()
                self.rounds += 1
        except Exception as error:  # told by the case
            self.error = error


class Page(Surface):
    name = "page"
    client = ("curl", "-sN", f"http://{web.HOST}:{web.PORT}{API}/events")

    def attack(self):
        if not self.deaf:
            self.deaf = web.deaf_listeners(self.house, DEAF)
        web.send_junk(self.house, 20)
        statuses, _ = web.ask_fast(self.house, 400)
        unknown = [status for status in statuses if status not in (200, 404)]
        expect(not unknown, f"{len(unknown)} of {len(statuses)} requests failed: {unknown[:3]}")
        # Each listener is told of this.
        for number in range(100):
            self.house.put("/zones/1/volume", {"percent": 10 + number % 90})


class Daemon(Surface):
    name = "MPD"
    # A client that finds the house full comes again.
    client = ("sh", "-c", "until mpc version; do sleep 0.1; done; exec mpc idleloop")

    def attack(self):
        if not self.deaf:
            self.deaf = mpd.deaf_clients(self.house, 20)
        mpd.send_junk(self.house, 20)
        for number in range(20):
            made = mpd.greeted(self.house)
            made.send((mpd.LONGEST if number % 2 else b"setvol %d\nrandom 0\nstatus\n" % (number + 10)) * 50)
            made.close()
        mpd.crowd(self.house, 120)


class Broker(Surface):
    name = "MQTT"

    @property
    def client(self):
        options = ("-h", web.HOST, "-p", str(mqtt.PORT), "-u", mqtt.USER, "-P", mqtt.PASSWORD)
        return ("mosquitto_sub", *options, "-t", f"{mqtt.BASE}/#")

    def attack(self):
        mqtt.flood_with_junk(self.broker, 10_000)
        volumes = "".join(f"{10 + number % 90}\n" for number in range(20_000))
        command = self.broker.client("mosquitto_pub", "-t", f"{mqtt.BASE}/zone/1/volume/set", "-l")
        subprocess.run(command, input=volumes, text=True, timeout=60, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


class Desktop(Surface):
    name = "MPRIS"
    client = ("playerctl", "-p", "tutti.zone1", "--follow", "status")

    def attack(self):
        client = mpris.RawClient(self.bus.address)
        try:
            for count, *call in (
                (1000, mpris.ZONE, mpris.PROPERTIES, "GetAll", "s", [mpris.PLAYER]),
                (1000, mpris.ZONE, "org.example.Nothing", "Dance"),
                (1000, mpris.ZONE, mpris.PROPERTIES, "Set", "ssv", [mpris.PLAYER, "Volume", "d", "0.25"]),
            ):
                client.flood(count, 250, *call)
            # And calls whose answers nobody reads.
            call = (mpris.ZONE, mpris.PROPERTIES, "GetAll", "s", [mpris.PLAYER])
            client.socket.sendall(b"".join(client.message(*call) for _ in range(200)))
        finally:
            client.close()


class OwnSocket(http.client.HTTPConnection):
    """A connection to the socket of the shell's commands."""

    def __init__(self, path):
        super().__init__("localhost", timeout=10)
        self.path = path

    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.settimeout(10)
        self.sock.connect(self.path)


class Shell(Surface):
    name = "shell"

    def __init__(self, *everything):
        super().__init__(*everything)
        self.path = os.path.join(self.house.folder, "state", "control.sock")
        self.command = (self.t.program, "--config", os.path.join(self.house.folder, "tutti.toml"))

    @property
    def client(self):
        program, *options = self.command
        return (program, "status", "--watch", "--json", *options)

    def raw(self):
        made = OwnSocket(self.path)
        made.connect()
        return made.sock

    def attack(self):
        if not self.deaf:
            self.deaf = [self.raw() for _ in range(100)]
            for made in self.deaf:
                made.sendall(f"GET {API}/events HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
        beginnings = (b"", b"GET /", b"POST /api/v1/zones/1/volume HTTP/1.1\r\nContent-Length: -1\r\n\r\n", b"\x16\x03\x01", b"\0" * 70_000)
        for index in range(50):
            made = self.raw()
            made.settimeout(0.02)
            try:
                made.sendall(beginnings[index % len(beginnings)] + os.urandom(2000) + b"\r\n\r\n")
                made.recv(4096)
            except OSError:
                pass  # it waits for more, or hangs up
            made.close()
        asked = OwnSocket(self.path)
        for number in range(300):
            method, path, body = (("PUT", "/zones/1/volume", b'{"percent":%d}' % (10 + number % 90)), ("GET", "/house", None), ("GET", "/nowhere", None))[number % 3]
            asked.request(method, API + path, body, {"Content-Type": "application/json"} if body else {})
            answer = asked.getresponse()
            answer.read()
            expect(answer.status == (404 if path == "/nowhere" else 200), f"{method} {path}: status {answer.status}")
        asked.close()
        # Commands that are killed before their answer.
        program, *options = self.command
        for number in range(5):
            one = subprocess.Popen([program, "volume", str(20 + number), *options], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            time.sleep(0.005 * number)
            one.kill()
            one.wait(5)


class Listener:
    """A surface's client, which is killed and started anew as long as the attack lasts."""

    def __init__(self, surface):
        self.surface, self.starts, self.longest = surface, 0, 0.0

    def live_once(self):
        surface = self.surface
        environment = {**os.environ, **surface.bus.environment, "LC_ALL": "C.UTF-8", "MPD_HOST": web.HOST, "MPD_PORT": str(mpd.PORT)}
        command = surface.t.lab.sender_command(*surface.client)
        begun = time.monotonic()
        process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment, start_new_session=True
        )
        watchdog = threading.Timer(FIRST, process.kill)
        watchdog.start()
        try:
            first = process.stdout.readline()
            took = time.monotonic() - begun
            expect(first, f"the client of {surface.name} has no answer in {took:.1f} s")
            self.starts, self.longest = self.starts + 1, max(self.longest, took)
            time.sleep(LIFE)
        finally:
            watchdog.cancel()
            try:
                os.killpg(process.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass  # the attack has ended it
            process.wait(5)
            process.stdout.close()


def attack(surfaces):
    """Attacks all of these for a turn; their clients are killed and started anew meanwhile. Returns remarks."""
    end = time.monotonic() + TURN
    running = [threading.Thread(target=surface.run_until, args=(end,), name=surface.name) for surface in surfaces]
    for thread in running:
        thread.start()
    listeners, failures = [Listener(surface) for surface in surfaces], []

    def keep(listener):
        try:
            while time.monotonic() < end:
                listener.live_once()
        except Failed as failure:
            failures.append(str(failure))

    users = [threading.Thread(target=keep, args=(listener,)) for listener in listeners]
    for thread in users:
        thread.start()
    for thread in [*users, *running]:
        thread.join(90)
        expect(not thread.is_alive(), f"the attack on {thread.name} does not end")
    for surface in surfaces:
        expect(surface.error is None, f"the attack on {surface.name}: {surface.error!r}")
    expect(not failures, " || ".join(failures))
    return [f"{listener.surface.name} {listener.surface.rounds} rounds, client started {listener.starts} times in {listener.longest:.1f} s at most" for listener in listeners]


def memory(house):
    """The memory of the service, in bytes: now, and the most so far."""
    with open(f"/proc/{mpris.service_pid(house)}/status") as file:
        lines = dict(line.split(":", 1) for line in file if ":" in line)
    return tuple(int(lines[key].split()[0]) * 1024 for key in ("VmRSS", "VmHWM"))


def expect_carried_out(surfaces, house):
    """A command of each surface works afterwards, at once."""
    page, daemon, broker, desktop, shell = surfaces
    program, *options = shell.command

    def by_mpd():
        client = mpd.greeted(house)
        expect(client.ask("setvol 32")[-1] == "OK", "MPD does not set the volume")
        client.close()

    for surface, percent, act in (
        (page, 31, lambda: house.put("/zones/1/volume", {"percent": 31})),
        (daemon, 32, by_mpd),
        (broker, 33, lambda: broker.broker.command("zone/1/volume", "33")),
        (desktop, 34, lambda: desktop.bus.playerctl("volume", "0.34")),
        (shell, 35, lambda: subprocess.run([program, "volume", "35", *options], check=True, timeout=10, stdout=subprocess.DEVNULL)),
    ):
        begun = time.monotonic()
        act()
        house.wait(f"{surface.name} sets the volume", lambda found, percent=percent: round(found["zones"][0].get("volume") or 0) == percent, 5)
        took = time.monotonic() - begun
        expect(took < AFTERWARDS, f"a command of {surface.name} took {took:.2f} s")


def play_in_three_rooms(t, broker, bus):
    """A house with all surfaces that plays in three rooms; their mark, and the finder of its frames."""
    path, finder = noise(t, f"attacked-{SECONDS}", SECONDS, 330)
    house = House(t, [path], **broker.settings(), **bus.environment, TUTTI_MPRIS_BUS="session", TUTTI_MPD_ENABLED="true")
    rooms = house.rooms(*ROOMS)
    house.put(f"/rooms/{rooms[2]}/password", {"password": PASSWORD})
    house.assign(1, *ROOMS)
    mark = t.lab.mark()
    house.add(1, [path])
    house.wait_playing_in(ROOMS)
    house.wait_position(1, 2)
    return house, mark, finder


@case("surfaces.attacked-while-three-rooms-play", lab=OURS, timeout=420, alone=True)
def attacked(t):
    """Junk, floods and clients that never read, at each surface and then at all of them, whose own clients are killed meanwhile:
    not a frame is lost in three rooms, the memory is bounded, and each surface works afterwards."""
    mpd.needs("mpc", "curl")
    web.allow_files(8192)
    with mqtt.Broker(t) as broker, mpris.Bus(t) as bus:
        house, mark, finder = play_in_three_rooms(t, broker, bus)
        bus.wait_status("Playing")
        surfaces = [kind(t, house, broker, bus) for kind in (Page, Daemon, Broker, Desktop, Shell)]
        told, sizes = [], [memory(house)[0]]
        # Together twice: what they cost then is what they would cost each time.
        for chosen in (*([surface] for surface in surfaces), surfaces, surfaces):
            try:
                told += attack(chosen)
            finally:
                for surface in chosen:
                    surface.close()
            sizes.append(memory(house)[0])
        over = time.monotonic()
        with mqtt.Listener(broker, f"{mqtt.BASE}/#") as listener:
            mqtt.wait_recovered(broker, listener, over)
        expect_carried_out(surfaces, house)
        zone = house.wait_zone(1, "plays", lambda found: found["state"] == "playing")
        expect(zone["position"] > 5 * TURN, f"the zone is at {zone['position']:.0f} s only")
        _, most = memory(house)
        heard = web.expect_whole_until_now(t, house, finder, mark, ROOMS)
        shown = ", ".join(f"{size / 1e6:.0f}" for size in sizes)
        expect(most < MEMORY, f"the service had {most / 1e6:.0f} MB; before and after each attack {shown}")
        expect(sizes[-1] - sizes[-2] < GROWTH, f"the service grows by {(sizes[-1] - sizes[-2]) / 1e6:.0f} MB with each attack: {shown}")
        house.stop()
        t.note(f"no frame of {heard:.0f} s lost in each of {len(ROOMS)} rooms; {'; '.join(told)}; {shown} MB, {most / 1e6:.0f} at most")
