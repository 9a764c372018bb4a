import CoreMedia
import Foundation
import Playback
import Synchronization
import TuttiCodecs
import TuttiMediaTime
import TuttiSystemIO

/// A presenter that hands each picture of an item to a sink when the item's timebase reaches it. Any thread.
///
/// The timebase shows what is heard, so pictures and sound match on every route. While the timebase stands, as before a
/// speaker's sound begins, the picture of that time is shown and held.
final class PicturePresenter: @unchecked Sendable {
    // Safe to share: only the wake-up's queue touches `maker`; all others are immutable or locked.

    private struct State {
        var item: AVPlayerItem?
        var key: Int?
        var sink: (any TuttiVideoFrameSink)?
        /// Without a player nothing needs the display.
        var settings = SinkSettings(wantsDisplayAwake: false)
        var observed: TimebaseObservation?
        var isTurnDue = false
        /// The picture on the sink.
        var shown: PictureFeed.Picture?
        var buffer: CVPixelBuffer?
        var texts: [SubtitleCue] = []
        /// Whether ``shown`` is of the present item.
        var isReady = false
        /// Whether it is to be told that ``isReady`` became false.
        var isUnreadinessDue = false
        var counts = TuttiPictureCounts()
        /// Whether the shown image is to be removed.
        var isRemovalDue = false
        /// Notices of this item that the sink has got.
        var noted: Set<TuttiPictureNotice> = []
    }

    private let state = Mutex(State())
    private let wakeUp: any WakeUp
    private let maker: PixelBufferMaker
    private let shownDidChange: @Sendable (Bool) -> Void

    /// - Parameter shownDidChange: Called on the presenter's queue before the first picture of an item is shown, and when it
    ///   is removed or its item is left.
    init(
        wakeUp: any WakeUp = QueueWakeUp(
            on: SerialQueue(label: "tutti.pictures.show", qos: .userInteractive)),
        shownDidChange: @escaping @Sendable (Bool) -> Void
    ) {
        (self.wakeUp, self.shownDidChange) = (wakeUp, shownDidChange)
        maker = .forScreen()
    }

    deinit {
        let (item, key) = state.withLock { ($0.item, $0.key) }
        if let key { item?.pictures.remove(key) }
    }

    /// The receiver of due pictures; `nil` decodes none.
    var sink: (any TuttiVideoFrameSink)? {
        get { state.withLock { $0.sink } }
        set {
            let item = state.withLock { state in
                (state.sink, state.shown, state.texts, state.isReady) = (newValue, nil, [], false)
                state.settings.restart()
                return state.item
            }
            attach(to: item)
        }
    }

    /// The layer's settings for the sink.
    var sinkSettings: SinkSettings { state.withLock { $0.settings } }

    /// Changes the layer's settings, which the sink gets soon.
    func changeSinkSettings(_ change: @Sendable (inout SinkSettings) -> Void) {
        state.withLock { change(&$0.settings) }
        turnSoon()
    }

    /// Pictures shown and not shown so far.
    var counts: TuttiPictureCounts {
        let (counts, item) = state.withLock { ($0.counts, $0.item) }
        guard let feed = item?.pictures.feed?.state else { return counts }
        var all = counts
        all.add(feed)
        return all
    }

    /// The buffer of the shown picture.
    var shownBuffer: CVPixelBuffer? { state.withLock { $0.buffer } }

    /// Returns a new buffer of the shown picture; `nil` without a picture, or if it cannot be converted.
    func copyShown(_ attributes: PixelAttributes) -> CVPixelBuffer? {
        let (picture, item) = state.withLock { ($0.shown, $0.item) }
        guard let picture else { return nil }
        let maker = PixelBufferMaker(
            formats: attributes.formats, width: attributes.width, height: attributes.height)
        let orientation = item?.pictures.feed?.state.parameters?.orientation ?? .upright
        return try? maker.make(picture.image, orientation: orientation)
    }

    /// Shows another item's pictures; the shown one stays until the first of those, or until the item turns out to have none.
    func show(_ item: AVPlayerItem?) {
        if item === state.withLock({ $0.item }) { return }
        attach(to: item)
    }

    private func attach(to item: AVPlayerItem?) {
        let (left, isEnd) = state.withLock { ($0.item, $0.item !== item || $0.sink == nil) }
        let counted = isEnd ? left?.pictures.feed?.state : nil
        let (old, oldKey, isWanted) = state.withLock { state in
            // The feed of an item that is left forgets what it has counted.
            if let counted, state.key != nil, state.item === left { state.counts.add(counted) }
            if state.item !== item, state.isReady { (state.isReady, state.isUnreadinessDue) = (false, true) }
            defer {
                (state.item, state.key, state.observed, state.noted) = (item, nil, nil, [])
                if item == nil { state.isRemovalDue = true }
            }
            return (state.item, state.key, state.sink != nil)
        }
        if let item, isWanted {
            let key = item.pictures.add(to: item) { [weak self] in self?.turnSoon() }
            let observed = TimebaseObservation(item.core.timebase) { [weak self] in self?.turnSoon() }
            let isKept = state.withLock { state in
                guard state.item === item, state.key == nil else { return false }
                (state.key, state.observed) = (key, observed)
                return true
            }
            // Another thread was faster.
            if !isKept { item.pictures.remove(key) }
        }
        // Removed after the new one came, so that the pictures of the same item are not read again.
        if let oldKey { old?.pictures.remove(oldKey) }
        turnSoon()
    }

    // MARK: Showing, on the wake-up's queue

    private func turnSoon() {
        state.withLock { state in
            guard !state.isTurnDue else { return }
            state.isTurnDue = true
            wakeUp.set(after: .zero) { [weak self] in self?.turn() }
        }
    }

