import AirPlayMessages
import AirPlayReceiver
import Testing
import TuttiMediaTime
import TuttiRTSP
import TuttiTestSupport

@testable import TuttiDeviceManners

@Suite("Manners of a connection")
struct SessionMannersTests {
    /// The manners of one connection, and what they report.
    private struct Stage {
        let sound = SoundState()
        let met = Recorder<[Manner]>([])
        var manners: SessionManners
        var now = HostTime(nanoseconds: 0)

        init(_ names: String...) {
            var set = MannerSet()
            for name in names {
                let isKnown = set.add(parsing: name)
                #expect(isKnown)
            }
            let met = met
            manners = SessionManners(set, sound: sound) { manner, _ in met.update { $0.append(manner) } }
        }

        /// Sends a request that the session answers with `status`; returns the status of the answer, 0 if it is
        /// withheld.
        mutating func ask(_ request: RTSPRequest, status: RTSPStatus = .ok, body: [UInt8] = []) -> Int {
            var answer = RTSPResponse(status, body: body)
            if case .answer(let refusal) = manners.ruling(on: request, at: now) { answer = refusal }
            switch manners.ruling(on: answer, to: request, at: now) {
            case .send(let response, _): return response.status.rawValue
            case .withhold: return 0
            }
        }

        mutating func pass(_ time: Duration) { now = now.advanced(by: time) }

        mutating func openSession() {
            #expect(ask(.message(.setup, SessionSetupRequest(timingProtocol: .ptp))) == 200)
        }

        mutating func openStream(_ kind: StreamKind) throws {
            let key = try #require(AudioKey([UInt8](repeating: 9, count: 32)))
            let message = StreamSetupRequest(
                kind: kind, format: .alac44100x16, key: key, streamConnectionID: 1)
            #expect(ask(.message(.setup, message)) == 200)
        }
    }

    private static let anchor = RTSPRequest.message(
        .setRateAnchorTime,
        RateAnchor.play(
            Anchor(rtpTime: RTPTime(rawValue: 7), networkTime: NetworkTime(nanoseconds: 9)),
            on: ClockIdentity(rawValue: 5)))

    @Test("a stand-in without manners changes no answer")
    func polite() throws {
        var stage = Stage()
        stage.openSession()
        try stage.openStream(.buffered)
        #expect(stage.ask(Self.anchor) == 200)
        #expect(stage.ask(RTSPRequest(.record, "rtsp://a/1")) == 200)
        #expect(stage.ask(RTSPRequest(.post, "/pair-setup")) == 200)
        stage.pass(.seconds(1000))
        #expect(stage.manners.reasonToEnd(at: stage.now) == nil)
        #expect(stage.met.value.isEmpty)
    }

    @Test("anchors are refused until some seconds after the SETUP, or after the first anchor")
    func anchors() throws {
        for (name, wait, expected) in [("locks-late=2", 2.5, 200), ("refuses-first-anchors=2", 2.5, 400)] {
            var stage = Stage(name)
            stage.openSession()
            try stage.openStream(.buffered)
            stage.pass(.seconds(wait))
            #expect(stage.ask(Self.anchor) == expected)
            stage.pass(.seconds(2))
            #expect(stage.ask(Self.anchor) == 200)
            #expect(stage.met.value.count == (expected == 200 ? 0 : 1))
        }
        var early = Stage("locks-late")
        early.openSession()
        #expect(early.ask(Self.anchor) == 400)
        // Only an anchor is refused: rate 0 and rate 1 alone are none.
        #expect(early.ask(.message(.setRateAnchorTime, RateAnchor.pause)) == 200)
        #expect(early.ask(.message(.setRateAnchorTime, RateAnchor.arm)) == 200)
    }

    @Test("a buffered stream that never starts refuses every anchor; a realtime one has none")
    func neverStarts() throws {
        var stage = Stage("never-starts-buffered")
        stage.openSession()
        try stage.openStream(.buffered)
        stage.pass(.seconds(100))
        #expect(stage.ask(Self.anchor) == 400)
        try stage.openStream(.realtime)
        #expect(stage.ask(Self.anchor) == 200)
    }

    @Test("the answer to RECORD waits for the event connection")
    func record() {
        var stage = Stage("withholds-record")
        stage.openSession()
        #expect(stage.ask(RTSPRequest(.record, "rtsp://a/1")) == 0)
        stage.manners.eventsConnected()
        #expect(stage.ask(RTSPRequest(.record, "rtsp://a/1")) == 200)
        #expect(stage.met.value == [.withholdsRecord])
    }

    @Test("a stream before RECORD is silent, one after it is heard")
    func order() throws {
        var wrong = Stage("wants-record-first")
        wrong.openSession()
        try wrong.openStream(.buffered)
        #expect(wrong.ask(RTSPRequest(.record, "rtsp://a/1")) == 200)
        #expect(wrong.sound.silencing == .wantsRecordFirst)
        var right = Stage("wants-record-first")
        right.openSession()
        #expect(right.ask(RTSPRequest(.record, "rtsp://a/1")) == 200)
        try right.openStream(.buffered)
        #expect(right.sound.silencing == nil)
    }

