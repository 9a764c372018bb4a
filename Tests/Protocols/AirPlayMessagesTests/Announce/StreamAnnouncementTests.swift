import AirPlayMessages
import Testing

@Suite("An AirPlay 1 sender's ANNOUNCE")
struct StreamAnnouncementTests {
    static func description(_ lines: String...) -> [UInt8] {
        let head = ["v=0", "o=iTunes 7 0 IN IP4 10.0.0.2", "s=iTunes", "c=IN IP4 10.0.0.1", "t=0 0"]
        return Array((head + lines).map { $0 + "\r\n" }.joined().utf8)
    }

    static let media = "m=audio 0 RTP/AVP 96"
    static let lossless = "a=rtpmap:96 AppleLossless"
    static let cd = "a=fmtp:96 352 0 16 40 10 14 2 255 0 0 44100"

    @Test("the streams of known senders have their formats")
    func formats() throws {
        let table: [(String, String, AudioWireFormat?)] = [
            (Self.lossless, Self.cd, .alac44100x16),
            (
                Self.lossless, "a=fmtp:96 4096 0 16 40 10 14 2 255 0 0 44100",
                .alac44100x16(framesPerPacket: 4096)
            ),
            // pyatv gives the numbers of ALAC for PCM too.
            ("a=rtpmap:96 L16/44100/2", Self.cd, .pcm44100x16),
            ("a=rtpmap:96 l16/44100/2", "a=x", .pcm44100x16),
            ("a=rtpmap:96 L16/48000/2", "a=x", nil), ("a=rtpmap:96 L16/44100/1", "a=x", nil),
            (Self.lossless, "a=fmtp:96 352 0 24 40 10 14 2 255 0 0 44100", nil),
            (Self.lossless, "a=fmtp:96 352 0 16 40 10 14 2 255 0 0 48000", nil),
            (Self.lossless, "a=fmtp:96 352 0 16 40 10 14 1 255 0 0 44100", nil),
            (Self.lossless, "a=fmtp:96 352 0 16 40 10 12 2 255 0 0 44100", nil),
            (Self.lossless, "a=fmtp:96 0 0 16 40 10 14 2 255 0 0 44100", nil),
            (Self.lossless, "a=fmtp:96 4097 0 16 40 10 14 2 255 0 0 44100", nil),
            (Self.lossless, "a=fmtp:96 4294967295 0 16 40 10 14 2 255 0 0 44100", nil),
            ("a=rtpmap:96 mpeg4-generic/44100/2", "a=fmtp:96 mode=AAC-eld", nil),
        ]
        for (map, format, expected) in table where !format.contains("mode") {
            let read = try StreamAnnouncement(body: Self.description(Self.media, map, format))
            #expect(read.format == expected, "\(map) \(format)")
            #expect(!read.isEncrypted)
        }
        let eld = Self.description(Self.media, "a=rtpmap:96 mpeg4-generic/44100/2")
        #expect(try StreamAnnouncement(body: eld).coding == .other("mpeg4-generic/44100/2"))
    }

    @Test("name, latencies and a key are read; another payload type's lines are not")
    func details() throws {
        let read = try StreamAnnouncement(
            body: Self.description(
                "i=Mike's phone", "m=audio 0 RTP/AVP 97", "a=rtpmap:96 L16/44100/2",
                "a=rtpmap:97 AppleLossless", "a=fmtp:97 352 0 16 40 10 14 2 255 0 0 44100",
                "a=min-latency:11025", "a=max-latency:88200", "a=rsaaeskey:QUJD", "a=aesiv:QUJD"))
        #expect(read.name == "Mike's phone" && read.isEncrypted && read.format == .alac44100x16)
        #expect(read.latencies.least == 11_025 && read.latencies.most == 88_200)
        for key in ["a=aesiv:QUJD", "a=fpaeskey:QUJD", "a=rsaaeskey:"] {
            let body = Self.description(Self.media, Self.lossless, Self.cd, key)
            #expect(try StreamAnnouncement(body: body).isEncrypted, "\(key)")
        }
    }

