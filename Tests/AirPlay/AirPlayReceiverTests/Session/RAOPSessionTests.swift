import AirPlayMessages
import Testing
import TuttiMediaTime
import TuttiRTSP

@testable import AirPlayReceiver

/// An AirPlay 1 conversation and the effects of its requests, without sockets.
struct RAOPRun {
    var session: RAOPSession
    var volume = Volume(decibels: -20)
    var commands: [StreamCommand] = []
    var events: [SpeakerEvent] = []
    var refusals: [ReceiverSession.Refusal] = []
    var sessions: [SenderSession] = []
    var streams: [StreamRequest] = []
    var ends: [String] = []
    var timingPort: UInt16? = 6003
    var ports: StreamPorts? = StreamPorts(data: 6001, control: 6002)
    var isRefused = false

    init(pairing: any PairingService = TransientPairing()) { session = RAOPSession(pairing: pairing) }

    static let url = "rtsp://10.0.0.2/7"
    static let cd = StreamAnnouncement(.alac(.init()))

    static func announce(_ stream: StreamAnnouncement = cd) -> RTSPRequest {
        RTSPRequest(
            .announce, url, contentType: StreamAnnouncement.contentType,
            body: stream.body(session: 7, from: "10.0.0.2", to: "10.0.0.1"))
    }

    static func setUp(
        _ transport: String? = RealtimeTransport(controlPort: 7001, timingPort: 7002).headerValue
    ) -> RTSPRequest {
        var request = RTSPRequest(.setup, url)
        request.headers["Transport"] = transport
        return request
    }

    static func flush(_ info: String? = "seq=1;rtptime=77") -> RTSPRequest {
        var request = RTSPRequest(.flush, url)
        request.headers["RTP-Info"] = info
        return request
    }

    /// A conversation after these requests, all of which succeed.
    static func after(_ requests: RTSPRequest...) -> RAOPRun {
        var run = RAOPRun()
        for request in requests { #expect(run.status(of: request) == 200, "\(request.method)") }
        (run.commands, run.events, run.ends) = ([], [], [])
        return run
    }

    static func playing() -> RAOPRun { after(announce(), setUp(), RTSPRequest(.record, url)) }

    mutating func ask(_ request: RTSPRequest) -> [RTSPResponse] {
        let context = ReceiverSession.Context(now: HostTime(nanoseconds: 0), volume: volume) {
            ReceiverInfo(fields: ["name": "Stage"])
        }
        session.receive(request, in: context)
        var answers: [RTSPResponse] = []
        while let output = session.nextOutput() {
            switch output {
            case .answer(let response): answers.append(response)
            case .openSession(let session):
                sessions.append(session)
                if isRefused {
                    self.session.sessionRefused()
                } else {
                    self.session.sessionOpened(timingPort: timingPort)
                }
            case .openStream(let stream):
                streams.append(stream)
                session.streamOpened(ports)
            case .command(let command): commands.append(command)
            case .event(let event): events.append(event)
            case .volume(let new): volume = new
            case .turnedAway(let refusal): refusals.append(refusal)
            case .endStream: ends.append("stream")
            case .endSession: ends.append("session")
            case .answerThenEncrypt, .peers: Issue.record("AirPlay 1 has no \(output)")
            }
        }
        #expect(answers.count == 1, "each request has one answer")
        return answers
    }

    mutating func status(of request: RTSPRequest) -> Int? { ask(request).first?.status.rawValue }
}

@Suite("Requests of an AirPlay 1 sender")
struct RAOPSessionTests {
    static let url = RAOPRun.url

