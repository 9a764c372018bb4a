import AirPlaySender
import CoreMedia

/// The cause of a route change.
public enum RouteChange: Sendable, Hashable {
    /// The user or the program chose an output.
    case chosen
    /// The speakers of the same group changed.
    case regrouped
    /// The policy of the program's audio session changed.
    case policy
    /// The output is gone for good. Playback is paused, and would resume at this machine's device.
    case lost
    /// This machine has no output. Playback waits for one to appear.
    case missing
    /// An output appeared after an outage; waiting sound is heard.
    case found
}

// The audio session's part: policy, route changes and interruptions.
extension RouteCatalogue {
    /// Calls `body` after each route change has taken effect, with the options from before the change.
    public func observeRoute(
        _ body: @escaping @Sendable (RouteChange, _ before: [RouteOption]) -> Void
    ) -> RouteObservation {
        watchers.add { body($0.change, $0.before) }
    }

    /// Makes a route change and notifies observers.
    func changeRoute(_ change: RouteChange, _ body: () -> Void) {
        let before = options
        body()
        routeDidChange(change, before: before)
    }

    func routeDidChange(_ change: RouteChange, before: [RouteOption]) {
        watchers.tell((change, before))
        optionsDidChange()
    }

    /// Sets whether playback is long-form. Long-form playback fills speakers minutes ahead and shares the
    /// route with the user's other long-form programs. Other playback keeps as little ahead as a local
    /// device.
    ///
    /// The first time, and unless an output was chosen before, long-form playback resumes the route last used
    /// by such programs.
    public func setLongForm(_ isLongForm: Bool) {
        let (isChange, mayRecall) = state.withLock { state in
            defer { state.isDeep = isLongForm }
            return (state.isDeep != isLongForm, isLongForm && !state.hasChosen)
        }
        if mayRecall { recall() }
        guard isChange, state.withLock({ $0.selection != nil }) else { return }
        changeRoute(.policy) { moveQueues() }
    }

    /// Pauses all playing queues.
    ///
    /// - Returns: whether any queue was playing.
    @discardableResult
    public func pauseAll() -> Bool {
        let playing = state.withLock { $0.queues.compactMap(\.value) }.filter(\.isPlaying)
        for queue in playing { queue.halt() }
        return !playing.isEmpty
    }

    /// Pauses playback and returns to the local device, because the group's speakers are lost for good.
    func fallBack(from group: SpeakerGroup) {
        guard state.withLock({ $0.selection?.group === group }) else { return }
        pauseAll()
        useLocal(Self.localID, because: .lost)
    }
}

/// The failures of a group's speakers, which tell whether any speaker may still play.
struct SpeakerWatch {
    private var failures: [String: SpeakerFailure?]

    init(names: [String]) { failures = Dictionary(names.map { ($0, nil) }) { first, _ in first } }

    /// - Returns: `true` if no speaker is left: each is lost for a permanent reason.
    mutating func isHopeless(after event: SpeakerGroupEvent) -> Bool {
        guard case .state(let name, let state) = event else { return false }
        switch state {
        case .lost(let failure): failures[name] = .some(failure)
        case .closed: failures[name] = nil
        default: failures[name] = .some(nil)
        }
        return !failures.isEmpty
            && failures.values.allSatisfy { failure in failure.map { !$0.isWorthRetrying } ?? false }
    }
}
