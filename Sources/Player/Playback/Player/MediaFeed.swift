import CoreMedia
import Synchronization
import TuttiCodecs
import TuttiMediaTime
import TuttiSystemIO
import TuttiWeb

/// A feed that reads a file or an address ahead, on its own queue.
///
/// Seconds read but not taken are bounded by ``read(until:)``, bytes by ``byteLimit``.
package final class MediaFeed: ItemFeed, @unchecked Sendable {
    // Safe to share: only `queue` touches `source`, `openedStream`, `skipEnd`, `openingTime` and `location`;
    // all others are immutable or behind the lock.

    /// Bytes read but not taken; the last buffer may exceed the limit.
    static let byteLimit = 24 << 20

    private struct Shared {
        var state = ItemFeedState()
        var buffers: [CMSampleBuffer] = []
        var byteCount = 0
        var wanted = CMTime.zero
        var seekTime: CMTime?
        var isScheduled = false
        var isClosed = false
        var changed: (@Sendable () -> Void)?
        var interrupt = MediaInterrupt()
        var fillRate = FillRate()
        /// The sound to read.
        var selection = FeedSelection()
        /// Start of the reader's running call; `nil` while none runs.
        var readingSince: HostTime?
    }

    private let path: String
    private let engine: WebEngine
    private let request: WebRequest
    private let makeSource: ByteSourceMaking?
    private let readsArtwork: @Sendable () -> Bool
    private let clock: any HostClock
    private let queue: SerialQueue
    private let shared = Mutex(Shared())
    private var source: ItemSource?
    /// The stream that `source` was opened with.
    private var openedStream: Int?
    /// Buffers that end before this item time are dropped.
    private var skipEnd: CMTime?
    /// Seconds that the opening took; counted with the first buffer.
    private var openingTime = 0.0
    /// The opened location: `path`, or an entry of the playlist at `path`.
    private var location: String

    /// - Parameters:
    ///   - path: A file path or an address.
    ///   - engine: Transfers the bytes of an address.
    ///   - makeSource: Makes the source for a path that is an address of the program's own; `nil` for other
    ///     paths.
    ///   - readsArtwork: Whether to read artwork; asked at each opening.
    ///   - machine: Time and queues.
    package init(
        path: String, engine: WebEngine, request: WebRequest = WebRequest(),
        makeSource: ByteSourceMaking? = nil, readsArtwork: @escaping @Sendable () -> Bool = { true },
        machine: any Machine
    ) {
        (self.path, self.engine, self.request, self.makeSource) = (path, engine, request, makeSource)
        self.readsArtwork = readsArtwork
        clock = machine
        queue = machine.makeQueue("tutti.item")
        location = path
    }

    // MARK: ItemFeed

    /// A snapshot of the reading.
    package var state: ItemFeedState {
        shared.withLock { shared in
            var state = shared.state
            state.waitingCount = shared.buffers.count
            return state
        }
    }

    /// Begins to read on the feed's queue.
    package func start(changed: @escaping @Sendable () -> Void) {
        shared.withLock { shared in
            if shared.changed == nil { shared.changed = changed }
        }
        schedule()
    }

    /// Requests sound up to item time `time`.
    package func read(until time: CMTime) {
        let isMore = shared.withLock { shared in
            guard time > shared.wanted else { return false }
            shared.wanted = time
            return true
        }
        if isMore { schedule() }
    }

    /// Removes and returns the next buffer; `nil` while none is ready.
    package func take() -> CMSampleBuffer? {
        let buffer = shared.withLock { shared -> CMSampleBuffer? in
            guard !shared.buffers.isEmpty else { return nil }
            let buffer = shared.buffers.removeFirst()
            shared.byteCount -= buffer.totalSampleSize
            return buffer
        }
        if buffer != nil { schedule() }
        return buffer
    }

    /// Continues at item time `time`; ends a read that has waited for the network.
    package func seek(to time: CMTime) {
        shared.withLock { shared in
            shared.state.seekCount += 1
            (shared.state.loadedStart, shared.state.loadedEnd) = (time, time)
            (shared.state.isAtEnd, shared.state.isResting, shared.state.error) = (false, false, nil)
            (shared.buffers, shared.byteCount) = ([], 0)
            (shared.seekTime, shared.wanted) = (time, time)
            (shared.state.titles, shared.state.crossfaded) = ([], nil)
            // Another place is another transfer.
            (shared.fillRate, shared.state.fillRate, shared.state.longestWait) = (FillRate(), nil, 0)
            let now = clock.now
            shared.state.awaitedSince = now
            // A read that waits for the network would delay the seek.
            if let since = shared.readingSince, now.since(since) > Self.patience {
                shared.interrupt.cancel()
            }
        }
        schedule()
    }

    /// Chooses what to read from the next opening or seek on.
    package func select(_ selection: FeedSelection) { shared.withLock { $0.selection = selection } }

    /// Ends reading, also one that waits for the network.
    package func close() {
        shared.withLock { shared in
            shared.isClosed = true
            shared.changed = nil
            (shared.buffers, shared.byteCount) = ([], 0)
            shared.interrupt.cancel()
        }
    }

    /// Without a byte for this long, the source has failed; the player reports a stall long before.
    private static let timeLimit = Duration.seconds(60)
    /// Older titles were heard long ago.
    private static let titleLimit = 512

    /// A seek cancels a read that lasts longer.
    private static let patience = Duration.milliseconds(150)

    // MARK: Reading, on the queue

    private func schedule() {
        let isDue = shared.withLock { shared in
            guard shared.changed != nil, !shared.isScheduled, Self.hasWork(shared) else { return false }
            shared.isScheduled = true
            shared.state.isResting = false
            shared.state.awaitedSince = shared.state.awaitedSince ?? clock.now
            return true
        }
        if isDue { queue.async { [self] in step() } }
    }

    private static func hasWork(_ shared: Shared) -> Bool {
        if shared.isClosed || shared.state.error != nil { return false }
        if shared.seekTime != nil || shared.state.facts == nil { return true }
        return !shared.state.isAtEnd && wantsMore(shared)
    }

    /// The first sound after a seek is always wanted: it completes the seek.
    private static func wantsMore(_ shared: Shared) -> Bool {
        if shared.byteCount >= byteLimit { return false }
        return shared.state.loadedEnd < shared.wanted || shared.state.loadedEnd == shared.state.loadedStart
    }

    /// Runs one piece of work, then yields the queue.
    private func step() {
        work()
        let (goesOn, changed) = shared.withLock { shared in
            let goesOn = Self.hasWork(shared)
            shared.isScheduled = goesOn
            shared.state.isResting = !goesOn
            if !goesOn {
                shared.fillRate.rest()
                shared.state.awaitedSince = nil
            }
            return (goesOn, shared.changed)
        }
        changed?()
        if goesOn { queue.async { [self] in step() } }
    }

    private func work() {
        let (seek, count, isClosed) = shared.withLock { shared in
            defer { shared.seekTime = nil }
            return (shared.seekTime, shared.state.seekCount, shared.isClosed)
        }
        if isClosed { return source = nil }
        do throws(MediaError) {
            if source == nil || seek != nil { try open(at: seek) }
            try readOne(of: count)
        } catch .cancelled {
            // After a seek, the next step reopens the source; after `close`, there is no next step.
            source = nil
            shared.withLock { shared in
                shared.interrupt = MediaInterrupt()
                if shared.seekTime == nil { shared.seekTime = shared.state.loadedEnd }
            }
        } catch {
            shared.withLock { shared in
                if shared.state.seekCount == count { shared.state.error = error }
            }
        }
    }

    private func open(at seek: CMTime?) throws(MediaError) {
        let (selection, interrupt) = shared.withLock { ($0.selection, $0.interrupt) }
        let stream = selection.stream
        let openNext = { (path: String) throws(MediaError) in
            try MediaReader(path, interrupt: interrupt, timeLimit: Self.timeLimit, readsArtwork: false)
        }
        if let reader = source?.reader, let seek, reader.info.isSeekable, stream == openedStream {
            let frame = frame(of: seek, reader.info)
            return source = try timed { () throws(MediaError) in
                try ItemSource(
                    reader, from: frame, isAnew: true, seconds: bufferSeconds, selection, openNext: openNext)
            }
        }
        let before = clock.now
        source = nil
        openedStream = stream
        let reader = try timed { () throws(MediaError) in try read(interrupt) }
        // The first buffer's sound arrived in part during the opening.
        openingTime = clock.now.since(before).inSeconds
        let facts = ItemFacts(info: reader.info, isRemote: isRemote)
        shared.withLock { ($0.state.facts, $0.state.transfer) = (facts, reader.transfer) }
        let frame = seek.map { self.frame(of: $0, reader.info) } ?? 0
        let isThere = frame == 0 || reader.info.isSeekable
        source = try ItemSource(
            reader, from: isThere ? frame : 0, isAnew: false, seconds: bufferSeconds, selection,
            openNext: openNext)
        // A source without seeking is read up to the place, and that sound is dropped.
        skipEnd = isThere || reader.info.isLive ? nil : seek
        if !isThere, skipEnd == nil {
            shared.withLock {
                $0.state.loadedStart = .zero; $0.state.loadedEnd = .zero
            }
        }
    }

    private var isRemote: Bool { location.contains("://") }

    /// Seconds of sound per buffer. Short for addresses: if a server stalls, only the last, incomplete buffer
    /// is missing.
    private var bufferSeconds: Double { isRemote ? 0.25 : PacketSource.usualSeconds }

    /// Opens the source; of a playlist, the first entry that opens. Stations list the same stream several
    /// times.
    private func read(_ interrupt: MediaInterrupt) throws(MediaError) -> MediaReader {
        do {
            return try reader(of: location, interrupt)
        } catch {
            guard let entries = try entries(after: error, interrupt), !entries.isEmpty else { throw error }
            var list = ItemList(entries: entries)
            for entry in entries.prefix(Self.entryLimit) {
                do {
                    let reader = try reader(of: entry.location, interrupt)
                    location = entry.location
                    shared.withLock { [list] in $0.state.list = list }
                    return reader
                } catch {
                    if interrupt.isCancelled { throw error }
                    list.failures.append(error)
                }
            }
            shared.withLock { [list] in $0.state.list = list }
            throw list.failures.last ?? error
        }
    }

    private func reader(
        of location: String, _ interrupt: MediaInterrupt
    ) throws(MediaError) -> MediaReader {
        try MediaReader(
            location, stream: openedStream, request: request, interrupt: interrupt, timeLimit: Self.timeLimit,
            readsArtwork: readsArtwork(), acceptsSilence: true, engine: engine,
            makeSource: location == path ? makeSource : nil)
    }

    /// Returns the entries of a playlist found instead of sound; `nil` if the source is not a playlist.
    private func entries(
        after error: MediaError, _ interrupt: MediaInterrupt
    ) throws(MediaError) -> [PlaylistFile.Entry]? {
        switch error {
        case .playlist: break
        case .notAudio, .damaged: if !PlaylistFile.isPlaylist(location) { return nil }
        default: return nil
        }
        return try PlaylistFile.read(location, request: request, interrupt: interrupt, engine: engine)?
            .entries
    }

    /// Number of playlist entries to try.
    private static let entryLimit = 8

    private func frame(of time: CMTime, _ info: MediaInfo) -> Int64 {
        let scale = CMTimeScale(info.sampleRate.hertz)
        let frame = time.convertScale(scale, method: .roundHalfAwayFromZero).value
        let last = info.isFrameCountGuessed ? nil : info.wholeFrameCount
        return min(max(0, frame), last ?? .max - 1)
    }

    private func readOne(of count: Int) throws(MediaError) {
        guard let source else { return }
        let before = clock.now
        let buffer = try timed { () throws(MediaError) in try source.nextBuffer() }
        let now = clock.now
        let spent = now.since(before).inSeconds + openingTime
        openingTime = 0
        let (end, warnings, crossfaded) = (source.end, source.warnings, source.crossfaded)
        let scale = CMTimeScale(source.info.sampleRate.hertz)
        let titles = source.reader.takeTimedTitles().map {
            (time: CMTime(value: $0.frame, timescale: scale), title: $0)
        }
        shared.withLock { shared in
            // A seek made this buffer stale.
            guard shared.state.seekCount == count, shared.seekTime == nil, !shared.isClosed else { return }
            shared.state.warnings = warnings
            shared.state.titles = (shared.state.titles + titles).suffix(Self.titleLimit)
            shared.state.loadedEnd = max(shared.state.loadedEnd, end)
            (shared.state.crossfaded, shared.state.awaitedSince) = (crossfaded, now)
            guard let buffer else { return shared.state.isAtEnd = true }
            if let skipEnd, !Self.cut(buffer, before: skipEnd) { return }
            shared.fillRate.note(sound: buffer.outputDuration.seconds, spent: spent)
            shared.state.fillRate = shared.fillRate.value
            shared.state.longestWait = shared.fillRate.longestWait
            shared.buffers.append(buffer)
            shared.byteCount += buffer.totalSampleSize
        }
    }

    /// Trims the part of a buffer before `time`.
    ///
    /// - Returns: Whether any of the buffer is left.
    private static func cut(_ buffer: CMSampleBuffer, before time: CMTime) -> Bool {
        let (start, end) = (
            buffer.outputPresentationTimeStamp, buffer.outputPresentationTimeStamp + buffer.outputDuration
        )
        guard end > time else { return false }
        guard start < time else { return true }
        let key = kCMSampleBufferAttachmentKey_TrimDurationAtStart
        let old = CMTimeMakeFromDictionary(
            CMGetAttachment(buffer, key: key, attachmentModeOut: nil) as? NSDictionary)
        let trim = time - start
        CMSetAttachment(
            buffer, key: key,
            value: CMTimeCopyAsDictionary(
                old.isNumeric ? old + trim : trim, allocator: kCFAllocatorDefault),
            attachmentMode: kCMAttachmentMode_ShouldPropagate)
        return CMSampleBufferSetOutputPresentationTimeStamp(buffer, newValue: time) == noErr
    }

    private func timed<Value>(
        _ body: () throws(MediaError) -> Value
    ) throws(MediaError) -> Value {
        let now = clock.now
        shared.withLock { $0.readingSince = now }
        defer { shared.withLock { $0.readingSince = nil } }
        return try body()
    }
}
