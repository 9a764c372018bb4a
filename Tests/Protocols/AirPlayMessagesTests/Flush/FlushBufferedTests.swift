import AirPlayMessages
import Testing
import TuttiMediaTime

@Suite("FLUSHBUFFERED")
struct FlushBufferedTests {
    static func point(_ number: UInt32, _ time: UInt32) -> FlushBuffered.Point {
        FlushBuffered.Point(sequenceNumber: number, rtpTime: RTPTime(rawValue: time))
    }

    @Test("recorded forms are read; our numbers carry the marker bit")
    func recorded() throws {
        let deferred = try FlushBuffered(body: RecordedBodies.bytes("request: FLUSHBUFFERED", 0))
        #expect(
            deferred
                == FlushBuffered(
                    from: Self.point(2000, 3_221_929_472), until: Self.point(2500, 3_222_105_472)))
        let immediate = try FlushBuffered(body: RecordedBodies.bytes("request: FLUSHBUFFERED", 1))
        #expect(immediate == FlushBuffered(until: Self.point(2520, 1_234_567)))
        #expect(immediate.isImmediate && !deferred.isImmediate)
        #expect(
            immediate.propertyList == [
                "flushUntilSeq": .integer(0x80_0000 | 2520), "flushUntilTS": 1_234_567,
            ])
        for flush in [deferred, immediate] { #expect(try FlushBuffered(body: flush.body) == flush) }
    }

    @Test("Apple's numbers carry the marker bit")
    func marker() throws {
        let flush = try FlushBuffered(propertyList: [
            "flushUntilSeq": 15_363_674, "flushUntilTS": 239_565_966,
        ])
        #expect(flush.until.sequenceNumber == 15_363_674 - 0x80_0000)
        #expect(flush.propertyList["flushUntilSeq"] == 15_363_674)
        #expect(Self.point(.max, 0).sequenceNumber == 0x7F_FFFF)
    }

    @Test("missing and too large values are refused")
    func rejects() {
        #expect(throws: MessageError.missing(key: "flushUntilSeq")) { try FlushBuffered(propertyList: [:]) }
        #expect(throws: MessageError.missing(key: "flushUntilTS")) {
            try FlushBuffered(propertyList: ["flushUntilSeq": 1])
        }
        #expect(throws: MessageError.missing(key: "flushFromTS")) {
            try FlushBuffered(propertyList: ["flushUntilSeq": 1, "flushUntilTS": 1, "flushFromSeq": 0])
        }
        #expect(throws: MessageError.outOfRange(key: "flushUntilSeq", value: 0x100_0000)) {
            try FlushBuffered(propertyList: ["flushUntilSeq": 0x100_0000, "flushUntilTS": 1])
        }
        #expect(throws: MessageError.outOfRange(key: "flushUntilTS", value: 1 << 32)) {
            try FlushBuffered(propertyList: ["flushUntilSeq": 1, "flushUntilTS": .integer(1 << 32)])
        }
    }
}
