import AirPlayMessages
import Testing
import TuttiMediaTime

@testable import AirPlayReceiver

@Suite("Rate limit of metadata events")
struct EventPaceTests {
    private func title(_ number: Int) -> SpeakerEvent {
        var metadata = DMAPMetadata()
        metadata.title = "Title \(number)"
        return .metadata(metadata, nil)
    }

    private func time(_ milliseconds: Int) -> HostTime {
        HostTime(nanoseconds: Int64(milliseconds) * 1_000_000)
    }

    @Test("a flood of titles is reported a few times a second, its last one included")
    func titles() {
        var pace = EventPace(at: time(0))
        var told: [SpeakerEvent] = []
        for millisecond in 0..<10_000 {
            if let event = pace.take(title(millisecond), at: time(millisecond)) { told.append(event) }
            if millisecond % 1000 == 999 { told += pace.due(at: time(millisecond)) }
        }
        #expect((40...60).contains(told.count))
        told += pace.due(at: time(12_000))
        #expect(told.last == title(9_999))
        let rest = pace.due(at: time(13_000))
        #expect(rest.isEmpty)
    }

    @Test("kinds do not delay one another; sessions, PINs and warnings always pass")
    func kinds() {
        var pace = EventPace(at: time(0))
        for number in 0..<100 { _ = pace.take(title(number), at: time(0)) }
        let playing = pace.take(.playing(true), at: time(0))
        #expect(playing == .playing(true))
        for _ in 0..<100 {
            let pin = pace.take(.pin("1234"), at: time(0))
            let warning = pace.take(.warning(code: "x", message: "y"), at: time(0))
            #expect(pin == .pin("1234") && warning != nil)
        }
    }

    @Test("pending events end with their session")
    func ended() {
        var pace = EventPace(at: time(0))
        for number in 0..<100 { _ = pace.take(title(number), at: time(0)) }
        pace.forgetWhatWaits()
        let rest = pace.due(at: time(5000))
        #expect(rest.isEmpty)
    }
}
