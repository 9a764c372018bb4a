import HomeKitPairing
import Testing
import TuttiCryptography
import TuttiWire

@Suite("Requests about known controllers")
struct PairingsRequestTests {
    static let requests: [PairingsRequest] = [
        .add(Ends.stranger.publicHalf, isAdmin: true), .add(Ends.controller.publicHalf, isAdmin: false),
        .remove(identifier: Ends.controller.identifier), .list,
    ]

    @Test("requests round-trip", arguments: requests)
    func bothWays(request: PairingsRequest) throws {
        #expect(try PairingsRequest(request.encoded) == request)
        for count in 0..<request.encoded.count {
            // Only permissions may be missing, which means the fewest.
            guard let cut = try? PairingsRequest(Array(request.encoded.prefix(count))) else { continue }
            #expect(cut != request || request == .add(Ends.controller.publicHalf, isAdmin: false))
        }
    }

    @Test("the shortest requests have the expected bytes")
    func bytes() {
        #expect(PairingsRequest.list.encoded == [6, 1, 1, 0, 1, 5])
        #expect(PairingsRequest.remove(identifier: [65]).encoded == [6, 1, 1, 0, 1, 4, 1, 1, 65])
        #expect(PairingsRequest.done == [6, 1, 2])
        #expect(PairingsRequest.refusal(because: .tooManyPeers) == [6, 1, 2, 7, 1, 4])
    }

    @Test("the longest possible listing is readable")
    func listing() throws {
        let peers = (0..<16).map { Ends.identity("controller \($0)", filler: UInt8($0)).publicHalf }
        let list = try TLV8(exactly: PairingsRequest.listing(peers))
        #expect(list.items.filter { $0.tag == .identifier }.map(\.value) == peers.map(\.identifier))
        #expect(list.items.filter { $0.tag == .separator }.count == 15)
        #expect(try TLV8(exactly: PairingsRequest.listing([])).items.count == 1)
    }

    static let bad: [(String, [UInt8], PairingError)] = [
        ("empty", [], .emptyBody),
        ("no state", [0, 1, 5], .unexpectedState(expected: 1, received: nil)),
        ("pair-setup", [6, 1, 1, 0, 1, 0], .unsupportedProcedure(method: 0, flags: 0)),
        ("nobody to remove", [6, 1, 1, 0, 1, 4], .missing(.identifier)),
        ("nobody to add", [6, 1, 1, 0, 1, 3], .missing(.publicKey)),
        ("a short key", [6, 1, 1, 0, 1, 3, 1, 1, 65, 3, 1, 1], .invalidPublicKey),
        (
            "no name", [6, 1, 1, 0, 1, 3, 1, 0, 3, 32] + [UInt8](repeating: 1, count: 32),
            .malformed(.outOfRange(field: "identifier byte count", value: 0))
        ),
        (
            "a long name",
            [6, 1, 1, 0, 1, 3, 1, 65] + [UInt8](repeating: 65, count: 65) + [3, 32]
                + [UInt8](repeating: 1, count: 32),
            .malformed(.outOfRange(field: "identifier byte count", value: 65))
        ),
    ]

    @Test("other requests are refused", arguments: bad)
    func refuses(name: String, body: [UInt8], error: PairingError) {
        #expect(throws: error) { try PairingsRequest(body) }
    }
}
