import TuttiMediaTime

/// Deadlines and time-outs.
extension FetchPlanner {
    /// The time of the next call to ``handleTimeout(at:)``; `nil` if nothing is pending.
    var nextDeadline: HostTime? {
        (fetches.compactMap { $0.deadline(limits) } + waitFailures.map(\.at)).min()
    }

    private var waitFailures: [(at: HostTime, error: WebError)] {
        guard failure == nil, fetches.indices.contains(active) else { return [] }
        return wait.failures(progress: fetches[active].progress, limits: limits)
    }

    /// Acts on expired deadlines. Idempotent, and safe to call early.
    mutating func handleTimeout(at now: HostTime) {
        if let expired = waitFailures.first(where: { now >= $0.at }) {
            // A time-out is not final, so the other fetch keeps its transfer.
            guard case .timedOut = expired.error else { return fail(expired.error) }
            abandon(active)
            failure = expired.error
            return wake()
        }
        for fetch in fetches.indices {
            guard let deadline = fetches[fetch].deadline(limits), now >= deadline else { continue }
            switch fetches[fetch].phase {
            case _ where fetches[fetch].leftAt != nil: abandon(fetch)
            case .waiting(_, let cause): ask(fetch, cause, now)
            case .asking: retry(fetch, .lost("no answer"), now)
            case .flowing: retry(fetch, .lost("data stopped arriving"), now)
            case .idle, .held, .complete: break
            }
        }
    }
}
