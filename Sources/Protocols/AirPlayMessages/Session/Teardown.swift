/// Body of TEARDOWN: ends one stream, or the session.
package enum Teardown: PropertyListMessage, Hashable {
    /// Ends a stream. The connection stays open for another one.
    case stream(StreamKind, streamID: Int64?)
    /// Ends the session. The receiver closes the connection.
    case session

    package init(propertyList: PropertyList) throws(MessageError) {
        let fields = try PropertyListFields(propertyList)
        guard let first = try fields.dictionaries("streams").first else {
            self = .session
            return
        }
        let stream = try PropertyListFields(first)
        let type = try stream.required(stream.integer("type", in: 0...Int64(UInt16.max)), "type")
        self = .stream(StreamKind(rawValue: type), streamID: stream["streamID"]?.integerValue)
    }

    package var propertyList: PropertyList {
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
