import TuttiPCM

/// The mapping from input channels to output channels.
enum ChannelRouting: Equatable {
    /// By number: mono goes to the first two channels, other channels keep their number; the rest is dropped
    /// or silent.
    case usual
    /// An input index for each output channel; silence if the index is out of range.
    case map([Int32])
    /// Gains: one row per input, one column per output.
    case mix([Float])

    /// Returns the frames with `count` channels: in the same sample format, or in float if mixed.
    func route(_ buffer: PCMBuffer, to count: Int) -> PCMBuffer {
        let inputs = buffer.format.channelCount
        switch self {
        case .usual:
            if inputs == count { return buffer }
            let map = (0..<count).map { $0 < inputs ? Int32($0) : inputs == 1 && $0 < 2 ? 0 : -1 }
            return pick(buffer, map)
        case .map(let map):
            return pick(buffer, (0..<count).map { map.indices.contains($0) ? map[$0] : -1 })
        case .mix(let factors):
            guard factors.count == inputs * count else { return Self.usual.route(buffer, to: count) }
            return mix(buffer, factors, count)
        }
    }

    private func pick(_ buffer: PCMBuffer, _ map: [Int32]) -> PCMBuffer {
        buffer.format.sampleFormat == .int16
            ? pick(buffer, map, zero: 0 as Int16) : pick(buffer, map, zero: 0 as UInt32)
    }

    private func pick<Sample: BitwiseCopyable>(
        _ buffer: PCMBuffer, _ map: [Int32], zero: Sample
    ) -> PCMBuffer {
        let inputs = buffer.format.channelCount
        return PCMBuffer(format: buffer.format.with(channelCount: map.count), capacity: buffer.frameCount) {
            room in
            buffer.withUnsafeBytes { raw in
                let (source, output) = (raw.bindMemory(to: Sample.self), room.bindMemory(to: Sample.self))
                for (channel, index) in map.enumerated() {
                    let isThere = index >= 0 && Int(index) < inputs
                    for frame in 0..<buffer.frameCount {
                        output[frame * map.count + channel] =
                            isThere ? source[frame * inputs + Int(index)] : zero
                    }
                }
            }
            return buffer.frameCount
        }
    }

    private func mix(_ buffer: PCMBuffer, _ factors: [Float], _ count: Int) -> PCMBuffer {
        let inputs = buffer.format.channelCount
        var widening = SampleConverter(to: .float32)
        let wide = widening.convert(buffer)
        return PCMBuffer(format: wide.format.with(channelCount: count), capacity: wide.frameCount) { room in
            wide.withUnsafeBytes { raw in
                let (source, output) = (raw.bindMemory(to: Float.self), room.bindMemory(to: Float.self))
                for frame in 0..<wide.frameCount {
                    for channel in 0..<count {
                        var sum: Float = 0
                        for input in 0..<inputs {
                            sum += source[frame * inputs + input] * factors[input * count + channel]
                        }
                        output[frame * count + channel] = sum
                    }
                }
            }
            return wide.frameCount
        }
    }
}
