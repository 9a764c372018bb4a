#!/usr/bin/env python3
"""Writes the seeds of the corpus, Corpus/TARGET/seed-*, from the golden vectors of the tests.

The same vectors always give the same files. Inputs found by a fuzzer are left alone.
"""
import base64
import json
import pathlib

here = pathlib.Path(__file__).parent
vectors = here.parent / "Tests/Support/TestSupport/Vectors/airplay"
corpus = here / "Corpus"
# Inputs that are split into pieces begin with the choice of the cuts; see Bodies/Input/Cuts.swift.
SMALL, NONE = b"\x07", b"\xff"
written = set()


def load(name):
    return json.loads((vectors / name).read_text())


def seed(target, name, data):
    slug = "".join(c if c.isalnum() else "-" for c in name).strip("-").lower()
    path = corpus / target / f"seed-{slug}"
    assert path not in written, path
    written.add(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)


def block(data):
    """Bytes after their length, as FuzzInput.block reads them."""
    return len(data).to_bytes(2, "big") + data


def tlv8():
    for index, entry in enumerate(load("tlv8.json")):
        seed("TLV8", f"items-{index}", bytes.fromhex(entry["hex"]))
    for key, value in load("pairing-transient.json").items():
        if key.endswith("_tlv"):
            seed("TLV8", key, bytes.fromhex(value))
    seed("TLV8", "two-full-values", b"\x01\xff" + bytes(255) + b"\x01\x00\x01\x02ab")
    seed("TLV8", "separator", b"\x01\x01a\xff\x00\x01\x01b")


def pairing():
    recorded = load("pairing-transient.json")
    one, three = bytes.fromhex(recorded["M1_request_tlv"]), bytes.fromhex(recorded["M3_request_tlv"])
    pin = bytes([6, 1, 1, 0, 1, 0])
    keys = bytes([6, 1, 1, 3, 32]) + bytes([9] + [0] * 31)
    finish = bytes([6, 1, 3, 5, 32]) + bytes(32)
    seed("Pairing", "transient", b"\x00" + block(one) + block(three))
    seed("Pairing", "pin", b"\x01" + block(pin) + block(three) + block(bytes([6, 1, 5, 5, 16]) + bytes(16)))
    seed("Pairing", "verify", b"\x00" + block(keys) + block(finish))
    seed("Pairing", "verify-honest-start", b"\x00" + block(b"") + block(finish))
    seed("Pairing", "add", b"\x00" + bytes([6, 1, 1, 0, 1, 3, 1, 1, 65, 3, 32]) + bytes(32) + bytes([11, 1, 1]))
    # Replies to controllers: an honest accessory first, then a forged end; a digest challenge.
    two, four = bytes.fromhex(recorded["M2_response_tlv"]), bytes.fromhex(recorded["M4_response_tlv"])
    seed("Pairing", "replies", b"\x00" + block(two) + block(four))
    seed("Pairing", "replies-honest", b"\x00" + block(b"") * 4)
    seed("Pairing", "replies-honest-start", b"\x00" + block(b"") + block(four))
    seed("Pairing", "replies-refused", b"\x00" + block(bytes([6, 1, 2, 7, 1, 3, 8, 2, 16, 0])))
    seed("Pairing", "fruit", b"\x00" + block(bytes([9] + [0] * 31) + bytes(64)) + block(b"\x01"))
    seed("Pairing", "digest", b"\x00" + b'realm="raop", nonce="0123456789abcdef", stale=true')
    seed("Pairing", "list", b"\x00" + bytes([6, 1, 1, 0, 1, 5]))


def property_lists():
    for key, entries in load("bplists.json").items():
        for index, entry in enumerate(entries):
            if "bplist_base64" not in entry:
                continue
            data = base64.b64decode(entry["bplist_base64"])
            seed("PropertyList", f"{key}-{index}", data)
            seed("MessageBodies", f"{key}-{index}", data)
    # An array that contains itself; an array of one value many times; a UTF-16 string.
    seed("PropertyList", "cycle", plist([b"\xa2\x00\x00"]))
    seed("PropertyList", "shared", plist([b"\xaa" + b"\x01" * 10, b"\xaa" + b"\x02" * 10, b"\x53abc"]))
    seed("PropertyList", "utf16", plist([b"\x62\x00\xe9\xd8\x00"]))
    seed("PropertyList", "kinds", plist([
        b"\xaa" + bytes(range(1, 11)), b"\x08", b"\x00", b"\x22" + bytes(4), b"\x23\x7f\xf8" + bytes(6),
        b"\x33" + bytes(8), b"\x14" + bytes(8) + b"\xff" * 8, b"\x80\x05", b"\x42hi", b"\x4f\x10\x10" + bytes(16),
        b"\xd1\x0b\x01", b"\x51k"]))


