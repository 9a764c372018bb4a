import Playback

/// What a synchronizer asks of a renderer besides its public face.
protocol SynchronizedRenderer: AVQueuedSampleBufferRendering, Sendable {
    /// - Returns: `false` if the renderer is in another timeline.
    func join(_ timeline: PlaybackTimeline) -> Bool
    /// - Returns: `false` if the renderer was not there.
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