    private func turn() {
        let (item, sink, isUnreadinessDue) = state.withLock { state in
            defer { (state.isTurnDue, state.isUnreadinessDue) = (false, false) }
            return (state.item, state.sink, state.isUnreadinessDue)
        }
        if isUnreadinessDue { shownDidChange(false) }
        let isBlank = item?.showsNoPictures ?? true
        configureSink(isShowing: !isBlank)
        let (shown, isRemovalDue) = state.withLock { state in
            let isDue = state.isRemovalDue || isBlank && state.item === item && state.shown != nil
            state.isRemovalDue = false
            if isDue { (state.shown, state.buffer, state.texts, state.isReady) = (nil, nil, [], false) }
            return (state.shown, isDue)
        }
        if isRemovalDue {
            shownDidChange(false)
            sink?.removeImage()
        }
        guard let item, let sink, !isBlank, let feed = item.pictures.feed else { return }
        for notice in feed.state.notices where state.withLock({ $0.noted.insert(notice).inserted }) {
            sink.note(notice)
        }
        let (now, rate) = item.core.timebase.timeAndRate
        let lead = CMTime(seconds: sink.leadTime.inSeconds * rate, preferredTimescale: 1_000_000_000)
        let time = rate > 0 ? now + lead : now
        // Counted first, because the feed drops what lies before the picture that it returns.
        let begun = shown.map { feed.count(after: $0.time, until: time) } ?? 0
        if let picture = feed.picture(at: time) {
            if picture.image !== shown?.image {
                let wait = CMTime(
                    seconds: (picture.time - now).seconds / rate, preferredTimescale: 1_000_000_000)
                let host =
                    rate > 0 && shown != nil ? CMClockGetTime(CMClockGetHostTimeClock()) + wait : .invalid
                show(picture, at: host, overtaken: max(0, begun - 1), from: feed, on: sink)
            }
            showTexts(of: item, at: time, on: sink)
        }
        sleep(
            until: feed.next(after: time)?.time, from: time, rate: rate, hasTexts: item.pictures.hasTexts)
    }

    /// Hands the sink the settings that it lacks.
    private func configureSink(isShowing: Bool) {
        // Read together, so that a new sink gets all.
        let (sink, change) = state.withLock { state in
            let lacks = state.sink == nil ? SinkSettings.Change() : state.settings.take(isShowing: isShowing)
            return (state.sink, lacks)
        }
        if let sink { change.apply(to: sink) }
    }

    private func show(
        _ picture: PictureFeed.Picture, at host: CMTime, overtaken: Int, from feed: PictureFeed,
        on sink: any TuttiVideoFrameSink
    ) {
        let orientation = feed.state.parameters?.orientation ?? .upright
        guard let buffer = try? maker.make(picture.image, orientation: orientation),
            let frame = try? CMSampleBuffer(
                picture: buffer, time: picture.time, duration: picture.end - picture.time)
        else { return state.withLock { $0.counts.corrupt += 1 } }
        let isFirst = state.withLock { state in
            defer { (state.shown, state.buffer, state.isReady) = (picture, buffer, true) }
            state.counts.shown += 1
            state.counts.overtaken += overtaken
            return !state.isReady
        }
        if isFirst { shownDidChange(true) }
        sink.show(frame, at: host)
    }

    private func showTexts(of item: AVPlayerItem, at time: CMTime, on sink: any TuttiVideoFrameSink) {
        let (cues, header) = item.pictures.subtitles(at: time)
        let isNew = state.withLock { state in
            defer { state.texts = cues }
            return state.texts != cues
        }
        if isNew { sink.show(cues.map { TuttiSubtitle($0, header: header) }) }
    }

    /// The longest time between two looks at the texts while time runs, in seconds: a picture may be still for minutes.
    private static let textSeconds = 0.1

    /// Sets the wake-up to the next picture's time, or the next look at the texts, unless a turn is due at once already.
    private func sleep(until next: CMTime?, from time: CMTime, rate: Double, hasTexts: Bool) {
        state.withLock { state in
            // Without the next picture, its decoding wakes the presenter; a change of the timebase does, too.
            guard !state.isTurnDue, rate > 0, hasTexts || next != nil else { return }
            var seconds = hasTexts ? Self.textSeconds : 1
            if let next { seconds = min(max(0, (next - time).seconds / rate), seconds) }
            wakeUp.set(after: .nanoseconds(Int64((seconds * 1e9).rounded(.up)))) { [weak self] in self?.turn()
            }
        }
    }
}

extension TuttiPictureCounts {
    fileprivate mutating func add(_ feed: PictureFeed.State) {
        decodedLate += feed.lateCount
        corrupt += feed.corruptCount
    }
}

extension PictureFeed.State {
    /// The notices for the user.
    fileprivate var notices: [TuttiPictureNotice] {
        let failure =
            error.map { TuttiPictureNotice.failed("\($0)") }
            ?? (isUndecodable
                ? .failed("the pictures cannot be decoded: they are damaged or too large") : nil)
        return [failure, isRefusedByHardware ? .decodedInSoftware(codec: codecName) : nil].compactMap(\.self)
    }
}

extension CMSampleBuffer {
    /// Creates a buffer of one picture.
    convenience init(picture: CVPixelBuffer, time: CMTime, duration: CMTime) throws {
        try self.init(
            imageBuffer: picture, formatDescription: CMFormatDescription(imageBuffer: picture),
            sampleTiming: CMSampleTimingInfo(
                duration: duration, presentationTimeStamp: time, decodeTimeStamp: .invalid))
    }
}
