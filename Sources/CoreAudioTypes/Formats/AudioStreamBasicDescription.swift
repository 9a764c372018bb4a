/// Which encoding audio data has, as four characters.
public typealias AudioFormatID = UInt32
/// Details of an encoding; what the bits mean depends on the ``AudioFormatID``.
public typealias AudioFormatFlags = UInt32

/// The format of an audio stream.
///
/// A *packet* is the smallest piece that can be decoded by itself; in PCM it is one frame. Compressed
/// formats leave the fields zero that vary from packet to packet.
public struct AudioStreamBasicDescription: Hashable, Sendable, BitwiseCopyable {
    /// Frames per second.
    public var mSampleRate: Float64
    /// The encoding.
    public var mFormatID: AudioFormatID
    /// Details of the encoding.
    public var mFormatFlags: AudioFormatFlags
    /// Bytes of a packet; zero if they vary.
    public var mBytesPerPacket: UInt32
    /// Frames of a packet; zero if they vary.
    public var mFramesPerPacket: UInt32
    /// Bytes from one frame to the next of the same buffer; zero in compressed formats.
    public var mBytesPerFrame: UInt32
    /// Channels of a frame.
    public var mChannelsPerFrame: UInt32
    /// Bits of a sample; zero in compressed formats.
    public var mBitsPerChannel: UInt32
    /// Zero.
    public var mReserved: UInt32

    /// All zero.
    public init() {
        self.init(
            mSampleRate: 0, mFormatID: 0, mFormatFlags: 0, mBytesPerPacket: 0, mFramesPerPacket: 0,
            mBytesPerFrame: 0, mChannelsPerFrame: 0, mBitsPerChannel: 0, mReserved: 0)
    }

    /// Takes the fields as they are.
    public init(
        mSampleRate: Float64, mFormatID: AudioFormatID, mFormatFlags: AudioFormatFlags,
        mBytesPerPacket: UInt32, mFramesPerPacket: UInt32, mBytesPerFrame: UInt32,
        mChannelsPerFrame: UInt32, mBitsPerChannel: UInt32, mReserved: UInt32
    ) {
        self.mSampleRate = mSampleRate
        self.mFormatID = mFormatID
        self.mFormatFlags = mFormatFlags
        self.mBytesPerPacket = mBytesPerPacket
        self.mFramesPerPacket = mFramesPerPacket
        self.mBytesPerFrame = mBytesPerFrame
        self.mChannelsPerFrame = mChannelsPerFrame
        self.mBitsPerChannel = mBitsPerChannel
        self.mReserved = mReserved
    }
}

extension AudioStreamBasicDescription {
    /// Whether this is uncompressed audio.
    package var isLinearPCM: Bool { mFormatID == kAudioFormatLinearPCM }

    /// Whether each channel has a buffer of its own, one plane after the other.
    package var isNonInterleaved: Bool {
        isLinearPCM && mFormatFlags & kAudioFormatFlagIsNonInterleaved != 0
    }
}

/// Where one packet lies in a buffer of many.
public struct AudioStreamPacketDescription: Hashable, Sendable, BitwiseCopyable {
    /// Bytes from the start of the buffer.
    public var mStartOffset: Int64
    /// Frames of this packet where the format's packets vary; otherwise zero.
    public var mVariableFramesInPacket: UInt32
    /// Bytes of this packet.
    public var mDataByteSize: UInt32

    /// All zero.
    public init() { self.init(mStartOffset: 0, mVariableFramesInPacket: 0, mDataByteSize: 0) }

    /// Takes the fields as they are.
    public init(mStartOffset: Int64, mVariableFramesInPacket: UInt32, mDataByteSize: UInt32) {
        self.mStartOffset = mStartOffset
        self.mVariableFramesInPacket = mVariableFramesInPacket
        self.mDataByteSize = mDataByteSize
    }
}
