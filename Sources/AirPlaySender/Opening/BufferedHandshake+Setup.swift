import AirPlayMessages
import HomeKitPairing
import MediaTime
import RTP
import RTSP
import SystemIO

/// The encrypted part: the session, its events and its stream.
extension BufferedHandshake {
    /// The smallest usable buffer, bytes: room for a few packets of any format.
    private static let leastBuffer: Int64 = 32 * 1024
    /// The buffer of a speaker that names no valid size, bytes.
    private static let usualBuffer: Int64 = 4 << 20
    /// The largest buffer that is used, bytes.
    private static let greatestBuffer: Int64 = 1 << 30

    mutating func setUpSession(_ speaker: Described, _ secret: SharedSecret) {
        let own = speaker.link.own.textWithoutZone
        let url = "rtsp://\(own)/\(configuration.numbers.session)"
        let paired = Paired(link: speaker.link, receiver: speaker.receiver, secret: secret, url: url)
        enter(.settingUpSession(paired), setUp(url, body: sessionSetup(own: own).body))
    }

    private func sessionSetup(own: String) -> SessionSetupRequest {
        let identity = configuration.identity
        let peerInfo = TimingPeerInfo(
            id: configuration.numbers.timingPeerID, addresses: [own], clockIdentity: configuration.clock,
            deviceType: 0, supportsClockPortMatchingOverride: false)
        var message = SessionSetupRequest(timingProtocol: .ptp, timingPeerInfo: peerInfo)
        message.timingPeerList = [peerInfo]
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
        if let failure = refusals.setup(response) { return fail(failure) }
        guard let answer = try? SessionSetupResponse(body: response.body) else {
            return fail(refusals.noEventPort)
        }
        enter(
            .openingEvents(speaker),
            .connectEvents(
                SocketAddress(speaker.link.peer, port: answer.eventPort), speaker.secret,
                timeout: Self.connectTimeout))
    }

    mutating func record(_ speaker: Paired) {
        enter(.recording(speaker), request(RTSPRequest(.record, speaker.url)))
    }

    mutating func setPeers(_ speaker: Paired, after response: RTSPResponse) {
        guard response.status.isSuccess else { return fail(refusals.refusal("to record", response)) }
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
        let message = StreamSetupRequest(
            format: format, key: numbers.key, streamConnectionID: numbers.streamConnection)
        enter(.settingUpStream(speaker), setUp(speaker.url, body: message.body))
    }

    mutating func openStream(_ speaker: Paired, after response: RTSPResponse) {
        if let failure = refusals.setup(response) { return fail(failure) }
        guard let answer = try? StreamSetupResponse(body: response.body) else {
            return fail(refusals.noDataPort)
        }
        // Serve densely again: the stream SETUP makes some receivers forget the clock messages so far.
        emit(.restartServing(speaker.link.peer))
        // Treat a speaker without a valid size as a speaker with a small buffer.
        let named = answer.audioBufferSize.flatMap { $0 >= Self.leastBuffer ? $0 : nil }
        let continuesAt = configuration.isResuming ? answer.continuesAt : nil
        let stream = StreamOpening(
            address: SocketAddress(speaker.link.peer, port: answer.dataPort), streamID: answer.streamID,
            bufferBytes: Int(clamping: min(named ?? Self.usualBuffer, Self.greatestBuffer)),
            continuesAt: continuesAt.map { SequenceNumber(truncating: UInt32(truncatingIfNeeded: $0)) },
            quirks: speaker.receiver.quirks, numbers: configuration.numbers)
        enter(
            .openingStream(stream, speaker), .openStream(stream, timeout: Self.connectTimeout))
    }

    mutating func open(_ speaker: Paired, _ stream: StreamOpening, isContinued: Bool) {
        enter(
            .over,
            .opened(
                OpenedSession(
                    url: speaker.url, peer: speaker.link.peer, receiver: speaker.receiver,
                    streamID: stream.streamID, bufferBytes: stream.bufferBytes,
                    numbers: configuration.numbers, isContinuing: isContinued)))
    }
}
