import AirPlayMessages
import TuttiMediaTime
import TuttiRTSP

/// A session as its sender requests it, from the first SETUP and its headers.
package struct SenderSession: Hashable, Sendable {
    /// The clock of the session.
    package enum Timing: Hashable, Sendable {
        /// PTP.
        case ptp
        /// NTP, on this UDP port of the sender.
        case ntp(port: UInt16)
        /// No clock, for remote control only.
        case none
    }

    /// The clock of the session.
    package var timing: Timing
    /// Whether the session carries remote control and no audio.
    package var isRemoteControlOnly: Bool
    /// The session's UUID; the same on a second connection that continues the session.
    package var uuid: String?
    /// Whether this connection continues a session and must not take the speaker from another sender.
    package var isContinuing: Bool
    /// The sender's name, for display.
    package var name: String?
    /// The sender's model identifier.
    package var model: String?
    /// The UUID of the group that the sender plays to.
    package var groupUUID: String?
    /// Whether a receiver of the group leads it.
    package var groupContainsGroupLeader: Bool
    /// The DACP ID under which the sender takes remote commands; *observed* only from older senders.
    package var dacpID: String?
    /// The token for remote commands.
    package var activeRemote: String?

    /// Returns `nil` if the clock is unsupported or its description incomplete.
    init?(_ message: SessionSetupRequest, headers: RTSPHeaders) {
        isRemoteControlOnly = message.isRemoteControlOnly ?? false
        switch message.timingProtocol {
        case .ptp: timing = .ptp
        case .ntp:
            guard let port = message.timingPort else { return nil }
            timing = .ntp(port: port)
        case .noClock where isRemoteControlOnly: timing = .none
        default: return nil
        }
        uuid = message.sessionUUID.map(Self.shortened)
        isContinuing = message.isContinuing ?? false
        name = message.name.map(Self.shortened)
        model = message.model.map(Self.shortened)
        groupUUID = message.groupUUID.map(Self.shortened)
        groupContainsGroupLeader = message.groupContainsGroupLeader ?? false
        dacpID = headers["DACP-ID"].map(Self.shortened)
        activeRemote = headers["Active-Remote"].map(Self.shortened)
    }

    /// Returns whether a SETUP repeats another one to change its description. A remote-control session cannot
    /// become a playing one without taking the speaker.
    func redescribes(_ other: SenderSession) -> Bool {
        uuid == other.uuid && timing == other.timing && isRemoteControlOnly == other.isRemoteControlOnly
    }

    /// Returns the status that refuses a stream; `nil` if the session can carry it.
    func refusal(of stream: StreamRequest) -> RTSPStatus? {
        if stream.kind == .remoteControl { return nil }
        if isRemoteControlOnly { return .methodNotValidInThisState }
        // The anchors of a buffered stream are PTP times.
        if case .ntp = timing, stream.kind == .buffered { return .badParameters }
        return nil
    }

    /// Most bytes of one text. No display shows more.
    static let textByteLimit = 256

    private static func shortened(_ text: String) -> String {
        ReceivedText.cut(text, toBytes: textByteLimit)
    }
}

/// A stream as its sender requests it.
package struct StreamRequest: Hashable, Sendable {
    /// The kind of stream.
    package var kind: StreamKind
    /// The format of packets that do not name their own.
    package var format: AudioWireFormat?
    /// The encryption key; `nil` for remote control.
    package var key: AudioKey?
    /// The sender's number of the stream, by which it continues the stream.
    package var connectionID: UInt64?
    /// The sender's UDP port for control packets.
    package var controlPort: UInt16?

    /// Returns `nil` if the stream cannot be played.
    init?(_ message: StreamSetupRequest) {
        kind = message.kind
        key = message.key
        connectionID = message.streamConnectionID
        controlPort = message.controlPort
        format = message.format ?? Self.format(codec: message.codec, sampleRate: message.sampleRate)
        switch kind {
        case .buffered:
            guard key != nil else { return nil }
        case .realtime:
            // Without a format, the stream has the one of AirPlay 1.
            if format == nil { format = .alac44100x16 }
            guard key != nil, format.map(Self.realtimeFormats.contains) ?? false else { return nil }
        case .remoteControl: format = nil
        default: return nil
        }
    }

    private static let realtimeFormats: [AudioWireFormat] = [
        .pcm44100x16, .alac44100x16, .alac44100x24, .alac48000x16, .alac48000x24, .aac44100, .aac48000,
    ]

    /// Returns the format that `ct` and `sr` stand for when `audioFormat` is missing.
    private static func format(codec: Int64?, sampleRate: SampleRate?) -> AudioWireFormat? {
        let is48 = sampleRate == .hz48000
        switch codec {
        case 1: return is48 ? nil : .pcm44100x16
        case 2: return is48 ? .alac48000x24 : .alac44100x16
        case 4: return is48 ? .aac48000 : .aac44100
        default: return nil
        }
    }
}

/// The ports and parameters in the response to a stream's SETUP.
package struct StreamPorts: Hashable, Sendable {
    /// The data port: TCP for buffered and remote-control streams, UDP for realtime ones.
    package var data: UInt16
    /// The UDP control port of a realtime stream.
    package var control: UInt16?
    /// The buffer size in bytes of whole framed packets.
    package var bufferBytes: Int?
    /// For a continued stream, the first sequence number that has not arrived.
    package var continuesAt: UInt32?

    /// Creates a response from its parts.
    package init(data: UInt16, control: UInt16? = nil, bufferBytes: Int? = nil, continuesAt: UInt32? = nil) {
        self.data = data
        self.control = control
        self.bufferBytes = bufferBytes
        self.continuesAt = continuesAt
    }

    /// The response to the SETUP of a stream.
    func response(to stream: StreamRequest) -> StreamSetupResponse {
        StreamSetupResponse(
            kind: stream.kind, dataPort: data, controlPort: control,
            audioBufferSize: bufferBytes.map(Int64.init), streamID: 1,
            continuesAt: continuesAt.map(Int64.init))
    }
}
