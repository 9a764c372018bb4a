import AirPlayMessages
import TuttiMediaTime
import TuttiSystemIO

/// A speaker's display: text, picture and progress of the track that is heard.
extension GroupMember {
    /// Queues a track for the display.
    ///
    /// Returns at once: a picture may take seconds on a weak link, and commands must not wait for it.
    /// Sends the text and the picture only if they are new to the session, and the progress always.
    func present(_ track: ScheduledTrack, in group: isolated SpeakerGroup) {
        guard session != nil else { return }
        displays.append(track)
        if displays.count > Self.displayLimit { displays.removeFirst() }
        guard !isShowing else { return }
        isShowing = true
        Task { [weak group] in
            if let group { await showDisplays(in: group) }
        }
    }

    /// The limit of queued tracks; beyond it the oldest is out of date.
    private static let displayLimit = 8

    private func showDisplays(in group: isolated SpeakerGroup) async {
        while !displays.isEmpty, let session {
            let track = displays.removeFirst()
            let update = DisplayUpdate(to: track.metadata, from: shown)
            do {
                if update == DisplayUpdate() {
                    try await session.showProgress(of: track, playhead: group.playhead)
                } else {
                    try await session.show(track, update, playhead: group.playhead)
                }
                // A session that was opened meanwhile has shown nothing.
                guard self.session === session else { continue }
                // Without a picture of its own, a track leaves the one before.
                let artwork = track.metadata.artwork ?? shown?.artwork
                shown = TrackMetadata(dmap: track.metadata.dmap, artwork: artwork)
            } catch {
                shown = nil
                group.warn(self, SpeakerFailure(error))
            }
        }
        (displays, isShowing) = ([], false)
    }

    /// Sends metadata and volume before the first sound. A picture must not delay a start.
    func greet(_ session: any SpeakerSession, in group: isolated SpeakerGroup) async {
        do {
            if session.traits.wantsMetadataFirst, let track = firstTrack(of: session, in: group) {
                try await session.show(
                    track, DisplayUpdate(text: track.metadata.dmap), playhead: group.playhead)
            }
            if let volume = volume ?? group.volume { try await session.setVolume(volume) }
        } catch {
            group.warn(self, SpeakerFailure(error))
        }
    }

    /// Returns the track to show before the first sound; for a speaker that is silent without text, one with the sender's
    /// name if the program has told of none.
    private func firstTrack(
        of session: any SpeakerSession, in group: isolated SpeakerGroup
    ) -> ScheduledTrack? {
        if let track = group.displays.track(at: group.playhead) { return track }
        guard session.traits.receiver.quirks.isSilentWithoutText else { return nil }
        var text = DMAPMetadata()
        text.title = group.identity.name
        return ScheduledTrack(frame: group.playhead, frameCount: 0, metadata: TrackMetadata(dmap: text))
    }

    /// Sets the volume, also of sessions to come, if the member has this key.
    ///
    /// Returns at once: commands must not wait for a speaker that is out of reach. Of volumes that follow each other faster
    /// than it answers, as those of a slider, it gets the last one.
    ///
    /// - Parameter key: `nil` for every member.
    func setVolume(_ volume: Volume, ofOne key: String?, in group: isolated SpeakerGroup) {
        guard key == nil || key == target.key else { return }
        self.volume = volume
        guard let session else { return }
        volumeToSend = volume
        guard !isSendingVolumes else { return }
        isSendingVolumes = true
        Task { [weak group] in
            if let group { await sendVolumes(to: session, in: group) }
        }
    }

    private func sendVolumes(to session: any SpeakerSession, in group: isolated SpeakerGroup) async {
        // A session that was opened meanwhile gets its volumes from a task of its own.
        while self.session === session {
            guard let volume = volumeToSend.take() else {
                isSendingVolumes = false
                return
            }
            do { try await session.setVolume(volume) } catch { group.warn(self, SpeakerFailure(error)) }
        }
    }

    /// Shows the progress of the current track, if one is heard.
    func refreshProgress(in group: isolated SpeakerGroup) async {
        guard group.plan.line != nil, let session, let track = group.displays.track(at: group.playhead),
            track.frameCount > 0
        else { return }
        // The next feedback detects a lost connection.
        try? await session.showProgress(of: track, playhead: group.playhead)
    }
}
