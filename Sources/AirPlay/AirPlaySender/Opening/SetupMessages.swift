import AirPlayMessages
import TuttiMediaTime
import TuttiRTP
import TuttiSystemIO

/// The two SETUP messages of an AirPlay 2 session with one speaker, and the stream that follows from the answer.
struct SetupMessages: Sendable {
    let configuration: AirPlay2Handshake.Configuration
    let speaker: AirPlay2Handshake.Paired

    /// The smallest usable buffer, bytes: room for a few packets of any format.
    private static let leastBuffer: Int64 = 32 * 1024
    /// The buffer of a speaker that names no valid size, bytes.
    private static let usualBuffer: Int64 = 4 << 20
    /// The largest buffer that is used, bytes.
    private static let greatestBuffer: Int64 = 1 << 30

    private var numbers: SessionNumbers { configuration.numbers }
    private var isRealtime: Bool { speaker.choice.stream == .realtime }
    /// The format of a realtime stream: the one that all receivers play, unless the user has chosen another.
    private var realtimeFormat: AudioWireFormat { configuration.target.override.realtimeFormat }

    /// The message that sets up the session.
    var session: SessionSetupRequest {
        let identity = configuration.identity
        var message: SessionSetupRequest
        switch speaker.choice.clock {
        case .ptp, .theirs:
            message = SessionSetupRequest(
                timingProtocol: .ptp,
                timingPeerInfo: TimingPeerInfo(
                    id: numbers.timingPeerID, addresses: [speaker.link.own.textWithoutZone],
                    clockIdentity: configuration.clock, deviceType: 0,
                    supportsClockPortMatchingOverride: false))
        case .ntp, .host:
            message = SessionSetupRequest(timingProtocol: .ntp)
            message.timingPort = speaker.ports.timing
        }
        (message.deviceID, message.macAddress) = (identity.deviceID, identity.deviceID)
        message.sessionUUID = numbers.sessionUUID
        message.isContinuing = configuration.isResuming ? true : nil
        message.groupUUID = identity.groupID
        message.groupContainsGroupLeader = false
        message.isMultiSelectAirPlay = true
        (message.name, message.model) = (identity.name, "Tutti1,1")
        (message.osName, message.osVersion, message.osBuildVersion) = ("Linux", "1.0", "1")
        message.sourceVersion = "670.6.2"
        return message
    }

    /// Returns the message that sets up the stream.
    ///
    /// - Parameter format: The wire format of the store's packets.
    func stream(_ format: AudioWireFormat) -> StreamSetupRequest {
        guard isRealtime else {
            return StreamSetupRequest(
                format: format, key: numbers.key, streamConnectionID: numbers.streamConnection)
        }
        var message = StreamSetupRequest(
            kind: .realtime, format: realtimeFormat, key: numbers.key,
            streamConnectionID: numbers.streamConnection)
        message.controlPort = speaker.ports.control
        (message.latencyMin, message.latencyMax) = (11_025, 88_200)
        return message
    }

    /// Returns the parameters of the stream that the speaker has set up.
    func opening(after answer: StreamSetupResponse) -> StreamOpening {
        // Treat a speaker without a valid size as a speaker with a small buffer.
        let named = answer.audioBufferSize.flatMap { $0 >= Self.leastBuffer ? $0 : nil }
        let continuesAt = configuration.isResuming ? answer.continuesAt : nil
        return StreamOpening(
            address: SocketAddress(speaker.link.peer, port: answer.dataPort), streamID: answer.streamID,
            bufferBytes: isRealtime
                ? realtimeFormat.realtimeBufferBytes
                : Int(clamping: min(named ?? Self.usualBuffer, Self.greatestBuffer)),
            realtime: isRealtime ? realtime(answer) : nil,
            continuesAt: continuesAt.map { SequenceNumber(truncating: UInt32(truncatingIfNeeded: $0)) },
            quirks: speaker.receiver.quirks, numbers: numbers)
    }

    private func realtime(_ answer: StreamSetupResponse) -> RealtimeOpening {
        let (quirks, isPTP) = (speaker.receiver.quirks, speaker.choice.clock.isPTP)
        var traits = RealtimeTraits(
            realtimeFormat, isPTP ? .ptp : .ntp, quirks, depth: configuration.target.override.depth)
        if isPTP {
            traits.addedFrames = quirks.realtimeAddedFrames
        } else {
            traits.source = UInt32(truncatingIfNeeded: numbers.streamConnection)
        }
        return RealtimeOpening(
            traits: traits, clock: speaker.choice.clock, own: speaker.link.own,
            control: answer.controlPort.map { SocketAddress(speaker.link.peer, port: $0) })
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
