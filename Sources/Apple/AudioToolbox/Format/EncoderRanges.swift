import CoreAudioTypes

/// The bit rates and sample rates that the encoders accept.
enum EncoderRanges {
    static func bitRates(channels: Int) -> [AudioValueRange] {
        [32, 48, 64, 96, 128, 160].map { $0 * 1000 * Double(channels) }.map {
            AudioValueRange(mMinimum: $0, mMaximum: $0)
        }
    }

    /// Returns the sample rates of an encoder; empty for an encoding without an encoder.
    static func sampleRates(of id: AudioFormatID) -> [AudioValueRange] {
        if id == kAudioFormatAppleLossless { return [AudioValueRange(mMinimum: 8000, mMaximum: 384_000)] }
        guard id == kAudioFormatMPEG4AAC else { return [] }
        return AACConfiguration.rates.reversed().map {
            AudioValueRange(mMinimum: Double($0), mMaximum: Double($0))
        }
    }
}