def plist(objects):
    data, offsets = b"bplist00", b""
    for item in objects:
        offsets += len(data).to_bytes(2, "big")
        data += item
    trailer = bytes(6) + b"\x02\x01" + b"".join(n.to_bytes(8, "big") for n in (len(objects), 0, len(data)))
    return data + offsets + trailer


def rtsp():
    requests, answers = [], []
    for frame in load("rtsp-encrypted-frames.json")["frames"] + load("event-channel-frames.json")["frames"]:
        plain = bytes.fromhex(frame["plaintext"])
        if plain.startswith(b"RTSP/"):
            answers.append(plain)
        elif b" RTSP/1.0\r\n" in plain:
            requests.append(plain)
    for index, data in enumerate(requests[::2] + answers[::3]):
        if len(data) < 700:
            seed("RTSPMessages", f"recorded-{index}", SMALL + data)
    seed("RTSPMessages", "two-requests", SMALL + requests[2] + requests[3])
    seed("RTSPMessages", "bare-line-ends", b"\x00\nGET / HTTP/1.1\nA:b\nContent-Length: 2\n\nhiRTSP/1.0 200 OK\n\n")
    seed("RTSPMessages", "answers", SMALL + b"RTSP/1.0 200 OK\r\nCSeq: 1\r\nContent-Length: 0\r\n\r\n"
         b"HTTP/1.1 404\r\nContent-Length: 3\r\nContent-Length: 3\r\n\r\nabcRTSP/1.0 100 \r\n\r\n")
    answer = b"RTSP/1.0 200 OK\r\nCSeq: 1\r\nContent-Length: 2\r\n\r\nhi"
    # Operations: see the two run types in Bodies/RTSP.
    send = b"\x00" + b"\x20ab" + b"\x03\xe8"
    seed("RTSPClient", "asks-and-hears", send + send + b"\x04" + block(answer) + b"\x07\x21k")
    seed("RTSPClient", "cut-answer", send + b"\x04" + block(answer[:30]) + b"\x04" + block(answer[30:]))
    seed("RTSPClient", "times-out", send + b"\x00\x04\x01\x00" + b"\x0b\x02\x00" + b"\x0b\xff\xff")
    seed("RTSPClient", "late-answer", b"\x00\x04\x00\x10" + b"\x0b\x01\x00" + b"\x07\x21k" + send)
    seed("RTSPClient", "encrypts", send + b"\x07\x21k" + b"\x0d" + send + b"\x07\x21k" + b"\x0e")
    seed("RTSPClient", "foreign-bytes", b"\x0d" + b"\x04" + block(b"\x05\x00hello" + bytes(16)))
    seed("RTSPClient", "own-header", b"\x00\x02CSeq\x00\x64" + b"\x0a\x21\x09k" + b"\x1e")
    request = b"POST /command RTSP/1.0\r\nCSeq: 9\r\nContent-Length: 2\r\n\r\nhi"
    ask, respond = b"\x03\x20ab", b"\x07\x22kk"
    seed("RTSPServer", "answers", b"\x02" + ask + respond + b"\x00" + block(request) + respond)
    seed("RTSPServer", "answers-out-of-order", b"\x00" + ask * 3 + b"\x07\x21k" + b"\x07\x21k" + b"\x07\x20")
    seed("RTSPServer", "too-many", b"\x00" + ask * 17)
    seed("RTSPServer", "encrypted", b"\x05" + ask + respond + b"\x0c\x80\x00" + ask + b"\x0c\xff\xff")
    seed("RTSPServer", "starts-encryption", b"\x02" + ask + b"\x0b\x22kk" + ask + respond + b"\x1e")
    seed("RTSPServer", "foreign-bytes", b"\x01\x00" + block(request) + b"\x0e")
    seed("RTSPServer", "http", b"\x04\x03\x03" + respond + b"\x0e")


