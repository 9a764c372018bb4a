import AirPlayMessages
import MediaTime

extension SpeakerGroup {
    /// What a program asks for; carried out one after the other.
    enum Command: Sendable {
        case start(frame: Int64, host: HostTime?, started: @Sendable (HostTime) -> Void)
        case stop(frame: Int64)
        /// The store was emptied; the line, if one runs, goes on.
        case clear
        /// After a clear under a running line: there is sound again.
        case anchorAgain
        case cut(frame: Int64, answer: @Sendable (Bool) -> Void)
        case goOn(frame: Int64)
        case volume(Volume, speaker: String?)
        case tracks([ScheduledTrack])
        case format(AudioWireFormat)
        case members([SpeakerTarget])

        /// Whether a speaker that does not hear of it plays something else than it should.
        var changesWhatIsHeard: Bool {
            switch self {
            case .start, .stop, .clear, .anchorAgain, .cut, .goOn: true
            case .volume, .tracks, .format, .members: false
            }
        }
    }
}
