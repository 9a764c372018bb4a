import Foundation
import Synchronization
import TuttiMediaTime

/// A timeline that an app controls: its time is a linear function of its source's time.
///
///     time = anchor + rate × (source − reference)
///
/// A new timebase shows zero and has rate zero. Any thread may read and set a timebase. Reading the time
/// takes no lock and allocates nothing if the source is the host clock.
public final class CMTimebase: CMSyncProtocol {
    /// Posted when ``rate`` changes, with the timebase as object, on the thread that changes the rate.
    public static let effectiveRateChanged = NSNotification.Name(
        "CMTimebaseNotification_EffectiveRateChanged")
    /// Posted when the time jumps, with the timebase as object, on the thread that moves the time.
    public static let timeJumped = NSNotification.Name("CMTimebaseNotification_TimeJumped")

    /// Any thread may read the cell; writers hold the lock of `storedSource`.
    private let cell = TimebaseLineCell()
    private let storedSource: Mutex<any CMSyncProtocol>
    private let isReadOnly: Bool

    private init(source: any CMSyncProtocol, isReadOnly: Bool) {
        storedSource = Mutex(source)
        self.isReadOnly = isReadOnly
        cell.store(.zero, followsHost: Self.isHost(source))
    }

    /// Creates a timebase that follows a clock.
    public convenience init(sourceClock: CMClock) { self.init(source: sourceClock, isReadOnly: false) }

    /// Creates a timebase that follows another timebase.
    public convenience init(sourceTimebase: CMTimebase) {
        self.init(source: sourceTimebase, isReadOnly: false)
    }

    /// Creates a read-only timebase on a clock; only ``drive(anchorTime:at:rate:isJump:)`` moves the
    /// timebase.
    package convenience init(drivenOn clock: CMClock) { self.init(source: clock, isReadOnly: true) }

    private static func isHost(_ source: any CMSyncProtocol) -> Bool { (source as? CMClock)?.isHost == true }

    /// Returns the line and the source's time at one instant.
    fileprivate func reading() -> (line: TimebaseLine, now: Int64) {
        let (line, followsHost) = cell.load()
        if followsHost { return (line, hostNanoseconds()) }
        let (source, current) = storedSource.withLock { ($0, cell.load().line) }
        return (current, Self.nanoseconds(of: source))
    }

    private static func nanoseconds(of source: any CMSyncProtocol) -> Int64 {
        if let clock = source as? CMClock { return clock.nanoseconds }
        guard let timebase = source as? CMTimebase else { return 0 }
        // A line's time always fits nanoseconds.
        return timebase.time.nanoseconds ?? 0
    }

