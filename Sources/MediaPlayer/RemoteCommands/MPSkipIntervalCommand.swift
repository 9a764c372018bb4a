import MediaTime
import Synchronization

/// Jumps some seconds forward or back.
open class MPSkipIntervalCommand: MPRemoteCommand, @unchecked Sendable {
    // Safe to share: the list is guarded.
    private let intervals = Mutex<[Double]>([MPSkipIntervalCommand.usualInterval])

    static let usualInterval = 10.0

    /// Seconds; what people are offered, the first of them first.
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

/// A wish to skip some seconds.
open class MPSkipIntervalCommandEvent: MPRemoteCommandEvent, @unchecked Sendable {
    // Safe to share: nothing changes after `init`.

    /// Seconds to jump; the command says in which direction.
    public let interval: TimeInterval

    init(_ command: MPSkipIntervalCommand, interval: TimeInterval, at time: HostTime) {
        self.interval = interval
        super.init(command, at: time)
    }
}
