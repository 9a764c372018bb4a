import AirPlaySender
import Testing
import TuttiDiscovery
import TuttiSystemIO

@testable import Playback

@Suite("Choosing an output that shows a PIN")
struct PairingChoiceTests {
    private static func speaker(_ txt: [(String, String)]) throws -> DiscoveredSpeaker {
        let service = DiscoveredService(
            id: ServiceID(kind: .airplay, name: "Kitchen"), host: "h.local",
            addresses: [IPAddress(10, 0, 0, 7)], port: 7000, txt: txt.map { TXTEntry(key: $0.0, value: $0.1) }
        )
        var directory = SpeakerDirectory()
        _ = directory.apply(.appeared(try #require(service)))
        return try #require(directory.speakers.first)
    }

    private static let features = ("features", "0x405FCA00,0x1C340")

    private static let rows: [(String, [(String, String)], isNeeded: Bool)] = [
        ("a PIN", [features, ("deviceid", "02:00:00:AA:00:01"), ("flags", "0x8")], true),
        ("one-time pairing", [features, ("deviceid", "02:00:00:AA:00:01"), ("flags", "0x200")], true),
        ("a PIN, no id", [features, ("flags", "0x8")], true),
        ("a password", [features, ("deviceid", "02:00:00:AA:00:01"), ("flags", "0x80")], false),
        ("nothing", [features, ("deviceid", "02:00:00:AA:00:01"), ("flags", "0x4")], false),
    ]

    @Test("only a speaker that shows a PIN is paired, unless it is paired already", arguments: rows.indices)
    func needs(index: Int) throws {
        let (name, txt, isNeeded) = Self.rows[index]
        #expect(SpeakerPairings().isNeeded(by: try Self.speaker(txt)) == isNeeded, "\(name)")
    }

    @Test("a speaker that cannot be paired is no output, and the error says why")
    func unreachable() async throws {
        // This port is closed: the attempt ends before a PIN is shown.
        let target = SpeakerTarget(
            name: "Kitchen", addresses: [SocketAddress(IPAddress(127, 0, 0, 1), port: 9)])
        let option = RouteOption(id: "k", name: "Kitchen", kind: .airPlay, needsPassword: true)
        await #expect(throws: RouteError.self) {
            try await SpeakerPairings().pair(
                with: target, option: option, senderName: "Host", prompt: nil)
        }
    }
}
