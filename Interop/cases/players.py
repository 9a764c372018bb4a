"""AVQueuePlayer, in a program of its own (`SampleAppsRunner player`), with real servers and servers that do wrong."""

import os
import time

import numpy as np

import listening
import sound
from cases import OURS, case, expect
from cases.apps import Ears, go_to
from cases.control import expect_pieces
from cases.web import GZIP, SECRET, bad_addresses, make_list
from listening import RATE
from servers import Servers

HEADER = 44  # bytes of our WAV files before the first frame
FRAME = 4  # bytes


class Queue:
    """A queue player by commands, what it tells, and what its output lets out: a room's, or this machine's own."""

    def __init__(self, t, addresses=(), room=1, file="heard.wav"):
        self.t, self.room = t, room
        self.app, self.file = t.app("player", list(addresses), file)
        self.ears = Ears(t, self.app, self.file, room)
        if not room:
            go_to(self.app, "local")  # what another program chose is used else

    def do(self, *commands):
        """Returns a place in the events, before what these commands bring about."""
        here = self.app.here()
        for command in commands:
            self.app.send(command)
        return here

    def wait(self, kind, within=10, after=0, player="first", **facts):
        def fits(event):
            return event.get("player", player) == player and all(event.get(key) == value for key, value in facts.items())

        return self.app.wait(kind, within, fits, after)

    def wait_position(self, seconds, within=15, after=0, player="first"):
        where = lambda event: event.get("player") == player and event.get("position", 0) >= seconds  # noqa: E731
        return self.app.wait("progress", within, where, after)

    def wait_held(self, seconds, after=0, within=15):
        """Until the room has its sound up to this second of the first item's start; returns the last progress."""
        end = time.monotonic() + within
        while True:
            told = self.app.all("progress", after)
            ahead = [min(entry["ahead"] for entry in event["ahead"]) for event in told if event.get("ahead")]
            place = [event for event in told if "position" in event and "item" in event]
            if ahead and place and place[-1]["position"] + ahead[-1] >= seconds:
                return place[-1]
            expect(time.monotonic() < end and not self.app.eof, f"the room does not have {seconds:g} s")
            with self.app.changed:
                self.app.changed.wait(0.5)

    def all(self, kind, after=0, player="first", **facts):
        found = [event for event in self.app.all(kind, after) if event.get("player", player) == player]
        return [event for event in found if all(event.get(key) == value for key, value in facts.items())]

    def positions(self, after=0):
        return [event["position"] for event in self.all("progress", after) if "position" in event]

    def values(self, kind, after=0, player="first", **facts):
        return [event["value"] for event in self.all(kind, after, player, **facts)]

    def expect_in_order(self, kind, wanted, after=0, **facts):
        found = self.values(kind, after, **facts)
        expect(found == wanted, f"{kind} was {found}, not {wanted}")

    def expect_undisturbed(self, after=0):
        for kind in ("playbackStalled", "failedToPlayToEndTime", "interruption"):
            expect(not self.app.all(kind, after), f"{self.app.all(kind, after)[:1]}")

    def hear(self, source):
        return self.ears.hear(source)

    def expect_whole(self, source):
        piece = expect_pieces(self.hear(source), 1)[0]
        expect(piece.start == 0 and piece.end == len(source), f"start or end missing: {piece}")

    def raw(self):
        """Every frame that was let out, without the silence around."""
        if not self.room:
            return listening.trim(listening.read_raw(self.file, skip_bytes=HEADER))
        self.t.lab.settle(self.room)
        return listening.trim(self.t.lab.heard(self.room, self.ears.mark))

    def heard_at(self, piece):
        """When our speaker began to play a piece that `hear` found, monotonic seconds."""
        first = listening.first_sound(self.t.lab.heard(self.room, self.ears.mark))
        return self.t.lab.played_at(self.room, self.ears.mark[self.room] // 4 + first + piece.at)

    def quit(self):
        self.app.quit()


def noise(t, seconds, seed):
    source = t.sounds.noise(f"noise-{seconds}-{seed}", seconds, seed=seed)
    return source, sound.read_wav(source)


def wave(t, servers, seconds, seed, port=8095):
    """A WAV file behind a valve, and its samples."""
    source, samples = noise(t, seconds, seed)
    return servers.valve(source, port), samples


def at(seconds):
    """Bytes of such a file up to this second."""
    return HEADER + int(seconds * RATE) * FRAME


# What is heard


@case("players.every-frame-of-lossless-addresses", lab=OURS, timeout=60)
def lossless(t):
    """On our speaker and on this machine's own output, at the same time."""
    kinds = [("flac", []), ("wav", []), ("m4a", ["-c:a", "alac"]), ("aiff", [])]
    sources = [t.sounds.noise(f"noise-3-{kind}", 3, seed=70 + index) for index, (kind, _) in enumerate(kinds)]
    paths = [t.sounds.encoded(f"whole.{kind}", source, *options) for source, (kind, options) in zip(sources, kinds)]
    samples = np.concatenate([sound.read_wav(source) for source in sources])
    with Servers(t) as servers:
        nginx = servers.nginx()
        addresses = [nginx.address + servers.serve(path) for path in paths]
        queues = [Queue(t, addresses, None, "here.wav"), Queue(t, addresses, 1, "room.wav")]
        for queue in queues:
            queue.do("play")
        for queue in queues:
            queue.wait("didPlayToEndTime", 30, item=len(paths))
        for queue in queues:
            queue.expect_whole(samples)
            queue.expect_undisturbed()
            ended = [event["item"] for event in queue.all("didPlayToEndTime")]
            expect(ended == [1, 2, 3, 4], f"ends were told of {ended}")
            queue.expect_in_order("currentItem", [1, 2, 3, 4, None])
            for item in ended:
                queue.expect_in_order("duration", [3.0], item=item)
            queue.quit()


def edited(t, filled, step):
    """Takes one out, puts one behind another and a new one in, while the output has them already: no gap.

    `step` is called after each edit."""
    (first, *paths), samples = noises(t, (8, 3, 3, 3, 3), seed=60)
    with Servers(t) as servers:
        nginx = servers.nginx()
        addresses = [nginx.address + servers.serve(path) for path in (first, *paths)]
        queue = Queue(t, addresses[:4])
        queue.do("play")
        # Of the second item's three seconds all are in the speaker.
        filled_at = queue.wait_held(filled)["position"]
        for edit in ("remove 2", "move 4 1", f"insert-after 4 {addresses[4]}"):
            here = queue.do(edit)
            step(queue, here)
        last = queue.positions()[-1]
        queue.wait("didPlayToEndTime", 30, item=3)
        queue.expect_whole(np.concatenate([samples[index] for index in (0, 3, 4, 2)]))
        queue.expect_undisturbed()
        ended = [event["item"] for event in queue.all("didPlayToEndTime")]
        expect(ended == [1, 4, 5, 3], f"ends were told of {ended}")
        t.note(f"edits from {filled_at:.1f} to {last:.1f} s of 8")
        queue.quit()


@case("players.an-edited-queue", lab=OURS, timeout=60)
def edited_ours(t):
    edited(t, 16.5, lambda queue, here: queue.wait_held(13.5, here))


@case("players.an-edited-queue-on-shairport-sync", timeout=60)
def edited_theirs(t):
    """It takes noise slowly: all edits at once."""
    edited(t, 11.2, lambda queue, here: None)


@case("players.a-hundred-seeks", lab=OURS, timeout=60)
def seeks(t):
    source, samples = noise(t, 120, seed=5)
    path = t.sounds.encoded("noise-120-5.flac", source)
    with Servers(t) as servers:
        nginx = servers.nginx()
        queue = Queue(t, [nginx.address + servers.serve(path)])
        queue.do("play")
        queue.wait_position(1.5)
        # Farther away than the speaker's 40 s.
        here = queue.do("burst 100 60 110")
        queue.wait("sought", 10, here, done=True)
        queue.wait_position(112, 10, here)
        queue.do("pause")
        first, last = expect_pieces(queue.hear(samples), 2)
        expect(first.start == 0 and first.end < 4 * RATE, f"the start: {first}")
        expect(last.start == 110 * RATE and last.count > 1.5 * RATE, f"the place that was sought last: {last}")
        sought = queue.all("sought", here)
        done = [event["to"] for event in sought if event["done"]]
        expect(len(sought) == 100 and done == [110], f"{len(sought)} completions, these true: {done}")
        jumps = len(queue.all("timeJumped", here))
        expect(jumps == 1, f"timeJumped was posted {jumps} times")
        t.note(f"{len(nginx.requests())} requests")
        queue.quit()


@case("players.servers-that-do-wrong", lab=OURS, timeout=90)
def wrong(t):
    """One queue of all of them: every frame, one behind the other without a gap."""
    sources = [t.sounds.noise(f"wrong-{index}", 6 if index == 0 else 3, seed=80 + index) for index in range(8)]
    paths = [t.sounds.encoded(f"wrong-{index}.flac", source) for index, source in enumerate(sources)]
    samples = [sound.read_wav(source) for source in sources]
    with Servers(t) as servers:
        throttled = servers.nginx(port=8081, extra="limit_rate 300k; limit_rate_after 100k;")
        make_list(servers, "list", sources[4])
        nginx = servers.nginx(extra=GZIP + f" location /moved {{ return 302 /{os.path.basename(paths[3])}; }}")
        certificate, key, authority = servers.certificate()
        tls = servers.nginx(port=8443, tls=(certificate, key))
        for path in paths:
            servers.serve(path)
        addresses = [
            throttled.address + os.path.basename(paths[0]),
            servers.liar("drops", paths[1], 8091),
            servers.liar("norange", paths[2], 8092),
            nginx.address + "moved",
            nginx.address + "list.m3u8",
            tls.address + os.path.basename(paths[5]),
            servers.liar("long", paths[6], 8093),
            servers.liar("short", paths[7], 8094),
            nginx.address + os.path.basename(paths[0]),
        ]
        os.environ["SSL_CERT_FILE"] = authority
        try:
            queue = Queue(t, addresses)
        finally:
            del os.environ["SSL_CERT_FILE"]
        queue.do("play")
        queue.wait_position(1)
        throttled.kill_worker()
        queue.wait("currentItem", 40, value=9)
        queue.do("advance")
        queue.wait("currentItem", 5, value=None)
        source = np.concatenate(samples)
        result = queue.hear(np.concatenate([*samples, samples[0][:1]]))
        queue.expect_undisturbed()
        ended = [event["item"] for event in queue.all("didPlayToEndTime")]
        expect(ended == list(range(1, 9)), f"ends were told of {ended}")
        whole = len(source) - len(samples[7])
        piece = result.pieces[0]
        # Of the one whose server promised two thirds those are heard.
        expect(piece.start == 0 and piece.end >= whole + len(samples[7]) * 0.6, f"not one piece: {result}")
        expect(result.foreign == 0, f"something else was heard: {result}")
        for item in (1, 2, 3):
            queue.do(f"log {item}")
            log = queue.wait("log", 5, item=item)
            expect(log["requests"] > 1 and log["bytes"] >= os.path.getsize(paths[item - 1]), f"the access log of item {item}: {log}")
        queue.quit()


# Waiting


@case("players.waiting-has-its-reasons", lab=OURS, timeout=60)
def reasons(t):
    """The rows of the transport's table, with a server that gives so much and no more."""
    with Servers(t) as servers:
        valve, samples = wave(t, servers, 12, seed=90)
        other, more = wave(t, servers, 4, seed=91, port=8096)
        queue = Queue(t)
        reason, control = "reasonForWaitingToPlay", "timeControlStatus"
        queue.do("play")
        queue.wait(reason, value="noItemToPlay")
        queue.expect_in_order("rate", [1])
        queue.expect_in_order(control, ["waiting"])
        here = queue.do(f"insert {valve.address}")
        queue.wait(reason, after=here, value="toMinimizeStalls")
        # Half as fast as it is played.
        valve.trickle(at(0), at(1.5), 3)
        queue.wait("itemStatus", after=here, value="readyToPlay")
        queue.expect_in_order(control, [], here)
        valve.open(at(3))
        queue.wait(reason, after=here, value=None)
        queue.expect_in_order(reason, ["evaluatingBufferingRate", "toMinimizeStalls", None], here)
        queue.expect_in_order(control, ["playing"], here)
        # Dry.
        here = queue.app.here()
        queue.wait("playbackStalled", after=here)
        queue.wait(reason, after=here, value="toMinimizeStalls")
        valve.open(at(6))
        queue.wait(reason, after=here, value=None)
        queue.expect_in_order(control, ["waiting", "playing"], here)
        queue.expect_in_order(reason, ["toMinimizeStalls", None], here)
        queue.expect_in_order("rate", [], here)
        # Dry, and nobody waits.
        here = queue.do("waits off")
        queue.wait(control, after=here, value="paused")
        queue.wait("playbackStalled", after=here)
        queue.expect_in_order("rate", [0], here)
        queue.expect_in_order(reason, [], here)
        # With less than a wait would want.
        expect(queue.values("isPlaybackBufferEmpty")[-1], "the buffer is told not to be empty after a stall")
        here = queue.app.here()
        valve.open(at(7))
        queue.wait("isPlaybackBufferEmpty", after=here, value=False)
        queue.do("play")
        queue.wait(control, after=here, value="playing")
        queue.expect_in_order(reason, [], here)
        valve.open(at(12))
        queue.wait_position(8, after=here)
        here = queue.do("pause")
        queue.wait(control, after=here, value="paused")
        queue.expect_in_order("rate", [0], here)
        # Another item, of which there is nothing: a start at once is a wait without a stall.
        here = queue.do("waits on", f"replace {other.address}", "immediately 1")
        queue.wait(reason, after=here, value="toMinimizeStalls")
        expect(not queue.all("playbackStalled", here), "a start without data is told as a stall")
        here = queue.app.here()
        other.open(at(1.8))
        queue.wait(reason, after=here, value=None)
        queue.expect_in_order(control, ["playing"], here)
        queue.wait("playbackStalled", after=here)
        queue.wait(reason, after=here, value="toMinimizeStalls")
        later = queue.app.here()
        other.open(at(2.2))
        queue.wait("isPlaybackBufferEmpty", after=later, value=False)
        time.sleep(0.3)  # it shall not start
        queue.expect_in_order(control, [], later)
        queue.do("waits off")
        queue.wait(control, after=later, value="playing")
        queue.wait("rate", after=later, value=0)
        queue.expect_in_order(control, ["playing", "paused"], later)
        result = queue.hear(np.concatenate([samples, more]))
        expect(result.foreign == 0, f"heard: {result}")
        first = [piece for piece in result.pieces if piece.start < len(samples)]
        second = [piece for piece in result.pieces if piece.start >= len(samples)]
        expect_continuous(first, 0)
        expect(first[-1].end > 8 * RATE, f"heard: {result}")
        expect_continuous(second, len(samples))
        expect(len(samples) + 1.9 * RATE <= second[-1].end <= len(samples) + 2.2 * RATE, f"heard: {result}")
        queue.quit()


def expect_continuous(pieces, start):
    expect(pieces and pieces[0].start == start, f"the start is missing: {[str(piece) for piece in pieces]}")
    for before, after in zip(pieces, pieces[1:]):
        expect(after.start == before.end, f"not continuous: {before}; {after}")


@case("players.a-stalled-server-is-no-stalled-player", lab=OURS, timeout=60)
def stalled_server(t):
    with Servers(t) as servers:
        valve, samples = wave(t, servers, 14, seed=92)
        valve.open(at(6))
        queue = Queue(t, [valve.address])
        queue.wait("isPlaybackLikelyToKeepUp", value=True)
        queue.do("play")
        playing = queue.wait("timeControlStatus", value="playing")
        # Nothing has come for seconds; the speaker plays what it has.
        queue.wait_position(4.5)
        queue.expect_undisturbed()
        queue.expect_in_order("timeControlStatus", ["playing"])
        valve.open(at(9))
        stall = queue.wait("playbackStalled", 10)
        waited = (stall["at"] - playing["at"]) / 1000
        # Sound is read by the second: what is there of the next one is not heard yet.
        expect(7.9 < waited < 10, f"stalled {waited:.2f} s after the start; 9 s were there")
        time.sleep(0.5)  # silence
        here = queue.app.here()
        valve.open(at(14))
        queue.wait("timeControlStatus", after=here, value="playing")
        queue.wait("didPlayToEndTime", 15)
        expect(len(queue.all("playbackStalled")) == 1, f"{len(queue.all('playbackStalled'))} stalls")
        queue.expect_in_order("timeControlStatus", ["playing", "waiting", "playing", "paused"])
        pieces = expect_pieces(queue.hear(samples), 2)
        expect_continuous(pieces, 0)
        expect(7.9 * RATE < pieces[0].end <= 9 * RATE and pieces[1].end == len(samples), f"{pieces[0]}; {pieces[1]}")
        t.note(f"stalled {waited:.2f} s after the start, {pieces[0].end / RATE:.2f} s heard")
        queue.quit()


# Failures


@case("players.bad-addresses-are-passed-over", lab=OURS, timeout=60)
def bad(t):
    paths, samples = t.tracks("between", count=2, seconds=6)
    with Servers(t) as servers:
        nginx = servers.nginx(extra=SECRET)
        bad = bad_addresses(t, servers, nginx, paths[0])
        good = [nginx.address + servers.serve(path) for path in paths]
        queue = Queue(t, [good[0], *[address for address, _ in bad], good[1]])
        queue.do("play")
        queue.wait("didPlayToEndTime", 30, item=len(bad) + 2)
        for number, (address, word) in enumerate(bad, 2):
            queue.expect_in_order("itemStatus", ["failed"], item=number)
            words = [value for value in queue.values("itemError", item=number) if value]
            expect(len(words) == 1 and word in words[0], f"{address}: no '{word}' in {words}")
        queue.expect_whole(np.concatenate(samples))
        queue.expect_undisturbed()
        # The first of a queue: it would have been played.
        here = queue.do("play", f"insert {bad[0][0]}", f"insert {good[0]}")
        number = len(bad) + 3
        failed = queue.wait("failedToPlayToEndTime", 10, here, item=number)
        expect(bad[0][1] in failed["words"], f"the notification says '{failed['words']}'")
        queue.wait("progress", 10, here, item=number + 1)
        queue.wait("timeControlStatus", 10, here, value="playing")
        queue.expect_in_order("currentItem", [number, number + 1], here)
        # The only one: nothing is left to play.
        here = queue.do("clear", "play", f"insert {bad[1][0]}")
        queue.wait("failedToPlayToEndTime", 10, here, item=number + 2)
        queue.wait("timeControlStatus", 10, here, value="paused")
        expect(queue.values("rate", here)[-1] == 0, f"the rate was {queue.values('rate', here)}")
        queue.quit()


# Radio


@case("players.radio", lab=OURS, timeout=90)
def radio(t):
    source = t.sounds.music("music-60", 60, seed=60)
    path = t.sounds.encoded("music-60.mp3", source, "-b:a", "128k")
    with Servers(t) as servers:
        icecast = servers.icecast()
        feed = icecast.feed("live", path, "-c:a", "copy", kind="mp3", content="audio/mpeg")
        icecast.title("live", "Artist - It's the first")
        queue = Queue(t, [icecast.address("live")])
        queue.do("play")
        queue.wait("timeControlStatus", 15, value="playing")
        queue.expect_in_order("duration", [])
        titles = queue.wait("timedMetadata", 10)["value"]
        expect(any("It's the first" in title for title in titles), f"titles: {titles}")
        icecast.title("live", "Künstler - Zweites")
        here = queue.app.here()
        queue.wait("timedMetadata", 15, here)
        titles = queue.values("timedMetadata", here)[-1]
        expect(any("Zweites" in title for title in titles) and any("Künstler" in title for title in titles), f"titles: {titles}")
        # A live stream cannot be hurried.
        here = queue.do("rate 2")
        time.sleep(0.5)  # for whatever becomes of it
        last = ([1] + queue.values("rate", here))[-1]
        expect(last == 1, f"a live stream plays at rate {last}")
        expect(min(queue.positions()) >= 0, "a time before the beginning was told")
        # The station's computer starts anew.
        os.killpg(feed.pid, 9)
        here = queue.app.here()
        icecast.feed("live", path, "-c:a", "copy", kind="mp3", content="audio/mpeg")
        queue.wait("newErrorLogEntry", 20, here)
        queue.wait_position(queue.positions()[-1] + 4, 20, here)
        expect(not queue.all("failedToPlayToEndTime"), "the stream failed")
        expect(queue.values("timeControlStatus")[-1] == "playing", "it does not play on")
        queue.do("pause")
        heard = queue.raw()
        reference = sound.decode(path)
        match = listening.locate(heard, reference, RATE)
        expect(match.correlation > 0.9, f"it is not the station's sound: correlation {match.correlation:.2f}")
        t.note(f"{len(heard) / RATE:.1f} s were heard, correlation {match.correlation:.3f}")
        queue.quit()


# Rates


def tone(t, name, frequency, seconds):
    """A FLAC file of one frequency."""

    def samples():
        times = np.arange(int(seconds * RATE)) / RATE
        line = np.round(8000 * np.sin(2 * np.pi * frequency * times)).astype(np.int16)
        line[line == 0] = 1
        return np.stack([line, line], axis=1)

    return t.sounds.encoded(f"{name}.flac", t.sounds.source(name, samples))


def pitch(samples):
    """The frequency that is strongest, to a part of a hertz."""
    line = samples[:, 0].astype(float)
    spectrum = np.abs(np.fft.rfft(line * np.hanning(len(line)), 8 * len(line)))
    return float(np.argmax(spectrum)) * RATE / (8 * len(line))


@case("players.rates-keep-the-pitch", lab=OURS, timeout=60)
def rates(t):
    seconds, tones = 4, {0.5: 500, 2: 700, 3: 900}
    with Servers(t) as servers:
        nginx = servers.nginx()
        queue = Queue(t)
        told = []
        for number, (rate, frequency) in enumerate(tones.items(), 1):
            path = tone(t, f"tone-{frequency}-{seconds}", frequency, seconds)
            queue.ears.mark = t.lab.mark()
            here = queue.do(f"insert {nginx.address}{servers.serve(path)}", f"rate {rate}")
            queue.wait("didPlayToEndTime", 20, here, item=number)
            queue.expect_in_order("rate", [rate, 0], here)
            time.sleep(0.3)  # what is due is let out
            heard = queue.raw()
            found, lasted = pitch(heard), len(heard) / RATE
            told.append(f"rate {rate}: {found:.1f} Hz, {lasted:.2f} s")
            expect(abs(found / frequency - 1) < 0.005, f"rate {rate}: {found:.1f} Hz heard, {frequency} Hz in the file")
            expect(abs(lasted - seconds / rate) < 0.1, f"rate {rate}: {lasted:.2f} s heard, {seconds / rate:.2f} expected")
        t.note("; ".join(told))
        queue.quit()


# Two players


@case("players.two-players-take-turns", lab=OURS, timeout=60)
def turns(t):
    (first, second), samples = noises(t, (20, 3), seed=95)
    with Servers(t) as servers:
        nginx = servers.nginx()
        queue = Queue(t, [nginx.address + servers.serve(first)])
        queue.do("play")
        queue.wait_position(3)
        here = queue.do(f"second insert {nginx.address}{servers.serve(second)}", "second play")
        queue.wait("interruption", after=here, began=True)
        queue.wait("timeControlStatus", after=here, value="paused")
        queue.wait("rateDidChange", after=here, reason="AudioSessionInterrupted")
        queue.wait("timeControlStatus", after=here, player="second", value="playing")
        queue.wait("didPlayToEndTime", 15, here, "second", item=2)
        queue.wait("interruption", after=here, began=False, shouldResume=True)
        queue.expect_in_order("rate", [0], here)
        later = queue.do("play")
        queue.wait("timeControlStatus", after=later, value="playing")
        queue.wait_position(8, after=later)
        queue.do("pause")
        before, other, after = expect_pieces(queue.hear(np.concatenate(samples)), 3)
        expect(other.start == len(samples[0]) and other.count == len(samples[1]), f"the newer one: {other}")
        apart = (after.start - before.end) / RATE
        t.note(f"goes on {apart * 1e3:+.0f} ms from where it was stopped")
        expect(before.start == 0 and abs(apart) < 0.1, f"the older one: {before}; {after}")
        expect([event["began"] for event in queue.app.all("interruption")] == [True, False], "more interruptions than one")
        queue.quit()


def noises(t, lengths, seed):
    sources = [noise(t, seconds, seed + index) for index, seconds in enumerate(lengths)]
    paths = [t.sounds.encoded(os.path.basename(source)[:-4] + ".flac", source) for source, _ in sources]
    return paths, [samples for _, samples in sources]
