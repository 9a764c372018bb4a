import Foundation

extension AVAudioSession {
    /// Posted when the selected outputs changed.
    public class var routeChangeNotification: NSNotification.Name {
        NSNotification.Name("AVAudioSessionRouteChangeNotification")
    }
    /// Posted when another player of the process interrupts playback, and when the interruption ends.
    public class var interruptionNotification: NSNotification.Name {
        NSNotification.Name("AVAudioSessionInterruptionNotification")
    }
    /// The audio server is lost; never posted.
    public class var mediaServicesWereLostNotification: NSNotification.Name {
        NSNotification.Name("AVAudioSessionMediaServicesWereLostNotification")
    }
    /// The audio server is back; never posted.
    public class var mediaServicesWereResetNotification: NSNotification.Name {
        NSNotification.Name("AVAudioSessionMediaServicesWereResetNotification")
    }
    /// Another program's sound asks for silence; never posted.
    public class var silenceSecondaryAudioHintNotification: NSNotification.Name {
        NSNotification.Name("AVAudioSessionSilenceSecondaryAudioHintNotification")
    }
}

/// The reason for a route change: the `UInt` of an ``AVAudioSession/RouteChangeReason``.
public let AVAudioSessionRouteChangeReasonKey = "AVAudioSessionRouteChangeReasonKey"
/// The previous route: an ``AVAudioSessionRouteDescription``.
public let AVAudioSessionRouteChangePreviousRouteKey = "AVAudioSessionRouteChangePreviousRouteKey"
/// Start or end of an interruption: the `UInt` of an ``AVAudioSession/InterruptionType``.
public let AVAudioSessionInterruptionTypeKey = "AVAudioSessionInterruptionTypeKey"
/// Options of an interruption's end: the `UInt` of ``AVAudioSession/InterruptionOptions``.
public let AVAudioSessionInterruptionOptionKey = "AVAudioSessionInterruptionOptionKey"
/// The reason for an interruption's start: the `UInt` of an ``AVAudioSession/InterruptionReason``.
public let AVAudioSessionInterruptionReasonKey = "AVAudioSessionInterruptionReasonKey"
/// Whether the program was suspended: a `Bool`.
public let AVAudioSessionInterruptionWasSuspendedKey = "AVAudioSessionInterruptionWasSuspendedKey"
/// Start or end of a hint: the `UInt` of an ``AVAudioSession/SilenceSecondaryAudioHintType``.
public let AVAudioSessionSilenceSecondaryAudioHintTypeKey = "AVAudioSessionSilenceSecondaryAudioHintTypeKey"
