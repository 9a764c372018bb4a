/// Answer to the SETUP of a stream.
public struct StreamSetupResponse: PropertyListMessage, Hashable {
    /// The kind that was asked for.
    public var kind: StreamKind
    /// TCP for a buffered stream, UDP for a realtime one.
    public var dataPort: UInt16
    /// UDP.
    public var controlPort: UInt16?
    /// Bytes that a buffered receiver holds.
    public var audioBufferSize: Int64?
    /// To be named in TEARDOWN when it is there.
    public var streamID: Int64?
    /// From arrival to sound, in milliseconds; only informs.
    public var arrivalToRenderLatencyMilliseconds: Int64?
    /// Ours alone: the stream goes on where an earlier connection left off, and this is the sequence number of
    /// the first packet that has not arrived. `nil` for a stream that begins.
    public var continuesAt: Int64?

    public init(
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

    /// - Throws: ``MessageError/missing(key:)`` without `dataPort`: the receiver has refused,
    ///   whatever its status says.
    public init(propertyList: PropertyList) throws(MessageError) {
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

    public var propertyList: PropertyList {
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
