import Playback

/// The internal requirements of a renderer that a synchronizer can drive.
protocol SynchronizedRenderer: AVQueuedSampleBufferRendering, Sendable {
    /// - Returns: `false`, without effect, if the renderer belongs to another timeline.
    func join(_ timeline: PlaybackTimeline) -> Bool
    /// - Returns: `false` if the renderer did not belong to `timeline`.
    func leave(_ timeline: PlaybackTimeline) -> Bool
}

extension AVSampleBufferAudioRenderer: SynchronizedRenderer {
    func join(_ timeline: PlaybackTimeline) -> Bool { timeline.add(queue) }
    func leave(_ timeline: PlaybackTimeline) -> Bool { timeline.remove(queue) }
}

extension AVSampleBufferVideoRenderer: SynchronizedRenderer {
    func join(_ timeline: PlaybackTimeline) -> Bool { frames.attach(to: timeline) }
    func leave(_ timeline: PlaybackTimeline) -> Bool { frames.detach(from: timeline) }
}

extension AVSampleBufferDisplayLayer: SynchronizedRenderer {
    func join(_ timeline: PlaybackTimeline) -> Bool { sampleBufferRenderer.join(timeline) }
    func leave(_ timeline: PlaybackTimeline) -> Bool { sampleBufferRenderer.leave(timeline) }
}
