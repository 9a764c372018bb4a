/// The encoding of audio data, as a four-character code.
public typealias AudioFormatID = UInt32
/// The details of an encoding; the ``AudioFormatID`` defines the meaning of the bits.
public typealias AudioFormatFlags = UInt32

/// The format of an audio stream.
///
/// A *packet* is the smallest unit that can be decoded on its own; in PCM a packet is one frame. In compressed
/// formats, fields that vary from packet to packet are zero.
public struct AudioStreamBasicDescription: Hashable, Sendable, BitwiseCopyable {
    /// Frames per second.
    public var mSampleRate: Float64
    /// The encoding.
    public var mFormatID: AudioFormatID
    /// Details of the encoding.
    public var mFormatFlags: AudioFormatFlags
    /// Bytes per packet; zero if they vary.
    public var mBytesPerPacket: UInt32
    /// Frames per packet; zero if they vary.
    public var mFramesPerPacket: UInt32
    /// Bytes from one frame to the next of the same buffer; zero in compressed formats.
    public var mBytesPerFrame: UInt32
    /// Channels per frame.
    public var mChannelsPerFrame: UInt32
    /// Bits per sample; zero in compressed formats.
    public var mBitsPerChannel: UInt32
    /// Reserved; zero.
    public var mReserved: UInt32

    /// Creates a value with every field zero.
    public init() {
        self.init(
            mSampleRate: 0, mFormatID: 0, mFormatFlags: 0, mBytesPerPacket: 0, mFramesPerPacket: 0,
            mBytesPerFrame: 0, mChannelsPerFrame: 0, mBitsPerChannel: 0, mReserved: 0)
    }

    /// Creates a value from its fields.
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

    /// Whether each channel has its own buffer, one plane after the other.
    package var isNonInterleaved: Bool {
        isLinearPCM && mFormatFlags & kAudioFormatFlagIsNonInterleaved != 0
    }
}

/// The position of one packet in a buffer of several.
public struct AudioStreamPacketDescription: Hashable, Sendable, BitwiseCopyable {
    /// Bytes from the start of the buffer.
    public var mStartOffset: Int64
    /// Frames in this packet if the format's packets vary; otherwise zero.
    public var mVariableFramesInPacket: UInt32
    /// Bytes in this packet.
    public var mDataByteSize: UInt32

    /// Creates a value with every field zero.
    public init() { self.init(mStartOffset: 0, mVariableFramesInPacket: 0, mDataByteSize: 0) }

    /// Creates a value from its fields.
    public init(mStartOffset: Int64, mVariableFramesInPacket: UInt32, mDataByteSize: UInt32) {
        self.mStartOffset = mStartOffset
        self.mVariableFramesInPacket = mVariableFramesInPacket
        self.mDataByteSize = mDataByteSize
    }
}
