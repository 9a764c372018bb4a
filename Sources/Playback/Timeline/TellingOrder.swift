import Synchronization

/// Has one thread at a time tell of something that changes: of how it is by then.
///
/// Who comes while another tells leaves it to that one, which tells once more. So nobody hears of an older state after
/// a newer one, and no lock is held while others are told.
final class TellingOrder: Sendable {
    private struct State {
        var isTelling = false
        var isDue = false
        var isJump = false
    }

    private let state = Mutex(State())

    /// - Parameters:
    ///   - isJump: whether time was set.
    ///   - body: reads the state and tells of it; whether time was set since it was told last. The same in every call.
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
