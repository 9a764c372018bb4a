import Synchronization
import TuttiMediaTime

/// A command to skip forward or backward by an interval.
open class MPSkipIntervalCommand: MPRemoteCommand, @unchecked Sendable {
    // Safe to share: the list has a lock.
    private let intervals = Mutex<[Double]>([MPSkipIntervalCommand.usualInterval])

    static let usualInterval = 10.0

    /// Intervals offered to the user, in seconds, preferred first; 10 s at first.
    open var preferredIntervals: [NSNumber] {
        get { seconds.map { NSNumber(value: $0) } }
        set {
            let seconds = newValue.map(\.doubleValue).filter { $0.isFinite && $0 > 0 }
            intervals.withLock { $0 = seconds }
            didChange()
        }
    }

    var seconds: [Double] { intervals.withLock { $0 } }
}

/// An event that requests a skip.
open class MPSkipIntervalCommandEvent: MPRemoteCommandEvent, @unchecked Sendable {
    // Safe to share: nothing changes after `init`.

    /// Seconds to skip; the command gives the direction.
    public let interval: TimeInterval

    init(_ command: MPSkipIntervalCommand, interval: TimeInterval, at time: HostTime) {
        self.interval = interval
        super.init(command, at: time)
    }
}
