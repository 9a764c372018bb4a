import TuttiClockService
import TuttiMediaTime

/// The answers of a session without the ability that is asked for.
extension SpeakerSession {
    /// The time of ``clockReport``.
    package var readyTime: HostTime? { clockReport.readyTime }
    /// The state of ``clockReport``.
    package var clockState: PeerClockState { clockReport.shownState }

    /// Returns at once.
    package func waitForBeginning(at frame: Int64, sampleRate: SampleRate) async -> Duration { .zero }
    /// Starts anew.
    package func move(to line: FrameLine) async throws { _ = try await start(line, needsBeginning: false) }
    /// Returns `nil`.
    package func followsLine() async -> Bool? { nil }
    /// Does nothing.
    package func refill(from frame: Int64) async throws {}

    /// Returns true.
    package func canTakeBack(at playhead: Int64) async -> Bool { true }
    /// The margin of ``traits``.
    package var exchangeMargin: Duration { traits.takeBackMargin ?? .zero }
    /// Takes back without the message.
    package func takeBackSilently(from frame: Int64) async { _ = await takeBack(from: frame) }

    /// Does nothing.
    package func show(_ track: ScheduledTrack, _ update: DisplayUpdate, playhead: Int64) async throws {}
    /// Does nothing.
    package func showProgress(of track: ScheduledTrack, playhead: Int64) async throws {}

    /// Zero.
    package var answerTime: Duration { .zero }
    /// Returns `nil`.
    package var lastAnswer: HostTime? { nil }
    /// Does nothing.
    package func feedback() async throws {}
    /// Returns false.
    package func answersAnew() async -> Bool { false }
    /// Ends the session.
    package func detach(_ failure: SpeakerFailure) { fail(failure) }
    /// Ends the session as closed.
    package func abandon() { fail(.closed) }
    /// Abandons the session.
    package func leave() { abandon() }
    package func close() async { abandon() }
}
