import HomeKitPairing
import Testing
import TuttiWire

@Suite("Pair-setup, the controller")
struct PairSetupControllerTests {
    static let challenge = TLV8([
        .init(.state, [2]), .init(.salt, [UInt8](repeating: 5, count: 16)),
        .init(.publicKey, [UInt8](repeating: 9, count: 384)),
    ]).encoded

    static let answers: [(String, [UInt8], PairingError)] = [
        ("empty", [], .emptyBody),
        ("no list", [6], .malformed(.truncated(field: "TLV length", needed: 1, available: 0))),
        ("unknown error", [6, 1, 2, 7, 1, 1], .refused(code: 1)),
        ("wrong password", [6, 1, 2, 7, 1, 2], .authenticationFailed),
        ("error without state", [7, 1, 2], .authenticationFailed),
        ("back-off", [6, 1, 2, 7, 1, 3], .backOff(seconds: nil)),
        ("back-off of 16 s", [6, 1, 2, 7, 1, 3, 8, 1, 16], .backOff(seconds: 16)),
        ("back-off of 300 s", [6, 1, 2, 7, 1, 3, 8, 2, 44, 1], .backOff(seconds: 300)),
        ("back-off, no number", [6, 1, 2, 7, 1, 3, 8, 0], .backOff(seconds: nil)),
        ("too many peers", [6, 1, 2, 7, 1, 4], .tooManyPeers),
        ("too many tries", [6, 1, 2, 7, 1, 5], .tooManyTries),
        ("unavailable", [6, 1, 2, 7, 1, 6], .unavailable),
        ("busy", [6, 1, 2, 7, 1, 7], .busy),
        ("a new error", [6, 1, 2, 7, 1, 99], .refused(code: 99)),
        ("an error without code", [6, 1, 2, 7, 0], .refused(code: 1)),
        ("no state", [0, 1, 0], .unexpectedState(expected: 2, received: nil)),
        ("state 4", [6, 1, 4], .unexpectedState(expected: 2, received: 4)),
        ("its own message", [6, 1, 1, 0, 1, 0, 0x13, 1, 0x10], .unexpectedState(expected: 2, received: 1)),
        (
            "state without number", [6, 0],
            .malformed(.outOfRange(field: "TLV type 0x6 byte count", value: 0))
        ),
        ("no salt", [6, 1, 2, 3, 1, 5], .missing(.salt)),
        ("no public key", [6, 1, 2, 2, 1, 5], .missing(.publicKey)),
        ("public key zero", [6, 1, 2, 2, 1, 5, 3, 2, 0, 0], .invalidPublicKey),
        ("public key without bytes", [6, 1, 2, 2, 1, 5, 3, 0], .invalidPublicKey),
    ]

    @Test("each invalid challenge has its error, and ends the exchange", arguments: answers)
    func badChallenge(name: String, body: [UInt8], error: PairingError) {
        var controller = PairSetupController()
        _ = controller.start()
        #expect(throws: error) { try controller.receive(body) }
        #expect(throws: PairingError.notInProgress) { try controller.receive(Self.challenge) }
    }

    static let endings: [(String, [UInt8], PairingError)] = [
        ("empty", [], .emptyBody),
        ("wrong password", [6, 1, 4, 7, 1, 2], .authenticationFailed),
        ("back-off of 1 s", [6, 1, 4, 7, 1, 3, 8, 1, 1], .backOff(seconds: 1)),
        ("too many tries", [6, 1, 4, 7, 1, 5], .tooManyTries),
        ("state 2", [6, 1, 2, 4, 1, 0], .unexpectedState(expected: 4, received: 2)),
        ("no proof", [6, 1, 4], .missing(.proof)),
        ("a proof without bytes", [6, 1, 4, 4, 0], .accessoryNotAuthentic),
        ("a wrong proof", [6, 1, 4, 4, 64] + [UInt8](repeating: 0, count: 64), .accessoryNotAuthentic),
    ]

    @Test("each invalid final message has its error, and ends the exchange", arguments: endings)
    func badEnding(name: String, body: [UInt8], error: PairingError) throws {
        var controller = PairSetupController()
        _ = controller.start()
        _ = try controller.receive(Self.challenge)
        #expect(throws: error) { try controller.receive(body) }
        #expect(throws: PairingError.notInProgress) { try controller.receive(body) }
    }

    @Test("nothing is accepted before the start")
    func notBegun() {
        var controller = PairSetupController()
        #expect(throws: PairingError.notInProgress) { try controller.receive(Self.challenge) }
    }

    @Test("values are accepted in any order, with unknown ones between")
    func anyOrder() throws {
        let challenge = TLV8([
            .init(.publicKey, [UInt8](repeating: 9, count: 384)), .init(TLV8Tag(rawValue: 0x55), [1]),
            .init(.salt, [UInt8](repeating: 5, count: 15)), .init(.state, [2]),
        ])
        var controller = PairSetupController()
        _ = controller.start()
        guard case .send(let body) = try controller.receive(challenge.encoded) else {
            Issue.record("no proof")
            return
        }
        let proof = try TLV8(exactly: body)
        #expect(proof[.state] == [3])
        #expect(proof[.publicKey]?.count == 384)
        #expect(proof[.proof]?.count == 64)
    }
}
