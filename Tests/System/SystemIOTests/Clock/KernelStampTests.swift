import Testing
import TuttiMediaTime

@testable import TuttiSystemIO

@Suite("Kernel receive timestamps")
struct KernelStampTests {
    static let now = HostTime(nanoseconds: 5_000_000_000)
    static let wallNow: Int64 = 1_700_000_000_000_000_000

    static let table: [(name: String, stamp: Int64, age: Int64)] = [
        ("now", wallNow, 0),
        ("40 µs ago", wallNow - 40_000, 40_000),
        ("just not too old", wallNow - 100_000_000, 100_000_000),
        ("too old", wallNow - 100_000_001, 0),
        ("the wall clock was set back", wallNow + 1, 0),
        ("the wall clock was set far ahead", 0, 0),
        ("overflow", .min, 0),
    ]

    @Test("timestamps become host time, or now where they are implausible", arguments: table)
    func convert(name: String, stamp: Int64, age: Int64) {
        #expect(
            KernelStamp.hostTime(ofWall: stamp, wallNow: Self.wallNow, now: Self.now)
                == HostTime(nanoseconds: Self.now.nanoseconds - age))
    }

    @Test("host time does not run backwards")
    func monotonic() {
        let clock: any HostClock = SystemClock()
        let first = clock.now
        #expect(clock.now >= first)
        #expect(SystemClock.now >= first)
    }
}
