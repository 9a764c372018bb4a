import AirPlayMessages
import HomeKitPairing
import Testing
import TuttiRTSP
import TuttiSystemIO

@testable import AirPlaySender

@Suite("Handshake of a buffered session with a speaker that admits only some senders")
struct HandshakeAccessTests {
    /// A configuration whose sender has paired with the speaker.
    private static func paired(password: String? = nil) throws -> (
        AirPlay2Handshake.Configuration, SpeakerPairings, PairedPeer
    ) {
        var configuration = HandshakeRun.configuration(password: password)
        let pairings = SpeakerPairings()
        let identity = try pairings.identity(createdBy: configuration.identity)
        let speaker = try #require(
            PairedSpeaker(
                id: "02:00:00:00:00:01", name: "Kitchen", accessory: HandshakeRun.accessory.publicHalf))
        try pairings.keep(speaker, createdBy: configuration.identity)
        configuration.identity.usePairings(pairings)
        return (configuration, pairings, identity.pairing.publicHalf)
    }

    @Test("a paired speaker is verified, and its session encrypted with that secret")
    func verified() throws {
        let (configuration, _, controller) = try Self.paired()
        var run = HandshakeRun(
            configuration, receiver: HandshakeRun.info(status: .pinRequired), controller: controller)
        try run.run()
        #expect(run.opened != nil && run.failure == nil)
        #expect(
            Array(run.trace[5..<9]) == [
                "POST /pair-verify", "POST /pair-verify", "encrypt", "SETUP rtsp://10.0.0.1/77",
            ])
    }

    @Test("a speaker that no longer knows the sender is forgotten, and says what to do")
    func forgotten() throws {
        let (configuration, pairings, _) = try Self.paired()
        var run = HandshakeRun(configuration, receiver: HandshakeRun.info(status: .pinRequired))
        try run.run()
        #expect(run.failure?.code == .pinNeeded && run.failure?.message.contains("tutti pair") == true)
        #expect(run.forgotten.map(\.id) == ["02:00:00:00:00:01"])
        // The value erases nothing itself.
        #expect(pairings.all.count == 1)
    }

    @Test(
        "silence and a lost connection erase nothing", arguments: [HandshakeRun.Wait.pairStart, .pairProof])
    func unanswered(wait: HandshakeRun.Wait) throws {
        for code in [SpeakerFailure.Code.silent, .lost] {
            let (configuration, _, controller) = try Self.paired()
            var run = HandshakeRun(
                configuration, receiver: HandshakeRun.info(status: .pinRequired), controller: controller)
            try run.run(to: wait)
            run.give(.unanswered(SpeakerFailure(code, "x")))
            #expect(run.failure?.code == code && run.forgotten.isEmpty)
        }
    }

    @Test("a wrong password is followed by the well-known secret on a new connection")
    func reconnects() throws {
        var run = HandshakeRun(HandshakeRun.configuration(password: "x"))
        try run.run()
        #expect(
            Array(run.trace[5..<10]) == [
                "POST /pair-setup", "POST /pair-setup", "reconnect", "POST /pair-setup", "POST /pair-setup",
            ])
        #expect(run.opened != nil)
    }

    @Test("a speaker that does not take the new connection is unreachable, and its clock peer removed")
    func notReconnected() throws {
        var run = HandshakeRun(HandshakeRun.configuration(password: "x"), accessoryPassword: "y")
        try run.run(to: .pairProof)
        guard case .send(let request, _)? = run.waiting?.output else {
            Issue.record("no request")
            return
        }
        run.give(.answered(run.answer(request)))
        run.give(.notConnected(SystemError(operation: "connect", code: 111)))
        #expect(run.failure?.code == .unreachable && run.trace.contains("remove 10.0.0.2"))
    }

    @Test("a 401 at the session SETUP is answered with the password, and the SETUP sent again")
    func digest() throws {
        var run = HandshakeRun(HandshakeRun.configuration(password: "x"))
        run.digestChallenge = "Digest realm=\"airplay\", nonce=\"1\""
        try run.run()
        #expect(run.opened != nil)
        let expected = DigestCredentials(challenge: run.digestChallenge ?? "", password: "x")
        #expect(run.digests == expected.map { [$0] })
        let setups = run.requests.filter { $0.method == .setup }
        #expect(setups.count == 3 && setups[0] == setups[1])
    }

    @Test("a 401 means that a password is needed, or that the given one is wrong")
    func unauthorized() throws {
        for password in [nil, "x"] {
            var run = HandshakeRun(HandshakeRun.configuration(password: password))
            try run.run(to: .session)
            let refusal = RTSPResponse(
                .unauthorized, headers: ["WWW-Authenticate": "Digest realm=\"airplay\", nonce=\"1\""])
            run.give(.answered(refusal))
            if password != nil { run.give(.answered(refusal)) }
            #expect(run.failure?.code == (password == nil ? .passwordNeeded : .passwordWrong))
        }
    }

    @Test("the identifiers that paired are those of the session")
    func identifiers() throws {
        let (configuration, pairings, _) = try Self.paired()
        var other = SenderIdentity(name: "Other", clock: .init(rawValue: 0x42))
        #expect(other.deviceID != configuration.identity.deviceID)
        other.usePairings(pairings)
        #expect(other.deviceID == configuration.identity.deviceID)
        #expect(other.dacpID == configuration.identity.dacpID)
    }
}
