"""Films for attacks: small ones made by ffmpeg, damage in them, and fields of their headers that lie."""

import os
import random
import struct
import subprocess
import tempfile
from dataclasses import dataclass

from sound import NO_TAGS, ffmpeg

SECONDS = 2
NOISE = {"seconds": SECONDS, "seed": 91}
H264 = ("libx264", "-preset", "ultrafast", "-bf", "2", "-b-pyramid", "0", "-threads", "1")
BASELINE = ("libx264", "-preset", "ultrafast", "-tune", "zerolatency", "-profile:v", "baseline", "-threads", "1")


@dataclass(frozen=True)
class Kind:
    """A container with a codec of pictures and one of sound; the pictures are small, so that a program opens them soon."""

    ending: str
    codec: tuple
    sound: tuple
    size: str = "160x96"
    rate: str = "25"
    name: str = ""  # of the codec, where the ending says too little

    def made(self, sounds):
        """The path of the film, made on first use."""
        noise = sounds.noise("hostile-film", **NOISE)
        words = ("-f", "lavfi", "-i", f"testsrc2=s={self.size}:r={self.rate}:d={SECONDS}", "-i", noise, "-map", "0:v", "-map", "1:a")
        words += ("-c:v", *self.codec, "-g", "12", "-pix_fmt", "yuv420p", "-c:a", *self.sound, "-ac", "2", *NO_TAGS)
        name = f"hostile-film-{self.size}-{self.name or self.codec[0]}.{self.ending}"
        return sounds.made(name, lambda part: ffmpeg(*words, part))


KINDS = (
    Kind("mkv", H264, ("flac",), name="h264"),
    Kind("mp4", H264, ("aac",), name="h264"),
    Kind("ts", H264, ("aac",), name="h264"),
    Kind("avi", ("mpeg4", "-bf", "2"), ("libmp3lame",)),
    Kind("webm", ("libvpx-vp9", "-deadline", "realtime", "-cpu-used", "8"), ("libopus", "-ar", "48000"), name="vp9"),
    Kind("mp4", ("libx265", "-preset", "ultrafast", "-x265-params", "log-level=none:pools=1"), ("aac",), name="hevc"),
    Kind("mp4", ("libsvtav1", "-preset", "12"), ("aac",), name="av1"),
    Kind("ts", ("mpeg2video", "-bf", "2"), ("mp2",)),
    Kind("mov", ("mjpeg", "-strict", "-1"), ("pcm_s16le",)),
    Kind("mxf", ("mpeg2video", "-bf", "2"), ("pcm_s16le", "-ar", "48000")),
    Kind("nut", ("ffv1",), ("flac",)),
    Kind("flv", ("flv1",), ("libmp3lame",)),
    Kind("asf", ("wmv2",), ("wmav2",)),
)  # fmt: skip
MKV, MP4, TS, AVI, WEBM, HEVC, AV1, MPEG2, MJPEG, MXF = KINDS[:10]
# Codecs whose pictures have the size that the container says.
SIZELESS_AVI = Kind("avi", ("huffyuv",), ("pcm_s16le",), "640x360", "5")
SIZELESS_MKV = Kind("mkv", ("huffyuv",), ("flac",), "640x360", "5")
LARGER_MKV = Kind("mkv", H264, ("flac",), "640x360", name="h264")


def read(path):
    with open(path, "rb") as file:
        return file.read()


def write(folder, name, data):
    os.makedirs(folder, exist_ok=True)
    path = os.path.join(folder, name)
    with open(path, "wb") as file:
        file.write(data)
    return path


# Damage