def metadata():
    seed("Metadata", "dmap", bytes.fromhex(load("dmap-metadata.json")["body_hex"]))
    seed("Metadata", "volume", b"volume: -15.250000\r\n")
    seed("Metadata", "volume-behind-an-empty-line", b"\r\nvolume: -144.0\r\n")
    seed("Metadata", "progress", b"progress: 1/22050/4294967295\r\n")
    head = b"v=0\r\no=iTunes 7 0 IN IP4 192.0.2.2\r\ns=iTunes\r\ni=Den\r\nc=IN IP4 192.0.2.1\r\nt=0 0\r\nm=audio 0 RTP/AVP 96\r\n"
    alac = b"a=rtpmap:96 AppleLossless\r\na=fmtp:96 352 0 16 40 10 14 2 255 0 0 44100\r\n"
    seed("Metadata", "announce-alac", head + alac + b"a=min-latency:11025\r\na=max-latency:88200\r\n")
    seed("Metadata", "announce-encrypted", head + alac + b"a=rsaaeskey:QUJD\r\na=aesiv:QUJD\r\n")
    seed("Metadata", "announce-pcm", head + b"a=rtpmap:96 L16/44100/2\r\n")
    seed("Metadata", "transport", b"RTP/AVP/UDP;unicast;interleaved=0-1;mode=record;control_port=6001;timing_port=6002")
    seed("Metadata", "rtp-info", b"seq=1;rtptime=3221225472")
    items = b"caps\x00\x00\x00\x01\x04" b"astm\x00\x00\x00\x02\x01\x00" b"asyr\x00\x00\x00\x04\x00\x00\x07\xd0"
    seed("Metadata", "numbers", b"mlit" + len(items).to_bytes(4, "big") + items)


def service_text():
    for name, record in load("mdns-txt.json").items():
        if " 1." in name:
            seed("ServiceText", record["type"], bytes.fromhex(record["txt_raw_hex"]))
    seed("ServiceText", "features", b"0x405FCA00,0x18340")
    seed("ServiceText", "features-in-one", b"0x1834000405FCA00")
    seed("ServiceText", "features-base64", b"AMpfQECDAQA")
    seed("ServiceText", "instance-name", b"020000AA0001@Golden 1")


