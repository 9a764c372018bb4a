import HomeKitPairing
import TuttiCryptography

/// First byte: the kind of requests. Then requests, each after two bytes of length, given to an accessory of
/// pair-setup and to one of pair-verify, and as replies to every controller. A request without bytes stands for
/// the next one of an honest controller, a reply without bytes for that of an honest accessory.
public func fuzzPairing(_ bytes: [UInt8]) throws(BrokenInvariant) {
    var input = FuzzInput(bytes)
    let offersPIN = input.byte() & 1 == 1
    try fuzzPairingMessages(input)
    try fuzzPairVerify(input)
    try fuzzPairSetup(input, offersPIN: offersPIN)
    try fuzzControllers(input)
    try fuzzDigest(input)
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

/// Checks that every reply is safe for a controller, and that a failed procedure stays over.
private func fuzzControllers(_ input: FuzzInput) throws(BrokenInvariant) {
    let (ours, theirs) = (try identity("controller", 2), try identity("accessory", 1))
    let lasting = PairSetupAccessory.Lasting(identity: theirs) { "7531" }
    try fuzzController(input, PairSetupAccessory(password: "x"), PairSetupController(password: "x"))
    try fuzzController(
        input, PairSetupAccessory(password: nil, lasting: lasting),
        PairSetupPINController(pin: "7531", identity: ours))
    var accessory = PairVerifyAccessory(identity: theirs) { $0 == ours.identifier ? ours.publicHalf : nil }
    var (blocks, controller) = (input, PairVerifyController(identity: ours, accessory: theirs.publicHalf))
    var (request, isOver) = (controller.start(), false)
    for _ in 0..<requestLimit where !blocks.isAtEnd {
        var reply = blocks.block()
        if reply.isEmpty, case .send(let honest) = accessory.receive(request) { reply = honest }
        switch try? controller.receive(reply) {
        case .send(let next): request = next
        // The last reply has no proof; the connection's encryption shows who sent it.
        case .verified: try require(!isOver, "a procedure that is over stays over")
        case nil: isOver = true
        }
    }
    try fuzzFruit(input, ours)
}

/// The two controllers of pair-setup, which differ in nothing that matters here.
private protocol SetupController {
    mutating func start() -> [UInt8]
    /// Returns the next request; `nil` at the end.
    mutating func next(_ reply: [UInt8]) throws(PairingError) -> [UInt8]?
}

extension PairSetupController: SetupController {
    fileprivate mutating func next(_ reply: [UInt8]) throws(PairingError) -> [UInt8]? {
        if case .send(let next) = try receive(reply) { next } else { nil }
    }
}

extension PairSetupPINController: SetupController {
    fileprivate mutating func next(_ reply: [UInt8]) throws(PairingError) -> [UInt8]? {
        if case .send(let next) = try receive(reply) { next } else { nil }
    }
}

private func fuzzController(
    _ input: FuzzInput, _ accessory: PairSetupAccessory, _ controller: some SetupController
) throws(BrokenInvariant) {
    var (input, accessory, controller) = (input, accessory, controller)
    var (request, isForged, isOver) = (controller.start(), false, false)
    for _ in 0..<requestLimit where !input.isAtEnd {
        var reply = input.block()
        isForged = isForged || !reply.isEmpty
        if reply.isEmpty {
            switch accessory.receive(request) {
            case .send(let honest), .paired(let honest, _), .introduced(let honest, _): reply = honest
            case .refused(let honest, _): reply = honest
            }
        }
        let outcome: Result<[UInt8]?, PairingError>
        do { outcome = .success(try controller.next(reply)) } catch { outcome = .failure(error) }
        switch outcome {
        case .success(let next?):
            try require(!isOver, "a procedure that is over stays over")
            request = next
        case .success(nil): return try require(!isForged && !isOver, "only an honest accessory pairs")
        case .failure(let error):
            if isOver { try require(error == .notInProgress, "a procedure that is over says so") }
            isOver = true
        }
    }
}

private func fuzzFruit(_ input: FuzzInput, _ identity: PairingIdentity) throws(BrokenInvariant) {
    var input = input
    var setup = FruitPairSetupController(pin: "7531", identity: identity)
    var verify = FruitPairVerifyController(identity: identity)
    _ = (setup.start(), verify.start())
    var isOver = false
    for _ in 0..<requestLimit where !input.isAtEnd {
        let reply = input.block()
        var message = FruitPairingMessage()
        (message.salt, message.publicKey, message.proof) = (Array(reply.prefix(16)), reply, reply)
        switch try? setup.receive(message) {
        case .send: try require(!isOver, "a procedure that is over stays over")
        case .introduced: throw BrokenInvariant(description: "only an accessory with the PIN is believed")
        case nil: isOver = true
        }
        _ = try? verify.receive(reply)
    }
}

/// Checks that a challenge of any form gives a header that can be read again, or none.
private func fuzzDigest(_ input: FuzzInput) throws(BrokenInvariant) {
    let text = String(decoding: input.rest, as: UTF8.self)
    for challenge in [text, "Digest " + text, "Digest realm=\"a\", nonce=\"" + text + "\""] {
        guard let credentials = DigestCredentials(challenge: challenge, password: "unguessable") else {
            continue
        }
        let header = credentials.header(method: "SETUP", uri: "rtsp://10.0.0.1/1")
        try require(!header.contains("unguessable"), "a header never has the password")
        try require(header.hasPrefix("Digest username="), "a header has the fields")
    }
}
