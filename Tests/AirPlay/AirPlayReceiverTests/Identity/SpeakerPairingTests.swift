import HomeKitPairing
import Testing
import TuttiCryptography
import TuttiMediaTime
import TuttiRTSP
import TuttiSystemIO

@testable import AirPlayReceiver

@Suite("Pairing with one speaker over all its connections")
struct SpeakerPairingTests {
    let identity = SpeakerIdentity(machine: SystemMachine())
    let controllers = PairedControllers([], file: nil) { _ in }
    let phone = SpeakerIdentity(machine: SystemMachine()).pairing
    let now = HostTime(nanoseconds: 1_000_000_000)

    private func context(password: String? = nil, offersPIN: Bool) -> PairingContext {
        PairingContext(
            identity: identity.pairing, controllers: controllers, password: password, offersPIN: offersPIN)
    }

    private func post(_ path: String, _ body: [UInt8] = []) -> RTSPRequest {
        RTSPRequest(.post, path, contentType: "application/octet-stream", body: body)
    }

    @Test("the PIN shown first is the valid one; afterwards the controller can verify")
    func pin() throws {
        let context = context(offersPIN: true)
        var display = context.makePairing()
        let pin = try #require(display.receive(post("/pair-pin-start"), at: now).pin)
        // Pairing may arrive on another connection, minutes later.
        let later = now.advanced(by: .seconds(120))
        var connection = context.makePairing()
        var controller = PairSetupPINController(pin: pin, identity: phone)
        var answer = connection.receive(post("/pair-setup", controller.start()), at: later)
        #expect(answer.pin == pin)
        var accessory: PairedPeer?
        while accessory == nil {
            switch try controller.receive(answer.response.body) {
            case .send(let body): answer = connection.receive(post("/pair-setup", body), at: later)
            case .introduced(let peer): accessory = peer
            }
        }
        #expect(answer.endsPIN && answer.secret == nil)
        #expect(controllers.all.map(\.identifier) == [phone.identifier])

        var verifier = PairVerifyController(identity: phone, accessory: try #require(accessory))
        var reply = connection.receive(post("/pair-verify", verifier.start()), at: later)
        guard case .send(let proof) = try verifier.receive(reply.response.body) else {
            Issue.record("no third message")
            return
        }
        #expect(
            connection.receive(post("/pair-list"), at: later).response.status
                == .connectionAuthorizationRequired)
        reply = connection.receive(post("/pair-verify", proof), at: later)
        let secret = try #require(reply.secret)
        #expect(try verifier.receive(reply.response.body) == .verified(secret))
        // A new attempt gets a new PIN.
        var next = context.makePairing()
        #expect(next.receive(post("/pair-pin-start"), at: later).pin != nil)
    }

    @Test("the shown PIN stays after a wrong one; after some the next one is shown at once")
    func wrongPIN() throws {
        let context = context(offersPIN: true)
        var display = context.makePairing()
        var pin = try #require(display.receive(post("/pair-pin-start"), at: now).pin)
        var time = now
        for guess in 1...PINDisplay.guessLimit {
            // Beyond the wait after the guess before.
            time = time.advanced(by: .seconds(20))
            var connection = context.makePairing()
            var controller = PairSetupPINController(pin: pin == "1111" ? "2222" : "1111", identity: phone)
            var answer = connection.receive(post("/pair-setup", controller.start()), at: time)
            #expect(answer.pin == pin)
            guard case .send(let proof) = try controller.receive(answer.response.body) else {
                Issue.record("no proof")
                return
            }
            answer = connection.receive(post("/pair-setup", proof), at: time)
            #expect(!answer.endsPIN && answer.secret == nil && answer.isWrongSecret)
            #expect((answer.pin != nil) == (guess == PINDisplay.guessLimit))
            pin = answer.pin ?? pin
            #expect(throws: PairingError.self) { _ = try controller.receive(answer.response.body) }
        }
        #expect(controllers.all.isEmpty)
        var connection = context.makePairing()
        var controller = PairSetupPINController(pin: pin, identity: phone)
        time = time.advanced(by: .seconds(60))
        var answer = connection.receive(post("/pair-setup", controller.start()), at: time)
        while case .send(let message) = try controller.receive(answer.response.body) {
            answer = connection.receive(post("/pair-setup", message), at: time)
        }
        #expect(answer.endsPIN && controllers.all.count == 1)
    }

    @Test(
        "a speaker with a PIN refuses transient pairing, other speakers accept it", arguments: [true, false])
    func transient(offersPIN: Bool) throws {
        let context = context(offersPIN: offersPIN)
        var connection = context.makePairing()
        var controller = PairSetupController()
        let answer = connection.receive(post("/pair-setup", controller.start()), at: now)
        if offersPIN {
            #expect(throws: PairingError.self) { _ = try controller.receive(answer.response.body) }
            return
        }
        guard case .send(let proof) = try controller.receive(answer.response.body) else {
            Issue.record("no proof")
            return
        }
        #expect(connection.receive(post("/pair-setup", proof), at: now).secret != nil)
        #expect(connection.receive(post("/pair-pin-start"), at: now).pin == nil)
    }

