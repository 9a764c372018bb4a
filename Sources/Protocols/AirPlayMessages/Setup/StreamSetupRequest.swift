import TuttiMediaTime

/// The type of a stream: `type`.
package struct StreamKind: RawRepresentable, Hashable, Sendable {
    /// The number as sent in SETUP.
    package let rawValue: Int64

    /// Creates a kind from its number in SETUP.
    package init(rawValue: Int64) { self.rawValue = rawValue }

    /// A realtime stream: packets over UDP.
    package static let realtime = StreamKind(rawValue: 96)
    /// A buffered stream: packets over TCP, minutes ahead.
    package static let buffered = StreamKind(rawValue: 103)
    /// A remote control session without audio.
    package static let remoteControl = StreamKind(rawValue: 130)
}

extension StreamKind: CustomStringConvertible {
    /// The name of the kind for logs and messages.
    package var description: String {
        switch self {
        case .realtime: "realtime"
        case .buffered: "buffered"
        case .remoteControl: "remote control"
        default: "type \(rawValue)"
        }
    }
}

/// Body of the second SETUP, which opens one stream.
package struct StreamSetupRequest: PropertyListMessage, Hashable {
    /// Realtime, buffered or remote control: `type`.
    package var kind: StreamKind
    /// The packet format as one bit; empty if a realtime stream does not name one.
    package var audioFormat: AudioFormatSet
    /// The codec as one bit: `ct`.
    package var codec: Int64?
    /// Frames per packet: `spf`.
    package var framesPerPacket: Int64?
    /// Frames per second: `sr`.
    package var sampleRate: SampleRate?
    /// The encryption key: `shk`. `nil` only from a peer; such a stream cannot be played.
    package var key: AudioKey?
    /// The audio mode; `default` for music.
    package var audioMode: String?
    /// `isMedia`
    package var isMedia: Bool?
    /// The sender's UDP port for control packets.
    package var controlPort: UInt16?
    /// A random number of the stream; the number in the session URL also serves.
    package var streamConnectionID: UInt64?
    /// `supportsDynamicStreamID`
    package var supportsDynamicStreamID: Bool?
    /// `clientID`
    package var clientID: String?
    /// `clientTypeUUID`
    package var clientTypeUUID: String?
    /// The seed for the keys of a remote-control stream; other streams have none.
    package var seed: UInt64?
    /// The lower limit of the latency, in frames. Neither limit is sent for a buffered stream: a Sonos adds
    /// `latencyMax` as a constant delay (*observed*).
    package var latencyMin: Int64?
    /// The upper limit in frames; see ``latencyMin``.
    package var latencyMax: Int64?

    /// Creates a request for a format, with the fields that every receiver needs.
    package init(
        kind: StreamKind = .buffered, format: AudioWireFormat, key: AudioKey, streamConnectionID: UInt64
    ) {
        self.kind = kind
        audioFormat = format.mask
        codec = Int64(format.codec.rawValue)
        framesPerPacket = Int64(format.framesPerPacket)
        sampleRate = format.sampleRate
        self.key = key
        audioMode = "default"
        isMedia = true
        self.streamConnectionID = streamConnectionID
        supportsDynamicStreamID = false
    }

    /// The format, if it is known by name.
    package var format: AudioWireFormat? { AudioWireFormat(mask: audioFormat) }

    /// Reads the first entry of `streams`, as receivers do.
    package init(propertyList: PropertyList) throws(MessageError) {
        let outer = try PropertyListFields(propertyList)
        let fields = try PropertyListFields(outer.required(outer.dictionaries("streams").first, "streams"))
        let type = try fields.required(fields.integer("type", in: 0...Int64(UInt16.max)), "type")
        kind = StreamKind(rawValue: type)
        audioFormat = AudioFormatSet(rawValue: fields["audioFormat"]?.unsignedValue ?? 0)
        codec = try fields.integer("ct", in: 0...Int64(Int32.max))
        framesPerPacket = try fields.integer("spf", in: 1...65_536)
        sampleRate = nil
        if let hertz = try fields.integer("sr", in: 1...1_536_000) {
            sampleRate = SampleRate(hertz: Int(hertz))
        }
        key = nil
        if let bytes = fields["shk"]?.dataValue {
            guard let read = AudioKey(bytes) else {
                throw .outOfRange(key: "shk", value: Int64(bytes.count))
            }
            key = read
        }
        audioMode = fields["audioMode"]?.stringValue
        isMedia = fields["isMedia"]?.booleanValue
        controlPort = try fields.port("controlPort")
        streamConnectionID = fields["streamConnectionID"]?.unsignedValue
        supportsDynamicStreamID = fields["supportsDynamicStreamID"]?.booleanValue
        clientID = fields["clientID"]?.stringValue
        clientTypeUUID = fields["clientTypeUUID"]?.stringValue
        seed = fields["seed"]?.unsignedValue
        latencyMin = try fields.integer("latencyMin", in: 0...Int64(UInt32.max))
        latencyMax = try fields.integer("latencyMax", in: 0...Int64(UInt32.max))
    }

    package var propertyList: PropertyList { ["streams": [stream]] }

    private var stream: PropertyList {
        let isBuffered = kind == .buffered
        return dictionary([
            "type": .integer(kind.rawValue),
            "audioFormat": audioFormat.isEmpty ? nil : .unsigned(audioFormat.rawValue),
            "ct": codec.map { .integer($0) },
            "spf": framesPerPacket.map { .integer($0) },
            "sr": sampleRate.map { .integer(Int64($0.hertz)) },
            "shk": key.map { .data($0.bytes) },
            "audioMode": audioMode.map { .string($0) },
            "isMedia": isMedia.map { .boolean($0) },
            "controlPort": controlPort.map { .integer(Int64($0)) },
            "streamConnectionID": streamConnectionID.map { .unsigned($0) },
            "supportsDynamicStreamID": supportsDynamicStreamID.map { .boolean($0) },
            "clientID": clientID.map { .string($0) },
            "clientTypeUUID": clientTypeUUID.map { .string($0) },
            "seed": seed.map { .unsigned($0) },
            "latencyMin": isBuffered ? nil : latencyMin.map { .integer($0) },
            "latencyMax": isBuffered ? nil : latencyMax.map { .integer($0) },
        ])
    }
}
