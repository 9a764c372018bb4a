import AirPlayMessages
import CoreMedia
@testable import Playback
import Testing
import TuttiMediaTime

@Suite("The choice of the wire format")
struct WireFormatPolicyTests {
    static let cd = SourceSound(coding: .lossless(bits: 16), sampleRate: .hz44100, channelCount: 2)
    static let studio = SourceSound(coding: .lossless(bits: 24), sampleRate: .hz48000, channelCount: 2)
    static let aac = SourceSound(coding: .aacLC, sampleRate: .hz44100, channelCount: 2)
    static let aac48 = SourceSound(coding: .aacLC, sampleRate: .hz48000, channelCount: 2)
    static let monoAAC = SourceSound(coding: .aacLC, sampleRate: .hz44100, channelCount: 1)
    static let mp3 = SourceSound(coding: .lossy(codec: "MP3"), sampleRate: .hz44100, channelCount: 2)
    static let opus = SourceSound(coding: .lossy(codec: "Opus"), sampleRate: .hz48000, channelCount: 2)

    static func lossless(_ bits: Int, _ hertz: Int) throws -> SourceSound {
        SourceSound(
            coding: .lossless(bits: bits), sampleRate: try #require(SampleRate(hertz: hertz)), channelCount: 2
        )
    }

    struct Row: Sendable, CustomTestStringConvertible {
        var source: SourceSound
        var preference = WirePreference.lossless
        var playsHighResolution = false
        var fixed: AudioWireFormat?
        var running: SampleRate?
        var playsALAC = true
        var format: AudioWireFormat
        var passes = false
        var testDescription: String { "\(source) \(preference) -> \(format)" }
    }

    static let rows: [Row] = [
        Row(source: cd, format: .alac44100x16),
        Row(source: cd, playsHighResolution: true, format: .alac44100x16),
        Row(source: cd, preference: .depth, format: .aac44100),
        Row(source: studio, format: .alac44100x16),
        Row(source: studio, playsHighResolution: true, format: .alac48000x24),
        Row(source: studio, preference: .depth, playsHighResolution: true, format: .aac48000),
        Row(source: aac, format: .aac44100, passes: true),
        Row(source: aac, preference: .depth, format: .aac44100, passes: true),
        Row(source: aac48, format: .aac48000, passes: true),
        Row(source: monoAAC, format: .alac44100x16),
        Row(source: monoAAC, preference: .depth, format: .aac44100),
        Row(source: mp3, format: .alac44100x16),
        Row(source: mp3, preference: .depth, format: .aac44100),
        Row(source: opus, format: .alac44100x16),
        Row(source: opus, preference: .depth, format: .aac48000),
        // The current rate is kept.
        Row(source: studio, playsHighResolution: true, running: .hz44100, format: .alac44100x16),
        Row(source: cd, playsHighResolution: true, running: .hz48000, format: .alac48000x24),
        Row(source: cd, running: .hz48000, format: .aac48000),
        Row(source: aac, running: .hz44100, format: .aac44100, passes: true),
        Row(source: aac48, running: .hz44100, format: .alac44100x16),
        Row(source: aac48, preference: .depth, running: .hz44100, format: .aac44100),
        // A speaker is silent with ALAC.
        Row(source: cd, playsALAC: false, format: .aac44100),
        Row(source: studio, playsHighResolution: true, playsALAC: false, format: .aac48000),
        Row(source: mp3, playsALAC: false, format: .aac44100),
        Row(source: aac, playsALAC: false, format: .aac44100, passes: true),
        Row(source: aac48, running: .hz44100, playsALAC: false, format: .aac44100),
        // A format learnt at set-up is never left.
        Row(source: studio, playsHighResolution: true, fixed: .alac44100x16, format: .alac44100x16),
        Row(source: aac, fixed: .alac44100x16, format: .alac44100x16),
        Row(source: aac, fixed: .aac44100, format: .aac44100, passes: true),
        Row(source: aac48, fixed: .aac44100, format: .aac44100),
        Row(source: monoAAC, fixed: .aac44100, format: .aac44100),
        Row(source: cd, fixed: .aac44100, running: .hz48000, format: .aac44100),
    ]

