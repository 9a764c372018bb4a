import AirPlayMessages
import HomeKitPairing
import Testing
import TuttiCryptography
import TuttiMediaTime
import TuttiSystemIO
import TuttiTestSupport

@testable import AirPlayReceiver
@testable import AirPlaySender

@Suite(
    "Our sender pairs with a speaker that shows a PIN, and plays to it", .timeLimit(.minutes(10)),
    .tags(.machine))
struct PairedSenderTests {
    /// A speaker that shows a PIN, and the pairings of a sender.
    private struct Home {
        let controllers = PairedControllers([], file: nil) { _ in }
        let pairings = SpeakerPairings()
        let stage: SpeakerStage
        let target: SpeakerTarget

        init(password: String? = nil) throws {
            let identity = PairingIdentity(
                identifier: "0d1c5b6a-0000-4000-8000-000000000001", key: try Ed25519SigningKey())
            let context = PairingContext(
                identity: identity, controllers: controllers, password: password,
                offersPIN: password == nil)
            stage = try SpeakerStage(password: password, pin: password == nil ? context : nil)
            target = SpeakerTarget(name: "Stage", addresses: [stage.address])
        }

        /// Reads the PIN from the speaker's display.
        func shownPIN() async -> String? {
            try? await stage.events.wait(for: "a PIN") { events in
                events.compactMap { if case .pin(let pin) = $0 { pin } else { nil } }.last
            }
        }

        @discardableResult
        func pair(pin: String? = nil) async throws -> PairedSpeaker {
            try await pairings.pair(with: target, senderName: "Phone") {
                let shown = await shownPIN()
                return pin ?? shown
            }
        }

        func makeGroup() -> SpeakerGroup {
            let clock = StageSenderClock()
            var identity = SenderIdentity(name: "Phone", clock: clock.identity)
            identity.usePairings(pairings)
            let group = SpeakerGroup(
                targets: [target], store: AirPlaySender.PacketStore(), identity: identity, clock: clock,
                machine: SystemMachine())
            group.setFormat(.alac44100x16)
            return group
        }

        /// Waits until the speaker plays, or is lost; returns the failure.
        func result(of group: SpeakerGroup) async -> SpeakerFailure? {
            for await event in group.events {
                switch event {
                case .state(_, .lost(let failure)): return failure
                case .opened: return nil
                default: break
                }
            }
            return nil
        }
    }

    @Test("pair, play, unpair: the pairing decides whether the speaker lets the sender in")
    func wholeLife() async throws {
        let home = try Home()
        let stranger = home.makeGroup()
        #expect(await home.result(of: stranger)?.code == .pinNeeded)
        await stranger.close()

        let speaker = try await home.pair()
        #expect(speaker.id == StageIdentity().deviceID && speaker.name == "Stage")
        #expect(home.controllers.all.count == 1 && home.pairings.all == [speaker])
        // The second connection is verified as the first one.
        for _ in 0..<2 {
            let group = home.makeGroup()
            #expect(await home.result(of: group) == nil)
            await group.close()
        }
        let left = try await home.pairings.unpair(speaker, at: home.target, senderName: "Phone")
        #expect(left == nil)
        #expect(home.controllers.all.isEmpty && home.pairings.all.isEmpty)
        let again = home.makeGroup()
        #expect(await home.result(of: again)?.code == .pinNeeded)
        await again.close()
    }

    @Test("a wrong PIN pairs with nobody, and the next PIN does")
    func wrongPIN() async throws {
        let home = try Home()
        do {
            try await home.pair(pin: "0000")
            Issue.record("a wrong PIN was taken")
        } catch {
            #expect((error as? SpeakerFailure)?.code == .pinWrong)
        }
        #expect(home.controllers.all.isEmpty && home.pairings.all.isEmpty)
        try await home.pair()
        #expect(home.controllers.all.count == 1 && home.pairings.all.count == 1)
    }

    @Test("a sender that the speaker has removed forgets the speaker, and says what to do")
    func removedThere() async throws {
        let home = try Home()
        try await home.pair()
        for controller in home.controllers.all { home.controllers.remove(controller.identifier) }
        let group = home.makeGroup()
        let failure = await home.result(of: group)
        #expect(failure?.code == .pinNeeded)
        #expect(failure?.message == "Stage no longer knows this sender: pair again with tutti pair \"Stage\"")
        #expect(home.pairings.all.isEmpty)
        await group.close()
    }

    @Test("pairing again replaces the pairing on both sides")
    func again() async throws {
        let home = try Home()
        let first = try await home.pair()
        let second = try await home.pair()
        #expect(first == second && home.controllers.all.count == 1 && home.pairings.all == [second])
    }
}
