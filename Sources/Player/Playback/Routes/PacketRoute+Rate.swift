import CoreMedia
import TuttiMediaTime

// Starts, stops and rate changes.
extension PacketRoute {
    package func start(
        at time: CMTime, rate: Double, hostTime: HostTime?, started: @escaping @Sendable (HostTime) -> Void
    ) {
        change { state in
            guard let queued = state.start(at: time) else { return }
            codec.async { [self] in
                changeSpeed(to: rate, from: time, queued)
                run(from: time, rate: rate, hostTime: hostTime, started: started)
            }
        }
    }

    private func run(
        from time: CMTime, rate: Double, hostTime: HostTime?, started: @escaping @Sendable (HostTime) -> Void
    ) {
        let now = clock.now
        guard let start = change({ $0.begin(at: time, rate: rate, now: now) }) else { return }
        packOn()
        rearm()
        let generation = change { $0.flushes.reached }
        output.start(at: pipeline.frame(of: time), host: hostTime) { [weak self] host in
            guard let self, change({ $0.answer(start, host: host) }) else { return }
            // Sound that came behind a flush found no line yet.
            if store.endFrame != nil, change({ !$0.flushes.isCurrent(generation) }) { output.anchorAgain() }
            rearm()
            // The speakers are open now, so their size is known.
            askForSize(isUrgent: true)
            started(host)
        }
    }

    /// Repacks sound that was packed for another rate. Runs on the codec queue.
    private func changeSpeed(to rate: Double, from time: CMTime, _ queued: PacketRouteState.Queued) {
        guard pipeline.speed.rate != rate else { return }
        dropPackets()
        pipeline.speed = PlaybackSpeed(rate: rate, origin: time)
        let isCurrent = change { $0.flushes.isCurrent(queued.generation) }
        for buffer in isCurrent ? queued.buffers : [] { pipeline.backlog.append(buffer) }
        recount()
        work()
        // This sound was packed for the old rate, and its buffers are gone.
        if isCurrent, queued.isLost { client?.routeDidFlush(from: time) }
    }

    package func stop(at time: CMTime) {
        change { state in
            guard state.stop() else { return }
            codec.async { [self] in
                let now = clock.now
                if change({ $0.end(at: time, now: now) }) { output.stop(at: pipeline.frame(of: time)) }
                packOn()
                client?.routeMayTakeMore()
                rearm()
            }
        }
    }

    package func stand(at time: CMTime) {
        codec.async { [self] in
            let now = clock.now
            change { $0.stand(at: time, now: now) }
            packOn()
            client?.routeMayTakeMore()
            rearm()
        }
    }
}
