import CoreMedia
import MediaTime

// What is taken back: everything, or what lies ahead of a time.
extension PacketRoute {
    public func flush() {
        shared.withLock { shared in
            shared.generation += 1
            (shared.backlogSeconds, shared.backlogBytes) = (0, 0)
            (shared.isComplete, shared.isStoreFull, shared.encoded) = (false, false, nil)
            (shared.enqueued, shared.isFull) = (nil, false)
            shared.kept.removeAll()
            if !shared.mayRun { shared.isRateKnown = false }
        }
        codec.async { [self] in
            pipeline.flush()
            store.removeAll()
            output.clear()
            client?.routeMayTakeMore()
        }
    }

    public func flush(from time: CMTime, done: @escaping @Sendable (Bool) -> Void) {
        let generation = shared.withLock { $0.generation }
        codec.async { [self] in
            if isCutting { return waitingCuts.append { [self] in cut(at: time, generation, done: done) } }
            cut(at: time, generation, done: done)
        }
    }

    /// On the codec queue: the pipeline stands still until the speakers have answered.
    private func cut(at time: CMTime, _ generation: Int, done: @escaping @Sendable (Bool) -> Void) {
        guard shared.withLock({ $0.generation }) == generation, isAhead(time) else { return done(false) }
        guard let frame = pipeline.cutFrame(for: time) else {
            // Nothing of it is encoded yet: only the backlog has it.
            pipeline.dropBacklog(from: time)
            forget(from: time)
            recount()
            done(true)
            client?.routeMayTakeMore()
            return
        }
        (pipeline.isSuspended, isCutting) = (true, true)
        Task { [output] in
            let isCut = await output.cut(at: frame)
            codec.async { [self] in
                (pipeline.isSuspended, isCutting) = (false, false)
                defer { while !isCutting, !waitingCuts.isEmpty { waitingCuts.removeFirst()() } }
                guard isCut, shared.withLock({ $0.generation == generation }) else {
                    work()
                    return done(false)
                }
                pipeline.dropBacklog(from: time)
                do { try pipeline.cut(at: time) } catch { client?.routeDidFail(error) }
                output.goOn(from: frame)
                forget(from: time)
                recount()
                work()
                done(true)
                client?.routeMayTakeMore()
            }
        }
    }

    /// Whether none of the sound from `time` on has been heard, or is about to be.
    private func isAhead(_ time: CMTime) -> Bool {
        let now = clock.now
        return shared.withLock { shared in
            let margin = shared.isRunning ? depth.cutMargin : 0
            return (time - shared.playhead(at: now)).seconds >= margin
        }
    }

    private func forget(from time: CMTime) {
        shared.withLock { shared in
            (shared.isComplete, shared.isFull) = (false, false)
            if let enqueued = shared.enqueued {
                let isBehind = time > enqueued.start
                shared.enqueued = isBehind ? (enqueued.start, CMTimeMinimum(enqueued.end, time)) : nil
            }
            shared.kept.drop(from: time)
        }
    }
}
