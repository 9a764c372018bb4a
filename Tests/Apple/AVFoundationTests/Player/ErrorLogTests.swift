import Foundation
import Testing
import TuttiMediaTime

@testable import AVFoundation
@testable import Playback
@testable import TuttiWeb

@Suite("Logs of an item's transfers")
struct ErrorLogTests {
    private func record(_ number: Int, server: String? = nil) -> TransferRecord {
        var record = TransferRecord(
            number: number, address: "http://192.0.2.1/a b.mp3", cause: .opening, offset: 0,
            began: HostTime(nanoseconds: 0))
        record.serverAddress = server
        return record
    }

    @Test("a request that was answered has the status of the answer, another one the domain of addresses")
    func errors() {
        var refused = record(0, server: "192.0.2.1:80")
        (refused.status, refused.failure) = (404, "not found")
        let answered = AVPlayerItemErrorLogEvent(refused)
        #expect(answered.errorStatusCode == 404 && answered.errorDomain == "HTTP")
        #expect(answered.errorComment == "not found" && answered.serverAddress == "192.0.2.1:80")
        #expect(answered.uri == "http://192.0.2.1/a b.mp3" && answered.playbackSessionID == nil)
        var lost = record(1)
        lost.failure = "no route"
        let unanswered = AVPlayerItemErrorLogEvent(lost)
        #expect(unanswered.errorStatusCode == 0 && unanswered.errorDomain == NSURLErrorDomain)
        #expect(unanswered.serverAddress == nil && unanswered.date.map { $0 < Date() } == true)
    }

    @Test("an event sums its requests, and only the last one counts the seconds that were played")
    func sums() {
        var (first, second) = (record(0, server: "a"), record(1, server: "a"))
        (first.byteCount, first.duration) = (1000, .milliseconds(500))
        (second.byteCount, second.duration) = (3000, .milliseconds(1500))
        second.address = "http://192.0.2.1/later.mp3"
        var state = ItemState()
        state.stallCount = 3
        let event = AVPlayerItemAccessLogEvent([first, second], state, isLast: false)
        #expect(event.numberOfBytesTransferred == 4000 && event.transferDuration == 2)
        #expect(event.observedBitrate == 16_000 && event.numberOfMediaRequests == 2)
        #expect(event.uri == "http://192.0.2.1/later.mp3" && event.serverAddress == "a")
        #expect(event.numberOfStalls == 3 && event.durationWatched == 0 && event.playbackType == "FILE")
        #expect(event.startupTime == -1 && event.indicatedBitrate == -1)
    }

    @Test("an item without transfers has no logs")
    func none() {
        #expect(AVPlayerItemAccessLog(ItemState()) == nil && AVPlayerItemErrorLog(ItemState()) == nil)
    }
}
