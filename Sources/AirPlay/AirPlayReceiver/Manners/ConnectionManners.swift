import TuttiMediaTime
import TuttiRTSP

/// Deviations from the rules of a session on one control connection, which the session itself knows nothing of.
///
/// For stand-ins of other makers' devices, with which the sender is tested; a speaker has none unless a program of
/// this package gives it some. A value: requests, answers and times go in, rulings come out. The driver calls every
/// method with the connection's lock held.
package protocol ConnectionManners: Sendable {
    /// Rules on a request before the session handles it.
    mutating func ruling(on request: RTSPRequest, at now: HostTime) -> RequestRuling
    /// Rules on an answer before it is sent.
    mutating func ruling(
        on answer: RTSPResponse, to request: RTSPRequest, at now: HostTime
    ) -> AnswerRuling
    /// Notes that the sender has connected to the session's event port. All withheld answers leave now.
    mutating func eventsConnected()
    /// Returns the reason to end the connection now, in words for the user; `nil` to keep it. Asked every second.
    mutating func reasonToEnd(at now: HostTime) -> String?
}

/// The treatment of a request.
package enum RequestRuling: Sendable {
    /// The session handles the request.
    case handle
    /// The session does not see the request, which gets this answer.
    case answer(RTSPResponse)
}

/// The treatment of an answer.
package enum AnswerRuling: Sendable {
    /// Send this answer.
    ///
    /// - cSeq: The number to send instead of the request's; `nil` for the request's own.
    case send(RTSPResponse, cSeq: String?)
    /// Send this answer when the sender has connected to the event port.
    case withhold(RTSPResponse)
}
