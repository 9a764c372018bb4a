import Synchronization

/// The format of audio: an `AudioStreamBasicDescription` with the arrangement of its channels.
///
/// A *standard* format has 32-bit float samples and a buffer for each channel. More than two channels need
/// a channel layout. Any thread.
open class AVAudioFormat: NSObject, @unchecked Sendable {
    // Safe to share: nothing changes after `init` but what lies behind the lock.

    /// The arrangement of the channels; `nil` where their number says all there is to say.
    public let channelLayout: AVAudioChannelLayout?

    let stream: AudioStreamBasicDescription
    /// `stream` where programs get a pointer to it.
    private let memory: UnsafeMutablePointer<AudioStreamBasicDescription>
    private let described: Mutex<CMAudioFormatDescription>

    /// A format as it is described, without a check but that of the description.
    init(_ description: CMAudioFormatDescription, layout: AVAudioChannelLayout?) {
        stream = description.audioStreamBasicDescription ?? AudioStreamBasicDescription()
        channelLayout = layout
        memory = .allocate(capacity: 1)
        memory.initialize(to: stream)
        described = Mutex(description)
        super.init()
    }

    deinit { memory.deallocate() }

    /// `nil` if the sample rate is no number or negative, there are no channels, there are more than two and
    /// no layout, or the layout has another number of them.
    convenience init?(
        checking stream: AudioStreamBasicDescription, layout: AVAudioChannelLayout?, cookie: Data? = nil
    ) {
        let channels = stream.mChannelsPerFrame
        guard channels > 0, layout.map({ $0.channelCount == channels }) ?? (channels <= 2),
            let description = try? CMAudioFormatDescription(
                audioStreamBasicDescription: stream, layout: layout?.managed, magicCookie: cookie)
        else { return nil }
        self.init(description, layout: layout)
    }

    /// The format as Core Media describes it, with the magic cookie as it is now.
    open var formatDescription: CMAudioFormatDescription { described.withLock { $0 } }

    /// The stream; lives as long as this object.
    open var streamDescription: UnsafePointer<AudioStreamBasicDescription> { UnsafePointer(memory) }

    /// What a decoder needs to know beside the format; `nil` where it needs nothing.
    open var magicCookie: Data? {
        get { formatDescription.magicCookie }
        set {
            described.withLock { described in
                let changed = try? CMAudioFormatDescription(
                    audioStreamBasicDescription: stream, layout: channelLayout?.managed,
                    magicCookie: newValue, extensions: described.extensions)
                if let changed { described = changed }
            }
        }
    }

    /// Frames per second.
    open var sampleRate: Double { stream.mSampleRate }

    /// Channels of a frame.
    open var channelCount: AVAudioChannelCount { stream.mChannelsPerFrame }

    /// Which of the common formats this is.
    open var commonFormat: AVAudioCommonFormat { AVAudioCommonFormat(stream) }

    /// Whether all channels lie in one buffer, frame by frame; says nothing about compressed formats.
    open var isInterleaved: Bool { !stream.isNonInterleaved }

    /// Whether samples are 32-bit floats and each channel has its own buffer.
    open var isStandard: Bool {
        commonFormat == .pcmFormatFloat32 && (stream.isNonInterleaved || channelCount == 1)
    }

    // MARK: As an object

    /// Words such as `2 ch, 44100 Hz, Float32, deinterleaved`.
    open override var description: String {
        let kind =
            switch commonFormat {
            case .pcmFormatFloat32: "Float32"
            case .pcmFormatFloat64: "Float64"
            case .pcmFormatInt16: "Int16"
            case .pcmFormatInt32: "Int32"
            case .otherFormat: formatDescription.mediaSubType.description
            }
        let order =
            !stream.isLinearPCM || channelCount == 1 ? [] : [isInterleaved ? "interleaved" : "deinterleaved"]
        let rate = Int64(exactly: sampleRate).map(String.init) ?? String(sampleRate)
        return (["\(channelCount) ch", "\(rate) Hz", kind] + order).joined(separator: ", ")
    }

    /// Whether both mean the same.
    ///
    /// In PCM, how a single channel is interleaved does not matter, nor how samples are packed or aligned
    /// that fill their bytes. The layouts of mono and stereo mean the same as none. The magic cookie is not
    /// looked at.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? AVAudioFormat else { return false }
        return other === self
            || stream.withoutMeaninglessFlags == other.stream.withoutMeaninglessFlags
                && meaningfulLayout == other.meaningfulLayout
    }

    /// Equal for formats that are equal.
    open override var hash: Int { stream.withoutMeaninglessFlags.hashValue }
}

extension AVAudioFormat {
    fileprivate var meaningfulLayout: AVAudioChannelLayout? {
        channelLayout.flatMap { $0.isUsual ? nil : $0 }
    }
}

extension AudioStreamBasicDescription {
    /// The same stream with all flags off that say nothing about it.
    fileprivate var withoutMeaninglessFlags: AudioStreamBasicDescription {
        guard isLinearPCM else { return self }
        var stream = self
        if samplesFillTheirBytes {
            stream.mFormatFlags &= ~(kAudioFormatFlagIsPacked | kAudioFormatFlagIsAlignedHigh)
        }
        if mChannelsPerFrame == 1 { stream.mFormatFlags &= ~kAudioFormatFlagIsNonInterleaved }
        if mBitsPerChannel <= 8 { stream.mFormatFlags &= ~kAudioFormatFlagIsBigEndian }
        return stream
    }
}