def ptp():
    listed = load("ptp-messages.json")
    messages = [(m["name"], bytes.fromhex(m["hex"])) for m in listed["messages"]]
    messages += [(f"received-{i}", bytes.fromhex(m["hex"])) for i, m in enumerate(listed["from_receiver"])]
    identity = bytes.fromhex("020000aafffe00018005")

    def message(kind, body, flags="0408", control=0):
        head = bytes([0x10 | kind, 2]) + (34 + len(body)).to_bytes(2, "big") + bytes(2)
        return head + bytes.fromhex(flags) + bytes(12) + identity + b"\x00\x07" + bytes([control, 0x7F]) + body

    stamp = (1000).to_bytes(6, "big") + (999_999_999).to_bytes(4, "big")
    delay_request = message(0x1, bytes(10), control=1)
    peer_delay_request = message(0x2, bytes(20))
    wish = b"\x00\x04\x00\x06\xb0\x00\x00\x00\x01\x2c" + b"\x00\x04\x00\x06\x00\xfd\x00\x00\x00\x00"
    negotiation = message(0xC, b"\xff" * 10 + wish)
    messages += [
        ("delay-request", delay_request), ("peer-delay-request", peer_delay_request),
        ("delay-response", message(0x9, stamp + identity)), ("peer-delay-response", message(0x3, stamp + identity)),
        ("peer-delay-follow-up", message(0xA, stamp + identity)), ("negotiation", negotiation),
        ("grant", message(0xC, bytes(10) + b"\x00\x05\x00\x08\xb0\x00\x00\x00\x01\x2c\x00\x01")),
        ("management", message(0xD, bytes(14))),
    ]
    for name, data in messages:
        seed("PTP", name, data)
    # Operations: see ClockServerRun in Bodies/Clock. The upper two bits of each name the peer.
    for kind, behaviour in (("unknown", 0), ("tutti", 8), ("apple", 16), ("listens", 24)):
        add = bytes([behaviour]) + b"\x01\xf4"
        turns = (b"\x06" * 6 + b"\x04" + block(delay_request)) * 4
        seed("ClockServer", f"serves-{kind}", add + turns + b"\x02" + b"\x06" * 4 + b"\x01\x07\x03\xe8\x06")
    seed("ClockServer", "every-question", b"\x00\x00\x64\x40\x00\x64" + b"".join(
        b"\x04" + block(data) + b"\x64" + block(data) for data in (peer_delay_request, negotiation)))
    announces = b"".join(b"\x24" + block(data) for name, data in messages if name.startswith("received"))
    seed("ClockServer", "announces", b"\x00\x00\x64" + announces)
    seed("ClockServer", "stranger-and-flood", b"\x84" + block(delay_request) + b"\x80\x00\x64"
         + (b"\x84" + block(delay_request)) * 40 + b"\x07\x10\x00\x83\x13\x88\x07\x10\x00")
    # Operations: see ClockFollowerRun in Bodies/Clock.
    follow, pause = b"\x00", b"\x07\x00\x7d"
    exchange = b"\x05\x00\x64" + b"\x04\x00\x5a" + pause
    seed("ClockFollower", "follows", follow + exchange * 12 + b"\x01\x07\x3a\x98")
    seed("ClockFollower", "set-clock", follow + exchange * 8 + (b"\x05\x75\x30\x04\x75\x26" + pause) * 5)
    seed("ClockFollower", "no-answers", follow + (b"\x04\x00\x5a" + pause) * 20)
    seed("ClockFollower", "any-time", follow + exchange + b"\x04\xff\x80\x00\x00\x05\xff\x7f\xff\xff" * 6)
    seed("ClockFollower", "own", b"\x38\x40" + b"\x06\x44\x00\x01" * 4)
    seed("ClockFollower", "recorded", follow + b"".join(b"\x22" + block(data) for _, data in messages[:4])
         + b"\x02" + block(peer_delay_request) + b"\x06")
    # Operations: program, milliseconds, a message; see ClockMessage in Sources/AirPlay/ClockService/Sharing.
    def operations(*list_, program=b"\x01\x7d"):
        return b"".join(program + block(data) for data in list_)

    address, second, head = b"\x04\xc0\x00\x02\x07", (10**9).to_bytes(8, "big"), b"TClk\x00\x02"
    none, zero = b"\x80" + bytes(7), bytes(8)
    add = b"\x0a" + address + b"\x01\x00\x03" + zero + zero + b"\x00"
    asked = b"\x14" + address + b"\x01" + second + delay_request
    record = (b"\x11" + address + b"\x00\x00\x02\x02" + second + zero + b"\x01" + second + bytes(6) + b"\x01"
              + bytes(8) + second + none + second + none)
    commands = [kind + address for kind in (b"\x0d", b"\x0b", b"\x10")]
    seed("ClockSharing", "hello", operations(b"\x01" + head + zero, b"\x03" + head + b"\x01" + zero,
         b"\x02" + head + zero + second + b"\x00" * 7 + b"\x03\x04\x01", b"\x01TClk\x00\x09rest", b"\x16"))
    seed("ClockSharing", "peer", operations(add, b"\x0c" + address + b"\x00", b"\x0e" + address + second, *commands))
    seed("ClockSharing", "ready", operations(add, asked, asked, asked, asked) + b"\x81\x00" + block(b"\x16"))
    seed("ClockSharing", "restored", operations(record, asked, record, commands[1])
         + operations(record, program=b"\x00\x01"))
    follow_wish = b"\x0f" + address + b"\x00\x00"
    yield_wish = b"\x12" + address + b"\x00\x00"
    seed("ClockSharing", "leads", operations(yield_wish, add, asked, b"\x13" + address, asked, commands[1])
         + operations(yield_wish, program=b"\x00\x01"))
    seed("ClockSharing", "follows", operations(follow_wish, b"\x15" + address + b"\x00\x01" + second,
         *(b"\x14" + address + bytes([index % 2]) + second + data for index, (_, data) in enumerate(messages[:8]))))
    question = bytes.fromhex("80d2000700000000") + bytes(16) + bytes(range(1, 9))
    times = bytes.fromhex("ed005a0080000000ed005a00c0000000")
    seed("NTPTiming", "question", question)
    seed("NTPTiming", "answer", bytes.fromhex("80d3000700000000") + bytes(range(1, 9)) + times)
    seed("NTPTiming", "last-turn", bytes.fromhex("80d3000700000000") + b"\xff" * 24)


