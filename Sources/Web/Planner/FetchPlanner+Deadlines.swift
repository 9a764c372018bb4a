internal import MediaTime

/// Deadlines and time-outs.
extension FetchPlanner {
    /// The time of the next call to ``handleTimeout(at:)``; `nil` if nothing is pending.
    var nextDeadline: HostTime? {
        var deadlines = fetches.indices.compactMap { deadline(of: $0) }
        if let limit = readerDeadline { deadlines.append(limit) }
        if let limit = rateDeadline { deadlines.append(limit) }
        return deadlines.min()
    }

    private func deadline(of fetch: Int) -> HostTime? {
        let idle = fetches[fetch].serial == nil ? nil : fetches[fetch].leftAt?.advanced(by: limits.idleLimit)
        let own: HostTime? =
            switch fetches[fetch].phase {
            case .waiting(let until, _): until
            case .asking(let since): since.advanced(by: limits.answerLimit)
            // A held fetch has no stall deadline: its server was told to wait.
            case .flowing(let last): last.advanced(by: limits.stallLimit)
            case .idle, .held, .complete: nil
            }
        return [idle, own].compactMap(\.self).min()
    }

    /// The time at which a waiting reader gets `.timedOut`.
    private var readerDeadline: HostTime? {
        guard let waitingSince, failure == nil, fetches.indices.contains(active) else { return nil }
        return max(waitingSince, fetches[active].progress).advanced(by: limits.timeLimit)
    }

    /// The time at which a waiting reader gets `.tooSlow`.
    private var rateDeadline: HostTime? {
        guard waitingSince != nil, failure == nil, let starvation else { return nil }
        return starvation.since.advanced(by: limits.leastTime)
    }

    /// Acts on expired deadlines. Idempotent, and safe to call early.
    mutating func handleTimeout(at now: HostTime) {
        if let limit = readerDeadline, now >= limit {
            abandon(active)
            failure = .timedOut(limits.timeLimit)
            return wake()
        }
        if let limit = rateDeadline, now >= limit, let starvation {
            return fail(.tooSlow(bytes: starvation.byteCount, limits.leastTime))
        }
        for fetch in fetches.indices {
            guard let deadline = deadline(of: fetch), now >= deadline else { continue }
            if fetches[fetch].leftAt != nil {
                abandon(fetch)
                continue
            }
            switch fetches[fetch].phase {
            case .waiting(_, let cause): ask(fetch, cause, now)
            case .asking: askAgain(fetch, .lost("no answer"), now)
            case .flowing: askAgain(fetch, .lost("data stopped arriving"), now)
            case .idle, .held, .complete: break
            }
        }
    }

    private mutating func askAgain(_ fetch: Int, _ error: WebError, _ now: HostTime) {
        abandon(fetch)
        retry(fetch, error, now)
    }
}
