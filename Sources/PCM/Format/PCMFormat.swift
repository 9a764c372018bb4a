import MediaTime

/// How one sample of one channel is stored, in the byte order of this machine.
public enum SampleFormat: Hashable, Sendable, CaseIterable {
    /// Signed 16 bit.
    case int16
    /// Signed 24 bit in the upper bits of a signed 32 bit word; the low byte is zero.
    case int24in32
    /// Signed 32 bit.
    case int32
    /// IEEE 754 binary32; full scale is −1 ... 1, and values beyond it are legal.
    case float32

    public var bytesPerSample: Int { self == .int16 ? 2 : 4 }

    /// Bits that carry sound: 16, 24, 32, or 24 for float32's mantissa.
    public var significantBits: Int {
        switch self {
        case .int16: 16
        case .int24in32, .float32: 24
        case .int32: 32
        }
    }
}

/// The shape of uncompressed audio: always interleaved, always native byte order.
public struct PCMFormat: Hashable, Sendable, CustomStringConvertible {
    /// More channels than any format we read has.
    public static let channelLimit = 64

    public let sampleRate: SampleRate
    /// 1 ... ``channelLimit``.
    public let channelCount: Int
    public let sampleFormat: SampleFormat

    /// - Precondition: `channelCount` is 1 ... ``channelLimit``; check numbers from outside with
    ///   ``init(checking:channelCount:sampleFormat:)``.
    public init(sampleRate: SampleRate, channelCount: Int, sampleFormat: SampleFormat) {
        precondition((1...Self.channelLimit).contains(channelCount), "channel count out of range")
        self.sampleRate = sampleRate
        self.channelCount = channelCount
        self.sampleFormat = sampleFormat
    }

    /// `nil` unless `channelCount` is 1 ... ``channelLimit``.
    public init?(checking sampleRate: SampleRate, channelCount: Int, sampleFormat: SampleFormat) {
        guard (1...Self.channelLimit).contains(channelCount) else { return nil }
        self.init(sampleRate: sampleRate, channelCount: channelCount, sampleFormat: sampleFormat)
    }

    public var bytesPerFrame: Int { channelCount * sampleFormat.bytesPerSample }

    /// The same rate and channels in another sample format.
    public func with(_ sampleFormat: SampleFormat) -> PCMFormat {
        PCMFormat(sampleRate: sampleRate, channelCount: channelCount, sampleFormat: sampleFormat)
    }

    /// The same rate and samples with another number of channels.
    public func with(channelCount: Int) -> PCMFormat {
        PCMFormat(sampleRate: sampleRate, channelCount: channelCount, sampleFormat: sampleFormat)
    }

    /// The same samples and channels at another rate.
    public func with(sampleRate: SampleRate) -> PCMFormat {
        PCMFormat(sampleRate: sampleRate, channelCount: channelCount, sampleFormat: sampleFormat)
    }

    public var description: String { "\(sampleRate), \(channelCount) channels, \(sampleFormat)" }
}