    @Test("a description that was written is read again")
    func roundTrip() throws {
        for coding in [
            StreamAnnouncement.Coding.pcm(sampleRate: 44_100, channelCount: 2), .alac(.init()),
            .alac(.init(framesPerPacket: 4096)),
        ] {
            for count in [nil, 0, 1, 254, 255, 256] {
                let key = count.map { count in
                    StreamAnnouncement.RSAKey(
                        encryptedKey: (0..<count).map { UInt8(truncatingIfNeeded: $0 * 7) },
                        iv: Array(0xF0...0xFF))
                }
                let stream = StreamAnnouncement(coding, name: "Den", key: key)
                let body = stream.body(session: 1, from: "::1", to: "::1")
                #expect(try StreamAnnouncement(body: body) == stream)
                #expect(!String(decoding: body, as: UTF8.self).contains("=\r\n"), "base64 has no padding")
            }
        }
    }

    @Test("malformed and oversized descriptions are refused")
    func refused() {
        let long = "i=" + String(repeating: "x", count: StreamAnnouncement.byteLimit)
        let bodies: [[UInt8]] = [
            [], Array("v=0".utf8), Self.description(Self.lossless, Self.cd), Self.description(Self.media),
            Self.description("m=video 0 RTP/AVP 96", Self.lossless, Self.cd),
            Self.description("m=audio", Self.lossless, Self.cd), Self.description(Self.media, Self.lossless),
            Self.description(Self.media, Self.lossless, "a=fmtp:96 352"),
            Self.description(Self.media, Self.lossless, "a=fmtp:96 352 0 16 40 10 14 2 255 0 0 x"),
            Self.description(Self.media, Self.lossless, "a=fmtp:96 352 0 16 40 10 14 2 255 0 0 -44100"),
            Self.description(
                Self.media, Self.lossless, "a=fmtp:96 " + String(repeating: "1 ", count: 1000)),
            Self.description(Self.media, "a=rtpmap:96 L16"), Self.description(Self.media, "a=rtpmap:96"),
            Self.description(Self.media, "a=rtpmap:96 L16/99999999999/2"),
            Self.description(Self.media, Self.lossless, Self.cd, long),
            Array(String(repeating: "a=x\n", count: StreamAnnouncement.lineLimit + 1).utf8),
            [UInt8](repeating: 0xFF, count: 1000), [UInt8](repeating: 0x0A, count: 4000),
        ]
        for body in bodies {
            #expect(throws: MessageError.self, "\(String(decoding: body.prefix(300), as: UTF8.self))") {
                try StreamAnnouncement(body: body)
            }
        }
    }

    @Test("the ports of Transport are read and written")
    func transport() throws {
        let table: [(String, RealtimeTransport?)] = [
            (
                "RTP/AVP/UDP;unicast;interleaved=0-1;mode=record;control_port=6001;timing_port=6002",
                RealtimeTransport(controlPort: 6001, timingPort: 6002)
            ),
            (
                "rtp/avp/udp; unicast; TIMING_PORT=2; control_port=1; server_port=3",
                RealtimeTransport(dataPort: 3, controlPort: 1, timingPort: 2)
            ), ("RTP/AVP/TCP;unicast;interleaved=0-1;mode=record", nil),
            ("RTP/AVP/UDP;control_port=1", nil), ("RTP/AVP/UDP;timing_port=1", nil),
            ("RTP/AVP/UDP;control_port=0;timing_port=1", nil),
            ("RTP/AVP/UDP;control_port=65536;timing_port=1", nil),
            ("RTP/AVP/UDP;control_port=-1;timing_port=1", nil), ("", nil), (";;;===", nil),
            (String(repeating: ";control_port=1", count: 1000), nil),
        ]
        for (text, expected) in table {
            #expect(RealtimeTransport(headerValue: text) == expected, "\(text.prefix(80))")
            if let expected { #expect(RealtimeTransport(headerValue: expected.headerValue) == expected) }
        }
    }
}
