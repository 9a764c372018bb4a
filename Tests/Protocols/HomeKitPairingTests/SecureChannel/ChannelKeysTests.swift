import HomeKitPairing
import Testing
import TuttiCryptography
import TuttiTestSupport

@Suite("Channel keys")
struct ChannelKeysTests {
    let recording: [String: Any]
    let secret: SharedSecret

    init() throws {
        recording = try Vectors.dictionary("airplay/pairing-transient.json")
        secret = try SharedSecret(
            Vectors.bytes(hex: #require(recording["K_session_key"] as? String)))
    }

    func key(_ name: String) throws -> SymmetricKey {
        let derived = try #require(recording["derived"] as? [String: String])
        return try SymmetricKey(Vectors.bytes(hex: #require(derived[name])))
    }

    @Test("the recorded pairing has the recorded keys")
    func recorded() throws {
        let control = ChannelKeys(sending: try key("control_write"), receiving: try key("control_read"))
        #expect(secret.controlKeys(for: .controller) == control)
        #expect(secret.controlKeys(for: .accessory) == control.reversed)
        let event = ChannelKeys(sending: try key("events_read"), receiving: try key("events_write"))
        #expect(secret.eventKeys(for: .controller) == event)
        #expect(secret.eventKeys(for: .accessory) == event.reversed)
    }

    @Test("a secret has 64 or 32 bytes", arguments: [0, 31, 33, 63, 65])
    func wrongLength(count: Int) throws {
        #expect(throws: CryptographyError.wrongByteCount(expected: 64, received: count)) {
            try SharedSecret([UInt8](repeating: 1, count: count))
        }
        #expect(try SharedSecret([UInt8](repeating: 1, count: 32)).bytes.count == 32)
    }

    @Test("no key is printed")
    func redacted() {
        var dumped = ""
        dump(secret, to: &dumped)
        dump(secret.controlKeys(for: .controller), to: &dumped)
        dump(SecureChannel(keys: secret.controlKeys(for: .controller)), to: &dumped)
        dump(PairSetupController.Step.paired(secret), to: &dumped)
        dump(PairSetupAccessory(password: "hidden-word"), to: &dumped)
        dump(PairSetupController(password: "hidden-word"), to: &dumped)
        #expect(dumped.contains("SharedSecret(redacted)"))
        #expect(!dumped.contains("hidden-word"))
        // A dump of a byte array shows its element count.
        #expect(!dumped.contains("64 elements"))
        #expect(!dumped.contains("32 elements"))
        #expect(!dumped.contains("11 elements"))
    }
}
