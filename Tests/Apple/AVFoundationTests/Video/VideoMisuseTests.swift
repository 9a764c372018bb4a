import AVFoundation
import Testing

// Apple raises an exception here: a debug build stops, a release build ignores the call.

/// Calls that no correct program makes.
enum VideoMisuse: String, CaseIterable, Codable, Sendable {
    case controlledTwice, inTwoSynchronizers, layerInItself, layerInItsSublayer

    /// Makes the call.
    ///
    /// - Returns: Whether the call had no effect.
    func isWithoutEffect() -> Bool {
        let (layer, other) = (AVSampleBufferDisplayLayer(), CALayer())
        let (first, second) = (AVSampleBufferRenderSynchronizer(), AVSampleBufferRenderSynchronizer())
        first.addRenderer(layer)
        layer.addSublayer(other)
        switch self {
        case .controlledTwice:
            layer.controlTimebase = CMTimebase(sourceClock: .hostTimeClock)
            return layer.controlTimebase == nil && layer.timebase === first.timebase
        case .inTwoSynchronizers:
            second.addRenderer(layer)
            return second.renderers.isEmpty && layer.timebase === first.timebase
        case .layerInItself:
            layer.addSublayer(layer)
            return layer.sublayers == [other] && layer.superlayer == nil
        case .layerInItsSublayer:
            other.addSublayer(layer)
            return other.sublayers == nil && layer.superlayer == nil
        }
    }
}

@Suite("API misuse: layers and pictures")
struct VideoMisuseTests {
    #if DEBUG
    @Test("misuse stops a debug build", arguments: VideoMisuse.allCases)
    func stops(misuse: VideoMisuse) async {
        await #expect(processExitsWith: .failure) { [misuse] in _ = misuse.isWithoutEffect() }
    }
    #else
    @Test("misuse has no effect in a release build", arguments: VideoMisuse.allCases)
    func ignored(misuse: VideoMisuse) { #expect(misuse.isWithoutEffect()) }
    #endif
}
