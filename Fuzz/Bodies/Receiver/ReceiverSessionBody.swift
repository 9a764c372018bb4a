import AirPlayMessages
import AirPlayReceiver
import HomeKitPairing
import TuttiMediaTime
import TuttiRTSP

/// First byte: whether the sender has paired, and whether it has a stream. Then requests: method, path
/// and type, and a body after its length.
public func fuzzReceiverSession(_ bytes: [UInt8]) throws(BrokenInvariant) {
    var input = FuzzInput(bytes)
    var run = try ReceiverSessionRun(kind: input.byte())
    while !input.isAtEnd { try run.step(&input) }
}

private struct ReceiverSessionRun {
    private var session: ReceiverSession
    private var isOver = false
    private var hasStream = false
    private let opensPorts: Bool

    private static let methods = [
        RTSPMethod.get, .post, .setup, .record, .setPeers, .setPeersX, .setRateAnchorTime, .flush,
        .flushBuffered, .getParameter, .setParameter, .teardown, .options, .pause,
        RTSPMethod(rawValue: "DESCRIBE"),
    ]
    private static let paths = [
        "/info", "/pair-setup", "/pair-verify", "/feedback", "/command", "/audioMode", "/configure",
        "rtsp://192.0.2.1/1",
    ]
    private static let types: [String?] = [
        "text/parameters", "application/x-dmap-tagged", "image/jpeg", "image/none",
        "application/x-apple-binary-plist", nil, "a/b", "text/parameters; charset=x",
    ]

    init(kind: UInt8) throws(BrokenInvariant) {
        opensPorts = kind & 4 == 0
        guard let secret = try? SharedSecret([UInt8](repeating: 1, count: 64)),
            let key = AudioKey([UInt8](repeating: 2, count: 32))
        else { throw BrokenInvariant(description: "a secret is a secret") }
        guard kind & 1 != 0 else {
            session = ReceiverSession(pairing: Pairing(secret: nil), wantsPIN: kind & 8 != 0)
            return
        }
        session = ReceiverSession(pairing: Pairing(secret: secret), wantsPIN: kind & 8 != 0)
        try ask(RTSPRequest(.post, "/pair-setup"))
        guard kind & 2 != 0 else { return }
        try ask(RTSPRequest(.setup, "/1", body: SessionSetupRequest(timingProtocol: .ptp).body))
        let stream = StreamSetupRequest(format: .alac44100x16, key: key, streamConnectionID: 1)
        try ask(RTSPRequest(.setup, "/1", body: stream.body))
    }

    mutating func step(_ input: inout FuzzInput) throws(BrokenInvariant) {
        let method = Self.methods[Int(input.byte()) % Self.methods.count]
        let shape = input.byte()
        var request = RTSPRequest(method, Self.paths[Int(shape >> 3) % Self.paths.count], body: input.block())
        request.headers["Content-Type"] = Self.types[Int(shape & 7)]
        if shape & 0x40 != 0 { request.headers["RTP-Info"] = "seq=1;rtptime=77" }
        if shape & 0x80 != 0, method == .pause {
            session.takenOver()
            (isOver, hasStream) = (true, false)
        }
        try ask(request)
    }

    private mutating func ask(_ request: RTSPRequest) throws(BrokenInvariant) {
        let wasPaired = session.isPaired
        let context = ReceiverSession.Context(now: HostTime(nanoseconds: 0), volume: .full) {
            ReceiverInfo(fields: ["name": "Fuzz"])
        }
        session.receive(request, in: context)
        var answers: [RTSPResponse] = []
        while let output = session.nextOutput() {
            switch output {
            case .answer(let response): answers.append(response)
            case .answerThenEncrypt(let response, _):
                answers.append(response)
                try require(!wasPaired, "encryption begins once")
            case .openSession:
                try require(wasPaired && !isOver, "only who has paired opens a session")
                session.sessionOpened(
                    eventPort: opensPorts ? 1 : nil, TimingPeerInfo(id: "x", addresses: []))
            case .openStream:
                try require(session.session != nil && !isOver, "a stream has a session")
                session.streamOpened(opensPorts ? StreamPorts(data: 1, bufferBytes: 1 << 20) : nil)
                hasStream = hasStream || opensPorts
            case .command: try require(hasStream, "a command has a stream")
            case .volume, .peers, .endStream, .endSession:
                try require(wasPaired && !isOver, "a stranger changes nothing")
                if case .endSession = output { isOver = true }
            case .event(.pin), .turnedAway: break
            case .event: try require(wasPaired && !isOver, "a stranger shows nothing")
            }
        }
        try require(answers.count == 1, "each request has one answer")
        if let answer = answers.first, !wasPaired, answer.status.isSuccess {
            let isOpen =
                request.method == .options || request.path.hasPrefix("/pair-") || request.path == "/info"
            try require(isOpen, "a stranger gets the description and pairing")
        }
        var parser = RTSPResponseParser()
        parser.append(answers.first?.encoded ?? [])
        let whole = (try? parser.nextResponse()) != nil && parser.pendingByteCount == 0
        try require(whole, "what is sent is one answer")
    }
}

/// Pairs everybody, or nobody.
private struct Pairing: PairingService {
    let secret: SharedSecret?

    mutating func receive(_ request: RTSPRequest, at now: HostTime) -> PairingAnswer {
        PairingAnswer(body: request.body, secret: request.path == "/pair-setup" ? secret : nil)
    }
}