    /// How far a conversation has come, and each request's status there.
    @Test("every request is answered by the state of the conversation")
    func orders() {
        let requests: [(String, RTSPRequest)] = [
            ("OPTIONS", RTSPRequest(.options, "*")), ("ANNOUNCE", RAOPRun.announce()),
            ("SETUP", RAOPRun.setUp()), ("RECORD", RTSPRequest(.record, Self.url)),
            ("FLUSH", RAOPRun.flush()), ("PAUSE", RTSPRequest(.pause, Self.url)),
            (
                "volume",
                RTSPRequest(.setParameter, Self.url, contentType: Volume.contentType, body: Volume.full.body)
            ),
            ("volume?", RTSPRequest(.getParameter, Self.url, body: Volume.query)),
            ("feedback", RTSPRequest(.post, "/feedback")), ("auth-setup", RTSPRequest(.post, "/auth-setup")),
            ("info", RTSPRequest(.get, "/info")), ("log", RTSPRequest(.get, "/log")),
            ("DESCRIBE", RTSPRequest(RTSPMethod(rawValue: "DESCRIBE"), Self.url)),
            ("SETPEERS", RTSPRequest(.setPeers, Self.url)),
            ("TEARDOWN", RTSPRequest(.teardown, Self.url)),
        ]
        let table: [(String, RAOPRun, [Int])] = [
            ("idle", RAOPRun(), [200, 200, 455, 455, 455, 455, 455, 200, 200, 404, 200, 404, 501, 501, 200]),
            (
                "announced", .after(RAOPRun.announce()),
                [200, 200, 200, 455, 455, 455, 455, 200, 200, 404, 200, 404, 501, 501, 200]
            ),
            (
                "set up", .after(RAOPRun.announce(), RAOPRun.setUp()),
                [200, 200, 455, 200, 200, 200, 200, 200, 200, 404, 200, 404, 501, 501, 200]
            ),
            (
                "playing", .playing(),
                [200, 200, 455, 200, 200, 200, 200, 200, 200, 404, 200, 404, 501, 501, 200]
            ),
            (
                "paused",
                .after(
                    RAOPRun.announce(), RAOPRun.setUp(), RTSPRequest(.record, Self.url), RAOPRun.flush()),
                [200, 200, 455, 200, 200, 200, 200, 200, 200, 404, 200, 404, 501, 501, 200]
            ),
            (
                "over", .after(RAOPRun.announce(), RTSPRequest(.teardown, Self.url)),
                [Int](repeating: 455, count: 15)
            ),
        ]
        for (state, run, statuses) in table {
            #expect(statuses.count == requests.count)
            for ((name, request), status) in zip(requests, statuses) {
                var run = run
                #expect(run.status(of: request) == status, "\(name) while \(state)")
            }
        }
    }

    @Test("SETUP opens session and stream, and names all three ports")
    func setUp() throws {
        var run = RAOPRun.after(RAOPRun.announce(StreamAnnouncement(.alac(.init()), name: "Den")))
        var request = RAOPRun.setUp()
        request.headers["DACP-ID"] = "ABC"
        request.headers["Active-Remote"] = "77"
        request.headers["User-Agent"] = "iTunes/11"
        let answer = try #require(run.ask(request).first)
        let transport = try #require(RealtimeTransport(headerValue: answer.headers["Transport"] ?? ""))
        #expect(transport == RealtimeTransport(dataPort: 6001, controlPort: 6002, timingPort: 6003))
        #expect(answer.headers["Session"] == "1")
        let session = try #require(run.sessions.first)
        #expect(session.timing == .ntp(port: 7002) && session.name == "Den" && session.uuid == nil)
        #expect(session.dacpID == "ABC" && session.activeRemote == "77" && !session.isContinuing)
        let stream = try #require(run.streams.first)
        #expect(stream.kind == .realtime && stream.key == nil && stream.format == .alac44100x16)
        #expect(stream.controlPort == 7001)
        #expect(run.events == [.source(.realtime, .alac44100x16)])
        #expect(run.session.session == session && !run.session.isPlaying)
    }

    @Test("the sender's name is the header's, else the description's, else its program's")
    func names() {
        for (header, description, agent, name) in [
            ("Desk", "Den", "iTunes", "Desk"), (nil, "Den", "iTunes", "Den"), (nil, nil, "iTunes", "iTunes"),
            (nil, nil, nil, nil),
            (String(repeating: "x", count: 999), nil, nil, String(repeating: "x", count: 256)),
        ] as [(String?, String?, String?, String?)] {
            var run = RAOPRun.after(RAOPRun.announce(StreamAnnouncement(.alac(.init()), name: description)))
            var request = RAOPRun.setUp()
            request.headers["X-Apple-Client-Name"] = header
            request.headers["User-Agent"] = agent
            _ = run.ask(request)
            #expect(run.sessions.first?.name == name)
        }
    }

