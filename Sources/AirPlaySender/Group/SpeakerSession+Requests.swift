import MediaTime

extension SpeakerSession {
    /// Carries out a request of the ``GroupPlan``; returns the answer for it.
    func answer(to request: GroupRequest, sampleRate: SampleRate) async -> GroupAnswer {
        do {
            switch request {
            case .prepare(let frame): try await prepare(at: frame)
            case .waitForBeginning(let frame): await waitForBeginning(at: frame, sampleRate: sampleRate)
            case .start(let line, let needsBeginning):
                return .start(try await start(line, needsBeginning: needsBeginning))
            case .move(let line): try await move(to: line)
            case .askWhetherItFollows: return .follows(await followsLine())
            case .stop: try await stop()
            case .refill(let frame): try await refill(from: frame)
            case .clear: try await clear()
            }
            return .done
        } catch {
            return .failed(SpeakerFailure(error))
        }
    }
}
