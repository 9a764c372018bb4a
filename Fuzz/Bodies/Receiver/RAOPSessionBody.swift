import AirPlayMessages
import AirPlayReceiver
import TuttiMediaTime
import TuttiRTSP

/// First byte: whether the sender may play, whether ports can be had, and how far the session has come. Then
/// requests: method, path and headers, and a body after its length.
public func fuzzRAOPSession(_ bytes: [UInt8]) throws(BrokenInvariant) {
    var input = FuzzInput(bytes)
    var run = try RAOPSessionRun(kind: input.byte())
    while !input.isAtEnd { try run.step(&input) }
}

private struct RAOPSessionRun {
    private var session: RAOPSession
    private let isAdmitted: Bool
    private let opensPorts: Bool
    private var hasStream = false
    private var isOver = false

    private static let methods = [
        RTSPMethod.options, .announce, .setup, .record, .flush, .getParameter, .setParameter, .teardown,
        .pause, .post, .get, RTSPMethod(rawValue: "DESCRIBE"),
    ]
    private static let paths = ["rtsp://192.0.2.1/7", "*", "/info", "/feedback"]
    private static let types: [String?] = [
        "application/sdp", "text/parameters", "application/x-dmap-tagged", "image/jpeg", "image/none", nil,
    ]
    private static let usual = RealtimeTransport(controlPort: 6001, timingPort: 6002).headerValue

    init(kind: UInt8) throws(BrokenInvariant) {
        isAdmitted = kind & 1 != 0
        opensPorts = kind & 2 != 0
        session = RAOPSession(pairing: Admission(isAdmitted: kind & 1 != 0))
        guard kind & 4 != 0 else { return }
        let stream = StreamAnnouncement(.alac(.init()))
        try ask(
            RTSPRequest(
                .announce, Self.paths[0], body: stream.body(session: 7, from: "192.0.2.1", to: "192.0.2.2")))
        var request = RTSPRequest(.setup, Self.paths[0])
        request.headers["Transport"] = Self.usual
        try ask(request)
    }

    mutating func step(_ input: inout FuzzInput) throws(BrokenInvariant) {
        let method = Self.methods[Int(input.byte()) % Self.methods.count]
        let shape = input.byte()
        var request = RTSPRequest(method, Self.paths[Int(shape) & 3], body: input.block())
        request.headers["Content-Type"] = Self.types[Int(shape >> 2) % Self.types.count]
        if shape & 0x40 != 0 { request.headers["RTP-Info"] = "seq=1;rtptime=77" }
        if method == .setup {
            let text = shape & 0x40 != 0 ? String(decoding: request.body, as: UTF8.self) : Self.usual
            request.headers["Transport"] = text
        }
        if shape & 0x80 != 0, method == .pause {
            session.takenOver()
            (isOver, hasStream) = (true, false)
        }
        if shape & 0x80 != 0, method == .record { _ = session.realtimeResumed() }
        try ask(request)
    }

    private mutating func ask(_ request: RTSPRequest) throws(BrokenInvariant) {
        let context = ReceiverSession.Context(now: HostTime(nanoseconds: 0), volume: .full) {
            ReceiverInfo(fields: ["name": "Fuzz"])
        }
        session.receive(request, in: context)
        var answers: [RTSPResponse] = []
        while let output = session.nextOutput() {
            if case .turnedAway = output { continue }
            if case .answer(let response) = output {
                answers.append(response)
                continue
            }
            try require(isAdmitted && !isOver, "who may not play changes nothing")
            switch output {
            case .openSession: session.sessionOpened(timingPort: opensPorts ? 1 : nil)
            case .openStream(let stream):
                try require(stream.key == nil && stream.format != nil, "a stream is plain and has a format")
                session.streamOpened(opensPorts ? StreamPorts(data: 1, control: 2) : nil)
                hasStream = opensPorts
            case .command: try require(hasStream, "a command has a stream")
            case .endStream: hasStream = false
            case .endSession: isOver = true
            case .volume, .event: break
            case .answer, .turnedAway: break
            case .answerThenEncrypt, .peers: try require(false, "AirPlay 1 has neither")
            }
        }
        try require(answers.count == 1, "each request has one answer")
        try require((session.session != nil) == (hasStream && !isOver), "a session has a stream")
        var parser = RTSPResponseParser()
        parser.append(answers.first?.encoded ?? [])
        let whole = (try? parser.nextResponse()) != nil && parser.pendingByteCount == 0
        try require(whole, "what is sent is one answer")
    }
}

/// Admits everybody, or nobody.
private struct Admission: PairingService {
    let isAdmitted: Bool

    mutating func receive(_ request: RTSPRequest, at now: HostTime) -> PairingAnswer {
        PairingAnswer(body: [])
    }

    mutating func admitAirPlay1(_ request: RTSPRequest, at now: HostTime) -> PairingAnswer? {
        isAdmitted ? nil : PairingAnswer(RTSPResponse(.unauthorized))
    }
}
