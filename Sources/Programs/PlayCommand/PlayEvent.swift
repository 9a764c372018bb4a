import AirPlaySender
import AVFoundation
import Playback

/// An event of `tutti play`; each report shows it in its own way.
enum PlayEvent: Sendable {
    /// A track was opened.
    case source(index: Int, TuttiMedia)
    /// A live stream announced a new title.
    case title(index: Int, StreamTitle)
    case format(WireChoice)
    /// A speaker now gets the sound in this wire format, over a session of this kind.
    case route(speaker: NamedSpeaker, address: String, SessionChoice?, WireChoice)
    case opened(speaker: NamedSpeaker, address: String, receiver: ReceiverDescription, bufferBytes: Int)
    case clock(speaker: NamedSpeaker, state: String, role: String)
    /// Sound is audible from now on.
    case playing(index: Int, position: Double, startMilliseconds: Double)
    case progress(PlayProgress)
    case paused(index: Int, position: Double)
    case warning(code: String, speaker: NamedSpeaker?, message: String)
    case error(code: String, speaker: NamedSpeaker?, message: String)
    case volume(Double)
    /// One speaker's volume was changed, by a command or by its own button; percent.
    case speakerVolume(speaker: NamedSpeaker, Double)
    case member(speaker: NamedSpeaker, MemberChange)
    /// The film's window was closed.
    case pictures(PlayPictures)
    case ended
}

/// A change among the speakers while they play.
enum MemberChange: String, Sendable {
    case joining
    /// A speaker that joined is in step with the others.
    case playing
    case left
}

/// The current state of playback.
struct PlayProgress: Sendable {
    var index: Int
    var title: String
    /// The position in the track, in seconds.
    var position: Double
    var duration: Double?
    var isPaused: Bool
    var volume: Double?
    var speakers: [SpeakerDepth]

    /// Whether several of the speakers have the name of this one.
    func isTwin(_ speaker: NamedSpeaker) -> Bool {
        speakers.count { $0.speaker.name == speaker.name } > 1
    }

    /// Returns the text for a speaker that no other one has: its name, or its id where several have the name.
    func key(of speaker: NamedSpeaker) -> String { isTwin(speaker) ? speaker.id : speaker.name }
}

/// A request by the user during playback.
enum PlayRequest: Equatable, Sendable {
    case pause, resume, toggle
    case seek(Double)
    /// Seeks by a number of seconds, relative to the current position.
    case skip(Double)
    case volume(Double)
    case louder(Double)
    case next, previous
    /// Sets the rate of playback.
    case rate(Double)
    /// Multiplies the rate of playback.
    case faster(Double)
    /// Steps by a number of pictures of a film, and pauses.
    case step(Int)
    case mute
    /// Shows the next of a film's subtitles.
    case subtitles
    case fullScreen(Bool)
    case remove(Int)
    case insert(Int, String)
    case speaker(SpeakerRequest)
    case quit
}

/// A display of playback events. Thread-safe: several tasks and queues report events.
protocol PlayReport: AnyObject, Sendable {
    func show(_ event: PlayEvent)
    /// Ends the display and restores the terminal.
    func end()
}

extension PlayReport {
    func warn(_ code: String, _ message: String, of speaker: NamedSpeaker? = nil) {
        show(.warning(code: code, speaker: speaker, message: message))
    }

    func fail(_ code: String, _ message: String, of speaker: NamedSpeaker? = nil) {
        show(.error(code: code, speaker: speaker, message: message))
    }
}