    // MARK: Passwords

    private let sender = SocketAddress(.loopbackV4, port: 50_000)

    /// Runs transient pairing to its end.
    private func pairTransiently(
        _ connection: inout any PairingService, _ password: String, at time: HostTime
    ) throws -> PairingAnswer {
        var controller = PairSetupController(password: password)
        let answer = connection.receive(post("/pair-setup", controller.start()), at: time)
        guard case .send(let proof) = try controller.receive(answer.response.body) else { return answer }
        return connection.receive(post("/pair-setup", proof), at: time)
    }

    private func setup(_ challenge: RTSPResponse?, _ password: String) throws -> RTSPRequest {
        var request = RTSPRequest(.setup, "rtsp://10.0.0.1/7")
        guard let header = challenge?.headers["WWW-Authenticate"] else { return request }
        let nonce = try #require(header.split(separator: "\"").dropFirst(3).first)
        func hash(_ text: String) throws -> String {
            DigestChallenge.hexText(try #require(MD5.hash(Array(text.utf8))))
        }
        let inner = (try hash("iTunes:airplay:\(password)"), try hash("SETUP:rtsp://10.0.0.1/7"))
        let proof = try hash("\(inner.0):\(nonce):\(inner.1)")
        request.headers["Authorization"] =
            "Digest username=\"iTunes\", realm=\"airplay\", nonce=\"\(nonce)\", uri=\"rtsp://10.0.0.1/7\", response=\"\(proof)\""
        return request
    }

    @Test("the password is the secret of transient pairing; a wrong one yields 470 with TLV error 2")
    func transientPassword() throws {
        let context = context(password: "open-sesame", offersPIN: false)
        var right = context.makePairing(sender)
        #expect(try pairTransiently(&right, "open-sesame", at: now).secret != nil)
        #expect(right.challenge(try setup(nil, ""), at: now) == nil)
        var wrong = context.makePairing(sender)
        let answer = try pairTransiently(&wrong, "close-sesame", at: now)
        #expect(answer.response.status == .connectionAuthorizationRequired)
        #expect(try TLV8(exactly: answer.response.body)[.error] == [2])
        #expect(answer.isWrongSecret && answer.secret == nil)
    }

    @Test("the password is the secret of persistent pairing; afterwards the controller can verify")
    func lastingPassword() throws {
        let context = context(password: "open-sesame", offersPIN: false)
        for password in ["close-sesame", "open-sesame"] {
            var connection = context.makePairing(sender)
            var controller = PairSetupPINController(pin: password, identity: phone)
            var answer = connection.receive(post("/pair-setup", controller.start()), at: now)
            var accessory: PairedPeer?
            while accessory == nil {
                guard let step = try? controller.receive(answer.response.body) else { break }
                switch step {
                case .send(let body): answer = connection.receive(post("/pair-setup", body), at: now)
                case .introduced(let peer): accessory = peer
                }
            }
            #expect(answer.pin == nil && answer.response.status == .ok)
            guard password == "open-sesame" else {
                #expect(try TLV8(exactly: answer.response.body)[.error] == [2])
                #expect(controllers.all.isEmpty)
                continue
            }
            var verifier = PairVerifyController(identity: phone, accessory: try #require(accessory))
            let reply = connection.receive(post("/pair-verify", verifier.start()), at: now)
            guard case .send(let proof) = try verifier.receive(reply.response.body) else {
                Issue.record("no third message")
                return
            }
            #expect(connection.challenge(try setup(nil, ""), at: now)?.response.status == .unauthorized)
            #expect(connection.receive(post("/pair-verify", proof), at: now).secret != nil)
            #expect(connection.challenge(try setup(nil, ""), at: now) == nil)
        }
    }

    @Test("a sender paired with the common secret proves the password by HTTP Digest")
    func digest() throws {
        let context = context(password: "open-sesame", offersPIN: false)
        var first = context.makePairing(sender)
        #expect(try pairTransiently(&first, PairSetup.transientPassword, at: now).secret == nil)
        var second = context.makePairing(sender)
        #expect(
            try pairTransiently(&second, PairSetup.transientPassword, at: now.advanced(by: .seconds(1)))
                .secret
                != nil)
        let challenge = try #require(second.challenge(try setup(nil, ""), at: now))
        #expect(challenge.response.status == .unauthorized)
        #expect(!challenge.isWrongSecret)
        let wrong = try setup(challenge.response, "close-sesame")
        #expect(second.challenge(wrong, at: now)?.isWrongSecret == true)
        #expect(second.challenge(try setup(challenge.response, "open-sesame"), at: now) == nil)
        #expect(second.challenge(RTSPRequest(.record, "rtsp://10.0.0.1/7"), at: now) == nil)
        // A person who types another password is distinguished from a program that tries another method.
        var third = context.makePairing(sender)
        _ = try pairTransiently(&third, "close-sesame", at: now)
        var fourth = context.makePairing(sender)
        #expect(try pairTransiently(&fourth, "open-sesame", at: now.advanced(by: .seconds(4))).secret != nil)
    }

    @Test("the right password directly after a wrong one is challenged again, and is not counted as a guess")
    func passwordAtOnce() throws {
        let context = context(password: "open-sesame", offersPIN: false)
        var first = context.makePairing(sender)
        _ = try pairTransiently(&first, "close-sesame", at: now)
        var second = context.makePairing(sender)
        let answer = try pairTransiently(&second, "open-sesame", at: now.advanced(by: .milliseconds(500)))
        let reply = try TLV8(exactly: answer.response.body)
        #expect(reply[.error] == [PairingErrorCode.backOff.rawValue] && reply[.retryDelay] == [1])
        #expect(!answer.isWrongSecret && answer.secret == nil)
        var third = context.makePairing(sender)
        #expect(
            try pairTransiently(&third, "open-sesame", at: now.advanced(by: .milliseconds(1500))).secret
                != nil)
    }

