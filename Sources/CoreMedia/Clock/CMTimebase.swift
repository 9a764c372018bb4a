import Foundation
import MediaTime

/// A timeline that an app moves: its time is a straight line over the time of a source.
///
///     time = anchor + rate × (source − reference)
///
/// A new one shows zero and stands still. Any thread may read and set it. Reading the time of one that
/// follows the host clock takes no lock and allocates nothing.
public final class CMTimebase: CMSyncProtocol, @unchecked Sendable {
    // Safe to share: `storedSource` and writing to `cell` only with the lock held; the cell is made to be
    // read by any thread.

    /// Posted when ``rate`` changed, with the timebase as object, on the thread that changed it.
    public static let effectiveRateChanged = NSNotification.Name(
        "CMTimebaseNotification_EffectiveRateChanged")
    /// Posted when the time moved other than by running, with the timebase as object, on the thread that
    /// moved it.
    public static let timeJumped = NSNotification.Name("CMTimebaseNotification_TimeJumped")

    private let cell = TimebaseLineCell()
    private let lock = NSLock()
    private var storedSource: any CMSyncProtocol
    private let isReadOnly: Bool

    private init(source: any CMSyncProtocol, isReadOnly: Bool) {
        storedSource = source
        self.isReadOnly = isReadOnly
        cell.store(.zero, followsHost: Self.isHost(source))
    }

    /// A timebase that follows a clock.
    public convenience init(sourceClock: CMClock) { self.init(source: sourceClock, isReadOnly: false) }

    /// A timebase that follows another timebase.
    public convenience init(sourceTimebase: CMTimebase) {
        self.init(source: sourceTimebase, isReadOnly: false)
    }

    /// A timebase on a clock that only its maker moves, by ``drive(anchorTime:at:rate:isJump:)``.
    package convenience init(drivenOn clock: CMClock) { self.init(source: clock, isReadOnly: true) }

    private static func isHost(_ source: any CMSyncProtocol) -> Bool { (source as? CMClock)?.isHost == true }

    /// The line now, with what the source shows at this moment.
    fileprivate func reading() -> (line: TimebaseLine, now: Int64) {
        let (line, followsHost) = cell.load()
        if followsHost { return (line, hostNanoseconds()) }
        let (source, current) = lock.withLock { (storedSource, cell.load().line) }
        return (current, Self.nanoseconds(of: source))
    }

    private static func nanoseconds(of source: any CMSyncProtocol) -> Int64 {
        if let clock = source as? CMClock { return clock.nanoseconds }
        guard let timebase = source as? CMTimebase else { return 0 }
        // A line's time always fits nanoseconds.
        return timebase.time.nanoseconds ?? 0
    }

    /// Replaces the line by what `change` makes of the old one and of what the source shows.
    private func replaceLine(
        isJump: Bool, _ change: (TimebaseLine, Int64) -> TimebaseLine?
    ) throws {
        let oldRate = try lock.withLock {
            let (old, followsHost) = cell.load()
            guard let new = change(old, Self.nanoseconds(of: storedSource)) else {
                throw statusError(kCMTimebaseError_InvalidParameter)
            }
            cell.store(new, followsHost: followsHost)
            return (old.rate, new.rate)
        }
        post(rateChanged: oldRate.0 != oldRate.1, timeJumped: isJump)
    }

    private func post(rateChanged: Bool, timeJumped: Bool) {
        let center = NotificationCenter.default
        if rateChanged { center.post(name: Self.effectiveRateChanged, object: self) }
        if timeJumped { center.post(name: Self.timeJumped, object: self) }
    }

    private func checkWritable() throws {
        if isReadOnly { throw statusError(kCMTimebaseError_ReadOnly) }
    }
}

extension CMTimebase {
    /// The time now: in nanoseconds while it runs, and as it was set while it stands.
    public var time: CMTime {
        let (line, now) = reading()
        return line.time(at: now)
    }

    /// The speed by the source's time; zero while standing.
    public var rate: Double { cell.load().line.rate }

    /// The speed by the clock at the end of the sources.
    public var effectiveRate: Double { rate * (sourceTimebase?.effectiveRate ?? 1) }

    /// Time and rate of one moment.
    public var timeAndRate: (time: CMTime, rate: Double) {
        let (line, now) = reading()
        return (line.time(at: now), line.rate)
    }

    /// The time now on a timescale of the caller's.
    public func time(withTimescale timescale: CMTimeScale, rounding: CMTimeRoundingMethod = .default)
        -> CMTime
    {
        time.convertScale(timescale, method: rounding)
    }

