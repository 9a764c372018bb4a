import CoreMedia
import TuttiMediaTime

// Flushing: all sound, or sound from a time on.
extension PacketRoute {
    @discardableResult
    package func flush() -> Bool {
        change { state in
            guard let generation = state.flush() else { return false }
            codec.async { [self] in
                change { $0.reach(generation) }
                dropPackets()
                recount()
                client?.routeMayTakeMore()
                rearm()
            }
            return true
        }
    }

    @discardableResult
    package func flush(from time: CMTime, done: @escaping @Sendable (Bool) -> Void) -> Bool {
        change { state in
            guard state.phase != .detached else { return false }
            let cut = state.cut(from: time, done: done)
            codec.async { [self] in request(cut) }
            return true
        }
    }

    private func request(_ cut: PacketRouteCut) { if change({ $0.mayBegin(cut) }) { perform(cut) } }

    /// Runs on the codec queue; nothing is packed until the speakers have responded.
    private func perform(_ cut: PacketRouteCut) {
        let now = clock.now
        guard change({ $0.allows(cut, at: now) }) else { return cut.done(false) }
        guard let frame = pipeline.cutFrame(for: cut.time) else {
            // No packet holds this sound yet: only the backlog has it.
            pipeline.dropBacklog(from: cut.time)
            change { $0.forget(cut) }
            recount()
            cut.done(true)
            client?.routeMayTakeMore()
            return rearm()
        }
        change { $0.beginCut() }
        // Synchronously, not in a task: a later flush must reach the output after this cut.
        output.cut(at: frame) { [self] isCut in
            codec.async { [self] in finish(cut, at: frame, isCut: isCut) }
        }
    }

    private func finish(_ cut: PacketRouteCut, at frame: Int64, isCut: Bool) {
        let waiting = change { $0.endCut() }
        defer { waiting.forEach(request) }
        guard isCut, change({ $0.flushes.isCurrent(cut.generation) }) else {
            work()
            return cut.done(false)
        }
        pipeline.dropBacklog(from: cut.time)
        do { try pipeline.cut(at: cut.time) } catch { fail(error) }
        output.resume(from: frame)
        change { $0.forget(cut) }
        recount()
        work()
        cut.done(true)
        client?.routeMayTakeMore()
    }
}
