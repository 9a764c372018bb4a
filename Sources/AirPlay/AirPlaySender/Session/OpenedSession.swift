import AirPlayMessages
import TuttiSystemIO

/// The result of a successful handshake.
struct OpenedSession: Sendable {
    /// The target of all requests.
    var url: String
    var peer: IPAddress
    var receiver: ReceiverDescription
    var choice: SessionChoice
    var streamID: Int64?
    /// The size of the speaker's buffer, bytes.
    var bufferBytes: Int
    var numbers: SessionNumbers
    /// Whether the session resumes another one, and the speaker plays already.
    var isContinuing: Bool
}
