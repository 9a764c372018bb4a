import AirPlayMessages
import TuttiMediaTime

/// The properties of a source that decide its wire format.
package struct SourceSound: Hashable, Sendable {
    /// The coding of a source.
    package enum Coding: Hashable, Sendable {
        /// AAC-LC access units that may pass through.
        case aacLC
        /// Lossless samples of `bits` bits each.
        case lossless(bits: Int)
        /// Floating-point samples, which 16 bits cannot represent exactly.
        case floatSamples
        /// A lossy codec, by its common name.
        case lossy(codec: String)
    }

    /// The coding of the source.
    package var coding: Coding
    /// The sample rate of the source.
    package var sampleRate: SampleRate
    /// The number of channels.
    package var channelCount: Int
    /// Whether the samples are scaled by a volume of their own, so that they are no longer those of the source.
    package var isScaled = false

    /// Creates a description of a source.
    package init(coding: Coding, sampleRate: SampleRate, channelCount: Int) {
        self.coding = coding
        self.sampleRate = sampleRate
        self.channelCount = channelCount
    }
}

/// The user's priority if losslessness and buffer depth conflict.
public enum WirePreference: String, CaseIterable, Sendable {
    /// Lossless audio, in a buffer of about a minute.
    case lossless
    /// A buffer of minutes, in AAC.
    case depth
}

/// The wire format of a source, and the reason for it.
public struct WireChoice: Hashable, Sendable {
    /// The wire format.
    public var format: AudioWireFormat
    /// Whether the source's packets go out byte for byte.
    public var passesThrough: Bool
    /// The reason for the format, in words for the user.
    public var reason: String
}

