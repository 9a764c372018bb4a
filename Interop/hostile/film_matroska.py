"""A writer of Matroska files that says whatever it is told."""

import struct
import zlib

VIDEO, SOUND, TEXT = 1, 2, 17  # kinds of tracks


def element(name, *content):
    """An element: a number, a text or bytes, or other elements; its size in eight bytes, so that any fits."""
    data = b"".join(encoded(value) for value in content)
    return bytes.fromhex(name) + struct.pack(">Q", len(data) | 1 << 56) + data


def encoded(value):
    if isinstance(value, bytes):
        return value
    if isinstance(value, float):
        return struct.pack(">d", value)
    return value.encode() if isinstance(value, str) else value.to_bytes(max(1, (value.bit_length() + 7) // 8), "big")


def picture_track(number, width, height, codec="V_MJPEG", *others):
    size = element("E0", element("B0", width), element("BA", height), *others)
    return element("AE", element("D7", number), element("73C5", number), element("83", VIDEO), element("86", codec), size)


def sound_track(number, rate=44100, codec="A_PCM/INT/LIT"):
    form = element("E1", element("B5", float(rate)), element("9F", 2), element("6264", 16))
    return element("AE", element("D7", number), element("73C5", number), element("83", SOUND), element("86", codec), form)


def text_track(number, codec="S_TEXT/UTF8", private=b""):
    """Texts that are compressed by zlib."""
    compression = element("6D80", element("6240", element("5034", element("4254", 0))))
    private = element("63A2", private) if private else b""
    return element(
        "AE", element("D7", number), element("73C5", number), element("83", TEXT), element("86", codec), element("22B59C", "eng"), private, compression
    )


def block(track, time, data, duration=None, is_packed=False):
    """A block at so many milliseconds after its cluster."""
    head = struct.pack(">BhB", 0x80 | track, time, 0)
    body = head + (zlib.compress(data) if is_packed else data)
    return element("A0", element("A1", body), b"" if duration is None else element("9B", duration))


def film(tracks, clusters):
    """A file of tracks, and of clusters: pairs of milliseconds and blocks."""
    head = element("1A45DFA3", element("4282", "matroska"), element("4287", 4), element("4285", 2))
    information = element("1549A966", element("2AD7B1", 1_000_000), element("4D80", "hostile"), element("5741", "hostile"))
    rest = b"".join(element("1F43B675", element("E7", time), *blocks) for time, blocks in clusters)
    return head + element("18538067", information, element("1654AE6B", *tracks), rest)
