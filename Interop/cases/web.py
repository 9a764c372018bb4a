"""Addresses: nginx and Icecast, and misbehaving servers; on this machine's own output, and on a speaker."""

import os

import numpy as np

import sound
from cases import case, expect
from cases.control import expect_pieces
from cases.control import hear as hear_room
from cases.local import hear
from servers import Servers


def track(t, seconds=8):
    """A FLAC file, and its samples."""
    source = t.sounds.noise(f"noise-{seconds}", seconds, seed=1)
    return t.sounds.encoded(f"noise-{seconds}.flac", source), sound.read_wav(source)


def expect_whole(file, source):
    piece = expect_pieces(hear(file, source), 1)[0]
    expect(piece.start == 0 and piece.end == len(source), f"start or end missing: {piece}")


def expect_nothing_missing(result):
    expect(result.pieces, "no frame of the source was played")
    for before, after in zip(result.pieces, result.pieces[1:]):
        expect(after.start <= before.end, f"audio is missing: {before}; {after}")


@case("web.a-file-is-heard-whole", timeout=60)
def whole(t):
    path, samples = track(t)
    with Servers(t) as servers:
        nginx = servers.nginx()
        player, file = t.play_here([nginx.address + servers.serve(path)])
        player.expect_end(within=40)
        expect_whole(file, samples)
        t.note(f"{len(nginx.requests())} requests")


@case("web.a-speaker-plays-an-address", timeout=60)
def speaker(t):
    path, samples = track(t)
    with Servers(t) as servers:
        nginx = servers.nginx()
        mark = t.lab.mark()
        player = t.play([nginx.address + servers.serve(path)], [1])
        player.expect_end(within=45)
        piece = expect_pieces(hear_room(t, 1, mark, samples), 1)[0]
        expect(piece.start == 0 and piece.end == len(samples), f"start or end missing: {piece}")


@case("web.every-container", timeout=120)
def containers(t):
    # The index of the M4A is at its end.
    kinds = [("flac", []), ("m4a", ["-c:a", "alac"]), ("aiff", []), ("wav", [])]
    sources = [t.sounds.noise(f"noise-5-{kind}", 5, seed=50 + index) for index, (kind, _) in enumerate(kinds)]
    paths = [t.sounds.encoded(f"kind.{kind}", source, *options) for source, (kind, options) in zip(sources, kinds)]
    samples = np.concatenate([sound.read_wav(source) for source in sources])
    with Servers(t) as servers:
        nginx = servers.nginx()
        player, file = t.play_here([nginx.address + servers.serve(path) for path in paths])
        player.expect_end(within=60)
        expect_whole(file, samples)


@case("web.a-slow-server-is-waited-for", timeout=90)
def slow(t):
    path, samples = track(t, 20)
    size = os.path.getsize(path)
    with Servers(t) as servers:
        # About nine tenths of the playback rate.
        nginx = servers.nginx(extra=f"limit_rate {int(size / 20 * 0.9)};")
        player, file = t.play_here([nginx.address + servers.serve(path)])
        player.expect_end(within=80)
        result = hear(file, samples)
        frames = sum(piece.end - piece.start for piece in result.pieces)
        expect(result.pieces[0].start == 0 and result.pieces[-1].end == len(samples), f"start or end missing: {result.pieces}")
        expect_nothing_missing(result)
        t.note(f"{len(result.pieces) - 1} waits, {frames} frames heard of {len(samples)}")


@case("web.resets-in-the-middle-are-not-heard", timeout=60)
def resets(t):
    path, samples = track(t, 20)
    with Servers(t) as servers:
        nginx = servers.nginx(extra="limit_rate 400k; limit_rate_after 100k;")
        player, file = t.play_here([nginx.address + servers.serve(path)])
        for position in (2, 4):
            player.wait_position(position, within=20)
            nginx.kill_worker()
        player.expect_end(within=50)
        expect_whole(file, samples)
        expect(not player.all("error"), f"errors: {player.all('error')}")


@case("web.a-server-that-drops-every-200-kB", timeout=60)
def drops(t):
    path, samples = track(t)
    with Servers(t) as servers:
        player, file = t.play_here([servers.liar("drops", path)])
        player.expect_end(within=45)
        expect_whole(file, samples)


