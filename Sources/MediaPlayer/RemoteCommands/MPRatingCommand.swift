import MediaTime
import Synchronization

/// Says how good the item is.
open class MPRatingCommand: MPRemoteCommand, @unchecked Sendable {
    // Safe to share: the limits are guarded.
    private let limits = Mutex<(minimum: Float, maximum: Float)>((0, 0))

    /// The worst rating that can be given.
    open var minimumRating: Float {
        get { limits.withLock { $0.minimum } }
        set {
            limits.withLock { $0.minimum = newValue }
            didChange()
        }
    }

    /// The best rating that can be given.
    open var maximumRating: Float {
        get { limits.withLock { $0.maximum } }
        set {
            limits.withLock { $0.maximum = newValue }
            didChange()
        }
    }

    /// 0 ... 0 unless the program has said two numbers in order.
    var range: ClosedRange<Double> {
        let (minimum, maximum) = limits.withLock { $0 }
        return minimum <= maximum ? Double(minimum)...Double(maximum) : 0...0
    }
}

/// A rating of the item.
open class MPRatingCommandEvent: MPRemoteCommandEvent, @unchecked Sendable {
    // Safe to share: nothing changes after `init`.

    /// Inside the limits of the command.
    public let rating: Float

    init(_ command: MPRemoteCommand, rating: Float, at time: HostTime) {
        self.rating = rating
        super.init(command, at: time)
    }
}
