import Foundation

extension CMSampleBuffer {
    /// Creates a copy that shares the data and keeps the output time and the propagating attachments.
    ///
    /// If the original's data is not ready, the copy makes the original ready when the copy needs the data.
    public convenience init(copying original: CMSampleBuffer) throws {
        self.init(
            formatDescription: original.formatDescription, timing: original.timing, sizes: original.sizes,
            state: try original.copiedState(keepingOutputTime: true))
    }

    /// Creates a copy with other times; the output time is recomputed.
    public convenience init(
        copying original: CMSampleBuffer, withNewTiming timings: [CMSampleTimingInfo]
    ) throws {
        self.init(
            formatDescription: original.formatDescription,
            timing: try SampleTiming(entries: timings, sampleCount: original.numSamples),
            sizes: original.sizes, state: try original.copiedState(keepingOutputTime: false))
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
        var state = try original.copiedState(keepingOutputTime: true)
        let (sizes, timing) = (try original.sizes.part(range), try original.timing.part(range))
        state.dataBuffer = try state.dataBuffer.map { try original.data($0, of: range, at: sizes.data) }
        if let time = state.explicitOutputTime, timing.presentationTimeStamp.isNumeric {
            let moved = timing.presentationTimeStamp - original.presentationTimeStamp
            state.explicitOutputTime = time + state.edits.scaled(moved)
        }
        if range.lowerBound > 0 { state.remove(kCMSampleBufferAttachmentKey_TrimDurationAtStart) }
        if range.upperBound < original.numSamples {
            state.remove(kCMSampleBufferAttachmentKey_TrimDurationAtEnd)
        }
        self.init(
            formatDescription: original.formatDescription, timing: timing, sizes: sizes.sizes, state: state)
    }

    private func copiedState(keepingOutputTime: Bool) throws -> State {
        var state = withState { $0 }
        guard state.isValid else { throw Error.invalidated }
        if !keepingOutputTime { state.explicitOutputTime = nil }
        let kept = state.attachments.propagated
        state.attachments.removeAll()
        state.attachments.merge(kept, mode: .shouldPropagate)
        state.edits = OutputEdits(state.attachments)
        state.sampleAttachments = nil
        if state.readiness == .notReady {
            state.makeDataReady = { [self] copy in
                try makeDataReady()
                if copy.dataBuffer == nil, let dataBuffer { try copy.setDataBuffer(dataBuffer) }
                try copy.setDataReadiness(.ready)
            }
        }
        return state
    }

    /// Returns the bytes of some samples, cut plane by plane if the format is not interleaved.
    private func data(_ whole: CMBlockBuffer, of range: Range<Int>, at place: Range<Int>) throws
        -> CMBlockBuffer
    {
        if range == 0..<numSamples { return whole }
        guard sizes.areKnown else { throw Error.cannotSubdivide }
        guard place.upperBound <= whole.dataLength else { throw Error.invalidSampleData }
        guard let description = formatDescription?.audioStreamBasicDescription, description.planeCount > 1
        else { return try CMBlockBuffer(bufferReference: whole[place], flags: .permitEmptyReference) }
        let planes = description.planeCount
        let frameSize = sizes.size(at: 0) / planes
        let result = try CMBlockBuffer()
        for plane in 0..<planes {
            let start = (plane * numSamples + range.lowerBound) * frameSize
            try result.append(bufferReference: whole[start..<start + range.count * frameSize])
        }
        return result
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
            guard try sizes.part(0..<numSamples).data.upperBound <= dataBuffer.dataLength else {
                throw Error.invalidSampleData
            }
        }
        return SingleSampleBuffers(whole: self)
    }
}

extension CMSampleBuffer.State {
    fileprivate mutating func remove(_ key: CFString) {
        attachments[key] = nil as CMAttachmentBearerAttachments.Value?
        edits = OutputEdits(attachments)
    }
}
