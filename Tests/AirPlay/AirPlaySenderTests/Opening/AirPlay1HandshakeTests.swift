import AirPlayMessages
import HomeKitPairing
import Testing
import TuttiMediaTime
import TuttiRTSP
import TuttiSystemIO

@testable import AirPlaySender

@Suite("Handshake of an AirPlay 1 session, without sockets")
struct AirPlay1HandshakeTests {
    typealias Input = AirPlay1Handshake.Input

    /// A handshake with an in-memory speaker.
    private struct Run {
        var handshake: AirPlay1Handshake
        private(set) var trace: [String] = []
        private(set) var requests: [RTSPRequest] = []
        private(set) var waiting: AirPlay1Handshake.Output?
        private(set) var opened: OpenedAirPlay1Session?
        private(set) var failure: SpeakerFailure?

        init(
            encryptionTypes: String = "0,1", codecs: String = "0,1", key: AirPlay1Key? = nil,
            password: String? = nil, record: AirPlayTXTRecord? = nil,
            credentials: SpeakerAccess.Credentials? = nil
        ) {
            var target = HandshakeRun.configuration(password: password).target
            target.record = record
            target.raop = RAOPTXTRecord([
                (key: "et", value: encryptionTypes), (key: "cn", value: codecs), (key: "am", value: "Old1,1"),
            ])
            guard let sound = try? AirPlay1Sound(target.raop) else {
                preconditionFailure("the tests name what can be played")
            }
            handshake = AirPlay1Handshake(
                AirPlay1Handshake.Configuration(
                    target: target, numbers: HandshakeRun.numbers,
                    authSetupKey: [UInt8](repeating: 9, count: 32),
                    choice: SessionChoice(.airPlay1, .ntp, "test"), sound: sound, key: key,
                    credentials: credentials))
            handshake.begin()
            takeOutputs()
        }

        mutating func give(_ input: Input) {
            handshake.receive(input)
            takeOutputs()
        }

        private mutating func takeOutputs() {
            waiting = nil
            while let output = handshake.nextOutput() {
                switch output {
                case .connect(let address, _): note("connect \(address)", output)
                case .bindPorts: note("bind", output)
                case .send(let request, _):
                    requests.append(request)
                    note("\(request.method.rawValue) \(request.target)", output)
                case .authorize: trace.append("authorize")
                case .describe: trace.append("describe")
                case .awaitFormat: note("format", output)
                case .opened(let session): opened = session
                case .failed(let failure): self.failure = failure
                }
            }
        }

        private mutating func note(_ words: String, _ output: AirPlay1Handshake.Output) {
            trace.append(words)
            waiting = output
        }

        /// Answers as a speaker does until the handshake has made `count` requests, or until it ends.
        mutating func run(toRequest count: Int = .max) {
            while let waiting, requests.count < count {
                switch waiting {
                case .connect: give(.connected(HandshakeRun.link))
                case .bindPorts: give(.portsBound(BoundPorts(control: 6001, timing: 6002)))
                case .awaitFormat: give(.format(.alac44100x16))
                case .send(let request, _): give(.answered(Self.answer(request)))
                case .authorize, .describe, .opened, .failed: return
                }
            }
        }

        static func answer(_ request: RTSPRequest) -> RTSPResponse {
            var response = RTSPResponse()
            switch request.method {
            case .setup:
                response.headers["Session"] = "7"
                response.headers["Transport"] =
                    "RTP/AVP/UDP;unicast;mode=record;server_port=5001;control_port=5002; timing_port=5003"
            case .record: response.headers["Audio-Latency"] = "11025"
            default: break
            }
            return response
        }
    }

