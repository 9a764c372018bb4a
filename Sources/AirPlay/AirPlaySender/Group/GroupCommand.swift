import AirPlayMessages
import TuttiMediaTime
import TuttiPCM

/// A command of a program to its ``SpeakerGroup``; the group executes commands one after the other. A command for one speaker
/// names it by its ``SpeakerTarget/key``.
enum GroupCommand: Sendable {
    case start(frame: Int64, host: HostTime?, started: @Sendable (HostTime) -> Void)
    case stop(frame: Int64)
    /// The store was emptied; a running line continues.
    case clear
    /// After a clear under a running line: the store has sound again.
    case anchorAgain
    case cut(frame: Int64, answer: @Sendable (Bool) -> Void)
    case resume(frame: Int64)
    case volume(Volume, speaker: String?)
    case delay(SpeakerDelay, speaker: String)
    case tracks([ScheduledTrack])
    case treatment(SoundTreatment, speaker: String)
    case announce(PlannedAnnouncement, answer: @Sendable (AnnouncementStart) -> Void)
    case endAnnouncement(Int)
    case format(AudioWireFormat)
    /// The closure is called when the sessions of those that leave are closed.
    case members([SpeakerTarget], closed: @Sendable () -> Void)

    /// Whether a speaker that misses the command plays wrong sound.
    var changesWhatIsHeard: Bool {
        switch self {
        case .start, .stop, .clear, .anchorAgain, .cut, .resume: true
        case .volume, .delay, .tracks, .treatment, .announce, .endAnnouncement, .format, .members: false
        }
    }
}
