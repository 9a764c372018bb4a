import TuttiKeyValueObserving

// Arguments for which Apple raises an exception stop a debug build.

extension AVAudioFormat {
    /// Creates a format of one or two channels; `nil` for other counts, and for a negative or infinite rate.
    public convenience init?(streamDescription asbd: UnsafePointer<AudioStreamBasicDescription>) {
        self.init(checking: asbd.pointee, layout: nil)
    }

    /// Creates a format with a channel layout; `nil` if the layout has another number of channels, more than
    /// two channels have no layout, there are no channels, or the sample rate is negative or not finite.
    public convenience init?(
        streamDescription asbd: UnsafePointer<AudioStreamBasicDescription>,
        channelLayout layout: AVAudioChannelLayout?
    ) {
        self.init(checking: asbd.pointee, layout: layout)
    }

    /// Creates a standard format, 32-bit float with a buffer per channel; `nil` unless one or two channels.
    public convenience init?(standardFormatWithSampleRate sampleRate: Double, channels: AVAudioChannelCount) {
        self.init(
            commonFormat: .pcmFormatFloat32, sampleRate: sampleRate, channels: channels, interleaved: false)
    }

    /// Creates a standard format, 32-bit float with a buffer for each channel of the layout.
    public convenience init(
        standardFormatWithSampleRate sampleRate: Double, channelLayout layout: AVAudioChannelLayout
    ) {
        self.init(
            commonFormat: .pcmFormatFloat32, sampleRate: sampleRate, interleaved: false, channelLayout: layout
        )
    }

    /// Creates a common format; `nil` unless one or two channels, or for ``AVAudioCommonFormat/otherFormat``.
    public convenience init?(
        commonFormat format: AVAudioCommonFormat, sampleRate: Double, channels: AVAudioChannelCount,
        interleaved: Bool
    ) {
        guard let stream = format.stream(sampleRate: sampleRate, channels: channels, interleaved: interleaved)
        else { return nil }
        self.init(checking: stream, layout: nil)
    }

    /// Creates a common format with the layout's channels.
    ///
    /// ``AVAudioCommonFormat/otherFormat``, a layout without channels, or a sample rate that is negative or
    /// not finite stops a debug build; in a release build the format has no channels and no rate.
    public convenience init(
        commonFormat format: AVAudioCommonFormat, sampleRate: Double, interleaved: Bool,
        channelLayout layout: AVAudioChannelLayout
    ) {
        let stream = format.stream(
            sampleRate: sampleRate, channels: layout.channelCount, interleaved: interleaved)
        let description = stream.flatMap {
            try? CMAudioFormatDescription(audioStreamBasicDescription: $0, layout: layout.managed)
        }
        checkAPIUse(
            description != nil && layout.channelCount > 0,
            "a common format requires channels and a sample rate")
        self.init(description ?? .unknownAudio, layout: layout)
    }

    /// Creates the format of a description; a description of other media stops a debug build.
    public convenience init(cmAudioFormatDescription formatDescription: CMAudioFormatDescription) {
        checkAPIUse(
            formatDescription.audioStreamBasicDescription != nil, "the format description must be of audio")
        self.init(
            formatDescription,
            layout: formatDescription.audioChannelLayout.map { AVAudioChannelLayout($0) })
    }
}