    @Test("the steps of a successful handshake have the order of iTunes")
    func order() throws {
        var run = Run()
        run.run()
        let url = "rtsp://10.0.0.1/77"
        #expect(
            run.trace == [
                "connect 10.0.0.2:7000", "bind", "OPTIONS *", "describe", "format", "ANNOUNCE \(url)",
                "SETUP \(url)", "RECORD \(url)",
            ])
        let opened = try #require(run.opened)
        #expect(opened.session == "7" && opened.latency == 11_025 && opened.data.port == 5001)
        #expect(opened.stream.control?.port == 5002 && opened.stream.traits.clock == .ntp)
        #expect(run.failure == nil)
    }

    @Test("the requests name stream, ports, and the number and time of the first packet")
    func requests() throws {
        var run = Run()
        run.run()
        let announce = String(decoding: run.requests[1].body, as: UTF8.self)
        #expect(
            announce.contains("o=iTunes 77 0 IN IP4 10.0.0.1\r\n")
                && announce.contains("c=IN IP4 10.0.0.2\r\n"))
        #expect(announce.contains("a=fmtp:96 352 0 16 40 10 14 2 255 0 0 44100\r\n"))
        #expect(!announce.contains("aes"))
        let header = try #require(run.requests[2].headers["Transport"])
        let transport = try #require(RealtimeTransport(headerValue: header))
        #expect(transport.controlPort == 6001 && transport.timingPort == 6002)
        #expect(run.requests[3].headers["RTP-Info"] == "seq=5;rtptime=9")
        #expect(run.requests[3].headers["Session"] == "7")
    }

    @Test("a speaker that wants auth-setup gets it first, and may answer anything")
    func authSetup() throws {
        var run = Run(encryptionTypes: "0,4")
        run.run(toRequest: 1)
        #expect(run.trace.last == "POST /auth-setup" && run.requests[0].body.count == 33)
        run.give(.answered(RTSPResponse(.notFound)))
        run.run()
        #expect(run.opened != nil)
    }

    @Test("a key and PCM are announced as the speaker wants them")
    func encryptedPCM() throws {
        let key = try AirPlay1Key(iv: [UInt8](repeating: 0xFB, count: 16))
        var run = Run(encryptionTypes: "1", codecs: "0", key: key)
        run.run()
        let announced = try StreamAnnouncement(body: run.requests[1].body)
        #expect(announced.coding == .pcm(sampleRate: 44_100, channelCount: 2))
        #expect(announced.key == key.announced && announced.isEncrypted)
        #expect(run.opened?.stream.traits.format == .pcm44100x16)
        let text = String(decoding: run.requests[1].body, as: UTF8.self)
        #expect(text.contains("a=aesiv:+/v7+/v7+/v7+/v7+/v7+w\r\n") && !text.contains("fmtp"))
    }

    private static let refusals: [(RTSPStatus, password: String?, SpeakerFailure.Code)] = [
        (.unauthorized, nil, .passwordNeeded),
        (.notEnoughBandwidth, nil, .busy), (.forbidden, nil, .forbidden),
        (.internalServerError, nil, .refused),
    ]

    @Test("a refusal of any request ends the handshake with its cause", arguments: 1...4, refusals.indices)
    func refused(request: Int, index: Int) {
        let (status, password, code) = Self.refusals[index]
        var run = Run(password: password)
        run.run(toRequest: request)
        run.give(.answered(RTSPResponse(status)))
        #expect(run.failure?.code == code && run.opened == nil)
    }

    @Test(
        "a password is proven where it is asked for, by the same request again; a wrong one is said so",
        arguments: 1...4)
    func password(request: Int) {
        var challenge = RTSPResponse(.unauthorized)
        challenge.headers["WWW-Authenticate"] = #"Digest realm="raop", nonce="0123456789abcdef""#
        var run = Run(password: "x")
        run.run(toRequest: request)
        let asked = run.requests.last
        run.give(.answered(challenge))
        #expect(run.trace.suffix(2).first == "authorize" && run.requests.last == asked)
        var wrong = run
        wrong.give(.answered(challenge))
        #expect(wrong.failure?.code == .passwordWrong)
        run.run()
        #expect(run.opened != nil && run.trace.count { $0 == "authorize" } == 1)
        var without = Run()
        without.run(toRequest: request)
        without.give(.answered(challenge))
        #expect(without.failure?.code == .passwordNeeded)
    }

    @Test("a lost connection ends the handshake with its cause", arguments: 1...4)
    func lost(request: Int) {
        var run = Run()
        run.run(toRequest: request)
        run.give(.unanswered(SpeakerFailure(.silent, "no answer in time")))
        #expect(run.failure?.code == .silent)
    }

    @Test("an answer to SETUP without a port of sound is refused")
    func noPort() {
        var run = Run()
        run.run(toRequest: 3)
        run.give(.answered(RTSPResponse()))
        #expect(run.failure?.code == .refused)
    }

    @Test("inputs that the phase does not expect change nothing", arguments: 0...4)
    func outOfOrder(request: Int) {
        var run = Run()
        run.run(toRequest: request)
        let trace = run.trace
        let isSending = if case .send = run.waiting { true } else { false }
        run.handshake.receive(.format(.alac44100x16))
        if isSending { run.handshake.receive(.portsBound(BoundPorts())) }
        #expect(run.handshake.nextOutput() == nil && run.trace == trace)
        run.run()
        #expect(run.opened != nil)
        run.handshake.receive(.cancelled)
        #expect(run.handshake.nextOutput() == nil)
    }

    // MARK: Apple TVs before HomeKit

    /// The record of one that shows a PIN.
    private static let oldAppleTV = AirPlayTXTRecord([
        (key: "features", value: "0x5A7FFFF7,0x1E"), (key: "flags", value: "0x244"),
        (key: "deviceid", value: "02:00:00:00:00:01"), (key: "model", value: "AppleTV3,2"),
    ])

    private static var credentials: SpeakerAccess.Credentials {
        get throws {
            let speaker = try #require(
                PairedSpeaker(id: "02:00:00:00:00:01", name: "Kitchen", accessory: nil))
            return SpeakerAccess.Credentials(identity: AccessSpeaker.controller, speaker: speaker)
        }
    }

    @Test("an Apple TV before HomeKit that shows a PIN is not asked for anything without a pairing")
    func notPaired() {
        var run = Run(record: Self.oldAppleTV)
        run.run()
        #expect(run.failure?.code == .pinNeeded && run.requests.isEmpty)
    }

    @Test("a paired sender proves itself before the session")
    func verified() throws {
        var accessory = try FruitAccessory(pin: "4711")
        accessory.controllers["x"] = AccessSpeaker.controller.key.verifyingKey
        var run = Run(record: Self.oldAppleTV, credentials: try Self.credentials)
        for count in 1...2 {
            run.run(toRequest: count)
            let request = try #require(run.requests.last)
            #expect(request.path == "/pair-verify")
            run.give(.answered(RTSPResponse(contentType: "x", body: try accessory.receive(request.body))))
        }
        #expect(accessory.isVerified)
        run.run()
        #expect(run.opened != nil)
        #expect(run.trace.filter { $0.hasPrefix("ANNOUNCE") }.count == 1)
    }

    @Test("a refused proof asks for a new pairing", arguments: [1, 2])
    func refusedProof(at count: Int) throws {
        var accessory = try FruitAccessory(pin: "4711")
        accessory.controllers["x"] = AccessSpeaker.controller.key.verifyingKey
        var run = Run(record: Self.oldAppleTV, credentials: try Self.credentials)
        run.run(toRequest: 1)
        if count == 2 {
            let body = try accessory.receive(try #require(run.requests.last).body)
            run.give(.answered(RTSPResponse(contentType: "x", body: body)))
        }
        run.give(.answered(RTSPResponse(.connectionAuthorizationRequired)))
        #expect(run.failure?.code == .pinNeeded)
        #expect(run.failure?.message.contains("pair again") == true)
    }

    @Test("a refused ANNOUNCE is explained by a list of requests that does not name it")
    func lacksAnnounce() {
        for (known, code) in [
            ("SETUP, RECORD, FLUSH", SpeakerFailure.Code.unsupported), ("ANNOUNCE, SETUP", .refused),
            (nil as String?, .refused),
        ] {
            var run = Run()
            run.run(toRequest: 1)
            var answer = RTSPResponse()
            answer.headers["Public"] = known
            run.give(.answered(answer))
            run.run(toRequest: 2)
            run.give(.answered(RTSPResponse(.methodNotValidInThisState)))
            #expect(run.failure?.code == code)
            #expect(run.failure?.message.contains("restart it") == (code == .refused))
        }
        // A list that is not complete changes nothing where the request is taken.
        var run = Run()
        run.run(toRequest: 1)
        var answer = RTSPResponse()
        answer.headers["Public"] = "SETUP"
        run.give(.answered(answer))
        run.run()
        #expect(run.opened != nil)
    }

    @Test("a stream of AirPlay 2 is refused to a speaker whose records name AirPlay 1 only")
    func fixedStream() {
        var target = SpeakerTarget(name: "Old", addresses: [])
        target.raop = RAOPTXTRecord([(key: "am", value: "ShairportSync"), (key: "cn", value: "0,1")])
        #expect(HandshakeRefusals(target).fixedStream == nil)
        for stream in [SessionChoice.Stream.buffered, .realtime, .airPlay1] {
            target.override.stream = stream
            #expect((HandshakeRefusals(target).fixedStream == nil) == (stream == .airPlay1))
        }
        // Its AirPlay 2 record may not have come yet; and a speaker without records may be anything.
        target.override.stream = .buffered
        target.raop = RAOPTXTRecord([(key: "ft", value: "0x405FCA00,0x18340")])
        #expect(HandshakeRefusals(target).fixedStream == nil)
        target.raop = nil
        #expect(HandshakeRefusals(target).fixedStream == nil)
    }
}
