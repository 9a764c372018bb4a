public import AirPlayMessages
internal import RTSP

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
        // Senders repeat SETUP to change their description. A remote-control session cannot become a playing
        // one without taking the speaker.
        if let current = self.session, current.uuid == session.uuid, current.timing == session.timing,
            current.isRemoteControlOnly == session.isRemoteControlOnly, let openedSession
        {
            phase = .inSession(session)
            return answer(openedSession)
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
    public mutating func sessionOpened(eventPort: UInt16?, _ peer: TimingPeerInfo) {
        guard case .session(let session) = opening else { return }
        opening = nil
        guard let eventPort else { return answer(.internalServerError) }
        let isTimed = session.timing == .ptp
        let response = SessionSetupResponse(eventPort: eventPort, timingPeerInfo: isTimed ? peer : nil)
        openedSession = response
        phase = .inSession(session)
        answer(response)
    }

    /// Refuses to continue a session that is over while another sender has the speaker.
    public mutating func sessionRefused() {
        guard case .session = opening else { return }
        opening = nil
        answer(.notEnoughBandwidth)
    }

    private mutating func setUpStream(_ list: PropertyList) {
        guard let session else { return answer(.methodNotValidInThisState) }
        guard let message = try? StreamSetupRequest(propertyList: list) else { return answer(.badRequest) }
        guard let stream = StreamRequest(message) else { return answer(.badParameters) }
        switch (stream.kind, session.timing) {
        case (.remoteControl, _): break
        case _ where session.isRemoteControlOnly: return answer(.methodNotValidInThisState)
        // The anchors of a buffered stream are PTP times.
        case (.buffered, .ntp): return answer(.badParameters)
        default: break
        }
        opening = .stream(stream)
        emit(.openStream(stream))
    }

    /// Answers the stream's SETUP after the driver has tried to open its ports; `nil` if it failed.
    public mutating func streamOpened(_ ports: StreamPorts?) {
        guard case .stream(let stream) = opening else { return }
        opening = nil
        guard let ports else {
            // The earlier stream of this kind has ended already.
            if stream.kind != .remoteControl { audio = nil }
            setPlaying(audio != nil && isPlaying)
            return answer(.internalServerError)
        }
        if stream.kind == .remoteControl {
            hasRemoteControl = true
        } else {
            audio = stream
            // A continued stream may still be playing.
            if ports.continuesAt == nil { setPlaying(false) }
            emit(.event(.source(stream.kind, stream.format)))
            // A realtime stream starts by its packets, not by request.
            if stream.kind == .realtime { setPlaying(true) }
        }
        answer(
            StreamSetupResponse(
                kind: stream.kind, dataPort: ports.data, controlPort: ports.control,
                audioBufferSize: ports.bufferBytes.map(Int64.init), streamID: 1,
                continuesAt: ports.continuesAt.map(Int64.init)))
    }

    /// Takes over the stream that an earlier connection of the session left.
    public mutating func continues(isPlaying: Bool) { self.isPlaying = isPlaying }

    mutating func record() {
        guard session != nil else { return answer(.methodNotValidInThisState) }
        var response = RTSPResponse()
        response.headers["Audio-Latency"] = "0"
        answer(response)
    }

    mutating func setPeers(_ request: RTSPRequest) {
        guard session != nil else { return answer(.methodNotValidInThisState) }
        if let peers = try? PeerList(body: request.body), request.method == .setPeers {
            emit(.peers(peers.addresses))
        } else if let peers = try? ExtendedPeerList(body: request.body), request.method == .setPeersX {
            emit(.peers(peers.peers.flatMap(\.addresses)))
        } else {
            return answer(.badRequest)
        }
        answer()
    }

    /// Handles TEARDOWN. With `streams` ends that stream and keeps the connection, else ends the session.
    mutating func tearDown(_ request: RTSPRequest) {
        let message: Teardown
        if request.body.isEmpty {
            message = .session
        } else if let read = try? Teardown(body: request.body) {
            message = read
        } else {
            return answer(.badRequest)
        }
        switch message {
        case .stream(.remoteControl, _): hasRemoteControl = false
        case .stream: if audio != nil { endAudio() }
        case .session:
            if audio != nil { endAudio() }
            phase = .over
            var response = RTSPResponse()
            response.headers["Connection"] = "close"
            answer(response)
            return emit(.endSession)
        }
        answer()
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
