import AirPlaySender
import CoreMedia

/// A track on the timeline, for the speakers' displays.
public struct PresentedTrack: Sendable {
    public var start: CMTime
    /// Invalid when not known.
    public var duration: CMTime
    public var metadata: TrackMetadata

    public init(start: CMTime, duration: CMTime, metadata: TrackMetadata) {
        self.start = start
        self.duration = duration
        self.metadata = metadata
    }
}

// The displays of the speakers: which tracks they show, and the line that tells when a track is heard.
extension RouteCatalogue {
    /// Sets the tracks that displays show, each from its presentation time on; replaces the earlier ones.
    ///
    /// What the program publishes through ``NowPlayingHub`` is shown in place of them, until the program takes it back.
    public func show(_ tracks: [PresentedTrack]) {
        state.withLock { $0.listedTracks = tracks }
        updateDisplays()
    }

    /// Sets the tracks made of what the program publishes.
    func showPublished(_ tracks: [PresentedTrack]) {
        state.withLock { $0.publishedTracks = tracks }
        updateDisplays()
    }

    /// Gives the route of the speakers the tracks as they are now; the latest state wins.
    func updateDisplays() {
        displayOrder.tell { _ in
            let (route, tracks) = state.withLock { ($0.route, $0.displayedTracks) }
            route?.show(tracks)
        }
    }

    // MARK: The line

    /// Another queue has the speakers, or none.
    func holderDidChange() { updateLine() }

    /// The line of `queue` changed, which matters while the queue has the speakers.
    func lineDidChange(of queue: RenderQueue) {
        if state.withLock({ $0.holder === queue }) { updateLine() }
    }

    private func updateLine() {
        holderOrder.tell { _ in speakers.lineDidChange(heardLine) }
    }

    /// The line of what the speakers play; `nil` while nothing has them.
    private var heardLine: PresentationLine? {
        guard let holder = state.withLock({ $0.holder }), let timeline = holder.timeline else { return nil }
        let line = timeline.line
        return PresentationLine(time: line.time, host: line.host, rate: line.rate)
    }
}

extension RouteCatalogue.State {
    /// The publication, unless it was taken back and there is something else to show.
    var displayedTracks: [PresentedTrack] {
        let isTakenBack = publishedTracks.allSatisfy { $0.metadata == .nothing }
        return isTakenBack && !listedTracks.isEmpty ? listedTracks : publishedTracks
    }
}
