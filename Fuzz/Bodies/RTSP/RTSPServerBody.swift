import TuttiMediaTime
import TuttiRTSP

/// First byte: the kind of connection. Then operations on the server's side of it.
public func fuzzRTSPServer(_ bytes: [UInt8]) throws(BrokenInvariant) {
    var input = FuzzInput(bytes)
    var run = try RTSPServerRun(kind: input.byte())
    while !input.isAtEnd { try run.step(&input) }
}

private struct RTSPServerRun {
    private var server: RTSPServerConnection
    private var now = HostTime(nanoseconds: 1_000_000_000)
    private var ciphers: (server: ChannelCipher, peer: ChannelCipher)
    private var mayEncrypt: Bool
    private var isClosed = false
    private var isCloseSent = false
    /// The peer's pending requests, in order.
    private var unsent: [(id: RTSPRequestID, cSeq: String?)] = []
    private var unanswered: [RTSPRequestID] = []
    private var sentCSeq = 0
    /// After the answer to this request the peer reads sealed bytes.
    private var lastPlain: RTSPRequestID?
    private var isPeerEncrypted: Bool

    init(kind: UInt8) throws(BrokenInvariant) {
        ciphers = try ChannelCipher.pair()
        mayEncrypt = kind & 1 == 0
        isPeerEncrypted = kind & 1 != 0
        server = RTSPServerConnection(
            style: kind & 2 == 0 ? .minimal : .complete, idleLimit: kind & 4 == 0 ? nil : .seconds(30),
            cipher: kind & 1 == 0 ? nil : ciphers.server, at: now)
        try drain()
    }

    mutating func step(_ input: inout FuzzInput) throws(BrokenInvariant) {
        let operation = input.byte()
        switch operation & 0x0F {
        case 0...2: try receive(input.block())
        case 3...6: try ask(&input)
        case 7...10: try respond(&input)
        case 11: try respond(&input, encrypts: true)
        case 12, 13:
            now = now.advanced(by: .milliseconds(Int(input.word())))
            try accept(server.handleTimeout(at: now))
        case 14 where operation & 0x10 == 0: try accept(server.receiveEnd())
        case 14: try accept(server.close())
        default: break
        }
        try drain()
        try require(unsent.count <= RTSPServerConnection.unansweredLimit || isClosed, "requests are bounded")
    }

    private mutating func ask(_ input: inout FuzzInput) throws(BrokenInvariant) {
        let shape = input.byte()
        var request = RTSPRequest(
            .post, "/command", version: shape & 1 == 0 ? .rtsp : .http, body: input.bytes(Int(shape >> 4)))
        if shape & 2 == 0 {
            sentCSeq += 1
            request.headers["CSeq"] = String(sentCSeq)
        }
        let bytes = request.encoded
        try receive(isPeerEncrypted ? ciphers.peer.seal(bytes) : bytes)
    }

    private mutating func receive(_ bytes: [UInt8]) throws(BrokenInvariant) {
        try accept(server.receive(bytes, at: now))
    }

    private mutating func respond(_ input: inout FuzzInput, encrypts: Bool = false) throws(BrokenInvariant) {
        let shape = input.byte()
        guard !unanswered.isEmpty else { return }
        let id = unanswered.remove(at: Int(shape) % unanswered.count)
        var response = RTSPResponse(RTSPStatus(rawValue: 100 + Int(shape) * 3))
        response.body = input.bytes(Int(shape & 0x0F))
        let starts = encrypts && mayEncrypt
        if starts { (mayEncrypt, lastPlain) = (false, id) }
        try accept(server.respond(to: id, with: response, thenEncryptWith: starts ? ciphers.server : nil))
    }

    private mutating func accept(_ events: [RTSPServerConnection.Event]) throws(BrokenInvariant) {
        for event in events {
            try require(!isClosed, "nothing comes behind the end")
            switch event {
            case .request(let id, let request):
                try require(unsent.last.map { $0.id < id } ?? true, "identities grow")
                unsent.append((id, request.headers["CSeq"]))
                unanswered.append(id)
            case .closed:
                isClosed = true
                unanswered = []
            }
        }
        if isClosed { try require(server.receive([0x0A], at: now).isEmpty, "a closed one is silent") }
    }

    private mutating func drain() throws(BrokenInvariant) {
        while let output = server.nextOutput() {
            try require(!isCloseSent, "nothing is asked for behind the close")
            switch output {
            case .send(let bytes): try checkSent(bytes)
            case .wake(let time): try require(time > now, "a wake lies ahead")
            case .close: isCloseSent = true
            }
        }
        try require(isClosed == isCloseSent, "the end is told and done")
    }

    private mutating func checkSent(_ bytes: [UInt8]) throws(BrokenInvariant) {
        var parser = RTSPResponseParser()
        parser.append(isPeerEncrypted ? (try? ciphers.peer.open(bytes)) ?? [] : bytes)
        guard let response = try? parser.nextResponse(), parser.pendingByteCount == 0 else {
            throw BrokenInvariant(description: "what is sent is one answer")
        }
        try require(!unsent.isEmpty, "an answer has a request")
        let request = unsent.removeFirst()
        try require(response.headers["CSeq"] == request.cSeq, "answers keep the order of the requests")
        if request.id == lastPlain { isPeerEncrypted = true }
    }
}
