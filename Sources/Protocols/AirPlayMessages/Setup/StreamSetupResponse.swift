/// Response to the SETUP of a stream.
package struct StreamSetupResponse: PropertyListMessage, Hashable {
    /// The requested kind.
    package var kind: StreamKind
    /// The data port: TCP for a buffered stream, UDP for a realtime one.
    package var dataPort: UInt16
    /// The UDP control port.
    package var controlPort: UInt16?
    /// The buffer size in bytes of a buffered receiver.
    package var audioBufferSize: Int64?
    /// The number by which TEARDOWN names the stream, if present.
    package var streamID: Int64?
    /// Latency from arrival to playback in milliseconds; informational.
    package var arrivalToRenderLatencyMilliseconds: Int64?
    /// Tutti only: the sequence number of the first missing packet, if the stream continues from an earlier
    /// connection. `nil` for a new stream.
    package var continuesAt: Int64?

    /// Creates a response from its parts.
    package init(
        kind: StreamKind = .buffered, dataPort: UInt16, controlPort: UInt16? = nil,
        audioBufferSize: Int64? = nil, streamID: Int64? = nil, continuesAt: Int64? = nil
    ) {
        self.kind = kind
        self.dataPort = dataPort
        self.controlPort = controlPort
        self.audioBufferSize = audioBufferSize
        self.streamID = streamID
        self.continuesAt = continuesAt
    }

    /// - Throws: ``MessageError/missing(key:)`` if there is no `dataPort`: the receiver has refused, whatever
    ///   its status says.
    package init(propertyList: PropertyList) throws(MessageError) {
        let outer = try PropertyListFields(propertyList)
        let fields = try PropertyListFields(outer.required(outer.dictionaries("streams").first, "streams"))
        let type = try fields.integer("type", in: 0...Int64(UInt16.max))
        kind = type.map { StreamKind(rawValue: $0) } ?? .buffered
        dataPort = try fields.required(fields.port("dataPort"), "dataPort")
        controlPort = try fields.port("controlPort")
        audioBufferSize = try fields.integer("audioBufferSize", in: 0...Int64(UInt32.max))
        streamID = fields["streamID"]?.integerValue
        arrivalToRenderLatencyMilliseconds = fields["arrivalToRenderLatencyMs"]?.integerValue
        continuesAt = try fields.integer(Self.continuesAtKey, in: 0...0x7F_FFFF)
    }

    private static let continuesAtKey = "tuttiContinuesAtSeq"

    package var propertyList: PropertyList {
        let stream = dictionary([
            "type": .integer(kind.rawValue),
            "dataPort": .integer(Int64(dataPort)),
            "controlPort": controlPort.map { .integer(Int64($0)) },
            "audioBufferSize": audioBufferSize.map { .integer($0) },
            "streamID": streamID.map { .integer($0) },
            "arrivalToRenderLatencyMs": arrivalToRenderLatencyMilliseconds.map { .integer($0) },
            Self.continuesAtKey: continuesAt.map { .integer($0) },
        ])
        return ["streams": [stream]]
    }
}
