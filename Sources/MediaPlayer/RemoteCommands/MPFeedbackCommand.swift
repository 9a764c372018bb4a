import MediaTime
import Playback
import Synchronization

/// A button with a state: liked, disliked, or marked.
open class MPFeedbackCommand: MPRemoteCommand, @unchecked Sendable {
    // Safe to share: the state is guarded.
    private let shown = Mutex(RemoteCommandSet.Feedback())

    /// Whether it is shown as so.
    open var isActive: Bool {
        get { feedback.isActive }
        set {
            shown.withLock { $0.isActive = newValue }
            didChange()
        }
    }

    /// What the button says.
    open var localizedTitle: String {
        get { feedback.title }
        set {
            shown.withLock { $0.title = newValue }
            didChange()
        }
    }

    /// What the button says where there is little room.
    open var localizedShortTitle: String {
        get { feedback.shortTitle }
        set {
            shown.withLock { $0.shortTitle = newValue }
            didChange()
        }
    }

    var feedback: RemoteCommandSet.Feedback { shown.withLock { $0 } }
}

/// An opinion on the item.
open class MPFeedbackCommandEvent: MPRemoteCommandEvent, @unchecked Sendable {
    // Safe to share: nothing changes after `init`.

    /// Whether the word is taken back.
    public let isNegative: Bool

    init(_ command: MPRemoteCommand, isNegative: Bool, at time: HostTime) {
        self.isNegative = isNegative
        super.init(command, at: time)
    }
}
