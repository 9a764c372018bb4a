import AirPlayMessages
import TuttiRTSP

extension ReceiverSession {
    /// Handles SETUP: the first opens the session, a SETUP with `streams` opens a stream.
    mutating func setUp(_ request: RTSPRequest) {
        guard opening == nil, let list = try? PropertyList(parsing: request.body) else {
            return answer(.badRequest)
        }
        if list["streams"] != nil { setUpStream(list) } else { setUpSession(list, request.headers) }
    }

    private mutating func setUpSession(_ list: PropertyList, _ headers: RTSPHeaders) {
        guard let message = try? SessionSetupRequest(propertyList: list) else { return answer(.badRequest) }
        guard let session = SenderSession(message, headers: headers) else { return answer(.badParameters) }
        if case .inSession(let current, let response) = phase, session.redescribes(current) {
            phase = .inSession(session, response)
            return answer(response)
        }
        if audio != nil { endAudio() }
        opening = .session(session)
        emit(.openSession(session))
    }

    /// Answers the session's SETUP after the driver has tried to open the event listener.
    ///
    /// - Parameters:
    ///   - eventPort: The listener's port; `nil` if it could not be opened.
    ///   - peer: Our own addresses, and our clock.
    package mutating func sessionOpened(eventPort: UInt16?, _ peer: TimingPeerInfo) {
        guard case .session(let session) = opening else { return }
        opening = nil
        guard let eventPort else { return answer(.internalServerError) }
        let peer = session.timing == .ptp ? peer : nil
        let response = RTSPResponse(SessionSetupResponse(eventPort: eventPort, timingPeerInfo: peer))
        phase = .inSession(session, response)
        answer(response)
    }

    /// Refuses to continue a session that is over while another sender has the speaker.
    package mutating func sessionRefused() {
        guard case .session = opening else { return }
        opening = nil
        answer(.notEnoughBandwidth)
    }

    private mutating func setUpStream(_ list: PropertyList) {
        guard let session else { return answer(.methodNotValidInThisState) }
        guard let message = try? StreamSetupRequest(propertyList: list) else { return answer(.badRequest) }
        guard let stream = StreamRequest(message) else { return answer(.badParameters) }
        if let refusal = session.refusal(of: stream) { return answer(refusal) }
        opening = .stream(stream)
        emit(.openStream(stream))
    }

    /// Answers the stream's SETUP after the driver has tried to open its ports; `nil` if it failed.
    package mutating func streamOpened(_ ports: StreamPorts?) {
        guard case .stream(let stream) = opening else { return }
        opening = nil
        guard let ports else {
            // The earlier stream of this kind has ended already.
            if stream.kind != .remoteControl { audio = nil }
            setPlaying(audio != nil && isPlaying)
            return answer(.internalServerError)
        }
        if stream.kind != .remoteControl {
            audio = stream
            // A continued stream may still be playing.
            if ports.continuesAt == nil { setPlaying(false) }
            emit(.event(.source(stream.kind, stream.format)))
            // A realtime stream starts by its packets, not by request.
            if stream.kind == .realtime { setPlaying(true) }
        }
        answer(RTSPResponse(ports.response(to: stream)))
    }

    /// Takes over the stream that an earlier connection of the session left.
    package mutating func continues(isPlaying: Bool) { self.isPlaying = isPlaying }

    mutating func record() {
        guard session != nil else { return answer(.methodNotValidInThisState) }
        answer(RTSPResponse(headers: ["Audio-Latency": "0"]))
    }

    mutating func setPeers(_ request: RTSPRequest) {
        guard session != nil else { return answer(.methodNotValidInThisState) }
        let addresses =
            request.method == .setPeers
            ? (try? PeerList(body: request.body))?.addresses
            : (try? ExtendedPeerList(body: request.body))?.peers.flatMap(\.addresses)
        guard let addresses else { return answer(.badRequest) }
        emit(.peers(addresses))
        answer()
    }

    /// Handles TEARDOWN. With `streams` ends that stream and keeps the connection, else ends the session.
    mutating func tearDown(_ request: RTSPRequest) {
        let message: Teardown? = request.body.isEmpty ? .session : (try? Teardown(body: request.body))
        switch message {
        case nil: answer(.badRequest)
        case .stream(let kind, _)?:
            if kind != .remoteControl, audio != nil { endAudio() }
            answer()
        case .session?:
            if audio != nil { endAudio() }
            phase = .over
            answer(RTSPResponse(headers: ["Connection": "close"]))
            emit(.endSession)
        }
    }

    private mutating func endAudio() {
        audio = nil
        setPlaying(false)
        emit(.endStream)
    }

    mutating func setPlaying(_ isPlaying: Bool) {
        guard isPlaying != self.isPlaying else { return }
        self.isPlaying = isPlaying
        emit(.event(.playing(isPlaying)))
    }
}
