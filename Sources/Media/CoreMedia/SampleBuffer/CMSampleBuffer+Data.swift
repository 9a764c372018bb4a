import Foundation

extension CMSampleBuffer {
    /// The data, or `nil` before it is set.
    public var dataBuffer: CMBlockBuffer? { withState { $0.dataBuffer } }

    /// The state of the data: pending, ready or failed.
    public var dataReadiness: DataReadiness { withState { $0.readiness } }

    /// Whether the buffer has not been invalidated.
    public var isValid: Bool { withState { $0.isValid } }

    /// Sets the buffer's data; throws ``Error/alreadyHasDataBuffer`` the second time.
    public func setDataBuffer(_ dataBuffer: CMBlockBuffer) throws {
        try withState { try $0.setDataBuffer(dataBuffer) }
    }

    /// Sets the state of the data.
    public func setDataReadiness(_ readiness: DataReadiness) throws {
        try withState { try $0.setReadiness(readiness) }
    }

    /// Calls the buffer's handler on this thread to make the data ready; does nothing if the data is ready.
    ///
    /// - Throws: ``Error/bufferNotReady`` without a handler, the handler's error, or the code of an earlier
    ///   failure.
    public func makeDataReady() throws {
        guard let handler = try withState({ try $0.handlerForPendingData() }) else { return }
        do {
            try handler(self)
        } catch {
            withState { $0.readiness = .failed(kCMSampleBufferError_DataFailed) }
            throw error
        }
        try withState { try $0.finishMakingReady(needsData: numSamples > 0) }
    }

    /// Makes the buffer unusable and releases its handler.
    public func invalidate() throws {
        withState { $0.invalidate() }
    }
}

extension CMSampleBuffer {
    /// Options for the audio buffer list methods.
    public struct Flags: OptionSet, Hashable, Sendable {
        /// The raw bits, in the form of the C functions.
        public let rawValue: UInt32

        /// Creates flags from their bits; unnamed bits are kept.
        public init(rawValue: UInt32) { self.rawValue = rawValue }

        /// Aligns buffers to 16 bytes; memory from `malloc` is always aligned that way here.
        public static let audioBufferListAssure16ByteAlignment = Flags(
            rawValue: kCMSampleBufferFlag_AudioBufferList_Assure16ByteAlignment)
    }

    /// Calls `body` with the data as an audio buffer list: one buffer, or one per channel if not interleaved.
    ///
    /// Contiguous data is not copied. The list is valid until `body` returns.
    public func withAudioBufferList<R>(
        blockBufferMemoryAllocator: CFAllocator? = kCFAllocatorDefault, flags: Flags = [],
        body: (UnsafeMutableAudioBufferListPointer, CMBlockBuffer) throws -> R
    ) throws -> R {
        let planes = try audioPlanes()
        let list = AudioBufferList.allocate(maximumBuffers: planes.description.planeCount)
        defer { free(list.unsafeMutablePointer) }
        try planes.fill(list)
        return try withExtendedLifetime(planes.data) { try body(list, planes.data) }
    }

    /// Returns the sound in contiguous memory; makes the data ready if needed.
    func audioPlanes() throws -> AudioPlanes {
        guard let description = formatDescription?.audioStreamBasicDescription else {
            throw Error.invalidMediaTypeForOperation
        }
        if dataReadiness != .ready { try makeDataReady() }
        guard let dataBuffer else { throw Error.bufferNotReady }
        return try AudioPlanes(dataBuffer, description)
    }

    /// Copies PCM frames into the buffers of a list; throws ``Error/arrayTooSmall`` if the buffers lack room.
    public func copyPCMData(
        fromRange range: Range<Int>, into bufferList: UnsafeMutablePointer<AudioBufferList>
    ) throws {
        guard let description = formatDescription?.audioStreamBasicDescription, description.isLinearPCM
        else { throw Error.invalidMediaTypeForOperation }
        guard range.lowerBound >= 0, range.upperBound <= numSamples else { throw Error.sampleIndexOutOfRange }
        let destination = UnsafeMutableAudioBufferListPointer(bufferList)
        try withAudioBufferList { source, _ in
            try destination.copy(range, from: source, bytesPerFrame: Int(description.mBytesPerFrame))
        }
    }

    /// Sets the data to a copy of the audio in a list, plane after plane, and marks the data ready.
    public func setDataBuffer(
        fromAudioBufferList bufferList: UnsafePointer<AudioBufferList>,
        blockBufferMemoryAllocator: CFAllocator? = kCFAllocatorDefault, flags: Flags = []
    ) throws {
        guard let description = formatDescription?.audioStreamBasicDescription else {
            throw Error.invalidMediaTypeForOperation
        }
        let list = UnsafeMutableAudioBufferListPointer(UnsafeMutablePointer(mutating: bufferList))
        guard list.count == description.planeCount else { throw Error.invalidMediaFormat }
        if sizes.areKnown, list.byteCount < totalSampleSize { throw Error.invalidSampleData }
        try setDataBuffer(try list.joined())
        try setDataReadiness(.ready)
    }
}

/// Aligns buffers to 16 bytes.
public let kCMSampleBufferFlag_AudioBufferList_Assure16ByteAlignment: UInt32 = 1 << 0
