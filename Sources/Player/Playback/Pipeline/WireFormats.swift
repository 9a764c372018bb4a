import AirPlayMessages
import AirPlaySender
import CoreMedia
import TuttiMediaTime

/// The wire formats that the present speakers or the device take.
struct WireFormats {
    private var policy: WireFormatPolicy
    /// Whether the capabilities of the speakers or the device are known.
    private(set) var isDecided = false
    /// At least one speaker learns the format at SETUP and cannot change it.
    private var isFixed = false
    /// The codec can change mid-stream without loss.
    private var changesCodecCleanly = true

    init(policy: WireFormatPolicy) { self.policy = policy }

    /// Records the capabilities of the speakers or the device.
    mutating func learn(of traits: PacketOutputTraits) {
        let receivers = traits.receivers
        isDecided = true
        policy.deviceRate = traits.deviceRate
        policy.only = traits.onlyFormat
        policy.playsHighResolution = !receivers.isEmpty && receivers.allSatisfy(\.quirks.playsALAC48000x24)
        policy.playsALAC = traits.playsALAC
        isFixed = receivers.contains { $0.quirks.bufferedHeaderStyle != .formatCode23 }
        changesCodecCleanly = !isFixed && receivers.allSatisfy(\.quirks.changesCodecCleanly)
    }

    /// Returns the wire format for the next source.
    ///
    /// - Parameters:
    ///   - previous: The format of the previous source.
    ///   - running: The format of the sound that the source continues.
    func choose(for sound: SourceSound, after previous: AudioWireFormat?, running: AudioWireFormat?)
        -> WireChoice
    {
        var policy = policy
        policy.runningRate = running?.sampleRate
        if isFixed, let previous { policy.fixed = previous }
        return policy.choose(for: sound)
    }

    /// Returns the format that can stand between access units of a rate; `nil` if none fits.
    func lossless(at rate: SampleRate) -> AudioWireFormat? {
        if !changesCodecCleanly || !policy.playsALAC { return nil }
        if rate == .hz44100 { return .alac44100x16 }
        return policy.playsHighResolution ? .alac48000x24 : nil
    }
}
