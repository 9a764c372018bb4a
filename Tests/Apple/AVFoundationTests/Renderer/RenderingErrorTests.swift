import Foundation
import Testing
import TuttiAudioOutput
import TuttiCodecs

@testable import AVFoundation
@testable import Playback

@Suite("Renderer failures as the framework's errors")
struct RenderingErrorTests {
    /// Sample buffers that cannot be played.
    enum Sound: CaseIterable, Sendable {
        case unknownCodec, oddSamples, manyChannels, damagedCookie

        var code: AVError.Code {
            switch self {
            case .unknownCodec: .decoderNotFound
            case .oddSamples, .manyChannels: .unsupportedOutputSettings
            case .damagedCookie: .decodeFailed
            }
        }

        func buffer() throws -> CMSampleBuffer {
            let (id, channels, bits, cookie): (AudioFormatID, UInt32, UInt32, Data?) =
                switch self {
                case .unknownCodec: (kAudioFormatAC3, 2, 0, nil)
                case .oddSamples: (kAudioFormatLinearPCM, 2, 5, nil)
                case .manyChannels: (kAudioFormatLinearPCM, 100, 16, nil)
                case .damagedCookie: (kAudioFormatAppleLossless, 2, 0, Data([1, 2, 3]))
                }
            let isLinear = id == kAudioFormatLinearPCM
            let format = try CMFormatDescription(
                audioStreamBasicDescription: AudioStreamBasicDescription(
                    mSampleRate: 44_100, mFormatID: id,
                    mFormatFlags: isLinear ? kAudioFormatFlagIsSignedInteger : 0,
                    mBytesPerPacket: isLinear ? 3 * channels : 0, mFramesPerPacket: isLinear ? 1 : 1024,
                    mBytesPerFrame: isLinear ? 3 * channels : 0, mChannelsPerFrame: channels,
                    mBitsPerChannel: bits, mReserved: 0), magicCookie: cookie)
            let size = isLinear ? Int(3 * channels) : 100
            return try CMSampleBuffer(
                dataBuffer: CMBlockBuffer(length: size, flags: .assureMemoryNow), formatDescription: format,
                numSamples: 1, presentationTimeStamp: .zero,
                packetDescriptions: isLinear
                    ? []
                    : [
                        AudioStreamPacketDescription(
                            mStartOffset: 0, mVariableFramesInPacket: 0, mDataByteSize: 100)
                    ])
        }
    }

    private static func failure(
        of sound: Sound, _ catalogue: RouteCatalogue
    ) async throws -> AVError? {
        let renderer = AVSampleBufferAudioRenderer(queue: catalogue.makeQueue(), of: catalogue)
        let notes = Notes()
        let observation = renderer.observe(\.status) { renderer, _ in
            if renderer.status == .failed { notes.note("failed") }
        }
        renderer.enqueue(try sound.buffer())
        renderer.stopRequestingMediaData()
        await notes.reached(1)
        observation.invalidate()
        return renderer.error as? AVError
    }

    @Test("audio that cannot be played has its error", arguments: Sound.allCases)
    func sounds(sound: Sound) async throws {
        let catalogue = ScriptedDevices(sinks: []).catalogue()
        let error = try #require(try await Self.failure(of: sound, catalogue))
        #expect(error.code == sound.code)
        let underlying = try #require(error.userInfo[NSUnderlyingErrorKey] as? NSError)
        #expect(underlying.domain != AVFoundationErrorDomain && !error.localizedDescription.isEmpty)
        #expect(error.localizedDescription == underlying.localizedDescription)
    }

    @Test("a named device that cannot be opened has its error")
    func device() async throws {
        let machine = ScriptedDevices(sinks: [])
        machine.refuse(ScriptedDevices.card)
        let catalogue = machine.catalogue()
        catalogue.setLocalOutput(ScriptedDevices.card)
        let error = try #require(try await Self.failure(of: .oddSamples, catalogue))
        #expect(error.code == .unknown && error.localizedDescription.contains("is not there"))
    }

    @Test("an error of the domain, or of an object, is passed through")
    func others() {
        let own = AVError(.contentIsProtected, userInfo: [NSLocalizedDescriptionKey: "no"])
        #expect(AVError(rendering: own) == own)
        #expect(
            AVError(rendering: MediaError.noDecoder(name: "a.ac3", codec: "ac3")).code == .decoderNotFound)
        let object = NSError(
            domain: NSOSStatusErrorDomain, code: -12_733, userInfo: [NSLocalizedDescriptionKey: "no data"])
        let error = AVError(rendering: object)
        #expect(error.code == .unknown && error.localizedDescription == "no data")
        #expect(error.userInfo[NSUnderlyingErrorKey] as? NSError == object)
    }
}
