import CoreVideo
import Testing

@Suite("CVTime and CVTimeStamp")
struct CVTimeStampTests {
    @Test("the structures have the sizes of their C forms")
    func layout() {
        #expect(MemoryLayout<CVTime>.size == 16 && MemoryLayout<CVSMPTETime>.size == 24)
        #expect(MemoryLayout<CVTimeStamp>.size == 80 && MemoryLayout<CVTimeStamp>.stride == 80)
        #expect(MemoryLayout<CVTimeStamp>.offset(of: \.hostTime) == 16)
        #expect(MemoryLayout<CVTimeStamp>.offset(of: \.smpteTime) == 40)
        #expect(MemoryLayout<CVTimeStamp>.offset(of: \.flags) == 64)
    }

    @Test("flags have the bits of their C forms")
    func flags() {
        #expect(CVTimeStampFlags.videoHostTimeValid.rawValue == 3)
        #expect(CVTimeStampFlags.isInterlaced.rawValue == 0x30000)
        let flags: CVTimeStampFlags = [.smpteTimeValid, .videoRefreshPeriodValid, .rateScalarValid]
        #expect(flags.rawValue == 0b11100 && CVTimeFlags.isIndefinite.rawValue == 1)
        #expect(CVSMPTETimeFlags([.valid, .running]).rawValue == 3 && CVSMPTETimeType.type5994.rawValue == 7)
        #expect(kCVIndefiniteTime.flags == 1 && kCVZeroTime.timeScale == 1)
    }

    @Test("a time stamp is empty until it is filled")
    func values() {
        var stamp = CVTimeStamp()
        #expect(stamp.flags == 0 && stamp.smpteTime == CVSMPTETime())
        stamp.hostTime = CVGetCurrentHostTime()
        stamp.flags = CVTimeStampFlags.hostTimeValid.rawValue
        #expect(CVGetCurrentHostTime() >= stamp.hostTime && CVGetHostClockFrequency() == 1e9)
        #expect(stamp != CVTimeStamp() && CVGetHostClockMinimumTimeDelta() == 1)
    }
}
