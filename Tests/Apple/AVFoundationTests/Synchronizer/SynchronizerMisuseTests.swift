import AVFoundation
import Playback
import Testing

// Apple raises an exception here: a debug build stops, a release build ignores the call.

/// Calls that no correct program makes.
enum SynchronizerMisuse: String, CaseIterable, Codable, Sendable {
    case negativeRate, negativeRateAtATime, negativeRateAtAHostTime, rateThatIsNoNumber
    case inTwoSynchronizers, secondOfALongForm

    /// The message of the misuse.
    var rule: String {
        switch self {
        case .negativeRate, .negativeRateAtATime, .negativeRateAtAHostTime, .rateThatIsNoNumber:
            "a rate must be 0 or more"
        case .inTwoSynchronizers: "the renderer is attached to another synchronizer"
        case .secondOfALongForm: "a long-form session allows one audio renderer in a synchronizer"
        }
    }

    /// Makes the call.
    ///
    /// - Returns: Whether the call had no effect.
    func isWithoutEffect() throws -> Bool {
        RouteCatalogue.shared.selectNothing()
        let (synchronizer, other) = (AVSampleBufferRenderSynchronizer(), AVSampleBufferRenderSynchronizer())
        let renderer = AVSampleBufferAudioRenderer()
        synchronizer.addRenderer(renderer)
        switch self {
        case .negativeRate: synchronizer.rate = -1
        case .negativeRateAtATime: synchronizer.setRate(-0.5, time: CMTime(value: 5, timescale: 1))
        case .negativeRateAtAHostTime:
            synchronizer.setRate(
                -1, time: CMTime(value: 5, timescale: 1),
                atHostTime: CMClockGetTime(CMClockGetHostTimeClock()))
        case .rateThatIsNoNumber: synchronizer.rate = .nan
        case .inTwoSynchronizers:
            other.addRenderer(renderer)
            return other.renderers.isEmpty && renderer.timebase === synchronizer.timebase
        case .secondOfALongForm:
            let session = AVAudioSession.sharedInstance()
            try session.setCategory(.playback, mode: .default, policy: .longFormAudio)
            defer { try? session.setCategory(.soloAmbient) }
            synchronizer.addRenderer(AVSampleBufferAudioRenderer())
            return synchronizer.renderers.count == 1
        }
        return synchronizer.rate == 0 && synchronizer.currentTime() == .zero
    }
}

@Suite("API misuse: synchronizers")
struct SynchronizerMisuseTests {
    #if DEBUG
    @Test("misuse stops a debug build and names the rule", arguments: SynchronizerMisuse.allCases)
    func stops(misuse: SynchronizerMisuse) async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            [misuse] in
            // An error, or no stop, ends the process normally.
            _ = try? misuse.isWithoutEffect()
        }
        let words = try #require(result?.standardErrorContent)
        #expect(String(decoding: words, as: UTF8.self).contains(misuse.rule))
    }
    #else
    @Test(
        "misuse has no effect in a release build, and is printed to standard error",
        arguments: SynchronizerMisuse.allCases)
    func isIgnored(misuse: SynchronizerMisuse) async throws {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            [misuse] in
            #expect(try misuse.isWithoutEffect())
        }
        let words = try #require(result?.standardErrorContent)
        #expect(String(decoding: words, as: UTF8.self).contains(misuse.rule))
    }
    #endif
}
