import TuttiMediaTime
import TuttiRTSP

/// The answers of one connection on their way to the sender, changed by the speaker's manners.
///
/// Without manners every answer leaves at once and unchanged. A value: ``ControlConnection`` calls every method with
/// its lock held and sends what is returned.
struct ConnectionAnswers {
    /// An answer that leaves now.
    struct Departure {
        var id: RTSPRequestID
        var response: RTSPResponse
        /// The number to send instead of the request's.
        var cSeq: String?
    }

    /// `nil` for every speaker but the stand-ins of tests.
    private var manners: (any ConnectionManners)?
    /// Answers that wait for the event connection.
    private var withheld: [Departure] = []

    init(_ manners: (any ConnectionManners)?) { self.manners = manners }

    /// Returns the answer to a request that the session must not get; `nil` if the session handles the request.
    mutating func answer(instead id: RTSPRequestID, _ request: RTSPRequest, at now: HostTime) -> Departure? {
        guard case .answer(let response) = manners?.ruling(on: request, at: now) else { return nil }
        return depart(id, response.signed, to: request, at: now)
    }

    /// Returns the answers to send now that the session has answered a request.
    mutating func depart(
        _ id: RTSPRequestID, _ response: RTSPResponse, to request: RTSPRequest, at now: HostTime
    ) -> Departure? {
        switch manners?.ruling(on: response, to: request, at: now) {
        case nil: return Departure(id: id, response: response)
        case .send(let changed, let cSeq): return Departure(id: id, response: changed, cSeq: cSeq)
        case .withhold(let kept):
            withheld.append(Departure(id: id, response: kept))
            return nil
        }
    }

    /// Returns the withheld answers: the sender has connected to the event port.
    mutating func eventsConnected() -> [Departure] {
        manners?.eventsConnected()
        defer { withheld = [] }
        return withheld
    }

    /// Returns the reason to end the connection now, in words for the user.
    mutating func reasonToEnd(at now: HostTime) -> String? { manners?.reasonToEnd(at: now) }
}
