import Playback
import Synchronization
import TuttiMediaTime

/// A shuffle mode.
public enum MPShuffleType: Int, Sendable {
    /// No shuffling.
    case off = 0
    /// Shuffles single items.
    case items = 1
    /// Shuffles whole albums and lists, keeping the order within each.
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

/// A command to change the shuffle mode.
open class MPChangeShuffleModeCommand: MPRemoteCommand, @unchecked Sendable {
    // Safe to share: the mode has a lock.
    private let current = Mutex(MPShuffleType.off)

    /// The mode that surfaces show; the program sets it.
    open var currentShuffleType: MPShuffleType {
        get { current.withLock { $0 } }
        set {
            current.withLock { $0 = newValue }
            didChange()
        }
    }
}

/// An event that requests a shuffle mode.
open class MPChangeShuffleModeCommandEvent: MPRemoteCommandEvent, @unchecked Sendable {
    // Safe to share: nothing changes after `init`.

    /// The requested shuffle mode.
    public let shuffleType: MPShuffleType
    /// Whether the mode also applies to later sessions; always `true` in Tutti.
    public let preservesShuffleMode: Bool

    init(_ command: MPRemoteCommand, shuffleType: MPShuffleType, at time: HostTime) {
        self.shuffleType = shuffleType
        // No source of commands specifies the scope.
        preservesShuffleMode = true
        super.init(command, at: time)
    }
}
