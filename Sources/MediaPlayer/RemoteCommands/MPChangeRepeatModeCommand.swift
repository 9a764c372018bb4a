import MediaTime
import Playback
import Synchronization

/// What plays again at its end.
public enum MPRepeatType: Int, Sendable {
    /// Nothing is repeated.
    case off = 0
    /// The item.
    case one = 1
    /// The whole queue.
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

/// Says what plays again.
open class MPChangeRepeatModeCommand: MPRemoteCommand, @unchecked Sendable {
    // Safe to share: the mode is guarded.
    private let current = Mutex(MPRepeatType.off)

    /// What is shown as so; the program sets it.
    open var currentRepeatType: MPRepeatType {
        get { current.withLock { $0 } }
        set {
            current.withLock { $0 = newValue }
            didChange()
        }
    }
}

/// A wish to repeat, or not.
open class MPChangeRepeatModeCommandEvent: MPRemoteCommandEvent, @unchecked Sendable {
    // Safe to share: nothing changes after `init`.

    /// What is to be repeated.
    public let repeatType: MPRepeatType
    /// Whether it is for later sessions too.
    public let preservesRepeatMode: Bool

    init(_ command: MPRemoteCommand, repeatType: MPRepeatType, at time: HostTime) {
        self.repeatType = repeatType
        // Nobody who sends commands here says otherwise.
        preservesRepeatMode = true
        super.init(command, at: time)
    }
}
