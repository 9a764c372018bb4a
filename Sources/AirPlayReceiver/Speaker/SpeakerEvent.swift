public import AirPlayMessages
public import MediaTime
public import SystemIO

/// What happens at a speaker, for programs and displays.
public enum SpeakerEvent: Sendable, Hashable {
    case sessionStarted(SenderDescription)
    case sessionEnded(SenderDescription, reason: String)
    /// The sender is out of reach; what it has sent plays on, and it may come back.
    case senderLost(SenderDescription)
    case senderReturned(SenderDescription)
    /// What the stream's SETUP names; packets may change it.
    case source(StreamKind, AudioWireFormat?)
    case playing(Bool)
    case volume(Volume)
    /// About the track, from the frame at the RTP time on.
    case metadata(DMAPMetadata, RTPTime?)
    /// The picture's bytes; none for `.cleared`.
    case artwork(ArtworkKind, [UInt8], RTPTime?)
    case progress(Progress)
    /// To be shown until it is `nil`.
    case pin(String?)
    case warning(code: String, message: String)
}

/// Who plays.
public struct SenderDescription: Hashable, Sendable {
    public var name: String?
    public var model: String?
    public var address: IPAddress
    /// `nil` when it takes no remote commands by DACP.
    public var remote: SenderRemote?

    public init(name: String?, model: String?, address: IPAddress, remote: SenderRemote? = nil) {
        self.name = name
        self.model = model
        self.address = address
        self.remote = remote
    }
}
