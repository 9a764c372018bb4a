import MediaTime
import Playback
import Synchronization

/// What comes in a random order.
public enum MPShuffleType: Int, Sendable {
    /// In order.
    case off = 0
    /// Each item.
    case items = 1
    /// Whole albums and lists, each in its own order.
    case collections = 2

    var mode: RemoteCommand.ShuffleMode {
        switch self {
        case .off: .off
        case .items: .items
        case .collections: .collections
        }
    }

    init(_ mode: RemoteCommand.ShuffleMode) {
        switch mode {
        case .off: self = .off
        case .items: self = .items
        case .collections: self = .collections
        }
    }
}

/// Says what comes in a random order.
open class MPChangeShuffleModeCommand: MPRemoteCommand, @unchecked Sendable {
    // Safe to share: the mode is guarded.
    private let current = Mutex(MPShuffleType.off)

    /// What is shown as so; the program sets it.
    open var currentShuffleType: MPShuffleType {
        get { current.withLock { $0 } }
        set {
            current.withLock { $0 = newValue }
            didChange()
        }
    }
}

/// A wish for another order.
open class MPChangeShuffleModeCommandEvent: MPRemoteCommandEvent, @unchecked Sendable {
    // Safe to share: nothing changes after `init`.

    /// What is to be shuffled.
    public let shuffleType: MPShuffleType
    /// Whether it is for later sessions too.
    public let preservesShuffleMode: Bool

    init(_ command: MPRemoteCommand, shuffleType: MPShuffleType, at time: HostTime) {
        self.shuffleType = shuffleType
        // Nobody who sends commands here says otherwise.
        preservesShuffleMode = true
        super.init(command, at: time)
    }
}
