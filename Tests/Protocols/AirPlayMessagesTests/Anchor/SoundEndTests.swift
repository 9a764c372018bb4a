import Testing
import TuttiMediaTime

@testable import AirPlayMessages

@Suite("Answer to a pause")
struct SoundEndTests {
    @Test("the end of the sound round-trips as a decimal RTP time; anything else is ignored")
    func value() {
        for time in [UInt32(0), 7, .max].map(RTPTime.init(rawValue:)) {
            #expect(SoundEnd.time(headerValue: SoundEnd.headerValue(time)) == time)
        }
        for text in ["", "-1", "x", "1.5", "4294967296"] {
            #expect(SoundEnd.time(headerValue: text) == nil)
        }
    }
}
