import MediaTime
import Synchronization

/// Plays at another speed.
open class MPChangePlaybackRateCommand: MPRemoteCommand, @unchecked Sendable {
    // Safe to share: the list is guarded.
    private let rates = Mutex<[Double]>([])

    /// The speeds people are offered; 1 is the normal one.
    open var supportedPlaybackRates: [NSNumber] {
        get { values.map { NSNumber(value: $0) } }
        set {
            let values = newValue.map(\.doubleValue).filter(\.isFinite)
            rates.withLock { $0 = values }
            didChange()
        }
    }

    var values: [Double] { rates.withLock { $0 } }
}

/// A wish for another rate.
open class MPChangePlaybackRateCommandEvent: MPRemoteCommandEvent, @unchecked Sendable {
    // Safe to share: nothing changes after `init`.

    /// 1 is the normal speed.
    public let playbackRate: Float

    init(_ command: MPRemoteCommand, playbackRate: Float, at time: HostTime) {
        self.playbackRate = playbackRate
        super.init(command, at: time)
    }
}