/// Chooses the wire format from the known properties of source and speakers.
package struct WireFormatPolicy: Hashable, Sendable {
    /// The user's priority.
    package var preference: WirePreference
    /// All speakers are known to play ALAC 48/24.
    package var playsHighResolution: Bool
    /// No speaker with a buffered stream is known to be silent with ALAC.
    package var playsALAC = true
    /// A format that cannot change, because some speakers learn it at SETUP only.
    package var fixed: AudioWireFormat?
    /// The only format that every speaker takes, because one of them takes a realtime stream.
    package var only: AudioWireFormat?
    /// The sample rate of a device of this machine, which takes uncompressed samples only.
    package var deviceRate: SampleRate?
    /// The sample rate of sound that is playing and must continue without a gap.
    package var runningRate: SampleRate?
    /// Whether ALAC is compressed. See ``ALACConfiguration/isCompressed``.
    package var isCompressed: Bool

    /// Creates a policy; ``deviceRate`` is set afterwards.
    package init(
        preference: WirePreference = .lossless, playsHighResolution: Bool = false,
        fixed: AudioWireFormat? = nil,
        runningRate: SampleRate? = nil, isCompressed: Bool = true
    ) {
        self.preference = preference
        self.playsHighResolution = playsHighResolution
        self.fixed = fixed
        self.runningRate = runningRate
        self.isCompressed = isCompressed
    }

    /// Returns the wire format for `source`, in this order: the device's rate, the only possible format, the fixed
    /// format, the running rate, the best format for the source.
    package func choose(for source: SourceSound) -> WireChoice {
        var choice = chooseFormat(for: source)
        if source.isScaled { choice.reason += ", with the item's own volume applied" }
        return choice
    }

    private func chooseFormat(for source: SourceSound) -> WireChoice {
        if let deviceRate { return local(deviceRate, source) }
        if let only { return within(only, source, "the format of realtime speakers") }
        if let fixed { return within(fixed, source, "the speakers were set up with this format") }
        let free = best(for: source)
        guard let runningRate, free.format.sampleRate != runningRate else { return free }
        return keepRate(runningRate, source)
    }

    private func local(_ rate: SampleRate, _ source: SourceSound) -> WireChoice {
        WireChoice(
            format: .local(rate), passesThrough: false,
            reason: source.sampleRate == rate
                ? "as samples to this machine's device"
                : "as samples to this machine's device, resampled from \(source.sampleRate)")
    }

    private func best(for source: SourceSound) -> WireChoice {
        switch source.coding {
        case .aacLC where source.channelCount == 2 && source.sampleRate == .hz44100:
            return WireChoice(
                format: .aac44100, passesThrough: true, reason: "AAC-LC is sent unchanged")
        case .aacLC where source.channelCount == 2 && source.sampleRate == .hz48000:
            return WireChoice(
                format: .aac48000, passesThrough: true, reason: "AAC-LC is sent unchanged")
        case .lossless(let bits) where !isLossy:
            return lossless(bits: bits, source)
        default:
            return lossy(source)
        }
    }

    /// Whether everything that does not pass through is encoded as AAC.
    private var isLossy: Bool { preference == .depth || !playsALAC }

    private func lossless(bits: Int, _ source: SourceSound) -> WireChoice {
        if source.sampleRate == .hz44100, bits <= 16 {
            return WireChoice(
                format: .alac44100x16, passesThrough: false, reason: source.isScaled ? "lossless" : bitForBit)
        }
        let isHighResolution = source.sampleRate != .hz44100 && source.sampleRate.hertz % 44_100 != 0
        if playsHighResolution, isHighResolution, source.sampleRate >= .hz48000 {
            return WireChoice(
                format: .alac48000x24, passesThrough: false, reason: highResolution(bits: bits, source))
        }
        return WireChoice(format: .alac44100x16, passesThrough: false, reason: conversion(bits: bits, source))
    }

    private var bitForBit: String { "lossless, bit for bit" }

    private func highResolution(bits: Int, _ source: SourceSound) -> String {
        if source.sampleRate != .hz48000 {
            return "lossless, resampled from \(source.sampleRate) to 48000 Hz"
        }
        if source.isScaled { return "lossless" }
        return bits <= 24 ? bitForBit : "lossless at 48000 Hz 24 bit, rounded from \(bits) bits"
    }

    private func conversion(bits: Int, _ source: SourceSound) -> String {
        var steps: [String] = []
        if source.sampleRate != .hz44100 { steps.append("resampled from \(source.sampleRate)") }
        if bits > 16 { steps.append("dithered from \(bits) bits") }
        let why = playsHighResolution ? "" : "; not every speaker is known to play 48 kHz 24 bit"
        return "lossless at 44100 Hz 16 bit, " + steps.joined(separator: ", ") + why
    }

    private func lossy(_ source: SourceSound) -> WireChoice {
        guard isLossy else {
            return WireChoice(format: .alac44100x16, passesThrough: false, reason: reasonToDecode(source))
        }
        let format: AudioWireFormat = source.sampleRate.hertz % 48_000 == 0 ? .aac48000 : .aac44100
        return WireChoice(
            format: format, passesThrough: false,
            reason: playsALAC
                ? "encoded as AAC for a deeper buffer"
                : "encoded as AAC, because a speaker plays nothing else in a buffered stream")
    }

    /// Returns the reason that a source neither passes through nor goes out bit for bit.
    private func reasonToDecode(_ source: SourceSound) -> String {
        let rate = source.sampleRate == .hz44100 ? "" : ", resampled from \(source.sampleRate)"
        return switch source.coding {
        case .aacLC:
            "AAC of \(source.channelCount) channel(s) at \(source.sampleRate), which speakers do not accept unchanged: "
                + "decoded once, then lossless"
        case .floatSamples: "samples in floating point, dithered to 16 bit" + rate
        case .lossy(let codec): "\(codec): decoded once, then lossless" + rate
        case .lossless(let bits): "lossless, \(bits) bit" + rate
        }
    }

    /// Keeps the running rate, because a rate change needs a new start and so makes a gap.
    private func keepRate(_ rate: SampleRate, _ source: SourceSound) -> WireChoice {
        let isHigh = rate == .hz48000
        let isAAC = isLossy || (isHigh && !playsHighResolution)
        let format: AudioWireFormat =
            isAAC ? (isHigh ? .aac48000 : .aac44100) : (isHigh ? .alac48000x24 : .alac44100x16)
        return WireChoice(
            format: format, passesThrough: false,
            reason:
                "resampled from \(source.sampleRate) to \(rate), so that there is no gap between the tracks")
    }

    private func within(
        _ fixed: AudioWireFormat, _ source: SourceSound, _ reason: String
    ) -> WireChoice {
        let isSame = source.sampleRate == fixed.sampleRate && source.channelCount == 2
        let passes = isSame && source.coding == .aacLC && fixed.codec == .aacLC
        return WireChoice(
            format: fixed, passesThrough: passes,
            reason: passes ? "AAC-LC is sent unchanged" : reason)
    }
}
