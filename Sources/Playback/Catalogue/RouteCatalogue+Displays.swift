import AirPlaySender
import CoreMedia

/// A track on the timeline, for the speakers' displays.
public struct PresentedTrack: Sendable {
    /// Presentation time of the track's first sample.
    public var start: CMTime
    /// Invalid if unknown.
    public var duration: CMTime
    /// The texts and the picture to show.
    public var metadata: TrackMetadata

    /// Makes a track.
    public init(start: CMTime, duration: CMTime, metadata: TrackMetadata) {
        self.start = start
        self.duration = duration
        self.metadata = metadata
    }
}

// The speakers' displays: their tracks, and the line that says when a track is heard.
extension RouteCatalogue {
    /// Sets the tracks that displays show, each from its presentation time on. Replaces earlier tracks.
    ///
    /// A publication through ``NowPlayingHub`` takes precedence until the program clears the publication.
    public func show(_ tracks: [PresentedTrack]) {
        state.withLock { $0.listedTracks = tracks }
        updateDisplays()
    }

    /// Sets the tracks made from the program's publications.
    func showPublished(_ tracks: [PresentedTrack]) {
        state.withLock { $0.publishedTracks = tracks }
        updateDisplays()
    }

    /// Sends the current tracks to the speakers' route; the latest state wins.
    func updateDisplays() {
        displayOrder.tell { _ in
            let (route, tracks) = state.withLock { ($0.route, $0.displayedTracks) }
            route?.show(tracks)
        }
    }

    // MARK: The line

    /// Updates the line after the speakers changed hands between queues.
    func holderDidChange() { updateLine() }

    /// Updates the line if `queue` holds the speakers.
    func lineDidChange(of queue: RenderQueue) {
        if state.withLock({ $0.holder === queue }) { updateLine() }
    }

    private func updateLine() {
        holderOrder.tell { _ in speakers.lineDidChange(heardLine) }
    }

    /// The line of the queue that holds the speakers; `nil` if no queue holds them.
    private var heardLine: PresentationLine? {
        state.withLock { $0.holder }?.timeline?.line
    }
}

extension RouteCatalogue.State {
    /// The published tracks; the listed tracks if the publication was cleared.
    var displayedTracks: [PresentedTrack] {
        let isTakenBack = publishedTracks.allSatisfy { $0.metadata == .nothing }
        return isTakenBack && !listedTracks.isEmpty ? listedTracks : publishedTracks
    }
}