# The largest and the least numbers of two, four and eight bytes, in both orders.
EXTREMES = [
    number.to_bytes(size, order) for size in (2, 4, 8) for number in (0, 1, 256**size // 2, 256**size // 2 - 1, 256**size - 1) for order in ("big", "little")
]


def damaged_packets(path, share, seed):
    """The bytes of an MP4 film with a share of those of its pictures changed, all others as they are."""
    command = ["ffprobe", "-v", "error", "-select_streams", "v", "-show_entries", "packet=pos,size", "-of", "csv=p=0", path]
    rows = subprocess.run(command, capture_output=True, check=True, text=True, timeout=60).stdout.split()
    dice, data = random.Random(seed), bytearray(read(path))
    for row in rows:
        size, at = (int(word) for word in row.split(",")[:2])
        flipped(dice, data, share, at, at + size)
    return bytes(data)


def flipped(dice, data, share, first=0, end=None):
    """A share of the bytes between two offsets replaced, at least one."""
    end = len(data) if end is None else min(end, len(data))
    for _ in range(max(1, int((end - first) * share))):
        at = dice.randrange(first, end)
        data[at] = dice.choice((data[at] ^ 1 << dice.randrange(8), 0, 255, 127, 128, dice.randrange(256)))


def damaged(whole, seed):
    """(Name of the damage, bytes): in the container's tables, in the bitstream, or in whole regions."""
    dice, data = random.Random(seed), bytearray(whole)
    length = len(data)
    how = dice.choice(("head", "head", "tail", "fields", "fields", "fields", "rare", "often", "everywhere", "truncated", "zeroed", "swapped", "repeated"))
    if how == "head":
        flipped(dice, data, dice.choice((0.001, 0.004, 0.02)), 0, 2048)
    elif how == "tail":
        flipped(dice, data, dice.choice((0.001, 0.01)), max(0, length - 4096))
    elif how == "fields":
        first, end = dice.choice(((0, 1024), (0, 4096), (max(0, length - 4096), length)))
        for _ in range(dice.choice((1, 2, 4))):
            at, value = dice.randrange(first, min(end, length) - 8), dice.choice(EXTREMES)
            data[at : at + len(value)] = value
    elif how in ("rare", "often", "everywhere"):
        flipped(dice, data, {"rare": 0.0001, "often": 0.002, "everywhere": 0.03}[how], min(512, length // 2))
    elif how == "truncated":
        del data[dice.randrange(64, length) :]
    elif how == "zeroed":
        for _ in range(dice.choice((1, 4))):
            at, count = dice.randrange(length), dice.randrange(1, length // 8)
            data[at : at + count] = bytes(len(data[at : at + count]))
    elif how == "swapped":
        size = dice.choice((188, 512, 4096))
        for _ in range(dice.choice((1, 8))):
            a, b = sorted((dice.randrange(length // size) * size, dice.randrange(length // size) * size))
            if a != b:
                data[a : a + size], data[b : b + size] = data[b : b + size], data[a : a + size]
    else:
        at = dice.randrange(length)
        data[at:at] = data[at : at + dice.randrange(1, 8000)]
    return how, bytes(data)


# Fields that lie


def after(data, *kinds):
    """The offset after the last of these names, each searched after the one before it."""
    at = 0
    for kind in kinds:
        at = data.index(kind, at) + len(kind)
    return at


def patched(kind, sounds, *fields):
    """The bytes of a film with other values in fields: pairs of (names before it, offset after them) and the value."""
    data = bytearray(read(kind.made(sounds)))
    for (names, offset), value in fields:
        at = after(data, *names) + offset
        data[at : at + len(value)] = value
    return bytes(data)


def matroska_size(width, height):
    """The fields of Matroska for pictures of 640 × 360."""
    return (((b"\xb0\x82",), 0), struct.pack(">H", width)), (((b"\xba\x82",), 0), struct.pack(">H", height))


def mp4_size(width, height):
    return (((b"stsd", b"avc1"), 24), struct.pack(">HH", width, height)), (((b"tkhd",), 76), struct.pack(">HHHH", width, 0, height, 0))


def avi_size(width, height):
    return ((((b"strf",), 8), struct.pack("<ii", width, height)),)


AVI_RATE = ((b"strh",), 24)  # scale, then rate
MP4_MATRIX = ((b"tkhd",), 40)
MP4_DELTA, MP4_UNIT = ((b"stts",), 12), ((b"mdhd",), 12)


def mxf(sounds, rate, start, duration):
    """A film in which all tracks have another rate, start and length."""
    data = bytearray(read(MXF.made(sounds)))
    for tag, value in ((0x4B01, struct.pack(">II", *rate)), (0x1201, struct.pack(">q", start)), (0x0202, struct.pack(">q", duration))):
        name, at = struct.pack(">HH", tag, 8), -1
        while (at := data.find(name, at + 1)) >= 0:
            data[at + 4 : at + 12] = value
    return bytes(data)


class Bits:
    """A writer of bits, and of H.264's variable-length numbers."""

    def __init__(self):
        self.text = ""

    def u(self, count, value):
        self.text += f"{value:0{count}b}"
        return self

    def ue(self, *values):
        for value in values:
            digits = f"{value + 1:b}"
            self.text += "0" * (len(digits) - 1) + digits
        return self

    def bytes(self):
        text = self.text + "1"
        text += "0" * (-len(text) % 8)
        raw, found, zeros = int(text, 2).to_bytes(len(text) // 8, "big"), bytearray(), 0
        for byte in raw:  # emulation prevention
            if zeros >= 2 and byte <= 3:
                found.append(3)
                zeros = 0
            found.append(byte)
            zeros = zeros + 1 if byte == 0 else 0
        return bytes(found)


def sequence_parameters(width, height, level=62):
    """An H.264 sequence parameter set for the slices of BASELINE, in blocks of 16 pixels."""
    bits = Bits().u(8, 66).u(8, 0xC0).u(8, level).ue(0, 0, 2, 1).u(1, 0).ue(width - 1, height - 1).u(1, 1).u(1, 1).u(1, 0).u(1, 0)
    return b"\0\0\0\1\x67" + bits.bytes()


def units(stream):
    """The NAL units of a stream with start codes, with these."""
    starts, at = [], stream.find(b"\0\0\1")
    while at >= 0:
        starts.append(at - 1 if at > 0 and stream[at - 1] == 0 else at)
        at = stream.find(b"\0\0\1", at + 3)
    return [stream[a:b] for a, b in zip(starts, [*starts[1:], len(stream)])]


def elementary(size, frames, source="testsrc2", codec=BASELINE, kind="h264", pixels="yuv420p"):
    """Pictures of a size as a stream without a container."""
    picture = ("-f", "lavfi", "-i", f"{source}=s={size}:r=25", "-frames:v", str(frames), "-c:v", *codec)
    return ffmpeg(*picture, "-pix_fmt", pixels, "-f", kind, "-")


def with_other_parameters(width, height, first=0, frames=50):
    """A small H.264 stream whose parameter sets claim other sizes, in blocks, from a picture on."""
    before = elementary("160x96", first) if first else b""
    rest = [sequence_parameters(width, height) if unit.lstrip(b"\0")[1] & 31 == 7 else unit for unit in units(elementary("160x96", frames - first))]
    return before + b"".join(rest)


def transport(part, stream, sounds, kind="h264", codec=("aac",), rate="25"):
    """Writes an MPEG transport stream of an elementary stream and noise; ffmpeg need not decode what it copies."""
    with tempfile.NamedTemporaryFile(dir=os.path.dirname(part), suffix=".es") as file:
        file.write(stream)
        file.flush()
        sound = sounds.noise("hostile-film", **NOISE)
        pictures = ("-probesize", "100000", "-analyzeduration", "0", "-max_pixels", "1000000", "-f", kind, "-framerate", rate, "-i", file.name)
        ffmpeg(*pictures, "-i", sound, "-map", "0:v", "-map", "1:a", "-c:v", "copy", "-c:a", *codec, *NO_TAGS, "-f", "mpegts", part)


def vp9_size(data, width, height, first=1):
    """Changes the size in the headers of VP9's key pictures, from one of them on."""
    data, at, count = bytearray(data), -1, 0
    while (at := data.find(b"\x49\x83\x42", at + 1)) >= 0:
        count += 1
        if count <= first:
            continue
        # After the sync code: three bits of colour space, one of range, then both sizes less one.
        value = int.from_bytes(data[at + 3 : at + 8], "big")
        value = value & ~(0xFFFFFFFF << 4) | (width - 1 << 16 | height - 1) << 4
        data[at + 3 : at + 8] = value.to_bytes(5, "big")
    return bytes(data)
