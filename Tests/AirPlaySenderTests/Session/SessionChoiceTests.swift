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
}