    /// Moves the time to `time` now; the rate stays.
    ///
    /// - Throws: the code ``kCMTimebaseError_InvalidParameter`` for a time that is not a number, as all
    ///   setters do, or ``kCMTimebaseError_ReadOnly`` where only the timebase's maker may move it.
    public func setTime(_ time: CMTime) throws {
        try checkWritable()
        try replaceLine(isJump: true) { old, now in
            TimebaseLine(anchor: time, referenceNanoseconds: now, rate: old.rate)
        }
    }

    /// Changes the speed from now on; the time goes on from where it is.
    public func setRate(_ rate: Double) throws {
        try checkWritable()
        try replaceLine(isJump: false) { old, now in
            TimebaseLine(anchor: old.time(at: now), referenceNanoseconds: now, rate: rate)
        }
    }

    /// Says that the time is `time` when the source shows `referenceTime`; the rate stays.
    public func setAnchorTime(_ time: CMTime, referenceTime: CMTime) throws {
        try checkWritable()
        try replaceLine(isJump: true) { old, _ in
            referenceTime.nanoseconds.flatMap {
                TimebaseLine(anchor: time, referenceNanoseconds: $0, rate: old.rate)
            }
        }
    }

    /// Sets the speed, and the time when the source shows `referenceTime`.
    public func setRateAndAnchorTime(rate: Double, anchorTime: CMTime, referenceTime: CMTime) throws {
        try checkWritable()
        try replaceLine(isJump: true) { _, _ in
            referenceTime.nanoseconds.flatMap {
                TimebaseLine(anchor: anchorTime, referenceNanoseconds: $0, rate: rate)
            }
        }
    }

    /// Sets the line of a read-only timebase; for its maker alone.
    ///
    /// - Parameters:
    ///   - anchorTime: the time when the source shows `sourceTime`; nothing changes if it is not a number.
    ///   - sourceTime: on the source's clock, which is the host clock unless the timebase was made on
    ///     another.
    ///   - isJump: whether to post ``timeJumped``; not for a correction too small to matter.
    package func drive(anchorTime: CMTime, at sourceTime: HostTime, rate: Double, isJump: Bool = true) {
        guard
            let line = TimebaseLine(
                anchor: anchorTime, referenceNanoseconds: sourceTime.nanoseconds, rate: rate)
        else { return }
        let oldRate = lock.withLock {
            let (old, followsHost) = cell.load()
            cell.store(line, followsHost: followsHost)
            return old.rate
        }
        post(rateChanged: oldRate != rate, timeJumped: isJump)
    }
}

extension CMTimebase {
    /// What this follows: a clock or another timebase.
    ///
    /// A new source takes over without a jump of the time. It is ignored on a read-only timebase, and if
    /// it follows this timebase itself.
    public var source: any CMSyncProtocol {
        get { lock.withLock { storedSource } }
        // Ignored where `follow` throws, as said above.
        set { try? follow(newValue) }
    }

    /// Takes a new source without a jump of the time.
    func follow(_ newSource: any CMSyncProtocol) throws {
        try checkWritable()
        guard !follows(newSource) else { throw statusError(kCMTimebaseError_InvalidParameter) }
        lock.withLock {
            let old = cell.load().line
            let time = old.time(at: Self.nanoseconds(of: storedSource))
            storedSource = newSource
            let reference = Self.nanoseconds(of: newSource)
            let new = TimebaseLine(anchor: time, referenceNanoseconds: reference, rate: old.rate)
            cell.store(new ?? old, followsHost: Self.isHost(newSource))
        }
    }

    /// Whether `source` is this timebase, or gets its time from it.
    private func follows(_ source: any CMSyncProtocol) -> Bool {
        var next: (any CMSyncProtocol)? = source
        while let timebase = next as? CMTimebase {
            if timebase === self { return true }
            next = timebase.source
        }
        return false
    }

    /// The source, if it is a clock.
    public var sourceClock: CMClock? { source as? CMClock }

    /// The source, if it is a timebase.
    public var sourceTimebase: CMTimebase? { source as? CMTimebase }

    /// The clock at the end of the sources.
    public var ultimateSourceClock: CMClock {
        sourceClock ?? sourceTimebase?.ultimateSourceClock ?? .hostTimeClock
    }

    /// What the source shows when this shows `time`; invalid while standing.
    func sourceTime(of time: CMTime) -> CMTime {
        cell.load().line.source(at: time).map { CMTime(nanoseconds: $0) } ?? .invalid
    }

    /// What this shows when the source shows `time`.
    func time(atSourceTime time: CMTime) -> CMTime {
        time.nanoseconds.map { cell.load().line.time(at: $0) } ?? .invalid
    }
}
