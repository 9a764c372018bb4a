import AirPlayMessages
import TuttiMediaTime
import TuttiRTSP
import TuttiSystemIO

/// The two ends of the control connection of a session that is being opened.
struct ControlLink: Equatable, Sendable {
    var own: IPAddress
    var peer: IPAddress
}

/// The results and answers that the driver of a handshake delivers.
enum HandshakeInput: Sendable {
    case connected(ControlLink)
    case notConnected(SystemError)
    /// The time of ``AirPlay2Handshake/Output/wait(until:)`` has come.
    case waited
    case peerAdded
    case peerRefused(SpeakerFailure)
    /// The answer to the last request.
    case answered(RTSPResponse)
    /// The last request has no answer: the time-out passed or the connection ended.
    case unanswered(SpeakerFailure)
    case portsBound(BoundPorts)
    /// The local ports could not be bound, for this reason.
    case portsNotBound(String)
    case eventsConnected
    case eventsNotConnected(SystemError)
    /// The wire format of the store's packets; `nil` when the group is gone.
    case format(AudioWireFormat?)
    case streamOpened(isContinued: Bool)
    /// The data connection failed, for this cause.
    case streamNotOpened(String)
    /// The store has evicted sound that a continued stream lacks.
    case soundEvicted
    /// The session is not wanted any more.
    case cancelled
}
