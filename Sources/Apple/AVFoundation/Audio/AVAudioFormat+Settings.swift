extension AVAudioFormat {
    /// Creates the format of `AV…Key` settings; ignores encoder settings except the bit depth hint.
    ///
    /// `nil` if the encoding, sample rate or channel count is missing, if more than two channels have no
    /// layout with as many channels, if linear PCM has not 8, 16, 24 or 32 bits (32 or 64 in floating
    /// point), or if a value has the wrong type for its key.
    public convenience init?(settings: [String: Any]) {
        let settings = AudioSettings(values: settings)
        guard let stream = settings.stream, let layout = settings.layout else { return nil }
        self.init(checking: stream, layout: layout.map { AVAudioChannelLayout($0) })
    }

    /// The settings of the format, for ``init(settings:)``. Numbers are `NSNumber` objects.
    public var settings: [String: Any] {
        var settings: [String: Any] = [
            AVFormatIDKey: NSNumber(value: stream.mFormatID), AVSampleRateKey: NSNumber(value: sampleRate),
            AVNumberOfChannelsKey: NSNumber(value: channelCount),
        ]
        if let channelLayout { settings[AVChannelLayoutKey] = channelLayout.data }
        if stream.isLinearPCM {
            let flags = stream.mFormatFlags
            settings[AVLinearPCMBitDepthKey] = NSNumber(value: stream.mBitsPerChannel)
            settings[AVLinearPCMIsFloatKey] = NSNumber(value: flags & kAudioFormatFlagIsFloat != 0)
            settings[AVLinearPCMIsBigEndianKey] = NSNumber(value: flags & kAudioFormatFlagIsBigEndian != 0)
            settings[AVLinearPCMIsNonInterleaved] = NSNumber(value: stream.isNonInterleaved)
        } else if let bits = CompressedAudio.bitDepth(of: stream) {
            settings[AVEncoderBitDepthHintKey] = NSNumber(value: bits)
        }
        return settings
    }
}

/// A typed reader of a settings dictionary.
private struct AudioSettings {
    let values: [String: Any]

    /// The result of reading a key.
    private enum Entry<Value> {
        case missing
        case wrong
        case value(Value)
    }

    private func number(_ key: String) -> Entry<NSNumber> {
        guard let value = values[key] else { return .missing }
        return (value as? NSNumber).map { .value($0) } ?? .wrong
    }

    /// Returns a non-negative integer, or `fallback` if the key is missing; `nil` for any other value.
    private func integer(_ key: String, or fallback: UInt32?) -> UInt32? {
        switch number(key) {
        case .missing: fallback
        case .wrong: nil
        case .value(let number): UInt32(exactly: number.doubleValue)
        }
    }

    private func flag(_ key: String) -> Bool? {
        switch number(key) {
        case .missing: false
        case .wrong: nil
        case .value(let number): number.boolValue
        }
    }

    var stream: AudioStreamBasicDescription? {
        guard let format = integer(AVFormatIDKey, or: nil), case .value(let rate) = number(AVSampleRateKey),
            let channels = integer(AVNumberOfChannelsKey, or: nil)
        else { return nil }
        if format == kAudioFormatLinearPCM { return linear(rate.doubleValue, channels) }
        guard let bits = integer(AVEncoderBitDepthHintKey, or: 0) else { return nil }
        return CompressedAudio.stream(
            format, sampleRate: rate.doubleValue, channels: channels, bitDepth: bits)
    }

    private func linear(_ rate: Double, _ channels: UInt32) -> AudioStreamBasicDescription? {
        guard let bits = integer(AVLinearPCMBitDepthKey, or: 16), let isFloat = flag(AVLinearPCMIsFloatKey),
            let isBigEndian = flag(AVLinearPCMIsBigEndianKey),
            let isNonInterleaved = flag(AVLinearPCMIsNonInterleaved),
            isFloat ? bits == 32 || bits == 64 : (8...32).contains(bits) && bits % 8 == 0
        else { return nil }
        let (width, overflow) = (bits / 8).multipliedReportingOverflow(by: isNonInterleaved ? 1 : channels)
        if overflow { return nil }
        var flags = kAudioFormatFlagIsPacked
        flags |= isFloat ? kAudioFormatFlagIsFloat : kAudioFormatFlagIsSignedInteger
        if isBigEndian { flags |= kAudioFormatFlagIsBigEndian }
        if isNonInterleaved { flags |= kAudioFormatFlagIsNonInterleaved }
        return AudioStreamBasicDescription(
            mSampleRate: rate, mFormatID: kAudioFormatLinearPCM, mFormatFlags: flags, mBytesPerPacket: width,
            mFramesPerPacket: 1, mBytesPerFrame: width, mChannelsPerFrame: channels, mBitsPerChannel: bits,
            mReserved: 0)
    }

    /// The channel layout; `.some(nil)` if the key is missing, `nil` if the value is not a layout.
    var layout: ManagedAudioChannelLayout?? {
        guard let value = values[AVChannelLayoutKey] else { return .some(nil) }
        guard let data = value as? Data ?? (value as? NSData).map({ Data(referencing: $0) }) else {
            return nil
        }
        return data.withUnsafeBytes { bytes -> ManagedAudioChannelLayout?? in
            ManagedAudioChannelLayout(bytes: bytes).map { .some($0) }
        }
    }
}
