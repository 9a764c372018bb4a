import AirPlayMessages
import TuttiMediaTime
import TuttiRTSP

/// A session with a speaker on the network, whose requests go over one control connection.
protocol NetworkSession: Actor, SpeakerSession {
    /// The requests that every kind of session makes.
    nonisolated var control: SessionControl { get }
    /// The clock that the speaker follows.
    nonisolated var clock: SessionClock { get }

    /// Returns the RTP time of a frame of the group's timeline.
    nonisolated func time(of frame: Int64) -> RTPTime
    /// The request that ends the session at the speaker.
    nonisolated var teardown: RTSPRequest { get }
    /// Makes the requests of an ordered end, ``teardown`` last; throws once the speaker does not answer. Called once.
    func takeLeave() async throws
    /// Closes every connection, and ends the session's part in the clock. Called once.
    nonisolated func release()
}

extension NetworkSession {
    // MARK: Clock

    nonisolated var readyTime: HostTime? { clock.readyTime }
    nonisolated var clockReport: ClockReport { clock.report(of: traits.receiver) }

    // MARK: Displays and volume

    func setVolume(_ volume: Volume) async throws { try await control.setVolume(volume) }

    func show(_ track: ScheduledTrack, _ update: DisplayUpdate, playhead: Int64) async throws {
        try await control.show(update, at: time(of: track.frame))
        try await showProgress(of: track, playhead: playhead)
    }

    func showProgress(of track: ScheduledTrack, playhead: Int64) async throws {
        try await control.showProgress(
            start: time(of: track.frame), current: time(of: max(track.frame, playhead)),
            end: time(of: track.frame + track.frameCount))
    }

    // MARK: Life

    nonisolated var answerTime: Duration { control.answerTime }
    nonisolated var lastAnswer: HostTime? { control.channel.lastAnswer }
    nonisolated func answersAnew() async -> Bool { await control.answersAnew() }
    nonisolated func ended() async -> SpeakerFailure { await control.channel.ended() }
    nonisolated func fail(_ failure: SpeakerFailure) {
        // A session that ends in order is not closed before its last words are on their way. Any other has last words, too: the
        // speaker may be out of reach, and play on what it holds.
        if !control.isInOrderedEnd { control.leave(with: teardown, because: failure) }
    }
    nonisolated func detach(_ failure: SpeakerFailure) { control.channel.detach(failure) }

    nonisolated func abandon() {
        // An ordered end comes here twice, and a clock counts its sessions: another one may be with the same address.
        if control.isFirstRelease() { release() }
    }

    func close() async {
        guard control.isFirstEnd() else { return }
        do {
            try await takeLeave()
            abandon()
        } catch {
            leave()
        }
    }

    nonisolated func leave() {
        control.leave(with: teardown)
        abandon()
    }
}
