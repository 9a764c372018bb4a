import CoreMedia
import Foundation
import Playback
import TuttiCodecs
import TuttiMediaTime

/// The linear PCM format that a program's audio settings request.
struct LinearPCMSettings {
    /// The target format of the conversion.
    let target: LinearPCMTarget

    /// - Parameter settings: Settings by the `AV…Key` names; missing keys default to the source's values and 16-bit
    ///   integers (32-bit if float).
    /// - Throws: ``AVError/unsupportedOutputSettings`` with the reason as text.
    init(_ settings: [String: Any], for sound: AudioStreamParameters) throws(AVError) {
        let numbers = Numbers(settings: settings)
        guard let format = try numbers.integer(AVFormatIDKey), format == Int(kAudioFormatLinearPCM) else {
            throw Self.refusal("the settings must request kAudioFormatLinearPCM in AVFormatIDKey")
        }
        let hertz = try numbers.real(AVSampleRateKey) ?? Double(sound.sampleRate.hertz)
        guard hertz.isFinite, (1000...768_000).contains(hertz),
            let rate = SampleRate(hertz: Int(hertz.rounded()))
        else { throw Self.refusal("a sample rate of \(hertz) Hz") }
        let isFloat = try numbers.truth(AVLinearPCMIsFloatKey) ?? false
        let bits = try numbers.integer(AVLinearPCMBitDepthKey) ?? (isFloat ? 32 : 16)
        let layout = try Self.layout(settings[AVChannelLayoutKey])
        let channels =
            try numbers.integer(AVNumberOfChannelsKey) ?? layout?.numberOfChannels ?? sound.channelCount
        if let layout, layout.numberOfChannels != channels {
            throw Self.refusal("a layout of \(layout.numberOfChannels) channels for \(channels)")
        }
        guard
            let target = LinearPCMTarget(
                sampleRate: rate, channelCount: channels, bits: bits, isFloat: isFloat,
                isBigEndian: try numbers.truth(AVLinearPCMIsBigEndianKey) ?? false,
                isInterleaved: !(try numbers.truth(AVLinearPCMIsNonInterleaved) ?? false),
                layout: layout ?? Self.usualLayout(of: channels, from: sound))
        else { throw Self.refusal("\(channels) channels of \(bits) bit \(isFloat ? "float" : "integer")") }
        guard target.takes(channelCount: sound.channelCount) else {
            throw Self.refusal("\(channels) channels from \(sound.channelCount)")
        }
        self.target = target
    }

    private static func usualLayout(
        of channels: Int, from sound: AudioStreamParameters
    ) -> ManagedAudioChannelLayout? {
        switch channels {
        case sound.channelCount: SoundDescription.layout(sound.channelLayout)
        case 1: ManagedAudioChannelLayout(tag: kAudioChannelLayoutTag_Mono)
        case 2: ManagedAudioChannelLayout(tag: kAudioChannelLayoutTag_Stereo)
        default: nil
        }
    }

    /// - Parameter value: `Data` of an `AudioChannelLayout`, or `nil`.
    private static func layout(_ value: Any?) throws(AVError) -> ManagedAudioChannelLayout? {
        guard let value else { return nil }
        guard let data = value as? Data else {
            throw refusal("AVChannelLayoutKey needs Data with an AudioChannelLayout")
        }
        guard let layout = data.withUnsafeBytes({ ManagedAudioChannelLayout(bytes: $0) }) else {
            throw refusal("AVChannelLayoutKey has less data than it declares")
        }
        return layout
    }

    fileprivate static func refusal(_ reason: String) -> AVError {
        AVError(.unsupportedOutputSettings, reason: "the output settings are not supported: \(reason)")
    }
}

/// An accessor for numbers of any type in a settings dictionary.
private struct Numbers {
    let settings: [String: Any]

    private func number(_ key: String) throws(AVError) -> NSNumber? {
        guard let value = settings[key] else { return nil }
        guard let number = value as? NSNumber else {
            throw LinearPCMSettings.refusal("\(key) needs a number")
        }
        return number
    }

    func real(_ key: String) throws(AVError) -> Double? { try number(key)?.doubleValue }

    func integer(_ key: String) throws(AVError) -> Int? {
        guard let value = try real(key) else { return nil }
        guard let integer = Int(exactly: value) else {
            throw LinearPCMSettings.refusal("\(value) for \(key)")
        }
        return integer
    }

    func truth(_ key: String) throws(AVError) -> Bool? { try number(key)?.boolValue }
}
