extension ChannelMapping {
    /// Mixes a buffer to mono at the same rate and sample format: the mean of ``stereo(_:)``. Two equal
    /// channels come out exactly as one of them.
    package func mono(_ buffer: PCMBuffer) -> PCMBuffer {
        if buffer.format.channelCount == 1 { return buffer }
        let sides = stereo(buffer)
        switch sides.format.sampleFormat {
        case .int16:
            return Self.mean(sides) { (left: Int16, right: Int16) in Int16((Int32(left) + Int32(right)) >> 1)
            }
        case .int24in32:
            return Self.mean(sides) { (left: Int32, right: Int32) in
                Int32((Int64(left) + Int64(right)) >> 1) & ~0xFF
            }
        case .int32:
            return Self.mean(sides) { (left: Int32, right: Int32) in Int32((Int64(left) + Int64(right)) >> 1)
            }
        case .float32:
            return Self.mean(sides) { (left: Float, right: Float) in (left + right) / 2 }
        }
    }

    private static func mean<Sample: BitwiseCopyable>(
        _ sides: PCMBuffer, _ mean: (Sample, Sample) -> Sample
    ) -> PCMBuffer {
        PCMBuffer(format: sides.format.with(channelCount: 1), capacity: sides.frameCount) { room in
            sides.withUnsafeBytes { raw in
                let source = raw.bindMemory(to: Sample.self)
                let output = room.bindMemory(to: Sample.self)
                for frame in 0..<sides.frameCount {
                    output[frame] = mean(source[frame * 2], source[frame * 2 + 1])
                }
            }
            return sides.frameCount
        }
    }
}
