/// A clock, or a timebase that follows one. Only ``CMClock`` and ``CMTimebase`` conform.
public protocol CMSyncProtocol: AnyObject, Sendable {
    /// The time it shows now.
    var time: CMTime { get }
}

extension CMSyncProtocol {
    /// The time that `other` shows when this shows `time`.
    ///
    /// Invalid if a timebase in between stands still. Two clocks are compared by reading both now.
    public func convertTime<T: CMSyncProtocol>(_ time: CMTime, to other: T) -> CMTime {
        let path = SyncPath(from: self, to: other)
        var time = time
        for timebase in path.up { time = timebase.sourceTime(of: time) }
        if let (near, far) = path.clocks { time = time + (far.time - near.time) }
        for timebase in path.down.reversed() { time = timebase.time(atSourceTime: time) }
        return time
    }

    /// How fast this goes by the time of `other`; not a number if that stands still.
    public func rate<T: CMSyncProtocol>(relativeTo other: T) -> Double {
        let path = SyncPath(from: self, to: other)
        let others = path.down.reduce(1) { $0 * $1.rate }
        return others == 0 ? .nan : path.up.reduce(1) { $0 * $1.rate } / others
    }

    /// Whether the two follow different clocks.
    public func mightDrift<T: CMSyncProtocol>(relativeTo other: T) -> Bool {
        SyncPath(from: self, to: other).clocks != nil
    }
}

/// The way from one clock or timebase to another: up the sources of one, down those of the other.
private struct SyncPath {
    /// The timebases on the way up, in order.
    var up: [CMTimebase]
    /// The timebases on the way down, against the order.
    var down: [CMTimebase]
    /// The clocks at both tops, if they differ.
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

/// The time that a clock or timebase shows now.
@discardableResult
public func CMSyncGetTime(_ clockOrTimebase: any CMSyncProtocol) -> CMTime { clockOrTimebase.time }

/// The time that one shows when the other shows `time`.
@discardableResult
public func CMSyncConvertTime(
    _ time: CMTime, from fromClockOrTimebase: any CMSyncProtocol, to toClockOrTimebase: any CMSyncProtocol
) -> CMTime {
    func convert<To: CMSyncProtocol>(to other: To) -> CMTime {
        fromClockOrTimebase.convertTime(time, to: other)
    }
    return convert(to: toClockOrTimebase)
}

/// How fast one goes by the time of the other.
@discardableResult
public func CMSyncGetRelativeRate(
    _ ofClockOrTimebase: any CMSyncProtocol, relativeTo relativeToClockOrTimebase: any CMSyncProtocol
) -> Float64 {
    func rate<To: CMSyncProtocol>(relativeTo other: To) -> Double {
        ofClockOrTimebase.rate(relativeTo: other)
    }
    return rate(relativeTo: relativeToClockOrTimebase)
}

/// Whether the two follow different clocks.
@discardableResult
public func CMSyncMightDrift(
    _ clockOrTimebase1: any CMSyncProtocol, otherClockOrTimebase clockOrTimebase2: any CMSyncProtocol
) -> Bool {
    func drift<To: CMSyncProtocol>(relativeTo other: To) -> Bool {
        clockOrTimebase1.mightDrift(relativeTo: other)
    }
    return drift(relativeTo: clockOrTimebase2)
}
