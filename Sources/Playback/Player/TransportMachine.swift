/// Whether a player plays, waits or is paused, and why: the rules alone, without time, sound or threads.
///
/// The states and their names are those of Apple's `AVPlayer`. Time runs, at ``rate``, exactly while ``control`` is `playing`.
package struct TransportMachine: Equatable, Sendable {
    package enum Control: Int, Sendable { case paused, waiting, playing }

    package enum WaitingReason: Sendable { case toMinimizeStalls, evaluatingBufferingRate, noItemToPlay }

    /// What there is to play.
    package enum Item: Sendable {
        case none
        /// Its duration or its first sound is not known yet.
        case loading
        case ready
        case failed
    }

    /// As it was asked for; 0 exactly while paused.
    package private(set) var rate: Float = 0
    package private(set) var control = Control.paused
    package private(set) var reason: WaitingReason?
    package private(set) var automaticallyWaits = true

    var isItemReady: Bool { item == .ready }

    /// What the item can be played at; `nil` where it is any rate.
    private var onlyRate: Float?
    private var item = Item.none
    private var buffer = BufferLevels()
    /// This start waits for nothing but the first sound.
    private var isImmediate = false
    /// The start that was made waited for nothing.
    private(set) var isStartImmediate = false

    package init() {}

    // MARK: What the program asks for

    package mutating func setRate(_ wanted: Float) {
        guard wanted != 0 else { return pause() }
        let wanted = onlyRate ?? wanted
        guard rate != wanted else { return }
        let isStart = control == .paused
        rate = wanted
        if control == .playing { return }
        if isStart { (isImmediate, reason) = (false, nil) }
        proceed()
    }

    /// Starts with whatever is there.
    package mutating func playImmediately(_ wanted: Float) {
        guard wanted != 0 else { return pause() }
        rate = onlyRate ?? wanted
        if control == .playing { return }
        isImmediate = true
        // Without sound it is as if the sound had run out, but nobody is told.
        if item == .ready, buffer.isEmpty { stall() } else { proceed() }
    }

    package mutating func setAutomaticallyWaits(_ waits: Bool) {
        automaticallyWaits = waits
        if control == .waiting { proceed() }
    }

    package mutating func pause() { (rate, control, reason, isImmediate) = (0, .paused, nil, false) }

    // MARK: What happens

    /// Another item, or the same one in another state.
    ///
    /// - Parameter onlyRate: the one rate at which it can be played, as a live stream at 1.
    package mutating func itemBecame(_ item: Item, _ levels: BufferLevels, onlyRate: Float? = nil) {
        (self.item, buffer, self.onlyRate) = (item, levels, onlyRate)
        if let onlyRate, rate != 0 { rate = onlyRate }
        if item == .failed { return pause() }
        // From one item to the next that follows without a gap nothing changes.
        if control == .paused || (control == .playing && item == .ready && !levels.isEmpty) { return }
        proceed()
    }

    package mutating func levelsBecame(_ levels: BufferLevels) {
        buffer = levels
        if control == .waiting { proceed() }
    }

    /// The sound that was at hand has been heard to its last sample, and it is not the item's end.
    ///
    /// - Returns: whether that is a stall, of which the item tells.
    package mutating func ranDry() -> Bool {
        guard control == .playing else { return false }
        buffer = BufferLevels()
        stall()
        return true
    }

    /// Time stands although the item goes on, as another place of it is looked for.
    package mutating func mustRefill() {
        buffer = BufferLevels()
        if control == .playing { proceed() }
    }

    /// The fill rate was looked at, and is not enough.
    package mutating func evaluationEnded() {
        if reason == .evaluatingBufferingRate { reason = .toMinimizeStalls }
    }

    /// The last sample of the last item was heard; time stays there.
    package mutating func itemEnded(staysAtRate: Bool) { if !staysAtRate { pause() } }

    // MARK: Rules

    /// From waiting, or from a new start, to what is possible now.
    private mutating func proceed() {
        switch item {
        case .none: (control, reason) = (.waiting, .noItemToPlay)
        case .failed: pause()
        case .ready where mayStart:
            isStartImmediate = isImmediate
            (control, reason, isImmediate) = (.playing, nil, false)
        case .ready, .loading: wait()
        }
    }

    private var mayStart: Bool {
        if isImmediate || !automaticallyWaits { return !buffer.isEmpty }
        return buffer.isLikelyToKeepUp || buffer.isFull
    }

    private mutating func wait() {
        let isNew = control != .waiting || reason == nil || reason == .noItemToPlay
        control = .waiting
        if isNew { reason = .evaluatingBufferingRate }
    }

    private mutating func stall() {
        isImmediate = false
        guard automaticallyWaits else { return pause() }
        (control, reason) = (.waiting, .toMinimizeStalls)
    }
}
