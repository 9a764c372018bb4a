import AVFoundation
import AirPlayMessages
import AirPlaySender
import Codecs
import Playback

/// What happens while `tutti play` runs; each report shows it in its own way.
enum PlayEvent: Sendable {
    /// A track begins to be sent.
    case source(index: Int, MediaInfo)
    /// A live stream says what is heard now.
    case title(index: Int, TimedTitle)
    case format(WireChoice)
    /// A speaker gets the sound in this form from now on.
    case route(speaker: String, address: String, WireChoice)
    case opened(speaker: String, address: String, receiver: ReceiverDescription, bufferBytes: Int)
    case clock(speaker: String, state: String, role: String)
    /// Sound is heard from now on.
    case playing(index: Int, position: Double, startMilliseconds: Double)
    case progress(PlayProgress)
    case paused(index: Int, position: Double)
    case warning(code: String, speaker: String?, message: String)
    case error(code: String, speaker: String?, message: String)
    case volume(Double)
    case ended
}

/// Where playback is.
struct PlayProgress: Sendable {
    var index: Int
    var title: String
    /// Seconds in the track.
    var position: Double
    var duration: Double?
    var isPaused: Bool
    var volume: Double?
    var speakers: [SpeakerDepth]
}

/// What a user asks for while it plays.
enum PlayRequest: Equatable, Sendable {
    case pause, resume, toggle
    case seek(Double)
    /// Seconds from where it is.
    case skip(Double)
    case volume(Double)
    case louder(Double)
    case next, previous
    case remove(Int)
    case insert(Int, String)
    case quit
}

/// Shows the events of one playback. Called from one task at a time.
protocol PlayReport: AnyObject, Sendable {
    func show(_ event: PlayEvent)
    /// The terminal is given back.
    func end()
}
