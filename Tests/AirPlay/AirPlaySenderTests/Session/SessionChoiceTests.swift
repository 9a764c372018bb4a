import AirPlayMessages
import Testing

@testable import AirPlaySender

@Suite("The kind of session for a speaker")
struct SessionChoiceTests {
    private static let airPlay2: AirPlayFeatures = [.audio, .bufferedAudio, .ptp, .transientPairing]

    private static let table: [(String, AirPlayFeatures, model: String, SessionChoice.Override, String)] = [
        ("everything", airPlay2, "Speaker1,1", .init(), "buffered ptp"),
        ("no buffered sound", [.audio, .ptp, .transientPairing], "Speaker1,1", .init(), "realtime ptp"),
        ("no PTP", [.audio, .bufferedAudio, .transientPairing], "Speaker1,1", .init(), "realtime ntp"),
        ("no pairing", [.audio], "Speaker1,1", .init(), "airplay1 ntp"),
        ("an Apple TV", airPlay2, "AppleTV14,1", .init(), "realtime ptp"),
        ("a HomePod", airPlay2, "AudioAccessory5,1", .init(), "realtime ptp"),
        ("a Bravia", airPlay2, "BRAVIA 4K", .init(), "realtime ntp"),
        ("a Sonos", airPlay2, "Sonos Era 100", .init(), "buffered ptp"),
        ("fixed to realtime", airPlay2, "Speaker1,1", .init(stream: .realtime), "realtime ptp"),
        ("fixed to NTP", airPlay2, "Speaker1,1", .init(clock: .ntp), "realtime ntp"),
        ("fixed to its own clock", airPlay2, "Speaker1,1", .init(clock: .theirs), "realtime theirs"),
        (
            "fixed to its own clock without PTP", [.audio, .transientPairing], "Speaker1,1",
            .init(clock: .theirs), "realtime theirs"
        ),
        (
            "its own clock, and buffered", airPlay2, "Speaker1,1", .init(stream: .buffered, clock: .theirs),
            "buffered ptp"
        ),
        (
            "its own clock, and AirPlay 1", airPlay2, "Speaker1,1", .init(stream: .airPlay1, clock: .theirs),
            "airplay1 ntp"
        ),
        ("fixed to AirPlay 1", airPlay2, "Speaker1,1", .init(stream: .airPlay1), "airplay1 ntp"),
        ("fixed to PTP, a Bravia", airPlay2, "BRAVIA 4K", .init(clock: .ptp), "realtime ptp"),
    ]

    @Test("announcements, family and the user's settings decide", arguments: table.indices)
    func choice(index: Int) {
        let (name, features, model, override, expected) = Self.table[index]
        let receiver = ReceiverDescription(
            info: ReceiverInfo(
                name: "Kitchen", model: model, deviceID: "02:00:00:00:00:01", features: features,
                statusFlags: [], sourceVersion: "366.0", publicKey: Array(0..<32), bufferedFormats: [],
                realtimeFormats: []))
        let choice = SessionChoice(receiver, override: override)
        #expect("\(choice.stream.rawValue) \(choice.clock.rawValue)" == expected, "\(name)")
        #expect(!choice.reason.isEmpty)
    }

    @Test(
        "without PTP a speaker that takes NTP gets a realtime stream, unless the user has fixed something else",
        arguments: [
            (.init(), "Speaker1,1", "realtime ntp"), (.init(stream: .realtime), "Speaker1,1", "realtime ntp"),
            (.init(stream: .buffered), "Speaker1,1", "buffered ptp"),
            (.init(clock: .ptp), "Speaker1,1", "buffered ptp"),
            (.init(clock: .theirs), "Speaker1,1", "realtime theirs"),
            (.init(stream: .airPlay1), "Speaker1,1", "airplay1 ntp"),
            (.init(), "Sonos Era 100", "buffered ptp"),
            (.init(), "HW-LS60D", "buffered ptp"), (.init(), "ShairportSync", "buffered ptp"),
        ] as [(SessionChoice.Override, String, String)])
    func withoutPTP(override: SessionChoice.Override, model: String, expected: String) {
        let receiver = ReceiverDescription(
            info: ReceiverInfo(
                name: "Kitchen", model: model, deviceID: "02:00:00:00:00:01", features: Self.airPlay2,
                statusFlags: [], sourceVersion: "366.0", publicKey: Array(0..<32), bufferedFormats: [],
                realtimeFormats: []))
        let ntp = SessionChoice.Alternative(clock: .ntp, reason: "because")
        let choice = SessionChoice(receiver, override: override, instead: ntp)
        #expect("\(choice.stream.rawValue) \(choice.clock.rawValue)" == expected, "\(model)")
        #expect(choice.reason.hasSuffix("; because") == (expected == "realtime ntp"))
    }

    private static let alone: [(SessionChoice.Override, String)] = [
        (
            .init(),
            "realtime, the speaker's clock: it announces no buffered sound; when it plays alone, it follows only its own clock"
        ),
        (.init(clock: .ptp), "realtime, PTP: it announces no buffered sound"),
        (.init(clock: .ntp), "realtime, NTP: it announces no buffered sound"),
        (
            .init(clock: .theirs),
            "realtime, the speaker's clock: it announces no buffered sound; its own clock is set for this speaker"
        ),
        (
            .init(stream: .buffered),
            "buffered, PTP: set for this speaker; the speaker's own clock is not used, because it needs a realtime stream"
        ),
    ]

    @Test("a HomePod that plays alone is followed unless the user says otherwise", arguments: alone.indices)
    func insists(index: Int) {
        let (override, words) = Self.alone[index]
        let record = AirPlayTXTRecord([
            (key: "model", value: "AudioAccessory5,1"), (key: "features", value: "0x4A7FCA00,0x3C354AD0"),
            (key: "igl", value: "1"), (key: "gid", value: "A"), (key: "osvers", value: "27.0"),
        ])
        let choice = SessionChoice(ReceiverDescription(airPlay: record), override: override)
        #expect(choice.description == words)
    }

    private static let versions: [(String, [String: String], SessionChoice.Override, String)] = [
        ("5", ["model": "ShairportSync", "fv": "5.2.1"], .init(), "buffered, PTP"),
        ("4", ["model": "Shairport Sync", "fv": "4.3.7"], .init(), "realtime, PTP"),
        ("4 by its model", ["model": "Shairport Sync"], .init(), "realtime, PTP"),
        ("4, for depth", ["model": "Shairport Sync"], .init(prefersDepth: true), "buffered, PTP"),
        ("5, for depth", ["model": "ShairportSync"], .init(prefersDepth: true), "buffered, PTP"),
        ("4, fixed", ["model": "Shairport Sync"], .init(stream: .buffered), "buffered, PTP"),
        ("4, AirPlay 1", ["model": "Shairport Sync"], .init(stream: .airPlay1), "AirPlay 1, NTP"),
    ]

    @Test("shairport-sync 4 gets a realtime stream, because its buffered one is silent with lossless sound")
    func withoutBufferedALAC() {
        for (name, fields, override, expected) in Self.versions {
            let fields = fields.merging(["features": Self.airPlay2.text]) { $1 }
            let record = AirPlayTXTRecord(fields.map { ($0.key, $0.value) })
            let choice = SessionChoice(ReceiverDescription(airPlay: record), override: override)
            #expect(choice.description.hasPrefix(expected + ": "), "\(name): \(choice)")
            #expect(!choice.isFallback)
        }
    }
}
