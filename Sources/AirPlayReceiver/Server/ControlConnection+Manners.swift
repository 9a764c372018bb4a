internal import MediaTime
internal import RTSP
internal import Synchronization

/// The effect of ``ConnectionManners`` on a connection.
extension ControlConnection {
    /// Answers a request that the speaker's manners keep from the session.
    ///
    /// - Returns: Whether the request has been answered.
    func answerByManners(_ id: RTSPRequestID, _ request: RTSPRequest, at now: HostTime) -> Bool {
        guard case .answer(let response) = state.withLock({ $0.manners?.ruling(on: request, at: now) })
        else { return false }
        answer(id, response.signed, to: request)
        return true
    }

    /// Sends an answer, or what the speaker's manners make of it.
    func answer(_ id: RTSPRequestID, _ response: RTSPResponse, to request: RTSPRequest) {
        let now = clock.now
        let ruling = state.withLock { state -> AnswerRuling? in
            let ruling = state.manners?.ruling(on: response, to: request, at: now)
            if case .withhold(let withheld) = ruling { state.withheld.append((id, withheld)) }
            return ruling
        }
        switch ruling {
        case nil: respond(id, response, nil)
        case .send(let changed, let cSeq): respond(id, changed, nil, cSeq: cSeq)
        case .withhold: break
        }
    }

    /// Sends the withheld answers: the sender has connected to the event port.
    func eventsConnected() {
        let withheld = state.withLock { state in
            state.manners?.eventsConnected()
            defer { state.withheld = [] }
            return state.withheld
        }
        for (id, response) in withheld { respond(id, response, nil) }
    }

    /// Ends the connection if the speaker's manners say so.
    func checkManners(at now: HostTime) {
        if let reason = state.withLock({ $0.manners?.reasonToEnd(at: now) }) { close(because: reason) }
    }
}
