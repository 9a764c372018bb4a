import CoreMedia
import Foundation
import TuttiMediaTime

/// Carries out an engine's actions on feeds, the render queue and the timeline, and samples these.
///
/// Confined to the player's queue.
final class ActionExecutor {
    fileprivate struct OpenFeed {
        let feed: any ItemFeed
        /// The feed's seek count before its first action; a feed may serve several openings.
        let baseline: Int
    }

    let renderQueue: RenderQueue
    let timeline: PlaybackTimeline
    private var feeds: [FeedID: OpenFeed] = [:]

    init(renderQueue: RenderQueue, timeline: PlaybackTimeline) {
        (self.renderQueue, self.timeline) = (renderQueue, timeline)
    }

    deinit { for one in feeds.values { one.feed.close() } }

    // MARK: Sampling

    /// Samples the outputs and all open feeds.
    func moment(at now: HostTime) -> EngineMoment {
        EngineMoment(now: now, outputs: outputs(at: now), feeds: feeds.mapValues(\.state))
    }

    private func outputs(at now: HostTime) -> OutputSample {
        var state = OutputSample()
        (state.line, state.requestedRate) = (timeline.line, timeline.rate)
        state.startedRate = timeline.startedRate
        state.isReady = renderQueue.isReadyForMoreData
        state.hasSufficientData = renderQueue.hasSufficientData(at: state.line.time(at: now))
        (state.playableEnd, state.leastLead) = (renderQueue.playableEnd, renderQueue.leastLead)
        if renderQueue.status == .failed, let error = renderQueue.error {
            state.failure = (error, renderQueue.failureTime)
        }
        return state
    }

    // MARK: Feeds and outputs

    /// Opens the source of an item.
    ///
    /// - Parameter changed: Called on any thread after each change of the feed's state.
    func open(
        _ id: FeedID, _ item: PlayerItem, _ selection: FeedSelection, from place: CMTime?,
        changed: @escaping @Sendable () -> Void
    ) {
        let feed = item.makeFeed()
        feeds[id] = OpenFeed(feed: feed, baseline: feed.state.seekCount)
        feed.select(selection)
        if let place { feed.seek(to: place) }
        feed.start(changed: changed)
    }

    /// Carries out an action on a feed, the render queue or the timeline.
    ///
    /// - Returns: `false` for other actions, which are the caller's.
    func carryOut(_ action: EngineAction) -> Bool {
        switch action {
        case .close(let id): feeds.removeValue(forKey: id)?.feed.close()
        case .read(let id, let time): feeds[id]?.feed.read(until: time)
        case .seek(let id, let time): feeds[id]?.feed.seek(to: time)
        case .select(let id, let selection): feeds[id]?.feed.select(selection)
        case .pauseRequests: renderQueue.pauseRequesting()
        case .endOfData: renderQueue.stopRequesting()
        case .flush: renderQueue.flush()
        case .setPlaying(let isPlaying): renderQueue.setPlaying(isPlaying)
        case .forgetRate: timeline.forgetRate()
        case .hold(let time): timeline.setRate(0, time: time, hostTime: nil)
        case .start(let start): self.start(start)
        default: return false
        }
        return true
    }

    private func start(_ start: EngineStart) {
        if let waits = start.waitsForData { timeline.delaysRateChangeUntilHasSufficientMediaData = waits }
        timeline.setRate(
            start.rate, time: start.time ?? .invalid, hostTime: start.host, keepsSound: start.keepsSound)
    }

    // MARK: Giving

    /// Moves a buffer from a feed to the render queue.
    ///
    /// - Parameter place: Finds the place of a buffer, given in item time.
    /// - Returns: Whether there was a buffer.
    func give(from id: FeedID, _ place: (CMTime, CMTime) -> EnginePlacement) -> Bool {
        guard let buffer = feeds[id]?.feed.take() else { return false }
        let placement = place(buffer.outputPresentationTimeStamp, buffer.outputDuration)
        guard CMSampleBufferSetOutputPresentationTimeStamp(buffer, newValue: placement.time) == noErr,
            !placement.isDropped
        else { return true }
        if let time = placement.trim { trim(buffer, by: time) }
        // A crossfade has the volumes of both items already.
        if let volume = placement.volume, buffer.volume != .applied { buffer.volume = .curve(volume) }
        if renderQueue.pitch != placement.pitch { renderQueue.pitch = placement.pitch }
        renderQueue.enqueue(buffer)
        return true
    }

    private func trim(_ buffer: CMSampleBuffer, by time: CMTime) {
        let key = kCMSampleBufferAttachmentKey_TrimDurationAtEnd
        let old = CMTimeMakeFromDictionary(
            CMGetAttachment(buffer, key: key, attachmentModeOut: nil) as? NSDictionary)
        CMSetAttachment(
            buffer, key: key,
            value: CMTimeCopyAsDictionary(old.isNumeric ? old + time : time, allocator: kCFAllocatorDefault),
            attachmentMode: kCMAttachmentMode_ShouldPropagate)
    }
}

extension ActionExecutor.OpenFeed {
    /// The feed's state, with seeks counted from its opening.
    fileprivate var state: ItemFeedState {
        var state = feed.state
        state.seekCount -= baseline
        return state
    }
}
