import Foundation

extension CMSampleBuffer {
    /// Creates a copy that shares the data and keeps the output time and the propagating attachments.
    ///
    /// If the original's data is not ready, the copy makes the original ready when the copy needs the data.
    public convenience init(copying original: CMSampleBuffer) throws {
        self.init(
            formatDescription: original.formatDescription, timing: original.timing, sizes: original.sizes,
            state: try original.copiedState())
    }

    /// Creates a copy with other times; the output time is recomputed.
    public convenience init(
        copying original: CMSampleBuffer, withNewTiming timings: [CMSampleTimingInfo]
    ) throws {
        let timing = try SampleTiming(entries: timings, sampleCount: original.numSamples)
        var state = try original.copiedState()
        (state.explicitOutputTime, state.volume) = (nil, nil)
        self.init(
            formatDescription: original.formatDescription, timing: timing, sizes: original.sizes,
            state: state)
    }

    /// Creates a copy of some of the samples that shares their data.
    ///
    /// A trim carries over only if the copy contains that end. An explicit output time moves with the first
    /// sample.
    public convenience init(copying original: CMSampleBuffer, forRange range: Range<Int>) throws {
        guard range.lowerBound >= 0, range.upperBound <= original.numSamples, !range.isEmpty else {
            throw Error.sampleIndexOutOfRange
        }
        if original.dataReadiness != .ready { try original.makeDataReady() }
        var state = try original.copiedState()
        let (sizes, timing) = (try original.sizes.part(range), try original.timing.part(range))
        state.dataBuffer = try state.dataBuffer.map { whole in
            try original.sizes.data(
                whole, of: range, at: sizes.data,
                planeCount: original.formatDescription?.audioStreamBasicDescription?.planeCount ?? 1)
        }
        let start = timing.presentationTimeStamp
        state.keep(
            range, of: original.numSamples,
            movedBy: start.isNumeric ? start - original.presentationTimeStamp : nil)
        self.init(
            formatDescription: original.formatDescription, timing: timing, sizes: sizes.sizes, state: state)
    }

    /// Returns the state of a copy, which makes this buffer ready if the copy needs the data first.
    private func copiedState() throws -> SampleBufferState {
        var state = try withState { try $0.copied() }
        if state.readiness == .notReady {
            state.makeDataReady = { [self] copy in
                try makeDataReady()
                if copy.dataBuffer == nil, let dataBuffer { try copy.setDataBuffer(dataBuffer) }
                try copy.setDataReadiness(.ready)
            }
        }
        return state
    }

    /// A sequence of buffers, one for each sample.
    public struct SingleSampleBuffers: Sequence, IteratorProtocol {
        private let whole: CMSampleBuffer
        private var index = 0

        fileprivate init(whole: CMSampleBuffer) { self.whole = whole }

        /// Returns a buffer with the next sample alone; `nil` after the last sample, or if the buffer cannot
        /// be created.
        public mutating func next() -> CMSampleBuffer? {
            guard index < whole.numSamples else { return nil }
            defer { index += 1 }
            // `singleSampleBuffers()` has checked that every sample can be cut out.
            return try? CMSampleBuffer(copying: whole, forRange: index..<index + 1)
        }
    }

    /// Returns a buffer for each sample; the buffers share the data.
    ///
    /// - Throws: ``Error/cannotSubdivide`` if the sizes of several samples are unknown.
    public func singleSampleBuffers() throws -> SingleSampleBuffers {
        if dataReadiness != .ready { try makeDataReady() }
        if let dataBuffer, numSamples > 1 {
            guard sizes.areKnown else { throw Error.cannotSubdivide }
            try sizes.check(dataBuffer)
        }
        return SingleSampleBuffers(whole: self)
    }
}
