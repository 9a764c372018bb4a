import Codecs
import CoreMedia
import Foundation
import MediaTime
import Playback

/// What a program's audio settings ask of the decoded sound.
struct LinearPCMSettings {
    /// What is written, from sound of these parameters.
    let target: LinearPCMTarget

    /// - Parameters:
    ///   - settings: by the `AV…Key` names; what is left out is as in the source, with 16 bit integers.
    /// - Throws: ``AVError/unsupportedOutputSettings``, with the reason in words.
    init(_ settings: [String: Any], for sound: AudioStreamParameters) throws(AVError) {
        let numbers = Numbers(settings: settings)
        guard let format = try numbers.whole(AVFormatIDKey), format == Int(kAudioFormatLinearPCM) else {
            throw Self.refusal("the settings must ask for kAudioFormatLinearPCM in AVFormatIDKey")
        }
        let hertz = try numbers.real(AVSampleRateKey) ?? Double(sound.sampleRate.hertz)
        guard hertz.isFinite, (1000...768_000).contains(hertz),
            let rate = SampleRate(hertz: Int(hertz.rounded()))
        else { throw Self.refusal("a sample rate of \(hertz) Hz") }
        let isFloat = try numbers.truth(AVLinearPCMIsFloatKey) ?? false
        let bits = try numbers.whole(AVLinearPCMBitDepthKey) ?? (isFloat ? 32 : 16)
        let layout = try Self.layout(settings[AVChannelLayoutKey])
        let channels =
            try numbers.whole(AVNumberOfChannelsKey) ?? layout?.numberOfChannels ?? sound.channelCount
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

    /// - Parameter value: bytes of an `AudioChannelLayout`, or nothing.
    private static func layout(_ value: Any?) throws(AVError) -> ManagedAudioChannelLayout? {
        guard let value else { return nil }
        guard let data = value as? Data else {
            throw refusal("AVChannelLayoutKey wants Data with an AudioChannelLayout")
        }
        guard let layout = data.withUnsafeBytes({ ManagedAudioChannelLayout(bytes: $0) }) else {
            throw refusal("AVChannelLayoutKey holds less than it announces")
        }
        return layout
    }

    fileprivate static func refusal(_ reason: String) -> AVError {
        AVError(.unsupportedOutputSettings, reason: "the output settings are not supported: \(reason)")
    }
}

/// Numbers of any type, as programs put them into settings.
private struct Numbers {
    let settings: [String: Any]

    private func number(_ key: String) throws(AVError) -> NSNumber? {
        guard let value = settings[key] else { return nil }
        guard let number = value as? NSNumber else {
            throw LinearPCMSettings.refusal("\(key) wants a number")
        }
        return number
    }

    func real(_ key: String) throws(AVError) -> Double? { try number(key)?.doubleValue }

    func whole(_ key: String) throws(AVError) -> Int? {
        guard let value = try real(key) else { return nil }
        guard let whole = Int(exactly: value) else { throw LinearPCMSettings.refusal("\(value) for \(key)") }
        return whole
    }

    func truth(_ key: String) throws(AVError) -> Bool? { try number(key)?.boolValue }
}
