import CoreMedia
import Synchronization
import TuttiCodecs
import TuttiMediaTime
import TuttiSystemIO
import TuttiWeb

/// A feed of an item's decoded pictures around the playhead, read and decoded ahead on its own queue.
///
/// The feed reads the file separately from its sound, so that nothing that happens here affects the sound. Several views and outputs
/// of an item share one feed. Any thread; only the feed's queue blocks.
package final class PictureFeed: @unchecked Sendable {
    // Safe to share: only `queue` touches `reader`, `decoder` and `times`; all others are immutable or locked.

    /// A decoded picture with its item time.
    package typealias Picture = PictureWindow<VideoFrame>.Entry

    /// The place of the pictures.
    package struct Source: Sendable {
        /// A file path or an address.
        package var path: String
        /// Transfers the bytes of an address.
        package let engine: WebEngine
        /// Headers for the server of an address.
        package var request: WebRequest
        /// Provides the bytes of the program's own addresses; `nil` for others.
        package var makeSource: ByteSourceMaking?
        /// The ``MediaStream/index`` of the pictures; `nil` for the best stream.
        package var stream: Int?
        /// The container's time at item time 0.
        package var zero: CMTime

        /// Creates a source.
        package init(
            path: String, engine: WebEngine, request: WebRequest = WebRequest(),
            makeSource: ByteSourceMaking? = nil, stream: Int? = nil, zero: CMTime = .zero
        ) {
            (self.path, self.engine, self.request, self.makeSource) = (path, engine, request, makeSource)
            (self.stream, self.zero) = (stream, zero)
        }
    }

    /// A snapshot of the feed.
    package struct State: Sendable {
        /// The stream's parameters; `nil` until the source is open.
        package var parameters: VideoStreamParameters?
        /// The error that ended the pictures; the sound plays on.
        package var error: MediaError?
        /// Pictures decoded so far.
        package var decodedCount = 0
        /// Pictures decoded after their time had passed.
        package var lateCount = 0
        /// Packets that could not be decoded.
        package var corruptCount = 0
        /// ``corruptCount`` at the last picture.
        var corruptAtPicture = 0
        /// Whether the film was read to its end.
        var isAtEnd = false
        /// Whether 25 packets in a row, or all packets of the film, gave no picture.
        package var isUndecodable: Bool {
            let inARow = corruptCount - corruptAtPicture
            return inARow >= 25 || isAtEnd && decodedCount == 0 && inARow > 0
        }
        /// Whether a graphics device decodes.
        package var usesHardware = false
        /// See ``VideoDecoder/isRefusedByHardware``.
        package var isRefusedByHardware = false
        /// FFmpeg's name of the decoder; empty until the source is open.
        package var codecName = ""

        mutating func note(_ decoder: VideoDecoder) {
            corruptCount = decoder.corruptPacketCount
            (usesHardware, isRefusedByHardware) = (decoder.usesHardware, decoder.isRefusedByHardware)
            codecName = decoder.name
        }
    }

    private struct Shared {
        var plan: PictureFeedState<VideoFrame>
        var state = State()
        var listeners: [Int: @Sendable () -> Void] = [:]
        var lastKey = 0
        var isScheduled = false
        var isClosed = false
        var subtitleStream: Int?
        var isSubtitleChange = false
        var texts = EmbeddedTexts()
        var tolerance = CMTime.zero
    }

    private let source: Source
    private let timebase: CMTimebase
    private let queue: SerialQueue
    private let interrupt = MediaInterrupt()
    private let shared: Mutex<Shared>
    private let jumps = Mutex<TimebaseObservation?>(nil)
    private let retry: any WakeUp
    private var reader: VideoReader?
    private var decoder: VideoDecoder?
    private var times: PictureTimes?
    /// Earlier places from which the seek under way may begin, as seconds before its target.
    private var retries: ArraySlice<Double> = []
    private var isFirstPicture = false

    /// The time until a source on the network is opened again after it failed.
    private static let pause = Duration.seconds(5)

    /// - Parameters:
    ///   - timebase: The item's time, whose jumps the feed follows.
    ///   - retry: Calls the feed after an error of the network; `nil` for the feed's queue.
    ///   - machine: The queue.
    package init(
        _ source: Source, timebase: CMTimebase, retry: (any WakeUp)? = nil, machine: any Machine
    ) {
        let queue = machine.makeQueue("tutti.pictures", qos: .userInitiated)
        (self.source, self.timebase, self.queue) = (source, timebase, queue)
        self.retry = retry ?? QueueWakeUp(on: queue)
        shared = Mutex(Shared(plan: PictureFeedState(at: timebase.time)))
        let observation = TimebaseObservation(timebase) { [weak self] in self?.timebaseChanged() }
        jumps.withLock { $0 = observation }
    }

    deinit { interrupt.cancel() }

    /// A snapshot of the feed.
    package var state: State {
        shared.withLock { shared in
            var state = shared.state
            state.lateCount = shared.plan.lateCount
            return state
        }
    }

    /// Adds a listener, which is called on any thread after pictures or the state changed; begins to read.
    ///
    /// - Returns: A key for ``remove(_:)``.
    package func add(_ listener: @escaping @Sendable () -> Void) -> Int {
        let key = shared.withLock { shared in
            shared.lastKey += 1
            shared.listeners[shared.lastKey] = listener
            return shared.lastKey
        }
        schedule()
        return key
    }

    /// Removes a listener; without listeners, the feed stops reading.
    package func remove(_ key: Int) { shared.withLock { _ = $0.listeners.removeValue(forKey: key) } }

    /// Returns the picture shown at an item time, and reads on from there; `nil` while it is not decoded.
    package func picture(at time: CMTime) -> Picture? {
        guard time.isNumeric else { return nil }
        let picture = shared.withLock { $0.plan.ask(at: time + $0.tolerance) }
        schedule()
        return picture
    }

    /// Returns the first picture that begins after an item time; `nil` if it is not decoded, or there is none.
    package func next(after time: CMTime) -> Picture? {
        shared.withLock { $0.plan.window.next(after: time + $0.tolerance) }
    }

    /// Returns the item time of the picture shown at an item time; `nil` if it is not decoded.
    package func time(ofPictureAt time: CMTime) -> CMTime? {
        shared.withLock { $0.plan.window.picture(at: time + $0.tolerance)?.time }
    }

    /// Returns the item time of the picture before the one shown at an item time; `nil` if it is not decoded.
    package func lastPicture(beforeThatAt time: CMTime) -> CMTime? {
        shared.withLock { shared in
            let window = shared.plan.window
            return window.picture(at: time + shared.tolerance).flatMap { window.last(before: $0.time)?.time }
        }
    }

    /// The number of decoded pictures that begin after one item time and no later than another.
    package func count(after first: CMTime, until last: CMTime) -> Int {
        shared.withLock { $0.plan.window.count(after: first, until: last + $0.tolerance) }
    }

    /// Ends reading, also one that waits for the network.
    package func close() {
        shared.withLock { shared in
            shared.isClosed = true
            shared.listeners = [:]
            shared.plan.seek(to: .zero)
        }
        interrupt.cancel()
        retry.cancel()
        jumps.withLock { $0 = nil }
        // The decoder's memory goes with the queue's last work.
        queue.async { [self] in (reader, decoder) = (nil, nil) }
    }

    // MARK: Texts

    /// Reads an embedded stream of texts along with the pictures; `nil` for none.
    package func selectSubtitles(_ stream: Int?) {
        shared.withLock { shared in
            guard shared.subtitleStream != stream else { return }
            (shared.subtitleStream, shared.isSubtitleChange) = (stream, true)
            shared.texts.removeAll()
            if stream != nil { shared.plan.seek(to: shared.plan.position) }
        }
        schedule()
    }

    /// The texts shown at an item time, and their script's header.
    package func subtitles(at time: CMTime) -> (cues: [SubtitleCue], header: String) {
        let milliseconds = (time + source.zero).convertScale(1000, method: .default).value
        return shared.withLock { shared in
            (shared.texts.table.shown(at: milliseconds), shared.texts.header)
        }
    }

    // MARK: Reading, on the queue

    private func timebaseChanged() {
        let (time, rate) = timebase.timeAndRate
        shared.withLock { shared in
            shared.plan.rate = rate
            if !shared.isClosed { shared.plan.jump(to: time) }
        }
        schedule()
    }

    private func schedule() {
        let isDue = shared.withLock { shared in
            guard !shared.isScheduled, Self.hasWork(shared) else { return false }
            shared.isScheduled = true
            return true
        }
        if isDue { queue.async { [self] in step() } }
    }

    private static func hasWork(_ shared: Shared) -> Bool {
        !shared.isClosed && shared.state.error == nil && !shared.listeners.isEmpty
            && shared.plan.next != .rest
    }

    private func step() {
        do throws(MediaError) {
            try work()
        } catch .cancelled {
            (reader, decoder) = (nil, nil)
        } catch {
            (reader, decoder) = (nil, nil)
            shared.withLock { $0.state.error = error }
            if error.mayPass { retry.set(after: Self.pause) { [weak self] in self?.tryAgain() } }
        }
        let (goesOn, listeners) = shared.withLock { shared in
            shared.isScheduled = Self.hasWork(shared)
            return (shared.isScheduled, Array(shared.listeners.values))
        }
        for listener in listeners { listener() }
        if goesOn { queue.async { [self] in step() } }
    }

    /// Opens the source again, at the present time.
    private func tryAgain() {
        shared.withLock { shared in
            guard !shared.isClosed else { return }
            shared.state.error = nil
            shared.plan.seek(to: timebase.time)
        }
        schedule()
    }

    private func work() throws(MediaError) {
        let (next, generation) = shared.withLock { ($0.plan.next, $0.plan.generation) }
        // `??` would lose the error's type.
        let reader = if let open = self.reader { open } else { try open() }
        let (texts, isChange) = shared.withLock { shared in
            defer { shared.isSubtitleChange = false }
            return (shared.subtitleStream, shared.isSubtitleChange)
        }
        if isChange {
            _ = reader.selectSubtitles(texts)
            shared.withLock { $0.texts.header = reader.subtitleHeader }
        }
        switch next {
        case .seek(let time): try seek(reader, to: time)
        case .decode: try decode(reader, generation)
        case .rest: break
        }
    }

    private func open() throws(MediaError) -> VideoReader {
        let reader = try VideoReader(
            source.path, stream: source.stream, request: source.request, interrupt: interrupt,
            engine: source.engine, makeSource: source.makeSource)
        do throws(CodecError) {
            let decoder = try VideoDecoder(reader.parameters)
            (self.reader, self.decoder, times) = (reader, decoder, PictureTimes(reader, zero: source.zero))
            isFirstPicture = true
            shared.withLock { shared in
                shared.state.parameters = reader.parameters
                shared.state.note(decoder)
                shared.tolerance = times?.tolerance ?? .zero
                shared.isSubtitleChange = shared.subtitleStream != nil
            }
            return reader
        } catch {
            throw .undecodable(name: MediaError.name(of: source.path), reason: "\(error)")
        }
    }

    /// Seconds before a target from which a seek begins again if the first picture came after the target.
    private static let retrySeconds = [0, 0.5, 2, 8, 30, 120]

    private func seek(_ reader: VideoReader, to time: CMTime) throws(MediaError) {
        guard let times else { return }
        let second = Int64(reader.unitDenominator) / Int64(max(1, reader.unitNumerator))
        let isBeginning = isFirstPicture && times.streamTime(of: time) <= reader.startTime + second
        shared.withLock { $0.plan.didSeek(to: time) }
        retries = Self.retrySeconds[...]
        if isBeginning {
            // The reader stands there already.
            retries = []
        } else {
            try begin(reader, before: time)
        }
    }

    /// Places the reader at the next attempt's place. A source that cannot seek is read on, or stays where it is.
    private func begin(_ reader: VideoReader, before time: CMTime) throws(MediaError) {
        guard let times else { return }
        let seconds = retries.popFirst() ?? 0
        let place = times.streamTime(of: time - CMTime(seconds: seconds, preferredTimescale: 1000))
        if place <= reader.startTime { retries = [] }
        do throws(MediaError) {
            if place <= reader.startTime { try reader.rewind() } else { try reader.seek(to: place) }
        } catch .notSeekable {
            retries = []
            return
        }
        isFirstPicture = place <= reader.startTime
        decoder?.reset()
    }

    private func decode(_ reader: VideoReader, _ generation: Int) throws(MediaError) {
        guard let decoder, let times else { return }
        let packet = try reader.nextPacket()
        let (playhead, rate) = timebase.timeAndRate
        let last = packet.map { adapt(decoder, to: $0, times, playhead: rate > 0 ? playhead : nil) } ?? []
        let frames = last + (packet.map(decoder.decode) ?? decoder.drain())
        let texts = reader.takeSubtitles()
        var isMissed = false
        shared.withLock { shared in
            shared.texts.keep(texts)
            // A seek made these pictures stale.
            guard shared.plan.generation == generation else { return }
            for frame in frames where !isMissed {
                shared.state.decodedCount += 1
                guard let time = frame.time.map(times.itemTime), time.isNumeric else { continue }
                let entry = Picture(
                    image: frame, time: time, end: time + times.duration(of: frame.duration),
                    byteCount: frame.byteCount)
                let outcome = shared.plan.take(
                    entry, tolerance: times.tolerance, mayRetry: !retries.isEmpty,
                    isFilmStart: isFirstPicture,
                    playhead: rate > 0 ? playhead : nil)
                isMissed = outcome == .missed
                if !isMissed { isFirstPicture = false }
            }
            shared.state.note(decoder)
            if !frames.isEmpty { shared.state.corruptAtPicture = decoder.corruptPacketCount }
            if packet == nil { shared.state.isAtEnd = true }
            if packet == nil, !isMissed {
                // A container without an index may seek behind the last key picture.
                isMissed = shared.plan.lacksTarget && !retries.isEmpty
                if !isMissed { shared.plan.end() }
            }
        }
        if isMissed, let target = shared.withLock({ $0.plan.target }) { try begin(reader, before: target) }
    }

    /// Leaves out pictures that need not be shown, see ``PictureFeedState``.
    ///
    /// - Returns: The last pictures inside a decoder that starts again with the packet.
    private func adapt(
        _ decoder: VideoDecoder, to packet: VideoPacket, _ times: PictureTimes, playhead: CMTime?
    ) -> [VideoFrame] {
        let shown = packet.presentationTime.map(times.itemTime)
        let duration = times.hasConstantRate ? times.usualDuration : nil
        let (now, isKey) = (decoder.skipping, packet.isKey)
        let decision = shared.withLock {
            $0.plan.decide(at: shown, isKey: isKey, duration: duration, playhead: playhead, now: now)
        }
        let frames = decision.isFreshStart ? decoder.drain() : []
        if decision.skipping != now { decoder.skipping = decision.skipping }
        return frames
    }
}
