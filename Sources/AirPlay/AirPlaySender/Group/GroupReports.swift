/// The events of a group, in order, for one reader. A reader that does not keep up loses the oldest of 1024.
struct GroupReports: Sendable {
    let events: AsyncStream<SpeakerGroupEvent>
    private let continuation: AsyncStream<SpeakerGroupEvent>.Continuation

    init() {
        // Bounded, so that a program that does not read its events loses the oldest events instead of memory.
        (events, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1024))
    }

    func post(_ event: SpeakerGroupEvent) { continuation.yield(event) }

    /// Posts a warning, unless the failure is only that the session was closed.
    func warn(of failure: SpeakerFailure, speaker: NamedSpeaker) {
        guard failure.code != .closed else { return }
        post(.warning(speaker: speaker, code: failure.code.rawValue, message: failure.message))
    }

    func finish() { continuation.finish() }
}