@case("web.a-server-without-ranges-that-drops", timeout=60)
def no_ranges(t):
    path, samples = track(t)
    with Servers(t) as servers:
        player, file = t.play_here([servers.liar("norange", path)])
        player.expect_end(within=45)
        expect_whole(file, samples)


@case("web.a-length-that-is-too-long", timeout=60)
def too_long(t):
    path, samples = track(t)
    with Servers(t) as servers:
        player, file = t.play_here([servers.liar("long", path)])
        player.expect_end(within=45)
        expect_whole(file, samples)


@case("web.a-length-that-is-too-short", timeout=60)
def too_short(t):
    path, samples = track(t, 20)
    with Servers(t) as servers:
        player, file = t.play_here([servers.liar("short", path)])
        player.expect_end(within=45)
        piece = expect_pieces(hear(file, samples), 1)[0]
        expect(piece.start == 0 and piece.end > len(samples) * 0.6, f"the promised part is missing: {piece}")
        expect(player.all("warning"), "no warning reports that the rest is missing")


@case("web.tls-and-a-certificate-that-is-trusted", timeout=60)
def tls(t):
    path, samples = track(t)
    with Servers(t) as servers:
        certificate, key, authority = servers.certificate()
        nginx = servers.nginx(port=8443, tls=(certificate, key))
        os.environ["SSL_CERT_FILE"] = authority
        try:
            player, file = t.play_here([nginx.address + servers.serve(path)])
        finally:
            del os.environ["SSL_CERT_FILE"]
        player.expect_end(within=40)
        expect_whole(file, samples)


# The nginx configuration that `bad_addresses` needs.
SECRET = "location /secret { return 403; }"


def half_a_file(t):
    """The file's index was at its end."""
    whole = t.sounds.encoded("noise-6-alac.m4a", t.sounds.noise("noise-6", 6, seed=6), "-c:a", "alac")
    return t.sounds.truncated("half.m4a", whole, 0.5)


def bad_addresses(t, servers, nginx, path):
    """Unplayable addresses, each with a word that its error must contain."""
    name = servers.serve(path)
    certificate, key, _ = servers.certificate("other.example")
    untrusted = servers.nginx(port=8443, tls=(certificate, key))
    return [
        (nginx.address + "missing.flac", "404"),
        (nginx.address + "secret/a.flac", "403"),
        (untrusted.address + name, "certificate"),
        ("http://no-such-host.invalid/a.flac", "no-such-host.invalid"),
        ("http://127.0.0.1:9/a.flac", "connection"),
        (servers.liar("circle", path, 8091), "redirect"),
        (servers.liar("endless", path, 8092), "head"),
        (servers.liar("html", path, 8093), "web page"),
        (servers.liar("nothing", path, 8094), "empty"),
        (nginx.address + servers.serve(half_a_file(t)), "damaged"),
    ]


@case("web.bad-addresses-are-named-and-the-rest-plays", timeout=90)
def bad(t):
    path, samples = track(t)
    with Servers(t) as servers:
        nginx = servers.nginx(extra=SECRET)
        addresses = bad_addresses(t, servers, nginx, path)
        player, file = t.play_here([address for address, _ in addresses] + [nginx.address + servers.serve(path)])
        player.expect_end(within=70)
        errors = [event["message"] for event in player.all("error")]
        expect(len(errors) == len(addresses), f"{len(errors)} errors: {errors}")
        for (address, word), message in zip(addresses, errors):
            expect(word in message, f"{address}: no '{word}' in '{message}'")
        expect_whole(file, samples)


@case("web.a-seek-in-a-gigabyte", timeout=60)
def gigabyte(t):
    with Servers(t) as servers:
        path = os.path.join(servers.files, "gigabyte.wav")
        size = 1_000_000_000
        with open(path, "wb") as file:
            header = b"RIFF" + (size - 8).to_bytes(4, "little") + b"WAVEfmt " + (16).to_bytes(4, "little")
            header += (1).to_bytes(2, "little") + (2).to_bytes(2, "little") + (44100).to_bytes(4, "little")
            header += (176400).to_bytes(4, "little") + (4).to_bytes(2, "little") + (16).to_bytes(2, "little")
            file.write(header + b"data" + (size - 44).to_bytes(4, "little"))
            file.truncate(size)
        nginx = servers.nginx()
        player, _ = t.play_here([nginx.address + "gigabyte.wav"])
        player.wait("playing", 10)
        here = player.here()
        player.send("seek 4000")
        event = player.wait("playing", 5, after=here)
        t.note(f"heard {event['startMs']:.0f} ms after the command")
        player.quit()
        requests = nginx.requests()
        t.note(f"{len(requests)} requests")
        expect(len(requests) <= 3, f"too many requests: {requests}")
        os.remove(path)


