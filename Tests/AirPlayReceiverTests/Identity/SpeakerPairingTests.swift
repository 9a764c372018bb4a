import HomeKitPairing
import MediaTime
import RTSP
import Testing

@testable import AirPlayReceiver

@Suite("pairing at one speaker, over all its connections")
struct SpeakerPairingTests {
    let identity = SpeakerIdentity()
    let controllers = PairedControllers([], file: nil) { _ in }
    let phone = SpeakerIdentity().pairing
    let now = HostTime(nanoseconds: 1_000_000_000)

    private func desk(password: String? = nil, offersPIN: Bool) -> PairingDesk {
        PairingDesk(
            identity: identity.pairing, controllers: controllers, password: password, offersPIN: offersPIN)
    }

    private func post(_ path: String, _ body: [UInt8] = []) -> RTSPRequest {
        RTSPRequest(.post, path, contentType: "application/octet-stream", body: body)
    }

    @Test("the PIN that is shown first is the one that counts; then the controller is verified")
    func pin() throws {
        let desk = desk(offersPIN: true)
        var display = desk.makePairing()
        let pin = try #require(display.receive(post("/pair-pin-start"), at: now).pin)
        // Pairing may come on another connection, minutes later.
        let later = now.advanced(by: .seconds(120))
        var connection = desk.makePairing()
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
        var next = desk.makePairing()
        #expect(next.receive(post("/pair-pin-start"), at: later).pin != nil)
    }

    @Test("a wrong PIN is refused and counts no more")
    func wrongPIN() throws {
        let desk = desk(offersPIN: true)
        var connection = desk.makePairing()
        let pin = try #require(connection.receive(post("/pair-pin-start"), at: now).pin)
        var controller = PairSetupPINController(pin: pin == "1111" ? "2222" : "1111", identity: phone)
        var answer = connection.receive(post("/pair-setup", controller.start()), at: now)
        guard case .send(let proof) = try controller.receive(answer.response.body) else {
            Issue.record("no proof")
            return
        }
        answer = connection.receive(post("/pair-setup", proof), at: now)
        #expect(answer.endsPIN && answer.secret == nil)
        #expect(throws: PairingError.self) { _ = try controller.receive(answer.response.body) }
        #expect(controllers.all.isEmpty)
    }

    @Test("a speaker with a PIN takes no transient pairing, others do", arguments: [true, false])
    func transient(offersPIN: Bool) throws {
        let desk = desk(offersPIN: offersPIN)
        var connection = desk.makePairing()
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
}