    @Test("HTTP Digest guesses back off, across all connections")
    func guesses() throws {
        let context = context(password: "open-sesame", offersPIN: false)
        for _ in 0...PairingAttempts.freeCount {
            var guesser = context.makePairing(sender)
            let challenge = guesser.challenge(try setup(nil, ""), at: now)
            _ = guesser.challenge(try setup(challenge?.response, "guess"), at: now)
        }
        var right = context.makePairing(sender)
        let challenge = try #require(right.challenge(try setup(nil, ""), at: now))
        let proof = try setup(challenge.response, "open-sesame")
        #expect(right.challenge(proof, at: now)?.response.status == .unauthorized)
        #expect(right.challenge(proof, at: now.advanced(by: .seconds(2))) == nil)
    }

    @Test("the standard's example digest is accepted in either case; others are refused")
    func digestExample() {
        let challenge = DigestChallenge(
            password: Array("CircleOfLife".utf8), realm: "testrealm@host.com",
            nonce: "dcd98b7102dd2f0e8b11d0f600bfb0c093")
        var request = RTSPRequest(.get, "/dir/index.html")
        #expect(challenge.check(request) == .missing)
        let head =
            "Digest username=\"Mufasa\", realm=\"testrealm@host.com\", nonce=\"dcd98b7102dd2f0e8b11d0f600bfb0c093\", uri=\"/dir/index.html\", response="
        for (response, verdict) in [
            ("\"1949323746fe6a43ef61f9606e7febea\"", DigestChallenge.Verdict.right),
            ("1949323746FE6A43EF61F9606E7FEBEA", .right), ("\"1949\"", .wrong), ("\"\"", .wrong),
            ("\"", .wrong),
        ] {
            request.headers["Authorization"] = head + response
            #expect(challenge.check(request) == verdict, "\(response)")
        }
        for header in [
            "Basic QQ==", "Digest", "Digest =", "Digest username=\"", String(repeating: "=", count: 4000),
        ] {
            request.headers["Authorization"] = header
            #expect(challenge.check(request) == .missing)
        }
        #expect(!"\(challenge)".contains("Circle"))
    }

    @Test("a stranger's garbage does not invalidate the shown PIN")
    func rubbish() throws {
        let context = context(offersPIN: true)
        var display = context.makePairing(SocketAddress(IPAddress(192, 0, 2, 1), port: 1))
        let pin = try #require(display.receive(post("/pair-pin-start"), at: now).pin)
        let bodies: [[UInt8]] = [
            [], [6], [6, 1, 3], [6, 1, 7], [6, 1, 1, 0, 1, 9], [6, 1, 1, 0, 1, 0, 19, 1, 0x10], [6, 1, 5],
        ]
        for body in bodies {
            var stranger = context.makePairing(SocketAddress(IPAddress(192, 0, 2, 66), port: 1))
            let answer = stranger.receive(post("/pair-setup", body), at: now)
            #expect(!answer.endsPIN)
        }
        var controller = PairSetupPINController(pin: pin, identity: phone)
        let answer = display.receive(post("/pair-setup", controller.start()), at: now)
        guard case .send(let proof) = try controller.receive(answer.response.body) else {
            Issue.record("no proof")
            return
        }
        let last = display.receive(post("/pair-setup", proof), at: now)
        #expect(throws: Never.self) { _ = try controller.receive(last.response.body) }
    }
}
