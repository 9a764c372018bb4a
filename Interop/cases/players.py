"""AVQueuePlayer with real servers: audio of a queue, of its edits, of seeks, at other rates, and of two players."""

import time

import numpy as np

import sound
from cases import OURS, case, expect
from cases.control import expect_pieces
from cases.queue import Queue, noises
from listening import RATE
from servers import Servers


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
            expect(ended == [1, 2, 3, 4], f"items that ended: {ended}")
            queue.expect_in_order("currentItem", [1, 2, 3, 4, None])
            for item in ended:
                queue.expect_in_order("duration", [3.0], item=item)
            queue.quit()


def edited(t, filled, step):
    """Removes an item, moves one behind another and inserts a new one, while the output holds them already: no gap.

    `step` is called after each edit."""
    (first, *paths), samples = noises(t, (8, 3, 3, 3, 3), seed=60)
    with Servers(t) as servers:
        nginx = servers.nginx()
        addresses = [nginx.address + servers.serve(path) for path in (first, *paths)]
        queue = Queue(t, addresses[:4])
        queue.do("play")
        # All of the second item's three seconds are in the speaker.
        filled_at = queue.wait_held(filled)["position"]
        for edit in ("remove 2", "move 4 1", f"insert-after 4 {addresses[4]}"):
            here = queue.do(edit)
            step(queue, here)
        last = queue.positions()[-1]
        queue.wait("didPlayToEndTime", 30, item=3)
        queue.expect_whole(np.concatenate([samples[index] for index in (0, 3, 4, 2)]))
        queue.expect_undisturbed()
        ended = [event["item"] for event in queue.all("didPlayToEndTime")]
        expect(ended == [1, 4, 5, 3], f"items that ended: {ended}")
        t.note(f"edits from {filled_at:.1f} to {last:.1f} s of 8")
        queue.quit()


@case("players.an-edited-queue", lab=OURS, timeout=60)
def edited_ours(t):
    edited(t, 16.5, lambda queue, here: queue.wait_held(13.5, here))


@case("players.an-edited-queue-on-shairport-sync", timeout=60)
def edited_theirs(t):
    """shairport-sync reads noise slowly: all edits at once."""
    edited(t, 11.2, lambda queue, here: None)


# Rates


def tone(t, name, frequency, seconds):
    """A FLAC file of a sine."""

    def samples():
        times = np.arange(int(seconds * RATE)) / RATE
        line = np.round(8000 * np.sin(2 * np.pi * frequency * times)).astype(np.int16)
        line[line == 0] = 1
        return np.stack([line, line], axis=1)

    return t.sounds.encoded(f"{name}.flac", t.sounds.source(name, samples))


def pitch(samples):
    """The strongest frequency, to a fraction of a hertz."""
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
            time.sleep(0.3)  # wait for the remaining audio
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
        expect([event["began"] for event in queue.app.all("interruption")] == [True, False], "more than one interruption")
        queue.quit()
