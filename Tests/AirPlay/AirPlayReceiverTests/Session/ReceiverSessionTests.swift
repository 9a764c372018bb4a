import AirPlayMessages
import HomeKitPairing
import Testing
import TuttiMediaTime
import TuttiRTSP

@testable import AirPlayReceiver

@Suite("Requests of a sender")
struct ReceiverSessionTests {
    static let url = "rtsp://127.0.0.1/1"

    @Test("an unpaired peer gets the description and pairing, and nothing else")
    func strangers() {
        let allowed: [(RTSPRequest, Int)] = [
            (RTSPRequest(.get, "/info"), 200), (RTSPRequest(.get, "/info?txtAirPlay&txtRAOP"), 200),
            (RTSPRequest(.options, "*"), 200), (RTSPRequest(.post, "/pair-setup"), 200),
            (RTSPRequest(.post, "/pair-verify"), 200), (RTSPRequest(.post, "/pair-pin-start"), 200),
            (RTSPRequest(.post, "/auth-setup"), 404), (RTSPRequest(.post, "/fp-setup"), 404),
        ]
        for (request, status) in allowed {
            var run = SessionRun()
            #expect(run.status(of: request) == status, "\(request.target)")
        }
        let refused = [
            RTSPRequest(.setup, Self.url, contentType: "", body: SessionSetupRequest.stage().body),
            RTSPRequest(.record, Self.url), RTSPRequest(.teardown, Self.url),
            RTSPRequest(.post, "/feedback"), RTSPRequest(.post, "/command"),
            RTSPRequest(.post, "/configure"), RTSPRequest(.get, "/log"),
            RTSPRequest(.setParameter, Self.url), RTSPRequest(.getParameter, Self.url, body: Volume.query),
            RTSPRequest(.setRateAnchorTime, Self.url), RTSPRequest(.flushBuffered, Self.url),
            RTSPRequest(.setPeers, Self.url), RTSPRequest(RTSPMethod(rawValue: "DESCRIBE"), Self.url),
        ]
        for request in refused {
            var run = SessionRun()
            #expect(run.status(of: request) == 403, "\(request.method)")
            #expect(run.others.isEmpty && run.commands.isEmpty)
            var withPIN = SessionRun(wantsPIN: true)
            #expect(withPIN.status(of: request) == 470)
        }
    }

