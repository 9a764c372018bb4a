import AirPlayMessages
import HomeKitPairing
import TuttiMediaTime
import TuttiRTP
import TuttiRTSP
import TuttiSystemIO

/// The encrypted part: the session, its events and its stream.
extension AirPlay2Handshake {
    /// The smallest usable buffer, bytes: room for a few packets of any format.
    private static let leastBuffer: Int64 = 32 * 1024
    /// The buffer of a speaker that names no valid size, bytes.
    private static let usualBuffer: Int64 = 4 << 20
    /// The largest buffer that is used, bytes.
    private static let greatestBuffer: Int64 = 1 << 30

    mutating func setUpSession(_ speaker: Described, _ secret: SharedSecret) {
        let own = speaker.link.own.textWithoutZone
        let url = "rtsp://\(own)/\(configuration.numbers.session)"
        let paired = Paired(
            link: speaker.link, receiver: speaker.receiver, choice: speaker.choice, secret: secret, url: url)
        guard speaker.choice.stream == .realtime else { return requestSession(paired) }
        enter(.bindingPorts(paired), .bindPorts(speaker.link, isTiming: speaker.choice.clock == .ntp))
    }

    mutating func requestSession(_ speaker: Paired) {
        enter(.settingUpSession(speaker), setUp(speaker.url, body: sessionSetup(speaker).body))
    }

    mutating func setUpSession(_ speaker: Paired, _ ports: BoundPorts) {
        var speaker = speaker
        speaker.ports = ports
        requestSession(speaker)
    }

    private func sessionSetup(_ speaker: Paired) -> SessionSetupRequest {
        let identity = configuration.identity
        var message: SessionSetupRequest
        switch speaker.choice.clock {
        case .ptp, .theirs:
            message = SessionSetupRequest(
                timingProtocol: .ptp,
                timingPeerInfo: TimingPeerInfo(
                    id: configuration.numbers.timingPeerID, addresses: [speaker.link.own.textWithoutZone],
                    clockIdentity: configuration.clock, deviceType: 0,
                    supportsClockPortMatchingOverride: false))
        case .ntp, .host:
            message = SessionSetupRequest(timingProtocol: .ntp)
            message.timingPort = speaker.ports.timing
        }
        (message.deviceID, message.macAddress) = (identity.deviceID, identity.deviceID)
        message.sessionUUID = configuration.numbers.sessionUUID
        message.isContinuing = configuration.isResuming ? true : nil
        message.groupUUID = identity.groupID
        message.groupContainsGroupLeader = false
        message.isMultiSelectAirPlay = true
        (message.name, message.model) = (identity.name, "Tutti1,1")
        (message.osName, message.osVersion, message.osBuildVersion) = ("Linux", "1.0", "1")
        message.sourceVersion = "670.6.2"
        return message
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
        guard let format else { return fail(SpeakerFailure(.closed, "closed")) }
        let numbers = configuration.numbers
        var message: StreamSetupRequest
        if speaker.choice.stream == .realtime {
            message = StreamSetupRequest(
                kind: .realtime, format: realtimeFormat, key: numbers.key,
                streamConnectionID: numbers.streamConnection)
            message.controlPort = speaker.ports.control
            (message.latencyMin, message.latencyMax) = (11_025, 88_200)
        } else {
            message = StreamSetupRequest(
                format: format, key: numbers.key, streamConnectionID: numbers.streamConnection)
        }
        enter(.settingUpStream(speaker), setUp(speaker.url, body: message.body))
    }

    mutating func openStream(_ speaker: Paired, after response: RTSPResponse) {
        if let failure = refusals.setup(response) { return fail(failure) }
        guard let answer = try? StreamSetupResponse(body: response.body) else {
            return fail(refusals.noDataPort)
        }
        // Serve densely again: the stream SETUP makes some receivers forget the clock messages so far.
        if speaker.choice.clock == .ptp { emit(.restartServing(speaker.link.peer)) }
        // Treat a speaker without a valid size as a speaker with a small buffer.
        let named = answer.audioBufferSize.flatMap { $0 >= Self.leastBuffer ? $0 : nil }
        let continuesAt = configuration.isResuming ? answer.continuesAt : nil
        let isRealtime = speaker.choice.stream == .realtime
        let stream = StreamOpening(
            address: SocketAddress(speaker.link.peer, port: answer.dataPort), streamID: answer.streamID,
            bufferBytes: isRealtime
                ? realtimeFormat.realtimeBufferBytes
                : Int(clamping: min(named ?? Self.usualBuffer, Self.greatestBuffer)),
            realtime: isRealtime ? realtime(speaker, answer) : nil,
            continuesAt: continuesAt.map { SequenceNumber(truncating: UInt32(truncatingIfNeeded: $0)) },
            quirks: speaker.receiver.quirks, numbers: configuration.numbers)
        enter(
            .openingStream(stream, speaker), .openStream(stream, timeout: Self.connectTimeout))
    }

    private func realtime(_ speaker: Paired, _ answer: StreamSetupResponse) -> RealtimeOpening {
        let quirks = speaker.receiver.quirks
        var traits = RealtimeTraits(
            format: realtimeFormat,
            clock: speaker.choice.clock.isPTP ? .ptp : .ntp)
        if speaker.choice.clock.isPTP {
            traits.addedFrames = quirks.realtimeAddedFrames
        } else {
            traits.source = UInt32(truncatingIfNeeded: configuration.numbers.streamConnection)
        }
        traits.lead = configuration.target.override.depth ?? quirks.realtimeQueue
        traits.keepsLine = quirks.mustNotBeFlushed
        traits.silentPackets = quirks.realtimeSilentPackets
        return RealtimeOpening(
            traits: traits, clock: speaker.choice.clock, own: speaker.link.own,
            control: answer.controlPort.map { SocketAddress(speaker.link.peer, port: $0) })
    }

    /// The format of a realtime stream: the one that all receivers play, unless the user has chosen another.
    private var realtimeFormat: AudioWireFormat { configuration.target.override.realtimeFormat }

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

extension SessionChoice.Override {
    /// The format of the packets of a realtime stream of AirPlay 2.
    var realtimeFormat: AudioWireFormat { (format ?? .alac44100x16).wireFormat }
}

extension AudioWireFormat {
    /// The bytes that a realtime receiver holds at most: two seconds without compression.
    var realtimeBufferBytes: Int { 2 * sampleRate.hertz * channelCount * (bitDepth ?? 16) / 8 }
}
