/// A position in a file or stream, in sample frames.
public typealias AVAudioFramePosition = Int64
/// A number of sample frames.
public typealias AVAudioFrameCount = UInt32
/// A number of packets of compressed audio.
public typealias AVAudioPacketCount = UInt32
/// A number of channels.
public typealias AVAudioChannelCount = UInt32

/// The uncompressed formats that programs work with, in this machine's byte order.
public enum AVAudioCommonFormat: UInt, Sendable {
    /// Any other format.
    case otherFormat = 0
    /// 32-bit floating-point numbers; full scale is −1 ... 1.
    case pcmFormatFloat32 = 1
    /// 64-bit floating-point numbers; full scale is −1 ... 1.
    case pcmFormatFloat64 = 2
    /// Signed 16-bit integers.
    case pcmFormatInt16 = 3
    /// Signed 32-bit integers.
    case pcmFormatInt32 = 4
}

extension AVAudioCommonFormat {
    /// Creates the common format of a stream, or `otherFormat`.
    init(_ stream: AudioStreamBasicDescription) {
        self = .otherFormat
        let foreign = kAudioFormatFlagIsBigEndian
        guard stream.isLinearPCM, stream.mFormatFlags & foreign == 0, stream.samplesFillTheirBytes else {
            return
        }
        let isFloat = stream.mFormatFlags & kAudioFormatFlagIsFloat != 0
        let isSigned = stream.mFormatFlags & kAudioFormatFlagIsSignedInteger != 0
        switch (stream.mBitsPerChannel, isFloat, isSigned) {
        case (32, true, _): self = .pcmFormatFloat32
        case (64, true, _): self = .pcmFormatFloat64
        case (16, false, true): self = .pcmFormatInt16
        case (32, false, true): self = .pcmFormatInt32
        default: break
        }
    }

    /// Bytes per sample; 0 for other formats.
    var bytesPerSample: UInt32 {
        switch self {
        case .otherFormat: 0
        case .pcmFormatInt16: 2
        case .pcmFormatFloat32, .pcmFormatInt32: 4
        case .pcmFormatFloat64: 8
        }
    }

    private var flags: AudioFormatFlags {
        switch self {
        case .otherFormat: 0
        case .pcmFormatFloat32, .pcmFormatFloat64: kAudioFormatFlagsNativeFloatPacked
        case .pcmFormatInt16, .pcmFormatInt32:
            kAudioFormatFlagIsSignedInteger | kAudioFormatFlagsNativeEndian | kAudioFormatFlagIsPacked
        }
    }

    /// Returns the stream description; `nil` for other formats, and for frames too large for its fields.
    func stream(
        sampleRate: Double, channels: AVAudioChannelCount, interleaved: Bool
    ) -> AudioStreamBasicDescription? {
        let (width, overflow) = bytesPerSample.multipliedReportingOverflow(by: interleaved ? channels : 1)
        guard self != .otherFormat, !overflow else { return nil }
        return AudioStreamBasicDescription(
            mSampleRate: sampleRate, mFormatID: kAudioFormatLinearPCM,
            mFormatFlags: flags | (interleaved ? 0 : kAudioFormatFlagIsNonInterleaved),
            mBytesPerPacket: width, mFramesPerPacket: 1, mBytesPerFrame: width, mChannelsPerFrame: channels,
            mBitsPerChannel: bytesPerSample * 8, mReserved: 0)
    }
}

extension AudioStreamBasicDescription {
    /// Channels per buffer.
    var channelsPerBuffer: UInt32 { isNonInterleaved ? 1 : mChannelsPerFrame }

    /// Whether samples fill a frame without padding, so that packing and alignment do not matter.
    var samplesFillTheirBytes: Bool {
        UInt64(mBitsPerChannel) * UInt64(channelsPerBuffer) == UInt64(mBytesPerFrame) * 8
            && mBytesPerFrame > 0
    }
}
