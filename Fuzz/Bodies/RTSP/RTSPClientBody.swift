import TuttiMediaTime
import TuttiRTSP

/// Interprets the bytes as operations on the client's side of a connection.
public func fuzzRTSPClient(_ bytes: [UInt8]) throws(BrokenInvariant) {
    var input = FuzzInput(bytes)
    var run = try RTSPClientRun()
    while !input.isAtEnd { try run.step(&input) }
}

private struct RTSPClientRun {
    private var client = RTSPClientConnection()
    private var now = HostTime(nanoseconds: 1_000_000_000)
    private var ciphers: (client: ChannelCipher, peer: ChannelCipher)
    private var isClosed = false
    private var isCloseSent = false
    private var answered: Set<RTSPRequestID> = []
    private var lastID: RTSPRequestID?
    private var lastCSeq = 0

    init() throws(BrokenInvariant) { ciphers = try ChannelCipher.pair() }

    mutating func step(_ input: inout FuzzInput) throws(BrokenInvariant) {
        let operation = input.byte()
        switch operation & 0x0F {
        case 0...3: try send(&input)
        case 4...6: try receive(input.block())
        case 7...9: try answer(&input, cSeq: lastCSeq)
        case 10: try answer(&input, cSeq: Int(input.byte()))
        case 11, 12:
            now = now.advanced(by: .milliseconds(Int(input.word())))
            try accept(client.handleTimeout(at: now))
        case 13 where !client.isEncrypted && client.pendingCount == 0:
            try accept(client.startEncryption(ciphers.client, at: now))
        case 14 where operation & 0x10 == 0: try accept(client.receiveEnd())
        case 14: try accept(client.close())
        default: break
        }
        try drain()
        try require(
            client.pendingCount <= RTSPClientConnection.queueLimit + 1, "waiting requests are bounded")
    }

    private mutating func send(_ input: inout FuzzInput) throws(BrokenInvariant) {
        let shape = input.byte()
        var request = RTSPRequest(shape & 1 == 0 ? .getParameter : .setup, "rtsp://192.0.2.1/1")
        request.body = input.bytes(Int(shape >> 4))
        if shape & 2 != 0 {
            request.headers["CSeq"] = String(decoding: input.bytes(4), as: UTF8.self)
        }
        let rule: RTSPClientConnection.TimeoutRule = shape & 4 == 0 ? .fatal : .reported
        let timeout = Duration.milliseconds(Int(input.word()))
        let result = Result { () throws(RTSPError) in
            try client.send(request, timeout: timeout, rule: rule, at: now)
        }
        switch result {
        case .success(let id):
            try require(lastID.map { $0 < id } ?? true, "identities grow")
            lastID = id
        case .failure(let error):
            try require(
                error == (isClosed ? .closedByUs : .queueFull(limit: RTSPClientConnection.queueLimit)),
                "a request is refused for one of two reasons")
        }
    }

    private mutating func answer(_ input: inout FuzzInput, cSeq: Int) throws(BrokenInvariant) {
        let shape = input.byte()
        var response = RTSPResponse(RTSPStatus(rawValue: 100 + Int(shape) * 3))
        response.headers["CSeq"] = String(cSeq)
        response.body = input.bytes(Int(shape & 0x0F))
        let bytes = response.encoded
        try receive(client.isEncrypted ? ciphers.peer.seal(bytes) : bytes)
    }

    private mutating func receive(_ bytes: [UInt8]) throws(BrokenInvariant) {
        try accept(client.receive(bytes, at: now))
    }

    private mutating func accept(_ events: [RTSPClientConnection.Event]) throws(BrokenInvariant) {
        for event in events {
            try require(!isClosed, "nothing comes behind the end")
            switch event {
            case .response(let id, _), .late(let id, _), .unsent(let id):
                try require(answered.insert(id).inserted, "a request has one end")
            case .closed: isClosed = true
            case .unanswered, .wrongCSeq, .unsolicited: break
            }
        }
        if isClosed { try require(client.receive([0x0A], at: now).isEmpty, "a closed one is silent") }
    }

    private mutating func drain() throws(BrokenInvariant) {
        while let output = client.nextOutput() {
            try require(!isCloseSent, "nothing is asked for behind the close")
            switch output {
            case .send(let bytes): try checkSent(bytes)
            case .wake: break
            case .close: isCloseSent = true
            }
        }
        try require(isClosed == isCloseSent, "the end is told and done")
    }

    private mutating func checkSent(_ bytes: [UInt8]) throws(BrokenInvariant) {
        var parser = RTSPRequestParser()
        parser.append(client.isEncrypted ? (try? ciphers.peer.open(bytes)) ?? [] : bytes)
        guard let request = try? parser.nextRequest(), parser.pendingByteCount == 0 else {
            throw BrokenInvariant(description: "what is sent is one request")
        }
        try require(request.headers.values(of: "CSeq") == [String(lastCSeq + 1)], "CSeq counts requests")
        lastCSeq += 1
    }
}
