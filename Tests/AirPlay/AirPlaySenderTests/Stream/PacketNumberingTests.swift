import Testing
import TuttiMediaTime
import TuttiRTP

@testable import AirPlaySender

@Suite("Sequence numbers and RTP times of one speaker's packets")
struct PacketNumberingTests {
    private static func numbering() -> PacketNumbering {
        PacketNumbering(
            firstSequence: SequenceNumber(truncating: 0x7F_FFFF), firstTime: RTPTime(rawValue: 0xFFFF_FF00))
    }

    @Test(
        "the first run begins at the first RTP time, whatever its frame",
        arguments: [0, 352, -5000] as [Int64])
    func first(frame: Int64) {
        var numbering = Self.numbering()
        numbering.begin(at: frame)
        #expect(numbering.time(of: frame) == RTPTime(rawValue: 0xFFFF_FF00))
        numbering.begin(at: frame + 1)
        #expect(numbering.time(of: frame) == RTPTime(rawValue: 0xFFFF_FF00))
    }

    @Test("the RTP times of a run after a flush are later by more than a speaker decodes ahead")
    func restart() {
        var numbering = Self.numbering()
        numbering.begin(at: 0)
        for number in 0..<3 { numbering.count(frame: Int64(number * 352), frameCount: 352) }
        #expect(numbering.end.sequence == SequenceNumber(truncating: 2) && numbering.packetCount == 3)
        let end = numbering.time(of: 1056)
        #expect(numbering.end.time == end)
        numbering.restart()
        numbering.begin(at: 100)
        #expect(numbering.time(of: 100) == end.advanced(by: 96_000))
        #expect(numbering.end.sequence == SequenceNumber(truncating: 2))
    }

    @Test("packets resent at their old times do not move the end back")
    func again() {
        var numbering = Self.numbering()
        numbering.begin(at: 0)
        numbering.count(frame: 352, frameCount: 352)
        numbering.count(frame: 0, frameCount: 352)
        #expect(numbering.end.time == numbering.time(of: 704))
    }
}
