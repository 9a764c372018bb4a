import CoreMedia
import Foundation
import KeyValueObserving
import Synchronization

/// One stream of sample buffers from an ``AVAssetReader``; see ``AVAssetReaderTrackOutput``.
///
/// Buffers are taken by one thread after the other; the rest may be called from any.
open class AVAssetReaderOutput: NSObject, @unchecked Sendable {
    // Safe to share: `settings` and `progress` have locks; `reading` is only touched with `turn` held, or
    // before the reader's status says that it reads.

    private struct Settings {
        var alwaysCopiesSampleData = true
        var supportsRandomAccess = false
    }

    private enum Progress {
        /// These ranges come after the present one.
        case giving(next: [CMTimeRange])
        /// All was given; others may still be asked for.
        case exhausted
        /// Nothing comes any more.
        case final
    }

    private let settings = Mutex(Settings())
    private let progress = Mutex(Progress.giving(next: []))
    private let reader = Mutex<ReadingState?>(nil)
    private let turn = NSLock()
    private var reading: TrackReading?

    override init() { super.init() }

    /// What the buffers have.
    open var mediaType: AVMediaType { .audio }

    /// Whether the buffers must not share memory with the reader. They never do here.
    open var alwaysCopiesSampleData: Bool {
        get { settings.withLock { $0.alwaysCopiesSampleData } }
        set { settings.withLock { $0.alwaysCopiesSampleData = newValue } }
    }

    /// Whether ``reset(forReadingTimeRanges:)`` will be called; to be set before the reading begins.
    open var supportsRandomAccess: Bool {
        get { settings.withLock { $0.supportsRandomAccess } }
        set {
            let isEarly = status == .unknown
            guard isRightUse(isEarly, "supportsRandomAccess is set before the reading begins") else { return }
            settings.withLock { $0.supportsRandomAccess = newValue }
        }
    }

    private var status: AVAssetReader.Status { reader.withLock { $0 }?.status ?? .unknown }

    // MARK: For the reader

    /// Opens what is to be read.
    func open(interrupt state: ReadingState) throws(AVError) -> TrackReading {
        throw AVError(.operationNotSupportedForAsset, reason: "an output without a track")
    }

    /// - Returns: false if it belongs to another reader.
    func attach(_ state: ReadingState) -> Bool {
        reader.withLock { reader in
            if let reader { return reader === state }
            reader = state
            return true
        }
    }

    /// Whether no reader has it yet.
    var isFree: Bool { reader.withLock { $0 == nil } }

    func prepare(_ range: CMTimeRange, _ state: ReadingState) throws(AVError) {
        let opened = try open(interrupt: state)
        try opened.begin(range)
        turn.withLock { reading = opened }
    }

    // MARK: Reading

    /// The next buffer; waits for it, so not for the main thread.
    ///
    /// - Returns: `nil` at the end, and when the reader's status is no longer `reading`; that says which.
    open func copyNextSampleBuffer() -> CMSampleBuffer? {
        guard let state = reader.withLock({ $0 }), state.status != .unknown else {
            isRightUse(false, "buffers are taken from a reader that was started")
            return nil
        }
        return turn.withLock {
            guard state.status == .reading, let reading else { return nil }
            do throws(AVError) {
                let buffer = try next(of: reading)
                // A buffer that was waited for while the reader was cancelled is not wanted any more.
                if buffer != nil { return state.status == .reading ? buffer : nil }
                end(state)
            } catch {
                state.fail(error)
            }
            return nil
        }
    }

    private func next(of reading: TrackReading) throws(AVError) -> CMSampleBuffer? {
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

    /// Goes on with other parts of the track, after ``copyNextSampleBuffer()`` has said that there is no more.
    ///
    /// - Parameter timeRanges: `NSValue`s that hold a `CMTimeRange`, in the order of their starts and without
    ///   overlap. None at all is the end, as ``markConfigurationAsFinal()`` is.
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
        isRightUse(isPossible, "a reset wants random access, all buffers taken, and ranges in order")
        if isPossible, ranges.isEmpty { markConfigurationAsFinal() }
    }

    /// Says that ``reset(forReadingTimeRanges:)`` will not be called again, so that the reader can complete.
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
