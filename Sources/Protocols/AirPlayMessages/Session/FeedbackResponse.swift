/// Response to `POST /feedback`: the streams that play. An empty body reads as no streams.
package struct FeedbackResponse: PropertyListMessage, Hashable {
    /// A stream that plays.
    package struct Stream: Hashable, Sendable {
        /// The kind of stream.
        package var kind: StreamKind
        /// Frames per second. 0 until shairport-sync has decoded the first packet (*observed*): a nonzero
        /// rate shows that clock, key and format code are right.
        package var sampleRate: Double

        /// Creates an entry from its parts.
        package init(kind: StreamKind, sampleRate: Double) {
            self.kind = kind
            self.sampleRate = sampleRate
        }
    }

    /// The streams that play; empty while nothing does.
    package var streams: [Stream]

    /// Creates a response.
    package init(streams: [Stream] = []) { self.streams = streams }

    /// Parses the body of an answer; an empty body has no streams.
    package init(body: [UInt8]) throws(MessageError) {
        guard !body.isEmpty else {
            self.init()
            return
        }
        let list: PropertyList
        do {
            list = try PropertyList(parsing: body)
        } catch {
            throw .malformedPropertyList(error)
        }
        try self.init(propertyList: list)
    }

    package init(propertyList: PropertyList) throws(MessageError) {
        let fields = try PropertyListFields(propertyList)
        streams = []
        for entry in try fields.dictionaries("streams") {
            guard let type = entry["type"]?.integerValue else { continue }
            streams.append(Stream(kind: StreamKind(rawValue: type), sampleRate: entry["sr"]?.realValue ?? 0))
        }
    }

    package var propertyList: PropertyList {
        let list = streams.map { stream -> PropertyList in
            ["type": .integer(stream.kind.rawValue), "sr": .real(stream.sampleRate)]
        }
        return ["streams": .array(list)]
    }
}
