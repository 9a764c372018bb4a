import CoreMedia
import MediaTime

// Starts, stops and rate changes.
extension PacketRoute {
    public func start(
        at time: CMTime, rate: Double, hostTime: HostTime?, started: @escaping @Sendable (HostTime) -> Void
    ) {
        // Sound enqueued after this call is packed after it, at the new rate.
        shared.withLock { shared in
            let hasSound = shared.enqueued.map { $0.end > time } ?? false
            let queued = Queued(buffers: shared.kept.all, isLost: hasSound && shared.kept.all.isEmpty)
            (shared.mayRun, shared.isRateKnown) = (true, true)
            if !keepsBuffers(shared) { shared.kept.removeAll() }
            codec.async { [self, generation = shared.generation] in
                changeSpeed(to: rate, from: time, isCurrent(generation) ? queued : Queued())
                run(from: time, rate: rate, hostTime: hostTime, started: started)
            }
        }
    }

    private func run(
        from time: CMTime, rate: Double, hostTime: HostTime?, started: @escaping @Sendable (HostTime) -> Void
    ) {
        let start = shared.withLock { shared in
            (shared.isRunning, shared.position, shared.line, shared.rate) = (true, time, nil, rate)
            shared.hasRun = true
            shared.starts += 1
            return shared.starts
        }
        output.start(at: pipeline.frame(of: time), host: hostTime) { [weak self] host in
            let isCurrent = self?.shared.withLock { shared in
                guard shared.starts == start else { return false }
                shared.line = (time, host)
                return true
            }
            if isCurrent == true { started(host) }
        }
    }

    /// The sound enqueued before a start.
    private struct Queued: Sendable {
        var buffers: [CMSampleBuffer] = []
        /// Sound was enqueued, but only its packets are left.
        var isLost = false
    }

    /// Repacks sound that was packed for another rate. Runs on the codec queue.
    private func changeSpeed(to rate: Double, from time: CMTime, _ queued: Queued) {
        guard pipeline.speed.rate != rate else { return }
        pipeline.flush()
        store.removeAll()
        output.clear()
        pipeline.speed = PlaybackSpeed(rate: rate, origin: time)
        for buffer in queued.buffers { pipeline.backlog.append(buffer) }
        recount()
        work()
        // This sound was packed for the old rate, and its buffers are gone.
        if queued.isLost { client?.routeDidFlush(from: time) }
    }

    public func stop(at time: CMTime) {
        shared.withLock { shared in
            shared.mayRun = false
            if shared.enqueued == nil { shared.isRateKnown = false }
            codec.async { [self] in
                if endRun(at: time) { output.stop(at: pipeline.frame(of: time)) }
                client?.routeMayTakeMore()
            }
        }
    }

    /// Ends the run.
    ///
    /// - Returns: whether the output ran, or was last told another position.
    private func endRun(at time: CMTime) -> Bool {
        shared.withLock { shared in
            defer { (shared.isRunning, shared.position, shared.line) = (false, time, nil) }
            shared.starts += 1
            return shared.isRunning || (shared.hasRun && shared.position != time)
        }
    }

    public func stand(at time: CMTime) {
        codec.async { [self] in
            shared.withLock { if !$0.isRunning { $0.position = time } }
            client?.routeMayTakeMore()
        }
    }
}
