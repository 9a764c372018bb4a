import AirPlaySender
import Testing
import TuttiMediaTime

@testable import Playback

@Suite("The verdict on all speakers of a group")
struct SpeakerWatchTests {
    private static let busy = SpeakerFailure(.busy, "another sender has taken Kitchen")
    private static let lost = SpeakerFailure(.lost, "Kitchen ended the connection")
    private static let wrong = SpeakerFailure(.passwordWrong, "the password of Bath is wrong")

    private static func time(_ seconds: Int64) -> HostTime {
        HostTime(nanoseconds: seconds * 1_000_000_000)
    }

    private static func opened(_ speaker: NamedSpeaker) -> SpeakerGroupEvent {
        .opened(speaker: speaker, address: "192.0.2.1:7000", receiver: ReceiverDescription(), bufferBytes: 0)
    }

    /// Takes events, a second after each other; returns the last verdict.
    private func verdict(_ keys: [String], _ events: [SpeakerGroupEvent]) -> SpeakerWatch.Verdict? {
        var watch = SpeakerWatch(keys: keys)
        var last: SpeakerWatch.Verdict?
        for (second, event) in events.enumerated() { last = watch.take(event, at: Self.time(Int64(second))) }
        return last
    }

    @Test("a speaker that another sender took is silent since its session ended")
    func taken() {
        let events: [SpeakerGroupEvent] = [
            Self.opened("Kitchen"), .state(speaker: "Kitchen", .playing),
            .state(speaker: "Kitchen", .lost(Self.lost)), .state(speaker: "Kitchen", .connecting),
            .state(speaker: "Kitchen", .lost(Self.busy)),
        ]
        #expect(verdict(["Kitchen"], events) == .taken(since: Self.time(2)))
        #expect(verdict(["Kitchen"], Array(events.dropLast())) == nil)
    }

    @Test("a speaker that was busy from the beginning is asked again, and playback goes on")
    func busyAtFirst() {
        #expect(verdict(["Kitchen"], [.state(speaker: "Kitchen", .lost(Self.busy))]) == nil)
    }

    @Test("while another speaker may play, a taken one changes nothing")
    func other() {
        let taken: [SpeakerGroupEvent] = [
            Self.opened("Bath"), Self.opened("Kitchen"), .state(speaker: "Kitchen", .lost(Self.busy)),
        ]
        #expect(verdict(["Kitchen", "Bath"], taken) == nil)
        let alone = taken + [.state(speaker: "Bath", .closed)]
        #expect(verdict(["Kitchen", "Bath"], alone) == .taken(since: Self.time(2)))
        let wrong = taken + [.state(speaker: "Bath", .lost(Self.wrong))]
        #expect(verdict(["Kitchen", "Bath"], wrong) == .taken(since: Self.time(2)))
    }

    @Test("speakers that are all lost for good leave no hope")
    func hopeless() {
        let failed = SpeakerGroupEvent.state(speaker: "Bath", .lost(Self.wrong))
        #expect(verdict(["Bath"], [failed]) == .hopeless)
        #expect(verdict(["Bath", "Kitchen"], [failed]) == nil)
        #expect(verdict(["Bath"], [.state(speaker: "Bath", .closed)]) == nil)
    }

    @Test("a speaker that was taken back is silent from the end of its next session on")
    func again() {
        let events: [SpeakerGroupEvent] = [
            Self.opened("Kitchen"), .state(speaker: "Kitchen", .lost(Self.busy)),
            .state(speaker: "Kitchen", .connecting), Self.opened("Kitchen"),
            .state(speaker: "Kitchen", .lost(Self.busy)),
        ]
        #expect(verdict(["Kitchen"], events) == .taken(since: Self.time(4)))
    }

    @Test("two speakers of one name count one by one")
    func twins() {
        let failed = ["1", "2"].map { id in
            SpeakerGroupEvent.state(speaker: NamedSpeaker(id: id, name: "Bath"), .lost(Self.wrong))
        }
        #expect(verdict(["1", "2"], [failed[0], failed[0]]) == nil)
        #expect(verdict(["1", "2"], failed) == .hopeless)
    }
}
