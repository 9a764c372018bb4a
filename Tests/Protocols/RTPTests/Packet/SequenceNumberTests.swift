import Testing
import TuttiRTP

@Suite("23-bit sequence numbers")
struct SequenceNumberTests {
    static let distances: [(UInt32, UInt32, Int)] = [
        (0, 0, 0), (1, 0, 1), (0, 1, -1), (0, 0x7F_FFFF, 1), (0x7F_FFFF, 0, -1), (0x40_0000, 0, -0x40_0000),
        (0x3F_FFFF, 0, 0x3F_FFFF), (0, 0x40_0000, -0x40_0000), (5, 0x7F_FFFB, 10),
    ]

    @Test("distance takes the short way around", arguments: distances)
    func distance(later: UInt32, earlier: UInt32, expected: Int) {
        let (later, earlier) = (SequenceNumber(truncating: later), SequenceNumber(truncating: earlier))
        #expect(later.packets(since: earlier) == expected)
        #expect(earlier.advanced(by: expected) == later)
        #expect(later.isBefore(earlier) == (expected < 0))
    }

    @Test("numbers wrap, and drop the marker bit")
    func wraps() {
        #expect(SequenceNumber(truncating: 0x7F_FFFF).advanced(by: 1).rawValue == 0)
        #expect(SequenceNumber(truncating: 0).advanced(by: -1).rawValue == 0x7F_FFFF)
        #expect(SequenceNumber(truncating: 7).advanced(by: .max).rawValue == 6)
        #expect(SequenceNumber(truncating: 15_363_674).withMarker == 15_363_674)
        #expect(SequenceNumber(truncating: 0xFF80_0003).rawValue == 3)
    }
}
