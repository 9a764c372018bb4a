import Foundation
import Synchronization

/// The preferences of a session that its outputs do not have.
struct SessionPreferences: Sendable {
    var outputChannels = 2
    var supportsMultichannel = false
    var avoidsAlerts = false
    var interruptsOnDisconnect = false
}

// Preferences without effect, so that programs that set them compile and run. Any thread.
extension AVAudioSession {
    /// Whether the inputs and outputs of the hardware are one.
    public enum IOType: UInt, Sendable {
        /// The program does not say.
        case notSpecified = 0
        /// Inputs and outputs are one.
        case aggregated = 1
    }

    /// The length of the prompts that a program should play.
    public enum PromptStyle: UInt, Sendable {
        /// No prompts.
        case none = 0x6E6F_6E65
        /// Short prompts.
        case short = 0x7368_7274
        /// Prompts as usual.
        case normal = 0x6E72_6D6C
    }

    /// The kind of sound that the outputs render.
    public enum RenderingMode: Int, Sendable {
        /// Nothing is rendered.
        case notApplicable = 0
        /// One or two channels.
        case monoStereo = 1
        /// More channels.
        case surround = 2
        /// Sound with places in the room.
        case spatialAudio = 3
        /// Dolby Audio.
        case dolbyAudio = 4
        /// Dolby Atmos.
        case dolbyAtmos = 5
    }

    // MARK: Channels

    /// The number last set; 2 at first. Has no effect on playback.
    public var preferredOutputNumberOfChannels: Int { preferences.withLock { $0.outputChannels } }

    /// Stores the number without effect: outputs are stereo.
    ///
    /// - Throws: ``ErrorCode/badParam`` if the number is not in 1 ... ``maximumOutputNumberOfChannels``.
    public func setPreferredOutputNumberOfChannels(_ count: Int) throws {
        guard (1...maximumOutputNumberOfChannels).contains(count) else {
            throw NSError(
                domain: NSOSStatusErrorDomain, code: ErrorCode.badParam.rawValue,
                userInfo: [NSLocalizedDescriptionKey: "outputs have one or two channels"])
        }
        preferences.withLock { $0.outputChannels = count }
    }

    /// The value last set; `false` at first. Has no effect on playback: more channels than two are mixed down.
    public var supportsMultichannelContent: Bool { preferences.withLock { $0.supportsMultichannel } }

    /// Stores the value without effect.
    public func setSupportsMultichannelContent(_ inValue: Bool) throws {
        preferences.withLock { $0.supportsMultichannel = inValue }
    }

    /// Always ``RenderingMode/monoStereo``.
    public var renderingMode: RenderingMode { .monoStereo }

    /// Stores the preference without effect: Tutti does not record.
    public func setAggregatedIOPreference(_ inIOType: IOType) throws {}

    // MARK: Interruptions and prompts

    /// The value last set; `false` at first. Has no effect on playback: nothing interrupts for alerts.
    public var prefersNoInterruptionsFromSystemAlerts: Bool { preferences.withLock { $0.avoidsAlerts } }

    /// Stores the value without effect.
    public func setPrefersNoInterruptionsFromSystemAlerts(_ inValue: Bool) throws {
        preferences.withLock { $0.avoidsAlerts = inValue }
    }

    /// The value last set; `false` at first. Has no effect on playback: a lost output always pauses.
    public var prefersInterruptionOnRouteDisconnect: Bool {
        preferences.withLock { $0.interruptsOnDisconnect }
    }

    /// Stores the value without effect.
    public func setPrefersInterruptionOnRouteDisconnect(_ inValue: Bool) throws {
        preferences.withLock { $0.interruptsOnDisconnect = inValue }
    }

    /// Always ``PromptStyle/normal``.
    public var promptStyle: PromptStyle { .normal }

    // MARK: Data sources

    /// Always `nil`: an output has one source.
    public var outputDataSources: [AVAudioSessionDataSourceDescription]? { nil }

    /// Always `nil`: an output has one source.
    public var outputDataSource: AVAudioSessionDataSourceDescription? { nil }

    /// Does nothing: an output has one source.
    public func setOutputDataSource(_ dataSource: AVAudioSessionDataSourceDescription?) throws {}

    // MARK: Notifications

    /// A change of ``renderingMode``; never posted.
    public class var renderingModeChangeNotification: NSNotification.Name {
        NSNotification.Name("AVAudioSessionRenderingModeChangeNotification")
    }

    /// A change of what the outputs can render; never posted.
    public class var renderingCapabilitiesChangeNotification: NSNotification.Name {
        NSNotification.Name("AVAudioSessionRenderingCapabilitiesChangeNotification")
    }

    /// A change of the outputs' spatial abilities; never posted.
    public class var spatialPlaybackCapabilitiesChangedNotification: NSNotification.Name {
        NSNotification.Name("AVAudioSessionSpatialPlaybackCapabilitiesChangedNotification")
    }
}