def streams():
    packets = [bytes.fromhex(p["on_wire"]) for p in load("rtp-packets.json")["packets"]]
    seed("BufferedStream", "packet", b"\xc8" + packets[0])
    seed("BufferedStream", "short-packets", SMALL + (b"\x00\x27\x80\x80\x00\x00" + bytes(33)) * 2 + b"\x00\x30")
    seed("BufferedStream", "classic-header", b"\x00\x00\x26\x80\xe7\x00\x01" + bytes(32))
    seed("BufferedStream", "impossible-length", NONE + b"\x00\x25" + bytes(40))
    frames = load("rtsp-encrypted-frames.json")["frames"]
    changes = ((0, 0), (0, 1), (64, 1), (128, 128), (250, 4))
    for index, (place, change) in enumerate(changes):
        plain = bytes.fromhex(frames[index]["plaintext"])[:400]
        seed("SecureChannel", f"sealed-{index}", b"\x40" + bytes([place, change]) + plain)
    seed("SecureChannel", "foreign", b"\x07\x00\x00" + bytes.fromhex(frames[0]["frame"]))
    seed("SecureChannel", "impossible-length", b"\xff\x00\x00\x01\x04" + bytes(20))
    seed("SecureChannel", "many-blocks", b"\xfe\xf0\x01" + bytes(2100))


def receiver():
    seed("RealtimePackets", "announce", bytes.fromhex("90d700060000000100000000000000020000000300000000000000f2"))
    seed("RealtimePackets", "sync", bytes.fromhex("80d4000700000001800000018000000000000003"))
    seed("RealtimePackets", "request", bytes.fromhex("80d50001ffff0002"))
    packet = bytes.fromhex("80e0fffeffffff0001020304") + bytes(40)
    seed("RealtimePackets", "packet", packet)
    seed("RealtimePackets", "resent", bytes.fromhex("80d60001") + packet)
    # Operations: see RAOPSessionRun in Bodies/Receiver.
    announce = (corpus / "Metadata/seed-announce-alac").read_bytes()
    volume = b"volume: -10.0\r\n"
    raop = b"".join(
        bytes([method, shape]) + block(body) for method, shape, body in (
            (0, 1, b""), (1, 0, announce), (2, 0, b""), (3, 0, b""), (6, 4, volume), (5, 4, b"volume\r\n"),
            (4, 0x40, b""), (3, 0x80, b""), (9, 3, b""), (10, 2, b""), (7, 0, b"")))
    seed("RAOPSession", "whole-session", b"\x03" + raop)
    seed("RAOPSession", "stranger", b"\x02" + raop)
    seed("RAOPSession", "no-ports", b"\x01" + raop)
    seed("RAOPSession", "taken-over", b"\x07" + bytes([8, 0x80]) + block(b"") + raop)
    seed("RAOPSession", "transport", b"\x03" + bytes([1, 0]) + block(announce) + bytes([2, 0x40]) +
         block(b"RTP/AVP/UDP;control_port=1;timing_port=2"))
    # Operations: see ReceiverSessionRun in Bodies/Receiver.
    bodies = [base64.b64decode(e["request_body_b64"] or "") for e in load("session-transcript.json")]
    requests = [(e["method"], e["uri"], e["request_headers"].get("Content-Type", "")) for e in
                load("session-transcript.json")]
    methods = ["GET", "POST", "SETUP", "RECORD", "SETPEERS", "SETPEERSX", "SETRATEANCHORTIME", "FLUSH",
               "FLUSHBUFFERED", "GET_PARAMETER", "SET_PARAMETER", "TEARDOWN", "OPTIONS", "PAUSE", "DESCRIBE"]
    paths = ["/info", "/pair-setup", "/pair-verify", "/feedback", "/command", "/audioMode", "/configure", "/x"]
    types = ["text/parameters", "application/x-dmap-tagged", "image/jpeg", "image/none"]
    operations = b""
    for (method, uri, kind), body in zip(requests, bodies):
        path = paths.index(uri) if uri in paths else 7
        kind = types.index(kind) if kind in types else 4
        operations += bytes([methods.index(method), path << 3 | kind]) + block(body)
    seed("ReceiverSession", "whole-session", b"\x01" + operations)
    seed("ReceiverSession", "stranger", b"\x00" + operations[:600])
    for index, entry in enumerate(zip(requests, bodies)):
        (method, uri, kind), body = entry
        if method in ("SETUP", "FLUSHBUFFERED", "SETRATEANCHORTIME"):
            seed("ReceiverSession", f"opened-{index}", b"\x03" + bytes([methods.index(method), 0x3c]) + block(body))


