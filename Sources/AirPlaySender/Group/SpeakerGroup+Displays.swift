import AirPlayMessages
import MediaTime
import SystemIO

/// The speakers' displays: text, picture and progress of the track that is heard.
extension SpeakerGroup {
    func track(at frame: Int64) -> ScheduledTrack? {
        tracks.last { $0.frame <= frame } ?? tracks.first
    }

    /// Shows the current track on every speaker, and schedules the same for the next track. While paused,
    /// shows the track at which a resume begins.
    ///
    /// Returns at once: a picture may take seconds on a weak link, and commands must not wait for it.
    func presentTracks(isForced: Bool) {
        nextTrack?.cancel()
        let now = SystemClock.now
        let (frame, line): (Int64, FrameLine?)
        switch plan.phase {
        case .playing(let play): (frame, line) = (play.line.frame(at: now), play.line)
        case .paused(let pause): (frame, line) = (pause.frame, nil)
        case .idle, .starting: return
        }
        if let track = track(at: frame), isForced || presented != track {
            presented = track
            for member in members { present(track, on: member, isForced: isForced) }
        }
        guard let line, let next = tracks.first(where: { $0.frame > frame }) else { return }
        let delay = line.host(of: next.frame).since(now)
        nextTrack = Task { [weak self] in
            try? await Task.sleep(for: delay)
            if !Task.isCancelled { await self?.presentTracks(isForced: false) }
        }
    }

    /// Queues a track for one speaker's display.
    private func present(_ track: ScheduledTrack, on member: GroupMember, isForced: Bool) {
        guard member.session != nil else { return }
        member.displays.append((track, isForced))
        if member.displays.count > Self.displayLimit { member.displays.removeFirst() }
        guard !member.isShowing else { return }
        member.isShowing = true
        Task { [weak self] in await self?.showDisplays(of: member) }
    }

    /// The limit of queued tracks per speaker; beyond it the oldest is out of date.
    private static let displayLimit = 8

    private func showDisplays(of member: GroupMember) async {
        while !member.displays.isEmpty, let session = member.session {
            let (track, isForced) = member.displays.removeFirst()
            do {
                if !isForced, member.shown == track.metadata {
                    try await session.showProgress(of: track, playhead: playhead)
                } else {
                    try await show(track, on: session)
                }
                // A session that was opened meanwhile has shown nothing.
                if member.session === session { member.shown = track.metadata }
            } catch {
                member.shown = nil
                warn(member, SpeakerFailure(error))
            }
        }
        (member.displays, member.isShowing) = ([], false)
    }

    /// - Parameter withArtwork: `false` before a start, which the picture must not delay.
    func show(_ track: ScheduledTrack, on session: any SpeakerSession, withArtwork: Bool = true) async throws
    {
        var metadata = track.metadata
        if !withArtwork { metadata.artwork = nil }
        try await session.show(track, metadata: metadata, playhead: playhead)
    }
}
