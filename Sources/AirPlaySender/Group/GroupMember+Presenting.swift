extension GroupMember {
    /// Queues a track for the display.
    ///
    /// - Parameter isForced: whether to send all of the track, because the speaker may have missed it.
    func present(_ track: ScheduledTrack, isForced: Bool, in group: isolated SpeakerGroup) {
        if isForced { shown = nil }
        present(track, in: group)
    }
}
