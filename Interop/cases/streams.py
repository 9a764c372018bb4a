"""Segmented streams: AVQueuePlayer with HLS on demand and live, on our speaker."""

import os
import re
import threading
import time

import numpy as np

import sound
from cases import OURS, case, expect
from cases.control import expect_pieces
from cases.queue import Queue
from cases.web import make_list
from listening import RATE
from servers import Servers


class LiveList:
    """A playlist that advances over the segments of another one, as a station's does."""

    WINDOW = 5
    EVERY = 1.04  # seconds, as long as a segment; frames of FLAC are long

    def __init__(self, folder, name, source):
        with open(os.path.join(folder, source)) as file:
            text = file.read()
        self.head = [line for line in text.splitlines() if re.match("#EXT-X-(VERSION|MAP)", line)]
        self.segments = re.findall(r"^#EXTINF:.*\n.*$", text, re.MULTILINE)
        self.path = os.path.join(folder, name)
        self.first, self.ended = 0, threading.Event()
        self.publish()
        self.thread = threading.Thread(target=self.run, daemon=True)

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.ended.set()
        self.thread.join()

    def run(self):
        start = time.monotonic()
        while self.first + self.WINDOW < len(self.segments):
            if self.ended.wait(start + (self.first + 1) * self.EVERY - time.monotonic()):
                return
            self.first += 1
            self.publish()

    def edges(self):
        """First frames of the segments."""
        lengths = [float(segment[len("#EXTINF:") :].split(",")[0]) for segment in self.segments]
        return [round(seconds * RATE) for seconds in np.cumsum([0, *lengths])]

    def publish(self):
        lines = ["#EXTM3U", "#EXT-X-TARGETDURATION:1", f"#EXT-X-MEDIA-SEQUENCE:{self.first}", *self.head]
        lines += self.segments[self.first : self.first + self.WINDOW]
        with open(self.path + ".new", "w") as file:
            file.write("\n".join(lines) + "\n")
        os.replace(self.path + ".new", self.path)


@case("players.hls-on-demand", lab=OURS, timeout=60)
def on_demand(t):
    source = t.sounds.noise("noise-90-7", 90, seed=7)
    samples = sound.read_wav(source)
    with Servers(t) as servers:
        make_list(servers, "demand", source)
        nginx = servers.nginx()
        queue = Queue(t, [nginx.address + "demand.m3u8"])
        queue.do("play")
        queue.wait_position(1.5)
        (duration,) = queue.values("duration")
        # The playlist's duration, in which every segment's length is rounded.
        expect(89.9 < duration < 90.2, f"the duration is {duration} s, not 90 s")
        queue.expect_in_order("seekableTimeRanges", [[[0.0, duration]]])
        # Beyond the speaker's buffer, and in the middle of a segment.
        here = queue.app.here()
        at = queue.app.send("seek 86.3")
        expect(queue.wait("sought", 10, here)["done"], "the seek did not finish")
        loaded = queue.wait("loadedTimeRanges", 5, here)["value"]
        expect(len(loaded) == 1 and abs(loaded[0][0] - 86.3) < 0.01, f"loaded after the seek: {loaded}")
        queue.wait("didPlayToEndTime", 15, here)
        first, last = expect_pieces(queue.hear(samples), 2)
        expect(first.start == 0 and first.end > RATE, f"the start: {first}")
        expect(last.start == round(86.3 * RATE) and last.end == len(samples), f"after the seek: {last}")
        queue.expect_undisturbed()
        expect(abs(queue.values("loadedTimeRanges")[-1][0][1] - 90) < 0.001, "the loaded range does not cover everything")
        t.note(f"first sound {(queue.heard_at(last) - at) * 1e3:.0f} ms after a seek")
        queue.quit()


@case("players.hls-live", lab=OURS, timeout=60)
def live(t):
    source = t.sounds.noise("noise-40-8", 40, seed=8)
    samples = sound.read_wav(source)
    with Servers(t) as servers:
        make_list(servers, "all", source)
        nginx = servers.nginx()
        with LiveList(servers.files, "live.m3u8", "all.m3u8") as station:
            queue = Queue(t, [nginx.address + "live.m3u8"])
            begun = station.first
            asked = queue.app.send("rate 1.5")
            queue.wait("timeControlStatus", 15, value="playing")
            expect(queue.values("rate")[-1] == 1, f"a live stream plays at rate {queue.values('rate')}")
            here = queue.do("rate 2", "seek 3")
            expect(not queue.wait("sought", 5, here)["done"], "a seek in a live stream is reported as done")
            queue.wait_position(6)
            expect(queue.values("rate")[-1] == 1, "a live stream plays faster than 1")
            queue.do("place")
            place = queue.wait("place", 5)
            queue.do("pause")
            loaded = queue.values("loadedTimeRanges")
            expect(place["loaded"] >= place["position"], f"less is loaded than heard: {place}")
        queue.expect_in_order("duration", [])
        queue.expect_in_order("seekableTimeRanges", [])
        expect(all(ranges[0][0] == 0 for ranges in loaded if ranges), f"loaded: {loaded[:3]}")
        queue.expect_undisturbed()
        piece = expect_pieces(queue.hear(samples), 1)[0]
        expect(piece.count > 5.8 * RATE, f"not 6 s: {piece}")
        edges = station.edges()
        expect(piece.start in edges[begun : begun + 3], f"playback does not start with a segment near the second: {piece}")
        t.note(f"first sound {queue.heard_at(piece) - asked:.2f} s after the start")
        queue.quit()