    @Test("the format depends on source, preference, speakers and the current stream", arguments: rows)
    func chooses(row: Row) {
        var policy = WireFormatPolicy(
            preference: row.preference, playsHighResolution: row.playsHighResolution, fixed: row.fixed,
            runningRate: row.running)
        policy.playsALAC = row.playsALAC
        let choice = policy.choose(for: row.source)
        #expect(choice.format == row.format)
        #expect(choice.passesThrough == row.passes)
        #expect(!choice.reason.isEmpty)
    }

    static let rates: [(bits: Int, hertz: Int, format: AudioWireFormat)] = [
        (16, 8000, .alac44100x16), (16, 22_050, .alac44100x16), (16, 32_000, .alac44100x16),
        (24, 44_100, .alac44100x16), (16, 48_000, .alac48000x24), (32, 48_000, .alac48000x24),
        (24, 88_200, .alac44100x16), (24, 96_000, .alac48000x24), (24, 176_400, .alac44100x16),
        (24, 192_000, .alac48000x24), (24, 384_000, .alac48000x24),
    ]

    @Test("high sample rates map to the rate of their family", arguments: rates)
    func families(bits: Int, hertz: Int, format: AudioWireFormat) throws {
        let policy = WireFormatPolicy(playsHighResolution: true)
        #expect(policy.choose(for: try Self.lossless(bits, hertz)).format == format)
        #expect(WireFormatPolicy().choose(for: try Self.lossless(bits, hertz)).format == .alac44100x16)
    }

    @Test("reasons state the loss, and only that")
    func reasons() throws {
        let free = WireFormatPolicy(playsHighResolution: true)
        #expect(free.choose(for: Self.cd).reason == "lossless, bit for bit")
        #expect(free.choose(for: Self.studio).reason == "lossless, bit for bit")
        #expect(
            free.choose(for: try Self.lossless(24, 96_000)).reason
                == "lossless, resampled from 96000 Hz to 48000 Hz")
        #expect(
            free.choose(for: try Self.lossless(32, 48_000)).reason
                == "lossless at 48000 Hz 24 bit, rounded from 32 bits")
        #expect(
            WireFormatPolicy().choose(for: Self.studio).reason
                == "lossless at 44100 Hz 16 bit, resampled from 48000 Hz, dithered from 24 bits; "
                + "not every speaker is known to play 48 kHz 24 bit")
    }

    static let decodedSounds: [(source: SourceSound, reason: String)] = [
        (mp3, "MP3: decoded once, then lossless"),
        (opus, "Opus: decoded once, then lossless, resampled from 48000 Hz"),
        (
            monoAAC,
            "AAC of 1 channel(s) at 44100 Hz, which speakers do not accept unchanged: decoded once, then lossless"
        ),
        (
            SourceSound(coding: .floatSamples, sampleRate: .hz44100, channelCount: 2),
            "samples in floating point, dithered to 16 bit"
        ),
        (
            SourceSound(coding: .floatSamples, sampleRate: .hz48000, channelCount: 2),
            "samples in floating point, dithered to 16 bit, resampled from 48000 Hz"
        ),
    ]

    @Test("the reason names the actual source", arguments: decodedSounds)
    func namesTheSource(source: SourceSound, reason: String) {
        #expect(WireFormatPolicy().choose(for: source).reason == reason)
    }

    @Test("float samples of a buffer are not mistaken for a compressed codec")
    func floatSamples() throws {
        let description = AudioStreamBasicDescription(
            mSampleRate: 44_100, mFormatID: kAudioFormatLinearPCM,
            mFormatFlags: kAudioFormatFlagIsFloat | kAudioFormatFlagIsPacked, mBytesPerPacket: 8,
            mFramesPerPacket: 1, mBytesPerFrame: 8, mChannelsPerFrame: 2, mBitsPerChannel: 32, mReserved: 0)
        let format = try CMFormatDescription(audioStreamBasicDescription: description)
        #expect(try SourceFormat.sound(of: format).coding == .floatSamples)
    }
}
