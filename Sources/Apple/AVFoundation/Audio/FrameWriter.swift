import TuttiPCM

/// A writer of interleaved frames into a buffer of a common format, interleaved or with a plane per channel.
struct FrameWriter {
    private let planes: [UnsafeMutableRawPointer]
    private let channelCount: Int
    private let format: AVAudioCommonFormat
    private let source: SampleFormat

    /// Creates a writer; `nil` if the buffer has no memory.
    init?(_ buffer: AVAudioPCMBuffer, from source: SampleFormat) {
        let list = buffer.storage.used
        planes = list.compactMap(\.mData)
        guard planes.count == list.count, !planes.isEmpty else { return nil }
        channelCount = Int(buffer.format.channelCount)
        format = buffer.format.commonFormat
        self.source = source
    }

    /// Returns the decoder output that converts to a format without loss and with the least work.
    static func sampleFormat(for format: AVAudioCommonFormat, natural: SampleFormat) -> SampleFormat {
        switch format {
        case .pcmFormatInt16: .int16
        case .pcmFormatInt32: .int32
        case .pcmFormatFloat64 where natural != .float32: .int32
        case .pcmFormatFloat32, .pcmFormatFloat64, .otherFormat: .float32
        }
    }

    /// Writes frames into the buffer.
    ///
    /// - Parameters:
    ///   - frames: Interleaved frames; `nil` for silence.
    ///   - offset: The distance in frames from the start of the buffer.
    func write(_ frames: UnsafeRawBufferPointer?, count: Int, at offset: Int) {
        guard let frames else { return clear(count, at: offset) }
        switch (source, format) {
        case (.int16, .pcmFormatInt16): copy(frames, count, offset) { (sample: Int16) in sample }
        case (.int32, .pcmFormatInt32): copy(frames, count, offset) { (sample: Int32) in sample }
        case (.float32, .pcmFormatFloat32): copy(frames, count, offset) { (sample: Float) in sample }
        case (.float32, .pcmFormatFloat64): copy(frames, count, offset) { (sample: Float) in Double(sample) }
        case (.int32, .pcmFormatFloat64):
            copy(frames, count, offset) { (sample: Int32) in Double(sample) / 0x1p31 }
        // `sampleFormat(for:natural:)` requests no other combination.
        default: clear(count, at: offset)
        }
    }

    private func clear(_ count: Int, at offset: Int) {
        let width = Int(format.bytesPerSample) * channelCount / planes.count
        for plane in planes { memset(plane + offset * width, 0, count * width) }
    }

    private func copy<Source: BitwiseCopyable, Target: BitwiseCopyable>(
        _ frames: UnsafeRawBufferPointer, _ count: Int, _ offset: Int, _ convert: (Source) -> Target
    ) {
        let input = frames.assumingMemoryBound(to: Source.self)
        guard planes.count > 1 else {
            let output = planes[0].assumingMemoryBound(to: Target.self) + offset * channelCount
            for index in 0..<count * channelCount { output[index] = convert(input[index]) }
            return
        }
        for (channel, plane) in planes.enumerated() {
            let output = plane.assumingMemoryBound(to: Target.self) + offset
            for frame in 0..<count { output[frame] = convert(input[frame * channelCount + channel]) }
        }
    }
}
