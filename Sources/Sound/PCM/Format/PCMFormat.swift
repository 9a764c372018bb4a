import TuttiMediaTime

/// The storage of one sample of one channel, in native byte order.
package enum SampleFormat: Hashable, Sendable, CaseIterable {
    /// Signed 16 bit.
    case int16
    /// Signed 24 bit in the upper bits of a signed 32 bit word; the low byte is zero.
    case int24in32
    /// Signed 32 bit.
    case int32
    /// IEEE 754 binary32; full scale is −1 ... 1, and values beyond full scale are legal.
    case float32

    /// The storage size of a sample, in bytes.
    package var bytesPerSample: Int { self == .int16 ? 2 : 4 }

    /// Significant bits: 16, 24, 32, or 24 for float32's mantissa.
    package var significantBits: Int {
        switch self {
        case .int16: 16
        case .int24in32, .float32: 24
        case .int32: 32
        }
    }
}

/// The format of uncompressed audio: always interleaved, always native byte order.
package struct PCMFormat: Hashable, Sendable, CustomStringConvertible {
    /// Largest channel count; no supported format has more.
    package static let channelLimit = 64

    /// The sample rate of all channels.
    package let sampleRate: SampleRate
    /// The number of channels, 1 ... ``channelLimit``.
    package let channelCount: Int
    /// The format of each sample.
    package let sampleFormat: SampleFormat

    /// Creates a format.
    ///
    /// - Precondition: `channelCount` is 1 ... ``channelLimit``; use
    ///   ``init(checking:channelCount:sampleFormat:)`` for untrusted numbers.
    package init(sampleRate: SampleRate, channelCount: Int, sampleFormat: SampleFormat) {
        precondition((1...Self.channelLimit).contains(channelCount), "channel count out of range")
        self.sampleRate = sampleRate
        self.channelCount = channelCount
        self.sampleFormat = sampleFormat
    }

    /// Creates a format; `nil` unless `channelCount` is 1 ... ``channelLimit``.
    package init?(checking sampleRate: SampleRate, channelCount: Int, sampleFormat: SampleFormat) {
        guard (1...Self.channelLimit).contains(channelCount) else { return nil }
        self.init(sampleRate: sampleRate, channelCount: channelCount, sampleFormat: sampleFormat)
    }

    /// The size of a frame of all channels, in bytes.
    package var bytesPerFrame: Int { channelCount * sampleFormat.bytesPerSample }

    /// Returns the same rate and channels in another sample format.
    package func with(_ sampleFormat: SampleFormat) -> PCMFormat {
        PCMFormat(sampleRate: sampleRate, channelCount: channelCount, sampleFormat: sampleFormat)
    }

    /// Returns the same rate and sample format with another number of channels.
    package func with(channelCount: Int) -> PCMFormat {
        PCMFormat(sampleRate: sampleRate, channelCount: channelCount, sampleFormat: sampleFormat)
    }

    /// Returns the same sample format and channels at another rate.
    package func with(sampleRate: SampleRate) -> PCMFormat {
        PCMFormat(sampleRate: sampleRate, channelCount: channelCount, sampleFormat: sampleFormat)
    }

    /// The format for logs and messages.
    package var description: String { "\(sampleRate), \(channelCount) channels, \(sampleFormat)" }
}
