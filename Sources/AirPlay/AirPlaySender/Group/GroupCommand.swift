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

/// The commands that a group was given, by their numbers, and which of them later ones make meaningless. A dragged slider
/// posts dozens while speakers still answer to the first.
struct PostedCommands: Sendable {
    private var count = 0
    // The numbers of the newest ones.
    private var newestStart = 0
    private var newestStop = 0
    private var newestClear = 0

    /// Counts a command; returns its number.
    mutating func add(_ command: GroupCommand) -> Int {
        count += 1
        switch command {
        case .start: newestStart = count
        case .stop: newestStop = count
        case .clear: newestClear = count
        case .anchorAgain, .cut, .resume, .volume, .delay, .tracks, .treatment, .announce, .endAnnouncement,
            .format, .members:
            break
        }
        return count
    }

    /// Whether a later start or stop makes a start meaningless.
    func supersedesStart(_ number: Int) -> Bool { number < max(newestStart, newestStop) }

    /// Whether a later clear makes a clear meaningless: a stop lies between the two, and no start behind the stop.
    func supersedesClear(_ number: Int) -> Bool {
        number < newestStop && newestStop < newestClear && !(newestStop...newestClear).contains(newestStart)
    }
}
