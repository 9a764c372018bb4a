import Playback
import Synchronization
import TuttiMediaTime

/// A feedback command with a state: like, dislike or bookmark.
open class MPFeedbackCommand: MPRemoteCommand, @unchecked Sendable {
    // Safe to share: the state has a lock.
    private let shown = Mutex(RemoteCommandSet.Feedback())

    /// Whether surfaces show the feedback as given.
    open var isActive: Bool {
        get { feedback.isActive }
        set {
            shown.withLock { $0.isActive = newValue }
            didChange()
        }
    }

    /// The button's title.
    open var localizedTitle: String {
        get { feedback.title }
        set {
            shown.withLock { $0.title = newValue }
            didChange()
        }
    }

    /// The button's title for small displays.
    open var localizedShortTitle: String {
        get { feedback.shortTitle }
        set {
            shown.withLock { $0.shortTitle = newValue }
            didChange()
        }
    }

    var feedback: RemoteCommandSet.Feedback { shown.withLock { $0 } }
}

/// An event that gives or withdraws feedback.
open class MPFeedbackCommandEvent: MPRemoteCommandEvent, @unchecked Sendable {
    // Safe to share: nothing changes after `init`.

    /// Whether the user withdraws the feedback.
    public let isNegative: Bool

    init(_ command: MPRemoteCommand, isNegative: Bool, at time: HostTime) {
        self.isNegative = isNegative
        super.init(command, at: time)
    }
}
