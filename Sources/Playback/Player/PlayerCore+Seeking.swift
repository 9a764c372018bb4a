import CoreMedia
import Dispatch
import MediaTime

/// A requested seek.
struct Seek: Sendable {
    let id: Int
    var target: CMTime
    /// Host time from which the seek may begin; debounces a burst, so that only its last seek runs.
    let earliest: HostTime
    let completion: @Sendable (Bool) -> Void

    /// Calls the completion, always asynchronously on the main queue.
    func end(_ isDone: Bool) {
        let completion = completion
        DispatchQueue.main.async { completion(isDone) }
    }
}

/// The debounce of seeks in quick succession, as from a slider.
struct SeekBurst: Sendable {
    /// The latest seek.
    private var last: HostTime?
    /// Start of the burst since the last seek that ran.
    private var heldSince: HostTime?

    /// Adds a seek and returns the host time from which the seek may run.
    mutating func add(_ now: HostTime) -> HostTime {
        defer { last = now }
        guard let last, now.since(last) < Self.gap else {
            heldSince = nil
            return now
        }
        let since = heldSince ?? now
        heldSince = since
        return min(now.advanced(by: Self.quiet), since.advanced(by: Self.longestWait))
    }

    mutating func carriedOut() { heldSince = nil }

    /// Seeks at least this far apart are independent.
    private static let gap = Duration.milliseconds(100)
    /// The quiet time after which the latest seek runs.
    private static let quiet = Duration.milliseconds(40)
    /// The longest delay: during a long drag, seeks still run.
    private static let longestWait = Duration.milliseconds(100)
}

/// A requested preroll.
struct Preroll: Sendable {
    let completion: @Sendable (Bool) -> Void

    func end(_ isDone: Bool) {
        let completion = completion
        DispatchQueue.main.async { completion(isDone) }
    }
}

extension PlayerCore {
    /// Continues at item time `time`, exactly. Calls `completion` on the main queue; a later seek or another
    /// item completes this seek with `false`.
    package func seek(to time: CMTime, completion: @escaping @Sendable (Bool) -> Void) {
        _ = seek(to: time, of: nil, completion: completion)
    }

    /// - Parameter item: the item of `time`; `nil` for the current item.
    /// - Returns: `false`, and nothing happens, if `item` is not the current item.
    package func seek(
        to time: CMTime, of item: PlayerItem?, completion: @escaping @Sendable (Bool) -> Void
    ) -> Bool {
        if let item, item !== currentItem { return false }
        cancelPreroll()
        let target = time == .positiveInfinity || time.isNumeric ? max(.zero, time) : .invalid
        let now = clock.now
        let (old, isPossible) = shared.withLock { shared in
            let old = shared.seek
            guard target.isValid, let head = shared.items.first, item.map({ $0 === head }) ?? true,
                head.state.status != .failed
            else { return (nil as Seek?, false) }
            let earliest = shared.burst.add(now)
            shared.seekCount += 1
            shared.seek = Seek(
                id: shared.seekCount, target: target, earliest: earliest, completion: completion)
            return (old, true)
        }
        old?.end(false)
        guard isPossible else {
            Seek(id: 0, target: time, earliest: now, completion: completion).end(false)
            return true
        }
        needsTurn()
        return true
    }

    /// Completes the pending seek with `false`.
    package func cancelPendingSeeks() {
        let old = shared.withLock { shared in
            defer { shared.seek = nil }
            return shared.seek
        }
        old?.end(false)
    }

    /// Calls `completion` on the main queue with `true` once a start would be heard at once, or with `false`
    /// if the preroll is cancelled or the queue is empty.
    package func preroll(_ completion: @escaping @Sendable (Bool) -> Void) {
        let preroll = Preroll(completion: completion)
        let (old, isPossible) = shared.withLock { shared in
            defer { shared.preroll = shared.items.isEmpty ? nil : preroll }
            return (shared.preroll, !shared.items.isEmpty)
        }
        old?.end(false)
        if isPossible { needsTurn() } else { preroll.end(false) }
    }

    /// Completes the pending preroll with `false`.
    package func cancelPreroll() {
        let old = shared.withLock { shared in
            defer { shared.preroll = nil }
            return shared.preroll
        }
        old?.end(false)
    }

    // MARK: On the queue

    func beginSeek() {
        guard let seek = shared.withLock({ $0.seek }), seek.id != begunSeek, timeUntilSeek == nil,
            let head = laid.first, let facts = head.feed.state.facts
        else { return }
        begunSeek = seek.id
        shared.withLock { $0.burst.carriedOut() }
        guard facts.isSeekable else { return finish(seek, isDone: false) }
        let target = place(of: seek.target, head, facts)
        guard target.isNumeric else { return finish(seek, isDone: false) }
        hasEnded = false
        shared.withLock { shared in
            if shared.seek?.id == seek.id { shared.seek?.target = target }
        }
        let time = head.start + target
        if isInOutputs(time, head) {
            jump(to: time)
            return land(seek)
        }
        refill(from: target)
        update { $0.machine.mustRefill() }
    }

    /// Limits the target to the item's end. Behind an estimated end there may be more sound.
    private func place(of target: CMTime, _ head: LaidItem, _ facts: ItemFacts) -> CMTime {
        let duration = head.measuredDuration ?? facts.duration
        guard duration.isNumeric, !head.isDurationGuessed || !target.isNumeric else { return target }
        return min(target, duration)
    }

    /// The time left until the pending seek may run, during which nothing is heard; `nil` if no seek waits.
    var timeUntilSeek: Duration? {
        guard let seek = shared.withLock({ $0.seek }), seek.id != begunSeek else { return nil }
        let left = seek.earliest.since(clock.now)
        return left > .zero ? left : nil
    }

    /// Whether the outputs have the sound at `time` and after it.
    private func isInOutputs(_ time: CMTime, _ head: LaidItem) -> Bool {
        guard !isSplicing, time >= timeline.currentTime, head.end > head.start else { return false }
        return head.isComplete ? time < head.end : time + Self.leastInOutputs < head.end
    }

    private static let leastInOutputs = CMTime(value: 2, timescale: 1)

    func landSeek() {
        guard let seek = shared.withLock({ $0.seek }), seek.id == begunSeek, let head = laid.first else {
            return
        }
        let state = head.feed.state
        guard state.seekCount == head.seekCount else { return }
        if state.hasSound { return land(seek) }
        if state.error != nil { finish(seek, isDone: false) }
    }

    private func land(_ seek: Seek) {
        finish(seek, isDone: true)
        laid.first?.item.post(.timeJumped)
    }

    private func finish(_ seek: Seek, isDone: Bool) {
        let isLast = shared.withLock { shared in
            guard shared.seek?.id == seek.id else { return false }
            shared.seek = nil
            return true
        }
        if isLast { seek.end(isDone) }
    }

    func finishPreroll() {
        guard let head = laid.first, let preroll = shared.withLock({ $0.preroll }) else { return }
        let state = head.item.state
        guard state.levels.isLikelyToKeepUp || state.levels.isFull,
            head.isComplete || renderQueue.hasSufficientData(at: timeline.currentTime)
        else { return }
        shared.withLock { $0.preroll = nil }
        preroll.end(true)
    }
}
