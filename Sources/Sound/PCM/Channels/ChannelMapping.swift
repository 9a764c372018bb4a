/// Mixes any number of channels to stereo.
///
/// Stereo passes unchanged; mono is copied exactly to both sides. Other layouts are mixed with the
/// coefficients of ITU-R BS.775 (centre and surrounds at −3 dB, low frequency left out), scaled down so that
/// full scale on every channel cannot clip. Channels without a known position go equally to both sides.
package struct ChannelMapping: Hashable, Sendable {
    /// The layout of the input.
    package let layout: ChannelLayout
    /// The gain of each channel to the left and to the right.
    package let gains: [Gain]

    /// The gain of one channel to both sides, linear.
    package struct Gain: Hashable, Sendable {
        /// The gain to the left channel.
        package var left: Float
        /// The gain to the right channel.
        package var right: Float
    }

    /// Creates a mapping from a layout to stereo.
    package init(from layout: ChannelLayout) {
        self.layout = layout
        let raw =
            layout.positions.isEmpty
            ? Array(repeating: Gain(left: 1, right: 1), count: layout.channelCount)
            : layout.positions.map(Self.gain)
        gains = layout.channelCount == 1 ? [Gain(left: 1, right: 1)] : Self.normalized(raw)
    }

    /// Mixes a buffer to stereo at the same rate and sample format.
    ///
    /// A buffer whose channel count differs from the layout's is mapped by the usual layout of its own count.
    package func stereo(_ buffer: PCMBuffer) -> PCMBuffer {
        let count = buffer.format.channelCount
        if count == 2 { return buffer }
        if count != layout.channelCount {
            return ChannelMapping(from: ChannelLayout(mask: 0, channelCount: count)).stereo(buffer)
        }
        switch buffer.format.sampleFormat {
        case .int16:
            return mix(buffer) {
                SampleMath.int16(scaled: Double($0))
            } value: { (sample: Int16) in
                Float(sample)
            }
        case .int24in32:
            return mix(buffer) {
                SampleMath.int24in32($0)
            } value: { (sample: Int32) in
                Float(sample) / 0x1p31
            }
        case .int32:
            return mix(buffer) {
                SampleMath.int32($0)
            } value: { (sample: Int32) in
                Float(sample) / 0x1p31
            }
        case .float32:
            return mix(buffer) {
                $0
            } value: { (sample: Float) in
                sample
            }
        }
    }

    private func mix<Sample: BitwiseCopyable>(
        _ buffer: PCMBuffer, sample: (Float) -> Sample, value: (Sample) -> Float
    ) -> PCMBuffer {
        let channels = buffer.format.channelCount
        return PCMBuffer(format: buffer.format.with(channelCount: 2), capacity: buffer.frameCount) { room in
            buffer.withUnsafeBytes { raw in
                let source = raw.bindMemory(to: Sample.self)
                let output = room.bindMemory(to: Sample.self)
                for frame in 0..<buffer.frameCount {
                    if channels == 1 {
                        (output[frame * 2], output[frame * 2 + 1]) = (source[frame], source[frame])
                        continue
                    }
                    var (left, right): (Float, Float) = (0, 0)
                    for channel in 0..<channels {
                        let input = value(source[frame * channels + channel])
                        left += input * gains[channel].left
                        right += input * gains[channel].right
                    }
                    (output[frame * 2], output[frame * 2 + 1]) = (sample(left), sample(right))
                }
            }
            return buffer.frameCount
        }
    }

    private static let minus3dB: Float = 0.707_106_77

    private static func gain(of position: ChannelLayout.Position) -> Gain {
        switch position {
        case .frontLeft, .stereoLeft, .wideLeft, .frontLeftOfCenter: Gain(left: 1, right: 0)
        case .frontRight, .stereoRight, .wideRight, .frontRightOfCenter: Gain(left: 0, right: 1)
        case .backLeft, .sideLeft, .topFrontLeft, .topBackLeft: Gain(left: minus3dB, right: 0)
        case .backRight, .sideRight, .topFrontRight, .topBackRight: Gain(left: 0, right: minus3dB)
        case .frontCenter, .topFrontCenter, .topCenter: Gain(left: minus3dB, right: minus3dB)
        case .backCenter, .topBackCenter: Gain(left: 0.5, right: 0.5)
        case .lowFrequency: Gain(left: 0, right: 0)
        }
    }

    private static func normalized(_ gains: [Gain]) -> [Gain] {
        let loudest = max(gains.reduce(0) { $0 + $1.left }, gains.reduce(0) { $0 + $1.right }, 1)
        return gains.map { Gain(left: $0.left / loudest, right: $0.right / loudest) }
    }
}
