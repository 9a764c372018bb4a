import CoreMedia
import Foundation
import Synchronization
import TuttiKeyValueObserving

/// A stream of sample buffers from an ``AVAssetReader``; see ``AVAssetReaderTrackOutput``.
///
/// Callable from any thread; concurrent calls of ``copyNextSampleBuffer()`` take turns.
open class AVAssetReaderOutput: NSObject, @unchecked Sendable {
    // Safe to share: `settings` and `progress` have locks; `reading` is touched only with `turn` held.

    private struct Settings {
        var alwaysCopiesSampleData = true
        var supportsRandomAccess = false
    }

    private enum Progress {
        /// The current range is being read; `next` are the ranges after it.
        case giving(next: [CMTimeRange])
        /// All ranges were read; the program may still reset the output.
        case exhausted
        /// No more buffers follow.
        case final
    }

    private let settings = Mutex(Settings())
    private let progress = Mutex(Progress.giving(next: []))
    private let reader = Mutex<ReadingState?>(nil)
    private let turn = NSLock()
    private var reading: (any TrackReading)?

    override init() { super.init() }

    /// The media type of the buffers.
    open var mediaType: AVMediaType { .audio }

    /// Whether the program may change the buffers' contents. Otherwise pictures may share memory with the decoder;
    /// other buffers never share memory with the reader.
    open var alwaysCopiesSampleData: Bool {
        get { settings.withLock { $0.alwaysCopiesSampleData } }
        set { settings.withLock { $0.alwaysCopiesSampleData = newValue } }
    }

    /// Whether ``reset(forReadingTimeRanges:)`` will be called. Set the property before the reading begins.
    open var supportsRandomAccess: Bool {
        get { settings.withLock { $0.supportsRandomAccess } }
        set {
            let isEarly = status == .unknown
            guard checkAPIUse(isEarly, "supportsRandomAccess must be set before reading starts") else {
                return
            }
            settings.withLock { $0.supportsRandomAccess = newValue }
        }
    }

    private var status: AVAssetReader.Status { reader.withLock { $0 }?.status ?? .unknown }

    // MARK: For the reader

    /// Opens the track for reading.
    func open(interrupt state: ReadingState) throws(AVError) -> any TrackReading {
        throw AVError(.operationNotSupportedForAsset, reason: "an output without a track")
    }

    /// - Returns: `false`, without effect, if the output belongs to another reader.
    func attach(_ state: ReadingState) -> Bool {
        reader.withLock { reader in
            if let reader { return reader === state }
            reader = state
            return true
        }
    }

    /// Whether the output belongs to no reader yet.
    var isFree: Bool { reader.withLock { $0 == nil } }

    func prepare(_ range: CMTimeRange, _ state: ReadingState) throws(AVError) {
        let opened = try open(interrupt: state)
        try opened.begin(range)
        turn.withLock { reading = opened }
    }

    // MARK: Reading

    /// Returns the next buffer. Blocks on the disk or a server, so do not call it on the main thread.
    ///
    /// - Returns: `nil` at the end, and when the reader's status is no longer `reading`; the status tells
    ///   which.
    open func copyNextSampleBuffer() -> CMSampleBuffer? {
        guard let state = reader.withLock({ $0 }), state.status != .unknown else {
            checkAPIUse(false, "a reader must be started before buffers are read")
            return nil
        }
        return turn.withLock {
            guard state.status == .reading, let reading else { return nil }
            do throws(AVError) {
                let buffer = try next(of: reading)
                // Drop a buffer that arrived after the reader was cancelled.
                if buffer != nil { return state.status == .reading ? buffer : nil }
                end(state)
            } catch {
                state.fail(error)
            }
            return nil
        }
    }

    private func next(of reading: any TrackReading) throws(AVError) -> CMSampleBuffer? {
        while true {
            guard case .giving = progress.withLock({ $0 }) else { return nil }
            if let buffer = try reading.next() { return buffer }
            guard let range = nextRange() else { return nil }
            try reading.begin(range)
        }
    }

    private func nextRange() -> CMTimeRange? {
        progress.withLock { progress in
            guard case .giving(var ranges) = progress, !ranges.isEmpty else { return nil }
            defer { progress = .giving(next: ranges) }
            return ranges.removeFirst()
        }
    }

    private func end(_ state: ReadingState) {
        let isRandom = settings.withLock { $0.supportsRandomAccess }
        let isOver = progress.withLock { progress in
            guard case .giving = progress else { return false }
            progress = isRandom ? .exhausted : .final
            return !isRandom
        }
        if isOver { state.finishOutput() }
    }

    /// Continues with other ranges of the track, after ``copyNextSampleBuffer()`` has returned `nil` at the
    /// end.
    ///
    /// - Parameter timeRanges: `NSValue`s of `CMTimeRange`, in the order of their starts and without overlap.
    ///   An empty array has the effect of ``markConfigurationAsFinal()``.
    open func reset(forReadingTimeRanges timeRanges: [NSValue]) {
        let ranges = timeRanges.map(\.timeRangeValue)
        let isInOrder = zip(ranges, ranges.dropFirst()).allSatisfy { $0.end <= $1.start }
        let isPossible =
            supportsRandomAccess && isInOrder && ranges.allSatisfy(\.isValid)
            && progress.withLock { progress in
                guard case .exhausted = progress else { return false }
                if !ranges.isEmpty { progress = .giving(next: ranges) }
                return true
            }
        checkAPIUse(isPossible, "a reset requires random access, all buffers read, and ranges in order")
        if isPossible, ranges.isEmpty { markConfigurationAsFinal() }
    }

    /// Declares that ``reset(forReadingTimeRanges:)`` will not be called again, so that the reader can
    /// complete.
    open func markConfigurationAsFinal() {
        let isOver = progress.withLock { progress in
            guard case .exhausted = progress else { return false }
            progress = .final
            return true
        }
        settings.withLock { $0.supportsRandomAccess = false }
        if isOver { reader.withLock { $0 }?.finishOutput() }
    }
}
