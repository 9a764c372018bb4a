/// The transport rules of a player, a value without time, sound or threads: playing, waiting or paused, and
/// why.
///
/// The states and their names are those of Apple's `AVPlayer`. Time runs, at ``rate``, exactly while
/// ``control`` is `playing`.
package struct TransportMachine: Equatable, Sendable {
    /// The states of `AVPlayer.timeControlStatus`.
    package enum Control: Int, Sendable {
        /// A state, by Apple's name.
        case paused, waiting, playing
    }

    /// The reasons of `AVPlayer.reasonForWaitingToPlay`.
    package enum WaitingReason: Sendable {
        /// A reason, by Apple's name.
        case toMinimizeStalls, evaluatingBufferingRate, noItemToPlay
    }

    /// The state of the current item.
    package enum Item: Sendable {
        /// There is no current item.
        case none
        /// The duration or the first sound is not known yet.
        case loading
        /// The item can play.
        case ready
        /// The item can never play.
        case failed
    }

    /// The requested rate; 0 exactly while paused.
    package private(set) var rate: Float = 0
    /// The state.
    package private(set) var control = Control.paused
    /// The reason for `waiting`; `nil` in other states.
    package private(set) var reason: WaitingReason?
    /// Whether a start waits until playback is likely to keep up.
    package private(set) var automaticallyWaits = true

    var isItemReady: Bool { item == .ready }
    var isItemFailed: Bool { item == .failed }

    /// The only rate at which the item can play; `nil` for any rate.
    private var onlyRate: Float?
    private var item = Item.none
    private var buffer = BufferLevels()
    /// The pending start waits only for the first sound.
    private var isImmediate = false
    /// The last start waited only for the first sound.
    private(set) var isStartImmediate = false

    /// Makes a paused transport without an item.
    package init() {}

    /// Clamps a rate to 0 ... 32: a negative rate would be silence on every speaker, so it becomes 0.
    package static func playable(_ rate: Float) -> Float { rate.isFinite ? min(max(rate, 0), 32) : 0 }

    // MARK: Requests

    /// Sets the requested rate; 0 pauses. A start may have to wait for sound.
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

    /// Starts with the sound at hand.
    package mutating func playImmediately(_ wanted: Float) {
        guard wanted != 0 else { return pause() }
        rate = onlyRate ?? wanted
        if control == .playing { return }
        isImmediate = true
        // Without sound this is a stall that is not reported.
        if item == .ready, buffer.isEmpty { stall() } else { proceed() }
    }

    /// Sets whether a start waits until playback is likely to keep up; `false` ends such a wait.
    package mutating func setAutomaticallyWaits(_ waits: Bool) {
        automaticallyWaits = waits
        if control == .waiting { proceed() }
    }

    /// Pauses: the rate becomes 0.
    package mutating func pause() { (rate, control, reason, isImmediate) = (0, .paused, nil, false) }

    // MARK: Events

    /// Sets the current item, or its new state.
    ///
    /// - Parameter onlyRate: The only rate at which the item can play, as 1 for a live stream; `nil` for any
    ///   rate.
    package mutating func itemBecame(_ item: Item, _ levels: BufferLevels, onlyRate: Float? = nil) {
        (self.item, buffer, self.onlyRate) = (item, levels, onlyRate)
        if let onlyRate, rate != 0 { rate = onlyRate }
        if item == .failed { return pause() }
        // A gapless transition changes nothing.
        if control == .paused || (control == .playing && item == .ready && !levels.isEmpty) { return }
        proceed()
    }

    /// Updates the buffer levels, which may end a wait.
    package mutating func levelsBecame(_ levels: BufferLevels) {
        buffer = levels
        if control == .waiting { proceed() }
    }

    /// Reports an underrun: the last sample at hand was heard before the end of the item.
    ///
    /// - Returns: Whether this is a stall that the item must report.
    package mutating func ranDry() -> Bool {
        guard control == .playing else { return false }
        buffer = BufferLevels()
        stall()
        return true
    }

    /// Rebuffers the item, as after a seek; time stands meanwhile.
    package mutating func mustRefill() {
        buffer = BufferLevels()
        if control == .playing { proceed() }
    }

    /// Ends the buffering-rate evaluation without enough fill rate.
    package mutating func evaluationEnded() {
        if reason == .evaluatingBufferingRate { reason = .toMinimizeStalls }
    }

    /// Handles the end of the last item. Time stands there.
    package mutating func itemEnded(staysAtRate: Bool) { if !staysAtRate { pause() } }

    // MARK: Rules

    /// Moves from waiting, or from a new start, to the state that is possible now.
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
        return buffer.isEnough
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
