import CoreMedia
import MediaTime

// Flushing: all sound, or sound from a time on.
extension PacketRoute {
    public func flush() {
        shared.withLock { shared in
            shared.generation += 1
            (shared.backlog, shared.isComplete, shared.encoded) = (UnpackedSound(), false, nil)
            (shared.enqueued, shared.isFull) = (nil, false)
            shared.kept.removeAll()
            if !shared.mayRun { shared.isRateKnown = false }
            codec.async { [self, generation = shared.generation] in
                reached = generation
                pipeline.flush()
                store.removeAll()
                output.clear()
                recount()
                client?.routeMayTakeMore()
            }
        }
    }

    public func flush(from time: CMTime, done: @escaping @Sendable (Bool) -> Void) {
        shared.withLock { shared in
            let cut = Cut(time: time, generation: shared.generation, ends: shared.ends, done: done)
            codec.async { [self] in
                if isCutting { return waitingCuts.append { [self] in perform(cut) } }
                perform(cut)
            }
        }
    }

    /// A call of ``flush(from:done:)``.
    private struct Cut: Sendable {
        var time: CMTime
        var generation: Int
        var ends: Int
        var done: @Sendable (Bool) -> Void
    }

    /// Runs on the codec queue; the pipeline is suspended until the speakers have responded.
    private func perform(_ cut: Cut) {
        guard isCurrent(cut.generation), isAhead(cut.time) else { return cut.done(false) }
        guard let frame = pipeline.cutFrame(for: cut.time) else {
            // No packet holds this sound yet: only the backlog has it.
            pipeline.dropBacklog(from: cut.time)
            forget(cut)
            recount()
            cut.done(true)
            client?.routeMayTakeMore()
            return
        }
        (pipeline.isSuspended, isCutting) = (true, true)
        // Synchronously, not in a task: a later flush must reach the output after this cut.
        output.cut(at: frame) { [self] isCut in
            codec.async { [self] in
                (pipeline.isSuspended, isCutting) = (false, false)
                defer { while !isCutting, !waitingCuts.isEmpty { waitingCuts.removeFirst()() } }
                guard isCut, isCurrent(cut.generation) else {
                    work()
                    return cut.done(false)
                }
                pipeline.dropBacklog(from: cut.time)
                do { try pipeline.cut(at: cut.time) } catch { fail(error) }
                output.resume(from: frame)
                forget(cut)
                recount()
                work()
                cut.done(true)
                client?.routeMayTakeMore()
            }
        }
    }

    /// Returns whether no sound from `time` on has been heard or is about to be.
    private func isAhead(_ time: CMTime) -> Bool {
        let now = clock.now
        return shared.withLock { shared in
            let margin = shared.isRunning ? depth.cutMargin : 0
            return (time - shared.playhead(at: now)).seconds >= margin
        }
    }

    private func forget(_ cut: Cut) {
        shared.withLock { shared in
            guard shared.generation == cut.generation else { return }
            if shared.ends == cut.ends { shared.isComplete = false }
            shared.isFull = false
            if let enqueued = shared.enqueued {
                let isBehind = cut.time > enqueued.start
                shared.enqueued = isBehind ? (enqueued.start, CMTimeMinimum(enqueued.end, cut.time)) : nil
            }
            shared.kept.drop(from: cut.time)
        }
    }
}
