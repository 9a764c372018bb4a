import TuttiPCM

/// The sample format of a device; all formats are little-endian.
enum SampleEncoding: Hashable, Sendable, CaseIterable {
    case float32
    case int32
    /// 24 bits in the lower part of 32, sign-extended.
    case int24in32
    /// 24 bits in three bytes.
    case int24
    case int16

    var bytesPerSample: Int {
        switch self {
        case .float32, .int32, .int24in32: 4
        case .int24: 3
        case .int16: 2
        }
    }
}

/// Converts rendered stereo frames to a device's format. Allocates nothing.
struct FrameEncoder: Hashable, Sendable {
    /// Channels of the rendered frames.
    static let sourceChannelCount = 2

    let encoding: SampleEncoding
    /// Channels of the device: one gets the mean of both sides; channels beyond two get silence.
    let channelCount: Int

    var bytesPerFrame: Int { channelCount * encoding.bytesPerSample }

    /// - Parameters:
    ///   - frames: Interleaved stereo.
    ///   - bytes: Room for as many frames; surplus room is unchanged.
    func encode(_ frames: UnsafeBufferPointer<Float>, into bytes: UnsafeMutableRawBufferPointer) {
        let frameCount = min(frames.count / Self.sourceChannelCount, bytes.count / bytesPerFrame)
        switch encoding {
        case .float32:
            each(frames, frameCount) {
                bytes.storeBytes(of: $1.bitPattern.littleEndian, toByteOffset: $0, as: UInt32.self)
            }
        case .int32:
            each(frames, frameCount) {
                bytes.storeBytes(of: SampleMath.int32($1).littleEndian, toByteOffset: $0, as: Int32.self)
            }
        case .int24in32:
            each(frames, frameCount) {
                let value = SampleMath.int24in32($1) >> 8
                bytes.storeBytes(of: value.littleEndian, toByteOffset: $0, as: Int32.self)
            }
        case .int24:
            each(frames, frameCount) {
                let value = SampleMath.int24in32($1)
                for index in 0..<3 {
                    bytes[$0 + index] = UInt8(truncatingIfNeeded: value >> Int32(8 * (index + 1)))
                }
            }
        case .int16:
            each(frames, frameCount) {
                let value = SampleMath.int16(scaled: Double($1) * 0x1p15)
                bytes.storeBytes(of: value.littleEndian, toByteOffset: $0, as: Int16.self)
            }
        }
    }

    /// Calls `store` for every device sample with its byte offset.
    @inline(__always)
    private func each(
        _ frames: UnsafeBufferPointer<Float>, _ frameCount: Int,
        _ store: (_ offset: Int, _ sample: Float) -> Void
    ) {
        var offset = 0
        for frame in 0..<frameCount {
            let left = frames[2 * frame]
            let right = frames[2 * frame + 1]
            for channel in 0..<channelCount {
                let sample =
                    channelCount == 1 ? (left + right) / 2 : channel == 0 ? left : channel == 1 ? right : 0
                store(offset, sample)
                offset += encoding.bytesPerSample
            }
        }
    }
}