    @Test("streams that cannot be played are refused by statuses of their own, and open nothing")
    func refusals() {
        let alac = StreamAnnouncement(.alac(.init()))
        func encrypted() -> RTSPRequest {
            var request = RAOPRun.announce()
            request.body += Array("a=rsaaeskey:QUJD\r\na=aesiv:QUJD\r\n".utf8)
            return request
        }
        func garbled(_ body: [UInt8]) -> RTSPRequest {
            RTSPRequest(.announce, Self.url, contentType: StreamAnnouncement.contentType, body: body)
        }
        let table: [(RTSPRequest, Int, AirPlay1Reason?)] = [
            (RAOPRun.announce(alac), 200, nil), (encrypted(), 406, .encrypted),
            (RAOPRun.announce(StreamAnnouncement(.pcm(sampleRate: 48_000, channelCount: 2))), 415, .format),
            (RAOPRun.announce(StreamAnnouncement(.other("mpeg4-generic"))), 415, .format),
            (RAOPRun.announce(StreamAnnouncement(.alac(.init(framesPerPacket: 100_000)))), 415, .format),
            (garbled([]), 400, nil), (garbled([UInt8](repeating: 0xFF, count: 8000)), 400, nil),
            (garbled([UInt8](repeating: 0x61, count: 8000)), 400, nil),
        ]
        for (request, status, reason) in table {
            var run = RAOPRun()
            var request = request
            request.headers["User-Agent"] = "X"
            #expect(run.status(of: request) == status)
            #expect(run.refusals == (reason.map { [.airPlay1(agent: "X", $0)] } ?? []))
            if status != 200 { #expect(run.status(of: RAOPRun.setUp()) == 455) }
            #expect(run.sessions.isEmpty == (status != 200) || status == 200)
        }
        for transport in [nil, "", "RTP/AVP/TCP;unicast", "RTP/AVP/UDP;control_port=1", ";;;;"] {
            var run = RAOPRun.after(RAOPRun.announce())
            #expect(run.status(of: RAOPRun.setUp(transport)) == 461)
            #expect(run.sessions.isEmpty)
            // The announcement stays: the sender may ask for another transport.
            #expect(run.status(of: RAOPRun.setUp()) == 200)
        }
    }

    @Test("ports that cannot be opened fail SETUP, and the sender may begin anew")
    func failures() {
        for change in [
            { $0.timingPort = nil }, { $0.ports = nil }, { $0.ports = StreamPorts(data: 1) },
        ] as [(inout RAOPRun) -> Void] {
            var run = RAOPRun.after(RAOPRun.announce())
            change(&run)
            #expect(run.status(of: RAOPRun.setUp()) == 500)
            #expect(run.session.session == nil)
            (run.timingPort, run.ports) = (1, StreamPorts(data: 2, control: 3))
            #expect(run.status(of: RAOPRun.setUp()) == 455)
            #expect(run.status(of: RAOPRun.announce()) == 200)
            #expect(run.status(of: RAOPRun.setUp()) == 200)
        }
        var refused = RAOPRun.after(RAOPRun.announce())
        refused.isRefused = true
        #expect(refused.status(of: RAOPRun.setUp()) == 453)
    }

    @Test("RECORD plays and names the latency; FLUSH pauses; packets resume; both may repeat")
    func playing() throws {
        var run = RAOPRun.after(RAOPRun.announce(), RAOPRun.setUp())
        let answer = try #require(run.ask(RTSPRequest(.record, Self.url)).first)
        #expect(answer.headers["Audio-Latency"] == "11025")
        #expect(run.session.isPlaying)
        _ = run.ask(RTSPRequest(.record, Self.url))
        #expect(run.events == [.playing(true)])
        _ = run.ask(RAOPRun.flush())
        _ = run.ask(RAOPRun.flush("seq=9"))
        let time = RTPTime(rawValue: 77)
        #expect(run.commands == [.flushBefore(time), .begin(1, time), .pause])
        #expect(run.events == [.playing(true), .playing(false)])
        #expect(run.session.isPaused && !run.session.isPlaying)
        let first = run.session.realtimeResumed()
        let second = run.session.realtimeResumed()
        #expect(first && !second && run.session.isPlaying)
        _ = run.ask(RTSPRequest(.pause, Self.url))
        #expect(run.commands.last == .pause && run.session.isPaused)
        _ = run.ask(RTSPRequest(.record, Self.url))
        #expect(run.session.isPlaying)
        let end = run.ask(RTSPRequest(.teardown, Self.url)).first
        #expect(end?.headers["Connection"] == "close" && run.ends == ["session"])
        #expect(run.events.last == .playing(false))
    }

    @Test("another announcement ends the stream before it")
    func announcedAgain() {
        var run = RAOPRun.playing()
        #expect(
            run.status(of: RAOPRun.announce(StreamAnnouncement(.pcm(sampleRate: 44_100, channelCount: 2))))
                == 200)
        #expect(run.ends == ["stream"] && run.events == [.playing(false)])
        #expect(run.session.session == nil)
        #expect(run.status(of: RAOPRun.setUp()) == 200)
        #expect(run.streams.last?.format == .pcm44100x16)
    }

    @Test("RECORD tells the packet with which the sound begins")
    func beginning() {
        var run = RAOPRun.after(RAOPRun.announce(), RAOPRun.setUp())
        var record = RTSPRequest(.record, Self.url)
        record.headers["RTP-Info"] = "seq=5;rtptime=9"
        _ = run.ask(record)
        #expect(run.commands == [.begin(5, RTPTime(rawValue: 9))])
    }

