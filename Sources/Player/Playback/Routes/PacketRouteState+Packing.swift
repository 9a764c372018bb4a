import CoreMedia

/// A call of ``PacketRoute/flush(from:done:)``, with the generations it was made in.
struct PacketRouteCut: Sendable {
    var time: CMTime
    var generation: Int
    var ends: Int
    var done: @Sendable (Bool) -> Void
}

// Transitions of the codec queue's work.
extension PacketRouteState {
    /// Whether a step may pack now: no question to the output is open, and no flush is pending, which will drop
    /// the sound.
    var mayPack: Bool {
        switch packing {
        case .idle, .queued: flushes.isReached && phase != .detached
        case .asking, .cutting: false
        }
    }

    /// Whether no step is queued and no question is open.
    var isIdle: Bool { if case .idle = packing { true } else { false } }

    /// Queues a step.
    ///
    /// - Returns: The step; `nil` if one is queued, or an answer will bring one.
    mutating func queueStep() -> Int? {
        guard isIdle else { return nil }
        steps += 1
        packing = .queued(step: steps)
        return steps
    }

    /// Begins a queued step.
    ///
    /// - Returns: `false` if a question came before the step; its answer brings another step.
    mutating func beginStep(_ step: Int) -> Bool {
        guard case .queued(step: step) = packing else { return false }
        packing = .idle
        return true
    }

    /// Begins the question for the output's capabilities.
    mutating func ask() { if mayPack { packing = .asking } }

    /// Takes the answer to ``ask()``.
    mutating func answered() { if case .asking = packing { packing = .idle } }

    /// Returns whether `cut` may begin; otherwise the cut waits for the one under way.
    mutating func mayBegin(_ cut: PacketRouteCut) -> Bool {
        guard case .cutting(let waiting) = packing else { return true }
        packing = .cutting(waiting: waiting + [cut])
        return false
    }

    /// Begins the question for a cut.
    mutating func beginCut() { if !isCutting { packing = .cutting(waiting: []) } }

    private var isCutting: Bool { if case .cutting = packing { true } else { false } }

    /// Takes the answer to ``beginCut()``.
    ///
    /// - Returns: The cuts that waited.
    mutating func endCut() -> [PacketRouteCut] {
        guard case .cutting(let waiting) = packing else { return [] }
        packing = .idle
        return waiting
    }
}
