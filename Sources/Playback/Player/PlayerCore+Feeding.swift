import CoreMedia
import Foundation

// Feeding: moves buffers from the items' feeds to the render queue.
extension PlayerCore {
    func stopGiving() {
        isRequesting = false
        renderQueue.pauseRequesting()
    }

    /// Requests callbacks from the render queue if there is sound to enqueue.
    func give() {
        guard !isRequesting, !isSplicing, hasSomethingToGive else { return }
        // Time stands and no sound is queued, so new sound may be for another rate.
        if appliedRate == 0, timeline.startedRate != 0, !laid.contains(where: \.hasSound) {
            takeBackEverything()
        }
        isRequesting = true
        renderQueue.request(on: queue) { [weak self] in
            guard let self else { return }
            let end = self.laid.last?.end
            while self.isRequesting, self.renderQueue.isReadyForMoreData, self.giveOne() {}
            // The new sound may end before the planned turn.
            if self.laid.last?.end != end, let pause = self.timeToNextTurn() { self.wake(after: pause) }
        }
    }

    private var hasSomethingToGive: Bool {
        guard let last = laid.last, !last.isBroken, !awaitsOtherRate(last) else { return false }
        if last.isComplete { return !dropsRestAtEnd && (isEndUntold || nextItem != nil) }
        let state = last.feed.state
        return state.seekCount == last.seekCount
            && ((state.waitingCount > 0 && !isClosing) || state.isAtEnd || state.error != nil
                || isAtWishedEnd(last))
    }

    /// Whether a live stream waits behind an item at another rate. Sound packed for that rate could not be
    /// read again.
    func awaitsOtherRate(_ one: LaidItem) -> Bool {
        guard laid.count > 1, let only = one.feed.state.facts?.onlyRate else { return false }
        return only != (timeline.startedRate != 0 ? timeline.startedRate : machine.rate)
    }

    /// The item to schedule next.
    var nextItem: PlayerItem? {
        shared.withLock { shared in
            guard shared.endAction == .advance, laid.count < shared.items.count,
                laid.last?.item === shared.items[laid.count - 1]
            else { return nil }
            return shared.items[laid.count]
        }
    }

    /// Enqueues one buffer, or completes an item.
    ///
    /// - Returns: whether there may be more.
    private func giveOne() -> Bool {
        guard let last = laid.last else { return pauseGiving() }
        if last.isComplete { return layNext() }
        if awaitsOtherRate(last) { return pauseGiving() }
        if isAtWishedEnd(last) { return complete(at: last.end) }
        if hasGiven, isLate { close() }
        if !isClosing, last.feed.state.seekCount == last.seekCount, let buffer = last.feed.take() {
            return enqueue(buffer, of: last)
        }
        let state = last.feed.state
        guard state.seekCount == last.seekCount, state.waitingCount == 0 else { return pauseGiving() }
        if state.isAtEnd { return complete(at: max(last.end, last.start + state.loadedEnd)) }
        guard state.error != nil else { return pauseGiving() }
        laid[laid.count - 1].isBroken = true
        return endGiving()
    }

    private func enqueue(_ buffer: CMSampleBuffer, of one: LaidItem) -> Bool {
        let time = buffer.outputPresentationTimeStamp + one.start
        guard CMSampleBufferSetOutputPresentationTimeStamp(buffer, newValue: time) == noErr else {
            return true
        }
        var end = time + buffer.outputDuration
        if let limit = wishedEnd(of: one), end > limit {
            trim(buffer, by: end - limit)
            end = max(time, limit)
        }
        laid[laid.count - 1].end = max(one.end, end)
        guard end > time else { return true }
        if renderQueue.pitch != one.pitch { renderQueue.pitch = one.pitch }
        hasGiven = true
        renderQueue.enqueue(buffer)
        return true
    }

    func wishedEnd(of one: LaidItem) -> CMTime? { one.item.wishes.numericEnd.map { one.start + $0 } }

    func isAtWishedEnd(_ one: LaidItem) -> Bool { wishedEnd(of: one).map { one.end >= $0 } ?? false }

    private func trim(_ buffer: CMSampleBuffer, by time: CMTime) {
        let key = kCMSampleBufferAttachmentKey_TrimDurationAtEnd
        let old = CMTimeMakeFromDictionary(
            CMGetAttachment(buffer, key: key, attachmentModeOut: nil) as? NSDictionary)
        CMSetAttachment(
            buffer, key: key,
            value: CMTimeCopyAsDictionary(old.isNumeric ? old + time : time, allocator: kCFAllocatorDefault),
            attachmentMode: kCMAttachmentMode_ShouldPropagate)
    }

    private func complete(at end: CMTime) -> Bool {
        isClosing = false
        laid[laid.count - 1].isComplete = true
        laid[laid.count - 1].end = end
        return layNext()
    }

    /// Schedules the next item at the end of the last one.
    private func layNext() -> Bool {
        guard let last = laid.last, let next = nextItem else { return endGiving() }
        layNext(next, at: last.end)
        return true
    }

    /// Signals the end of data, so that the outputs play the last samples too.
    private func endGiving() -> Bool {
        (isRequesting, isEndUntold) = (false, false)
        renderQueue.stopRequesting()
        return false
    }

    private func pauseGiving() -> Bool {
        stopGiving()
        return false
    }

    // MARK: Read-ahead

    /// Sets the high-water mark of each feed: beyond the outputs' sound, or as far as the program wants.
    func readAhead() {
        for one in laid {
            let wanted = wantedTime(of: one).end
            let isKept = one.item.wishes.keepsLiveStream && one.feed.state.facts?.isLive == true
            one.feed.read(until: isKept ? wanted + Self.keptLiveTime : wanted)
        }
    }

    /// Returns the end of an item's read-ahead in item time, and the length of the read-ahead.
    func wantedTime(of one: LaidItem) -> (end: CMTime, ahead: CMTime) {
        let wish = one.item.wishes.forwardBufferDuration
        guard wish > 0 else { return (one.end - one.start + Self.readAheadTime, Self.readAheadTime) }
        let isHead = one.item === laid.first?.item
        let playhead = isHead ? max(.zero, timeline.currentTime - one.start) : one.place
        let ahead = CMTime(seconds: max(wish, Self.leastWish), preferredTimescale: 1000)
        return (playhead + ahead, ahead)
    }

    /// Read-ahead beyond the outputs' sound.
    private static let readAheadTime = CMTime(value: 12, timescale: 1)
    /// Read-ahead of a live stream, for a program that must not miss any of it during a pause.
    private static let keptLiveTime = CMTime(value: 600, timescale: 1)
    /// Seconds; no output starts with less.
    private static let leastWish = 2.0
}
