import Foundation

/// Samples of one format with their times: data on its way to a renderer.
///
/// In PCM a sample is one frame; in compressed audio a sample is one packet. Format, times and sizes never
/// change. Any thread may set the data later, and change the attachments and the output time.
public final class CMSampleBuffer: @unchecked Sendable {
    // Safe to share: everything that changes is in `state`, which `lock` guards.

    /// A handler that makes a buffer's data ready when the data is first needed.
    public typealias MakeDataReadyHandler = (CMSampleBuffer) throws -> Void

    /// The state of a buffer's data.
    public enum DataReadiness: Hashable, Sendable {
        /// The data is pending.
        case notReady
        /// The data is available.
        case ready
        /// The data will not come; the value is the reason's code.
        case failed(OSStatus)
    }

    /// The format of the samples.
    public let formatDescription: CMFormatDescription?
    /// The number of samples.
    public let numSamples: CMItemCount

    let timing: SampleTiming
    let sizes: SampleSizes
    /// The earliest presentation time; invalid without timing.
    public let presentationTimeStamp: CMTime
    /// The duration of all samples together; invalid without timing.
    public let duration: CMTime

    private let lock = NSLock()
    private var state: SampleBufferState

    init(
        formatDescription: CMFormatDescription?, timing: SampleTiming, sizes: SampleSizes,
        state: SampleBufferState
    ) {
        self.formatDescription = formatDescription
        self.timing = timing
        self.sizes = sizes
        numSamples = timing.sampleCount
        presentationTimeStamp = timing.presentationTimeStamp
        duration = timing.duration
        self.state = state
    }

    /// Reads or changes the mutable state under the lock. Never call client code inside `body`.
    func withState<R>(_ body: (inout SampleBufferState) throws -> R) rethrows -> R {
        try lock.withLock { try body(&state) }
    }
}

extension CMSampleBuffer {
    /// Creates a buffer whose data is ready.
    ///
    /// - Parameters:
    ///   - sampleTimings: None; one entry, whose duration all samples share and by which their times advance;
    ///     or one entry for each sample.
    ///   - sampleSizes: None if unknown or defined by a PCM format; one size in bytes that all samples share;
    ///     or one for each.
    public convenience init(
        dataBuffer: CMBlockBuffer?, formatDescription: CMFormatDescription?, numSamples: CMItemCount,
        sampleTimings: [CMSampleTimingInfo], sampleSizes: [Int]
    ) throws {
        try self.init(
            dataBuffer, .ready, formatDescription, numSamples, sampleTimings, sampleSizes,
            makeDataReady: nil)
    }

    /// Creates a buffer whose data may come later, from a handler that runs when the data is needed.
    public convenience init(
        dataBuffer: CMBlockBuffer?, dataReady: Bool, formatDescription: CMFormatDescription?,
        numSamples: CMItemCount, sampleTimings: [CMSampleTimingInfo], sampleSizes: [Int],
        makeDataReadyHandler: @escaping MakeDataReadyHandler
    ) throws {
        try self.init(
            dataBuffer, dataReady ? .ready : .notReady, formatDescription, numSamples, sampleTimings,
            sampleSizes, makeDataReady: makeDataReadyHandler)
    }

    convenience init(
        _ dataBuffer: CMBlockBuffer?, _ readiness: DataReadiness, _ format: CMFormatDescription?,
        _ numSamples: CMItemCount, _ timings: [CMSampleTimingInfo], _ sizes: [Int],
        makeDataReady: MakeDataReadyHandler?
    ) throws {
        guard numSamples >= 0 else { throw Error.requiredParameterMissing }
        self.init(
            formatDescription: format, timing: try SampleTiming(entries: timings, sampleCount: numSamples),
            sizes: try SampleSizes(sizes: sizes, or: format, sampleCount: numSamples),
            state: SampleBufferState(
                dataBuffer: dataBuffer, readiness: readiness, makeDataReady: makeDataReady))
    }

    /// The earliest decode time; invalid if samples decode in presentation order.
    public var decodeTimeStamp: CMTime { timing.decodeTimeStamp }

    /// Returns the times of one sample.
    public func sampleTimingInfo(at index: CMItemIndex) throws -> CMSampleTimingInfo {
        try timing.checkedInfo(at: index)
    }

    /// Returns the timing entries: one that all samples continue, or one for each.
    public func sampleTimingInfos() throws -> [CMSampleTimingInfo] { try timing.knownEntries() }

    /// Returns the size of one sample in bytes; zero if the size is unknown or there is no such sample.
    public func sampleSize(at index: Int) -> Int {
        index >= 0 && index < numSamples ? sizes.size(at: index) : 0
    }

    /// Returns the size entries in bytes: one that all samples share, or one for each.
    public func sampleSizes() throws -> [Int] { try sizes.knownSizes() }

    /// The size of all samples together, in bytes; zero if unknown.
    public var totalSampleSize: Int { sizes.total }
}
