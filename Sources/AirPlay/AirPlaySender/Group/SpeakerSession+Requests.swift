import TuttiMediaTime

extension SpeakerSession {
    /// Carries out a request of the ``GroupPlan``; returns the answer for it.
    ///
    /// - Parameter delay: The speaker's distance from the group's line. Here, and nowhere else, a line of the
    ///   group becomes the session's.
    func answer(
        to request: GroupRequest, sampleRate: SampleRate, delay: SpeakerDelay
    ) async -> GroupAnswer {
        do {
            switch request {
            case .prepare(let frame): try await prepare(at: frame)
            case .waitForBeginning(let frame):
                return .sent(blocked: await waitForBeginning(at: frame, sampleRate: sampleRate))
            case .start(let line, let needsBeginning):
                return .start(
                    try await start(delay.applied(to: line), needsBeginning: needsBeginning))
            case .move(let line): try await move(to: delay.applied(to: line))
            case .askWhetherItFollows: return .follows(await followsLine())
            case .stop: return .stopped(at: try await stop())
            case .refill(let frame): try await refill(from: frame)
            case .clear: try await clear()
            }
            return .done
        } catch {
            return .failed(SpeakerFailure(error))
        }
    }
}
