import Foundation
import Testing
import TuttiMediaTime

@testable import AVFoundation
@testable import Playback
@testable import TuttiWeb

@Suite("Fields of an item's access log")
struct LogFieldsTests {
    private func record(_ bytes: Int64, _ seconds: Double) -> TransferRecord {
        var record = TransferRecord(
            number: 0, address: "http://192.0.2.1/a.mp3", cause: .opening, offset: 0,
            began: HostTime(nanoseconds: 0))
        (record.byteCount, record.duration) = (bytes, .seconds(seconds))
        return record
    }

    @Test("rates are those of the requests that have received something")
    func rates() {
        let records = [record(1000, 1), record(3000, 1), record(0, 1), record(500, 0)]
        let event = AVPlayerItemAccessLogEvent(records, ItemState(), isLast: true)
        #expect(event.observedMinBitrate == 8000 && event.observedMaxBitrate == 24_000)
        #expect(event.observedBitrateStandardDeviation == 8000)
        #expect(event.averageAudioBitrate == event.indicatedBitrate)
    }

    @Test("unknown values are negative, or none")
    func unknown() {
        let event = AVPlayerItemAccessLogEvent([record(0, 0)], ItemState(), isLast: true)
        #expect(event.observedMinBitrate == -1 && event.observedMaxBitrate == -1)
        #expect(event.observedBitrateStandardDeviation == -1 && event.switchBitrate == -1)
        #expect(event.averageVideoBitrate == -1 && event.numberOfDroppedVideoFrames == -1)
        #expect(event.playbackStartOffset == -1 && event.playbackSessionID == nil)
    }
}
