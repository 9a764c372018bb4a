import AirPlaySender
import Playback
import Testing

@testable import TuttiPlayCommand

@Suite("Speakers during a play")
struct PlayMonitorTests {
    private static let busy = SpeakerFailure(.busy, "another sender has taken Kitchen")

    private static func opened(_ speaker: NamedSpeaker) -> SpeakerGroupEvent {
        .opened(speaker: speaker, address: "192.0.2.1:7000", receiver: ReceiverDescription(), bufferBytes: 0)
    }

    /// Returns the warnings and errors of a play on these speakers.
    private func lines(_ speakers: [NamedSpeaker], _ events: [SpeakerGroupEvent]) async -> [String] {
        let report = RecordedReport()
        let monitor = PlayMonitor(speakers: speakers, report: report, onAllFailed: {})
        let (stream, continuation) = AsyncStream<RouteCatalogue.Event>.makeStream()
        for event in events { continuation.yield(.speaker(event)) }
        continuation.finish()
        await monitor.follow(stream)
        return report.lines.value
    }

    @Test("the loss of a speaker to another sender says how to take it back")
    func taken() async {
        let lost = SpeakerGroupEvent.state(speaker: "Kitchen", .lost(Self.busy))
        let alone = await lines(["Kitchen"], [Self.opened("Kitchen"), lost])
        #expect(alone == ["error busy: another sender has taken Kitchen; resume takes it back"])
        let other = await lines(["Kitchen", "Bath"], [Self.opened("Kitchen"), lost])
        #expect(other == ["error busy: another sender has taken Kitchen; pause and resume take it back"])
        let never = await lines(["Kitchen"], [lost])
        #expect(never == ["error busy: another sender has taken Kitchen"])
    }

    @Test("the loss of one of two speakers of one name leaves the other playing")
    func twins() async {
        let twins = ["1", "2"].map { NamedSpeaker(id: $0, name: "Kitchen") }
        let events = twins.map(Self.opened) + [.state(speaker: twins[1], .lost(Self.busy))]
        #expect(
            await lines(twins, events) == [
                "error busy: another sender has taken Kitchen; pause and resume take it back"
            ])
    }
}