    @Test("the list of methods is the one that iOS expects")
    func options() throws {
        var run = SessionRun()
        let list = try #require(run.ask(RTSPRequest(.options, "*")).first?.headers["Public"])
        #expect(
            list
                == "ANNOUNCE, SETUP, RECORD, PAUSE, FLUSH, FLUSHBUFFERED, TEARDOWN, OPTIONS, POST, GET, PUT, SETPEERS, SETPEERSX, SETMAGICCOOKIE, SETRATEANCHORTIME, GET_PARAMETER, SET_PARAMETER"
        )
    }

    @Test("the description has every key that senders read")
    func info() throws {
        var run = SessionRun()
        let answer = try #require(run.ask(RTSPRequest(.get, "/info")).first)
        let info = try ReceiverInfo(body: answer.body)
        #expect(info.name == "Stage")
        #expect(info.publicKey == [UInt8](0..<32))
        #expect(info.features?.contains([.audio, .bufferedAudio, .ptp, .transientPairing]) == true)
        #expect(info.bufferedFormats?.contains(.aac48000x71) == true)
        #expect(info.initialVolume == Volume(decibels: -20))
        #expect(answer.headers["Server"] == "AirTunes/366.0")
    }

    @Test("transient pairing ends in a secret, once")
    func pairing() throws {
        var run = SessionRun()
        var controller = PairSetupController()
        var body = controller.start()
        var secret: SharedSecret?
        while secret == nil {
            let request = RTSPRequest(
                .post, "/pair-setup", contentType: "application/octet-stream", body: body)
            let answer = try #require(run.ask(request).first)
            switch try controller.receive(answer.body) {
            case .send(let next): body = next
            case .paired(let found): secret = found
            }
        }
        #expect(run.session.sharedSecret == secret)
        // A second secret on an encrypted connection does not begin encryption again.
        #expect(run.status(of: RTSPRequest(.post, "/pair-setup", body: body)) == 200)
        #expect(run.session.sharedSecret == secret)
    }

    @Test("pair-verify knows no controller without stored keys")
    func verify() throws {
        var run = SessionRun()
        let request = RTSPRequest(.post, "/pair-verify", body: TLV8([.init(.state, [1])]).encoded)
        let answer = try TLV8(exactly: try #require(run.ask(request).first).body)
        #expect(answer[.state] == [2])
        #expect(answer[.error] == [2])
    }

    @Test("sessions are accepted by clock kind")
    func sessions() throws {
        let table: [(SessionSetupRequest, Int)] = [
            (.stage(.ptp), 200), (SessionSetupRequest(timingProtocol: .ptp), 200), (.stage(.ntp), 200),
            (SessionSetupRequest(timingProtocol: .ntp), 451), (.stage(.noClock), 200),
            (SessionSetupRequest(timingProtocol: .noClock), 451),
            (SessionSetupRequest(timingProtocol: TimingProtocol(rawValue: "GPS")), 451),
        ]
        for (message, status) in table {
            var run = try SessionRun.paired()
            let answer = try #require(run.ask(.setup, message).first)
            #expect(answer.status.rawValue == status, "\(message.timingProtocol)")
            guard status == 200 else { continue }
            let setup = try SessionSetupResponse(body: answer.body)
            #expect(setup.eventPort == 40_001)
            #expect((setup.timingPeerInfo != nil) == (message.timingProtocol == .ptp))
        }
    }

    @Test("a repeated SETUP gets the same answer, and opens nothing")
    func repeatedSetup() throws {
        var run = try SessionRun.inSession()
        let count = run.others.count
        let answer = try #require(run.ask(.setup, SessionSetupRequest.stage()).first)
        #expect(try SessionSetupResponse(body: answer.body).eventPort == 40_001)
        #expect(run.others.count == count)
    }

    @Test("premature requests are answered with 455")
    func tooEarly() throws {
        var paired = try SessionRun.paired()
        for method in [RTSPMethod.record, .setPeers, .setParameter] {
            #expect(paired.status(of: RTSPRequest(method, Self.url)) == 455, "\(method)")
        }
        #expect(paired.ask(.setup, try StreamSetupRequest.stage()).first?.status.rawValue == 455)
        var run = try SessionRun.inSession()
        for method in [RTSPMethod.setRateAnchorTime, .flushBuffered, .flush, .pause] {
            #expect(run.status(of: RTSPRequest(method, Self.url)) == 455, "\(method)")
        }
    }

    @Test("malformed bodies are answered with 400 and change nothing")
    func malformed() throws {
        var run = try SessionRun.withStream()
        let before = run.others.count
        let garbage: [UInt8] = Array("bplist00garbage".utf8)
        for method in [
            RTSPMethod.setup, .setRateAnchorTime, .flushBuffered, .setPeers, .setPeersX, .teardown,
        ] {
            #expect(run.status(of: RTSPRequest(method, Self.url, body: garbage)) == 400, "\(method)")
        }
        for path in ["/command", "/audioMode", "/configure"] {
            #expect(run.status(of: RTSPRequest(.post, path, body: garbage)) == 400, "\(path)")
        }
        let parameters = ["volume: loud\r\n", "progress: 1/2\r\n", "", "colour: red\r\n"]
        for text in parameters {
            let request = RTSPRequest(
                .setParameter, Self.url, contentType: "text/parameters", body: Array(text.utf8))
            #expect(run.status(of: request) == 400)
        }
        let metadata = RTSPRequest(
            .setParameter, Self.url, contentType: DMAPMetadata.contentType, body: garbage)
        #expect(run.status(of: metadata) == 400)
        #expect(run.others.count == before && run.commands.isEmpty)
    }

    @Test("streams that cannot be played are refused")
    func streams() throws {
        var run = try SessionRun.inSession()
        var keyless = try StreamSetupRequest.stage()
        keyless.key = nil
        #expect(run.ask(.setup, keyless).first?.status.rawValue == 451)
        var odd = try StreamSetupRequest.stage()
        odd.kind = StreamKind(rawValue: 110)
        #expect(run.ask(.setup, odd).first?.status.rawValue == 451)
        var timed = try SessionRun.inSession(.ntp)
        #expect(timed.ask(.setup, try StreamSetupRequest.stage()).first?.status.rawValue == 451)
        #expect(timed.ask(.setup, try StreamSetupRequest.stage(.realtime)).first?.status.rawValue == 200)
        run.ports = nil
        #expect(run.ask(.setup, try StreamSetupRequest.stage()).first?.status.rawValue == 500)
    }

    @Test("pyatv's realtime streams carry 16-bit PCM")
    func pcm() throws {
        var run = try SessionRun.inSession(.ntp)
        var message = try StreamSetupRequest.stage(.realtime)
        (message.audioFormat, message.codec) = (AudioWireFormat.pcm44100x16.mask, 1)
        _ = run.ask(.setup, message)
        guard case .openStream(let stream)? = run.others.last else {
            Issue.record("no stream")
            return
        }
        #expect(stream.format == .pcm44100x16)
    }

    @Test("a remote control connection opens no audio stream")
    func remoteControl() throws {
        var run = try SessionRun.inSession(.noClock)
        guard case .openSession(let session)? = run.others.first else {
            Issue.record("no session")
            return
        }
        #expect(session.isRemoteControlOnly)
        #expect(run.ask(.setup, try StreamSetupRequest.stage()).first?.status.rawValue == 455)
        let answer = try #require(run.ask(.setup, try StreamSetupRequest.stage(.remoteControl)).first)
        #expect(try StreamSetupResponse(body: answer.body).kind == .remoteControl)
        #expect(run.session.audio == nil)
    }

    @Test("play, pause and flushes reach the stream")
    func playing() throws {
        var run = try SessionRun.withStream()
        let anchor = Anchor(
            rtpTime: RTPTime(rawValue: 7), networkTime: NetworkTime(nanoseconds: 1_000_000_000))
        let clock = ClockIdentity(rawValue: 0xF200_AAFF_FE00_00FF)
        #expect(run.ask(.setRateAnchorTime, RateAnchor.arm).first?.status == .ok)
        #expect(run.commands.isEmpty)
        #expect(run.ask(.setRateAnchorTime, RateAnchor.play(anchor, on: clock)).first?.status == .ok)
        #expect(run.ask(.setRateAnchorTime, RateAnchor.pause).first?.status == .ok)
        let point = FlushBuffered.Point(sequenceNumber: 20, rtpTime: RTPTime(rawValue: 9))
        let deferred = FlushBuffered(
            from: .init(sequenceNumber: 10, rtpTime: RTPTime(rawValue: 8)), until: point)
        #expect(run.ask(.flushBuffered, deferred).first?.status == .ok)
        #expect(run.ask(.flushBuffered, FlushBuffered(until: point)).first?.status == .ok)
        #expect(
            run.commands == [
                .play(anchor, clock), .pause, .flush(deferred), .flush(FlushBuffered(until: point)),
            ])
        let playing = run.events.compactMap {
            if case .playing(let isPlaying) = $0 { isPlaying } else { nil }
        }
        #expect(playing == [true, false])
    }

    @Test(
        "a late anchor that must play from its beginning is refused with the delay; any other is accepted")
    func lateStart() throws {
        var run = try SessionRun.withStream()
        run.lateness = .microseconds(12_500)
        let clock = ClockIdentity(rawValue: 1)
        let anchor = Anchor(rtpTime: RTPTime(rawValue: 7), networkTime: NetworkTime(nanoseconds: 1))
        var message = RateAnchor.play(anchor, on: clock)
        message.needsBeginning = true
        let refusal = try #require(run.ask(.setRateAnchorTime, message).first)
        #expect(refusal.status == .preconditionFailed)
        let late = refusal.headers[LateStart.headerName].flatMap(LateStart.lateness(headerValue:))
        #expect(try #require(late) >= .microseconds(12_500))
        #expect(run.commands.isEmpty)
        #expect(
            run.ask(.setRateAnchorTime, RateAnchor.play(anchor, on: clock)).first?.status == .ok)
        run.lateness = nil
        #expect(run.ask(.setRateAnchorTime, message).first?.status == .ok)
        // This one plays when it is asked whether it can.
        #expect(run.commands == [.play(anchor, clock)])
    }

    @Test("the answer to a pause tells where the sound of a buffered stream ends, if that is known")
    func soundEnd() throws {
        for kind in [StreamKind.buffered, .realtime] {
            var run = try SessionRun.withStream(kind)
            for end in [RTPTime(rawValue: 4_000_000_000), nil] {
                run.soundEnd = end
                let answer = try #require(run.ask(.setRateAnchorTime, RateAnchor.pause).first)
                let told = answer.headers[SoundEnd.headerName].flatMap(SoundEnd.time(headerValue:))
                #expect(answer.status == .ok && told == (kind == .buffered ? end : nil))
            }
            #expect(run.commands == [.pause, .pause])
        }
    }

    @Test("feedback lists the playing streams")
    func feedback() throws {
        var run = try SessionRun.withStream()
        #expect(run.ask(RTSPRequest(.post, "/feedback")).first?.body.isEmpty == true)
        let anchor = Anchor(rtpTime: RTPTime(rawValue: 0), networkTime: NetworkTime(nanoseconds: 0))
        _ = run.ask(.setRateAnchorTime, RateAnchor.play(anchor, on: ClockIdentity(rawValue: 1)))
        run.status = StreamStatus()
        let silent = try FeedbackResponse(
            body: try #require(run.ask(RTSPRequest(.post, "/feedback")).first).body)
        #expect(silent.streams == [.init(kind: .buffered, sampleRate: 0)])
        run.status?.sampleRate = .hz48000
        let heard = try FeedbackResponse(
            body: try #require(run.ask(RTSPRequest(.post, "/feedback")).first).body)
        #expect(heard.streams == [.init(kind: .buffered, sampleRate: 48_000)])
    }

    @Test("volume, metadata, picture and progress are delivered")
    func parameters() throws {
        var run = try SessionRun.withStream()
        let volume = Volume(decibels: -12)
        func parameter(_ type: String, _ body: [UInt8], at time: UInt32? = nil) -> RTSPRequest {
            var request = RTSPRequest(.setParameter, Self.url, contentType: type, body: body)
            if let time { request.headers["RTP-Info"] = "rtptime=\(time)" }
            return request
        }
        #expect(run.status(of: parameter("text/parameters", volume.body)) == 200)
        let answer = try #require(run.ask(RTSPRequest(.getParameter, Self.url, body: Volume.query)).first)
        #expect(try Volume(body: answer.body) == volume)
        #expect(run.status(of: RTSPRequest(.getParameter, Self.url)) == 200)
        var metadata = DMAPMetadata()
        metadata.title = "Ünïcode"
        #expect(run.status(of: parameter(DMAPMetadata.contentType, metadata.encoded, at: 55)) == 200)
        let jpeg: [UInt8] = [0xFF, 0xD8, 0xFF, 0]
        #expect(run.status(of: parameter("image/jpeg", jpeg, at: 56)) == 200)
        #expect(run.status(of: parameter("image/none", [])) == 200)
        #expect(run.status(of: parameter("image/gif", jpeg)) == 451)
        let progress = Progress(
            start: RTPTime(rawValue: 1), current: RTPTime(rawValue: 2), end: RTPTime(rawValue: 3))
        #expect(run.status(of: parameter("text/parameters", progress.body)) == 200)
        #expect(
            run.events.suffix(4) == [
                .metadata(metadata, RTPTime(rawValue: 55)), .artwork(.jpeg, jpeg, RTPTime(rawValue: 56)),
                .artwork(.cleared, [], nil), .progress(progress),
            ])
    }

    @Test("now-playing commands are delivered, too")
    func nowPlaying() throws {
        var run = try SessionRun.inSession()
        let body: PropertyList = [
            "type": "updateMRNowPlayingInfo",
            "params": [
                "type": "npi-text",
                "params": [
                    "kMRMediaRemoteNowPlayingInfoTitle": "T", "kMRMediaRemoteNowPlayingInfoArtist": "A",
                    "kMRMediaRemoteNowPlayingInfoDuration": 2.5,
                ],
            ],
        ]
        #expect(run.status(of: RTSPRequest(.post, "/command", body: body.encoded)) == 200)
        var expected = DMAPMetadata()
        (expected.title, expected.artist, expected.durationMilliseconds) = ("T", "A", 2500)
        #expect(run.events.last == .metadata(expected, nil))
        for odd: PropertyList in [["type": "updateMRSupportedCommands"], [], ["type": 5], "x"] {
            #expect(run.status(of: RTSPRequest(.post, "/command", body: odd.encoded)) == 200)
        }
    }

    @Test("teardown takes two steps: the stream, then the session")
    func teardown() throws {
        var run = try SessionRun.withStream()
        #expect(run.ask(.teardown, Teardown.stream(.buffered, streamID: 1)).first?.status == .ok)
        guard case .endStream? = run.others.last else {
            Issue.record("the stream goes on")
            return
        }
        // Another stream may follow it.
        #expect(run.ask(.setup, try StreamSetupRequest.stage(id: 6)).first?.status == .ok)
        let last = try #require(run.ask(.teardown, Teardown.session).first)
        #expect(last.headers["Connection"] == "close")
        guard case .endSession? = run.others.last else {
            Issue.record("the session goes on")
            return
        }
        #expect(run.status(of: RTSPRequest(.record, Self.url)) == 455)
    }

    @Test("unknown paths and methods are refused")
    func unknown() throws {
        var run = try SessionRun.inSession()
        #expect(run.status(of: RTSPRequest(.post, "/play")) == 404)
        #expect(run.status(of: RTSPRequest(.get, "/log")) == 404)
        #expect(run.status(of: RTSPRequest(RTSPMethod(rawValue: "DESCRIBE"), "*")) == 501)
        #expect(run.status(of: RTSPRequest(.announce, "*")) == 501)
    }
}