# Playlists in a gzip stream.
GZIP = "gzip on; gzip_types application/vnd.apple.mpegurl; gzip_min_length 1;"


def make_list(servers, name, source, *options, kind="fmp4"):
    """A stream in segments of a second, lossless unless other options are given."""
    sound.ffmpeg(
        "-i", source, "-c:a", "flac", "-strict", "-2", "-f", "hls", "-hls_time", "1", "-hls_playlist_type", "vod", "-hls_segment_type",
        kind, *options, "-hls_fmp4_init_filename", f"{name}-init.mp4", os.path.join(servers.files, f"{name}.m3u8"),
    )


@case("web.hls-on-demand-plain-and-enciphered", timeout=90)
def hls(t):
    source = t.sounds.noise("noise-6", 6, seed=6)
    samples = sound.read_wav(source)
    with Servers(t) as servers:
        key = os.path.join(servers.files, "key.bin")
        with open(key, "wb") as file:
            file.write(bytes(range(16)))
        info = os.path.join(servers.folder, "key.info")
        with open(info, "w") as file:
            file.write(f"key.bin\n{key}\n")
        make_list(servers, "plain", source)
        make_list(servers, "secret", source, "-c:a", "aac", "-b:a", "256k", "-hls_key_info_file", info, kind="mpegts")
        nginx = servers.nginx(extra=GZIP)
        player, file = t.play_here([nginx.address + "plain.m3u8"])
        player.expect_end(within=30)
        expect_whole(file, samples)
        player, file = t.play_here([nginx.address + "secret.m3u8"], file=t.place("secret.wav"))
        player.expect_end(within=30)
        seconds = len(sound.read_wav(file)) / sound.RATE
        expect(5.8 < seconds < 7, f"{seconds:.2f} s of the encrypted stream were played")


@case("web.radio-with-titles-that-drops-and-comes-back", timeout=120)
def radio(t):
    path = t.sounds.encoded("music-60.mp3", t.sounds.music("music-60", 60, seed=60), "-b:a", "128k")
    with Servers(t) as servers:
        icecast = servers.icecast()
        source = icecast.feed("live", path, "-c:a", "copy", kind="mp3", content="audio/mpeg")
        icecast.title("live", "Artist - It's the first")
        with open(os.path.join(servers.files, "listen.pls"), "w") as file:
            file.write(f"[playlist]\nFile1={icecast.address('live')}\nTitle1=Our station\nNumberOfEntries=1\n")
        nginx = servers.nginx()
        player, file = t.play_here([nginx.address + "listen.pls"])
        info = player.wait("source", 20)
        expect(info["live"] and info["title"] == "Radio Tutti", f"the station is not reported: {info}")
        player.wait("playing", 10)
        player.wait("title", 20, lambda event: "It's the first" in event["title"])
        icecast.title("live", "Künstler - Zweites")
        player.wait("title", 20, lambda event: event["title"] == "Künstler - Zweites")
        os.killpg(source.pid, 9)
        here = player.here()
        icecast.feed("live", path, "-c:a", "copy", kind="mp3", content="audio/mpeg")
        player.wait("warning", 30, lambda event: "connection was lost" in event["message"], after=here)
        later = player.here()
        player.wait("progress", 15, after=later)
        player.quit()


@case("web.radio-without-loss-in-ogg", timeout=90)
def ogg_radio(t):
    path, samples = track(t, 20)
    with Servers(t) as servers:
        icecast = servers.icecast()
        source = icecast.feed("live.ogg", path, "-c:a", "flac", kind="ogg", content="application/ogg")
        player, file = t.play_here([icecast.address("live.ogg")])
        player.wait("playing", 15)
        player.wait_position(8, within=25)
        player.quit()
        source.poll()
        result = hear(file, samples)
        expect_nothing_missing(result)
        length = result.pieces[-1].end - result.pieces[0].start
        expect(length > 7 * sound.RATE, f"only {length / sound.RATE:.1f} s were played")
