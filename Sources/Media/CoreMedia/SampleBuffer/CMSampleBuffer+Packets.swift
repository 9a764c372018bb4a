import Foundation

extension CMSampleBuffer {
    /// Creates an audio buffer whose data is ready, from packet descriptions.
    ///
    /// Every sample lasts the format's frames per packet, or the packet's own count if it has one. The first
    /// sample begins at `presentationTimeStamp`. Without packet descriptions the format must have packets of
    /// constant size.
    public convenience init(
        dataBuffer: CMBlockBuffer, formatDescription: CMFormatDescription, numSamples: CMItemCount,
        presentationTimeStamp: CMTime, packetDescriptions: [AudioStreamPacketDescription]
    ) throws {
        try self.init(
            packets: packetDescriptions, dataBuffer: dataBuffer, readiness: .ready,
            formatDescription: formatDescription, numSamples: numSamples, at: presentationTimeStamp,
            makeDataReady: nil)
    }

    convenience init(
        packets: [AudioStreamPacketDescription], dataBuffer: CMBlockBuffer?, readiness: DataReadiness,
        formatDescription: CMFormatDescription, numSamples: CMItemCount, at start: CMTime,
        makeDataReady: MakeDataReadyHandler?
    ) throws {
        guard let description = formatDescription.audioStreamBasicDescription else {
            throw Error.invalidMediaTypeForOperation
        }
        guard numSamples >= 0 else { throw Error.requiredParameterMissing }
        guard packets.isEmpty || packets.count == numSamples else { throw Error.invalidEntryCount }
        let timing = try SampleTiming(
            packets: packets, in: description, from: start, sampleCount: numSamples)
        let sizes = try SampleSizes(packets: packets, in: description, sampleCount: numSamples)
        if let dataBuffer, readiness == .ready, sizes.areKnown { try sizes.check(dataBuffer) }
        self.init(
            formatDescription: formatDescription, timing: timing, sizes: sizes,
            state: SampleBufferState(
                dataBuffer: dataBuffer, readiness: readiness, makeDataReady: makeDataReady))
    }

    /// Returns a description of every packet; empty for formats with packets of constant size.
    public func audioStreamPacketDescriptions() throws -> [AudioStreamPacketDescription] {
        guard let description = formatDescription?.audioStreamBasicDescription else {
            throw Error.invalidMediaTypeForOperation
        }
        if description.mBytesPerPacket > 0, description.mFramesPerPacket > 0 { return [] }
        guard sizes.areKnown else { throw Error.bufferHasNoSampleSizes }
        return packets.map { AudioStreamPacketDescription($0, in: description) }
    }

    /// The packets of this buffer in order, with their offsets in its data. Iteration allocates nothing.
    ///
    /// Empty if the sizes are unknown. Offsets are not checked against the data.
    package var packets: SamplePackets { SamplePackets(timing: timing, sizes: sizes) }
}

/// One sample of a buffer: the position of its bytes and its duration.
package struct SamplePacket: Hashable, Sendable {
    /// The offset from the start of the data, in bytes.
    package let offset: Int
    /// The size in bytes.
    package let size: Int
    /// The duration; invalid without timing.
    package let duration: CMTime

    /// Returns the duration in frames, rounded.
    fileprivate func frameCount(at sampleRate: Double) -> UInt32 {
        let frames = duration.seconds * sampleRate
        return frames.isFinite ? UInt32(clamping: Int64(max(0, min(frames.rounded(), 0x1p32)))) : 0
    }
}

extension AudioStreamPacketDescription {
    fileprivate init(_ packet: SamplePacket, in description: AudioStreamBasicDescription) {
        self.init(
            mStartOffset: Int64(packet.offset),
            mVariableFramesInPacket: description.mFramesPerPacket == 0
                ? packet.frameCount(at: description.mSampleRate) : 0,
            mDataByteSize: UInt32(clamping: packet.size))
    }
}

/// The samples of a buffer, in order.
package struct SamplePackets: Sequence, Sendable {
    fileprivate let timing: SampleTiming
    fileprivate let sizes: SampleSizes

    /// The number of samples, or 0 while sizes are unknown.
    package var underestimatedCount: Int { sizes.areKnown ? sizes.sampleCount : 0 }

    /// Returns an iterator over the packets from the first one on.
    package func makeIterator() -> Iterator { Iterator(timing: timing, sizes: sizes) }

    /// An iterator over the packets of a buffer.
    package struct Iterator: IteratorProtocol {
        fileprivate let timing: SampleTiming
        fileprivate let sizes: SampleSizes
        private var index = 0
        private var position = 0

        fileprivate init(timing: SampleTiming, sizes: SampleSizes) {
            self.timing = timing
            self.sizes = sizes
        }

        /// Returns the next packet; `nil` at the end or without known sizes.
        package mutating func next() -> SamplePacket? {
            guard sizes.areKnown, index < sizes.sampleCount else { return nil }
            let size = sizes.size(at: index)
            let offset = sizes.offsets?[index] ?? position
            let entry = timing.entries.count > 1 ? timing.entries[index] : timing.entries.first
            index += 1
            position += size
            return SamplePacket(offset: offset, size: size, duration: entry?.duration ?? .invalid)
        }
    }
}
