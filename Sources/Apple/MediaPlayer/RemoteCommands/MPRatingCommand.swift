import Synchronization
import TuttiMediaTime

/// A command to rate the item.
open class MPRatingCommand: MPRemoteCommand, @unchecked Sendable {
    // Safe to share: the limits have a lock.
    private let limits = Mutex<(minimum: Float, maximum: Float)>((0, 0))

    /// The lowest possible rating.
    open var minimumRating: Float {
        get { limits.withLock { $0.minimum } }
        set {
            limits.withLock { $0.minimum = newValue }
            didChange()
        }
    }

    /// The highest possible rating.
    open var maximumRating: Float {
        get { limits.withLock { $0.maximum } }
        set {
            limits.withLock { $0.maximum = newValue }
            didChange()
        }
    }

    /// The range of ratings; 0 ... 0 unless the minimum is at most the maximum.
    var range: ClosedRange<Double> {
        let (minimum, maximum) = limits.withLock { $0 }
        return minimum <= maximum ? Double(minimum)...Double(maximum) : 0...0
    }
}

/// An event that rates the item.
open class MPRatingCommandEvent: MPRemoteCommandEvent, @unchecked Sendable {
    // Safe to share: nothing changes after `init`.

    /// The rating, clamped to the command's limits.
    public let rating: Float

    init(_ command: MPRemoteCommand, rating: Float, at time: HostTime) {
        self.rating = rating
        super.init(command, at: time)
    }
}
