import AirPlayMessages
import TuttiMediaTime
import TuttiSystemIO

/// An event of a speaker, for programs and displays.
package enum SpeakerEvent: Sendable, Hashable {
    /// A sender has taken the speaker.
    case sessionStarted(SenderDescription)
    /// The session is over; the reason is for the user.
    case sessionEnded(SenderDescription, reason: String)
    /// The connection to the sender is lost; received audio plays on, and the sender may return.
    case senderLost(SenderDescription)
    /// The lost sender has reconnected.
    case senderReturned(SenderDescription)
    /// A stream has begun, with the format of its SETUP; packets may change that.
    case source(StreamKind, AudioWireFormat?)
    /// Playback has started or paused.
    case playing(Bool)
    /// The volume has changed, from either side.
    case volume(Volume)
    /// Text about the track, from the frame at the RTP time on.
    case metadata(DMAPMetadata, RTPTime?)
    /// A picture, from the frame at the RTP time on; empty for `.cleared`.
    case artwork(ArtworkKind, [UInt8], RTPTime?)
    /// The position in the track.
    case progress(Progress)
    /// A PIN to show; `nil` hides it.
    case pin(String?)
    /// A warning for the user, with a stable code.
    case warning(code: String, message: String)
}

/// The sender of a session.
package struct SenderDescription: Hashable, Sendable {
    /// The sender's name, for display.
    package var name: String?
    /// The sender's model identifier.
    package var model: String?
    /// The sender's address.
    package var address: IPAddress
    /// The target of remote commands; `nil` if the sender takes none by DACP.
    package var remote: SenderRemote?

    /// Creates a description from its parts.
    package init(name: String?, model: String?, address: IPAddress, remote: SenderRemote? = nil) {
        self.name = name
        self.model = model
        self.address = address
        self.remote = remote
    }
}
