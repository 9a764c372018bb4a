import HomeKitPairing
import Testing
import TuttiWire

@Suite("Pair-setup, the accessory")
struct PairSetupAccessoryTests {
    static let start: [UInt8] = [6, 1, 1, 0, 1, 0, 0x13, 1, 0x10]

    static let starts: [(String, [UInt8])] = [
        ("one byte of flags", start),
        ("two bytes of flags", [6, 1, 1, 0, 1, 0, 0x13, 2, 0x10, 0]),
        ("three bytes of flags", [6, 1, 1, 0, 1, 0, 0x13, 3, 0x10, 0, 0]),
        ("four bytes of flags", [6, 1, 1, 0, 1, 0, 0x13, 4, 0x10, 0, 0, 1]),
        ("flags first", [0x13, 1, 0x10, 0, 1, 0, 6, 1, 1]),
        ("no method", [6, 1, 1, 0x13, 1, 0x10]),
    ]

    @Test("a first message is answered with salt and public key", arguments: starts)
    func challenge(name: String, body: [UInt8]) throws {
        var accessory = PairSetupAccessory()
        guard case .send(let reply) = accessory.receive(body) else {
            Issue.record("refused")
            return
        }
        let message = try TLV8(exactly: reply)
        #expect(message[.state] == [2])
        #expect(message[.salt]?.count == 16)
        #expect(message[.publicKey]?.count == 384)
        #expect(message[.error] == nil)
    }

    static let refusals: [(String, [UInt8], state: UInt8, code: UInt8, PairingError)] = [
        ("empty", [], 2, 1, .emptyBody),
        ("no list", [6, 9], 2, 1, .malformed(.truncated(field: "TLV value", needed: 9, available: 0))),
        ("no state", [0, 1, 0], 2, 1, .unexpectedState(expected: 1, received: nil)),
        ("state 2", [6, 1, 2], 2, 1, .unexpectedState(expected: 1, received: 2)),
        ("a proof at once", [6, 1, 3, 3, 1, 1, 4, 1, 1], 4, 1, .unexpectedState(expected: 1, received: 3)),
        ("not transient", [6, 1, 1, 0, 1, 0], 2, 6, .unsupportedProcedure(method: 0, flags: 0)),
        (
            "other flags", [6, 1, 1, 0, 1, 0, 0x13, 4, 0, 0, 0, 1], 2, 6,
            .unsupportedProcedure(method: 0, flags: 0x0100_0000)
        ),
        (
            "another method", [6, 1, 1, 0, 1, 1, 0x13, 1, 0x10], 2, 6,
            .unsupportedProcedure(method: 1, flags: 0x10)
        ),
    ]

    @Test("an invalid first message is refused", arguments: refusals)
    func refuses(name: String, body: [UInt8], state: UInt8, code: UInt8, error: PairingError) {
        var accessory = PairSetupAccessory()
        #expect(
            accessory.receive(body) == .refused(reply: [6, 1, state, 7, 1, code], because: error))
    }

    static let zeros = [UInt8](repeating: 0, count: 64)
    static let badProofs: [(String, TLV8, code: UInt8, PairingError)] = [
        ("no public key", TLV8([.init(.state, [3]), .init(.proof, zeros)]), 1, .missing(.publicKey)),
        ("no proof", TLV8([.init(.state, [3]), .init(.publicKey, [1])]), 1, .missing(.proof)),
        (
            "public key zero",
            TLV8([.init(.state, [3]), .init(.publicKey, zeros), .init(.proof, zeros)]), 2,
            .invalidPublicKey
        ),
        (
            "public key longer than the modulus",
            TLV8([
                .init(.state, [3]), .init(.publicKey, [UInt8](repeating: 1, count: 385)),
                .init(.proof, zeros),
            ]), 2, .invalidPublicKey
        ),
        (
            "a wrong proof",
            TLV8([.init(.state, [3]), .init(.publicKey, [7]), .init(.proof, zeros)]), 2,
            .authenticationFailed
        ),
        (
            "a proof without bytes",
            TLV8([.init(.state, [3]), .init(.publicKey, [7]), .init(.proof, [])]), 2,
            .authenticationFailed
        ),
    ]

    @Test("an invalid proof is refused; the next message must be a first one", arguments: badProofs)
    func refusesProof(name: String, body: TLV8, code: UInt8, error: PairingError) {
        var accessory = PairSetupAccessory()
        _ = accessory.receive(Self.start)
        #expect(
            accessory.receive(body.encoded)
                == .refused(reply: [6, 1, 4, 7, 1, code], because: error))
        #expect(
            accessory.receive(body.encoded)
                == .refused(
                    reply: [6, 1, 4, 7, 1, 1], because: .unexpectedState(expected: 1, received: 3)))
    }

    static let callersRefusals: [(PairingError, reply: [UInt8])] = [
        (.busy, [6, 1, 2, 7, 1, 7]),
        (.tooManyTries, [6, 1, 2, 7, 1, 5]),
        (.tooManyPeers, [6, 1, 2, 7, 1, 4]),
        (.unavailable, [6, 1, 2, 7, 1, 6]),
        (.refused(code: 42), [6, 1, 2, 7, 1, 42]),
        (.backOff(seconds: nil), [6, 1, 2, 7, 1, 3]),
        (.backOff(seconds: 0), [6, 1, 2, 7, 1, 3, 8, 1, 0]),
        (.backOff(seconds: 30), [6, 1, 2, 7, 1, 3, 8, 1, 30]),
        (.backOff(seconds: 256), [6, 1, 2, 7, 1, 3, 8, 2, 0, 1]),
        (.backOff(seconds: .max), [6, 1, 2, 7, 1, 3, 8, 8] + [UInt8](repeating: 255, count: 8)),
    ]

    @Test("the caller's refusal reaches the controller as the same error", arguments: callersRefusals)
    func callerRefuses(error: PairingError, reply: [UInt8]) {
        var accessory = PairSetupAccessory()
        var controller = PairSetupController()
        let request = controller.start()
        #expect(accessory.refuse(request, because: error) == .refused(reply: reply, because: error))
        #expect(throws: error) { try controller.receive(reply) }
    }
}