    /// Replaces the line with the result of `change`, which receives the old line and the source's time.
    private func replaceLine(
        isJump: Bool, _ change: (TimebaseLine, Int64) -> TimebaseLine?
    ) throws {
        let oldRate = try storedSource.withLock { source in
            let (old, followsHost) = cell.load()
            guard let new = change(old, Self.nanoseconds(of: source)) else {
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
    /// The current time: in nanoseconds while the timebase runs, exactly as set while it stands still.
    public var time: CMTime {
        let (line, now) = reading()
        return line.time(at: now)
    }

    /// The rate relative to the source; zero while the timebase stands still.
    public var rate: Double { cell.load().line.rate }

    /// The rate relative to the clock at the end of the chain of sources.
    public var effectiveRate: Double { rate * (sourceTimebase?.effectiveRate ?? 1) }

    /// The time and the rate at one instant.
    public var timeAndRate: (time: CMTime, rate: Double) {
        let (line, now) = reading()
        return (line.time(at: now), line.rate)
    }

    /// Returns the current time on the caller's timescale.
    public func time(withTimescale timescale: CMTimeScale, rounding: CMTimeRoundingMethod = .default)
        -> CMTime
    {
        time.convertScale(timescale, method: rounding)
    }

    /// Sets the current time; the rate stays.
    ///
    /// - Throws: The code ``kCMTimebaseError_InvalidParameter`` if the time is not a number, as all setters
    ///   do, or ``kCMTimebaseError_ReadOnly`` if only the timebase's creator may move the timebase.
    public func setTime(_ time: CMTime) throws {
        try checkWritable()
        try replaceLine(isJump: true) { old, now in
            TimebaseLine(anchor: time, referenceNanoseconds: now, rate: old.rate)
        }
    }

    /// Sets the rate from now on; the time continues without a jump.
    public func setRate(_ rate: Double) throws {
        try checkWritable()
        try replaceLine(isJump: false) { old, now in
            TimebaseLine(anchor: old.time(at: now), referenceNanoseconds: now, rate: rate)
        }
    }

    /// Anchors `time` to the source time `referenceTime`; the rate stays.
    public func setAnchorTime(_ time: CMTime, referenceTime: CMTime) throws {
        try checkWritable()
        try replaceLine(isJump: true) { old, _ in
            referenceTime.nanoseconds.flatMap {
                TimebaseLine(anchor: time, referenceNanoseconds: $0, rate: old.rate)
            }
        }
    }

    /// Sets the rate and anchors `anchorTime` to the source time `referenceTime`.
    public func setRateAndAnchorTime(rate: Double, anchorTime: CMTime, referenceTime: CMTime) throws {
        try checkWritable()
        try replaceLine(isJump: true) { _, _ in
            referenceTime.nanoseconds.flatMap {
                TimebaseLine(anchor: anchorTime, referenceNanoseconds: $0, rate: rate)
            }
        }
    }

    /// Sets the line of a read-only timebase. Only for the timebase's creator.
    ///
    /// - Parameters:
    ///   - anchorTime: The time when the source shows `sourceTime`; nothing changes if it is not a number.
    ///   - sourceTime: A time of the source's clock, which is the host clock unless the timebase was created
    ///     on another clock.
    ///   - isJump: Whether to post ``timeJumped``; `false` for a correction too small to matter.
    package func drive(anchorTime: CMTime, at sourceTime: HostTime, rate: Double, isJump: Bool = true) {
        guard
            let line = TimebaseLine(
                anchor: anchorTime, referenceNanoseconds: sourceTime.nanoseconds, rate: rate)
        else { return }
        let oldRate = storedSource.withLock { _ in
            let (old, followsHost) = cell.load()
            cell.store(line, followsHost: followsHost)
            return old.rate
        }
        post(rateChanged: oldRate != rate, timeJumped: isJump)
    }
}

extension CMTimebase {
    /// The clock or timebase that this timebase follows.
    ///
    /// A new source takes over without a jump of the time. The setter ignores the new source if this timebase
    /// is read-only, or if the source follows this timebase.
    public var source: any CMSyncProtocol {
        get { storedSource.withLock { $0 } }
        // Ignores the errors of `follow`, as documented above.
        set { try? follow(newValue) }
    }

    /// Switches to a new source without a jump of the time.
    func follow(_ newSource: any CMSyncProtocol) throws {
        try checkWritable()
        guard !follows(newSource) else { throw statusError(kCMTimebaseError_InvalidParameter) }
        storedSource.withLock { source in
            let old = cell.load().line
            let time = old.time(at: Self.nanoseconds(of: source))
            source = newSource
            let reference = Self.nanoseconds(of: newSource)
            let new = TimebaseLine(anchor: time, referenceNanoseconds: reference, rate: old.rate)
            cell.store(new ?? old, followsHost: Self.isHost(newSource))
        }
    }

    /// Returns whether `source` is this timebase or follows this timebase.
    private func follows(_ source: any CMSyncProtocol) -> Bool {
        var next: (any CMSyncProtocol)? = source
        while let timebase = next as? CMTimebase {
            if timebase === self { return true }
            next = timebase.source
        }
        return false
    }

    /// The source if it is a clock, else `nil`.
    public var sourceClock: CMClock? { source as? CMClock }

    /// The source if it is a timebase, else `nil`.
    public var sourceTimebase: CMTimebase? { source as? CMTimebase }

    /// The clock at the end of the chain of sources.
    public var ultimateSourceClock: CMClock {
        sourceClock ?? sourceTimebase?.ultimateSourceClock ?? .hostTimeClock
    }

    /// Returns the source's time when this timebase shows `time`; invalid if the rate is zero.
    func sourceTime(of time: CMTime) -> CMTime {
        cell.load().line.source(at: time).map { CMTime(nanoseconds: $0) } ?? .invalid
    }

    /// Returns this timebase's time when the source shows `time`.
    func time(atSourceTime time: CMTime) -> CMTime {
        time.nanoseconds.map { cell.load().line.time(at: $0) } ?? .invalid
    }
}
