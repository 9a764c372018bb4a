import Synchronization
import TuttiMediaTime

/// A command to change the playback rate.
open class MPChangePlaybackRateCommand: MPRemoteCommand, @unchecked Sendable {
    // Safe to share: the list has a lock.
    private let rates = Mutex<[Double]>([])

    /// The rates offered to the user; 1 is normal speed.
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

/// An event that requests a playback rate.
open class MPChangePlaybackRateCommandEvent: MPRemoteCommandEvent, @unchecked Sendable {
    // Safe to share: nothing changes after `init`.

    /// The requested rate; 1 is normal speed.
    public let playbackRate: Float

    init(_ command: MPRemoteCommand, playbackRate: Float, at time: HostTime) {
        self.playbackRate = playbackRate
        super.init(command, at: time)
    }
}
