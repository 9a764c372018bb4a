import AirPlayMessages
import HomeKitPairing
import Testing
import TuttiCryptography
import TuttiMediaTime
import TuttiRTSP
import TuttiSystemIO

@testable import AirPlayReceiver

@Suite("The kind of a conversation")
struct SenderConversationTests {
    struct Run {
        var conversation: SenderConversation
        var opened: [ReceiverSession.Output] = []
        var refusals: [ReceiverSession.Refusal] = []

        init(_ pairing: any PairingService = TransientPairing(), wantsPIN: Bool = false) {
            conversation = SenderConversation(pairing: pairing, wantsPIN: wantsPIN)
        }

        mutating func ask(_ request: RTSPRequest) -> [RTSPResponse] {
            let context = ReceiverSession.Context(now: HostTime(nanoseconds: 0), volume: .full) {
                ReceiverInfo(fields: ["name": "Stage"])
            }
            conversation.receive(request, in: context)
            var answers: [RTSPResponse] = []
            while let output = conversation.nextOutput() {
                switch output {
                case .answer(let response), .answerThenEncrypt(let response, _): answers.append(response)
                case .openSession:
                    opened.append(output)
                    conversation.sessionOpened(
                        eventPort: 1, timingPort: 2, TimingPeerInfo(id: "x", addresses: []))
                case .openStream:
                    opened.append(output)
                    conversation.streamOpened(StreamPorts(data: 3, control: 4))
                case .turnedAway(let refusal): refusals.append(refusal)
                default: break
                }
            }
            return answers
        }

        mutating func status(of request: RTSPRequest) -> Int? { ask(request).first?.status.rawValue }
    }

    static let secret = [UInt8](repeating: 7, count: 64)

    static func options(_ header: String?) -> RTSPRequest {
        var request = RTSPRequest(.options, "*")
        if let header { request.headers[header] = "QUJD" }
        return request
    }

    @Test("a stranger's announcement makes it AirPlay 1; until then its requests may be of either kind")
    func kinds() {
        var run = Run()
        #expect(run.status(of: RTSPRequest(.get, "/info")) == 200)
        #expect(run.status(of: Self.options("Apple-Challenge")) == 200)
        #expect(run.status(of: RTSPRequest(.post, "/pair-verify")) == 200)
        #expect(run.status(of: RAOPRun.setUp()) == 403)
        #expect(run.status(of: RAOPRun.announce()) == 200)
        #expect(run.status(of: RAOPRun.setUp()) == 200)
        #expect(run.opened.count == 2 && run.conversation.session?.timing == .ntp(port: 7002))
        #expect(!run.conversation.isPaired && run.conversation.sharedSecret == nil)
        // An AirPlay 1 sender does not pair its way to something else.
        #expect(run.status(of: RTSPRequest(.post, "/pair-setup")) == 404)
        #expect(run.status(of: RTSPRequest(.setPeers, "x")) == 501)
    }

    @Test("a paired sender's announcement is not one of AirPlay 1")
    func paired() throws {
        var run = Run(PairsAtOnce(secret: try SharedSecret(Self.secret)))
        _ = run.ask(Self.options("Client-Instance"))
        #expect(run.status(of: RTSPRequest(.post, "/pair-setup")) == 200)
        #expect(run.conversation.isPaired)
        #expect(run.status(of: RAOPRun.announce()) == 501)
        #expect(run.status(of: Self.options("Client-Instance")) == 200)
        #expect(run.conversation.isPaired && run.opened.isEmpty)
    }

    @Test("pairing survives a request of the other kind between its messages")
    func pairingGoesOn() throws {
        var run = Run()
        var controller = PairSetupController()
        var body = controller.start()
        while !run.conversation.isPaired {
            _ = run.ask(Self.options("Client-Instance"))
            let answer = try #require(run.ask(RTSPRequest(.post, "/pair-setup", body: body)).first)
            if case .send(let next) = try controller.receive(answer.body) { body = next }
        }
    }

    @Test("a speaker with a password demands it by Digest, from OPTIONS on, and once per connection")
    func password() throws {
        let context = try Self.context(password: "open-sesame")
        // PipeWire repeats the proof of OPTIONS unchanged with all requests.
        var run = Run(context.makePairing(SocketAddress(.loopbackV4, port: 1)))
        let challenge = try #require(run.ask(Self.options("Client-Instance")).first)
        #expect(challenge.status == .unauthorized)
        let header = try #require(challenge.headers["WWW-Authenticate"])
        #expect(header.contains("realm=\"raop\""))
        let nonce = String(header.split(separator: "\"")[3])
        for proof in [Self.proof("open-sesame", nonce), "Digest " + Self.proof("open-sesame", nonce)] {
            var run = run
            var request = Self.options("Client-Instance")
            request.headers["Authorization"] = proof
            #expect(run.status(of: request) == 200)
            for var request in [RAOPRun.announce(), RAOPRun.setUp(), RTSPRequest(.record, "x")] {
                request.headers["Authorization"] = proof
                #expect(run.status(of: request) == 200)
            }
            #expect(run.refusals.isEmpty)
        }
        // Without it, and with a wrong one.
        #expect(run.status(of: RAOPRun.announce()) == 401)
        #expect(run.status(of: RTSPRequest(.get, "/info")) == 200)
        var wrong = RAOPRun.announce()
        wrong.headers["Authorization"] = Self.proof("close-sesame", nonce)
        #expect(run.status(of: wrong) == 401)
        #expect(run.refusals == [.wrongSecret] && run.opened.isEmpty)
        // An AirPlay 2 sender's list of methods needs no password.
        #expect(run.status(of: Self.options(nil)) == 200)
    }

    @Test("a speaker with a PIN refuses AirPlay 1 and says so")
    func pin() throws {
        let context = try Self.context(password: nil, offersPIN: true)
        var run = Run(context.makePairing(nil), wantsPIN: true)
        #expect(run.status(of: Self.options("Client-Instance")) == 200)
        #expect(run.status(of: RAOPRun.announce()) == 470)
        #expect(run.refusals == [.airPlay1(agent: nil, .needsPairing)])
    }

    private static func context(password: String?, offersPIN: Bool = false) throws -> PairingContext {
        let store = SpeakerStore(machine: SystemMachine(), inMemory: { _ in })
        return PairingContext(
            identity: store.identity.pairing, controllers: store.controllers, password: password,
            offersPIN: offersPIN)
    }

    /// The proof of `OPTIONS *`, with the user name of most senders.
    private static func proof(_ password: String, _ nonce: String) -> String {
        func hash(_ text: String) -> String { DigestChallenge.hexText(MD5.hash(Array(text.utf8)) ?? []) }
        let response = hash("\(hash("iTunes:raop:\(password)")):\(nonce):\(hash("OPTIONS:*"))")
        return
            "Digest username=\"iTunes\", realm=\"raop\", nonce=\"\(nonce)\", uri=\"*\", response=\"\(response)\""
    }
}