    @Test("volume, position, text and picture reach the speaker; garbage does not")
    func parameters() throws {
        var run = RAOPRun.playing()
        func set(_ type: String?, _ body: [UInt8]) -> RTSPRequest {
            var request = RTSPRequest(.setParameter, Self.url, body: body)
            request.headers["Content-Type"] = type
            request.headers["RTP-Info"] = "seq=1;rtptime=5"
            return request
        }
        let time = RTPTime(rawValue: 5)
        var metadata = DMAPMetadata()
        metadata.title = "Title"
        var readable = DMAPMetadata()
        readable.title = "Öde o"
        let table: [(String?, [UInt8], Int)] = [
            ("text/parameters", Array("volume: -10.5\r\n".utf8), 200),
            ("text/parameters", Array("progress: 1/2/3\r\n".utf8), 200),
            ("application/x-dmap-tagged", metadata.encoded, 200), ("image/jpeg", [1, 2], 200),
            ("image/jpg", [3], 200), ("image/none", [], 200), ("text/parameters", [0xFF], 400),
            ("text/parameters", Array("progress: 1/2\r\n".utf8), 400),
            ("application/x-dmap-tagged", [1, 2, 3], 400),
            // pyatv counts the characters of a text.
            ("application/x-dmap-tagged", Array("mlit\0\0\0\u{0F}minm\0\0\0\u{06}Öde on".utf8), 200),
            ("image/tiff", [1], 451), (nil, [1], 451),
            ("image/png", [UInt8](repeating: 0, count: NowPlayingCommand.artworkByteLimit + 1), 451),
            (
                "application/x-dmap-tagged",
                [UInt8](repeating: 0, count: ParameterChange.metadataByteLimit + 1), 400
            ),
        ]
        for (type, body, status) in table {
            #expect(run.status(of: set(type, body)) == status, "\(type ?? "-") \(body.prefix(20))")
        }
        #expect(run.volume == Volume(decibels: -10.5))
        let progress = Progress(
            start: RTPTime(rawValue: 1), current: RTPTime(rawValue: 2), end: RTPTime(rawValue: 3))
        #expect(
            run.events == [
                .progress(progress), .metadata(metadata, time), .artwork(.jpeg, [1, 2], time),
                .artwork(.jpeg, [3], time), .artwork(.cleared, [], time), .metadata(readable, time),
            ])
        let answer = try #require(run.ask(RTSPRequest(.getParameter, Self.url, body: Volume.query)).first)
        #expect(try Volume(body: answer.body) == run.volume)
        let keepAlive = run.ask(RTSPRequest(.getParameter, Self.url)).first
        #expect(keepAlive?.body == [])
    }

    @Test("an Apple-Challenge has no response, but the list of methods")
    func challenge() throws {
        var run = RAOPRun()
        var request = RTSPRequest(.options, "*")
        request.headers["Apple-Challenge"] = "QUJDREVGR0hJSktMTU5PUA"
        let answer = try #require(run.ask(request).first)
        #expect(answer.headers["Apple-Response"] == nil)
        #expect(answer.headers["Public"] == RTSPResponse.methods.headers["Public"])
    }

    @Test("a session that was taken over answers nothing more")
    func takenOver() {
        var run = RAOPRun.playing()
        run.session.takenOver()
        #expect(run.session.session == nil && !run.session.isPlaying)
        let hasResumed = run.session.realtimeResumed()
        #expect(!hasResumed)
        for request in [RAOPRun.announce(), RAOPRun.setUp(), RTSPRequest(.record, Self.url), RAOPRun.flush()]
        {
            #expect(run.status(of: request) == 455)
        }
        #expect(run.ends.isEmpty && run.commands.isEmpty)
    }

    @Test("a speaker with a PIN, or a service that knows only pairing, refuses the announcement")
    func needsPairing() throws {
        for pairing in [TransientPairing(password: "x"), OnlyPairs()] as [any PairingService] {
            var run = RAOPRun(pairing: pairing)
            #expect(run.status(of: RTSPRequest(.options, "*")) == 200)
            #expect(run.refusals.isEmpty)
            #expect(run.status(of: RAOPRun.announce()) == 470)
            #expect(run.refusals == [.airPlay1(agent: nil, .needsPairing)])
            #expect(run.status(of: RAOPRun.setUp()) == 470)
            #expect(run.sessions.isEmpty)
        }
    }
}

private struct OnlyPairs: PairingService {
    mutating func receive(_ request: RTSPRequest, at now: HostTime) -> PairingAnswer {
        PairingAnswer(RTSPResponse())
    }
}
