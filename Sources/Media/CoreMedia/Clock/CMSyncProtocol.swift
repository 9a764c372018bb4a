/// A clock, or a timebase that follows one. Only ``CMClock`` and ``CMTimebase`` conform.
public protocol CMSyncProtocol: AnyObject, Sendable {
    /// The current time of the clock or timebase.
    var time: CMTime { get }
}

extension CMSyncProtocol {
    /// Converts a time of this clock or timebase to the time that `other` shows at the same moment.
    ///
    /// Invalid if this timebase, or a timebase that it follows on the way, has rate zero. Unrelated clocks
    /// are compared by reading both now.
    public func convertTime<T: CMSyncProtocol>(_ time: CMTime, to other: T) -> CMTime {
        let path = SyncPath(from: self, to: other)
        var time = time
        for timebase in path.up { time = timebase.sourceTime(of: time) }
        if let (near, far) = path.clocks { time = time + (far.time - near.time) }
        for timebase in path.down.reversed() { time = timebase.time(atSourceTime: time) }
        return time
    }

    /// Returns the rate of this clock or timebase relative to `other`; NaN if `other` has rate zero.
    public func rate<T: CMSyncProtocol>(relativeTo other: T) -> Double {
        let path = SyncPath(from: self, to: other)
        let others = path.down.reduce(1) { $0 * $1.rate }
        return others == 0 ? .nan : path.up.reduce(1) { $0 * $1.rate } / others
    }

    /// Returns whether the two follow different clocks.
    public func mightDrift<T: CMSyncProtocol>(relativeTo other: T) -> Bool {
        SyncPath(from: self, to: other).clocks != nil
    }
}

/// The path from one clock or timebase to another: up the sources of the first, down those of the second.
private struct SyncPath {
    /// The timebases on the way up, in order.
    var up: [CMTimebase]
    /// The timebases on the way down, in reverse order.
    var down: [CMTimebase]
    /// The clocks at the ends of both chains, if they differ.
    var clocks: (CMClock, CMClock)?

    init(from start: any CMSyncProtocol, to end: any CMSyncProtocol) {
        let (starts, ends) = (Self.chain(from: start), Self.chain(from: end))
        for (index, step) in starts.enumerated() {
            guard let other = ends.firstIndex(where: { $0 === step }) else { continue }
            up = starts[..<index].compactMap { $0 as? CMTimebase }
            down = ends[..<other].compactMap { $0 as? CMTimebase }
            return
        }
        up = starts.compactMap { $0 as? CMTimebase }
        down = ends.compactMap { $0 as? CMTimebase }
        if let near = starts.last as? CMClock, let far = ends.last as? CMClock { clocks = (near, far) }
    }

    private static func chain(from start: any CMSyncProtocol) -> [any CMSyncProtocol] {
        var chain = [start]
        while let timebase = chain.last as? CMTimebase { chain.append(timebase.source) }
        return chain
    }
}

/// Returns the current time of a clock or timebase.
@discardableResult
public func CMSyncGetTime(_ clockOrTimebase: any CMSyncProtocol) -> CMTime { clockOrTimebase.time }

/// Converts a time of one clock or timebase to the time of another.
@discardableResult
public func CMSyncConvertTime(
    _ time: CMTime, from fromClockOrTimebase: any CMSyncProtocol, to toClockOrTimebase: any CMSyncProtocol
) -> CMTime {
    func convert<To: CMSyncProtocol>(to other: To) -> CMTime {
        fromClockOrTimebase.convertTime(time, to: other)
    }
    return convert(to: toClockOrTimebase)
}

/// Returns the rate of one clock or timebase relative to another.
@discardableResult
public func CMSyncGetRelativeRate(
    _ ofClockOrTimebase: any CMSyncProtocol, relativeTo relativeToClockOrTimebase: any CMSyncProtocol
) -> Float64 {
    func rate<To: CMSyncProtocol>(relativeTo other: To) -> Double {
        ofClockOrTimebase.rate(relativeTo: other)
    }
    return rate(relativeTo: relativeToClockOrTimebase)
}

/// Returns whether the two follow different clocks.
@discardableResult
public func CMSyncMightDrift(
    _ clockOrTimebase1: any CMSyncProtocol, otherClockOrTimebase clockOrTimebase2: any CMSyncProtocol
) -> Bool {
    func drift<To: CMSyncProtocol>(relativeTo other: To) -> Bool {
        clockOrTimebase1.mightDrift(relativeTo: other)
    }
    return drift(relativeTo: clockOrTimebase2)
}