def box(name, *content):
    body = b"".join(content)
    return (8 + len(body)).to_bytes(4, "big") + name + body


def sound_files():
    """Small files of every container that the stream parser supports, with noise as audio."""

    def word(value, count=4):
        return (value % (1 << 8 * count)).to_bytes(count, "big")

    def little(value, count=4):
        return value.to_bytes(count, "little")

    noise = bytes((index * 73 + 11) & 0x7F for index in range(400))
    head = b"\x05\x02"
    fmt = little(1, 2) + little(2, 2) + little(44100) + little(176400) + little(4, 2) + little(16, 2)
    seed("AudioFileStream", "wave", head + b"RIFF" + little(500) + b"WAVEfmt " + little(16) + fmt
         + b"LIST" + little(3) + b"abc\0" + b"data" + little(64) + noise[:64])
    rate = bytes.fromhex("400eac44000000000000")
    seed("AudioFileStream", "aiff", head + b"FORM" + word(200) + b"AIFFCOMM" + word(18) + word(2, 2) + word(16)
         + word(16, 2) + rate + b"SSND" + word(72) + word(0) + word(0) + noise[:64])
    caf = bytes.fromhex("40e5888000000000") + b"aac " + word(0) + word(0) + word(1024) + word(2) + word(0)
    table = word(3, 8) + word(1000, 8) + word(1024) + word(1048) + b"\x02\x81\x00\x03"
    seed("AudioFileStream", "caf", head + b"caff\0\1\0\0desc" + word(32, 8) + caf + b"pakt" + word(len(table), 8)
         + table + b"data" + word(-1, 8) + word(0) + noise[:133])
    adts = b"".join(bytes([0xFF, 0xF1, 0x50, 0x80 | (7 + size) >> 11, (7 + size) >> 3 & 0xFF, ((7 + size) & 7) << 5 | 0x1F,
                           0xFC]) + noise[:size] for size in (20, 31, 9, 40))
    seed("AudioFileStream", "adts", head + adts)
    mp3 = b"".join(bytes.fromhex("fffb10c4") + noise[:100] for _ in range(3))
    xing = bytes.fromhex("fffb10c4") + bytes(32) + b"Info" + word(3) + word(3) + word(312) + bytes(56)
    seed("AudioFileStream", "mp3", head + b"ID3\4\0\0\0\0\0\5abcde" + xing + mp3 + b"TAG")
    seed("AudioFileStream", "flac", head + b"fLaC\x80" + word(34, 3) + word(4096, 2) * 2 + word(0, 3) * 2
         + bytes.fromhex("0ac442f000001000") + bytes(16) + bytes.fromhex("fff8c91800") + noise[:60])
    config = bytes.fromhex("0380808022000000048080801440150000000000000000000000000580808002121006808080" + "0102")
    entry = box(b"mp4a", bytes(6), word(1, 2), bytes(8), word(2, 2), word(16, 2), word(0), word(44100 << 16),
                box(b"esds", word(0), config))
    stbl = box(b"stbl", box(b"stsd", word(0), word(1), entry), box(b"stts", word(0), word(1), word(3), word(1024)),
               box(b"stsz", word(0), word(0), word(3), word(20), word(30), word(10)),
               box(b"stsc", word(0), word(1), word(1), word(2), word(1)), box(b"stco", word(0), word(2), word(600), word(660)))
    mdia = box(b"mdia", box(b"mdhd", word(0), bytes(8), word(44100), word(3072), word(0)),
               box(b"hdlr", word(0), word(0), b"soun", bytes(13)), box(b"minf", stbl))
    moov = box(b"moov", box(b"mvhd", word(0), bytes(8), word(44100), word(3072)), box(b"trak", mdia))
    front = box(b"ftyp", b"M4A ", word(0)) + moov
    seed("AudioFileStream", "mp4", head + front + box(b"free", bytes(584 - len(front))) + box(b"mdat", noise[:90]))


for old in corpus.glob("*/seed-*"):
    old.unlink()
for write in (tlv8, pairing, property_lists, rtsp, metadata, service_text, ptp, streams, receiver, sound_files):
    write()
print(f"{len(written)} seeds, {sum(path.stat().st_size for path in written)} bytes")
