/// Body of TEARDOWN: end one stream, or the session.
public enum Teardown: PropertyListMessage, Hashable {
    /// The connection stays; another stream may be set up.
    case stream(StreamKind, streamID: Int64?)
    /// The receiver closes the connection.
    case session

    public init(propertyList: PropertyList) throws(MessageError) {
        let fields = try PropertyListFields(propertyList)
        guard let first = try fields.dictionaries("streams").first else {
            self = .session
            return
        }
        let stream = try PropertyListFields(first)
        let type = try stream.required(stream.integer("type", in: 0...Int64(UInt16.max)), "type")
        self = .stream(StreamKind(rawValue: type), streamID: stream["streamID"]?.integerValue)
    }

    public var propertyList: PropertyList {
        switch self {
        case .stream(let kind, let streamID):
            let stream = dictionary([
                "type": .integer(kind.rawValue), "streamID": streamID.map { .integer($0) },
            ])
            return ["streams": [stream]]
        case .session: return [:]
        }
    }
}
