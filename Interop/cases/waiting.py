"""AVQueuePlayer with servers that are slow, stall, misbehave or are empty, and with a station that vanishes."""

import os
import time

import numpy as np

import listening
import sound
from cases import OURS, case, expect
from cases.control import expect_pieces
from cases.queue import Queue, at, wave
from cases.web import GZIP, SECRET, bad_addresses, half_a_file, make_list
from listening import RATE
from servers import Servers


@case("players.waiting-has-its-reasons", lab=OURS, timeout=60)
def reasons(t):
    """The rows of the transport's table, with a server that sends limited amounts."""
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
        # Half of the playback rate.
        valve.trickle(at(0), at(1.5), 3)
        queue.wait("itemStatus", after=here, value="readyToPlay")
        queue.expect_in_order(control, [], here)
        valve.open(at(3))
        queue.wait(reason, after=here, value=None)
        queue.expect_in_order(reason, ["evaluatingBufferingRate", "toMinimizeStalls", None], here)
        queue.expect_in_order(control, ["playing"], here)
        # The buffer runs dry.
        here = queue.app.here()
        queue.wait("playbackStalled", after=here)
        queue.wait(reason, after=here, value="toMinimizeStalls")
        valve.open(at(6))
        queue.wait(reason, after=here, value=None)
        queue.expect_in_order(control, ["waiting", "playing"], here)
        queue.expect_in_order(reason, ["toMinimizeStalls", None], here)
        queue.expect_in_order("rate", [], here)
        # The buffer runs dry, without waiting.
        here = queue.do("waits off")
        queue.wait(control, after=here, value="paused")
        queue.wait("playbackStalled", after=here)
        queue.expect_in_order("rate", [0], here)
        queue.expect_in_order(reason, [], here)
        # Less than a wait would require.
        expect(queue.values("isPlaybackBufferEmpty")[-1], "the buffer is reported as not empty after a stall")
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
        # Another item without any data: an immediate start is a wait without a stall.
        here = queue.do("waits on", f"replace {other.address}", "immediately 1")
        queue.wait(reason, after=here, value="toMinimizeStalls")
        expect(not queue.all("playbackStalled", here), "a start without data is reported as a stall")
        here = queue.app.here()
        other.open(at(1.8))
        queue.wait(reason, after=here, value=None)
        queue.expect_in_order(control, ["playing"], here)
        queue.wait("playbackStalled", after=here)
        queue.wait(reason, after=here, value="toMinimizeStalls")
        later = queue.app.here()
        other.open(at(2.2))
        queue.wait("isPlaybackBufferEmpty", after=later, value=False)
        time.sleep(0.3)  # must not start
        queue.expect_in_order(control, [], later)
        queue.do("waits off")
        queue.wait(control, after=later, value="playing")
        # Reported after the rate.
        queue.wait(control, after=later, value="paused")
        queue.expect_in_order("rate", [0], later)
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
        # Nothing has arrived for seconds; the speaker plays its buffer.
        queue.wait_position(4.5)
        queue.expect_undisturbed()
        queue.expect_in_order("timeControlStatus", ["playing"])
        valve.open(at(9))
        stall = queue.wait("playbackStalled", 10)
        waited = (stall["at"] - playing["at"]) / 1000
        # Audio is read in whole seconds: the data of the next second is not playable yet.
        expect(7.9 < waited < 10, f"stalled {waited:.2f} s after the start, with 9 s of data")
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


@case("players.servers-that-do-wrong", lab=OURS, timeout=90)
def wrong(t):
    """One queue of all of them: every frame, in sequence without a gap."""
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
        expect(ended == list(range(1, 9)), f"items that ended: {ended}")
        whole = len(source) - len(samples[7])
        piece = result.pieces[0]
        # The item whose server promised two thirds plays those.
        expect(piece.start == 0 and piece.end >= whole + len(samples[7]) * 0.6, f"not one piece: {result}")
        expect(result.foreign == 0, f"something else played: {result}")
        for item in (1, 2, 3):
            queue.do(f"log {item}")
            log = queue.wait("log", 5, item=item)
            expect(log["requests"] > 1 and log["bytes"] >= os.path.getsize(paths[item - 1]), f"the access log of item {item}: {log}")
        queue.quit()


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
        # The first item of a queue would have played next. It fails only once another item follows it.
        path = half_a_file(t)
        valve = servers.valve(path)
        here = queue.do("play", f"insert {valve.address}", f"insert {good[0]}", "place")
        number = len(bad) + 3
        queue.wait("place", 10, here)
        valve.open(os.path.getsize(path))
        failed = queue.wait("failedToPlayToEndTime", 10, here, item=number)
        expect("damaged" in failed["words"], f"the notification says '{failed['words']}'")
        queue.wait("progress", 10, here, item=number + 1)
        queue.wait("timeControlStatus", 10, here, value="playing")
        queue.expect_in_order("currentItem", [number, number + 1], here)
        # The only item: nothing is left to play.
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
        # A live stream cannot be fetched faster.
        here = queue.do("rate 2")
        time.sleep(0.5)  # for whatever happens to it
        last = ([1] + queue.values("rate", here))[-1]
        expect(last == 1, f"a live stream plays at rate {last}")
        expect(min(queue.positions()) >= 0, "a time before the beginning was reported")
        # The station's server restarts.
        os.killpg(feed.pid, 9)
        here = queue.app.here()
        icecast.feed("live", path, "-c:a", "copy", kind="mp3", content="audio/mpeg")
        queue.wait("newErrorLogEntry", 20, here)
        queue.wait_position(queue.positions()[-1] + 4, 20, here)
        expect(not queue.all("failedToPlayToEndTime"), "the stream failed")
        expect(queue.values("timeControlStatus")[-1] == "playing", "the player does not continue")
        queue.do("pause")
        heard = queue.raw()
        reference = sound.decode(path)
        match = listening.locate(heard, reference, RATE)
        expect(match.correlation > 0.9, f"this is not the station's audio: correlation {match.correlation:.2f}")
        t.note(f"{len(heard) / RATE:.1f} s were heard, correlation {match.correlation:.3f}")
        queue.quit()
