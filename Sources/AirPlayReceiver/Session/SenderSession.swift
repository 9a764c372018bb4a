public import AirPlayMessages
internal import MediaTime
internal import RTSP

/// A session that a sender asks for: what its first SETUP and its headers say.
public struct SenderSession: Hashable, Sendable {
    /// The clock of the session.
    public enum Timing: Hashable, Sendable {
        case ptp
        /// The sender's UDP port.
        case ntp(port: UInt16)
        /// For remote control alone.
        case none
    }

    public var timing: Timing
    public var isRemoteControlOnly: Bool
    /// The same on a second connection that continues a session.
    public var uuid: String?
    /// It is such a second connection, and not to take the speaker from another sender.
    public var isContinuing: Bool
    public var name: String?
    public var model: String?
    public var groupUUID: String?
    public var groupContainsGroupLeader: Bool
    /// Where the sender takes commands of ours; *observed* only from older senders.
    public var dacpID: String?
    public var activeRemote: String?

    /// `nil` when the clock is one we do not have, or its description is not complete.
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

    /// Bytes of one text that are kept. No display shows more.
    static let textByteLimit = 256

    private static func shortened(_ text: String) -> String {
        ReceivedText.cut(text, toBytes: textByteLimit)
    }
}

/// A stream that a sender asks for.
public struct StreamRequest: Hashable, Sendable {
    public var kind: StreamKind
    /// What packets carry that do not say it themselves.
    public var format: AudioWireFormat?
    /// `nil` for remote control.
    public var key: AudioKey?
    public var connectionID: UInt64?
    /// The sender's UDP port for control packets.
    public var controlPort: UInt16?

    /// `nil` when the stream is one we cannot play.
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
            // Senders may come without the form; it is the one of AirPlay 1 then.
            if format == nil { format = .alac44100x16 }
            guard key != nil, format.map(Self.realtimeFormats.contains) ?? false else { return nil }
        case .remoteControl: format = nil
        default: return nil
        }
    }

    private static let realtimeFormats: [AudioWireFormat] = [
        .pcm44100x16, .alac44100x16, .alac48000x16, .aac44100, .aac48000,
    ]

    /// What `ct` and `sr` mean without a form.
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

/// What the SETUP of a stream is answered with.
public struct StreamPorts: Hashable, Sendable {
    /// TCP for buffered and remote-control streams, UDP for realtime ones.
    public var data: UInt16
    /// UDP.
    public var control: UInt16?
    /// Bytes of whole framed packets.
    public var bufferBytes: Int?
    /// The stream goes on: the first sequence number that has not arrived.
    public var continuesAt: UInt32?

    public init(data: UInt16, control: UInt16? = nil, bufferBytes: Int? = nil, continuesAt: UInt32? = nil) {
        self.data = data
        self.control = control
        self.bufferBytes = bufferBytes
        self.continuesAt = continuesAt
    }
}
