import Synchronization
import TuttiMediaTime

/// The line of a timebase: time = anchor + rate × (source − reference), also before the reference; the source
/// need not be host time. ``PresentationLine`` is the line of sound, on which time stands until the anchor.
struct TimebaseLine: Equatable, Sendable {
    /// The time at the reference; a number that fits 64 bits of nanoseconds.
    var anchor: CMTime
    /// The anchor in nanoseconds.
    var anchorNanoseconds: Int64
    /// The source's time at the anchor, in nanoseconds.
    var referenceNanoseconds: Int64
    var rate: Double

    /// Returns `nil` if a part is not a number or does not fit.
    init?(anchor: CMTime, referenceNanoseconds: Int64, rate: Double) {
        guard let nanoseconds = anchor.nanoseconds, rate.isFinite else { return nil }
        self.init(
            anchor: anchor, anchorNanoseconds: nanoseconds, referenceNanoseconds: referenceNanoseconds,
            rate: rate)
    }

    fileprivate init(anchor: CMTime, anchorNanoseconds: Int64, referenceNanoseconds: Int64, rate: Double) {
        self.anchor = anchor
        self.anchorNanoseconds = anchorNanoseconds
        self.referenceNanoseconds = referenceNanoseconds
        self.rate = rate
    }

    /// A line that stands still at zero.
    static let zero = TimebaseLine(
        anchor: .zero, anchorNanoseconds: 0, referenceNanoseconds: 0, rate: 0)

    /// Returns the time when the source shows `source` nanoseconds: the anchor itself at rate zero or at the
    /// reference, else nanoseconds clamped to ±292 years. Allocates nothing.
    func time(at source: Int64) -> CMTime {
        if rate == 0 || source == referenceNanoseconds { return anchor }
        let distance = source.subtractingSaturated(referenceNanoseconds)
        let value = anchorNanoseconds.addingSaturated(distance.scaled(by: rate, .toNearestOrAwayFromZero))
        return CMTime(value: value, timescale: nanosecondScale, flags: .valid, epoch: anchor.epoch)
    }

    /// Returns the source's time at `time`, in nanoseconds; `nil` if the rate is zero or the result does not
    /// fit.
    func source(at time: CMTime) -> Int64? {
        guard rate != 0, let distance = (time - anchor).nanoseconds else { return nil }
        let sum = referenceNanoseconds.addingReportingOverflow(
            distance.divided(by: rate, .toNearestOrAwayFromZero))
        return sum.overflow ? nil : sum.partialValue
    }
}

/// A line that one writer at a time replaces and any thread reads without a lock (a seqlock).
///
/// The version is odd while a writer is at work; a reader that sees an odd or a changed version retries. A
/// reader therefore waits only while a writer stores eight words.
final class TimebaseLineCell: Sendable {
    private let version = Atomic<UInt64>(0)
    private let value = Atomic<Int64>(0)
    private let scaleAndFlags = Atomic<UInt64>(0)
    private let epoch = Atomic<Int64>(0)
    private let anchorNanoseconds = Atomic<Int64>(0)
    private let referenceNanoseconds = Atomic<Int64>(0)
    private let rateBits = Atomic<UInt64>(0)
    private let followsHost = Atomic<Bool>(false)

    /// Call only with the writers' lock held.
    func store(_ line: TimebaseLine, followsHost: Bool) {
        let old = version.load(ordering: .relaxed)
        version.store(old &+ 1, ordering: .relaxed)
        atomicMemoryFence(ordering: .releasing)
        value.store(line.anchor.value, ordering: .relaxed)
        let packed =
            UInt64(UInt32(bitPattern: line.anchor.timescale)) << 32 | UInt64(line.anchor.flags.rawValue)
        scaleAndFlags.store(packed, ordering: .relaxed)
        epoch.store(line.anchor.epoch, ordering: .relaxed)
        anchorNanoseconds.store(line.anchorNanoseconds, ordering: .relaxed)
        referenceNanoseconds.store(line.referenceNanoseconds, ordering: .relaxed)
        rateBits.store(line.rate.bitPattern, ordering: .relaxed)
        self.followsHost.store(followsHost, ordering: .relaxed)
        version.store(old &+ 2, ordering: .releasing)
    }

    /// Returns the line and whether it follows the host clock.
    func load() -> (line: TimebaseLine, followsHost: Bool) {
        while true {
            let before = version.load(ordering: .acquiring)
            let packed = scaleAndFlags.load(ordering: .relaxed)
            let anchor = CMTime(
                value: value.load(ordering: .relaxed),
                timescale: Int32(bitPattern: UInt32(truncatingIfNeeded: packed >> 32)),
                flags: CMTimeFlags(rawValue: UInt32(truncatingIfNeeded: packed)),
                epoch: epoch.load(ordering: .relaxed))
            let line = TimebaseLine(
                anchor: anchor, anchorNanoseconds: anchorNanoseconds.load(ordering: .relaxed),
                referenceNanoseconds: referenceNanoseconds.load(ordering: .relaxed),
                rate: Double(bitPattern: rateBits.load(ordering: .relaxed)))
            let followsHost = followsHost.load(ordering: .relaxed)
            atomicMemoryFence(ordering: .acquiring)
            if before & 1 == 0, version.load(ordering: .relaxed) == before { return (line, followsHost) }
        }
    }
}
