import Synchronization

/// The format of audio: an `AudioStreamBasicDescription` with a channel layout.
///
/// A *standard* format has 32-bit float samples and a buffer for each channel. More than two channels need
/// a channel layout. Any thread.
open class AVAudioFormat: NSObject, @unchecked Sendable {
    // Safe to share: nothing changes after `init` except the description behind the lock.

    /// The channel layout; `nil` if the format was created without a layout.
    public let channelLayout: AVAudioChannelLayout?

    let stream: AudioStreamBasicDescription
    /// A copy of `stream` at the stable address that ``streamDescription`` returns.
    private let memory: UnsafeMutablePointer<AudioStreamBasicDescription>
    private let described: Mutex<CMAudioFormatDescription>

    /// Creates a format from a description, without further checks.
    init(_ description: CMAudioFormatDescription, layout: AVAudioChannelLayout?) {
        stream = description.audioStreamBasicDescription ?? AudioStreamBasicDescription()
        channelLayout = layout
        memory = .allocate(capacity: 1)
        memory.initialize(to: stream)
        described = Mutex(description)
        super.init()
    }

    deinit { memory.deallocate() }

    /// Creates a format; `nil` if the sample rate is negative or not finite, there are no channels, more than
    /// two channels have no layout, or the layout has another number of channels.
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

    /// The Core Media description of the format, with the current magic cookie.
    open var formatDescription: CMAudioFormatDescription { described.withLock { $0 } }

    /// The stream description; the pointer is valid as long as this object lives.
    open var streamDescription: UnsafePointer<AudioStreamBasicDescription> { UnsafePointer(memory) }

    /// The decoder configuration beyond the format; `nil` if the decoder needs none. The setter ignores one that makes no
    /// valid format.
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

    /// Channels per frame.
    open var channelCount: AVAudioChannelCount { stream.mChannelsPerFrame }

    /// The common format of the samples, or ``AVAudioCommonFormat/otherFormat``.
    open var commonFormat: AVAudioCommonFormat { AVAudioCommonFormat(stream) }

    /// Whether all channels share one buffer, frame by frame; meaningless for compressed formats.
    open var isInterleaved: Bool { !stream.isNonInterleaved }

    /// Whether samples are 32-bit floats and each channel has its own buffer.
    open var isStandard: Bool {
        commonFormat == .pcmFormatFloat32 && (stream.isNonInterleaved || channelCount == 1)
    }

    // MARK: NSObject

    /// A description such as `2 ch, 44100 Hz, Float32, deinterleaved`.
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

    /// Returns whether both formats mean the same.
    ///
    /// For PCM, the comparison ignores the interleaving of a single channel, the packing and alignment of
    /// samples that fill their bytes, and the byte order of 8-bit samples. The layouts of mono and stereo
    /// equal none. The magic cookie is ignored.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? AVAudioFormat else { return false }
        return other === self
            || stream.withoutMeaninglessFlags == other.stream.withoutMeaninglessFlags
                && meaningfulLayout == other.meaningfulLayout
    }

    /// A hash that is equal for equal formats.
    open override var hash: Int { stream.withoutMeaninglessFlags.hashValue }
}

extension AVAudioFormat {
    fileprivate var meaningfulLayout: AVAudioChannelLayout? {
        channelLayout.flatMap { $0.isUsual ? nil : $0 }
    }
}

extension AudioStreamBasicDescription {
    /// The stream without format flags that have no effect on its samples.
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
