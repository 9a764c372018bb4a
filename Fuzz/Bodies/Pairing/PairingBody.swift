import Cryptography
import HomeKitPairing

/// First byte: the kind of requests. Then requests, each after two bytes of length, given to an accessory of
/// pair-setup and to one of pair-verify. A request without bytes stands for the next one of an honest
/// controller.
public func fuzzPairing(_ bytes: [UInt8]) throws(BrokenInvariant) {
    var input = FuzzInput(bytes)
    let offersPIN = input.byte() & 1 == 1
    try fuzzPairingMessages(input)
    try fuzzPairVerify(input)
    try fuzzPairSetup(input, offersPIN: offersPIN)
}

/// Limit of requests: modular powers are slow, and further requests only repeat.
private let requestLimit = 6

private func fuzzPairingMessages(_ input: FuzzInput) throws(BrokenInvariant) {
    let body = Array(input.rest)
    guard let request = try? PairingsRequest(body) else { return }
    guard let again = try? PairingsRequest(request.encoded) else {
        throw BrokenInvariant(description: "a request that was written can be read")
    }
    try require(again == request, "what was written is the same request")
}

private func identity(_ name: String, _ filler: UInt8) throws(BrokenInvariant) -> PairingIdentity {
    do {
        return PairingIdentity(
            identifier: name, key: try Ed25519SigningKey([UInt8](repeating: filler, count: 32)))
    } catch {
        throw BrokenInvariant(description: "32 bytes are a key: \(error)")
    }
}

/// Checks that nobody is verified without the key of a known controller.
private func fuzzPairVerify(_ input: FuzzInput) throws(BrokenInvariant) {
    var input = input
    let known = try identity("controller", 2)
    let ours = try identity("accessory", 1)
    var accessory = PairVerifyAccessory(identity: ours) { $0 == known.identifier ? known.publicHalf : nil }
    for _ in 0..<requestLimit where !input.isAtEnd {
        var body = input.block()
        if body.isEmpty {
            var controller = PairVerifyController(identity: known, accessory: ours.publicHalf)
            body = controller.start()
        }
        switch accessory.receive(body) {
        case .send(let reply): try requireReply(reply, isRefusal: false)
        case .refused(let reply, _): try requireReply(reply, isRefusal: true)
        case .verified: throw BrokenInvariant(description: "nobody is verified without a key")
        }
    }
}

/// Checks that nobody is paired without the password or the PIN.
private func fuzzPairSetup(_ input: FuzzInput, offersPIN: Bool) throws(BrokenInvariant) {
    var input = input
    let ours = try identity("accessory", 1)
    let lasting = PairSetupAccessory.Lasting(identity: ours) { "7531" }
    var accessory = PairSetupAccessory(password: "unguessable", lasting: offersPIN ? lasting : nil)
    var attempts = PairingAttempts()
    var challenges = 0
    for index in 0..<requestLimit where !input.isAtEnd && challenges < 2 {
        var body = input.block()
        if body.isEmpty {
            var controller = PairSetupController(password: "unguessable")
            body = controller.start()
        }
        switch accessory.receive(body, at: .seconds(index), counting: &attempts) {
        case .send(let reply):
            challenges += 1
            try requireReply(reply, isRefusal: false)
        case .refused(let reply, _): try requireReply(reply, isRefusal: true)
        case .paired, .introduced: throw BrokenInvariant(description: "nobody is paired without the secret")
        }
        try require(attempts.count <= index + 1, "each request is one guess at most")
    }
}

private func requireReply(_ reply: [UInt8], isRefusal: Bool) throws(BrokenInvariant) {
    guard let list = try? TLV8(exactly: reply) else {
        throw BrokenInvariant(description: "an answer can be read")
    }
    try require(list[.state]?.count == 1, "an answer has a number")
    try require((list[.error] != nil) == isRefusal, "an answer has an error when it is a refusal")
}
