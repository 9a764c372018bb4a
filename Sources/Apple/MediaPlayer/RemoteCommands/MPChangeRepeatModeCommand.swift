import Playback
import Synchronization
import TuttiMediaTime

/// A repeat mode.
public enum MPRepeatType: Int, Sendable {
    /// No repeat.
    case off = 0
    /// Repeats the item.
    case one = 1
    /// Repeats the whole queue.
    case all = 2

    var mode: RemoteCommand.RepeatMode {
        switch self {
        case .off: .off
        case .one: .one
        case .all: .all
        }
    }

    init(_ mode: RemoteCommand.RepeatMode) {
        switch mode {
        case .off: self = .off
        case .one: self = .one
        case .all: self = .all
        }
    }
}

/// A command to change the repeat mode.
open class MPChangeRepeatModeCommand: MPRemoteCommand, @unchecked Sendable {
    // Safe to share: the mode has a lock.
    private let current = Mutex(MPRepeatType.off)

    /// The mode that surfaces show; the program sets it.
    open var currentRepeatType: MPRepeatType {
        get { current.withLock { $0 } }
        set {
            current.withLock { $0 = newValue }
            didChange()
        }
    }
}

/// An event that requests a repeat mode.
open class MPChangeRepeatModeCommandEvent: MPRemoteCommandEvent, @unchecked Sendable {
    // Safe to share: nothing changes after `init`.

    /// The requested repeat mode.
    public let repeatType: MPRepeatType
    /// Whether the mode also applies to later sessions; always `true` in Tutti.
    public let preservesRepeatMode: Bool

    init(_ command: MPRemoteCommand, repeatType: MPRepeatType, at time: HostTime) {
        self.repeatType = repeatType
        // No source of commands specifies the scope.
        preservesRepeatMode = true
        super.init(command, at: time)
    }
}
