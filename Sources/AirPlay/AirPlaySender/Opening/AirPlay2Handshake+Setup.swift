import AirPlayMessages
import HomeKitPairing
import TuttiMediaTime
import TuttiRTP
import TuttiRTSP
import TuttiSystemIO

/// The encrypted part: the session, its events and its stream.
extension AirPlay2Handshake {
    private func messages(for speaker: Paired) -> SetupMessages {
        SetupMessages(configuration: configuration, speaker: speaker)
    }

    mutating func setUpSession(_ speaker: Described, _ secret: SharedSecret) {
        let own = speaker.link.own.textWithoutZone
        let url = "rtsp://\(own)/\(configuration.numbers.session)"
        let paired = Paired(
            link: speaker.link, receiver: speaker.receiver, choice: speaker.choice, secret: secret, url: url)
        guard speaker.choice.stream == .realtime else { return requestSession(paired) }
        enter(.bindingPorts(paired), .bindPorts(speaker.link, isTiming: speaker.choice.clock == .ntp))
    }

    mutating func requestSession(_ speaker: Paired) {
        enter(.settingUpSession(speaker), setUp(speaker.url, body: messages(for: speaker).session.body))
    }

    mutating func setUpSession(_ speaker: Paired, _ ports: BoundPorts) {
        var speaker = speaker
        speaker.ports = ports
        requestSession(speaker)
    }

    private func setUp(_ url: String, body: [UInt8]) -> Output {
        request(RTSPRequest(.setup, url, contentType: PeerList.contentType, body: body))
    }

    mutating func openEvents(_ speaker: Paired, after response: RTSPResponse) {
        if authorize(speaker, after: response) { return }
        // A speaker that wants PTP, and for which there is none.
        if let failure = refusals.setup(response, clock: speaker.choice.clock) {
            return fail(clockRefusal ?? failure)
        }
        guard let answer = try? SessionSetupResponse(body: response.body) else {
            return fail(clockRefusal ?? refusals.noEventPort(speaker.choice))
        }
        openEvents(
            speaker, EventConnection(address: SocketAddress(speaker.link.peer, port: answer.eventPort)))
    }

    mutating func openEvents(_ speaker: Paired, _ events: EventConnection) {
        enter(
            .openingEvents(speaker, events),
            .connectEvents(events.address, speaker.secret, timeout: Self.connectTimeout))
    }

    /// Tries again a connection that was refused. One that is not answered has had its time.
    mutating func openEventsAgain(
        _ speaker: Paired, _ events: EventConnection, after error: SystemError, at now: HostTime
    ) {
        guard events.triesLeft > 0, error.isConnectionRefused else {
            return fail(refusals.noEventConnection(error))
        }
        var events = events
        events.triesLeft -= 1
        enter(
            .pausingForEvents(speaker, events), .wait(until: now.advanced(by: Self.eventsPause)))
    }

    /// The pause before the next attempt at the event connection.
    private static let eventsPause = Duration.milliseconds(200)

    mutating func record(_ speaker: Paired) {
        enter(.recording(speaker), request(RTSPRequest(.record, speaker.url)))
    }

    mutating func setPeers(_ speaker: Paired, after response: RTSPResponse) {
        guard response.status.isSuccess else { return fail(refusals.refusal("to record", response)) }
        guard speaker.choice.clock.isPTP else { return enter(.awaitingFormat(speaker), .awaitFormat) }
        let addresses = [speaker.link.peer.textWithoutZone, speaker.link.own.textWithoutZone]
        let message = RTSPRequest(
            .setPeers, speaker.url, contentType: PeerList.contentType,
            body: PeerList(addresses: addresses).body)
        enter(.settingPeers(speaker), request(message))
    }

    mutating func awaitFormat(_ speaker: Paired, after response: RTSPResponse) {
        guard response.status.isSuccess else { return fail(refusals.refusal("its clock peers", response)) }
        enter(.awaitingFormat(speaker), .awaitFormat)
    }

    mutating func setUpStream(_ speaker: Paired, _ format: AudioWireFormat?) {
        guard let format else { return fail(.closed) }
        let message = messages(for: speaker).stream(format)
        enter(.settingUpStream(speaker), setUp(speaker.url, body: message.body))
    }

    mutating func openStream(_ speaker: Paired, after response: RTSPResponse) {
        if let failure = refusals.setup(response) { return fail(failure) }
        guard let answer = try? StreamSetupResponse(body: response.body) else {
            return fail(refusals.noDataPort)
        }
        // Serve densely again: the stream SETUP makes some receivers forget the clock messages so far.
        if speaker.choice.clock == .ptp { emit(.restartServing(speaker.link.peer)) }
        let stream = messages(for: speaker).opening(after: answer)
        enter(
            .openingStream(stream, speaker), .openStream(stream, timeout: Self.connectTimeout))
    }

    mutating func open(_ speaker: Paired, _ stream: StreamOpening, isContinued: Bool) {
        enter(
            .over,
            .opened(
                OpenedSession(
                    url: speaker.url, peer: speaker.link.peer, receiver: speaker.receiver,
                    choice: speaker.choice, streamID: stream.streamID, bufferBytes: stream.bufferBytes,
                    numbers: configuration.numbers, isContinuing: isContinued)))
    }
}
