import Synchronization

/// Serializes notifications; the latest state wins.
///
/// A thread that arrives during a notification leaves it to the notifying thread, which then notifies once
/// more. So no observer sees an older state after a newer one, and no lock is held during a callback.
final class NotificationSerializer: Sendable {
    private struct State {
        var isTelling = false
        var isDue = false
        var isJump = false
    }

    private let state = Mutex(State())

    /// - Parameters:
    ///   - isJump: Whether time was set.
    ///   - body: Reads the state and notifies observers; its argument says whether time was set since the
    ///     last call. Must be the same in every call.
    func tell(isJump: Bool = false, _ body: (_ isJump: Bool) -> Void) {
        let isFirst = state.withLock { state in
            (state.isDue, state.isJump) = (true, state.isJump || isJump)
            defer { state.isTelling = true }
            return !state.isTelling
        }
        guard isFirst else { return }
        while let isJump = next() { body(isJump) }
    }

    private func next() -> Bool? {
        state.withLock { state in
            guard state.isDue else {
                state.isTelling = false
                return nil
            }
            defer { (state.isDue, state.isJump) = (false, false) }
            return state.isJump
        }
    }
}
