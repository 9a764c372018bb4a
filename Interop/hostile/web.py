"""Hostile web servers: endless heads, circles, bombs, nested playlists, a million segments; `tutti play URL` ends with a message."""

import functools
import gzip
import io
import socket
import threading
import time
from concurrent.futures import ThreadPoolExecutor

from attacks import attack, expect
from player import Failed

PORT = 8081
AT_ONCE = 2  # programs at once, each with a server
ADDRESS = "10.77.0.2"


def zipped(megabytes):
    out = io.BytesIO()
    with gzip.GzipFile(fileobj=out, mode="wb", compresslevel=9) as file:
        for _ in range(megabytes):
            file.write(bytes(1 << 20))
    return out.getvalue()


class Web:
    """A server that answers each path by a function of (socket, path); one thread a connection."""

    def __init__(self, network, answer, port=PORT):
        self.listener = network.listen(port)
        self.answer, self.count, self.sent, self.open, self.sockets = answer, 0, 0, True, []
        threading.Thread(target=self.accept, daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.open = False
        for one in (self.listener, *self.sockets):
            try:
                one.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass
            one.close()

    def accept(self):
        while self.open:
            try:
                made, _ = self.listener.accept()
            except OSError:
                return
            self.sockets.append(made)
            threading.Thread(target=self.serve, args=(made,), daemon=True).start()

    def serve(self, made):
        try:
            request = b""
            while b"\r\n\r\n" not in request:
                data = made.recv(65536)
                if not data:
                    return
                request += data
            self.count += 1
            for piece in self.answer(request.split()[1].decode("latin-1"), request):
                made.sendall(piece)
                self.sent += len(piece)
        except OSError:
            pass
        finally:
            made.close()


def page(body, kind, *headers, status="200 OK", length=None):
    head = [f"HTTP/1.1 {status}", f"Content-Type: {kind}", f"Content-Length: {len(body) if length is None else length}", "Connection: close", *headers]
    return ["\r\n".join(head).encode() + b"\r\n\r\n" + body]


def forever(first, again, megabytes=1500):
    yield first
    piece = again * (65536 // len(again))
    for _ in range(megabytes * 16):
        yield piece


def slowly(data, seconds=1.0):
    for at in range(len(data)):
        time.sleep(seconds)
        yield data[at : at + 1]


CHUNKED = b"HTTP/1.1 200 OK\r\nContent-Type: audio/mpeg\r\nTransfer-Encoding: chunked\r\n\r\n"
# Silent frames of MPEG-1 layer III at 128 kbit/s; the first block of a FLAC file at 44.1 kHz with two channels of 16 bits.
MP3_SECOND = (b"\xff\xfb\x90\x64" + bytes(413)) * 38
FLAC_HEADER = b"\0\0\0\x22\x10\0\x10\0" + bytes(6) + b"\x0a\xc4\x42\xf0" + bytes(20)
URL = f"http://{ADDRESS}:{PORT}"
HLS = "application/vnd.apple.mpegurl"


def master(*names):
    return ("#EXTM3U\n" + "".join(f"#EXT-X-STREAM-INF:BANDWIDTH=1\n{name}\n" for name in names)).encode()


@functools.cache
def media(count, head="", name="p"):
    lines = [f"#EXTINF:0.001,\n{name}{number}.aac" for number in range(count)]
    return ("#EXTM3U\n#EXT-X-TARGETDURATION:1\n" + head + "\n".join(lines) + "\n#EXT-X-ENDLIST\n").encode()


def ways(bomb, url):
    """Name -> path, and the answer of (path, request)."""
    nested = [0]

    def nest(kind):
        def answer(path, _):
            nested[0] += 1
            body = master(f"/n{nested[0]}.m3u8") if kind == HLS else f"#EXTM3U\n{url}/n{nested[0]}.m3u\n".encode()
            return page(body, kind)

        return answer

    def circle(path, _):
        return page(master("/y.m3u8" if path == "/x.m3u8" else "/x.m3u8"), HLS)

    def many(path, _):
        return page(master(*(f"/v{number}.m3u8" for number in range(20_000))) if path == "/x.m3u8" else media(1), HLS)

    def sound_then(kind, first, again):
        return lambda *_: forever(b"HTTP/1.1 200 OK\r\nContent-Type: " + kind + b"\r\n\r\n" + first, again)

    million = media(1_000_000)
    return {
        "an endless head": ("x.mp3", lambda *_: forever(b"HTTP/1.1 200 OK\r\n", b"X-Long: abc\r\n")),
        "an endless line in the head": ("x.mp3", lambda *_: forever(b"HTTP/1.1 200 OK\r\nX: ", b"y")),
        "an endless status line": ("x.mp3", lambda *_: forever(b"HTTP/1.1 2", b"0")),
        "100 heads of 100": ("x.mp3", lambda *_: forever(b"", b"HTTP/1.1 100 Continue\r\n\r\n")),
        "a circle": ("x.mp3", lambda *_: page(b"", "text/plain", f"Location: {url}/x.mp3", status="302 Found")),
        "redirects that never end": ("0", lambda path, _: page(b"", "x/y", f"Location: {url}/{int(path[1:] or 0) + 1}", status="301 Moved")),
        "a redirect to a file": ("x.mp3", lambda *_: page(b"", "text/plain", "Location: file:///etc/passwd", status="302 Found")),
        "a redirect to gopher": ("x.mp3", lambda *_: page(b"", "text/plain", "Location: gopher://10.77.0.2/x", status="302 Found")),
        "a gzip bomb": ("x.mp3", lambda *_: page(bomb, "audio/mpeg", "Content-Encoding: gzip")),
        "a playlist that is a gzip bomb": ("x.m3u8", lambda *_: page(bomb, HLS, "Content-Encoding: gzip")),
        "playlists in playlists (HLS)": ("x.m3u8", nest(HLS)),
        "two playlists of variants that name each other": ("x.m3u8", circle),
        "a playlist of 20,000 variants": ("x.m3u8", many),
        "an endless chunk extension": ("x.mp3", lambda *_: forever(CHUNKED + b"5;", b"x" * 64, 4000)),
        "endless trailers": ("x.mp3", lambda *_: forever(CHUNKED + b"0\r\n", b"X-Trailer: abc\r\n")),
        "a redirect with an endless body": ("x.mp3", lambda *_: forever(b"HTTP/1.1 302 Found\r\nLocation: /x.mp3\r\n\r\n", b"x" * 64)),
        "zeros behind a second of MP3": ("x.mp3", sound_then(b"audio/mpeg", MP3_SECOND, bytes(64))),
        "a WAV of nothing but chunks": ("x.wav", sound_then(b"audio/wav", b"RIFF\xff\xff\xff\xffWAVE", b"junk\0\0\0\0")),
        "an MP4 of free boxes": ("x.m4a", sound_then(b"audio/mp4", b"\0\0\0\x10ftypM4A \0\0\0\0", b"\0\0\0\x08free")),
        "an MP4 with a free box of 2^62 bytes": ("x.m4a", sound_then(b"audio/mp4", b"\0\0\0\x10ftypM4A \0\0\0\0\0\0\0\1free\x40" + bytes(7), bytes(64))),
        "Ogg pages of no stream": ("x.ogg", sound_then(b"audio/ogg", b"", b"OggS\0\0" + bytes(20) + b"\1\1\0")),
        "a Matroska of void elements": ("x.mka", sound_then(b"audio/x-matroska", b"\x1aE\xdf\xa3\x8bB\x82\x88matroska\x18S\x80g\x01" + b"\xff" * 7, b"\xec\x86" + bytes(6))),
        "a FLAC of padding": ("x.flac", sound_then(b"audio/flac", b"fLaC" + FLAC_HEADER, b"\1\0\0\4" + bytes(4))),
        "playlists in playlists (M3U)": ("x.m3u", nest("audio/x-mpegurl")),
        "a million pieces": ("x.m3u8", lambda path, _: page(million, HLS) if path.endswith("m3u8") else page(b"", "x/y", status="404 Not Found")),
        "an endless playlist": ("x.m3u8", lambda *_: forever(b"HTTP/1.1 200 OK\r\nContent-Type: " + HLS.encode() + b"\r\n\r\n#EXTM3U\n", b"#EXTINF:1,\na.aac\n")),
        "a playlist of files": ("x.m3u8", lambda *_: page(media(3, name="file:///etc/passwd?"), HLS)),
        "a list of local files": ("x.m3u", lambda *_: page(b"#EXTM3U\n/etc/passwd\nfile:///etc/shadow\n", "audio/x-mpegurl")),
        "an endless M3U": ("x.m3u", lambda *_: forever(b"HTTP/1.1 200 OK\r\nContent-Type: audio/x-mpegurl\r\n\r\n#EXTM3U\n", b"http://10.77.0.2:1/a\n")),
        "an endless PLS": ("x.pls", lambda *_: forever(b"HTTP/1.1 200 OK\r\nContent-Type: audio/x-scpls\r\n\r\n[playlist]\n", b"File1=http://10.77.0.2:1/a\n")),
        "endless zeros": ("x.mp3", lambda *_: forever(b"HTTP/1.1 200 OK\r\nContent-Type: audio/mpeg\r\n\r\n", b"\0")),
        "endless ID3 tags": ("x.mp3", lambda *_: forever(b"HTTP/1.1 200 OK\r\nContent-Type: audio/mpeg\r\n\r\n", b"ID3\4\0\0\0\0\0\0")),
        "a length of 2^63": ("x.flac", lambda *_: page(b"fLaC", "audio/flac", length=2**63)),
        "a range that is another": ("x.flac", lambda *_: page(b"fLaC" * 99, "audio/flac", "Content-Range: bytes 99-7/3", status="206 Partial Content")),
        "nothing at all": ("x.mp3", lambda *_: []),
        "escape codes in a station's name": ("x.mp3", lambda *_: page(b"no music", "audio/mpeg", "icy-name: \x1b[2J\x07 \x9b31m", "Location: \x1b]0;x\x07")),
        "escape codes in a status": ("x.mp3", lambda *_: page(b"", "text/plain", status="404 \x1b[2Jgone\x07")),
        "a key of 2^31 bytes": ("x.m3u8", lambda path, _: page(media(2, '#EXT-X-KEY:METHOD=AES-128,URI="k"\n'), HLS) if path.endswith("m3u8") else forever(b"HTTP/1.1 200 OK\r\n\r\n", b"k")),
        "numbers beyond 64 bits in a playlist": ("x.m3u8", lambda *_: page(media(2, "#EXT-X-MEDIA-SEQUENCE:99999999999999999999999\n#EXT-X-BYTERANGE:9@99999999999999999999\n"), HLS)),
    }  # fmt: skip


SHORT = (
    "an endless head", "a circle", "a gzip bomb", "playlists in playlists (HLS)", "a million pieces", "a list of local files", "escape codes in a status",
    "a playlist of 20,000 variants", "an endless chunk extension", "zeros behind a second of MP3",
)  # fmt: skip
MOST_REQUESTS = 300


@attack("web.servers-that-lie-and-never-end", limit=500, short=True, rooms=False)
def servers(t):
    bomb = zipped(t.many(1000, 200))
    names = [name for name in ways(bomb, URL) if not t.is_short or name in SHORT]

    def meet(numbered):
        """The problem with this server, or None, and the seconds."""
        number, name = numbered
        path, answer = ways(bomb, f"http://{ADDRESS}:{PORT + number}")[name]
        with Web(t.attacker, answer, PORT + number) as web:
            try:
                _, seconds, text = t.run("play", f"http://{ADDRESS}:{PORT + number}/{path}", "--output", "null", within=40, what=name)
                expect(b"root:" not in text, f"{name}: a local file was read")
                expect(web.count > 0, f"{name}: the server was never asked: {text[-200:]!r}")
                expect(web.count <= MOST_REQUESTS, f"{name}: the server was asked {web.count} times")
            except Failed as failure:
                return f"{failure} ({web.count} requests, {web.sent >> 20} MB)", 40
        return None, seconds

    with ThreadPoolExecutor(AT_ONCE) as pool:
        results = list(pool.map(meet, enumerate(names)))
    if wrong := [text for text, _ in results if text]:
        raise Failed("; ".join(wrong))
    seconds, name = max((seconds, name) for (_, seconds), name in zip(results, names, strict=True))
    t.note(f"{len(names)} servers, the longest {seconds:.1f} s ({name})")


@attack("web.servers-that-bring-next-to-nothing", limit=200, rooms=False)
def drip(t):
    """Servers that never answer, and heads and bodies that drip: waits are limited, and an interrupt ends them at once."""
    head = b"HTTP/1.1 200 OK\r\nContent-Type: audio/flac\r\nContent-Length: 900000\r\n\r\n"
    # The limits of the manual page: 15 s without a byte, 30 s with nearly none.
    kinds = {"nothing": (b"", None, 15), "a head": (b"", 1.0, 15), "a body": (head + b"fLaC", 1.0, 30)}

    def meet(numbered):
        number, (name, (first, pause, seconds)) = numbered

        def answer(*_):
            yield first
            if pause is None:
                time.sleep(60)
                return
            yield from slowly(b"HTTP/1.1 200 OK\r\nContent-Type: audio/flac" + b"x" * 4000, pause)

        port = PORT + number
        with Web(t.attacker, answer, port):
            program = t.command("play", f"http://{ADDRESS}:{port}/x.flac", "--output", "null")
            time.sleep(6)
            if program.poll() is None:
                program.process.send_signal(2)
            _, interrupted, _ = t.ended(program, 5, what=name)
        with Web(t.attacker, answer, port):
            try:
                _, ended, text = t.run("play", f"http://{ADDRESS}:{port}/x.flac", "--output", "null", within=seconds + 8, what=f"{name} that drips")
                expect(ended >= seconds - 6, f"{name}: given up after {ended:.1f} s already: {text[-200:]!r}")
            except Failed as failure:
                return str(failure), ""
        return None, f"{name}: interrupted after {interrupted:.1f} s, given up after {ended:.1f} s"

    with ThreadPoolExecutor(len(kinds)) as pool:
        results = list(pool.map(meet, enumerate(kinds.items())))
    if wrong := [text for text, _ in results if text]:
        raise Failed("; ".join(wrong))
    for _, note in results:
        t.note(note)


@attack("web.a-second-of-sound-and-then-a-drip", limit=150, rooms=False)
def stalled(t):
    """In mid-song a byte a second arrives: the player waits a minute, reports it, and continues with the next track."""
    source = t.sounds.noise("hostile-drip", 8, seed=83)
    path = t.sounds.encoded("hostile-drip.mp3", source, "-c:a", "libmp3lame", "-b:a", "128k")
    with open(path, "rb") as file:
        whole = file.read()

    def answer(*_):
        yield page(whole[:64_000], "audio/mpeg", length=len(whole))[0]
        yield from slowly(whole[64_000:])

    with Web(t.attacker, answer):
        short = t.sounds.noise("hostile-after", 0.5, seed=84)
        program = t.command("play", f"{URL}/x.mp3", short, "--output", "null", "--json")
        program.process.stdin.close()
        status, seconds, text = t.ended(program, 100, what="a drip in mid-song")
    expect(status == 0, f"exit status {status}: {text[-300:]!r}")
    expect(any(event.get("index") == 1 for event in program.all("playing") + program.all("progress")), "the next track never began")
    expect(b"arrives too slowly" in text, f"the reason is missing: {text[-300:]!r}")
    t.note(f"given up and gone on after {seconds:.1f} s")