    @Test("sound is silent until text with RTP-Info has come")
    func metadata() {
        var stage = Stage("wants-metadata")
        stage.openSession()
        var text = RTSPRequest(
            .setParameter, "rtsp://a/1", contentType: DMAPMetadata.contentType, body: [1, 2])
        #expect(stage.ask(text) == 400)
        #expect(stage.sound.silencing == .wantsMetadata)
        text.headers[RTPInfo.headerName] = RTPInfo.headerValue(RTPTime(rawValue: 1))
        #expect(stage.ask(text) == 200)
        #expect(stage.sound.silencing == nil)
    }

    @Test("a volume is refused until the sound begins, a flush is told from then on")
    func early() {
        var stage = Stage("refuses-early-volume", "must-not-be-flushed")
        stage.openSession()
        let volume = RTSPRequest(
            .setParameter, "rtsp://a/1", contentType: Volume.contentType, body: Volume(percent: 50).body)
        #expect(stage.ask(volume) == 455)
        #expect(stage.ask(RTSPRequest(.flush, "rtsp://a/1")) == 200)
        stage.sound.begin()
        #expect(stage.ask(volume) == 200)
        #expect(stage.ask(RTSPRequest(.flush, "rtsp://a/1")) == 200)
        #expect(stage.met.value == [.refusesEarlyVolume, .mustNotBeFlushed])
    }

    @Test("a volume before the stream, and a PIN for a sender without a name, are answered 200 and forgotten")
    func forgotten() throws {
        var stage = Stage("forgets-early-volume", "wants-client-name")
        stage.openSession()
        let volume = RTSPRequest(
            .setParameter, "rtsp://a/1", contentType: Volume.contentType, body: Volume(percent: 50).body)
        #expect(stage.ask(volume) == 200)
        try stage.openStream(.buffered)
        #expect(stage.ask(volume) == 200)
        #expect(stage.met.value == [.forgetsEarlyVolume])
        var pin = RTSPRequest(.post, "/pair-pin-start")
        // The session would show the PIN, and answer so.
        #expect(stage.ask(pin, status: .created) == 200)
        pin.headers["X-Apple-Client-Name"] = "Phone"
        #expect(stage.ask(pin, status: .created) == 201)
    }

    @Test("pairing without User-Agent and a session with NTP are refused")
    func refusals() {
        var stage = Stage("wants-user-agent", "refuses-ntp")
        #expect(stage.ask(RTSPRequest(.post, "/pair-setup")) == 403)
        #expect(stage.ask(RTSPRequest(.post, "/pair-setup", headers: ["User-Agent": "x"])) == 200)
        var message = SessionSetupRequest(timingProtocol: .ntp)
        message.timingPort = 6000
        #expect(stage.ask(.message(.setup, message)) == 400)
    }

    @Test("a session without feedback ends after its seconds, one with feedback does not")
    func feedback() {
        var stage = Stage("drops-without-feedback=4")
        stage.pass(.seconds(10))
        #expect(stage.manners.reasonToEnd(at: stage.now) == nil)
        stage.openSession()
        for _ in 0..<5 {
            stage.pass(.seconds(3))
            #expect(stage.ask(RTSPRequest(.post, "/feedback")) == 200)
            #expect(stage.manners.reasonToEnd(at: stage.now) == nil)
        }
        stage.pass(.seconds(4))
        #expect(stage.manners.reasonToEnd(at: stage.now) != nil)
        #expect(stage.manners.reasonToEnd(at: stage.now) == nil)
    }

    @Test("the answer to a pause does not say where the sound has ended, as our own speaker's does")
    func soundEnd() throws {
        var stage = Stage()
        let pause = RTSPRequest.message(.setRateAnchorTime, RateAnchor.pause)
        let answer = RTSPResponse(headers: [SoundEnd.headerName: "7"])
        guard case .send(let sent, _) = stage.manners.ruling(on: answer, to: pause, at: stage.now) else {
            throw CancellationError()
        }
        #expect(sent.headers[SoundEnd.headerName] == nil)
    }

    @Test("CSeq numbers are wrong, and ports are numbers of 16 bits with a sign")
    func numbers() throws {
        var stage = Stage("wrong-cseq", "negative-ports")
        let request = RTSPRequest(.setup, "rtsp://a/1", headers: ["CSeq": "7"])
        let body = StreamSetupResponse(dataPort: 40_000, controlPort: 1000).body
        guard
            case .send(let answer, let number) = stage.manners.ruling(
                on: RTSPResponse(body: body), to: request, at: stage.now)
        else { throw CancellationError() }
        #expect(number == "1007")
        let list = try PropertyList(parsing: answer.body)
        let stream = try #require(list["streams"]?.arrayValue?.first)
        #expect(stream["dataPort"] == .integer(-25_536) && stream["controlPort"] == .integer(1000))
        // The sender reads them as they were meant.
        #expect(try StreamSetupResponse(body: answer.body).dataPort == 40_000)
    }
}

extension RTSPStatus {
    /// A status that no manner gives.
    fileprivate static let created = RTSPStatus(rawValue: 201)
}

extension RTSPRequest {
    fileprivate static func message(_ method: RTSPMethod, _ message: some PropertyListMessage) -> RTSPRequest
    {
        RTSPRequest(method, "rtsp://a/1", contentType: PeerList.contentType, body: message.body)
    }
}
