import Foundation

/// Samples of one format with their times: data on its way to a renderer.
///
/// In PCM a sample is one frame; in compressed audio it is one packet. Format, times and sizes never
/// change. The data may come later, the attachments and the output time may change, on any thread.
public final class CMSampleBuffer: @unchecked Sendable {
    // Safe to share: what may change is in `state`, which is only touched under its lock.

    /// Makes the data of a buffer ready when it is first needed.
    public typealias MakeDataReadyHandler = (CMSampleBuffer) throws -> Void

    /// Whether the data can be used.
    public enum DataReadiness: Hashable, Sendable {
        /// The data is still to come.
        case notReady
        /// The data is there.
        case ready
        /// The data will not come; with the reason's code.
        case failed(OSStatus)
    }

    struct State {
        var dataBuffer: CMBlockBuffer?
        var readiness: DataReadiness
        var makeDataReady: MakeDataReadyHandler?
        var isValid = true
        var explicitOutputTime: CMTime?
        var attachments = CMAttachmentBearerAttachments()
        var edits = OutputEdits()
        var sampleAttachments: [NSMutableDictionary]?
    }

    /// The format of the samples.
    public let formatDescription: CMFormatDescription?
    /// How many samples there are.
    public let numSamples: CMItemCount

    let timing: SampleTiming
    let sizes: SampleSizes
    /// The earliest presentation time; invalid without timing.
    public let presentationTimeStamp: CMTime
    /// The length of all samples together; invalid without timing.
    public let duration: CMTime

    private let lock = NSLock()
    private var state: State

    init(
        formatDescription: CMFormatDescription?, timing: SampleTiming, sizes: SampleSizes, state: State
    ) {
        self.formatDescription = formatDescription
        self.timing = timing
        self.sizes = sizes
        numSamples = timing.sampleCount
        presentationTimeStamp = timing.presentationTimeStamp
        duration = timing.duration
        self.state = state
    }

    /// Reads or changes what may change. Never calls foreign code inside.
    func withState<R>(_ body: (inout State) throws -> R) rethrows -> R {
        try lock.withLock { try body(&state) }
    }
}

extension CMSampleBuffer {
    /// A buffer whose data is ready.
    ///
    /// - Parameters:
    ///   - sampleTimings: none, one whose duration all samples share and whose times advance by it, or one
    ///     for each sample.
    ///   - sampleSizes: none if unknown, one that all samples share, or one for each.
    public convenience init(
        dataBuffer: CMBlockBuffer?, formatDescription: CMFormatDescription?, numSamples: CMItemCount,
        sampleTimings: [CMSampleTimingInfo], sampleSizes: [Int]
    ) throws {
        try self.init(
            dataBuffer, .ready, formatDescription, numSamples, sampleTimings, sampleSizes,
            makeDataReady: nil)
    }

    /// A buffer whose data may come later, by a handler that runs when it is needed.
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
            sizes: try SampleSizes(
                sizes: sizes.isEmpty ? Self.constantSize(of: format) : sizes, sampleCount: numSamples),
            state: State(dataBuffer: dataBuffer, readiness: readiness, makeDataReady: makeDataReady))
    }

    /// The size that every sample of a constant-size format has.
    private static func constantSize(of format: CMFormatDescription?) -> [Int] {
        guard let description = format?.audioStreamBasicDescription, description.mBytesPerPacket > 0,
            description.isLinearPCM
        else { return [] }
        return [Int(description.mBytesPerPacket) * description.planeCount]
    }

    /// The earliest decoding time; invalid if it is that of presentation.
    public var decodeTimeStamp: CMTime { timing.decodeTimeStamp }

    /// The times of one sample.
    public func sampleTimingInfo(at index: CMItemIndex) throws -> CMSampleTimingInfo {
        guard index >= 0, index < numSamples else { throw Error.sampleIndexOutOfRange }
        guard let info = timing.info(at: index) else { throw Error.bufferHasNoSampleTimingInfo }
        return info
    }

    /// The timing entries: one that all samples continue, or one for each.
    public func sampleTimingInfos() throws -> [CMSampleTimingInfo] {
        if timing.entries.isEmpty { throw Error.bufferHasNoSampleTimingInfo }
        return timing.entries
    }

    /// The size of one sample; zero if it is unknown or there is no such sample.
    public func sampleSize(at index: Int) -> Int {
        index >= 0 && index < numSamples ? sizes.size(at: index) : 0
    }

    /// The size entries: one that all samples share, or one for each.
    public func sampleSizes() throws -> [Int] {
        if !sizes.areKnown { throw Error.bufferHasNoSampleSizes }
        return sizes.sizes
    }

    /// The size of all samples together; zero if it is unknown.
    public var totalSampleSize: Int { sizes.total }
}

extension AudioStreamBasicDescription {
    /// Buffers side by side that hold one frame: one for each channel, or one for all.
    var planeCount: Int { isNonInterleaved ? Int(max(1, mChannelsPerFrame)) : 1 }
}
