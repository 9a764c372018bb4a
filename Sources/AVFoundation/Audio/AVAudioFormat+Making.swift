import KeyValueObserving

// Programs that give what Apple raises an exception for stop in a debug build.

extension AVAudioFormat {
    /// A format of one or two channels; `nil` for more, none, or a sample rate that is negative or no number.
    public convenience init?(streamDescription asbd: UnsafePointer<AudioStreamBasicDescription>) {
        self.init(checking: asbd.pointee, layout: nil)
    }

    /// A format with its channel layout; `nil` as without one, or if the layout has another number of
    /// channels.
    public convenience init?(
        streamDescription asbd: UnsafePointer<AudioStreamBasicDescription>,
        channelLayout layout: AVAudioChannelLayout?
    ) {
        self.init(checking: asbd.pointee, layout: layout)
    }

    /// The standard format, 32-bit float with a buffer for each channel; `nil` unless one or two channels.
    public convenience init?(standardFormatWithSampleRate sampleRate: Double, channels: AVAudioChannelCount) {
        self.init(
            commonFormat: .pcmFormatFloat32, sampleRate: sampleRate, channels: channels, interleaved: false)
    }

    /// The standard format, 32-bit float with a buffer for each channel of the layout.
    public convenience init(
        standardFormatWithSampleRate sampleRate: Double, channelLayout layout: AVAudioChannelLayout
    ) {
        self.init(
            commonFormat: .pcmFormatFloat32, sampleRate: sampleRate, interleaved: false, channelLayout: layout
        )
    }

    /// A common format; `nil` unless one or two channels, or for ``AVAudioCommonFormat/otherFormat``.
    public convenience init?(
        commonFormat format: AVAudioCommonFormat, sampleRate: Double, channels: AVAudioChannelCount,
        interleaved: Bool
    ) {
        guard let stream = format.stream(sampleRate: sampleRate, channels: channels, interleaved: interleaved)
        else { return nil }
        self.init(checking: stream, layout: nil)
    }

    /// A common format with the layout's channels.
    ///
    /// ``AVAudioCommonFormat/otherFormat``, a layout without channels or a sample rate that is negative or no
    /// number is a programmer's error; in release the format has no channels and no rate.
    public convenience init(
        commonFormat format: AVAudioCommonFormat, sampleRate: Double, interleaved: Bool,
        channelLayout layout: AVAudioChannelLayout
    ) {
        let stream = format.stream(
            sampleRate: sampleRate, channels: layout.channelCount, interleaved: interleaved)
        let description = stream.flatMap {
            try? CMAudioFormatDescription(audioStreamBasicDescription: $0, layout: layout.managed)
        }
        isRightUse(
            description != nil && layout.channelCount > 0, "a common format with channels and a sample rate")
        self.init(description ?? .unknownAudio, layout: layout)
    }

    /// The format that a description describes; one of other media is a programmer's error.
    public convenience init(cmAudioFormatDescription formatDescription: CMAudioFormatDescription) {
        isRightUse(
            formatDescription.audioStreamBasicDescription != nil, "the description of an audio format")
        self.init(
            formatDescription,
            layout: formatDescription.audioChannelLayout.map { AVAudioChannelLayout($0) })
    }
}
