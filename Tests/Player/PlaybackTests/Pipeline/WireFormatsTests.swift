import AirPlayMessages
import AirPlaySender
import Testing
import TuttiMediaTime

@testable import Playback

@Suite("Wire formats of the present speakers")
struct WireFormatsTests {
    private static func speaker(_ model: String) -> ReceiverDescription {
        ReceiverDescription(airPlay: AirPlayTXTRecord(["model": model]))
    }

    private static let (tutti, shairport) = (speaker("Tutti"), speaker("ShairportSync"))
    private static let (sonos, other) = (speaker("Sonos"), speaker("AV Receiver"))

    /// The speakers, and the formats that can stand between access units of 44.1 and 48 kHz.
    static let bridges: [(String, [ReceiverDescription], AudioWireFormat?, AudioWireFormat?)] = [
        ("Tutti alone", [tutti], .alac44100x16, .alac48000x24),
        ("with a speaker that loses sound at a change", [tutti, shairport], nil, nil),
        ("with a speaker whose format is fixed", [tutti, sonos], nil, nil),
        ("an unknown speaker", [other], nil, nil),
        ("no speaker", [], .alac44100x16, nil),
    ]

    @Test("a lossless format joins access units if all speakers change cleanly", arguments: bridges)
    func bridge(
        name: String, receivers: [ReceiverDescription], at44100: AudioWireFormat?, at48000: AudioWireFormat?
    ) {
        var formats = WireFormats(policy: WireFormatPolicy())
        #expect(!formats.isDecided)
        formats.learn(of: PacketOutputTraits(receivers: receivers))
        #expect(formats.isDecided)
        #expect(formats.lossless(at: .hz44100) == at44100)
        #expect(formats.lossless(at: .hz48000) == at48000)
    }

    /// The speakers or device, the previous and the running format, and the choice for 48 kHz lossless sound.
    static let choices:
        [(String, PacketOutputTraits, AudioWireFormat?, running: AudioWireFormat?, AudioWireFormat)] = [
            ("the first source", .init(receivers: [tutti]), nil, nil, .alac48000x24),
            ("a rate that runs", .init(receivers: [tutti]), .alac44100x16, .alac44100x16, .alac44100x16),
            ("a rate that ran", .init(receivers: [tutti]), .alac44100x16, nil, .alac48000x24),
            ("a fixed format", .init(receivers: [sonos]), .aac44100, nil, .aac44100),
            ("a speaker silent with ALAC", .init(receivers: [tutti], playsALAC: false), nil, nil, .aac48000),
            ("a device", .init(deviceRate: .hz44100), nil, nil, .local(.hz44100)),
        ]

    @Test("the next source's format depends on the speakers and the sound before it", arguments: choices)
    func choice(
        name: String, traits: PacketOutputTraits, previous: AudioWireFormat?, running: AudioWireFormat?,
        choice: AudioWireFormat
    ) {
        var formats = WireFormats(policy: WireFormatPolicy())
        formats.learn(of: traits)
        let sound = SourceSound(coding: .lossless(bits: 24), sampleRate: .hz48000, channelCount: 2)
        #expect(formats.choose(for: sound, after: previous, running: running).format == choice)
    }
}
